/* Which levels of instruction sets (scan/level.h) this machine's build has. */
#ifndef PSCAN_TESTS_UNIT_LEVELS_H
#define PSCAN_TESTS_UNIT_LEVELS_H

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

#endif
