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
};

/* Reads a time as ISO 8601 has it (date, or date and time with T or a blank between them) or the Common Log Format, either with
 * a fraction and an offset from UTC, or Z; UTC without one. False: it is none, or no such day. Pure; any thread. */
bool time_parse(const char *text, size_t size, struct time_place *time);

#endif
