/* The first NaN among many numbers is found. The oracle looks at the bits of one number after another. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "number/nan.h"

#include "check.h"

#define COUNT 1400

static size_t find_slowly(const float *x, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint32_t bits;
		memcpy(&bits, &x[i], sizeof bits);
		if ((bits & 0x7f800000) == 0x7f800000 && (bits & 0x007fffff) != 0)
			return i;
	}
	return count;
}

int main(void)
{
	static float narrow[COUNT];
	static double wide[COUNT];
	static const int32_t integers[] = {0x7fc00000, -1};
	for (size_t i = 0; i < COUNT; i++) {
		static const float others[] = {0, -INFINITY, INFINITY, -1.5f};
		narrow[i] = others[i % 4];
		wide[i] = (double)narrow[i];
	}
	for (size_t at = 0; at < COUNT; at++) {
		const float before = narrow[at];
		/* Quiet or not, of either sign; and a later one. */
		const uint32_t bits = (at % 2 == 0 ? 0x7fc00000u : 0x7f800001u) | (at % 3 == 0 ? 0x80000000u : 0u);
		memcpy(&narrow[at], &bits, sizeof bits);
		wide[at] = (double)NAN;
		if (at + 7 < COUNT)
			wide[at + 7] = (double)NAN;
		EXPECT(find_slowly(narrow, COUNT) == at, "the test's own NaN at %zu", at);
		EXPECT(nan_find(&type_table[TYPE_F32], narrow, COUNT) == at, "f32: at %zu", at);
		EXPECT(nan_find(&type_table[TYPE_F32], narrow, at) == at, "f32: none before %zu", at);
		EXPECT(nan_find(&type_table[TYPE_F64], wide, COUNT) == at, "f64: at %zu", at);
		narrow[at] = before;
		wide[at] = (double)before;
		if (at + 7 < COUNT)
			wide[at + 7] = 1;
	}
	EXPECT(nan_find(&type_table[TYPE_I32], integers, 2) == 2, "integers are no NaNs");
	check_promise("the first NaN is found wherever it is");
	return check_done();
}
