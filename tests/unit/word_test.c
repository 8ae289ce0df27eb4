/* Known distances between words, and which word is a likely correction. */
#include <stdint.h>
#include <string.h>

#include "base/word.h"

#include "check.h"

static void test_distances(void)
{
	static const struct {
		const char *a, *b;
		size_t distance;
	} cases[] = {
		{"kitten", "sitting", 3},
		{"saturday", "sunday", 3},
		{"flaw", "lawn", 2},
		{"", "abc", 3},
		{"abc", "", 3},
		{"", "", 0},
		{"Amount", "AMOUNT", 0},
		{"[", "{", 1},
		{"@", "`", 1},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const size_t there = word_distance(cases[i].a, strlen(cases[i].a), cases[i].b, strlen(cases[i].b));
		const size_t back = word_distance(cases[i].b, strlen(cases[i].b), cases[i].a, strlen(cases[i].a));
		EXPECT(there == cases[i].distance && back == there, "%s and %s: %zu, %zu", cases[i].a, cases[i].b,
		       there, back);
	}
	char text[65];
	memset(text, 'x', sizeof text);
	EXPECT(word_distance(text, 64, "x", 1) == 63, "a name as long as can be");
	EXPECT(word_distance(text, 65, "x", 1) == SIZE_MAX, "a longer one");
	check_promise("distances are those of Levenshtein, capitals or not, up to 64 letters");
}

static void test_nearness(void)
{
	size_t limit = word_near_limit(4);
	EXPECT(!word_is_nearer("sum", 3, "abc", 3, &limit) && limit == word_near_limit(4), "%zu", limit);
	EXPECT(!word_is_nearer("maxx", 4, "min", 3, &limit), "%zu", limit);
	EXPECT(word_is_nearer("maxx", 4, "max", 3, &limit) && limit == 1, "%zu", limit);
	EXPECT(!word_is_nearer("maxx", 4, "mayx", 4, &limit) && limit == 1, "%zu", limit);
	/* A letter alone is near to its capital only. */
	limit = word_near_limit(1);
	EXPECT(!word_is_nearer("b", 1, "a", 1, &limit) && word_is_nearer("b", 1, "B", 1, &limit), "%zu", limit);
	check_promise("of several near words the first of the nearest is it, and something of it is right");
}

int main(void)
{
	test_distances();
	test_nearness();
	return check_done();
}
