/* The lesser of two sizes. */
#ifndef PSCAN_BASE_LEAST_H
#define PSCAN_BASE_LEAST_H

#include <stddef.h>

/* Returns a or b, whichever is less. */
static inline size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

#endif
