/* Times as text. */
#ifndef PSCAN_NUMBER_TIME_H
#define PSCAN_NUMBER_TIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A place in time: seconds since 1970 in UTC, and nanoseconds after them. */
struct time_place {
	int64_t seconds;
	uint32_t nanoseconds;
	bool is_date; /* no time of day was given: it is the day's beginning */
};

enum time_result {
	TIME_OK,
	TIME_NONE, /* it is no time, or there is no such day */
	TIME_ZONE, /* it is one, but ends in the name of a time zone that is none of those below */
};

/* Reads a time. The date is YYYY-MM-DD or DD/Mon/YYYY, or YYYYMMDD before a time of day. The time of day is HH:MM,
 * HH:MM:SS, or HH:MM:SS with a fraction after a point or a comma, and stands after one blank, after T where the month
 * has no name, and after a colon where it has. A zone may follow, with or without a blank before it: Z, UTC, GMT or an
 * offset (+HH, +HHMM, +HH:MM); without one it is UTC. Brackets around all may be there, or one of them. *time is set
 * with TIME_OK only. Pure; any thread. */
enum time_result time_parse(const char *text, size_t size, struct time_place *time);

/* Reads YYYYMMDD, and after it hh, hhmm, or hhmmss with a fraction as above. False: it is no such text, or there is no
 * such time. Pure; any thread. */
bool time_parse_digits(const char *text, size_t size, struct time_place *time);

#endif
