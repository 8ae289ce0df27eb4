/* Days of the Gregorian calendar, and the units of time in which a clock shows a time. */
#ifndef PSCAN_NUMBER_CALENDAR_H
#define PSCAN_NUMBER_CALENDAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A time as a calendar and a clock show it: month and day from 1, second 60 for a leap second. */
struct time_parts {
	int year, month, day, hour, minute, second;
};

enum calendar_unit {
	UNIT_NONE,
	UNIT_SECOND,
	UNIT_MINUTE,
	UNIT_HOUR,
	UNIT_DAY,
	UNIT_WEEK, /* From Monday to Sunday, numbered as in ISO 8601. */
	UNIT_MONTH,
	UNIT_YEAR,
	UNIT_COUNT
};

/* The units' names, for messages. */
#define CALENDAR_UNITS "second, minute, hour, day, week, month or year"

/* Returns a unit's name (static). unit: not UNIT_NONE. */
const char *calendar_unit_name(enum calendar_unit unit);
/* Returns the unit with this name, or UNIT_NONE. */
enum calendar_unit calendar_unit_find(const char *name);

/* Sets *days to the days from 1970-01-01 to a date whose month is 1 to 12 and whose day is 1 to 31. False, with *days
 * unchanged, if there is no such day. Pure. */
bool calendar_days(const struct time_parts *date, int64_t *days);
/* Sets *parts to the time in UTC that is `seconds` after 1970-01-01 00:00:00. False, with *parts unchanged, if the year
 * is not 1 to 9999. Pure. */
bool calendar_parts(int64_t seconds, struct time_parts *parts);

/* Bytes of the longest text of calendar_write. */
#define CALENDAR_TEXT_MAX 19

/* Writes which second, minute, ... or year a time is in: its ISO 8601 text up to the unit (2024-05-01T13:55:36,
 * 2024-05-01T13:55, 2024-05-01T13, 2024-05-01, 2024-W18, 2024-05, 2024), without a NUL. unit: not UNIT_NONE. Returns
 * the text's size. Pure. */
size_t calendar_write(enum calendar_unit unit, const struct time_parts *time, char text[CALENDAR_TEXT_MAX]);

#endif
