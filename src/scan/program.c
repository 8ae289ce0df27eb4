/* Makes programs: checks the texts of -op, --map and --emit, reads the text of a file, and derives an operator's facts
 * from them. */
#include "scan/program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "evaluate/expression_window.h"
#include "rows/rows.h"
#include "scan/window.h"

_Static_assert(DECLARED_MAX == STATE_SIZE_MAX, "what may be declared has a place");

bool program_is_expression(const char *word)
{
	return text_has_word(word, "a") && text_has_word(word, "b");
}

size_t program_expression_size(const char *text)
{
	size_t size = 0;
	size_t depth = 0;
	while (text[size] != '\0' && (text[size] != ',' || depth > 0)) {
		depth += text[size] == '(' || text[size] == '[';
		depth -= (text[size] == ')' || text[size] == ']') && depth > 0;
		/* A name in braces may have a comma. */
		const char *end = text[size] == '{' ? strchr(text + size, '}') : NULL;
		size += end != NULL ? (size_t)(end - text) - size + 1 : 1;
	}
	return size;
}

static enum status refuse(const char *option, const char *expression, size_t size, const char *why)
{
	message_error("%s: %s: %s", option, message_quoted_part(expression, size), why);
	return STATUS_USAGE;
}

/* The bytes of what begins something else than an expression: a statement, a text, a comment, a directive, also as C's
 * digraphs and trigraphs write them. 0: nothing does. */
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

/* Whether nothing in an option's expression ends it, or begins what its own end would not end. */
static enum status check(const char *option, const char *expression, size_t size)
{
	static char open[BRACKETS_MAX];
	size_t depth = 0;
	size_t blanks = 0;
	for (const char *p = expression; p < expression + size; p++) {
		/* (Without --map's braces: what they hold is a field's name.) */
		const char *end = *p == '{' && strcmp(option, PROGRAM_MAP) == 0
					  ? memchr(p, '}', (size_t)(expression + size - p))
					  : NULL;
		if (end != NULL) {
			p = end;
			continue;
		}
		const size_t begun = begins_else(p);
		blanks += *p == ' ' || *p == '\t' || *p == '\n';
		if (*p == '(' || *p == '[') {
			if (depth == BRACKETS_MAX)
				return refuse(option, "(...", 4, "more than 10000 nested brackets");
			open[depth++] = *p == '(' ? ')' : ']';
		} else if (*p == ')' || *p == ']') {
			if (depth == 0 || open[--depth] != *p)
				return refuse(option, expression, size, "a bracket is closed that is not open");
		} else if (begun > 0) {
			char why[64];
			(void)snprintf(why, sizeof why, "%s cannot be in an expression", message_quoted_part(p, begun));
			return refuse(option, expression, size, why);
		}
	}
	if (blanks == size)
		return refuse(option, expression, size, "an expression is missing");
	return depth == 0 ? STATUS_OK : refuse(option, expression, size, "a bracket is not closed");
}

/* At least the bytes of struct cursor (kernels/cursor.h) with such states, wherever a compiler puts its members,
 * aligned for any of them. */
static size_t cursor_size(size_t state_size, size_t carry_size, enum algorithm algorithm)
{
	const size_t nodes = algorithm == ALGORITHM_HILLIS_STEELE ? GRID_TILE / GRID_RUN : 8;
	const size_t size = 2 * sizeof(uint64_t) + carry_size + (2 + nodes) * state_size + 2 * sizeof(uint64_t);
	const size_t unit = _Alignof(max_align_t);
	return (size + unit - 1) / unit * unit;
}

/* carry_size 0: it is a state. */
static void set_sizes(struct program *p, size_t state_size, size_t carry_size)
{
	for (int a = 0; a < ALGORITHM_SEQUENTIAL; a++) {
		for (int t = 0; t < TYPE_COUNT; t++) {
			const size_t size = state_size > 0 ? state_size : type_table[t].size;
			const size_t carry = carry_size > 0 ? carry_size : size;
			p->codes[a][t] = (struct row_code){.state_size = size,
							   .cursor_size = cursor_size(size, carry, (enum algorithm)a)};
		}
	}
}

