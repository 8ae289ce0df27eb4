/* Recognises times in ISO 8601 quickly, as most times are written. */
#ifndef PSCAN_NUMBER_ISO_TIME_H
#define PSCAN_NUMBER_ISO_TIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "number/read_digits.h"
#include "number/time.h"

/* Bytes of YYYY-MM-DD, and of YYYY-MM-DD hh:mm:ss. */
#define ISO_DATE_SIZE 10
#define ISO_TIME_SIZE 19

/* The last date that was found good. All zero: none. */
struct iso_time {
	char date[ISO_DATE_SIZE];
	int64_t seconds; /* From 1970-01-01 to the date. */
};

/* Sets *seconds to the seconds of hh:mm:ss, 8 bytes. False: the bytes are something else, or their second is 60;
 * *seconds is then undefined. */
static inline bool iso_time_read_clock(const char *text, uint32_t *seconds)
{
	/* The text's first byte is the least significant one. What 00:00:00 differs by is in each byte at most 2, 9, 0
	 * (a colon), 5, 9, 0, 5, 9: more sets its highest bit. */
	const uint64_t digits = digits_load(text) ^ UINT64_C(0x30303a30303a3030);
	const uint64_t high = UINT64_C(0x8080808080808080);
	if (((digits | (digits + UINT64_C(0x767a7f767a7f767d))) & high) != 0)
		return false;
	/* Bytes 0, 3 and 6 become the numbers of two digits. */
	const uint64_t pairs = digits * 10 + (digits >> 8);
	const uint32_t hour = pairs & 0xff;
	*seconds = hour * 3600 + (uint32_t)(pairs >> 24 & 0xff) * 60 + (uint32_t)(pairs >> 48 & 0xff);
	return hour < 24;
}

/* Whether 10 bytes are a good date, YYYY-MM-DD. If so, *last becomes this date. */
static inline bool iso_time_is_date(struct iso_time *last, const char *text)
{
	struct time_point t;
	/* (Without a date before, `last` has zeros.) */
	if (text[4] != '-')
		return false;
	if (memory_is_same(text, last->date, ISO_DATE_SIZE))
		return true;
	if (time_parse(text, ISO_DATE_SIZE, &t) != TIME_OK)
		return false;
	memcpy(last->date, text, ISO_DATE_SIZE);
	last->seconds = t.seconds;
	return true;
}

/* Reads the fraction of a second at p (before `end`): a point or comma, and at most 18 digits up to `end`.
 * *attoseconds becomes the fraction. False if the text is anything else; *attoseconds is then undefined. */
static inline bool iso_time_read_fraction(const char *p, const char *end, uint64_t *attoseconds)
{
	uint64_t unit = TIME_SECOND / 10;
	*attoseconds = 0;
	if ((*p != '.' && *p != ',') || p + 1 == end || end - p > TIME_DECIMALS + 1)
		return false;
	while (++p < end && *p >= '0' && *p <= '9') {
		*attoseconds += (uint64_t)(*p - '0') * unit;
		unit /= 10;
	}
	return p == end;
}

/* Reads a text of `size` bytes that is YYYY-MM-DD, or that with T or a blank and hh:mm:ss, perhaps with a fraction and
 * Z. Sets *time as time_parse does, except time->parts, which stays as it is. False: the text may still be a time
 * (time_parse), and *time is undefined. *last: all zero, or what the previous call has left. */
static inline __attribute__((always_inline)) bool iso_time_read(struct iso_time *last, const char *text, size_t size,
								struct time_point *time)
{
	uint32_t clock = 0;
	if ((size < ISO_TIME_SIZE && size != ISO_DATE_SIZE) || !iso_time_is_date(last, text))
		return false;
	time->is_date = size == ISO_DATE_SIZE;
	time->attoseconds = 0;
	time->seconds = last->seconds;
	if (time->is_date)
		return true;
	if ((text[ISO_DATE_SIZE] != 'T' && text[ISO_DATE_SIZE] != ' ') ||
	    !iso_time_read_clock(text + ISO_DATE_SIZE + 1, &clock))
		return false;
	time->seconds += clock;
	const size_t end = size - (text[size - 1] == 'Z');
	return end == ISO_TIME_SIZE || iso_time_read_fraction(text + ISO_TIME_SIZE, text + end, &time->attoseconds);
}

/* Whether iso_time_read returns true for a text. */
static inline bool iso_time_is_good(struct iso_time *last, const char *text, size_t size)
{
	struct time_point t;
	return iso_time_read(last, text, size, &t);
}

#endif
