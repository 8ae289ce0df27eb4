/* Reverses the order of things: of every size that has its own loop and of other sizes, aligned or not. */
#include <string.h>

#include "number/turn.h"

#include "check.h"

static void test_sizes(void)
{
	static _Alignas(64) unsigned char things[64 * 300 + 8], before[sizeof things];
	static const size_t sizes[] = {1, 2, 3, 4, 8, 12, 16, 24, 64, 65, 200, 300};
	static const size_t counts[] = {0, 1, 2, 3, 15, 16, 17, 63, 64};
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] * (sizeof counts / sizeof counts[0]) * 2; i++) {
		const size_t size = sizes[i / 2 % (sizeof sizes / sizeof sizes[0])];
		const size_t count = counts[i / 2 / (sizeof sizes / sizeof sizes[0])];
		const size_t at = i % 2; /* not aligned */
		size_t wrong = 0;
		for (size_t k = 0; k < sizeof things; k++)
			before[k] = things[k] = (unsigned char)(k * 7 + k / 251);
		turn(things + at, count, size);
		for (size_t k = 0; k < count; k++)
			wrong += memcmp(things + at + k * size, before + at + (count - 1 - k) * size, size) != 0;
		wrong += memcmp(things, before, at) != 0;
		wrong += memcmp(things + at + count * size, before + at + count * size,
				sizeof things - at - count * size) != 0;
		EXPECT(wrong == 0, "%zu things of %zu bytes at %zu", count, size, at);
	}
	check_promise("things change places, and nothing else is written");
}

int main(void)
{
	test_sizes();
	return check_done();
}
