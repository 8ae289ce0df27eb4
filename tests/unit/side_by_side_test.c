/* Which users' programs are also written for vectors (language/side_by_side.h), and what is written.
 * tests/cli/program_files.bats tests on a device what the vector code computes. */
#include "language/side_by_side.h"

#include <string.h>

#include "check.h"
#include "scan/program.h"

#define DOUBLES "typedef struct { double x; } state;"
#define INTS "typedef struct { int x; } state;"
#define ULONGS "typedef struct { ulong x, y; } state;"
#define LOOP "for (int i = 0; i < 3; i++) a.x = a.x + b.x;"
#define COMBINE(...) "state combine(state a, state b) { " __VA_ARGS__ " return a; }"

static bool is_written(const char *text, struct bytes *copy)
{
	bool written = false;
	EXPECT(side_by_side_write(text, strlen(text), copy, &written) == STATUS_OK, "%s", text);
	EXPECT(written == (copy->size > 0), "%s: %zu bytes", text, copy->size);
	return written;
}

static void test_choice(void)
{
	static const struct {
		const char *text;
		bool written;
	} cases[] = {
		{DOUBLES COMBINE(LOOP), true},
		{DOUBLES COMBINE("a.x += b.x;"), false}, /* cheap */
		{DOUBLES COMBINE("a.x = a.x / b.x;"), false},
		{INTS COMBINE("a.x = a.x / b.x;"), true},
		{"typedef float state;" COMBINE("a = a / b;"), true},
		{DOUBLES COMBINE("a.x = sqrt(a.x * b.x);"), true},
		{DOUBLES COMBINE("a.x = exp(a.x * b.x);"), false}, /* may round otherwise */
		{DOUBLES COMBINE("a.x = fmax(a.x, b.x);"), false},
		{INTS COMBINE("a.x = max(a.x, b.x);"), true},
		{DOUBLES COMBINE("a.x = max(a.x, b.x);"), false},
		{"typedef struct { short x; } state;" COMBINE(LOOP), false},
		{"typedef struct { double x; float y; } state;" COMBINE(LOOP), false},
		{"typedef struct { long x; ulong y; } state;" COMBINE(LOOP), false},
		{INTS COMBINE("a.x = a.x / 5u;"), false}, /* C makes a.x unsigned */
		{INTS COMBINE("a.x = a.x / 0x5;"), false},
		{INTS COMBINE("for (uint i = 1; i < 3; i++) a.x = a.x / i;"), false},
		{ULONGS COMBINE("for (int i = 1; i < 3; i++) a.x = a.x / i;"), true},
		/* Comparisons. */
		{DOUBLES COMBINE(LOOP "a.x += a.x < b.x;"), false},
		{DOUBLES COMBINE(LOOP "a.x = a.x < b.x ? a.x : b.x;"), true},
		{DOUBLES COMBINE(LOOP "a.x = (a.x < b.x && !(b.x == 0)) || a.x >= 2 ? a.x : b.x;"), true},
		{DOUBLES COMBINE(LOOP "a.x = (a.x < b.x) == 1 ? a.x : b.x;"), false},
		{DOUBLES COMBINE(LOOP "a.x = 2 * (a.x < b.x) ? a.x : b.x;"), false},
		{INTS COMBINE(LOOP "a.x = a.x ? a.x : b.x;"), false}, /* the highest bit would choose */
		{INTS COMBINE(LOOP "a.x = !a.x ? a.x : b.x;"), false},
		{INTS COMBINE(LOOP "a.x = a.x << 3 >> 2;"), true},
		{DOUBLES COMBINE(LOOP "a.x = a.x < b.x ? b.x++ : b.x;"), false},
		{DOUBLES COMBINE(LOOP "a.x = a.x < b.x ? (b.x = 1) : b.x;"), false},
		{INTS COMBINE(LOOP "a.x = b.x != 0 ? a.x / b.x : 0;"), false}, /* both sides are computed */
		{INTS COMBINE(LOOP "a.x = b.x != 0 ? a.x / 3 : b.x;"), true},
		{DOUBLES COMBINE(LOOP "if (a.x < b.x) a.x = b.x;"), true}, /* the compiler refuses it */
		{INTS COMBINE("for (int i = 0; i < 3; i++, a.x += a.x > b.x) b.x = i;"), false},
		{INTS COMBINE("for (int i = 0; i < 3; a.x += (a.x == b.x), i++) b.x = i;"), false},
		{INTS COMBINE(LOOP "for (a.x = a.x > b.x; ; ) break;"), false},
		{INTS COMBINE(LOOP "if (a.x += a.x > b.x, 1) a.x = 3;"), false},
		{INTS COMBINE("while (a.x += a.x > b.x, 0) a.x = 3;"), false},
		{INTS COMBINE("for (int i = 0; i < 3 && i != 1; i++) b.x += a.x < 3 ? i : a.x;"), true},
		{INTS COMBINE(LOOP "a.x = a.x > b.x ?: b.x;"), false},
		{INTS COMBINE(LOOP "int y = 1; a.x = a.x > b.x && (y = a.x - b.x) > 2 ? y : 1;"), false},
		{INTS "int f(int x) { return x; }" COMBINE("a.x = a.x > b.x ? f(a.x) : 3;"), false},
		/* Numbers in lists: they would be lanes. */
		{ULONGS COMBINE(LOOP "state s = {a.x, b.y};"), true},
		{ULONGS COMBINE(LOOP "state s = {a.x, 1};"), false},
		{ULONGS COMBINE("for (int i = 0; i < 3; i++) { state s = {a.x, i}; a = s; }"), false},
		{"#define ONE 1\n" ULONGS COMBINE(LOOP "state s = {a.x, ONE};"), false},
		{ULONGS COMBINE(LOOP "return (state){a.x, b.y};"), false},
		/* What else a text may have. */
		{"#define P 998244353\n" ULONGS COMBINE("a.x = a.x * b.x % P;"), true},
		{"#define P 5 + 3\n" ULONGS COMBINE("a.x = a.x * b.x % P;"), false},
		{"#define F(x) (x)\n" ULONGS COMBINE("a.x = F(a.x) % 3;"), false},
		{"#if 1\n#endif\n" ULONGS COMBINE("a.x = a.x % 3;"), false},
		{ULONGS "ulong twice(ulong x) { return 2 * x; }" COMBINE("a.x = twice(b.x);"), true},
		{ULONGS "void twice(ulong *x) { *x *= 2; }" COMBINE("twice(&b.x);"), false},
		{ULONGS "constant ulong table[2] = {1, 2};" COMBINE("a.x = table[1] % 3;"), false},
		{ULONGS "constant ulong table[2] = {1, 2};" COMBINE("a.x = a.x % 3;"), true}, /* not copied */
		{"#define N 3\n" ULONGS
		 "ulong f(ulong x) { return x * N; }\n#define N 7\n" COMBINE("a.x = f(a.x) * N;"),
		 false},
		{ULONGS "ulong f(ulong N) { return N; }\n#define N 7\n" COMBINE("a.x = f(a.x) * N;"), false},
		{ULONGS "// a \\ \n" COMBINE("a.x = a.x % 3;"), false},
		{ULONGS "/* a \\ b, #3 \\\n */\n" COMBINE("a.x = a.x % 3;"), false},
		{ULONGS "// a \\ b, #3: $\n/* #\n#if */\n" COMBINE("a.x = a.x % 3;"), true},
		{"#define P 3 // #1\n" ULONGS COMBINE("a.x = a.x % P;"), true},
		{ULONGS "// what?\?/\n" COMBINE("a.x = a.x % 3;"), false},
		{ULONGS COMBINE("a.x = a.x % 3;") "_Pragma(\"OPENCL FP_CONTRACT ON\")", false},
		{ULONGS COMBINE("a.x = a.x % 3;") "\n%:pragma OPENCL FP_CONTRACT ON\n", false},
		{ULONGS COMBINE("a.x = a.x % 3 + sizeof a;"), false},
		{ULONGS COMBINE("a.x = a.x % 3 + 'x';"), false},
		{ULONGS COMBINE("a.x = (a.x, b.x) % 3;"), false},
		{ULONGS COMBINE("a.x = a.x % 3; goto end; end:"), false},
		{ULONGS
		 "typedef struct { uchar c; } other; other emit(state s) { other o = {s.x < 3}; return o; }" COMBINE(
			 "a.x = a.x % 3;"),
		 true}, /* nor is that */
		/* Of a structure its tag is a name, and no member. */
		{"struct all { int x, s; };" DOUBLES COMBINE(LOOP), true},
		{"struct all { double x; };" DOUBLES COMBINE(LOOP "struct all s = {a.x};"), false},
		{"struct all { enum { y = 3 } x; };" ULONGS COMBINE("a.x = a.x % 3 + y;"), false},
		{"struct all { int x; } y;" ULONGS COMBINE("a.x = a.x % 3 + y.x;"), false},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct bytes copy = {0};
		EXPECT(is_written(cases[i].text, &copy) == cases[i].written, "%s: %s", cases[i].text,
		       cases[i].written ? "not written" : "written");
		bytes_free(&copy);
	}
	check_promise("texts that mean the same with vectors are written, and no others");
}

