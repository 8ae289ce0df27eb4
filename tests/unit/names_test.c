/* Names of a header and the fields below them. Each table is the two lines of a file. The expected field numbers were
 * found by hand from the rules in names.c. */
#include "text/names.h"

#include <string.h>

#include "check.h"

#define ITEMS_MAX 16

/* The items of a line: between blanks, or between delimiters. */
static size_t cut(const char *line, char delimiter, struct names_item *items)
{
	size_t count = 0;
	const char *p = line;
	while (delimiter != ' ' || *p != '\0') {
		while (delimiter == ' ' && *p == ' ')
			p++;
		if (delimiter == ' ' && *p == '\0')
			break;
		const char *start = p;
		while (*p != '\0' && *p != delimiter)
			p++;
		items[count++] = (struct names_item){.text = start,
						     .size = (size_t)(p - start),
						     .begin = (uint64_t)(start - line),
						     .end = (uint64_t)(p - line)};
		if (delimiter != ' ' && *p++ == '\0')
			break;
	}
	return count;
}

/* expected: the numbers as digits, one a name; NULL: the table is refused. */
static void expect(const char *header, const char *record, char delimiter, const char *expected, uint64_t least,
		   uint64_t most)
{
	struct names_item names[ITEMS_MAX];
	struct names_item fields[ITEMS_MAX];
	uint64_t numbers[ITEMS_MAX];
	struct names_shape shape;
	const size_t name_count = cut(header, delimiter, names);
	const size_t field_count = cut(record, delimiter, fields);
	const bool placed = names_place(names, name_count, fields, field_count, delimiter != ' ', numbers, &shape);
	EXPECT(placed == (expected != NULL), "%s over %s", header, record);
	if (!placed || expected == NULL)
		return;
	EXPECT(name_count == strlen(expected), "%zu names in %s", name_count, header);
	for (size_t i = 0; i < name_count; i++)
		EXPECT(numbers[i] == (uint64_t)(expected[i] - '0'), "name %zu of %s is field %u", i, header,
		       (unsigned)numbers[i]);
	EXPECT(shape.least == least && shape.most == most, "%s: %u to %u fields", header, (unsigned)shape.least,
	       (unsigned)shape.most);
}

static void test_delimited(void)
{
	expect("a,b,c", "1,2,3", ',', "123", 0, 3);
	expect("#,a,b", "1,2", ',', "012", 0, 2);
	expect("#fields,a", "1", ',', "01", 0, 1);
	expect("#Fields:,a,b", "1,2", ',', "012", 0, 2);
	expect("#,a,b", "1,2,3", ',', "123", 0, 3);
	expect("a,b", "1,2,", ',', "12", 0, 3);
	expect("a,b", "1,2,,", ',', "12", 0, 4);
	expect("a,b", "1,2,,4", ',', NULL, 0, 0);
	expect("a,b,", "1,2", ',', "123", 0, 3);
	expect("v,w", "r,1,2", ',', "23", 0, 3);
	expect("a,b,c", "1", ',', "123", 0, 3);
	expect("a,b,c", "1,2,3,4,5", ',', NULL, 0, 0);
	expect("a,b", "1,2,3,", ',', NULL, 0, 0);
	check_promise("between delimiters the counts of names and fields decide");
}

static void test_columns(void)
{
	expect("a b", "1 2", ' ', "12", 2, 0);
	expect("# a b", "1 2", ' ', "012", 2, 0);
	/* Labels without a name. */
	expect("        total  used", "Mem:     1000   200", ' ', "23", 3, 0);
	expect("  v  w", "r 1  2  3", ' ', "23", 3, 0);
	/* Counts that are equal by accident: labels, and a name of two words before, after and between the others. */
	expect("   first name  value", "0         abc      5", ' ', "023", 3, 0);
	expect("   value first name", "10     5        abc", ' ', "203", 3, 0);
	expect("   v first name  w", "0  5        abc 12", ' ', "2034", 4, 0);
	expect("  two words", "r     1", ' ', "02", 2, 0);
	expect("    v first name", "0 1 5       abc", ' ', "304", 4, 0);
	expect("    v first name", "0 1 5       abc x", ' ', "304", 4, 0);
	expect("     vol   net wt", "0     5    12", ' ', "000", 3, 0);
	expect("c    pid  tid name", "init   1      /abc y", ' ', "1200", 4, 0);
	/* Single blanks alone: labels, or a last field of two words. */
	expect("v w", "1 100 7", ' ', "00", 2, 0);
	expect("v w", "1 100 7 8", ' ', "12", 2, 0);
	/* Tables whose header is not aligned with them, is indented, or begins after a label that has a name. */
	expect("abc d", "1 2", ' ', "12", 2, 0);
	expect("name value count", "al 10 3", ' ', "123", 3, 0);
	expect("a b c d", "alice 10 3 5", ' ', "1234", 4, 0);
	expect("        name value", "alice 10", ' ', "12", 2, 0);
	expect("        name value count", "alice 10 30000", ' ', "123", 3, 0);
	expect("  PID TTY", "    1 ?", ' ', "12", 2, 0);
	expect("    n word", "12345 it", ' ', "12", 2, 0);
	expect(" x", "1", ' ', "1", 1, 0);
	/* A name of two words after the others. */
	expect("Filesystem  Used Mounted on", "/dev/sda     200 /", ' ', "1230", 3, 0);
	/* One before them: what no field stands under is refused. */
	expect("Mounted on  Used", "/home        200", ' ', "100", 2, 0);
	/* Text at the end. */
	expect("PID   RSS COMMAND", "  1 11500 init splash quiet", ' ', "123", 3, 0);
	/* The next field fits better. */
	expect("aaaaa bb", " 1 234 5 6", ' ', "03", 3, 0);
	check_promise("between blanks the columns on the screen decide where the counts differ");
}

int main(void)
{
	test_delimited();
	test_columns();
	return check_done();
}
