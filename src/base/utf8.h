/* UTF-8. */
#ifndef PSCAN_BASE_UTF8_H
#define PSCAN_BASE_UTF8_H

#include <stddef.h>

/* The length of the sequence of two or more bytes that first begins, 0 if none does; *low and *high bound its second
 * byte, 0x80 and 0xbf those after it. Pure. */
size_t utf8_sequence(unsigned char first, unsigned char *low, unsigned char *high);

/* The bytes of the character at p, before end, and how many columns of the screen it takes: 0, 1 or 2. A byte that is
 * no UTF-8 is one of one column. Pure. */
size_t utf8_columns(const char *p, const char *end, unsigned *columns);

#endif
