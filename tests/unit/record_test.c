/* Where lines, fields and records end. Random texts, made of the few bytes that matter, go through the fuzz target of
 * the same name. Its oracle looks at one byte at a time, and ends the program if it finds another answer.
 *
 * Usage: record_test [TEXTS [SEED]]: TEXTS random texts. */
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

/* A text of cells of which most are quoted, with doubled quotes, delimiters and newlines within, and quotes that are
 * ordinary characters. */
static size_t write_cells(char *text, size_t size)
{
	static const char within[] = "ab,\n";
	size_t o = 0;
	while (o + 40 < size) {
		const bool is_quoted = random_below(8) > 0;
		text[o++] = is_quoted ? '"' : 'x';
		for (size_t i = random_below(random_below(4) == 0 ? 24 : 6); i > 0; i--) {
			const bool is_quote = random_below(12) == 0;
			text[o++] = is_quote ? '"' : within[random_below(is_quoted ? 4 : 2)];
			if (is_quote && is_quoted && random_below(16) > 0)
				text[o++] = '"';
		}
		if (is_quoted)
			text[o++] = '"';
		text[o++] = random_below(5) == 0 ? '\n' : ',';
	}
	return o;
}

/* Where the text is cut, byte by byte. */
static size_t find_cut(const char *text, size_t size, size_t limit)
{
	bool is_open = false;
	char before = '\n';
	size_t last = 0;
	size_t first = 0;
	for (size_t i = 0; i < size; i++) {
		if (is_open && text[i] == '"' && i + 1 < size && text[i + 1] == '"')
			i++;
		else if (text[i] == '"' && (is_open || before == '\n' || before == ','))
			is_open = !is_open;
		else if (text[i] == '\n' && !is_open && i < limit)
			last = i + 1;
		else if (text[i] == '\n' && !is_open && first == 0)
			first = i + 1;
		before = text[i];
	}
	return last > 0 ? last : first;
}

static void test_quoted_cells(void)
{
	const struct record_format format = {.input = FORMAT_TEXT,
					     .text = {.cut = CUT_CSV, .field_count = 1, .delimiter = ','}};
	for (int i = 0; i < 20000; i++) {
		static char text[700];
		const size_t size = write_cells(text, 100 + random_below(sizeof text - 99));
		const size_t limit = random_below((unsigned)size + 20);
		const size_t part = random_below((unsigned)size + 1);
		struct record_search search = {0};
		if (part > 0)
			(void)record_cut(&format, &search, (const unsigned char *)text, part, limit);
		const size_t cut = record_cut(&format, &search, (const unsigned char *)text, size, limit);
		EXPECT(cut == find_cut(text, size, limit), "%zu in place of %zu, limit %zu, first %zu bytes: %.*s", cut,
		       find_cut(text, size, limit), limit, part, (int)size, text);
	}
	check_promise("quoted cells are cut where their lines end, in one piece or two");
}

/* Quotes that the text leaves open are not closed by the bytes after it. */
static void test_quotes_after_end(void)
{
	static const char text[128] = "\"a,\"\n";
	const struct text_rules rules = {.cut = CUT_CSV, .field_count = 1, .delimiter = ','};
	struct line line;
	CHECK(!line_read_plain(&rules, text, text + 3, &line) && line_read_plain(&rules, text, text + 5, &line) &&
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
	test_quoted_cells();
	test_quotes_after_end();
	test_many_newlines();
	for (unsigned long i = 0; i < texts; i++)
		EXPECT(LLVMFuzzerTestOneInput(input, random_input(input)) == 0, "text %lu", i);
	check_promise("random texts are cut, and split into lines and fields, where an oracle says, however they come");
	return check_done();
}
