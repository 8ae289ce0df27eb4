/* What the fuzz targets share. A target is one file NAME_fuzz.c with libFuzzer's entry point; an input's first bytes
 * choose options, the rest is what is read. A broken promise ends the program, and libFuzzer keeps the input. */
#ifndef PSCAN_TESTS_FUZZ_H
#define PSCAN_TESTS_FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the program with the text unless the condition holds. */
#define REQUIRE(condition, ...)                                                 \
	do {                                                                    \
		if (!(condition)) {                                             \
			(void)fprintf(stderr, "%s:%d: ", __FILE__, __LINE__);   \
			(void)fprintf(stderr, __VA_ARGS__);                     \
			(void)fprintf(stderr, " (%s is not so)\n", #condition); \
			__builtin_trap();                                       \
		}                                                               \
	} while (0)

/* The next byte of what chooses options; 0 behind the end. */
static inline unsigned fuzz_choose(const uint8_t **data, size_t *size)
{
	if (*size == 0)
		return 0;
	const unsigned byte = **data;
	(*data)++;
	(*size)--;
	return byte;
}

/* A block of exactly size bytes, so that reading behind its end is an error that AddressSanitizer sees; the caller
 * frees it. */
static inline void *fuzz_copy(const void *data, size_t size)
{
	void *copy = malloc(size > 0 ? size : 1);
	REQUIRE(copy != NULL, "no memory for %zu bytes", size);
	if (size > 0)
		memcpy(copy, data, size);
	return copy;
}

#endif
