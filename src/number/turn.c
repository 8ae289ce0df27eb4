/* Things of 1, 2, 4 or 8 bytes are swapped as words, in loops that compilers turn into vectors. Other things are
 * swapped in pieces. */
#include "number/turn.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Words that may lie where things of any type are. */
typedef uint8_t bits_8 __attribute__((may_alias));
typedef uint16_t bits_16 __attribute__((may_alias));
typedef uint32_t bits_32 __attribute__((may_alias));
typedef uint64_t bits_64 __attribute__((may_alias));

/* Swaps the first thing with the last one, and so on: `half` things from `low` on with those before `high`. (They are
 * two arrays for the compiler, so that it makes vectors.) */
#define TURN_OF(name, type)                                                    \
	static void name(type *restrict low, type *restrict high, size_t half) \
	{                                                                      \
		for (size_t i = 0; i < half; i++) {                            \
			const type t = low[i];                                 \
			low[i] = *(high - 1 - i);                              \
			*(high - 1 - i) = t;                                   \
		}                                                              \
	}

TURN_OF(turn_8, bits_8)
TURN_OF(turn_16, bits_16)
TURN_OF(turn_32, bits_32)
TURN_OF(turn_64, bits_64)

/* Bytes that are swapped at once. */
#define PIECE 64

static void swap(unsigned char *a, unsigned char *b, size_t size)
{
	unsigned char t[PIECE];
	for (size_t done = 0, some; done < size; done += some) {
		some = size - done < sizeof t ? size - done : sizeof t;
		memcpy(t, a + done, some);
		memcpy(a + done, b + done, some);
		memcpy(b + done, t, some);
	}
}

void turn(void *things, size_t count, size_t size)
{
	unsigned char *low = things;
	unsigned char *high = low + count * size;
	const size_t half = count / 2;
	/* (Elements in memory are aligned; columns of records need not be.) */
	const bool is_aligned = (uintptr_t)things % (size > 0 ? size : 1) == 0;
	if (half == 0) {
		return;
	} else if (size == 1) {
		turn_8(low, high, half);
	} else if (size == 2 && is_aligned) {
		turn_16((bits_16 *)things, (bits_16 *)(void *)high, half);
	} else if (size == 4 && is_aligned) {
		turn_32((bits_32 *)things, (bits_32 *)(void *)high, half);
	} else if (size == 8 && is_aligned) {
		turn_64((bits_64 *)things, (bits_64 *)(void *)high, half);
	} else {
		for (size_t i = 0; i < half; i++)
			swap(low + i * size, high - (i + 1) * size, size);
	}
}
