/* Values of other kinds than numbers: money, dates, units, ranges. They can be read, so nothing that would leave
 * them out is named. */
#include "number/notation.h"
#include "number/time.h"
#include "text/hint_parts.h"
#include "text/marks.h"

/* A number with a unit after it, up to the end: where the unit begins, or NULL. */
static const char *find_unit(const char *p, const char *end)
{
	const char *number = skip_sign(p, end);
	const char *unit = skip_number(number, end);
	bool has = unit > number && unit < end && end - unit <= 8;
	for (const char *q = unit; has && q < end; q++)
		has = is_letter(*q) || *q == '/';
	return has ? unit : NULL;
}

/* A currency's sign before or after a number, or what an account's negative numbers look like. */
static bool is_money(const char *p, const char *end)
{
	static const char *const signs[] = {"$", "\xe2\x82\xac", "\xc2\xa3", "\xc2\xa5"}; /* dollar, euro, pound, yen */
	const bool in_brackets = end - p > 2 && *p == '(' && end[-1] == ')';
	p = skip_sign(in_brackets ? p + 1 : p, end);
	end -= in_brackets;
	bool has_sign = in_brackets;
	for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
		const size_t size = strlen(signs[i]);
		if (begins_with(p, end, signs[i])) {
			p = skip_sign(p + size, end);
			has_sign = true;
		} else if ((size_t)(end - p) > size && memcmp(end - size, signs[i], size) == 0) {
			end -= size;
			has_sign = true;
		}
	}
	if (!has_sign && end - p > 1 && end[-1] == '-') {
		end--;
		has_sign = true;
	}
	bool is_number = p < end && is_digit(*p);
	for (; is_number && p < end; p++)
		is_number = is_digit(*p) || *p == ',' || *p == '.';
	return has_sign && is_number;
}

/* Hours and minutes, and perhaps seconds. */
static bool is_time_of_day(const char *p, const char *end)
{
	size_t colons = 0;
	for (; p < end; colons += *p == ':', p += p < end) {
		const char *digits = p;
		p = skip_digits(p, end);
		if (p - digits < 1 || p - digits > 2 || (p < end && *p != ':'))
			return p - digits == 2 && colons == 2 && p < end && (*p == '.' || *p == ',');
		if (p == end)
			break;
	}
	return colons > 0;
}

const char hint_of_unit[] = " (a unit: another field? see -f)";

/* Whether a day, a month and a year may be three numbers with these counts of digits, in any usual order. */
static bool is_day(const char *const at[3], const size_t digits[3])
{
	int numbers[3] = {0};
	for (size_t i = 0; i < 3; i++) {
		for (size_t k = 0; k < digits[i] && k < 4; k++)
			numbers[i] = numbers[i] * 10 + at[i][k] - '0';
	}
	const bool is_year_first = digits[0] == 4 && digits[1] <= 2 && digits[2] <= 2;
	const bool is_year_last = digits[0] <= 2 && digits[1] <= 2 && digits[2] == 4;
	if (!is_year_first && !is_year_last && (digits[0] != 2 || digits[1] != 2 || digits[2] != 2))
		return false;
	const int a = numbers[is_year_first ? 2 : 0];
	const int b = numbers[1];
	return a >= 1 && b >= 1 && a <= 31 && b <= 31 && (a <= 12 || b <= 12);
}

/* A date as it is written in some country: three numbers between two equal points, slashes or dashes. */
static bool is_date(const char *p, const char *end)
{
	const char *at[3];
	size_t digits[3];
	const char *separator = skip_digits(p, end);
	for (size_t i = 0; i < 3; i++) {
		at[i] = p;
		p = skip_digits(p, end);
		digits[i] = (size_t)(p - at[i]);
		const bool is_separated = p < end && *p == *separator && strchr("./-", *p) != NULL;
		if (digits[i] == 0 || digits[i] > 4 || (i < 2 ? !is_separated : p < end))
			return false;
		p += i < 2;
	}
	return is_day(at, digits);
}

/* A sign that stands before a number that is known in part: less, more, about. Returns where it ends; p if there is
 * no such sign. */
static const char *skip_bound(const char *p, const char *end)
{
	static const char *const signs[] = {"<=", ">=", "<", ">", "~", "\xe2\x89\xa4", "\xe2\x89\xa5", "\xe2\x89\x88"};
	for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
		if (begins_with(p, end, signs[i]))
			return p + strlen(signs[i]);
	}
	return p;
}

