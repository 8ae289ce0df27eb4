/* Expressions (language/expression.h): bytes as they are, or words of a vocabulary, one a byte. What is compiled must
 * keep the promises of its steps, can be evaluated whatever the numbers are, and does not depend on blanks and brackets
 * around it. */
#include <stdbool.h>

#include "base/message.h"
#include "fuzz.h"
#include "language/expression.h"
#include "evaluate/evaluate.h"
#include "evaluate/evaluate_exact.h"

static const char *const words[] = {"+",
				    "-",
				    "*",
				    "/",
				    "%",
				    "<<",
				    ">>",
				    "&",
				    "|",
				    "^",
				    "~",
				    "!",
				    "&&",
				    "||",
				    "==",
				    "!=",
				    "<",
				    "<=",
				    ">",
				    ">=",
				    "?",
				    ":",
				    "(",
				    ")",
				    ",",
				    "a",
				    "b",
				    "{x y}",
				    "i",
				    "0",
				    "1",
				    "-1",
				    "2u",
				    "3l",
				    "4ul",
				    "0.5f",
				    "1e3",
				    "0.19",
				    "0x7fffffff",
				    "4294967295",
				    "9223372036854775807",
				    "18446744073709551615u",
				    "1e308",
				    "017",
				    "abs(",
				    "min(",
				    "max(",
				    "floor(",
				    "ceil(",
				    "trunc(",
				    "round(",
				    "sqrt(",
				    "fma(",
				    "exp(",
				    "log(",
				    "pow(",
				    "atan2(",
				    "hypot(",
				    "isnan(",
				    "(int)",
				    "(char)",
				    "(ushort)",
				    "(float)",
				    "(double)",
				    "(ulong)",
				    "a ? b :",
				    "M_PI",
				    "c",
				    "a.b",
				    "a[1]",
				    "a++",
				    "=",
				    "{",
				    "}",
				    "double",
				    "(a + b)",
				    "a * b",
				    "a / b",
				    "a % 3",
				    "(a > b)",
				    "9999999999999999999999999999.99",
				    "log2(",
				    "log10(",
				    "sin(",
				    "cos(",
				    "tan(",
				    "(uchar)",
				    "(short)",
				    "(uint)",
				    "(long)",
				    "(-1)",
				    "1.f",
				    ".25",
				    "2.5E-3F",
				    "0XFFul",
				    "7Lu",
				    "08",
				    "? 1 :",
				    "% i"};
#define WORDS (sizeof words / sizeof words[0])

#define TEXT_MAX 65536
#define INPUTS 4
static const char *const names[INPUTS] = {"a", "b", "{x y}", "i"};

/* How one expression is compiled. */
struct compiled {
	enum status status;
	struct expression *e;
	struct expression_error error;
};

/* The type of a name: the expression's; i, an index, is a u64 beside what is not an exact decimal. */
static const struct type *type_of_name(size_t name, const struct type *type)
{
	return name + 1 == INPUTS && type->id != TYPE_I128 ? &type_table[TYPE_U64] : type;
}

static bool has_slot(const struct expression *e, uint16_t slot)
{
	return slot < e->slot_count;
}

static void check_steps(const struct expression *e)
{
	const size_t first = e->input_count + e->constant_count;
	REQUIRE(e->input_count == INPUTS && e->slot_count >= first, "%zu slots", e->slot_count);
	REQUIRE(has_slot(e, e->result), "the result is in slot %u", (unsigned)e->result);
	for (size_t i = 0; i < e->step_count; i++) {
		const struct step *s = &e->steps[i];
		REQUIRE(s->code < STEP_CODES && s->type < TYPE_COUNT && s->from < TYPE_COUNT, "step %zu", i);
		REQUIRE(has_slot(e, s->to) && s->to >= first, "step %zu writes slot %u", i, (unsigned)s->to);
		REQUIRE(s->mask == SLOT_NONE || has_slot(e, s->mask), "step %zu has mask %u", i, (unsigned)s->mask);
		for (size_t k = 0; k < 3; k++) {
			REQUIRE(s->in[k] == SLOT_NONE || (has_slot(e, s->in[k]) && s->in[k] != s->to),
				"step %zu reads slot %u", i, (unsigned)s->in[k]);
		}
		REQUIRE(e->is_exact || (s->type != TYPE_I128 && s->from != TYPE_I128), "step %zu is exact", i);
	}
}

static struct compiled compile_text(const char *bytes, size_t size, const struct type *type, bool is_num)
{
	struct compiled c;
	struct expression_name all[INPUTS];
	char *text = fuzz_copy(bytes, size);
	for (size_t i = 0; i < INPUTS; i++)
		all[i] = (struct expression_name){{.text = names[i], .size = strlen(names[i])}, type_of_name(i, type)};
	const struct expression_terms terms = {.names = all, .name_count = INPUTS, .type = type, .is_num = is_num};
	c.status = expression_new(text, size, &terms, &c.e, &c.error);
	REQUIRE(c.status == STATUS_OK || c.status == STATUS_USAGE, "status %d", (int)c.status);
	if (c.status == STATUS_USAGE) {
		REQUIRE(c.error.why[0] != '\0' && strlen(c.error.why) < sizeof c.error.why, "no reason");
		REQUIRE(c.error.place <= size && c.error.size <= size - c.error.place, "the place is %zu + %zu of %zu",
			c.error.place, c.error.size, size);
	} else {
		REQUIRE(c.e->type == type && c.e->is_exact == (type->id == TYPE_I128), "the type is %s",
			c.e->type->name);
		check_steps(c.e);
	}
	free(text);
	return c;
}