static void test_copy(void)
{
	static const char text[] = "#define P 7 // a prime\n"
				   "typedef struct { ulong x; } state; // {\n"
				   "state lift(ulong x) { state s = {x + 1}; return s; }\n"
				   "state combine(state a, state b)\n"
				   "{ for (ulong i = 0; i < P; i++) a.x += max(a.x, (ulong)b.x); return a; }\n"
				   "ulong emit(state s) { return s.x; }\n";
	static const char right[] =
		"\n#line 1 \"side by side\"\n"
		"typedef struct { ulong16 pscan_v_x; } pscan_v_state;"
		"\npscan_v_state pscan_v_combine(pscan_v_state pscan_v_a, pscan_v_state pscan_v_b)\n"
		"{ for (ulong pscan_v_i = 0; pscan_v_i < 7; pscan_v_i++) pscan_v_a.pscan_v_x += "
		"max(pscan_v_a.pscan_v_x, "
		"(ulong16)pscan_v_b.pscan_v_x); return pscan_v_a; }\n"
		"typedef ulong pscan_v_word;\n";
	struct bytes copy = {0};
	EXPECT(is_written(text, &copy), "nothing written");
	const char *const got = copy.data != NULL ? (const char *)copy.data : "";
	size_t same = 0;
	while (same < copy.size && same < sizeof right - 1 && got[same] == right[same])
		same++;
	EXPECT(same == sizeof right - 1, "byte %zu: %.*s", same, (int)copy.size, got);
	bytes_free(&copy);
	check_promise("numbers become vectors, names others, macros what they stand for");
}

static void test_cost(void)
{
	static const struct {
		const char *expression;
		bool is_dear;
	} cases[] = {
		{"a * b + 1", false},
		{"a % b", true},
		{"a / b", true},
		{"pow(a, b)", true},
		{"atan2(a, b)", true},
		{"rsqrt(a) * b", true},
		{"fma(a, b, a)", false},
		/* Names that only begin as such functions do. */
		{"cost + power * single * a * b", false},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct program *p = NULL;
		EXPECT(program_new(cases[i].expression, &p) == STATUS_OK && p->is_dear == cases[i].is_dear, "%s: %s",
		       cases[i].expression, cases[i].is_dear ? "not dear" : "dear");
		program_free(p);
	}
	check_promise("combining is dear with a loop, a division or a function that is made of many operations");
}

int main(void)
{
	test_choice();
	test_copy();
	test_cost();
	return check_done();
}
