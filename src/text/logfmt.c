/* A value in quotes may have any byte in it, after a backslash also a quote. Between a value in quotes and the next key
 * there must be a blank. */
#include "text/logfmt.h"

#include <string.h>

#include "text/line_parts.h"

static bool fail(struct line_fault *fault, const char *at, const char *what)
{
	*fault = (struct line_fault){.what = what, .at = at};
	return false;
}

/* The value at p, after its equals sign. Returns its end; NULL: it has none. */
static const char *read_value(const char *p, const char *end, struct field *f)
{
	const char *start = p;
	bool escaped = false;
	const bool quoted = p < end && *p == '"';
	for (p += quoted; p < end && (quoted ? *p != '"' : !is_blank(*p)); p++) {
		const bool escapes = quoted && *p == '\\' && p + 1 < end;
		escaped = escaped || escapes;
		p += escapes;
	}
	if (quoted && p == end)
		return NULL;
	const char *stop = p + quoted;
	*f = (struct field){.start = start,
			    .size = (size_t)(stop - start),
			    .token = start + quoted,
			    .token_size = (size_t)(p - start) - quoted,
			    .quoted = quoted,
			    .escaped = escaped};
	return stop;
}

bool logfmt_find(const struct members *members, const struct line *line, struct field *found, struct line_fault *fault)
{
	const char *const end = line->end;
	const char *p = line->start;
	for (uint64_t i = 0; i < members->field_count; i++)
		set_absent(line, 1, &found[i]);
	for (;;) {
		struct field f;
		while (p < end && is_blank(*p))
			p++;
		if (p == end)
			return true;
		const char *key = p;
		while (p < end && *p != '=' && !is_blank(*p))
			p++;
		const size_t size = (size_t)(p - key);
		const bool has_value = p < end && *p == '=';
		if (size == 0)
			return fail(fault, key, "a key is missing in logfmt");
		if (has_value)
			p = read_value(p + 1, end, &f);
		else
			f = (struct field){.start = p, .token = p};
		if (p == NULL)
			return fail(fault, key, "a quoted value is not closed in logfmt");
		if (p < end && !is_blank(*p))
			return fail(fault, p, "a blank is missing after a quoted value in logfmt");
		const struct member *member = members_find(members, members->members, key, size);
		if (member != NULL)
			found[member->number - 1] = f;
	}
}

size_t logfmt_unescape(const char *text, size_t size, char *to)
{
	static const char letters[] = "nrt";
	static const char means[] = "\n\r\t";
	size_t said = 0;
	for (size_t i = 0; i < size; i++) {
		const bool escapes = text[i] == '\\' && i + 1 < size;
		i += escapes;
		const char *letter = escapes && text[i] != '\0' ? strchr(letters, text[i]) : NULL;
		to[said++] = letter != NULL ? means[letter - letters] : text[i];
	}
	return said;
}

/* The letter that stands for a byte after a backslash, or 0. */
static char escape_of(char c)
{
	static const char means[] = "\"\\\n\r\t";
	static const char letters[] = "\"\\nrt";
	const char *at = c != '\0' ? strchr(means, c) : NULL;
	return at != NULL ? letters[at - means] : '\0';
}

size_t logfmt_quote(char *text, size_t size)
{
	size_t escapes = 0;
	bool special = false;
	for (size_t i = 0; i < size; i++) {
		escapes += escape_of(text[i]) != '\0';
		special = special || text[i] == ' ' || text[i] == '=' || escape_of(text[i]) != '\0';
	}
	if (!special)
		return size;
	/* From the end, so that nothing is overwritten before it was moved. */
	char *to = text + size + escapes + 2;
	*--to = '"';
	for (size_t i = size; i > 0; i--) {
		const char letter = escape_of(text[i - 1]);
		*--to = letter != '\0' ? letter : text[i - 1];
		if (letter != '\0')
			*--to = '\\';
	}
	*text = '"';
	return size + escapes + 2;
}
