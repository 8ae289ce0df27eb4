/* Writes pseudorandom f32, or f64, in [0, 1), multiples of 2^-24, the same ones every time. Usage: numbers SIZE [f64]
 * (bytes, with K, M, G). */
#include <stdio.h>
#include <string.h>

#include "bench.h"

#define BLOCK ((size_t)1 << 16)

int main(int argc, char **argv)
{
	static float floats[BLOCK];
	static double doubles[BLOCK];
	uint32_t state = 123456789;
	size_t left;
	const bool wide = argc == 3 && strcmp(argv[2], "f64") == 0;
	if (argc < 2 || (argc > 2 && !wide) || !bench_parse_size(argv[1], &left)) {
		(void)fputs("usage: numbers SIZE [f64]\n", stderr);
		return 2;
	}
	const void *block = wide ? (const void *)doubles : floats;
	const size_t block_bytes = wide ? sizeof doubles : sizeof floats;
	while (left > 0) {
		const size_t bytes = left < block_bytes ? left : block_bytes;
		for (size_t i = 0; i < BLOCK; i++) {
			floats[i] = (float)(bench_random(&state) >> 8) * 0x1p-24f;
			doubles[i] = (double)floats[i];
		}
		if (fwrite(block, 1, bytes, stdout) != bytes)
			return 1;
		left -= bytes;
	}
	return fflush(stdout) == 0 ? 0 : 1;
}
