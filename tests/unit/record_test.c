/* Where lines, fields and records end. Random texts of the few bytes that mean something go through the fuzz target of
 * the same name, whose oracle looks at one byte at a time and ends the program where it finds another answer.
 *
 * Usage: record_test [TEXTS [SEED]]. */
#include "../fuzz/record_fuzz.c"

#include "check.h"
#include "random.h"

#define SIZE_MAX_RANDOM 120

/* The bytes that choose rules and pieces, then the text. */
static size_t random_input(uint8_t *input)
{
	static const char bytes[] = "\"\"\",,\n\n#a b;\r\t1:";
	const size_t size = 1 + random_below(SIZE_MAX_RANDOM);
	for (size_t i = 0; i < 5; i++)
		input[i] = (uint8_t)random_below(256);
	/* Some texts are of few kinds, so that long runs of one come about. */
	const unsigned kinds = 1 + random_below(sizeof bytes - 1);
	for (size_t i = 0; i < size; i++)
		input[5 + i] = (uint8_t)bytes[random_below(kinds)];
	return 5 + size;
}

static void test_comment_at_end(void)
{
	const struct text_rules rules = {.comment = "##", .comment_size = 2};
	const char *text = "##";
	CHECK(line_is_comment(&rules, text, text + 2) && !line_is_comment(&rules, text, text + 1),
	      "what stands behind the end makes no comment");
}

/* A quote in a comment opens nothing, also where the first bytes end within the comment's mark. */
static void test_comment_in_pieces(void)
{
	static const char text[] = "1\n##,\"\n2\n";
	const struct record_format format = {
		.input = FORMAT_TEXT,
		.text = {.cut = CUT_CSV, .field_count = 1, .delimiter = ',', .comment = "##", .comment_size = 2}};
	for (size_t first = 1; first < sizeof text - 1; first++) {
		struct record_search search = {0};
		(void)record_cut(&format, &search, (const unsigned char *)text, first, sizeof text);
		EXPECT(record_cut(&format, &search, (const unsigned char *)text, sizeof text - 1, sizeof text) ==
			       sizeof text - 1,
		       "after %zu bytes", first);
	}
	check_promise("a comment whose mark comes in two pieces is one");
}

/* Quotes that the text leaves open are not closed by the bytes after it. */
static void test_quotes_after_end(void)
{
	static const char text[128] = "\"a,\"\n";
	const struct text_rules rules = {.cut = CUT_CSV, .field_count = 1, .delimiter = ','};
	struct line line;
	CHECK(!line_take_plain(&rules, text, text + 3, &line) && line_take_plain(&rules, text, text + 5, &line) &&
		      line.next == text + 5,
	      "a quote after the end closes nothing");
}

static void test_many_newlines(void)
{
	static char text[64 * 256 * 2 + 63];
	memset(text, '\n', sizeof text);
	for (size_t size = sizeof text - 130; size <= sizeof text; size++)
		EXPECT(line_count(text, text + size) == size, "%zu newlines", size);
	check_promise("thousands of newlines one after the other are all counted");
}

int main(int argc, char **argv)
{
	uint8_t input[5 + SIZE_MAX_RANDOM];
	const unsigned long texts = argc > 1 ? strtoul(argv[1], NULL, 10) : 8000;
	if (argc > 2)
		random_state = strtoull(argv[2], NULL, 10);
	test_comment_at_end();
	test_comment_in_pieces();
	test_quotes_after_end();
	test_many_newlines();
	for (unsigned long i = 0; i < texts; i++)
		EXPECT(LLVMFuzzerTestOneInput(input, random_input(input)) == 0, "text %lu", i);
	check_promise("random texts are cut, and split into lines and fields, where an oracle says, however they come");
	return check_done();
}
