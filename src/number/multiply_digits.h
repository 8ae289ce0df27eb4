/* Multiplies numbers of any length, which are digits. */
#ifndef PSCAN_NUMBER_MULTIPLY_DIGITS_H
#define PSCAN_NUMBER_MULTIPLY_DIGITS_H

#include <stddef.h>
#include <stdint.h>

/* Multiplies the number that consists of `count` digits by a factor, at most 2^20, and adds another number, in place.
 * Enough of the first digits must be zeros that the result has at most `count` digits. */
static inline void multiply_digits(char *digits, size_t count, uint32_t factor, uint64_t added)
{
	for (size_t i = count; i-- > 0; added /= 10) {
		added += (uint64_t)(digits[i] - '0') * factor;
		digits[i] = (char)('0' + (int)(added % 10));
	}
}

#endif
