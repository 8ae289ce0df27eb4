/* Places: the numbers or times that --reset-gap compares, and the times whose units -g and --reset-on take. */
#ifndef PSCAN_TEXT_PLACE_H
#define PSCAN_TEXT_PLACE_H

#include <stddef.h>
#include <stdint.h>

#include "number/calendar.h"
#include "number/decimal.h"
#include "number/iso_time.h"
#include "number/parse.h"
#include "number/time.h"
#include "number/type.h"
#include "text/rules.h"

/* The form of a place. The first place of a stream decides the form of all. (These values are saved by --state.) */
enum place_kind {
	PLACE_NONE, /* No place was read yet. */
	PLACE_NUMBER, /* A number that is not a time. */
	PLACE_TIME, /* Date and time as text. */
	PLACE_DAY, /* YYYYMMDD */
	PLACE_SECONDS, /* A number of seconds since 1970. */
	PLACE_MILLISECONDS, /* A number of milliseconds since 1970. */
	PLACE_MICROSECONDS, /* A number of microseconds since 1970. */
	PLACE_NANOSECONDS, /* A number of nanoseconds since 1970. */
	PLACE_DAY_TIME, /* YYYYMMDDhhmmss */
	PLACE_KINDS,
	/* Numbers that may be something else. One that is the first of its stream is an error; any other has the kind
	 * of the number (place_kind_settled). */
	PLACE_YEAR_OR_SECONDS = PLACE_KINDS, /* A number of seconds where a unit of the time counts. */
	PLACE_TICKS_OR_NANOSECONDS,
};

struct text_place {
	int128 at; /* The number, or the seconds since 1970, at scale DECIMAL_SCALE_MAX. */
	enum place_kind kind;
	/* Of a time that is written as date and time, in text or in digits: these, without its zone. Of a number of
	 * seconds (or parts of seconds), if the rule has a unit: date and time in UTC. Otherwise all zero. */
	struct time_parts parts;
};

/* The indices of a record's places: the gap, the span, and from PLACE_OF_UNITS on the fields with a unit of time. The
 * kinds of all places are one uint64_t, 4 bits each. */
enum { PLACE_OF_GAP, PLACE_OF_SPAN, PLACE_OF_UNITS, PLACES_MAX = 16 };

/* Returns the kind of the place with the index `which`. */
static inline enum place_kind place_kind_of(uint64_t kinds, size_t which)
{
	return (enum place_kind)(kinds >> (4 * which) & 15);
}

/* Returns the kind that a place has if it is not the first one: numbers that may be something else are then numbers.
 * Other kinds stay. */
static inline enum place_kind place_kind_settled(enum place_kind kind)
{
	return kind == PLACE_YEAR_OR_SECONDS        ? PLACE_SECONDS
	       : kind == PLACE_TICKS_OR_NANOSECONDS ? PLACE_NANOSECONDS
						    : kind;
}

/* Whether a place of a kind may come after places of the kind `decided`, which is PLACE_NONE before the first one. */
static inline bool place_kind_fits(enum place_kind decided, enum place_kind kind)
{
	return decided == kind || decided == PLACE_NONE || place_kind_settled(decided) == place_kind_settled(kind);
}

/* Returns the kinds of all places if only the place with the index `which` has one. */
static inline uint64_t place_kinds_with(enum place_kind kind, size_t which)
{
	return (uint64_t)kind << (4 * which);
}

/* Sets the kind of the place with the index `which`. Changes nothing if that place has a kind already. */
static inline void place_kinds_add(uint64_t *kinds, enum place_kind kind, size_t which)
{
	if (place_kind_of(*kinds, which) == PLACE_NONE)
		*kinds |= place_kinds_with(kind, which);
}

enum place_fault {
	PLACE_GOOD,
	PLACE_IS_NEITHER, /* The field is neither a number nor a time. */
	PLACE_HAS_ZONE, /* The field ends in the name of a time zone. */
	PLACE_HOUR_OR_SECONDS, /* The field may be YYYYMMDDhh or a number. */
	PLACE_MINUTE_OR_MILLISECONDS, /* The field may be YYYYMMDDhhmm or a number. */
	PLACE_DAY_OR_NUMBER, /* The number looks like YYYYMMDD or YYYYMMDDhhmmss, but is not written in digits only. */
	PLACE_LACKS_TIME, /* The field is a date without a time, and the rule's `least` is less than a day. */
};