/* One with that text, whose facts are those that all have in common. NULL after a message. */
static struct program *new_program(const char *name, const void *text, size_t size)
{
	/* The names of results are parts of the text. */
	struct program *p = memory_new(sizeof *p + 2 * (size + 1));
	if (p == NULL)
		return NULL;
	*p = (struct program){.op = {.name = p->name,
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
				     .program = p},
			      .operands = 1,
			      .size = size};
	(void)snprintf(p->name, sizeof p->name, "%s", name);
	if (size > 0)
		memcpy(p->text, text, size);
	p->text[size] = '\0';
	return p;
}

/* Whether the token begins an expensive operation: a loop, a division, or an OpenCL C function that is made of
 * these. */
static bool is_dear(const struct token *t)
{
	static const char *const words[] = {
		"for",   "while", "do",    "goto",  "/",      "%",      "/=",   "%=",       "exp",   "exp2",
		"exp10", "expm1", "log",   "log2",  "log10",  "log1p",  "logb", "pow",      "pown",  "powr",
		"rootn", "sqrt",  "rsqrt", "cbrt",  "hypot",  "sin",    "cos",  "tan",      "sinh",  "cosh",
		"tanh",  "sinpi", "cospi", "tanpi", "sincos", "asin",   "acos", "atan",     "atan2", "asinh",
		"acosh", "atanh", "erf",   "erfc",  "tgamma", "lgamma", "fmod", "remainder"};
	return TOKEN_IS_AMONG(t, words);
}

/* Looks at all of the text but the functions that do not combine. */
static enum status judge_cost(struct program *p)
{
	static const char *const others[] = {"lift", "emit", "identity", "carry_first", "carry_add", "carry_prefix"};
	struct token_list list = {0};
	struct text_error error;
	const enum status status = tokens_read(p->text, p->size, &list);
	const struct token *end = tokens_first(&list) + tokens_count(&list);
	struct external e = {.next = tokens_first(&list)};
	while (status == STATUS_OK && e.next < end && external_read(e.next, end, &e, &error)) {
		const bool beside = e.name != NULL && TOKEN_IS_AMONG(e.name, others);
		for (const struct token *t = e.first; t < e.end; t++)
			p->is_dear = p->is_dear || (!beside && is_dear(t));
	}
	tokens_free(&list);
	return status;
}

void program_free(struct program *p)
{
	if (p != NULL) {
		program_host_free(&p->host);
		memory_free(p->exact);
	}
	memory_free(p);
}

enum status program_new(const char *expression, struct program **program)
{
	if (check(PROGRAM_FILE, expression, strlen(expression)) != STATUS_OK)
		return STATUS_USAGE;
	*program = new_program("expr", expression, strlen(expression));
	if (*program == NULL)
		return STATUS_SYSTEM;
	set_sizes(*program, 0, 0);
	const enum status status = judge_cost(*program);
	if (status != STATUS_OK) {
		program_free(*program);
		*program = NULL;
	}
	return status;
}

/* The most bytes of a program. */
#define TEXT_SIZE_MAX ((size_t)16 << 20)

/* A file's bytes, from wherever they come. One that is not there was misspelt; what else keeps it from being read is
 * the system's. */
