/* What a program declares (language/declarations.h). The sizes of its structs are compared with the compiler's. Random
 * words go through the fuzz target of the same name.
 *
 * Usage: declarations_test [TEXTS [SEED]]: TEXTS random texts. */
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
		struct text_error error;
		(void)snprintf(whole, sizeof whole, "%s%s", cases[i].text, rest);
		EXPECT(declarations_read(whole, strlen(whole), &d, &error) == STATUS_OK &&
			       d.state.size == cases[i].size,
		       "%s: %zu, not %zu bytes", cases[i].text, d.state.size, cases[i].size);
	}
	check_promise("a state has the size that the compiler gives it");
}

/* Each number of a state, by its name, where the compiler puts it. */
static void test_members(void)
{
	static const char text[] =
		"typedef struct { char a; struct { float x; int y[2]; } b[2]; double c; } state;"
		" state lift(double x) {} state combine(state a, state b) {} double emit(state s) {}";
	struct sample {
		char a;
		struct {
			float x;
			int y[2];
		} b[2];
		double c;
	};
	static const struct {
		const char *name;
		size_t number;
		enum member_kind kind;
		size_t offset;
	} wanted[] = {
		{"a", 0, MEMBER_I8, 0},
		{"b", 1, MEMBER_F32, offsetof(struct sample, b[0].x)},
		{"b", 2, MEMBER_I32, offsetof(struct sample, b[0].y[0])},
		{"b", 3, MEMBER_I32, offsetof(struct sample, b[0].y[1])},
		{"b", 4, MEMBER_F32, offsetof(struct sample, b[1].x)},
		{"b", 5, MEMBER_I32, offsetof(struct sample, b[1].y[0])},
		{"b", 6, MEMBER_I32, offsetof(struct sample, b[1].y[1])},
		{"c", 0, MEMBER_F64, offsetof(struct sample, c)},
	};
	struct declarations d;
	struct text_error error;
	EXPECT(declarations_read(text, strlen(text), &d, &error) == STATUS_OK && d.state.count == 8 &&
		       d.state.size == sizeof(struct sample) && d.carry.count == 0,
	       "%zu numbers", d.state.count);
	for (size_t i = 0; i < 8 && d.state.count == 8; i++) {
		const struct layout_member *m = &d.state.members[i];
		EXPECT(m->name_size == 1 && m->name[0] == wanted[i].name[0] && m->number == wanted[i].number &&
			       m->kind == wanted[i].kind && m->offset == wanted[i].offset,
		       "number %zu: %.*s.%zu at %zu", i, (int)m->name_size, m->name, m->number, m->offset);
	}
	check_promise("every number of a state is known by its name, its type and its place");
}

/* What is said of a text, or "" if it is read. */
static const char *why_not(const char *text, struct declarations *d)
{
	static struct text_error error;
	const enum status status = declarations_read(text, strlen(text), d, &error);
	EXPECT((status == STATUS_OK) == (error.why[0] == '\0'), "%s: %s", text, error.why);
	return error.why;
}

static void test_carry(void)
{
	static const char program[] = "typedef struct { float a; } state; state lift(float x) {}"
				      "state combine(state a, state b) {} float emit(state s) {}";
	static const char *const parts[] = {
		"typedef struct { double hi, lo; char c; } carry;",
		"carry carry_first(state total) {}",
		"static inline carry carry_add(const carry before, state) {}",
		"__attribute__((always_inline)) state carry_prefix(carry before);",
	};
	struct declarations d;
	char text[1024];
	EXPECT(strcmp(why_not(program, &d), "") == 0 && d.carry.size == 0, "a carry of %zu bytes", d.carry.size);
	for (unsigned left_out = 0; left_out < 16; left_out++) {
		size_t size = (size_t)snprintf(text, sizeof text, "%s", program);
		for (size_t i = 0; i < 4; i++)
			size += (size_t)snprintf(text + size, sizeof text - size, "%s",
						 (left_out >> i & 1) == 0 ? parts[i] : "");
		const bool good = strcmp(why_not(text, &d), "") == 0;
		EXPECT(good == (left_out == 0 || left_out == 15), "without the parts %x: %d", left_out, good);
		EXPECT(!good || d.carry.size == (left_out == 0 ? 24 : 0), "a carry of %zu bytes", d.carry.size);
	}
	check_promise("a carry comes with its three functions, or not at all, and has the compiler's size");
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
	test_members();
	test_carry();
	test_words(argc > 1 ? strtoul(argv[1], NULL, 10) : 20000);
	return check_done();
}
