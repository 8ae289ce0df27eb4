/* The ranges of bytes are those of Table 3-7 of the Unicode Standard: no overlong forms, no surrogates. */
#include "base/utf8.h"

#include <stdbool.h>

size_t utf8_sequence(unsigned char first, unsigned char *low, unsigned char *high)
{
	*low = 0x80;
	*high = 0xbf;
	if (first >= 0xc2 && first <= 0xdf)
		return 2;
	if (first >= 0xe0 && first <= 0xef) {
		if (first == 0xe0)
			*low = 0xa0; /* overlong */
		if (first == 0xed)
			*high = 0x9f; /* surrogates */
		return 3;
	}
	if (first >= 0xf0 && first <= 0xf4) {
		if (first == 0xf0)
			*low = 0x90;
		if (first == 0xf4)
			*high = 0x8f;
		return 4;
	}
	return 0;
}

size_t utf8_size(const char *p, const char *end)
{
	unsigned char low;
	unsigned char high;
	const size_t size = utf8_sequence((unsigned char)*p, &low, &high);
	bool is_good = size > 0 && size <= (size_t)(end - p);
	for (size_t i = 1; is_good && i < size; i++) {
		const unsigned char c = (unsigned char)p[i];
		is_good = i == 1 ? c >= low && c <= high : c >= 0x80 && c <= 0xbf;
	}
	return is_good ? size : 0;
}

size_t utf8_decode(const char *p, const char *end, uint32_t *character)
{
	const size_t size = utf8_size(p, end);
	*character = (unsigned char)*p & (size > 0 ? 0x7fu >> size : 0xff);
	for (size_t i = 1; i < size; i++)
		*character = *character << 6 | ((unsigned char)p[i] & 0x3f);
	return size;
}
