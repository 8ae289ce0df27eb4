/* A file of kernels/library/ is a text of C for any accumulator (kernels/row_begin.h). To be shown, what its
 * conditions leave out is left out here, and the words that stand for what an accumulator has are replaced by OpenCL
 * C's. In front of it come the parts of common.h and of_type.h that it uses, or that these use: a part is what stands
 * between empty lines, and uses those before it alone. */
#include "scan/library.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "row_types.h"
#include "scan/kernel_text.h"
#include "scan/program.h"
#include "scan/tokens.h"

#define TEXT_(name) #name
#define TEXT(name) TEXT_(name)

/* What kernels/row_types.h has for an accumulator, by the names of kernels/row_begin.h. */
struct words {
	const char *u, *key, *long_key, *flag, *bits, *magnitude, *infinity_bits, *nan_above, *nan_below;
	const char *scale_up, *scale_down, *scaled_least, *scaled_range;
	const char *least, *greatest; /* OpenCL C's own */
	bool is_float, is_signed, is_plain;
	int bit_count;
};
#define WORDS(T, LEAST, GREATEST)                                                                              \
	{                                                                                                      \
		TEXT(U_OF_##T), TEXT(KEY_OF_##T), TEXT(LONG_KEY_OF_##T), TEXT(FLAG_OF_##T), TEXT(BITS_OF_##T), \
			TEXT(MAGNITUDE_OF_##T), TEXT(INFINITY_BITS_OF_##T), TEXT(NAN_ABOVE_OF_##T),            \
			TEXT(NAN_BELOW_OF_##T), TEXT(SCALE_UP_OF_##T), TEXT(SCALE_DOWN_OF_##T),                \
			TEXT(SCALED_LEAST_OF_##T), TEXT(SCALED_RANGE_OF_##T), LEAST, GREATEST,                 \
			FACT(FACT_FLOAT, FACTS_OF_##T), FACT(FACT_SIGNED, FACTS_OF_##T),                       \
			FACT(FACT_PLAIN, FACTS_OF_##T), FACT(FACT_BITS, FACTS_OF_##T),                         \
	}
static const struct words words_of[TYPE_COUNT] = {
	[TYPE_I8] = WORDS(i8, "CHAR_MIN", "CHAR_MAX"),    [TYPE_U8] = WORDS(u8, "0", "UCHAR_MAX"),
	[TYPE_I16] = WORDS(i16, "SHRT_MIN", "SHRT_MAX"),  [TYPE_U16] = WORDS(u16, "0", "USHRT_MAX"),
	[TYPE_I32] = WORDS(i32, "INT_MIN", "INT_MAX"),    [TYPE_U32] = WORDS(u32, "0", "UINT_MAX"),
	[TYPE_I64] = WORDS(i64, "LONG_MIN", "LONG_MAX"),  [TYPE_U64] = WORDS(u64, "0", "ULONG_MAX"),
	[TYPE_F32] = WORDS(f32, "-INFINITY", "INFINITY"), [TYPE_F64] = WORDS(f64, "-INFINITY", "INFINITY"),
};

/* The text while it is written. After a failure nothing is appended any more. */
struct writer {
	const struct type *acc, *result;
	struct bytes *text;
	enum status status;
};

static void put(struct writer *w, const char *text, size_t size)
{
	if (w->status == STATUS_OK)
		w->status = bytes_append(w->text, text, size);
}

#define put_format(w, ...) FORMAT_INTO(w, (w)->text, __VA_ARGS__)

static bool is(const struct text_part *word, const char *text)
{
	return word->size == strlen(text) && memcmp(word->text, text, word->size) == 0;
}

static bool is_of_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* The first word or number from p on; of none the size is 0. */
static struct text_part next_word(const char *p, const char *end)
{
	struct text_part word = {.text = p};
	while (word.text < end && !is_of_word(*word.text))
		word.text++;
	while (word.text + word.size < end && is_of_word(word.text[word.size]))
		word.size++;
	return word;
}

static bool has_word(const char *text, size_t size, const struct text_part *word)
{
	const char *end = text + size;
	struct text_part w = next_word(text, end);
	while (w.size > 0 && (w.size != word->size || memcmp(w.text, word->text, w.size) != 0))
		w = next_word(w.text + w.size, end);
	return w.size > 0;
}

/* --- Conditions -------------------------------------------------------------------------------------------------- */

static bool is_true(const struct writer *w, const struct text_part *name)
{
	const struct words *t = &words_of[w->acc->id];
	const struct {
		const char *name;
		bool value;
	} conditions[] = {
		{"T_IS_FLOAT", t->is_float},
		{"T_IS_F32", t->is_float && t->bit_count == 32},
		{"T_IS_F64", t->is_float && t->bit_count == 64},
		{"T_IS_SIGNED", t->is_signed},
		{"T_IS_LONG", !t->is_float && t->bit_count == 64},
		{"T_IS_NARROW", t->bit_count < 32},
		{"T_IS_PLAIN", t->is_plain},
		{"CARRIES_WIDE", true},
		{"PSCAN_FP64", true},
		{"PSCAN_PROGRAM", true},
		{"T_IS_WIDE", false},
		{"IS_ROW", false},
	};
	for (size_t i = 0; i < sizeof conditions / sizeof conditions[0]; i++) {
		if (is(name, conditions[i].name))
			return conditions[i].value;
	}
	assert(false); /* no other condition stands in the texts */
	return false;
}

/* Names, some after "!", that are all to be true. */
static bool holds(const struct writer *w, const char *p, const char *end)
{
	bool all = true;
	for (struct text_part name = next_word(p, end); name.size > 0; name = next_word(name.text + name.size, end))
		all = all && is_true(w, &name) == (name.text == p || name.text[-1] != '!');
	return all;
}

#define CONDITIONS_MAX 8

/* Conditions that are open. */
struct conditions {
	size_t depth;
	struct {
		bool is_wanted; /* what stands there now */
		bool was_wanted; /* some branch was */
	} open[CONDITIONS_MAX];
};

static bool is_wanted(const struct conditions *c)
{
	bool wanted = true;
	for (size_t i = 0; i < c->depth; i++)
		wanted = wanted && c->open[i].is_wanted;
	return wanted;
}

/* A line that begins with #. (Macros that the text defines are for rows.) */
static void take_directive(const struct writer *w, struct conditions *c, const char *line, const char *end)
{
	const struct text_part word = next_word(line, end);
	const char *rest = word.text + word.size;
	if (is(&word, "if") || is(&word, "ifdef")) {
		assert(c->depth < CONDITIONS_MAX);
		c->open[c->depth].is_wanted = c->open[c->depth].was_wanted = holds(w, rest, end);
		c->depth++;
	} else if (is(&word, "elif") || is(&word, "else")) {
		const size_t top = c->depth - 1;
		c->open[top].is_wanted = !c->open[top].was_wanted && holds(w, rest, end);
		c->open[top].was_wanted = c->open[top].was_wanted || c->open[top].is_wanted;
	} else if (is(&word, "endif")) {
		c->depth--;
	}
}

/* Appends a text without what its conditions leave out, and no two empty lines after each other. */
static void resolve(struct writer *w, const struct kernel_text *from, struct bytes *to)
{
	struct conditions c = {0};
	const char *text = (const char *)from->text;
	const char *end = text + from->size;
	bool is_after_empty = true;
	for (const char *line = text; line < end && w->status == STATUS_OK;) {
		const char *stop = memchr(line, '\n', (size_t)(end - line));
		const char *next = stop != NULL ? stop + 1 : end;
		const bool is_empty = line + 1 == next;
		if (*line == '#') {
			take_directive(w, &c, line, next);
		} else if (is_wanted(&c) && !(is_empty && is_after_empty)) {
			w->status = bytes_append(to, line, (size_t)(next - line));
			is_after_empty = is_empty;
		}
		line = next;
	}
	assert(c.depth == 0 || w->status != STATUS_OK);
}

/* --- Words ------------------------------------------------------------------------------------------------------- */

/* Of a type's own name OpenCL C's, of other words the same. */
static void put_type_name(struct writer *w, const char *name, size_t size)
{
	const struct text_part word = {.text = name, .size = size};
	for (int i = 0; i < TYPE_COUNT; i++) {
		if (i != TYPE_I128 && is(&word, type_table[i].name)) {
			put_format(w, "%s", program_type_name(&type_table[i]));
			return;
		}
	}
	put(w, name, size);
}

static void put_word(struct writer *w, const struct text_part *word)
{
	const struct words *t = &words_of[w->acc->id];
	const bool is_double = t->bit_count == 64;
	const struct {
		const char *name, *meaning;
	} meanings[] = {
		{"T", w->acc->name},
		{"R", w->result->name},
		{"U", t->u},
		{"KEY", t->key},
		{"LONG_KEY", t->long_key},
		{"FLAG", t->flag},
		{"BITS", t->bits},
		{"MAGNITUDE", t->magnitude},
		{"INFINITY_BITS", t->infinity_bits},
		{"SCALE_UP", t->scale_up},
		{"SCALE_DOWN", t->scale_down},
		{"SCALED_LEAST", t->scaled_least},
		{"SCALED_RANGE", t->scaled_range},
		{"LEAST", t->least},
		{"GREATEST", t->greatest},
		{"bits_of", is_double ? "as_ulong" : "as_uint"},
		{"from_bits", is_double ? "as_double" : "as_float"},
		{"f64_from_bits", "as_double"},
		{"mul_high_u64", "mul_hi"},
		{"PARAMETER", "A"},
		{"i128", "wide"}, /* the kernels have one of their own */
	};
	if (is(word, "NAN_ABOVE") || is(word, "NAN_BELOW")) {
		put_format(w, "(");
		put_type_name(w, t->key, strlen(t->key));
		put_format(w, ")%s", is(word, "NAN_ABOVE") ? t->nan_above : t->nan_below);
		return;
	}
	for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++) {
		if (is(word, meanings[i].name)) {
			put_type_name(w, meanings[i].meaning, strlen(meanings[i].meaning));
			return;
		}
	}
	put_type_name(w, word->text, word->size);
}

/* Appends a text without conditions, in OpenCL C's words. */
static void put_words(struct writer *w, const char *text, size_t size)
{
	const char *end = text + size;
	for (const char *p = text; p < end;) {
		const struct text_part word = next_word(p, end);
		size_t gap = (size_t)(word.text - p);
		const bool is_left_out = is(&word, "WITH_PARAMETER");
		put(w, p, gap - (is_left_out ? 1 : 0));
		p = word.text + word.size;
		if (is(&word, "static") || is(&word, "inline"))
			p++;
		else if (!is_left_out)
			put_word(w, &word);
	}
}

/* --- What a text uses -------------------------------------------------------------------------------------------- */

/* What a part declares: a type the last of its words, a function that before the first bracket. Empty: nothing. */
static struct text_part name_of_part(const char *part, size_t size)
{
	const char *end = part + size;
	struct text_part name = {.text = part};
	while (part + 1 < end && part[0] == '/' && part[1] == '*') {
		while (part[0] != '*' || part[1] != '/' || part[2] != '\n')
			part++;
		part += 3;
	}
	struct text_part word = next_word(part, end);
	const bool is_type = is(&word, "typedef");
	for (; word.size > 0 && (is_type || name.text + name.size == part || name.text[name.size] != '(');
	     word = next_word(word.text + word.size, end))
		name = word;
	return name;
}

/* Puts the last of the parts in front of the text, if that uses it, and then those before it. */
static void put_parts(struct writer *w, const char *parts, size_t size, const struct bytes *text)
{
	struct bytes more = {0};
	size_t first = size;
	if (size == 0)
		return;
	while (first > 0 && !(first + 1 < size && parts[first] == '\n' && parts[first - 1] == '\n'))
		first--;
	const char *part = parts[first] == '\n' ? parts + first + 1 : parts + first;
	const size_t part_size = (size_t)(parts + size - part);
	const struct text_part name = name_of_part(part, part_size);
	const bool is_used = name.size > 0 && has_word((const char *)text->data, text->size, &name);
	if (is_used && w->status == STATUS_OK)
		w->status = bytes_append(&more, part, part_size);
	if (w->status == STATUS_OK)
		w->status = bytes_append(&more, text->data, text->size);
	put_parts(w, parts, first, &more);
	if (is_used) {
		put_words(w, part, part_size);
		if (part_size > 0 && part[part_size - 1] != '\n')
			put(w, "\n", 1);
		put(w, "\n", 1);
	}
	bytes_free(&more);
}

/* --- A program --------------------------------------------------------------------------------------------------- */

static const struct kernel_text *find_text(const char *name)
{
	char file[48];
	(void)snprintf(file, sizeof file, KERNEL_LIBRARY "%s.h", name);
	for (size_t i = 0; i < kernel_text_count; i++) {
		if (strcmp(kernel_texts[i].name, file) == 0)
			return &kernel_texts[i];
	}
	assert(false); /* every operator has a text */
	return &kernel_texts[0];
}

/* The shortest decimal that is read as that number of the type. */
static void write_factor(const struct type *t, double factor, char digits[32])
{
	const double rounded = t->id == TYPE_F32 ? (double)(float)factor : factor;
	bool is_exact = false;
	for (int precision = 1; precision <= 17 && !is_exact; precision++) {
		(void)snprintf(digits, 32, "%.*g", precision, rounded);
		const double back = strtod(digits, NULL);
		is_exact = (t->id == TYPE_F32 ? (double)strtof(digits, NULL) : back) == rounded;
	}
}

static void put_head(struct writer *w, const struct scan_operator *op, double factor)
{
	char digits[32] = "";
	char name[48];
	const bool has_factor = op->parameter == PARAMETER_FACTOR;
	if (has_factor)
		write_factor(w->acc, factor, digits);
	(void)snprintf(name, sizeof name, "%s%s%s", op->name, has_factor ? ":" : "", digits);
	put_format(w,
		   "/* %s: %s.\n *\n"
		   " * The operator of that name with elements of type %s, as a program: a start for one of your "
		   "own.\n *\n"
		   " *     pscan -t %s --show-operator=%s > p.cl\n"
		   " *     pscan --format=binary -op @p.cl < %ss.%s\n *\n"
		   " * gives what -t %s%s -op %s does%s. */\n\n",
		   op->name, op->about, program_type_name(w->acc), w->acc->name, name,
		   op->inputs > 1 ? "pair" : "number", w->acc->name, w->acc->name, op->inputs > 1 ? " -c 2" : "", name,
		   w->acc->kind != KIND_FLOAT ? " with --overflow=wrap" : "");
	if (has_factor)
		put_format(w, "#define A %s%s%s\n\n", digits, strpbrk(digits, ".e") != NULL ? "" : ".0",
			   w->acc->id == TYPE_F32 ? "f" : "");
}

enum status library_write(const struct scan_operator *op, const struct type *acc, double factor, struct bytes *text)
{
	struct writer w = {.acc = acc, .result = operator_result(op, acc), .text = text};
	struct bytes own = {0};
	struct bytes parts = {0};
	resolve(&w, find_text("common"), &parts);
	if (w.status == STATUS_OK)
		w.status = bytes_append(&parts, "\n", 1);
	resolve(&w, find_text("of_type"), &parts);
	resolve(&w, find_text(op->text), &own);
	while (own.size > 1 && own.data[own.size - 2] == '\n')
		own.size--;
	put_head(&w, op, factor);
	put_parts(&w, (const char *)parts.data, parts.size, &own);
	put_words(&w, (const char *)own.data, own.size);
	bytes_free(&parts);
	bytes_free(&own);
	return w.status;
}
