/* Tokens are made as the compiler makes them, except for digraphs, trigraphs and branches that conditions leave out. */
#include "language/tokens.h"

#include <stdbool.h>
#include <string.h>

#include "number/parse.h"

struct scanner {
	const char *at, *end; /* of the text */
	unsigned long line;
	bool line_begun; /* the line has more than blanks before `at` */
	struct token_list *list;
};

bool is_of_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c);
}

bool text_has_word(const char *text, const char *word)
{
	bool has = false;
	while (text != NULL && *text != '\0' && !has) {
		size_t size = 0;
		while (is_of_word(text[size]))
			size++;
		has = size == strlen(word) && memcmp(text, word, size) == 0;
		text += size > 0 ? size : 1;
	}
	return has;
}

/* Passes over one byte. Counts a line's end. */
static void advance(struct scanner *r)
{
	if (*r->at == '\n') {
		r->line++;
		r->line_begun = false;
	}
	r->at++;
}

static size_t splice_size(const struct scanner *r)
{
	const size_t left = (size_t)(r->end - r->at);
	if (left >= 2 && r->at[0] == '\\' && r->at[1] == '\n')
		return 2;
	return left >= 3 && r->at[0] == '\\' && r->at[1] == '\r' && r->at[2] == '\n' ? 3 : 0;
}

bool tokens_may_be_spliced(const char *text, size_t size)
{
	bool after_backslash = false; /* and blanks */
	for (size_t i = 0; i < size; i++) {
		if (after_backslash && text[i] == '\n')
			return true;
		after_backslash = text[i] == '\\' || (after_backslash && strchr(" \t\v\f\r", text[i]) != NULL);
	}
	return after_backslash;
}

/* Passes over a comment, if one begins here. */
static bool skip_comment(struct scanner *r)
{
	const size_t left = (size_t)(r->end - r->at);
	if (left < 2 || r->at[0] != '/' || (r->at[1] != '/' && r->at[1] != '*'))
		return false;
	const bool to_line_end = r->at[1] == '/';
	const unsigned long first_line = r->line;
	r->at += 2;
	while (r->at < r->end) {
		const size_t splice = splice_size(r);
		if (to_line_end && splice == 0 && *r->at == '\n')
			return true;
		if (!to_line_end && r->end - r->at >= 2 && r->at[0] == '*' && r->at[1] == '/') {
			r->at += 2;
			return true;
		}
		r->line += splice > 0;
		if (splice > 0)
			r->at += splice;
		else
			advance(r);
	}
	if (!to_line_end)
		r->list->open_comment = first_line;
	return true;
}

/* The size of the word or number here. 1e-5 is one number. */
static size_t word_size(const struct scanner *r)
{
	size_t size = 0;
	const size_t left = (size_t)(r->end - r->at);
	const bool is_number = left > 0 && (is_digit(*r->at) || *r->at == '.');
	for (; size < left; size++) {
		const char c = r->at[size];
		const bool has_sign = (c == '-' || c == '+') && size > 0 && strchr("eEpP", r->at[size - 1]) != NULL;
		if (!is_of_word(c) && !(is_number && (c == '.' || has_sign)))
			break;
	}
	return size;
}

bool token_integer(const char *text, size_t size, size_t *value)
{
	*value = 0;
	while (size > 0 && (text[size - 1] == 'u' || text[size - 1] == 'U'))
		size--;
	for (size_t i = 0; i < size; i++) {
		if (!is_digit(text[i]) || *value > 1000000)
			return false;
		*value = 10 * *value + (size_t)(text[i] - '0');
	}
	return size > 0 && (text[0] != '0' || size == 1);
}

static void skip_blanks(struct scanner *r)
{
	while (r->at < r->end && (*r->at == ' ' || *r->at == '\t'))
		r->at++;
}

/* Returns the word or number here, and passes over it and the blanks after it. */
static struct text_part read_word(struct scanner *r)
{
	const struct text_part word = {.text = r->at, .size = word_size(r)};
	r->at += word.size;
	skip_blanks(r);
	return word;
}