/* Numbers that are made of the fuzzer's bytes. */
static void fill(const uint8_t *data, size_t size, unsigned char *numbers, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		numbers[i] = size > 0 ? (unsigned char)(data[i % size] * (i / size + 1)) : (unsigned char)i;
}

static void evaluate_plain(const struct expression *e, const uint8_t *data, size_t size)
{
	static unsigned char numbers[INPUTS][EVALUATE_LENGTH * 8];
	static unsigned char out[2][EVALUATE_LENGTH * 8];
	const void *inputs[INPUTS];
	struct evaluator *v = evaluator_new(e);
	REQUIRE(v != NULL, "no memory");
	for (size_t i = 0; i < INPUTS; i++) {
		fill(data + i * size / (INPUTS + 1), size / (INPUTS + 1), numbers[i], sizeof numbers[i]);
		inputs[i] = numbers[i];
	}
	const size_t bad = evaluate(v, inputs, EVALUATE_LENGTH, out[0]);
	REQUIRE(bad == SIZE_MAX || bad < EVALUATE_LENGTH, "element %zu is bad", bad);
	/* An element's value does not depend on its neighbours. */
	const size_t good = bad < EVALUATE_LENGTH ? bad : EVALUATE_LENGTH;
	for (size_t i = 0; i < good; i += 37) {
		const void *one[INPUTS];
		for (size_t k = 0; k < INPUTS; k++)
			one[k] = numbers[k] + i * type_of_name(k, e->type)->size;
		REQUIRE(evaluate(v, one, 1, out[1]) == SIZE_MAX, "element %zu is bad alone", i);
		REQUIRE(memcmp(out[0] + i * e->type->size, out[1], e->type->size) == 0, "element %zu differs alone", i);
	}
	evaluator_free(v);
}

static void evaluate_decimals(const struct expression *e, const uint8_t *data, size_t size)
{
	enum { COUNT = 300 };
	static unsigned char numbers[INPUTS + 1][COUNT * 16];
	static unsigned char scales[INPUTS + 1][COUNT];
	struct exact_column columns[INPUTS + 1];
	struct bytes memory = {.data = NULL};
	for (size_t i = 0; i < INPUTS + 1; i++) {
		const bool is_narrow = size > i && data[i] % 2 == 0;
		fill(data + i * size / (INPUTS + 1), size / (INPUTS + 1), numbers[i], sizeof numbers[i]);
		fill(data, size, scales[i], sizeof scales[i]);
		columns[i] = (struct exact_column){.numbers = numbers[i],
						   .step = is_narrow ? 8 : 16,
						   .scales = scales[i],
						   .is_narrow = is_narrow,
						   .scale = DECIMAL_SCALE_MAX};
		for (size_t k = 0; k < COUNT; k++) {
			const unsigned own = scales[i][k] % (DECIMAL_SCALE_MAX + 1);
			int64_t m;
			scales[i][k] = !is_narrow && scales[i][k] > 250 ? OWN_SCALE_FLOAT : (unsigned char)own;
			/* A narrow number is one of its own scale. */
			memcpy(&m, numbers[i] + k * 8, sizeof m);
			for (unsigned d = own; d < DECIMAL_SCALE_MAX && is_narrow; d++)
				m /= 10;
			for (unsigned d = own; d < DECIMAL_SCALE_MAX && is_narrow; d++)
				m *= 10;
			if (is_narrow)
				memcpy(numbers[i] + k * 8, &m, sizeof m);
		}
	}
	REQUIRE(evaluate_exact(e, columns, COUNT, &memory, &columns[INPUTS]) == STATUS_OK, "no memory");
	for (size_t k = 0; k < COUNT; k++)
		REQUIRE((scales[INPUTS][k] & OWN_SCALE_MASK) <= DECIMAL_SCALE_MAX, "scale %d", scales[INPUTS][k]);
	bytes_free(&memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char text[TEXT_MAX];
	static char other[TEXT_MAX + 8];
	const struct type *type = &type_table[fuzz_choose(&data, &size) % TYPE_COUNT];
	const size_t way = fuzz_choose(&data, &size);
	const bool as_words = way % 4 != 0;
	const bool is_num = way % 8 > 3;
	size_t written = 0;
	message_set_verbosity(VERBOSITY_QUIET);
	for (size_t i = 0; i < size && i < 512; i++) {
		if (as_words)
			written += (size_t)snprintf(text + written, TEXT_MAX - written, "%s ", words[data[i] % WORDS]);
		else
			text[written++] = (char)data[i];
	}
	const struct compiled c = compile_text(text, written, type, is_num);
	(void)snprintf(other, sizeof other, " (%.*s\t)\n", (int)written, text);
	const struct compiled again = compile_text(other, strlen(other), type, is_num);
	REQUIRE(!as_words || c.status != STATUS_OK || again.status == STATUS_OK, "brackets make a difference");
	if (as_words && c.status == STATUS_OK)
		REQUIRE(c.e->step_count == again.e->step_count &&
				memcmp(c.e->steps, again.e->steps, c.e->step_count * sizeof *c.e->steps) == 0,
			"brackets make other steps");
	if (c.status == STATUS_OK && type->id != TYPE_I128)
		evaluate_plain(c.e, data, size);
	else if (c.status == STATUS_OK)
		evaluate_decimals(c.e, data, size);
	memory_free(c.e);
	memory_free(again.e);
	return 0;
}
