#include "scan/program.h"

#include <stdio.h>
#include <string.h>

#include "base/message.h"

/* The accumulators' names in OpenCL C. */
static const char *const type_names[TYPE_COUNT] = {
	[TYPE_I8] = "char",  [TYPE_U8] = "uchar", [TYPE_I16] = "short", [TYPE_U16] = "ushort", [TYPE_I32] = "int",
	[TYPE_U32] = "uint", [TYPE_I64] = "long", [TYPE_U64] = "ulong", [TYPE_F32] = "float",  [TYPE_F64] = "double",
};

static bool begins_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* The bytes of the name or number that begins a text; 0: neither does. */
static size_t word_size(const char *text)
{
	size_t size = 0;
	const bool is_number = text[0] >= '0' && text[0] <= '9';
	while (begins_name(text[size]) || (size + is_number > 0 && text[size] >= '0' && text[size] <= '9'))
		size++;
	return size;
}

bool program_is_expression(const char *word)
{
	bool has_a = false;
	bool has_b = false;
	while (*word != '\0') {
		const size_t size = word_size(word);
		has_a = has_a || (size == 1 && *word == 'a');
		has_b = has_b || (size == 1 && *word == 'b');
		word += size > 0 ? size : 1;
	}
	return has_a && has_b;
}

static enum status refuse(const char *expression, const char *why)
{
	char quoted[MESSAGE_QUOTED_SIZE];
	message_error("-op: %s: %s", message_quote(quoted, expression, strlen(expression)), why);
	return STATUS_USAGE;
}

/* The bytes of what begins something else than an expression: a statement, a text, a comment, a directive, also as C's digraphs and
 * trigraphs write them. 0: nothing does. */
static size_t begins_else(const char *p)
{
	static const char *const pairs[] = {"//", "/*", "%:", "<%", "%>", "<:", ":>", "??"};
	const unsigned char c = (unsigned char)*p;
	for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
		if (strncmp(p, pairs[i], 2) == 0)
			return 2;
	}
	return strchr(";{}#\"'\\`$@", c) != NULL || (c < ' ' && c != '\t' && c != '\n') || c >= 0x7f;
}

#define BRACKETS_MAX 10000

/* Whether nothing in the expression ends it, or begins what its own end would not end. */
static enum status check(const char *expression)
{
	static char open[BRACKETS_MAX];
	size_t depth = 0;
	for (const char *p = expression; *p != '\0'; p++) {
		const size_t begun = begins_else(p);
		if (*p == '(' || *p == '[') {
			if (depth == BRACKETS_MAX)
				return refuse("(...", "more than 10000 brackets within each other");
			open[depth++] = *p == '(' ? ')' : ']';
		} else if (*p == ')' || *p == ']') {
			if (depth == 0 || open[--depth] != *p)
				return refuse(expression, "a bracket is closed that is not open");
		} else if (begun > 0) {
			char why[64];
			char quoted[MESSAGE_QUOTED_SIZE];
			(void)snprintf(why, sizeof why, "%s is in no expression", message_quote(quoted, p, begun));
			return refuse(expression, why);
		}
	}
	return depth == 0 ? STATUS_OK : refuse(expression, "a bracket is not closed");
}

/* At least the bytes of struct cursor (kernels/cursor.h) with such states, wherever a compiler puts its members. */
static size_t cursor_size(size_t state_size, enum algorithm algorithm)
{
	const size_t nodes = algorithm == ALGORITHM_HILLIS_STEELE ? GRID_TILE / GRID_RUN : 8;
	return 2 * sizeof(uint64_t) + (3 + nodes) * state_size + sizeof(uint64_t);
}

enum status program_new(const char *expression, struct program **program)
{
	const size_t size = strlen(expression) + 1;
	if (check(expression) != STATUS_OK)
		return STATUS_USAGE;
	struct program *p = memory_new(sizeof *p + size);
	if (p == NULL)
		return STATUS_SYSTEM;
	*p = (struct program){.op = {.name = "expr",
				     .text = "program",
				     .symbol = "",
				     .about = "",
				     .id = OPERATOR_ID_COUNT,
				     .identity = IDENTITY_NONE,
				     .result = RESULT_SAME,
				     .inputs = 1,
				     .types = TYPES_INTEGER | TYPES_FLOAT,
				     .decimals = OPERATOR_ID_COUNT,
				     .takes_seed = true,
				     .program = p}};
	for (int a = 0; a < ALGORITHM_SEQUENTIAL; a++) {
		for (int t = 0; t < TYPE_COUNT; t++) {
			const size_t state_size = type_table[t].size;
			p->codes[a][t] = (struct row_code){.state_size = state_size,
							   .cursor_size = cursor_size(state_size, (enum algorithm)a)};
		}
	}
	memcpy(p->expression, expression, size);
	*program = p;
	return STATUS_OK;
}

static enum status append(struct bytes *text, const char *part)
{
	return bytes_append(text, part, strlen(part));
}

enum status program_write(const struct program *p, const struct type *acc, struct bytes *text)
{
	/* A NaN is the one that pscan writes (kernels/types.h): a device's own has any bits. */
	const char *one_nan = acc->id == TYPE_F32   ? "isnan(s) ? as_float(0x7fc00000u) : "
			      : acc->id == TYPE_F64 ? "isnan(s) ? as_double(0x7ff8000000000000ul) : "
						    : "";
	const char *const parts[] = {
		"typedef ",
		type_names[acc->id],
		" state;\n"
		"typedef state result;\n"
		"static state lift(state x)\n{\n\treturn x;\n}\n"
		"static state combine(state a, state b)\n{\n\treturn (state)(\n"
		"#line 1 \"" PROGRAM_FILE "\"\n",
		p->expression,
		"\n);\n}\n"
		"static result emit(state s)\n{\n\treturn ",
		one_nan,
		"s;\n}\n",
	};
	enum status status = STATUS_OK;
	for (size_t i = 0; i < sizeof parts / sizeof parts[0] && status == STATUS_OK; i++)
		status = append(text, parts[i]);
	return status;
}