/* Reads a token of `size` bytes as a place. If rule->is_time, YYYYMMDD and YYYYMMDDhhmmss (perhaps with a fraction) are
 * times, and other numbers are times since 1970; otherwise a number is only a number. All else must be a time
 * (time_parse). Numbers are written with rule->marks. Returns PLACE_GOOD after setting *place, whose kind may be one of
 * a number that may be something else. Otherwise returns why the token is no place; *place is then undefined. Pure; any
 * thread. */
enum place_fault place_read(const struct place_rule *rule, const char *token, size_t size, struct text_place *place);

/* Returns the microseconds from the beginning of year 1 to a place that is a time, by its date and time as they are
 * written, without the zone; those of a number of seconds count in UTC. TIME_UNKNOWN: the year is not 1 to 9999. Pure;
 * any thread. */
uint64_t place_written(const struct text_place *place);

/* Reads a date with a time of day in ISO 8601 (iso_time_read), if rule->unit is UNIT_NONE. A date alone is not read.
 * *place gets its kind and time; place->parts stays as it is. False: *place is unchanged, and the token may still be a
 * place (place_read). *last: as for iso_time_read. */
static inline bool place_read_iso(struct iso_time *last, const struct place_rule *rule, const char *token, size_t size,
				  struct text_place *place)
{
	struct time_point t;
	if (rule->unit != UNIT_NONE || size < ISO_TIME_SIZE || token[4] != '-' || !iso_time_read(last, token, size, &t))
		return false;
	place->at = t.seconds * (int128)TIME_SECOND + t.attoseconds;
	place->kind = PLACE_TIME;
	return true;
}

/* Reads a plain number, if rule->is_plain. If rule->is_time, only numbers of seconds with 10 digits, and of
 * milliseconds with 13, that cannot be dates in digits. *place gets its kind and number; place->parts stays as it is.
 * False: *place is unchanged, and the token may still be a place (place_read). The bytes around the token must be
 * readable as for decimal_scan_own. */
bool place_read_plain(const struct place_rule *rule, const char *token, size_t size, struct text_place *place);

/* Returns the kind of a token that is a number if --accept=time is given. is_time: notation_read has read it as a time.
 * PLACE_NONE: it has no digits, such as inf. */
static inline enum place_kind place_kind_of_number(bool is_time, const char *token, size_t size)
{
	const char *const end = token + size;
	if (is_time && size == 8)
		return PLACE_DAY;
	/* (In other times these are not three digits.) */
	if (is_time)
		return is_digit(token[4]) && is_digit(token[8]) && is_digit(token[9]) ? PLACE_DAY_TIME : PLACE_TIME;
	while (token < end && !is_digit(*token))
		token++;
	return token < end ? PLACE_NUMBER : PLACE_NONE;
}

/* Returns the rule of a field with a unit of time, without marks. option: the option with the field, for messages
 * (borrowed). is_pair: the field is a date, and another field has its time of day. */
struct place_rule place_rule_of_unit(enum calendar_unit unit, const char *option, bool is_pair);

/* Whether two places are at least the gap apart, in either direction. Pure; any thread. */
static inline bool place_is_apart(const struct place_rule *rule, int128 before, int128 now)
{
	const bool is_later = before < now;
	int128 step;
	return __builtin_sub_overflow(is_later ? now : before, is_later ? before : now, &step) || step >= rule->least;
}

/* Writes the message for a fault other than PLACE_GOOD to `text`, at most `size` bytes with the NUL. field: the number
 * of the field, from 1. 0: the field is not chosen by its number. */
void place_describe_fault(const struct place_rule *rule, enum place_fault fault, const char *token, size_t token_size,
			  uint64_t field, char *text, size_t size);
/* Writes the message for a place whose kind is an error to `text`, at most `size` bytes with the NUL. decided: the kind
 * of the first place, which `kind` does not fit. PLACE_NONE: the place is the first one, and `kind` says that it may be
 * something else. option: the option that reads the place. shown: the place in the message. */
void place_describe_kind(const char *option, enum place_kind kind, enum place_kind decided, const char *shown,
			 char *text, size_t size);

#endif
