/* How the text of an expression is read: names in braces, characters beyond ASCII, and numbers. */
#include "language/expression_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "language/types.h"
#include "number/parse.h"

/* The most tokens of an expression. (Compiling recurses as deeply as an expression has tokens.) */
#define TOKENS_MAX 5000

static bool refuse_at(struct expression_error *error, size_t place, size_t size, const char *why)
{
	error->place = place;
	error->size = size;
	(void)snprintf(error->why, sizeof error->why, "%s", why);
	return false;
}

bool expression_refuse(struct expression_error *error, const struct expression_text *t, const struct token *token,
		       const char *why)
{
	return refuse_at(error, (size_t)(token->text - (const char *)t->plain.data), token->size, why);
}

struct text_part expression_text_written(const struct expression_text *t, const struct token *token)
{
	return (struct text_part){.text = t->text + (token->text - (const char *)t->plain.data), .size = token->size};
}

/* Whether a text in quotes, which begins at a place, stands beside a comparison. */
static bool is_compared(const char *text, size_t size, size_t place)
{
	const char *end = memchr(text + place + 1, text[place], size - place - 1);
	size_t before = place;
	size_t after = end != NULL ? (size_t)(end - text) + 1 : size;
	while (before > 0 && text[before - 1] == ' ')
		before--;
	while (after < size && text[after] == ' ')
		after++;
	return (before > 0 && memchr("=<>", text[before - 1], 3) != NULL) ||
	       (after < size && memchr("=<>!", text[after], 4) != NULL);
}

/* Makes t->plain of t->text: only bytes that an expression has. */
static bool write_plain(struct expression_text *t, size_t size, struct expression_error *error)
{
	char *plain = (char *)t->plain.data;
	for (size_t i = 0; i < size; i++) {
		const char c = t->text[i];
		plain[i] = (unsigned char)c >= 0x80 ? '_' : c;
		if (c == '{') {
			const char *end = memchr(t->text + i, '}', size - i);
			const size_t length = end != NULL ? (size_t)(end - t->text) + 1 - i : 0;
			if (length < 3)
				return refuse_at(error, i, 1, length == 0 ? "{ is not closed" : "{} names no field");
			const bool touches = (i > 0 && is_of_word(plain[i - 1])) ||
					     (i + length < size &&
					      (is_of_word(end[1]) || end[1] == '{' || (unsigned char)end[1] >= 0x80));
			if (touches)
				return refuse_at(error, i, length, "an operator is missing beside this name");
			memset(plain + i, '_', length);
			i += length - 1;
			continue;
		}
		if ((c == '"' || c == '\'') && is_compared(t->text, size, i))
			return refuse_at(error, i, 1, "texts cannot be compared");
		const bool begins_comment =
			c == '/' && i + 1 < size && (t->text[i + 1] == '/' || t->text[i + 1] == '*');
		if (begins_comment || strchr(";}#\"'\\`$@", c) != NULL ||
		    ((unsigned char)c < ' ' && c != '\t' && c != '\n') || c == 0x7f)
			return refuse_at(error, i, begins_comment ? 2 : 1, "this cannot be in an expression");
	}
	t->plain.size = size;
	return true;
}

enum status expression_text_read(const char *text, size_t size, struct expression_text *t,
				 struct expression_error *error)
{
	*t = (struct expression_text){.text = text};
	*error = (struct expression_error){.place = 0};
	if (bytes_make(&t->plain, size + 1, 1) != STATUS_OK)
		return STATUS_SYSTEM;
	if (!write_plain(t, size, error))
		return STATUS_USAGE;
	if (tokens_read((const char *)t->plain.data, size, &t->tokens) != STATUS_OK)
		return STATUS_SYSTEM;
	const size_t count = tokens_count(&t->tokens);
	if (count > 0 && count <= TOKENS_MAX)
		return STATUS_OK;
	(void)refuse_at(error, 0, size, count == 0 ? "an expression is missing" : "the expression is too long");
	return STATUS_USAGE;
}

void expression_text_free(struct expression_text *t)
{
	bytes_free(&t->plain);
	tokens_free(&t->tokens);
}

