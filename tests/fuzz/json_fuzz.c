/* Lines that are objects of JSON, against a reader that follows RFC 8259's grammar rule by rule, in recursion, and
 * decodes names into memory: both must take the same lines, and find the same values at the same places. What a string
 * says must survive being written as one. Lines of logfmt must give fields that are theirs. */
#include <stdbool.h>

#include "fuzz.h"
#include "text/json.h"
#include "text/logfmt.h"

/* What is looked for: each path's names, ended by NULL. */
static const char *const paths[][4] = {{"a"},     {"a", "b"},   {"a", "0"}, {"a", "1", "b"},
				       {"", "b"}, {"\xc3\xa9"}, {"a~/"}};
static const char *const names[] = {"a", "a.b", "/a/0", "/a/1/b", "//b", "\xc3\xa9", "/a~0~1"};
#define COUNT (sizeof names / sizeof names[0])

struct span {
	const char *start;
	size_t size;
};

/* The plain reader. The names on the way to the current value are a list from the innermost one out. */
struct reader {
	const char *p, *end;
	struct span found[COUNT];
};

struct name {
	const struct name *outer;
	char *text;
	size_t size;
};

static bool read_value(struct reader *r, const struct name *name, size_t depth);

static bool read_char(struct reader *r, char c)
{
	if (r->p == r->end || *r->p != c)
		return false;
	r->p++;
	return true;
}

static void read_blanks(struct reader *r)
{
	while (r->p < r->end && strchr(" \t\r", *r->p) != NULL && *r->p != '\0')
		r->p++;
}

static int hex_digit(const struct reader *r, size_t at)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	if (at >= (size_t)(r->end - r->p) || r->p[at] == '\0' || strchr(digits, r->p[at]) == NULL)
		return -1;
	return (int)((strchr(digits, r->p[at]) - digits) % 16);
}

/* The four digits after a backslash and a u at p[at], or -1. */
static long read_unit(const struct reader *r, size_t at)
{
	long unit = 0;
	if ((size_t)(r->end - r->p) < at + 6 || r->p[at] != '\\' || r->p[at + 1] != 'u')
		return -1;
	for (size_t i = 0; i < 4; i++) {
		const int digit = hex_digit(r, at + 2 + i);
		if (digit < 0)
			return -1;
		unit = unit * 16 + digit;
	}
	return unit;
}

static size_t encode(unsigned long c, char *out)
{
	const size_t size = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	static const unsigned char first[] = {0, 0, 0xc0, 0xe0, 0xf0};
	for (size_t i = size - 1; i > 0; i--, c >>= 6)
		out[i] = (char)(0x80 | (c & 0x3f));
	out[0] = (char)(first[size] | c);
	return size;
}

/* The character beyond ASCII at p as UTF-8's definition has it, or 0. */
static size_t character_size(const struct reader *r)
{
	char bytes[4];
	const unsigned char *p = (const unsigned char *)r->p;
	const size_t size = *p >= 0xf0 ? 4 : *p >= 0xe0 ? 3 : 2;
	unsigned long c = *p & (0x7fu >> size);
	if (*p < 0xc0 || *p > 0xf7 || (size_t)(r->end - r->p) < size)
		return 0;
	for (size_t i = 1; i < size; i++)
		c = c << 6 | (p[i] & 0x3fu);
	const bool is_character = c <= 0x10ffff && (c < 0xd800 || c > 0xdfff);
	return is_character && encode(c, bytes) == size && memcmp(bytes, p, size) == 0 ? size : 0;
}

/* What the string at p says goes to out, which has room for what is left. */
static bool read_string(struct reader *r, char *out, size_t *size)
{
	static const char escapes[] = "\"\\/bfnrt";
	static const char means[] = "\"\\/\b\f\n\r\t";
	*size = 0;
	if (!read_char(r, '"'))
		return false;
	while (!read_char(r, '"')) {
		if (r->p == r->end || (unsigned char)*r->p < 0x20)
			return false;
		if ((unsigned char)*r->p >= 0x80) {
			const size_t length = character_size(r);
			if (length == 0)
				return false;
			memcpy(out + *size, r->p, length);
			*size += length;
			r->p += length;
		} else if (*r->p != '\\') {
			out[(*size)++] = *r->p++;
		} else if (r->end - r->p > 1 && r->p[1] != 'u') {
			const char *escape = r->p[1] != '\0' ? strchr(escapes, r->p[1]) : NULL;
			if (escape == NULL)
				return false;
			out[(*size)++] = means[escape - escapes];
			r->p += 2;
		} else {
			long unit = read_unit(r, 0);
			const long second = read_unit(r, 6);
			if (unit < 0)
				return false;
			r->p += 6;
			if (unit >= 0xd800 && unit < 0xdc00 && second >= 0xdc00 && second < 0xe000) {
				unit = 0x10000 + (unit - 0xd800) * 0x400 + second - 0xdc00;
				r->p += 6;
			}
			*size += encode((unsigned long)unit, out + *size);
		}
	}
	return true;
}

