/* The tables of write_digits.h. */
#include "number/write_digits.h"

/* clang-format off */
#define ONES(a, b, c) \
	{a, b, c, '0'}, {a, b, c, '1'}, {a, b, c, '2'}, {a, b, c, '3'}, {a, b, c, '4'}, \
	{a, b, c, '5'}, {a, b, c, '6'}, {a, b, c, '7'}, {a, b, c, '8'}, {a, b, c, '9'},
#define TENS(a, b) \
	ONES(a, b, '0') ONES(a, b, '1') ONES(a, b, '2') ONES(a, b, '3') ONES(a, b, '4') \
	ONES(a, b, '5') ONES(a, b, '6') ONES(a, b, '7') ONES(a, b, '8') ONES(a, b, '9')
#define HUNDREDS(a) \
	TENS(a, '0') TENS(a, '1') TENS(a, '2') TENS(a, '3') TENS(a, '4') \
	TENS(a, '5') TENS(a, '6') TENS(a, '7') TENS(a, '8') TENS(a, '9')

const char put_quads[10000][4] = {
	HUNDREDS('0') HUNDREDS('1') HUNDREDS('2') HUNDREDS('3') HUNDREDS('4')
	HUNDREDS('5') HUNDREDS('6') HUNDREDS('7') HUNDREDS('8') HUNDREDS('9')
};
/* clang-format on */

const struct reciprocal put_reciprocals[] = {
	{0, 0},
	{UINT64_C(0xcccccccccccccccd), 3},
	{UINT64_C(0xa3d70a3d70a3d70b), 6},
	{UINT64_C(0x83126e978d4fdf3c), 9},
	{UINT64_C(0xd1b71758e219652c), 13},
	{UINT64_C(0xa7c5ac471b478424), 16},
	{UINT64_C(0x8637bd05af6c69b6), 19},
	{UINT64_C(0xd6bf94d5e57a42bd), 23},
	{UINT64_C(0xabcc77118461cefd), 26},
	{UINT64_C(0x89705f4136b4a598), 29},
	{UINT64_C(0xdbe6fecebdedd5bf), 33},
	{UINT64_C(0xafebff0bcb24aaff), 36},
	{UINT64_C(0x8cbccc096f5088cc), 39},
	{UINT64_C(0xe12e13424bb40e14), 43},
	{UINT64_C(0xb424dc35095cd810), 46},
	{UINT64_C(0x901d7cf73ab0acda), 49},
	{UINT64_C(0xe69594bec44de15c), 53},
	{UINT64_C(0xb877aa3236a4b44a), 56},
	{UINT64_C(0x9392ee8e921d5d08), 59},
};
