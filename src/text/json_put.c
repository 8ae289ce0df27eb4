/* Strings and numbers as JSON has them. */
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "text/json.h"

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
	if (c < ' ' || c == 0x7f) {
		char escape[8];
		(void)snprintf(escape, sizeof escape, "\\u%04x", c);
		memcpy(to, escape, 6);
		return 6;
	}
	to[0] = (char)c;
	return 1;
}

/* Writes a character that begins with a byte beyond ASCII. size: the bytes that are left; *taken becomes the bytes of
 * the character. */
static size_t put_beyond(const char *text, size_t size, char *to, size_t *taken)
{
	unsigned char low;
	unsigned char high;
	const unsigned char *p = (const unsigned char *)text;
	const size_t length = utf8_sequence(*p, &low, &high);
	bool is_good = length > 0 && length <= size;
	for (size_t i = 1; is_good && i < length; i++)
		is_good = p[i] >= 0x80 && p[i] <= 0xbf;
	*taken = is_good ? length : 1;
	if (is_good && *p == 0xed && p[1] > high) {
		char escape[8];
		(void)snprintf(escape, sizeof escape, "\\u%04x", 0xd000u | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu));
		memcpy(to, escape, 6);
		return 6;
	}
	is_good = is_good && p[1] >= low && p[1] <= high;
	*taken = is_good ? length : 1;
	memcpy(to, is_good ? text : "\xef\xbf\xbd", is_good ? length : 3);
	return is_good ? length : 3;
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
	if (bytes_reserve(out, JSON_STRING_SIZE(size)) != STATUS_OK)
		return STATUS_SYSTEM;
	out->size += put_string(text, size, (char *)out->data + out->size);
	return STATUS_OK;
}

enum status json_append_value(struct bytes *out, const char *text, size_t size)
{
	struct line_fault fault;
	if (bytes_reserve(out, JSON_STRING_SIZE(size) + LINE_PADDING) != STATUS_OK)
		return STATUS_SYSTEM;
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
		if ((size_t)(end - p) == strlen(others[i]) && memcmp(p, others[i], (size_t)(end - p)) == 0) {
			memcpy(text, "null", 4);
			return 4;
		}
	}
	/* From the end of the room on, so that nothing is overwritten before it was read. */
	const char *moved = memmove(text + 5 * size + 2, text, size);
	return put_string(moved, size, text);
}
