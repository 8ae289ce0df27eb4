/* Days are counted from 0000-03-01. The calendar repeats after 400 years. */
#include "number/calendar.h"

#include <string.h>

#define DAY_SECONDS 86400
/* Days from 0000-03-01 to 1970-01-01, and those of 400 years. */
#define EPOCH_DAYS 719468
#define CYCLE_DAYS 146097

static const char *const names[UNIT_COUNT] = {
	[UNIT_SECOND] = "second", [UNIT_MINUTE] = "minute", [UNIT_HOUR] = "hour", [UNIT_DAY] = "day",
	[UNIT_WEEK] = "week",     [UNIT_MONTH] = "month",   [UNIT_YEAR] = "year",
};

const char *calendar_unit_name(enum calendar_unit unit)
{
	return names[unit];
}

enum calendar_unit calendar_unit_find(const char *name)
{
	for (int unit = UNIT_NONE + 1; unit < UNIT_COUNT; unit++) {
		if (strcmp(name, names[unit]) == 0)
			return (enum calendar_unit)unit;
	}
	return UNIT_NONE;
}

/* The computations let years begin in March, so that a leap day is the last day of its year. */
bool calendar_days(const struct time_parts *date, int64_t *days)
{
	static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	const bool is_leap = (date->year % 4 == 0 && date->year % 100 != 0) || date->year % 400 == 0;
	if (date->day > lengths[date->month - 1] + (is_leap && date->month == 2))
		return false;
	const int year = date->month > 2 ? date->year : date->year - 1;
	const int month = (date->month + 9) % 12;
	*days = (int64_t)year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + date->day - 1 -
		EPOCH_DAYS;
	return true;
}

/* Sets the date that is `days` after 1970-01-01, in a year from 0 on. */
static void set_date(int64_t days, struct time_parts *date)
{
	const int64_t since = days + EPOCH_DAYS;
	const int cycle = (int)(since / CYCLE_DAYS);
	const int day = (int)(since % CYCLE_DAYS); /* of the cycle */
	const int year = (day - day / 1460 + day / 36524 - day / (CYCLE_DAYS - 1)) / 365; /* of the cycle */
	const int day_of_year = day - (year * 365 + year / 4 - year / 100);
	const int month = (day_of_year * 5 + 2) / 153; /* from March, which is 0 */
	date->day = day_of_year - (month * 153 + 2) / 5 + 1;
	date->month = month < 10 ? month + 3 : month - 9;
	date->year = cycle * 400 + year + (date->month <= 2);
}

bool calendar_parts(int64_t seconds, struct time_parts *parts)
{
	const int64_t least = INT64_C(-62135596800); /* 0001-01-01 */
	const int64_t most = INT64_C(253402300799); /* 9999-12-31 23:59:59 */
	if (seconds < least || seconds > most)
		return false;
	const int64_t rest = seconds % DAY_SECONDS;
	const int second = (int)(rest < 0 ? rest + DAY_SECONDS : rest);
	set_date(seconds / DAY_SECONDS - (rest < 0), parts);
	parts->hour = second / 3600;
	parts->minute = second / 60 % 60;
	parts->second = second % 60;
	return true;
}

/* Writes a number in `digits` digits, after a character unless it is 0. Returns the place after it. */
static char *put(char *to, char before, int number, int digits)
{
	if (before != '\0')
		*to++ = before;
	for (int i = digits; i-- > 0; number /= 10)
		to[i] = (char)('0' + number % 10);
	return to + digits;
}

/* Writes the week. It belongs to the year in which its Thursday is. */
static char *put_week(char *to, const struct time_parts *time)
{
	struct time_parts thursday = {0};
	int64_t days = 0;
	int64_t first = 0;
	(void)calendar_days(time, &days);
	const int64_t weekday = ((days + 3) % 7 + 7) % 7; /* Monday is 0. */
	days += 3 - weekday;
	set_date(days, &thursday);
	(void)calendar_days(&(struct time_parts){.year = thursday.year, .month = 1, .day = 1}, &first);
	to = put(to, '\0', thursday.year, 4);
	*to++ = '-';
	return put(to, 'W', (int)(days - first) / 7 + 1, 2);
}

size_t calendar_write(enum calendar_unit unit, const struct time_parts *time, char text[CALENDAR_TEXT_MAX])
{
	const struct {
		char before;
		int number, digits;
		enum calendar_unit unit;
	} parts[] = {
		{'\0', time->year, 4, UNIT_YEAR},    {'-', time->month, 2, UNIT_MONTH},
		{'-', time->day, 2, UNIT_DAY},       {'T', time->hour, 2, UNIT_HOUR},
		{':', time->minute, 2, UNIT_MINUTE}, {':', time->second, 2, UNIT_SECOND},
	};
	char *to = text;
	if (unit == UNIT_WEEK)
		return (size_t)(put_week(to, time) - text);
	for (size_t i = 0; i < sizeof parts / sizeof parts[0] && parts[i].unit >= unit; i++)
		to = put(to, parts[i].before, parts[i].number, parts[i].digits);
	return (size_t)(to - text);
}
