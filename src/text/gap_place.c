#include "text/gap_place.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "number/decimal.h"
#include "number/powers.h"
#include "number/time.h"

/* Below a day a date alone says too little. */
#define DAY_SECONDS 86400

/* Numbers from these on, whatever their sign, are not in seconds. */
static const struct {
	enum gap_kind kind;
	unsigned least; /* as a power of ten */
	unsigned digits; /* of a second's parts */
} magnitudes[] = {
	{PLACE_NANOSECONDS, 17, 9},
	{PLACE_MICROSECONDS, 14, 6},
	{PLACE_MILLISECONDS, 11, 3},
};

static int128 second(void)
{
	return (int128)power_of_ten_u64[DECIMAL_SCALE_MAX];
}

/* A number where N has a unit: seconds since 1970, or parts of them. */
static struct gap_place place_of_seconds(int128 number)
{
	const uint128 magnitude = number < 0 ? 0 - (uint128)number : (uint128)number;
	for (size_t i = 0; i < sizeof magnitudes / sizeof magnitudes[0]; i++) {
		if (magnitude / (uint128)second() >= power_of_ten_u64[magnitudes[i].least])
			return (struct gap_place){.at = number / (int128)power_of_ten_u64[magnitudes[i].digits],
						  .kind = magnitudes[i].kind};
	}
	return (struct gap_place){.at = number, .kind = PLACE_SECONDS};
}

static enum gap_fault place_of_time(const struct text_rules *rules, const struct time_place *t, enum gap_kind kind,
				    struct gap_place *place)
{
	if (t->is_date && rules->gap.least < DAY_SECONDS * second())
		return PLACE_LACKS_TIME;
	*place = (struct gap_place){.at = t->seconds * second() + t->nanoseconds * (second() / 1000000000),
				    .kind = kind};
	return PLACE_GOOD;
}

/* Whether digits are a date with hours, or hours and minutes, and which number they may be as well. */
static enum gap_fault read_hours(const char *digits, size_t count)
{
	struct time_place t;
	if ((count != 10 && count != 12) || !time_parse_digits(digits, count, &t) || t.seconds < 0)
		return PLACE_GOOD;
	return count == 10 ? PLACE_HOUR_OR_SECONDS : PLACE_MINUTE_OR_MILLISECONDS;
}

/* A time that is written in digits alone, where numbers are times. The number of digits decides: eight are a date, and
 * 14 a date with its time of day (as seconds or milliseconds such numbers would be times far from today). False: it is
 * a number. */
static bool read_digits(const struct text_rules *rules, const char *token, size_t size, struct gap_place *place,
			enum gap_fault *fault)
{
	struct time_place t;
	size_t digits = 0;
	while (digits < size && token[digits] >= '0' && token[digits] <= '9')
		digits++;
	if (digits != 14 && (digits != 8 || size != digits))
		return false;
	*fault = PLACE_IS_NEITHER;
	if (time_parse_digits(token, size, &t))
		*fault = place_of_time(rules, &t, digits == 8 ? PLACE_DAY : PLACE_DAY_TIME, place);
	return true;
}

/* Whether a number with a sign, an exponent, a fraction or zeros in front may have been a time in digits, which
 * some program wrote as a number: by its value, for it counts nothing how it is written. A minus says that it is a
 * number, and so does a point after ten or twelve digits. */
static enum gap_fault doubt_number(int128 number, bool has_point)
{
	char digits[48];
	struct time_place t;
	if (number < 0 || number / second() > INT64_MAX)
		return PLACE_GOOD;
	const size_t count = (size_t)snprintf(digits, sizeof digits, "%" PRId64, (int64_t)(number / second()));
	if (count == 8 || count == 14)
		return time_parse_digits(digits, count, &t) ? PLACE_DAY_OR_NUMBER : PLACE_IS_NEITHER;
	return has_point ? PLACE_GOOD : read_hours(digits, count);
}

