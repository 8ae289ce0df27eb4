/* Times as text. The oracle counts the days one by one. */
#include "number/time.h"

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "random.h"

static bool is_leap(int year)
{
	return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_of(int year, int month)
{
	static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	return days[month - 1] + (month == 2 && is_leap(year));
}

static bool gives(const char *text, int64_t seconds, uint64_t nanoseconds)
{
	struct time_point t = {0};
	return time_parse(text, strlen(text), &t) == TIME_OK && t.seconds == seconds &&
	       t.attoseconds == nanoseconds * 1000000000;
}

static bool is(enum time_result result, const char *text)
{
	struct time_point t = {.seconds = 7};
	return time_parse(text, strlen(text), &t) == result && t.seconds == 7;
}

static bool is_none(const char *text)
{
	return is(TIME_NONE, text);
}

/* Of a text that is YYYYMMDD: the day's seconds, or -1. */
static int64_t seconds_of_digits(const char *text)
{
	struct time_point t = {0};
	return time_parse_digits(text, strlen(text), &t) && t.is_date ? t.seconds : -1;
}

/* Every day of four centuries, at some time of it, in every form. */
static void check_days(void)
{
	static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
					     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
	int64_t day = 0;
	for (int year = 1970; year < 2370; year++) {
		for (int month = 1; month <= 12; month++) {
			for (int d = 1; d <= days_of(year, month); d++, day++) {
				const unsigned h = random_below(24), m = random_below(60), s = random_below(60);
				const int64_t at = day * 86400 + h * 3600 + m * 60 + s;
				char text[5][160];
				(void)snprintf(text[0], sizeof text[0], "%04d-%02d-%02d", year, month, d);
				(void)snprintf(text[1], sizeof text[1], "%.10sT%02u:%02u:%02uZ", text[0], h, m, s);
				(void)snprintf(text[2], sizeof text[2], "%.10s %02u:%02u:%02u.25+0130", text[0], h, m,
					       s);
				(void)snprintf(text[3], sizeof text[3], "[%02d/%s/%d:%02u:%02u:%02u -0700]", d,
					       months[month - 1], year, h, m, s);
				(void)snprintf(text[4], sizeof text[4], "%04d%02d%02d", year, month, d);
				EXPECT(seconds_of_digits(text[4]) == day * 86400, "%s", text[4]);
				EXPECT(gives(text[0], day * 86400, 0), "%s", text[0]);
				EXPECT(gives(text[1], at, 0), "%s", text[1]);
				EXPECT(gives(text[2], at - 5400, 250000000), "%s", text[2]);
				EXPECT(gives(text[3], at + 25200, 0), "%s", text[3]);
			}
			char past[32];
			(void)snprintf(past, sizeof past, "%04d-%02d-%02d", year, month, days_of(year, month) + 1);
			EXPECT(is(TIME_NO_DAY, past), "%s", past);
		}
	}
	check_promise("each day of four centuries, in each form, in some zone; and no day past a month's last");
}

/* Second 60 of each minute of two years, in some zone: only two of them are leap seconds. */
static void check_leap_seconds(void)
{
	static const char *const none[] = {
		"2024-01-01T10:00:60Z", "2024-12-31T23:59:60+01:00",  "2024-06-30T22:59:60Z",  "2024-03-31T23:59:60Z",
		"2024-12-31 24:00:60",  "30/Jun/2024:23:58:60 +0000", "2024-12-30T23:59:60.5Z"};
	unsigned leaps = 0;
	int64_t day = 0;
	for (int year = 1970; year < 1972; year++) {
		for (int month = 1; month <= 12; month++) {
			for (int d = 1; d <= days_of(year, month); d++, day++) {
				const bool is_last = d == days_of(year, month) && month % 6 == 0;
				for (int m = 0; m < 1440; m++) {
					char text[64];
					(void)snprintf(text, sizeof text, "%04d-%02d-%02d %02d:%02d:60.5Z", year, month,
						       d, m / 60, m % 60);
					const bool is_leap = is_last && m == 1439;
					leaps += gives(text, day * 86400 + 86400, 500000000);
					EXPECT(is_leap || is(TIME_NO_SECOND, text), "%s", text);
				}
			}
		}
	}
	EXPECT(leaps == 4, "%u", leaps);
	for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
		EXPECT(!gives(none[i], 0, 0) && !is(TIME_OK, none[i]), "%s", none[i]);
	EXPECT(gives("2017-01-01T05:29:60+05:30", 1483228800, 0), "an offset");
	EXPECT(gives("30/Jun/2015:16:59:60 -0700", 1435708800, 0), "an offset");
	struct time_point t;
	EXPECT(time_parse_digits("20161231235960", 14, &t) && t.seconds == 1483228800, "digits");
	EXPECT(!time_parse_digits("20161230235960", 14, &t) && !time_parse_digits("20161231225960", 14, &t), "digits");
	check_promise("second 60 is a leap second, at the end of June or December in UTC");
}

int main(void)
{
	check_days();
	CHECK(gives("1969-12-31T23:59:59Z", -1, 0) && gives("0001-01-01", INT64_C(-62135596800), 0),
	      "times before 1970 are negative");
	CHECK(gives("2024-02-29T12:00", 1709208000, 0) && gives("2024-02-29 12:00Z", 1709208000, 0),
	      "seconds may be left out");
	struct time_point fine;
	static const char finest[] = "2024-02-29T12:00:00.1234567891234567890+02:00";
	CHECK(time_parse(finest, sizeof finest - 1, &fine) == TIME_OK && fine.seconds == 1709200800 &&
		      fine.attoseconds == UINT64_C(123456789123456789) &&
		      is(TIME_NONE, "2024-02-29T12:00:00.1234567891234567891+02:00"),
	      "a second has 18 decimals");
	CHECK(gives("2024-02-29T12:00:00,5", 1709208000, 500000000), "a comma may be the point");
	static const char *const none[] = {
		"",
		"x",
		"12:00",
		"2024",
		"2024-02-29T24:01:00",
		"2024-02-29T12:00:00+",
		"2024-02-29T12:00:00+1",
		"2024-02-29T12:00:00.",
		"29/Foo/2024:12:00:00",
		"-2024-02-29",
		"2024-02-29x",
		"2024-02-29T12:00:61",
		"2024-02-2912:00:00",
		"24-1-5",
		"2024-1-05",
		"29/February/2024",
		"29/February/2024:12:00:00",
		"2024-02-29T12:00.5",
		"2024-02-29T12:0",
		"2024-02-29  12:00",
		"2024-02-29 12:00 ",
		" 2024-02-29",
		"2024-02-29:12:00",
		"29/Feb/2024T12:00:00",
		"20240229",
		"2024-0229",
		"20240230",
		"2024-02-30x",
		"2024-02-29 12:00 PM",
		"2024-02-29 12:00 CET or so",
		"0000-01-01",
		"2024-02-29T12:00:00+24:00",
		"2024-02-29T12:00:00+01:60",
		"2024-02-29T12:00:00+1:00",
		"[]",
		"[",
	};
	for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
		EXPECT(is_none(none[i]), "%s", none[i]);
	check_promise("what is no time is none, and nothing is written");
	static const char *const days[] = {"2024-13-01",           "2024-00-10",     "2024-04-00",
					   "2024-02-30T10:00:00Z", "20240230 12:00", "[31/Apr/2024:10:00:00 +0000]",
					   "00/Jan/2024"};
	for (size_t i = 0; i < sizeof days / sizeof days[0]; i++)
		EXPECT(is(TIME_NO_DAY, days[i]), "%s", days[i]);
	check_promise("days that do not exist, in each form");
	CHECK(gives("2024-02-29T12:00:00 UTC", 1709208000, 0) && gives("2024-02-29 12:00 GMT", 1709208000, 0) &&
		      gives("2024-02-29 12:00:00,5Z", 1709208000, 500000000) &&
		      gives("2024-02-29 12:00:00-05", 1709226000, 0) && gives("20240229 12:00:00", 1709208000, 0) &&
		      gives("20240229T12:00", 1709208000, 0) && gives("29/feb/2024 12:00:00", 1709208000, 0) &&
		      gives("2016-12-31T23:59:60Z", 1483228800, 0),
	      "UTC and GMT, fractions before a zone, days of eight digits before a time, leap seconds");
	check_leap_seconds();
	CHECK(is(TIME_ZONE, "2024-02-29T12:00:00 CET") && is(TIME_ZONE, "2024-02-29 12:00 PST") &&
		      is(TIME_ZONE, "2024-02-29 12:00:00.5 Europe/Berlin") && is(TIME_ZONE, "2024-02-29 12:00 utc"),
	      "of other zones it is known that they are zones");
	CHECK(seconds_of_digits("20240229") == 1709164800 && seconds_of_digits("20230229") == -1 &&
		      seconds_of_digits("2024-02-29") == -1 && seconds_of_digits("2024022") == -1 &&
		      seconds_of_digits("202402291") == -1,
	      "eight digits are a day if there is such a day");
	char endless[1000];
	memset(endless, '1', sizeof endless);
	CHECK(TIME_NONE == time_parse(endless, sizeof endless, &(struct time_point){0}), "so is a very long text");
	CHECK(TIME_NONE == time_parse("2024-02-29\0", 11, &(struct time_point){0}), "so is a text with a NUL");
	return check_done();
}