/* --- Names ------------------------------------------------------------------------------------------------------- */

static bool is_known(const struct bytes *names, const struct text_part *name)
{
	const struct text_part *all = (const struct text_part *)(const void *)names->data;
	bool is = false;
	for (size_t i = 0; i < names->size / sizeof *all && !is; i++)
		is = all[i].size == name->size && memcmp(all[i].text, name->text, name->size) == 0;
	return is;
}

/* Whether a token stands where a value is, and is no number. */
static bool is_name(const struct expression_text *t, const struct token *all, size_t i, size_t count)
{
	const struct text_part written = expression_text_written(t, &all[i]);
	const bool is_braced = written.text[0] == '{';
	if (all[i].kind != TOKEN_WORD || (i > 0 && token_is(&all[i - 1], ".")))
		return false;
	return is_braced || ((i + 1 == count || !token_is(&all[i + 1], "(")) && type_of_word(&all[i]) == NULL);
}

enum status expression_names(const char *text, size_t size, struct bytes *names, struct expression_error *error)
{
	struct expression_text t;
	enum status status = expression_text_read(text, size, &t, error);
	const struct token *all = tokens_first(&t.tokens);
	const size_t count = status == STATUS_OK ? tokens_count(&t.tokens) : 0;
	for (size_t i = 0; i < count && status == STATUS_OK; i++) {
		const struct text_part name = expression_text_written(&t, &all[i]);
		if (is_name(&t, all, i, count) && !is_known(names, &name))
			status = bytes_append(names, &name, sizeof name);
	}
	expression_text_free(&t);
	return status;
}

/* --- Numbers ----------------------------------------------------------------------------------------------------- */

#define NUMBER_SIZE_MAX 400

/* A number with a point or an exponent, of `size` bytes. (It is rounded once: a float's digits are not those of a
 * double.) */
static bool read_float(const char *text, size_t size, struct expression_constant *constant)
{
	const bool is_float = text[size - 1] == 'f' || text[size - 1] == 'F';
	constant->type = is_float ? TYPE_F32 : TYPE_F64;
	return number_parse(text, size - is_float, &type_table[constant->type], &constant->value) == NUMBER_OK;
}

/* An integer: the first of its form's types that it fits; is_num: i64 if it has no suffix. */
static bool read_integer(const char *text, bool is_num, struct expression_constant *constant)
{
	static const enum type_id types[] = {TYPE_I32, TYPE_U32, TYPE_I64, TYPE_U64};
	static const uint64_t greatest[] = {INT32_MAX, UINT32_MAX, INT64_MAX, UINT64_MAX};
	char *end;
	errno = 0;
	const uint64_t value = strtoull(text, &end, 0);
	const bool is_decimal = text[0] != '0';
	bool is_unsigned = false;
	bool is_long = false;
	bool is_right = end != text && errno == 0;
	for (; *end != '\0' && is_right; end++) {
		bool *has = *end == 'u' || *end == 'U' ? &is_unsigned : &is_long;
		is_right = !*has && strchr("uUlL", *end) != NULL;
		*has = true;
	}
	is_num = is_num && !is_unsigned && !is_long;
	for (size_t i = 0; i < 4 && is_right; i++) {
		/* (Compilers take u64 where nothing else is left, too.) */
		const bool is_of_sign = i % 2 == 1 ? is_unsigned || !is_decimal || i == 3 : !is_unsigned;
		if (is_num ? types[i] != TYPE_I64 || value > INT64_MAX
			   : !is_of_sign || (i < 2 && is_long) || value > greatest[i])
			continue;
		constant->type = types[i];
		type_put_integer(&type_table[types[i]], value, &constant->value);
		return true;
	}
	return false;
}

