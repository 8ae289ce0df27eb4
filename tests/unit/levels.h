/* Which levels of instruction sets (rows/level.h) this machine's build has. */
#ifndef PSCAN_TESTS_UNIT_LEVELS_H
#define PSCAN_TESTS_UNIT_LEVELS_H

#include <stdbool.h>

#include "rows/level.h"

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define LITTLE_ENDIAN_HERE true
#else
#define LITTLE_ENDIAN_HERE false
#endif
#ifdef __x86_64__
#define X86_64_HERE true
#else
#define X86_64_HERE false
#endif

/* Whether this machine has the instructions of a level. */
static inline bool level_is_here(const char *name)
{
	return level_find(name) <= level_of_machine();
}

#endif
