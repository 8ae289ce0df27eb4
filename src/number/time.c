#define _GNU_SOURCE /* strptime, timegm */
#include "number/time.h"

#include <string.h>
#include <time.h>

#define TEXT_MAX 64

/* A fraction of a second: digits past the ninth are dropped. Returns what follows it, or NULL. */
static const char *take_fraction(const char *p, uint32_t *nanoseconds)
{
	uint32_t unit = 100000000;
	if (*p != '.' && *p != ',')
		return p;
	if (p[1] < '0' || p[1] > '9')
		return NULL;
	for (p++; *p >= '0' && *p <= '9'; p++, unit /= 10)
		*nanoseconds += (uint32_t)(*p - '0') * unit;
	return p;
}

static bool take_two(const char **p, int most, int *value)
{
	const char *q = *p;
	if (q[0] < '0' || q[0] > '9' || q[1] < '0' || q[1] > '9')
		return false;
	*value = (q[0] - '0') * 10 + q[1] - '0';
	*p = q + 2;
	return *value <= most;
}

/* An offset from UTC in seconds: Z, +hh, +hhmm, +hh:mm, or nothing. */
static bool take_offset(const char *p, int *offset)
{
	int hours = 0;
	int minutes = 0;
	*offset = 0;
	if (*p == ' ')
		p++;
	if (*p == '\0' || strcmp(p, "Z") == 0 || strcmp(p, "z") == 0)
		return true;
	const int sign = *p == '+' ? 1 : *p == '-' ? -1 : 0;
	p++;
	if (sign == 0 || !take_two(&p, 23, &hours))
		return false;
	if (*p == ':')
		p++;
	if (*p != '\0' && !take_two(&p, 59, &minutes))
		return false;
	*offset = sign * (hours * 3600 + minutes * 60);
	return *p == '\0';
}

/* Whether the month has so many days. */
static bool is_day(const struct tm *tm)
{
	struct tm day = {.tm_year = tm->tm_year, .tm_mon = tm->tm_mon, .tm_mday = tm->tm_mday};
	(void)timegm(&day);
	return day.tm_mday == tm->tm_mday;
}

bool time_parse(const char *text, size_t size, struct time_place *time)
{
	static const char *const formats[] = {"%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S", "%d/%b/%Y:%H:%M:%S",
					      "%Y-%m-%dT%H:%M",    "%Y-%m-%d %H:%M",    "%Y-%m-%d"};
	char copy[TEXT_MAX];
	/* Where blanks separate fields a log's time has its bracket yet. */
	if (size > 0 && text[0] == '[') {
		text++;
		size--;
	}
	if (size > 0 && text[size - 1] == ']')
		size--;
	if (size == 0 || size >= sizeof copy || text[0] < '0' || text[0] > '9')
		return false;
	memcpy(copy, text, size);
	copy[size] = '\0';
	for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
		struct tm tm = {.tm_isdst = 0};
		struct time_place place = {0};
		int offset;
		const char *rest = strptime(copy, formats[i], &tm);
		if (rest == NULL)
			continue;
		rest = take_fraction(rest, &place.nanoseconds);
		if (rest == NULL || !take_offset(rest, &offset) || !is_day(&tm))
			continue;
		place.seconds = timegm(&tm) - offset;
		*time = place;
		return strlen(copy) == size;
	}
	return false;
}
