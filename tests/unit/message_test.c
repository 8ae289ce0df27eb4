/* Names and texts in messages. Bytes that could steer a terminal or mislead a reader are escaped. */
#include <string.h>
#include <unistd.h>

#include "base/message.h"

#include "check.h"

/* A text and how it is shown, unquoted. */
struct shown {
	const char *text, *name;
};

static void expect_names(const struct shown *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char name[MESSAGE_NAME_SIZE];
		const char *got = message_name(name, cases[i].text);
		EXPECT(strcmp(got, cases[i].name) == 0, "%zu: %s, not %s", i, got, cases[i].name);
	}
}

static void test_characters(void)
{
	/* The ends of each length, and around the surrogates. */
	static const struct shown cases[] = {
		{"a~ ", "a~ "},
		{"\xc2\xa1", "\xc2\xa1"},
		{"\xdf\xbf", "\xdf\xbf"},
		{"\xe0\xa0\x80", "\xe0\xa0\x80"},
		{"\xed\x9f\xbf", "\xed\x9f\xbf"},
		{"\xee\x80\x80", "\xee\x80\x80"},
		{"\xef\xbf\xbd", "\xef\xbf\xbd"},
		{"\xf0\x90\x80\x80", "\xf0\x90\x80\x80"},
		{"\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf"},
		{"\xe2\x80\x90\xe2\x80\xa7", "\xe2\x80\x90\xe2\x80\xa7"},
		{"\xe2\x80\xb0\xe2\x81\x9e", "\xe2\x80\xb0\xe2\x81\x9e"},
		{"\xe2\x81\xb0\xe3\x80\x81", "\xe2\x81\xb0\xe3\x80\x81"},
	};
	expect_names(cases, sizeof cases / sizeof cases[0]);
	check_promise("well-formed UTF-8 is shown as it is");
}

static void test_malformed(void)
{
	static const struct shown cases[] = {
		{"\x80", "\\x80"},
		{"\xc1\xbf", "\\xc1\\xbf"},
		{"\xc2", "\\xc2"},
		{"\xc2"
		 "a",
		 "\\xc2a"},
		{"\xe2\x82", "\\xe2\\x82"},
		{"\xe2\x82x", "\\xe2\\x82x"},
		{"\xe0\x9f\xbf", "\\xe0\\x9f\\xbf"},
		{"\xf0\x8f\xbf\xbf", "\\xf0\\x8f\\xbf\\xbf"},
		{"\xed\xa0\x80", "\\xed\\xa0\\x80"},
		{"\xed\xbf\xbf", "\\xed\\xbf\\xbf"},
		{"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},
		{"\xf5\x80\x80\x80", "\\xf5\\x80\\x80\\x80"},
		{"\xff", "\\xff"},
	};
	expect_names(cases, sizeof cases / sizeof cases[0]);
	check_promise("ill-formed UTF-8 is shown as bytes");
}

static void test_controls(void)
{
	static const struct shown cases[] = {
		{"\x1b[31m", "\\x1b[31m"},
		{"\n\t\r\x7f", "\\x0a\\x09\\x0d\\x7f"},
		{"\xc2\x80\xc2\x9f", "\\xc2\\x80\\xc2\\x9f"}, /* C1 */
		{"\xe2\x80\xa8\xe2\x80\xae", "\\xe2\\x80\\xa8\\xe2\\x80\\xae"}, /* separators, overrides */
		{"\xd8\x9c\xe2\x80\x8e\xe2\x80\x8f", "\\xd8\\x9c\\xe2\\x80\\x8e\\xe2\\x80\\x8f"}, /* directions */
		{"\xe2\x80\x8b\xef\xbb\xbf", "\\xe2\\x80\\x8b\\xef\\xbb\\xbf"}, /* of no width */
		{"\xf3\xa0\x80\x80\xf3\xa0\x81\xbf", "\\xf3\\xa0\\x80\\x80\\xf3\\xa0\\x81\\xbf"}, /* tags */
		{"\xe2\x81\xa6\xe2\x81\xa9", "\\xe2\\x81\\xa6\\xe2\\x81\\xa9"}, /* isolates */
	};
	expect_names(cases, sizeof cases / sizeof cases[0]);
	check_promise("what steers a terminal is shown as bytes");
}

static void test_blanks(void)
{
	static const struct shown cases[] = {
		{"1\xc2\xa0"
		 "000",
		 "1\\xc2\\xa0000"}, /* no break */
		{"\xe2\x80\x80\xe2\x80\x8d", "\\xe2\\x80\\x80\\xe2\\x80\\x8d"}, /* of any width, of none */
		{"\xe2\x80\xaf\xe2\x81\x9f", "\\xe2\\x80\\xaf\\xe2\\x81\\x9f"},
		{"\xe3\x80\x80\xc2\xad", "\\xe3\\x80\\x80\\xc2\\xad"}, /* ideographic; a soft hyphen */
		{"\xef\xb8\x8f\xe3\x85\xa4", "\\xef\\xb8\\x8f\\xe3\\x85\\xa4"}, /* a selector, a filler */
	};
	expect_names(cases, sizeof cases / sizeof cases[0]);
	check_promise("blanks that are no blank, and what cannot be seen, are shown as bytes");
}

static void test_quotes(void)
{
	char out[MESSAGE_QUOTED_SIZE];
	EXPECT(strcmp(message_quote(out, "a\"b\\\0c", 6), "\"a\\\"b\\\\\\x00c\"") == 0, "%s", out);
	EXPECT(strcmp(message_quote(out, "", 0), "\"\"") == 0, "%s", out);
	char text[2 * MESSAGE_QUOTED_SIZE];
	memset(text, 'x', sizeof text);
	message_quote(out, text, sizeof text);
	EXPECT(strlen(out) < sizeof out && strcmp(out + strlen(out) - 5, "x...\"") == 0, "%s", out);
	/* An escape is whole or not there. */
	memset(text, 1, sizeof text);
	message_quote(out, text, sizeof text);
	EXPECT(strlen(out) < sizeof out && (strlen(out) - 5) % 4 == 0, "%s", out);
	check_promise("quoted text is escaped, and cut where it is long");
}

static void test_long_names(void)
{
	char name[MESSAGE_NAME_SIZE];
	char text[2 * MESSAGE_NAME_SIZE];
	memset(text, 'y', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	CHECK(strlen(message_name(name, text)) == MESSAGE_NAME_SIZE - 1, "a long name is cut");
}

/* Around the length at which a message is cut. */
static void test_long_messages(void)
{
	static char text[4096];
	static char told[8192];
	int ends[2];
	const int before = dup(STDERR_FILENO);
	if (before < 0 || pipe(ends) != 0)
		return;
	for (size_t length = 1900; length < 2200; length++) {
		memset(text, 'y', length);
		text[length] = '\0';
		(void)dup2(ends[1], STDERR_FILENO);
		message_error("%s", text);
		(void)dup2(before, STDERR_FILENO);
		const ssize_t size = read(ends[0], told, sizeof told);
		const size_t kept = size > 0 ? strspn(told + 7, "y") : 0;
		EXPECT(size > 0 && memcmp(told, "pscan: ", 7) == 0 && told[size - 1] == '\n' &&
			       7 + kept + 1 == (size_t)size && kept <= length && (kept == length || kept > 1900),
		       "%zu: %zd bytes, %zu of the text", length, size, kept);
	}
	check_promise("a message of any length is one line, cut where it is too long");
}

int main(void)
{
	test_characters();
	test_malformed();
	test_controls();
	test_blanks();
	test_quotes();
	test_long_names();
	test_long_messages();
	return check_done();
}
