/* What a string of JSON says. */
#include <stdint.h>
#include <string.h>

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

/* The bytes of the valid escape at *p. Advances *p. */
static size_t read_escape(const char **p, const char *end, char *to)
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
static size_t read_said(const char **p, const char *end, char bytes[4])
{
	if (**p == '\\')
		return read_escape(p, end, bytes);
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
		const size_t count = read_said(&p, end, bytes);
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
		const size_t count = read_said(&p, end, bytes);
		memcpy(to + said, bytes, count);
		said += count;
	}
	return said;
}
