/* Strings and numbers as JSON has them. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/utf8.h"
#include "text/json.h"

/* A unit of UTF-16 as an escape of 6 bytes. */
static size_t put_unit(unsigned unit, char *to)
{
	char escape[8];
	(void)snprintf(escape, sizeof escape, "\\u%04x", unit);
	memcpy(to, escape, 6);
	return 6;
}

/* A character of ASCII as it stands in a string. Returns its bytes, up to 6. */
static size_t put_ascii(unsigned char c, char *to)
{
	static const char means[] = "\"\\\b\f\n\r\t";
	static const char letters[] = "\"\\bfnrt";
	const char *letter = c != '\0' ? strchr(means, c) : NULL;
	if (letter != NULL) {
		to[0] = '\\';
		to[1] = letters[letter - means];
		return 2;
	}
	if (c < ' ' || c == 0x7f)
		return put_unit(c, to);
	to[0] = (char)c;
	return 1;
}

/* Writes a character that begins with a byte beyond ASCII. size: the bytes that are left; *taken becomes the bytes of
 * the character. */
static size_t put_beyond(const char *text, size_t size, char *to, size_t *taken)
{
	static const char unknown[] = "\xef\xbf\xbd";
	const unsigned char *p = (const unsigned char *)text;
	const size_t length = utf8_size(text, text + size);
	const bool is_half = size >= 3 && p[0] == 0xed && p[1] >= 0xa0 && p[1] <= 0xbf && (p[2] & 0xc0) == 0x80;
	*taken = is_half ? 3 : length > 0 ? length : 1;
	if (is_half)
		return put_unit(0xd000u | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu), to);
	memcpy(to, length > 0 ? text : unknown, length > 0 ? length : 3);
	return length > 0 ? length : 3;
}

/* With quotes: up to 6 bytes for each, and two. */
static size_t put_string(const char *text, size_t size, char *to)
{
	size_t written = 0;
	to[written++] = '"';
	for (size_t i = 0; i < size;) {
		size_t taken = 1;
		const unsigned char c = (unsigned char)text[i];
		written += c < 0x80 ? put_ascii(c, to + written) : put_beyond(text + i, size - i, to + written, &taken);
		i += taken;
	}
	to[written++] = '"';
	return written;
}

enum status json_append_string(struct bytes *out, const char *text, size_t size)
{
	TRY(bytes_reserve(out, JSON_STRING_SIZE(size)));
	out->size += put_string(text, size, (char *)out->data + out->size);
	return STATUS_OK;
}

enum status json_append_value(struct bytes *out, const char *text, size_t size)
{
	struct line_fault fault;
	TRY(bytes_reserve(out, JSON_STRING_SIZE(size) + LINE_PADDING));
	/* (What is after the text may not be readable.) */
	char *to = (char *)out->data + out->size;
	memcpy(to, text, size);
	memset(to + size, 0, LINE_PADDING);
	const bool is_number = size > 0 && json_number_end(to, to + size, &fault) == to + size;
	out->size += is_number ? size : put_string(text, size, to);
	return STATUS_OK;
}

size_t json_put_number(char *text, size_t size)
{
	static const char *const others[] = {"nan", "inf", "-inf", "+inf", "-nan", "+nan"};
	struct line_fault fault;
	const char *p = text;
	const char *end = text + size;
	while (p < end && *p == ' ')
		p++;
	while (p < end && end[-1] == ' ')
		end--;
	if (json_number_end(p, end, &fault) == end)
		return size;
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
		if ((size_t)(end - p) == strlen(others[i]) && strncasecmp(p, others[i], (size_t)(end - p)) == 0) {
			memcpy(text, "null", 4);
			return 4;
		}
	}
	/* From the end of the room on, so that nothing is overwritten before it was read. */
	const char *moved = memmove(text + 5 * size + 2, text, size);
	return put_string(moved, size, text);
}
