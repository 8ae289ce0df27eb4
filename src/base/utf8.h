/* UTF-8. */
#ifndef PSCAN_BASE_UTF8_H
#define PSCAN_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Returns the length of the multi-byte sequence (2 to 4 bytes) that begins with the byte `first`, or 0 if none begins
 * with it. Sets *low and *high: the second byte must be *low .. *high. Later bytes must be 0x80 .. 0xbf. Pure. */
size_t utf8_sequence(unsigned char first, unsigned char *low, unsigned char *high);

/* Returns how many bytes (2 to 4) the character at p has. 0: it is ASCII, is not well-formed, or does not end before
 * `end`. p must be before `end`. Pure. */
size_t utf8_size(const char *p, const char *end);

/* Returns what utf8_size returns. Sets *character to the character at p, or to the byte at p if 0 is returned. Pure. */
size_t utf8_decode(const char *p, const char *end, uint32_t *character);

/* Returns the bytes of the character at p, which must be before `end`, and sets *columns to the columns that it takes
 * on a screen: 0, 1 or 2. A byte that is not UTF-8 counts as a character of one column. Pure. */
size_t utf8_columns(const char *p, const char *end, unsigned *columns);

#endif
