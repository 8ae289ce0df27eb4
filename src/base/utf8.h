/* UTF-8. */
#ifndef PSCAN_BASE_UTF8_H
#define PSCAN_BASE_UTF8_H

#include <stddef.h>

/* The length of the sequence of two or more bytes that first begins, 0 if none does; *low and *high bound its second byte, 0x80 and
 * 0xbf those after it. Pure. */
size_t utf8_sequence(unsigned char first, unsigned char *low, unsigned char *high);

#endif