/* Passes over a directive. Appends the macro that it defines. */
static enum status read_directive(struct scanner *r)
{
	enum status status = STATUS_OK;
	r->list->directives++;
	r->at++;
	skip_blanks(r);
	const struct text_part what = read_word(r);
	if (what.size == strlen("define") && memcmp(what.text, "define", what.size) == 0) {
		struct macro m = {.name = read_word(r)};
		if (r->at < r->end && is_digit(*r->at))
			m.number = read_word(r);
		const size_t left = (size_t)(r->end - r->at);
		m.is_number = m.number.size > 0 && (left == 0 || *r->at == '\n' || *r->at == '\r' ||
						    (left > 1 && memcmp(r->at, "//", 2) == 0));
		if (m.name.size > 0)
			status = bytes_append(&r->list->macros, &m, sizeof m);
	}
	while (r->at < r->end && *r->at != '\n') {
		const size_t splice = splice_size(r);
		r->line += splice > 0;
		r->at += splice;
		if (splice == 0 && !skip_comment(r))
			r->at++;
	}
	return status;
}

/* The size of the quoted text here. It ends with its line at the latest. */
static size_t quoted_size(const struct scanner *r)
{
	const char *at = r->at + 1;
	while (at < r->end && *at != *r->at && *at != '\n')
		at += at[0] == '\\' && r->end - at > 1 && at[1] != '\n' ? 2 : 1;
	at += at < r->end && *at == *r->at;
	return (size_t)(at - r->at);
}

/* The size of the sign here. */
static size_t sign_size(const struct scanner *r)
{
	static const char *const signs[] = {"<<=", ">>=", "++", "--", "->", "<<", ">>", "<=", ">=", "==", "!=",
					    "&&",  "||",  "+=", "-=", "*=", "/=", "%=", "&=", "^=", "|="};
	const size_t left = (size_t)(r->end - r->at);
	for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
		const size_t size = strlen(signs[i]);
		if (size <= left && memcmp(r->at, signs[i], size) == 0)
			return size;
	}
	return 1;
}

static enum status add_token(struct scanner *r, enum token_kind kind, size_t size)
{
	const struct token t = {.text = r->at, .size = size, .line = r->line, .kind = kind};
	r->line_begun = true;
	r->at += size;
	return bytes_append(&r->list->tokens, &t, sizeof t);
}

enum status tokens_read(const char *text, size_t size, struct token_list *list)
{
	struct scanner scanner = {.at = text, .end = text + size, .line = 1, .list = list};
	struct scanner *const r = &scanner;
	enum status status = STATUS_OK;
	while (r->at < r->end && status == STATUS_OK) {
		const size_t splice = splice_size(r);
		if (splice > 0) {
			r->at += splice;
			r->line++;
		} else if (strchr(" \t\r\n\v\f", *r->at) != NULL) {
			advance(r);
		} else if (skip_comment(r)) {
			continue;
		} else if (*r->at == '#' && !r->line_begun) {
			status = read_directive(r);
		} else if (*r->at == '"' || *r->at == '\'') {
			status = add_token(r, TOKEN_QUOTED, quoted_size(r));
		} else if (is_digit(*r->at) || (*r->at == '.' && r->end - r->at > 1 && is_digit(r->at[1]))) {
			status = add_token(r, TOKEN_NUMBER, word_size(r));
		} else if (is_of_word(*r->at)) {
			status = add_token(r, TOKEN_WORD, word_size(r));
		} else {
			status = add_token(r, TOKEN_SIGN, sign_size(r));
		}
	}
	return status;
}

void tokens_free(struct token_list *list)
{
	bytes_free(&list->tokens);
	bytes_free(&list->macros);
}

const struct macro *tokens_find_number(const struct token_list *list, const struct token *name)
{
	const struct macro *first = (const struct macro *)(const void *)list->macros.data;
	for (size_t i = list->macros.size / sizeof *first; i > 0; i--) {
		if (first[i - 1].number.size > 0 && part_is(&first[i - 1].name, name))
			return &first[i - 1];
	}
	return NULL;
}

bool token_is_among(const struct token *t, const char *const *words, size_t count)
{
	bool found = false;
	for (size_t i = 0; i < count && !found; i++)
		found = token_is(t, words[i]);
	return found;
}

bool token_is_one_of(const struct token *t, const char *signs)
{
	return t->kind == TOKEN_SIGN && t->size == 1 && strchr(signs, *t->text) != NULL;
}

const struct token *token_after_bracket(const struct token *t, const struct token *end)
{
	size_t depth = 0;
	for (; t < end; t++) {
		depth += token_opens(t);
		depth -= token_closes(t);
		if (depth == 0)
			return t + 1;
	}
	return NULL;
}
