/* The places that --reset-gap compares: numbers or times. */
#ifndef PSCAN_TEXT_GAP_PLACE_H
#define PSCAN_TEXT_GAP_PLACE_H

#include <stddef.h>
#include <stdint.h>

#include "number/type.h"
#include "text/rules.h"

/* The form of a place. The first field of a stream decides the form of all. (These values are saved by --state.) */
enum gap_kind {
	PLACE_NONE, /* No place was read yet. */
	PLACE_NUMBER, /* A plain number; the gap has no unit. */
	PLACE_TIME, /* Date and time as text. */
	PLACE_DAY, /* YYYYMMDD */
	PLACE_SECONDS, /* A number of seconds since 1970. */
	PLACE_MILLISECONDS, /* A number of milliseconds since 1970. */
	PLACE_MICROSECONDS, /* A number of microseconds since 1970. */
	PLACE_NANOSECONDS, /* A number of nanoseconds since 1970. */
	PLACE_DAY_TIME, /* YYYYMMDDhhmmss */
	PLACE_KINDS
};

struct gap_place {
	int128 at; /* The number, or the seconds since 1970, at scale DECIMAL_SCALE_MAX. */
	enum gap_kind kind;
};

enum gap_fault {
	PLACE_GOOD,
	PLACE_IS_NEITHER, /* The field is neither a number nor a time. */
	PLACE_HAS_ZONE, /* The field ends in the name of a time zone. */
	PLACE_HOUR_OR_SECONDS, /* The field may be YYYYMMDDhh or a number. */
	PLACE_MINUTE_OR_MILLISECONDS, /* The field may be YYYYMMDDhhmm or a number. */
	PLACE_DAY_OR_NUMBER, /* The number looks like YYYYMMDD or YYYYMMDDhhmmss, but is not written in digits only. */
	PLACE_LACKS_TIME, /* The field is a date without a time, and the gap is less than a day. */
};

/* Reads a token of `size` bytes as a place. If rules->gap.is_time, YYYYMMDD and YYYYMMDDhhmmss (perhaps with a
 * fraction) are times, and other numbers are times since 1970; otherwise a number is only a number. All else must be a
 * time (time_parse). Returns PLACE_GOOD after setting *place, or why the token is no place; *place is then unchanged.
 * Pure; any thread. */
enum gap_fault gap_read(const struct text_rules *rules, const char *token, size_t size, struct gap_place *place);

/* Whether two places are at least the gap apart, in either direction. Pure; any thread. */
bool gap_is_between(const struct text_rules *rules, int128 before, int128 now);

/* Writes the message for a fault to `text`, at most `size` bytes. field: the number of the field. */
void gap_describe_fault(const struct text_rules *rules, enum gap_fault fault, const char *token, size_t token_size,
			uint64_t field, char *text, size_t size);
/* Writes the message that a place is of `kind`, but the first place of the kind `decided`, to `text`, at most `size`
 * bytes with the NUL. shown: what the message calls the place. */
void gap_describe_kind(enum gap_kind kind, enum gap_kind decided, const char *shown, char *text, size_t size);

#endif
