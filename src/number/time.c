/* Each form is read byte by byte. This refuses what strptime(3) accepts: a single digit, blanks, 61 seconds. */
#include "number/time.h"

#include <string.h>

#include "number/parse.h"

/* The text that was not read yet. */
struct rest {
	const char *p, *end;
};

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool accept_byte(struct rest *r, char c)
{
	if (r->p == r->end || *r->p != c)
		return false;
	r->p++;
	return true;
}

/* Reads a number of `count` digits. Returns false and reads nothing if there are fewer digits, or if the number is not
 * least .. most. */
static bool read_digits(struct rest *r, size_t count, int least, int most, int *value)
{
	int number = 0;
	if ((size_t)(r->end - r->p) < count)
		return false;
	for (size_t i = 0; i < count; i++) {
		if (!is_digit(r->p[i]))
			return false;
		number = number * 10 + r->p[i] - '0';
	}
	if (number < least || number > most)
		return false;
	r->p += count;
	*value = number;
	return true;
}

static bool read_month_name(struct rest *r, int *month)
{
	static const char names[] = "jan feb mar apr may jun jul aug sep oct nov dec";
	char name[3];
	if (r->end - r->p < 3)
		return false;
	for (size_t i = 0; i < sizeof name; i++) {
		if (!is_letter(r->p[i]))
			return false;
		name[i] = (char)(r->p[i] | 0x20);
	}
	for (int m = 0; m < 12; m++) {
		if (memcmp(names + 4 * (size_t)m, name, sizeof name) == 0) {
			*month = m + 1;
			r->p += sizeof name;
			return true;
		}
	}
	return false;
}

/* DD/Mon/YYYY */
static bool read_named_date(struct rest *r, struct time_parts *d)
{
	return read_digits(r, 2, 0, 99, &d->day) && accept_byte(r, '/') && read_month_name(r, &d->month) &&
	       accept_byte(r, '/') && read_digits(r, 4, 1, 9999, &d->year);
}

/* YYYY-MM-DD, or YYYYMMDD */
static bool read_date(struct rest *r, struct time_parts *d, bool *has_dashes)
{
	if (!read_digits(r, 4, 1, 9999, &d->year))
		return false;
	*has_dashes = accept_byte(r, '-');
	return read_digits(r, 2, 0, 99, &d->month) && (!*has_dashes || accept_byte(r, '-')) &&
	       read_digits(r, 2, 0, 99, &d->day);
}

/* Sets *days as calendar_days does, for a date of any numbers. False: there is no such day. */
static bool find_days(const struct time_parts *d, int64_t *days)
{
	return d->month >= 1 && d->month <= 12 && d->day >= 1 && calendar_days(d, days);
}

/* Whether a time whose second is 60 can be a leap second: the last one of June or December in UTC. seconds: those of
 * the time, which are also those of the next day's beginning. */
static bool is_leap_second(int64_t seconds)
{
	struct time_parts next;
	return seconds % 86400 == 0 && calendar_parts(seconds, &next) && next.day == 1 &&
	       (next.month == 1 || next.month == 7);
}

/* Reads a fraction of a second, if there is one. False if a digit after the 18th is not zero. */
static bool read_fraction(struct rest *r, struct time_point *t)
{
	if (r->p == r->end || (*r->p != '.' && *r->p != ','))
		return true;
	uint64_t unit = TIME_SECOND / 10;
	const char *digits = ++r->p;
	for (; r->p < r->end && is_digit(*r->p); r->p++, unit /= 10) {
		if (unit == 0 && *r->p != '0')
			return false;
		t->attoseconds += (uint64_t)(*r->p - '0') * unit;
	}
	return r->p > digits;
}

static bool read_time(struct rest *r, struct time_point *t)
{
	struct time_parts *p = &t->parts;
	if (!read_digits(r, 2, 0, 23, &p->hour) || !accept_byte(r, ':') || !read_digits(r, 2, 0, 59, &p->minute))
		return false;
	const bool has_seconds = accept_byte(r, ':');
	if (has_seconds && !read_digits(r, 2, 0, 60, &p->second))
		return false;
	t->seconds += p->hour * 3600 + p->minute * 60 + p->second;
	return !has_seconds || read_fraction(r, t);
}