/* Numbers in brackets, or such as a range and a fraction have: how many there are; 0: it is anything else. */
static size_t count_numbers(const char *p, const char *end)
{
	static const char *const separators[] = {"..", ",", ";",        "-",        "/",
						 ":",  "x", "\xc3\x97", "\xc2\xb1", "\xe2\x80\x93"};
	static const char opens[] = "[({";
	static const char closes[] = "])}";
	const char *open = p < end && *p != '\0' ? strchr(opens, *p) : NULL;
	const bool has_brackets = open != NULL && end - p > 2 && end[-1] == closes[open - opens];
	size_t count = 0;
	p += has_brackets;
	end -= has_brackets;
	for (bool is_separated = true; is_separated; count++) {
		const char *number = skip_sign(p, end);
		p = skip_number(number, end);
		/* (A range has two points, of which none is the number's.) */
		p -= p > number && p < end && *p == '.' && p[-1] == '.';
		if (p == number)
			return 0;
		is_separated = false;
		for (size_t i = 0; i < sizeof separators / sizeof separators[0] && !is_separated; i++) {
			is_separated = begins_with(p, end, separators[i]);
			p += is_separated ? strlen(separators[i]) : 0;
		}
	}
	return p == end && (count > 1 || has_brackets) ? count : 0;
}

bool hint_is_address(const char *p, const char *end)
{
	for (size_t i = 0; i < 4; i++) {
		int number = 0;
		const char *digits = p;
		for (; p < end && is_digit(*p) && p - digits < 3; p++)
			number = number * 10 + *p - '0';
		if (p == digits || number > 255 || (i < 3 ? p == end || *p++ != '.' : p < end))
			return false;
	}
	return true;
}

/* A currency's sign, or a percent sign, without a number. */
static bool is_lone_sign(const char *p, const char *end)
{
	static const char signs[] = "$,%,\xe2\x82\xac,\xc2\xa3,\xc2\xa5";
	return end > p && marks_have(signs, p, (size_t)(end - p));
}

const char *hint_of_kind(const char *token, size_t size, bool by_field)
{
	const char *end = token + size;
	struct time_point t;
	if (time_parse(token, size, &t) != TIME_NONE || is_date(token, end))
		return time_parse(token, size, &t) == TIME_OK
			       ? (by_field ? " (a date: see --accept=time, or -f for another field)"
					   : " (a date? see --accept=time)")
			       : (by_field ? " (a date: another field? see -f)" : " (a date)");
	if (is_time_of_day(token, end))
		return by_field ? " (a time of day: another field? see -f)" : " (a time of day)";
	if (is_lone_sign(token, end) && *token == '%')
		return by_field ? " (a percentage: another field? see -f)" : " (a percentage? see --accept=percent)";
	if (is_money(token, end) || is_lone_sign(token, end))
		return by_field ? " (money: another field? see -f)" : " (money)";
	const char *bounded = skip_bound(token, end);
	if (bounded > token && bounded < end && skip_number(skip_sign(bounded, end), end) == end)
		return by_field ? " (a limit, not a number: another field? see -f, --invalid)"
				: " (a limit, not a number; see --invalid)";
	if (hint_is_address(token, end))
		return by_field ? " (an address: another field? see -f)" : " (an address)";
	const char *unit = find_unit(token, end);
	if (unit == NULL)
		return NULL;
	return by_field ? hint_of_unit : " (a unit)";
}

const char *hint_of_time(const struct notation *notation, const char *token, size_t size)
{
	static const struct notation durations = {.given = true, .accept = ACCEPT_DURATION};
	const char *end = token + size;
	const char *stop = token;
	struct time_point t;
	const bool accepts = (notation->accept & ACCEPT_TIME) != 0;
	if (time_is_compact(token, size))
		return accepts ? " (" TIME_COMPACT_HINT ")" : " (a time: see --accept=time; " TIME_COMPACT_HINT ")";
	if (!accepts)
		return NULL;
	const enum time_result result = time_parse(token, size, &t);
	if (result == TIME_ZONE)
		return " (a time zone that is not UTC, GMT, Z or an offset such as +01:00)";
	if (result == TIME_NO_DAY)
		return " (there is no such day)";
	if (result == TIME_NO_SECOND)
		return " (second 60 is only at the end of June or December in UTC)";
	if (time_is_too_fine(token, size))
		return " (a second has at most 18 decimals)";
	while (stop < end && *stop != ' ' && *stop != 'T')
		stop++;
	if (is_time_of_day(token, stop))
		return notation_is_number(&durations, token, size)
			       ? " (a time of day without a date; a duration? see --accept=duration)"
			       : " (a time of day without a date)";
	if (stop < end && time_parse(token, (size_t)(stop - token), &t) == TIME_OK)
		return " (times of day are read as hh:mm or hh:mm:ss)";
	return is_date(token, stop) ? " (dates are read as YYYY-MM-DD)" : NULL;
}

const char *hint_of_several(const char *token, size_t size, bool by_field)
{
	if (count_numbers(token, token + size) == 0)
		return NULL;
	return by_field ? " (several numbers: another field? see -f)" : " (several numbers)";
}
