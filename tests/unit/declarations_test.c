/* What a program declares (scan/declarations.h): sizes of structs as the compiler has them, and random words through the fuzz target of
 * the same name.
 *
 * Usage: declarations_test [TEXTS [SEED]]. */
#include "../fuzz/declarations_fuzz.c"

#include "check.h"
#include "random.h"

typedef unsigned char uchar;
typedef unsigned short ushort_of_opencl;
typedef int64_t long_of_opencl;
typedef uint64_t ulong_of_opencl;
#define ushort ushort_of_opencl
#define uint uint32_t
#define ulong ulong_of_opencl

/* A struct as text, and its size. (int64_t stands for OpenCL's long.) */
#define CASE(...)                                                                        \
	{                                                                                \
		"typedef struct {" #__VA_ARGS__ "} state;", sizeof(struct {__VA_ARGS__}) \
	}

static void test_sizes(void)
{
	static const struct {
		const char *text;
		size_t size;
	} cases[] = {
		CASE(char a;),
		CASE(char a; short b;),
		CASE(char a; int b; char c;),
		CASE(char a; double b;),
		CASE(double a; char b;),
		CASE(short a[3]; int b;),
		CASE(char a[5]; short b[2][3]; double c;),
		CASE(float a, b[3], c;),
		CASE(struct {
			char x;
			short y;
		} a[3];
		     double b;),
		CASE(char a; struct { double x; } b; char c;),
		CASE(unsigned char a; signed b; unsigned c; unsigned short d;),
		CASE(double a[16];),
		CASE(char a; struct {
			char x;
			struct {
				int y;
			} z[2];
		} b;),
	};
	static const char rest[] =
		" state lift(double x) {} state combine(state a, state b) {} double emit(state s) {}";
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char whole[512];
		struct declarations d;
		struct declaration_error error;
		(void)snprintf(whole, sizeof whole, "%s%s", cases[i].text, rest);
		EXPECT(declarations_read(whole, strlen(whole), &d, &error) == STATUS_OK &&
			       d.state_size == cases[i].size,
		       "%s: %zu, not %zu bytes", cases[i].text, d.state_size, cases[i].size);
	}
	check_promise("a state has the size that the compiler gives it");
}

static void test_words(unsigned long texts)
{
	uint8_t input[80];
	for (unsigned long i = 0; i < texts; i++) {
		const size_t size = 2 + random_below(sizeof input - 2);
		input[0] = 1;
		for (size_t k = 1; k < size; k++)
			input[k] = (uint8_t)random_below(256);
		/* Every other text begins as a program does. */
		static const char *const begin[] = {"typedef struct { double a; int b[3]; } state;",
						    "state lift(double x)",
						    "{ return a; }",
						    "state combine(state a, state b)",
						    "{ return a; }",
						    "double emit(state s)"};
		for (size_t k = 0; k < 6 && i % 2 == 0 && k + 2 < size; k++) {
			for (size_t w = 0; w < WORDS; w++)
				input[k + 1] = strcmp(words[w], begin[k]) == 0 ? (uint8_t)w : input[k + 1];
		}
		EXPECT(LLVMFuzzerTestOneInput(input, size) == 0, "text %lu", i);
	}
	check_promise("random words are read within the promises, whatever stands between them");
}

int main(int argc, char **argv)
{
	if (argc > 2)
		random_state = strtoull(argv[2], NULL, 10);
	test_sizes();
	test_words(argc > 1 ? strtoul(argv[1], NULL, 10) : 20000);
	return check_done();
}