bool expression_number(const struct expression_text *t, const struct token *token, bool is_num,
		       struct expression_constant *constant, struct expression_error *error)
{
	char text[NUMBER_SIZE_MAX + 1];
	const bool is_hexadecimal = token->size > 1 && (token->text[1] == 'x' || token->text[1] == 'X');
	memset(constant, 0, sizeof *constant);
	if (token->size > NUMBER_SIZE_MAX)
		return expression_refuse(error, t, token, "a number is too long");
	memcpy(text, token->text, token->size);
	text[token->size] = '\0';
	/* (Floats that are written in hexadecimal are left to a device.) */
	const bool is_float = strpbrk(text, is_hexadecimal ? ".pP" : ".eE") != NULL;
	error->may_be_for_device = is_float && is_hexadecimal;
	if (is_float ? !is_hexadecimal && read_float(text, token->size, constant)
		     : read_integer(text, is_num, constant))
		return true;
	if (text[0] == '0' && strspn(text, "01234567") < token->size && strspn(text, "0123456789") == token->size)
		return expression_refuse(error, t, token, "a digit is not octal, as after a leading 0");
	if (is_num && strspn(text, "0123456789") == token->size && token->size <= 40) {
		char why[sizeof error->why];
		(void)snprintf(why, sizeof why, "%.40s does not fit in 64 bits: write %.40s.0", text, text);
		return expression_refuse(error, t, token, why);
	}
	return expression_refuse(error, t, token, "not a number, or one that fits in no type");
}

/* Whether C reads the digits as octal ones. */
static bool is_octal(const struct token *token)
{
	return token->size > 1 && token->text[0] == '0' && memchr(token->text, '.', token->size) == NULL &&
	       memchr(token->text, 'e', token->size) == NULL && memchr(token->text, 'E', token->size) == NULL;
}

bool expression_decimal(const struct token *token, struct expression_constant *constant)
{
	char text[NUMBER_SIZE_MAX + 1];
	struct decimal d;
	for (size_t i = 0; i < token->size; i++) {
		if ((token->text[i] < '0' || token->text[i] > '9') && strchr(".eE+-", token->text[i]) == NULL)
			return false;
	}
	memset(constant, 0, sizeof *constant);
	if (is_octal(token)) {
		(void)snprintf(text, sizeof text, "%.*s", (int)token->size, token->text);
		if (token->size > NUMBER_SIZE_MAX || !read_integer(text, false, constant))
			return false;
		constant->value = decimal_wide((int128)type_integer(&type_table[constant->type], &constant->value));
		constant->type = TYPE_I128;
		return true;
	}
	constant->type = TYPE_I128;
	if (!decimal_parse(token->text, token->size, &d) || d.is_float || d.huge)
		return false;
	constant->scale = d.scale;
	return decimal_mantissa(&d, d.scale, &type_table[TYPE_I128], &constant->value);
}

bool expression_is_other_type(const struct text_part *name)
{
	static const char *const words[] = {"unsigned", "signed", "half", "bool", "size_t", "ptrdiff_t", "void"};
	const struct token word = {.kind = TOKEN_WORD, .text = name->text, .size = name->size};
	struct token stem = word;
	while (stem.size > 1 && stem.text[stem.size - 1] >= '0' && stem.text[stem.size - 1] <= '9')
		stem.size--;
	return TOKEN_IS_AMONG(&word, words) || (stem.size < word.size && type_of_word(&stem) != NULL);
}

static bool begins_with(const struct text_part *name, const char *word)
{
	return name->size >= strlen(word) && memcmp(name->text, word, strlen(word)) == 0;
}

bool expression_is_constant(const struct text_part *name)
{
	static const char *const words[] = {"INFINITY", "NAN", "MAXFLOAT", "HUGE_VAL", "HUGE_VALF", "true", "false"};
	static const char *const families[] = {"M_", "FLT_", "DBL_", "HALF_", "FP_", "CL_"};
	static const char *const types[] = {"CHAR_", "SCHAR_", "UCHAR_", "SHRT_", "USHRT_",
					    "INT_",  "UINT_",  "LONG_",  "ULONG_"};
	bool is = false;
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		is = is || (begins_with(name, words[i]) && name->size == strlen(words[i]));
	for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
		is = is || begins_with(name, families[i]);
	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
		if (!begins_with(name, types[i]) || name->size != strlen(types[i]) + 3)
			continue;
		const struct text_part rest = {.text = name->text + strlen(types[i]), .size = 3};
		is = is || begins_with(&rest, "MIN") || begins_with(&rest, "MAX") || begins_with(&rest, "BIT");
	}
	return is;
}
