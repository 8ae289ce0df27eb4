/* Recognises times in ISO 8601 quickly, as most times are written. */
#ifndef PSCAN_NUMBER_ISO_TIME_H
#define PSCAN_NUMBER_ISO_TIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "number/time.h"

/* Bytes of YYYY-MM-DD, and of YYYY-MM-DD hh:mm:ss. */
#define ISO_DATE_SIZE 10
#define ISO_TIME_SIZE 19

/* The last date that was found good. All zero: none. */
struct iso_time {
	char date[ISO_DATE_SIZE];
	int64_t seconds; /* From 1970-01-01 to the date. */
};

/* Whether 8 bytes are hh:mm:ss, but for second 60. */
static inline bool iso_time_is_clock(const char *text)
{
	uint64_t word;
	memcpy(&word, text, sizeof word);
	static const char zeros[] = "00:00:00";
	static const char colons[] = "\0\0\377\0\0\377\0\0";
	uint64_t zero;
	uint64_t colon;
	memcpy(&zero, zeros, sizeof zero);
	memcpy(&colon, colons, sizeof colon);
	const uint64_t digits = word ^ zero;
	const uint64_t high = UINT64_C(0xf0f0f0f0f0f0f0f0);
	const bool are_digits = ((digits | (digits + UINT64_C(0x0606060606060606))) & high) == 0;
	const bool is_hour = text[0] < '2' || (text[0] == '2' && text[1] < '4');
	return are_digits && (digits & colon) == 0 && is_hour && text[3] < '6' && text[6] < '6';
}

/* Whether a text of `size` bytes is YYYY-MM-DD, or that with T or a blank and hh:mm:ss, perhaps with a fraction and
 * Z: a time that time_parse takes. False says nothing: the text may be a time. *last: what the previous call on it
 * left. */
static inline bool iso_time_is_good(struct iso_time *last, const char *text, size_t size)
{
	struct time_place t;
	if (size < ISO_DATE_SIZE || (size > ISO_DATE_SIZE && size < ISO_TIME_SIZE))
		return false;
	if (memcmp(text, last->date, ISO_DATE_SIZE) != 0) {
		if (text[4] != '-' || time_parse(text, ISO_DATE_SIZE, &t) != TIME_OK)
			return false;
		memcpy(last->date, text, ISO_DATE_SIZE);
		last->seconds = t.seconds;
	}
	if (size == ISO_DATE_SIZE)
		return true;
	if ((text[ISO_DATE_SIZE] != 'T' && text[ISO_DATE_SIZE] != ' ') || !iso_time_is_clock(text + ISO_DATE_SIZE + 1))
		return false;
	const char *p = text + ISO_TIME_SIZE;
	const char *end = text + size;
	end -= p < end && end[-1] == 'Z';
	if (p == end)
		return true;
	if ((*p != '.' && *p != ',') || p + 1 == end)
		return false;
	while (++p < end && *p >= '0' && *p <= '9')
		;
	return p == end;
}

/* Reads what iso_time_is_good takes, as time_parse does, but without its parts. False: as there. */
static inline bool iso_time_read(struct iso_time *last, const char *text, size_t size, struct time_place *time)
{
	const char *clock = text + ISO_DATE_SIZE + 1;
	uint32_t unit = 100000000;
	if (!iso_time_is_good(last, text, size))
		return false;
	time->is_date = size == ISO_DATE_SIZE;
	time->seconds = last->seconds;
	time->nanoseconds = 0;
	if (time->is_date)
		return true;
	time->seconds += (clock[0] - '0') * 36000 + (clock[1] - '0') * 3600 + (clock[3] - '0') * 600 +
			 (clock[4] - '0') * 60 + (clock[6] - '0') * 10 + (clock[7] - '0');
	for (size_t i = ISO_TIME_SIZE + 1; i < size && text[i] != 'Z'; i++, unit /= 10)
		time->nanoseconds += (uint32_t)(text[i] - '0') * unit;
	return true;
}

#endif