/* Reads the rest, which must be a zone or empty. */
static enum time_result read_zone(struct rest *r, struct time_point *t)
{
	static const char *const names[] = {"Z", "z", "UTC", "GMT"};
	int hours;
	int minutes = 0;
	if (r->p == r->end)
		return TIME_OK;
	(void)accept_byte(r, ' ');
	const size_t size = (size_t)(r->end - r->p);
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		if (strlen(names[i]) == size && memcmp(names[i], r->p, size) == 0)
			return TIME_OK;
	}
	if (size > 0 && is_letter(*r->p)) {
		const bool is_half_day = size == 2 && (r->p[1] | 0x20) == 'm' && strchr("aApP", *r->p) != NULL;
		return memchr(r->p, ' ', size) == NULL && !is_half_day ? TIME_ZONE : TIME_NONE;
	}
	const bool is_east = accept_byte(r, '+');
	if ((!is_east && !accept_byte(r, '-')) || !read_digits(r, 2, 0, 23, &hours))
		return TIME_NONE;
	const bool has_colon = accept_byte(r, ':');
	if ((has_colon || r->p < r->end) && !read_digits(r, 2, 0, 59, &minutes))
		return TIME_NONE;
	t->seconds -= (is_east ? 1 : -1) * (hours * 3600 + minutes * 60);
	return r->p == r->end ? TIME_OK : TIME_NONE;
}

enum time_result time_parse(const char *text, size_t size, struct time_point *time)
{
	struct rest r = {.p = text, .end = text + size};
	struct time_point t = {0};
	struct time_parts *d = &t.parts;
	bool has_dashes = true;
	int64_t days = 0;
	/* If blanks separate fields, a log's time still has its bracket. */
	(void)accept_byte(&r, '[');
	r.end -= r.p < r.end && r.end[-1] == ']';
	struct rest other = r;
	const bool is_named = read_named_date(&r, d);
	if (!is_named && !read_date(&other, d, &has_dashes))
		return TIME_NONE;
	r = is_named ? r : other;
	const bool has_day = find_days(d, &days);
	t.seconds = days * 86400;
	t.is_date = r.p == r.end;
	if (t.is_date && !has_dashes)
		return TIME_NONE; /* a number */
	if (!t.is_date && !accept_byte(&r, ' ') && !accept_byte(&r, is_named ? ':' : 'T'))
		return TIME_NONE;
	enum time_result result = t.is_date ? TIME_OK : !read_time(&r, &t) ? TIME_NONE : read_zone(&r, &t);
	if (result == TIME_OK && !has_day)
		result = TIME_NO_DAY;
	else if (result == TIME_OK && d->second == 60 && !is_leap_second(t.seconds))
		result = TIME_NO_SECOND;
	if (result == TIME_OK)
		*time = t;
	return result;
}

bool time_parse_digits(const char *text, size_t size, struct time_point *time)
{
	struct rest r = {.p = text, .end = text + size};
	struct time_point t = {0};
	struct time_parts *d = &t.parts;
	bool has_dashes;
	int64_t days;
	int *parts[] = {&d->hour, &d->minute, &d->second};
	if (!read_date(&r, d, &has_dashes) || has_dashes || !find_days(d, &days))
		return false;
	t.is_date = r.p == r.end;
	for (size_t i = 0; i < 3 && r.p < r.end; i++) {
		if (!read_digits(&r, 2, 0, i == 0 ? 23 : i == 1 ? 59 : 60, parts[i]))
			return false;
	}
	if (!read_fraction(&r, &t) || r.p < r.end)
		return false;
	t.seconds = days * 86400 + d->hour * 3600 + d->minute * 60 + d->second;
	if (d->second == 60 && !is_leap_second(t.seconds))
		return false;
	*time = t;
	return true;
}

bool time_is_too_fine(const char *text, size_t size)
{
	char cut[80];
	struct time_point t;
	const char *const end = text + size;
	const char *p = text;
	while (p < end && *p != '.' && *p != ',')
		p++;
	if (end - p <= TIME_DECIMALS + 1)
		return false;
	const char *rest = p + 1;
	while (rest < end && is_digit(*rest))
		rest++;
	const size_t kept = (size_t)(p - text) + 1 + TIME_DECIMALS;
	const size_t left = (size_t)(end - rest);
	if (rest - p <= TIME_DECIMALS + 1 || kept + left > sizeof cut || time_parse(text, size, &t) == TIME_OK ||
	    time_parse_digits(text, size, &t))
		return false;
	memcpy(cut, text, kept);
	memcpy(cut + kept, rest, left);
	return time_parse(cut, kept + left, &t) == TIME_OK || time_parse_digits(cut, kept + left, &t);
}

bool time_is_compact(const char *text, size_t size)
{
	char digits[80];
	struct time_point t;
	const size_t mark = size > 8 && text[8] == 'T';
	const size_t zone = size > 8 && text[size - 1] == 'Z';
	if (size > sizeof digits || mark + zone == 0 || size - mark - zone < 14)
		return false;
	memcpy(digits, text, 8);
	memcpy(digits + 8, text + 8 + mark, size - 8 - mark - zone);
	return time_parse_digits(digits, size - mark - zone, &t);
}
