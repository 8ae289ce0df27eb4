/* Writes pseudorandom f32 in [0, 1), multiples of 2^-24, the same ones every time. Usage: numbers SIZE (bytes, with K,
 * M, G). */
#include <stdio.h>

#include "bench.h"

#define BLOCK ((size_t)1 << 16)

int main(int argc, char **argv)
{
	static float block[BLOCK];
	uint32_t state = 123456789;
	size_t left;
	if (argc != 2 || !bench_parse_size(argv[1], &left)) {
		(void)fputs("usage: numbers SIZE\n", stderr);
		return 2;
	}
	while (left > 0) {
		const size_t bytes = left < sizeof block ? left : sizeof block;
		for (size_t i = 0; i < BLOCK; i++)
			block[i] = (float)(bench_random(&state) >> 8) * 0x1p-24f;
		if (fwrite(block, 1, bytes, stdout) != bytes)
			return 1;
		left -= bytes;
	}
	return fflush(stdout) == 0 ? 0 : 1;
}
