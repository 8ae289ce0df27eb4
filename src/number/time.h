/* Reads times from text. */
#ifndef PSCAN_NUMBER_TIME_H
#define PSCAN_NUMBER_TIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "number/calendar.h"

/* Times along a picture are microseconds from the beginning of year 1. This value says that a time is not known. */
#define TIME_UNKNOWN UINT64_MAX
/* 1970-01-01 00:00:00 as such a time. */
#define TIME_EPOCH UINT64_C(62135596800000000)

/* The decimals of a second that are read, and the attoseconds of a second. */
#define TIME_DECIMALS 18
#define TIME_SECOND UINT64_C(1000000000000000000)

/* A point in time. */
struct time_point {
	int64_t seconds; /* Since 1970-01-01 00:00:00 UTC. */
	uint64_t attoseconds; /* After `seconds`, less than TIME_SECOND. */
	bool is_date; /* The text has no time of day; the point in time is the day's beginning. */
	struct time_parts parts; /* Date and time as the text has them: no zone is converted. */
};

enum time_result {
	TIME_OK,
	TIME_NONE, /* The text is not a time. */
	TIME_NO_DAY, /* The text is a time of a day that does not exist. */
	TIME_NO_SECOND, /* The text is a time whose second is 60, and that is not a leap second. */
	TIME_ZONE, /* The text is a time that ends in the name of a time zone which time_parse does not know. */
};

/* Reads a time from `size` bytes of text: a date, perhaps a time of day, perhaps a zone after the time of day.
 *   The date is YYYY-MM-DD, DD/Mon/YYYY, or, if a time of day follows, YYYYMMDD.
 *   The time of day is HH:MM, HH:MM:SS, or HH:MM:SS with a fraction after a point or comma, whose decimals after
 *   the 18th are zeros. It stands after one blank,
 *   after T (if the date is in digits), or after a colon (if the month has a name). Second 60 is a leap second: it can
 *   only be 23:59:60 in UTC of June 30 or December 31.
 *   The zone is Z, UTC, GMT or an offset (+HH, +HHMM, +HH:MM), with or without one blank before it. The default is UTC.
 * An opening bracket before the text and a closing bracket after it are skipped, also if only one is there. *time is
 * set only if TIME_OK is returned. Pure; any thread. */
enum time_result time_parse(const char *text, size_t size, struct time_point *time);

/* Reads a time in UTC from `size` bytes: YYYYMMDD, YYYYMMDDhh, YYYYMMDDhhmm or YYYYMMDDhhmmss, the last one with or
 * without a fraction after a point or comma. (The fraction and second 60 are as for time_parse.)
 * Returns false and leaves *time unchanged if the text is anything else or no such time exists. Pure; any thread. */
bool time_parse_digits(const char *text, size_t size, struct time_point *time);

/* Whether a text is no time of these functions only because its second has decimals after the 18th that are not zeros.
 * Pure; any thread. */
bool time_is_too_fine(const char *text, size_t size);

/* Whether a text is a time like 20240501T135536Z, which time_parse_digits reads without its T and Z. Pure; any
 * thread. */
bool time_is_compact(const char *text, size_t size);
/* The hint for such a text. */
#define TIME_COMPACT_HINT "a compact time is read without T and Z"

#endif
