/* What --reset-gap compares: numbers, or places in time. */
#ifndef PSCAN_TEXT_GAP_H
#define PSCAN_TEXT_GAP_H

#include <stddef.h>
#include <stdint.h>

#include "number/type.h"
#include "text/rules.h"

/* How a field says where it is. Within a stream all say it in one way, which the first one decides. (The numbers stand
 * in the files of --state.) */
enum gap_kind {
	PLACE_NONE, /* there was none yet */
	PLACE_NUMBER, /* a number without a meaning: N has no unit */
	PLACE_TIME, /* date and time as text */
	PLACE_DAY, /* YYYYMMDD */
	PLACE_SECONDS, /* a number: since 1970 */
	PLACE_MILLISECONDS,
	PLACE_MICROSECONDS,
	PLACE_NANOSECONDS,
	PLACE_DAY_TIME, /* YYYYMMDDhhmmss */
	PLACE_KINDS
};

struct gap_place {
	int128 at; /* the number, or seconds since 1970, at DECIMAL_SCALE_MAX */
	enum gap_kind kind;
};

enum gap_fault {
	PLACE_GOOD,
	PLACE_IS_NEITHER, /* a number nor a time */
	PLACE_HAS_ZONE, /* the name of a time zone ends it */
	PLACE_HOUR_OR_SECONDS, /* YYYYMMDDhh, or a number */
	PLACE_MINUTE_OR_MILLISECONDS, /* YYYYMMDDhhmm, or a number */
	PLACE_DAY_OR_NUMBER, /* the value of YYYYMMDD, or of YYYYMMDDhhmmss, but not in digits alone */
	PLACE_LACKS_TIME, /* it is a date alone, and the gap is less than a day */
};

/* Reads what the gap's field says. *place is set with PLACE_GOOD only. Pure; any thread. */
enum gap_fault gap_read(const struct text_rules *rules, const char *token, size_t size, struct gap_place *place);

/* Whether one is as far from another as the gap, or farther, in either direction. Pure; any thread. */
bool gap_is_between(const struct text_rules *rules, int128 before, int128 now);

/* A fault of the field of that number, as a message's text of at most `size` bytes. */
void gap_describe_fault(const struct text_rules *rules, enum gap_fault fault, const char *token, size_t token_size,
			uint64_t field, char *text, size_t size);
/* A place that is not of the kind that was decided; quoted or plain as it stands in the message. */
void gap_describe_kind(enum gap_kind kind, enum gap_kind decided, const char *shown, char *text, size_t size);

#endif
