/* The line of a run's progress: the text of each part, and the parts that a narrow terminal shows. */
#include <stdio.h>
#include <string.h>

#include "stream/progress_line.h"

#include "check.h"

static void expect(const struct progress_now *now, size_t columns, const char *wanted)
{
	char line[PROGRESS_LINE_SIZE];
	const size_t size = progress_line(line, columns, now);
	EXPECT(strcmp(line, wanted) == 0 && size == strlen(wanted), "%zu columns: \"%s\", not \"%s\"", columns, line,
	       wanted);
}

static void test_rates(void)
{
	static const struct {
		uint64_t rate;
		const char *text;
	} cases[] = {
		{0, "0 B/s"},         {999, "999 B/s"},       {1000, "1.00 kB/s"},        {1099, "1.09 kB/s"},
		{9999, "9.99 kB/s"},  {10000, "10.0 kB/s"},   {99999, "99.9 kB/s"},       {100000, "100 kB/s"},
		{999999, "999 kB/s"}, {1050000, "1.05 MB/s"}, {24000000000, "24.0 GB/s"}, {UINT64_MAX, "18.4 EB/s"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char wanted[PROGRESS_LINE_SIZE];
		const struct progress_now now = {.bytes = 3, .elements = 1, .rate = cases[i].rate};
		(void)snprintf(wanted, sizeof wanted, "pscan: 3 bytes, 1 elements, %s", cases[i].text);
		expect(&now, PROGRESS_LINE_SIZE, wanted);
	}
	check_promise("a rate has three digits and a unit, rounded down");
}

static void test_sizes(void)
{
	struct progress_now now = {.bytes = 500, .elements = 9, .sized_bytes = 500, .total_bytes = 2000, .rate = 100};
	expect(&now, 80, "pscan: 25%, 500 bytes, 9 elements, 100 B/s, 0:15 left");
	now.rate = 499; /* 3.006 s: not less than there is to wait */
	expect(&now, 80, "pscan: 25%, 500 bytes, 9 elements, 499 B/s, 0:04 left");
	now.rate = 500;
	expect(&now, 80, "pscan: 25%, 500 bytes, 9 elements, 500 B/s, 0:03 left");
	now.rate = 0;
	expect(&now, 80, "pscan: 25%, 500 bytes, 9 elements, 0 B/s");
	now.sized_bytes = 1999;
	expect(&now, 80, "pscan: 99%, 500 bytes, 9 elements, 0 B/s");
	now.sized_bytes = 2001; /* the sizes were wrong */
	expect(&now, 80, "pscan: 500 bytes, 9 elements, 0 B/s");
	now = (struct progress_now){.bytes = UINT64_MAX - 1,
				    .elements = UINT64_MAX,
				    .sized_bytes = UINT64_MAX - 1,
				    .total_bytes = UINT64_MAX,
				    .rate = UINT64_MAX};
	expect(&now, PROGRESS_LINE_SIZE,
	       "pscan: 99%, 18446744073709551614 bytes, 18446744073709551615 elements, 18.4 EB/s, 0:01 left");
	check_promise(
		"where sizes are known the percentage and the time left are told, and 100 percent is the end only");
}

static void test_times(void)
{
	static const struct {
		uint64_t seconds;
		const char *text;
	} cases[] = {
		{0, "0:00"},
		{59, "0:59"},
		{60, "1:00"},
		{3599, "59:59"},
		{3600, "1:00:00"},
		{36061, "10:01:01"},
		{3600000, "1000:00:00"},
	};
	char wanted[PROGRESS_LINE_SIZE];
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct progress_now now = {.elapsed_s = cases[i].seconds, .ended = true};
		(void)snprintf(wanted, sizeof wanted, "pscan: 0 bytes, 0 elements, 0 B/s, in %s", cases[i].text);
		expect(&now, 80, wanted);
		now = (struct progress_now){.total_bytes = cases[i].seconds, .rate = 1};
		(void)snprintf(wanted, sizeof wanted, "pscan: 0%%, 0 bytes, 0 elements, 1 B/s, %s left", cases[i].text);
		if (cases[i].seconds > 0)
			expect(&now, 80, wanted);
	}
	const struct progress_now never = {.total_bytes = 3600001, .rate = 1};
	expect(&never, 80, "pscan: 0%, 0 bytes, 0 elements, 1 B/s");
	const struct progress_now ended = {
		.bytes = 8, .sized_bytes = 8, .total_bytes = 8, .rate = 8, .elapsed_s = 1, .ended = true};
	expect(&ended, 80, "pscan: 100%, 8 bytes, 0 elements, 8 B/s, in 0:01");
	check_promise("times are minutes and seconds, with hours where there are some; 1000 hours are no forecast");
}

static void test_widths(void)
{
	const struct progress_now now = {
		.bytes = 500, .elements = 9, .sized_bytes = 500, .total_bytes = 2000, .rate = 100};
	expect(&now, 53, "pscan: 25%, 500 bytes, 9 elements, 100 B/s, 0:15 left");
	expect(&now, 52, "25%, 500 bytes, 9 elements, 100 B/s, 0:15 left");
	expect(&now, 46, "25%, 500 bytes, 9 elements, 100 B/s, 0:15 left");
	expect(&now, 45, "25%, 500 bytes, 100 B/s, 0:15 left");
	expect(&now, 33, "25%, 500 bytes, 0:15 left");
	expect(&now, 24, "25%, 0:15 left");
	expect(&now, 13, "25%");
	expect(&now, 3, "25%");
	expect(&now, 2, "");
	expect(&now, 0, "");
	check_promise("a narrow terminal does without the least important parts, and no number is cut");
}

int main(void)
{
	test_rates();
	test_sizes();
	test_times();
	test_widths();
	return check_done();
}