static bool read_digits(struct reader *r)
{
	const char *begin = r->p;
	while (r->p < r->end && *r->p >= '0' && *r->p <= '9')
		r->p++;
	return r->p > begin;
}

static bool read_number(struct reader *r)
{
	(void)read_char(r, '-');
	if (!read_char(r, '0') && !read_digits(r))
		return false;
	if (read_char(r, '.') && !read_digits(r))
		return false;
	if (!read_char(r, 'e') && !read_char(r, 'E'))
		return true;
	if (!read_char(r, '-'))
		(void)read_char(r, '+');
	return read_digits(r);
}

static bool read_container(struct reader *r, const struct name *outer, size_t depth)
{
	const bool is_object = *r->p++ == '{';
	char *text = malloc((size_t)(r->end - r->p) + 24);
	bool good = text != NULL && depth < JSON_DEPTH_MAX;
	struct name name = {.outer = outer, .text = text};
	read_blanks(r);
	if (good && read_char(r, is_object ? '}' : ']')) {
		free(text);
		return true;
	}
	for (int index = 0; good; index++) {
		if (is_object) {
			good = read_string(r, text, &name.size);
			read_blanks(r);
			good = good && read_char(r, ':');
			read_blanks(r);
		} else {
			name.size = (size_t)sprintf(text, "%d", index);
		}
		good = good && read_value(r, &name, depth + 1);
		read_blanks(r);
		if (good && read_char(r, is_object ? '}' : ']'))
			break;
		good = good && read_char(r, ',');
		read_blanks(r);
	}
	free(text);
	return good;
}

/* Whether the names lead along a path: to its end, or only so far. */
static bool is_on_path(const struct name *name, const char *const *path, bool *ends)
{
	size_t depth = 0;
	size_t length = 0;
	for (const struct name *n = name; n != NULL; n = n->outer)
		depth++;
	while (length < 4 && path[length] != NULL)
		length++;
	*ends = depth == length;
	bool is = depth <= length;
	for (const struct name *n = name; is && n != NULL; n = n->outer) {
		depth--;
		is = strlen(path[depth]) == n->size && memcmp(path[depth], n->text, n->size) == 0;
	}
	return is;
}

static bool read_value(struct reader *r, const struct name *name, size_t depth)
{
	const char *start = r->p;
	bool ends;
	bool good = true;
	/* What an earlier member of that name had is gone. */
	for (size_t i = 0; i < COUNT; i++) {
		if (is_on_path(name, paths[i], &ends))
			r->found[i] = (struct span){0};
	}
	if (r->p < r->end && (*r->p == '{' || *r->p == '[')) {
		good = read_container(r, name, depth);
	} else if (r->p < r->end && *r->p == '"') {
		size_t size;
		char *text = malloc((size_t)(r->end - r->p) + 4);
		REQUIRE(text != NULL, "no memory");
		good = read_string(r, text, &size);
		free(text);
	} else {
		const size_t left = (size_t)(r->end - r->p);
		const size_t size = left >= 4 && (memcmp(r->p, "null", 4) == 0 || memcmp(r->p, "true", 4) == 0) ? 4
				    : left >= 5 && memcmp(r->p, "false", 5) == 0                                ? 5
														: 0;
		r->p += size;
		good = size > 0 || read_number(r);
	}
	for (size_t i = 0; good && i < COUNT; i++) {
		if (is_on_path(name, paths[i], &ends) && ends)
			r->found[i] = (struct span){.start = start, .size = (size_t)(r->p - start)};
	}
	return good;
}

static bool read_line(struct reader *r)
{
	read_blanks(r);
	if (r->p == r->end || *r->p != '{' || !read_container(r, NULL, 0))
		return false;
	read_blanks(r);
	return r->p == r->end;
}

