/* Strings and numbers of JSON by themselves. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "text/json.h"

static unsigned hexadecimal(const char *p)
{
	unsigned value = 0;
	for (int i = 0; i < 4; i++) {
		const unsigned char c = (unsigned char)p[i];
		value = value << 4 | (c <= '9' ? c - (unsigned)'0' : (c & 0xdfu) - 'A' + 10);
	}
	return value;
}

static bool is_half(unsigned unit, unsigned first)
{
	return unit >= first && unit < first + 0x400;
}

/* The bytes of a character as UTF-8 has them, though it may be half a pair. */
static size_t put_character(uint32_t c, char *to)
{
	if (c < 0x80) {
		to[0] = (char)c;
		return 1;
	}
	const size_t size = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	static const unsigned char leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
	for (size_t i = size - 1; i > 0; i--, c >>= 6)
		to[i] = (char)(0x80 | (c & 0x3f));
	to[0] = (char)(leads[size] | c);
	return size;
}

/* The bytes of the escape at *p, which is without fault; advances *p. */
static size_t take_escape(const char **p, const char *end, char *to)
{
	static const char letters[] = "bfnrt";
	static const char means[] = "\b\f\n\r\t";
	const char *at = *p;
	if (at[1] != 'u') {
		const char *letter = strchr(letters, at[1]);
		*to = letter != NULL ? means[letter - letters] : at[1];
		*p = at + 2;
		return 1;
	}
	uint32_t c = hexadecimal(at + 2);
	*p = at + 6;
	if (is_half(c, 0xd800) && end - at >= 12 && at[6] == '\\' && at[7] == 'u') {
		const unsigned second = hexadecimal(at + 8);
		if (is_half(second, 0xdc00)) {
			c = 0x10000 + ((c - 0xd800) << 10) + (second - 0xdc00);
			*p = at + 12;
		}
	}
	return put_character(c, to);
}

/* What the next byte says, or the escape that it begins. Returns its bytes, up to 4. */
static size_t take_said(const char **p, const char *end, char bytes[4])
{
	if (**p == '\\')
		return take_escape(p, end, bytes);
	bytes[0] = *(*p)++;
	return 1;
}

bool json_says(const char *text, size_t size, const char *name, size_t name_size)
{
	const char *p = text;
	const char *const end = text + size;
	size_t said = 0;
	while (p < end) {
		char bytes[4];
		const size_t count = take_said(&p, end, bytes);
		if (count > name_size - said || memcmp(bytes, name + said, count) != 0)
			return false;
		said += count;
	}
	return said == name_size;
}

size_t json_unescape(const char *text, size_t size, char *to)
{
	const char *p = text;
	const char *const end = text + size;
	size_t said = 0;
	while (p < end) {
		char bytes[4];
		const size_t count = take_said(&p, end, bytes);
		memcpy(to + said, bytes, count);
		said += count;
	}
	return said;
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
	if (c < ' ' || c == 0x7f) {
		char escape[8];
		(void)snprintf(escape, sizeof escape, "\\u%04x", c);
		memcpy(to, escape, 6);
		return 6;
	}
	to[0] = (char)c;
	return 1;
}

/* The same of what begins with a byte beyond ASCII: size bytes are left, of which *taken are it. */
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