static enum status read_file(const char *file, struct bytes *text)
{
	ssize_t got = 1;
	const int fd = open(file, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	while (fd >= 0 && got > 0 && text->size <= TEXT_SIZE_MAX) {
		if (bytes_reserve(text, 65536) != STATUS_OK) {
			(void)close(fd);
			return STATUS_SYSTEM;
		}
		do {
			got = read(fd, text->data + text->size, 65536);
		} while (got < 0 && errno == EINTR);
		text->size += got > 0 ? (size_t)got : 0;
	}
	const int code = fd < 0 || got < 0 ? errno : 0;
	if (fd >= 0)
		(void)close(fd);
	if (code != 0)
		message_error("-op: %s: %s", message_shown(file), strerror(code));
	else if (text->size > TEXT_SIZE_MAX)
		message_error("-op: %s: a program has at most 16 MiB", message_shown(file));
	if (code != 0 && code != ENOENT)
		return STATUS_SYSTEM;
	return code == 0 && text->size <= TEXT_SIZE_MAX ? STATUS_OK : STATUS_USAGE;
}

/* The file's name without its directory and without what follows a dot, as a word: other bytes than those of letters,
 * digits and characters beyond ASCII become underscores. Its last character is whole. */
static void name_after(const char *file, char name[PROGRAM_NAME_SIZE])
{
	const char *slash = strrchr(file, '/');
	const char *text = message_shown(slash != NULL ? slash + 1 : file);
	size_t size = text[0] == '.' ? strlen(text) : strcspn(text, ".");
	if (size >= PROGRAM_NAME_SIZE) {
		size = PROGRAM_NAME_SIZE - 1;
		while (size > 0 && ((unsigned char)text[size] & 0xc0) == 0x80)
			size--;
	}
	for (size_t i = 0; i < size; i++) {
		const char c = text[i];
		name[i] = is_of_word(c) || c == '-' || c == '.' || (unsigned char)c >= 0x80 ? c : '_';
	}
	name[size] = '\0';
}

/* What a file declares as an operator's facts. */
static void apply_declarations(struct program *p, const char *file)
{
	const struct declarations *d = &p->declared;
	p->file = file;
	p->op.inputs = p->operands = d->element.count;
	p->op.identity = d->has_identity ? IDENTITY_OWN : IDENTITY_NONE;
	for (size_t i = 0; i < d->emit.count; i++) {
		if (d->emit.kinds[i] == PARAMETER_INPUT || d->emit.kinds[i] == PARAMETER_INDEX)
			p->op.emits_inputs = true;
	}
	char *end = p->text + p->size + 1;
	for (size_t i = 0; i < d->results.count && d->names_results; i++) {
		p->result_names[i] = end;
		memcpy(end, d->result_names[i].text, d->result_names[i].size);
		end += d->result_names[i].size;
		*end++ = '\0';
	}
	set_sizes(p, d->state.size, d->carry.size);
}

enum status program_read(const char *file, struct program **program)
{
	struct bytes text = {0};
	char name[PROGRAM_NAME_SIZE];
	struct text_error error;
	enum status status = read_file(file, &text);
	name_after(file, name);
	const size_t mark =
		text.size >= 3 && memcmp(text.data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; /* of the order of bytes */
	*program = status == STATUS_OK ? new_program(name, text.data + mark, text.size - mark) : NULL;
	bytes_free(&text);
	if (*program == NULL)
		return status == STATUS_OK ? STATUS_SYSTEM : status;
	struct program *p = *program;
	status = declarations_read(p->text, p->size, &p->declared, &error);
	if (status == STATUS_OK)
		status = judge_cost(p);
	if (status == STATUS_OK) {
		apply_declarations(p, file);
		return STATUS_OK;
	}
	const char *shown = message_shown(file);
	if (status == STATUS_USAGE && error.line > 0)
		message_error("%s:%lu: %s", shown, error.line, error.why);
	else if (status == STATUS_USAGE)
		message_error("%s: %s", shown, error.why);
	program_free(p);
	*program = NULL;
	return status;
}

/* Whether an expression has one of the names of an element: i, x, x0, ... */
static bool names_element(const char *expression)
{
	bool names = text_has_word(expression, "i") || text_has_word(expression, "x");
	for (char name[] = "x0"; name[1] <= '9' && !names; name[1]++)
		names = text_has_word(expression, name);
	return names;
}

static bool takes_index(const struct function_parameters *f)
{
	bool takes = false;
	for (size_t i = 0; i < f->count; i++)
		takes = takes || f->kinds[i] == PARAMETER_INDEX;
	return takes;
}

void program_count_gaps(struct program *p)
{
	p->has_gaps = text_has_word(p->maps[0].text, "i") || text_has_word(p->emit, "i") ||
		      takes_index(&p->declared.lift) || takes_index(&p->declared.emit);
}

/* One expression for each input. */
static enum status cut_maps(struct program *p, const char *map)
{
	const char *end = map + strlen(map);
	size_t count = 0;
	for (const char *first = map; first <= end; count++) {
		const char *last = first + program_expression_size(first);
		if (check(PROGRAM_MAP, first, (size_t)(last - first)) != STATUS_OK)
			return STATUS_USAGE;
		if (count < PACKED_MAX)
			p->maps[count] = (struct text_part){.text = first, .size = (size_t)(last - first)};
		first = last + 1;
	}
	if (count == p->operands)
		return STATUS_OK;
	message_error("--map: %zu expression%s for the %zu input%s of %s", count, count == 1 ? "" : "s", p->operands,
		      p->operands == 1 ? "" : "s", p->name);
	return STATUS_USAGE;
}

enum status program_of_operator(const struct scan_operator *op, struct program **program)
{
	struct program *p = new_program(op->name, "", 0);
	*program = p;
	if (p == NULL)
		return STATUS_SYSTEM;
	p->op = *op;
	p->base = op;
	p->operands = op->inputs;
	p->op.name = p->name;
	p->op.program = p;
	p->op.types &= ~(unsigned)TYPES_WIDE;
	p->op.decimals = OPERATOR_ID_COUNT;
	p->op.overflows = false;
	p->op.written = WRITTEN_NONE;
	p->op.any_order = p->op.in_order = TYPES_NONE;
	if (op->identity != IDENTITY_NONE && op->identity != IDENTITY_ABSENT)
		p->op.identity = IDENTITY_OWN;
	for (int a = 0; a < ALGORITHM_SEQUENTIAL; a++) {
		for (int t = 0; t < TYPE_COUNT; t++) {
			const struct row_code *code = host_rows_code(op->id, (enum type_id)t, 0, (enum algorithm)a);
			p->codes[a][t] =
				(struct row_code){.state_size = code->state_size, .cursor_size = code->cursor_size};
		}
	}
	return STATUS_OK;
}

/* Finds whether --emit uses t. */
static enum status find_total(struct program *p)
{
	struct bytes names = {0};
	struct expression_error error;
	const enum status status = expression_names(p->emit, strlen(p->emit), &names, &error);
	const struct text_part *found = (const struct text_part *)(const void *)names.data;
	for (size_t i = 0; i < names.size / sizeof *found; i++)
		p->uses_total = p->uses_total || (found[i].size == 1 && found[i].text[0] == 't');
	bytes_free(&names);
	return status == STATUS_USAGE ? refuse(PROGRAM_EMIT, p->emit, strlen(p->emit), error.why) : status;
}

void program_without_emit(const struct program *p, struct program *silent)
{
	*silent = *p;
	silent->emit = NULL;
	silent->host.emit = NULL;
	silent->uses_total = false;
	silent->op.name = silent->name;
	silent->op.program = silent;
	silent->op.result = p->base != NULL ? p->base->result : RESULT_SAME;
	silent->op.emits_inputs = p->base != NULL && p->base->emits_inputs;
	silent->op.lacks_first = p->base != NULL && p->base->lacks_first;
}

enum status program_surround(struct program *p, const struct program_around *around)
{
	if (around->map != NULL && cut_maps(p, around->map) != STATUS_OK)
		return STATUS_USAGE;
	for (size_t i = 0; i < around->inputs && around->names != NULL; i++)
		p->names[i] = around->names[i];
	if (around->inputs > 0)
		p->op.inputs = around->inputs;
	p->emit = around->emit;
	if (p->emit == NULL)
		return STATUS_OK;
	if (check(PROGRAM_EMIT, p->emit, strlen(p->emit)) != STATUS_OK)
		return STATUS_USAGE;
	if (operator_result_count(&p->op) > 1) {
		message_error("--emit: %s gives %zu results", p->name, operator_result_count(&p->op));
		return STATUS_USAGE;
	}
	const enum status status = find_total(p);
	if (status != STATUS_OK)
		return status;
	p->op.result = RESULT_SAME;
	/* (With t the first exclusive result is not the same in all scans.) */
	p->op.emits_inputs = p->op.emits_inputs || p->uses_total || names_element(p->emit);
	if (p->op.emits_inputs && around->exclusive && p->base != NULL && p->base->lacks_first) {
		message_error("--emit: %s has no result before the second element: with -e only s and n can be used",
			      p->name);
		return STATUS_USAGE;
	}
	if (around->shows_initial && p->op.inputs > p->operands && names_element(p->emit)) {
		message_error(
			"--emit: the initial result has no element: with --include-initial only s and n can be used "
			"where --map makes one number of several");
		return STATUS_USAGE;
	}
	/* Of the first element a result that depends on it is absent, too. */
	if (p->op.emits_inputs && around->exclusive && p->op.identity == IDENTITY_ABSENT)
		p->op.lacks_first = true;
	return STATUS_OK;
}

size_t program_window_size_max(const struct program *p)
{
	return p->base != NULL ? window_size_max(p->base) : expression_window_size_max();
}

const char *program_result_name(const struct scan_operator *op, size_t k)
{
	const struct program *p = op->program;
	return p != NULL && k < PACKED_MAX ? p->result_names[k] : NULL;
}