/* A string says the same once it is written anew, and always in the same way. */
static void require_string(const struct field *f)
{
	struct bytes first = {0}, second = {0};
	char *said = fuzz_copy(f->token, f->token_size);
	const size_t size = json_unescape(f->token, f->token_size, said);
	REQUIRE(json_says(f->token, f->token_size, said, size), "a string does not say what it says");
	REQUIRE(json_append_string(&first, said, size) == STATUS_OK, "no memory");
	char *again = fuzz_copy(first.data, first.size);
	const size_t again_size = json_unescape((const char *)first.data + 1, first.size - 2, again);
	REQUIRE(again_size == size && memcmp(again, said, size) == 0, "a string that is written says something else");
	REQUIRE(json_append_string(&second, again, again_size) == STATUS_OK, "no memory");
	REQUIRE(second.size == first.size && memcmp(second.data, first.data, first.size) == 0,
		"it is written in two ways");
	free(again);
	free(said);
	bytes_free(&first);
	bytes_free(&second);
}

static void try_json(const char *text, size_t size)
{
	uint64_t numbers[COUNT];
	struct members members;
	struct field found[COUNT];
	struct line_fault fault = {0};
	struct line line = {.start = text, .end = text + size, .next = text + size};
	struct reader r = {.p = text, .end = text + size};
	REQUIRE(members_make(&members, NAMES_PATHS, names, NULL, COUNT, numbers) == STATUS_OK, "no memory");
	struct json_names before = {0};
	/* The second time the names of the first are known. */
	const bool was = json_find(&members, &line, found, &before, &fault);
	const bool is = json_find(&members, &line, found, &before, &fault);
	REQUIRE(is == was, "%.*s: other names than before", (int)size, text);
	const bool should = read_line(&r);
	REQUIRE(is == should, "%.*s: %s", (int)size, text, is ? "it was taken" : fault.what);
	REQUIRE(is || (fault.what != NULL && fault.at >= text && fault.at <= line.end), "no fault");
	for (size_t i = 0; i < COUNT && is; i++) {
		const struct field *f = &found[numbers[i] - 1];
		REQUIRE(f->absent == (r.found[i].start == NULL), "%s", names[i]);
		if (f->absent)
			continue;
		REQUIRE(f->start == r.found[i].start && f->size == r.found[i].size, "%s at %td, not %td", names[i],
			f->start - text, r.found[i].start - text);
		REQUIRE(f->quoted == (*f->start == '"') && f->token_size == f->size - 2 * f->quoted, "its token");
		if (f->quoted)
			require_string(f);
	}
	if (is)
		REQUIRE(line.tail > text && line.tail < line.end && *line.tail != ',', "where members go");
	members_free(&members);
}

static void try_logfmt(const char *text, size_t size)
{
	static const char *const keys[] = {"a", "b", "a.b"};
	uint64_t numbers[3];
	struct members members;
	struct field found[3];
	struct line_fault fault = {0};
	const struct line line = {.start = text, .end = text + size, .next = text + size};
	REQUIRE(members_make(&members, NAMES_WHOLE, keys, NULL, 3, numbers) == STATUS_OK, "no memory");
	const bool is = logfmt_find(&members, &line, found, &fault);
	REQUIRE(is || (fault.what != NULL && fault.at >= text && fault.at < line.end), "no fault");
	for (size_t i = 0; i < 3 && is; i++) {
		const struct field *f = &found[numbers[i] - 1];
		if (f->absent)
			continue;
		const size_t key = strlen(keys[i]);
		const bool has_value = f->start > text && f->start[-1] == '=';
		const char *begin = f->start - has_value - key;
		REQUIRE(begin >= text && memcmp(begin, keys[i], key) == 0, "the key %s", keys[i]);
		REQUIRE(begin == text || begin[-1] == ' ' || begin[-1] == '\t', "before the key %s", keys[i]);
		REQUIRE(f->start + f->size == line.end || strchr(" \t", f->start[f->size]) != NULL, "after %s",
			keys[i]);
		char *said = malloc(2 * f->token_size + 2);
		REQUIRE(said != NULL, "no memory");
		const size_t said_size = logfmt_unescape(f->token, f->token_size, said);
		REQUIRE(said_size <= f->token_size && logfmt_quote(said, said_size) <= 2 * said_size + 2, "its size");
		free(said);
	}
	members_free(&members);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const bool is_json = fuzz_choose(&data, &size) % 4 != 0;
	const uint8_t *newline = memchr(data, '\n', size);
	size = newline != NULL ? (size_t)(newline - data) : size;
	/* What is after the line may be anything. */
	char *text = malloc(size + LINE_PADDING);
	REQUIRE(text != NULL, "no memory");
	if (size > 0)
		memcpy(text, data, size);
	memset(text + size, size % 2 == 0 ? '"' : '}', LINE_PADDING);
	if (is_json)
		try_json(text, size);
	else
		try_logfmt(text, size);
	free(text);
	return 0;
}