enum gap_fault gap_read(const struct text_rules *rules, const char *token, size_t size, struct gap_place *place)
{
	struct decimal d;
	struct time_place t;
	union value m;
	enum gap_fault fault;
	if (rules->gap.is_time && read_digits(rules, token, size, place, &fault))
		return fault;
	if (decimal_parse(token, size, &d)) {
		if (d.is_float || !decimal_mantissa(&d, DECIMAL_SCALE_MAX, &type_table[TYPE_I128], &m))
			return PLACE_IS_NEITHER;
		const int128 number = decimal_value(&m, &type_table[TYPE_I128]);
		const bool has_point = memchr(token, '.', size) != NULL && memchr(token, 'e', size) == NULL &&
				       memchr(token, 'E', size) == NULL;
		fault = rules->gap.is_time ? doubt_number(number, has_point) : PLACE_GOOD;
		if (fault == PLACE_GOOD)
			*place = rules->gap.is_time ? place_of_seconds(number)
						    : (struct gap_place){.at = number, .kind = PLACE_NUMBER};
		return fault;
	}
	const enum time_result result = time_parse(token, size, &t);
	if (result != TIME_OK)
		return result == TIME_ZONE ? PLACE_HAS_ZONE : PLACE_IS_NEITHER;
	return place_of_time(rules, &t, PLACE_TIME, place);
}

bool gap_is_between(const struct text_rules *rules, int128 before, int128 now)
{
	int128 step;
	const bool is_past =
		now > before ? __builtin_sub_overflow(now, before, &step) : __builtin_sub_overflow(before, now, &step);
	return is_past || step >= rules->gap.least;
}

void gap_describe_fault(const struct text_rules *rules, enum gap_fault fault, const char *token, size_t token_size,
			uint64_t field, char *text, size_t size)
{
	char quoted[MESSAGE_QUOTED_SIZE];
	message_quote(quoted, token, token_size);
	if (fault == PLACE_IS_NEITHER)
		(void)snprintf(text, size, "neither a number nor a time: %s (see --reset-gap)", quoted);
	else if (fault == PLACE_DAY_OR_NUMBER)
		(void)snprintf(text, size,
			       "%s may be a date in digits, or a number (write 2024-05-01, or N without a unit)",
			       quoted);
	else if (fault == PLACE_HOUR_OR_SECONDS || fault == PLACE_MINUTE_OR_MILLISECONDS)
		(void)snprintf(text, size,
			       "%s may be a date and time in digits, or a number of %s (write 2024-05-01 12:30, or N "
			       "without a unit)",
			       quoted, fault == PLACE_HOUR_OR_SECONDS ? "seconds" : "milliseconds");
	else if (fault == PLACE_HAS_ZONE)
		(void)snprintf(text, size, "a time zone that is not UTC, GMT, Z or an offset such as +01:00: %s",
			       quoted);
	else if (rules->gap.count > 1 || text_names_fields(rules))
		(void)snprintf(text, size, "%s has no time of day, which --reset-gap=...:%s needs", quoted,
			       rules->gap.text);
	else
		(void)snprintf(text, size, "%s has no time of day (two fields? --reset-gap=%" PRIu64 "+%" PRIu64 ":%s)",
			       quoted, field, field + 1, rules->gap.text);
}

void gap_describe_kind(enum gap_kind kind, enum gap_kind decided, const char *shown, char *text, size_t size)
{
	static const char *const names[PLACE_KINDS] = {
		[PLACE_NONE] = "nothing",
		[PLACE_NUMBER] = "a number",
		[PLACE_TIME] = "a date",
		[PLACE_DAY] = "a date in digits",
		[PLACE_SECONDS] = "in seconds",
		[PLACE_MILLISECONDS] = "in milliseconds",
		[PLACE_MICROSECONDS] = "in microseconds",
		[PLACE_NANOSECONDS] = "in nanoseconds",
		[PLACE_DAY_TIME] = "a date and time in digits",
	};
	(void)snprintf(text, size, "--reset-gap: %s is %s, and the first value is %s", shown, names[kind],
		       names[decided]);
}
