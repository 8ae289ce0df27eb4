/* Where numbers are times, a number is a time in digits, in seconds or in parts of seconds. Its digits and its
 * magnitude decide which. Where they do not decide, the place is an error, or its kind tells that it may be something
 * else. */
#include "text/place.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "number/decimal.h"
#include "number/powers.h"
#include "number/read_text.h"
#include "number/time.h"

/* Below a day a date alone says too little. */
#define DAY_SECONDS 86400

/* Numbers from these on, whatever their sign, are not in seconds. */
static const struct {
	enum place_kind kind;
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
static struct text_place place_of_seconds(int128 number)
{
	const uint128 magnitude = number < 0 ? 0 - (uint128)number : (uint128)number;
	for (size_t i = 0; i < sizeof magnitudes / sizeof magnitudes[0]; i++) {
		if (magnitude / (uint128)second() >= power_of_ten_u64[magnitudes[i].least])
			return (struct text_place){.at = number / (int128)power_of_ten_u64[magnitudes[i].digits],
						   .kind = magnitudes[i].kind};
	}
	return (struct text_place){.at = number, .kind = PLACE_SECONDS};
}

static enum place_fault place_of_time(const struct place_rule *rule, const struct time_point *t, enum place_kind kind,
				      struct text_place *place)
{
	if (t->is_date && rule->least < DAY_SECONDS * second())
		return PLACE_LACKS_TIME;
	*place = (struct text_place){.at = t->seconds * second() + t->attoseconds, .kind = kind, .parts = t->parts};
	return PLACE_GOOD;
}

/* Whether digits are a date with hours, or hours and minutes, of 1970 to 2199, and which number they may be as well. */
static enum place_fault read_hours(const char *digits, size_t count)
{
	static const int64_t year_2200 = 7258118400; /* in seconds */
	struct time_point t;
	if ((count != 10 && count != 12) || !time_parse_digits(digits, count, &t) || t.seconds < 0 ||
	    t.seconds >= year_2200)
		return PLACE_GOOD;
	return count == 10 ? PLACE_HOUR_OR_SECONDS : PLACE_MINUTE_OR_MILLISECONDS;
}

/* A time that is written in digits alone, where numbers are times. The number of digits decides: eight are a date, and
 * 14 a date with its time of day (as seconds or milliseconds such numbers would be times far from today). False: it is
 * a number. */
static bool read_digits(const struct place_rule *rule, const char *token, size_t size, struct text_place *place,
			enum place_fault *fault)
{
	struct time_point t;
	size_t digits = 0;
	while (digits < size && token[digits] >= '0' && token[digits] <= '9')
		digits++;
	if (digits != 14 && (digits != 8 || size != digits))
		return false;
	*fault = PLACE_IS_NEITHER;
	if (time_parse_digits(token, size, &t))
		*fault = place_of_time(rule, &t, digits == 8 ? PLACE_DAY : PLACE_DAY_TIME, place);
	return true;
}

/* Whether a number with a sign, an exponent, a fraction or zeros in front may have been a time in digits, which
 * some program wrote as a number: by its value, for it counts nothing how it is written. A minus says that it is a
 * number, and so does a point after ten or twelve digits. */
static enum place_fault doubt_number(int128 number, bool has_point)
{
	char digits[48];
	struct time_point t;
	if (number < 0 || number / second() > INT64_MAX)
		return PLACE_GOOD;
	const size_t count = (size_t)snprintf(digits, sizeof digits, "%" PRId64, (int64_t)(number / second()));
	if (count == 8 || count == 14)
		return time_parse_digits(digits, count, &t) ? PLACE_DAY_OR_NUMBER : PLACE_IS_NEITHER;
	return has_point ? PLACE_GOOD : read_hours(digits, count);
}

/* Whether a number of seconds, as the first one, may be part of a date or a time of day: a year, with or without its
 * month, or a number with zeros in front. size: the token's. */
static bool is_part(int128 number, const char *token, size_t size)
{
	const int128 whole = number / second();
	const size_t sign = size > 0 && (token[0] == '-' || token[0] == '+');
	const bool has_zero = size > sign + 1 && token[sign] == '0' && token[sign + 1] >= '0' && token[sign + 1] <= '9';
	const bool has_month = whole >= 100001 && whole <= 299912 && whole % 100 >= 1 && whole % 100 <= 12;
	return has_zero || (whole >= 1000 && whole <= 2999) || has_month;
}

/* Whether a number of nanoseconds, as the first one, may be a number of 100 nanoseconds since 1601 or since year 1, of
 * about 1981 to 2044 or 1965 to 2092. */
static bool is_ticks(int128 number)
{
	const int128 unit = second() * (int128)power_of_ten_u64[16];
	return (number >= 12 * unit && number < 14 * unit) || (number >= 62 * unit && number < 66 * unit);
}

/* Finds that a number may be something else (PLACE_KINDS). */
static void doubt_first(const struct place_rule *rule, int128 number, const char *token, size_t size,
			struct text_place *place)
{
	if (place->kind == PLACE_SECONDS && rule->unit != UNIT_NONE && is_part(number, token, size))
		place->kind = PLACE_YEAR_OR_SECONDS;
	else if (place->kind == PLACE_NANOSECONDS && is_ticks(number))
		place->kind = PLACE_TICKS_OR_NANOSECONDS;
}

/* The whole seconds of a time, rounded down. */
static int128 seconds_of(const struct text_place *place)
{
	return place->at / second() - (place->at % second() < 0);
}

/* Sets what a clock in UTC shows at a place, or says that the year would not have four digits. */
static enum place_fault find_parts(struct text_place *place)
{
	const int128 seconds = seconds_of(place);
	const bool fits = seconds == (int64_t)seconds && calendar_parts((int64_t)seconds, &place->parts);
	return fits ? PLACE_GOOD : PLACE_IS_NEITHER;
}

bool place_read_plain(const struct place_rule *rule, const char *token, size_t size, struct text_place *place)
{
	const bool is_positive = token[0] >= '1' && token[0] <= '9';
	const bool is_seconds = size == 10 && token[0] == '1' && token[1] < '9';
	const unsigned digits = size == 13 ? 3 : 0; /* of a second's parts */
	unsigned scale;
	int64_t mantissa;
	if (size == 0 || !rule->is_plain || (rule->is_time && !(is_positive && (is_seconds || size == 13))) ||
	    !decimal_scan_own(token, size, &scale, &mantissa) || (rule->is_time && scale > 0))
		return false;
	place->kind = !rule->is_time ? PLACE_NUMBER : is_seconds ? PLACE_SECONDS : PLACE_MILLISECONDS;
	place->at =
		(int128)mantissa * (int128)power_of_ten_u64[DECIMAL_SCALE_MAX - scale - (rule->is_time ? digits : 0)];
	return true;
}

/* place_read for a number, whose token that is. */
static enum place_fault place_of_number(const struct place_rule *rule, const struct decimal *d, const char *token,
					size_t size, struct text_place *place)
{
	union value m;
	if (d->is_float || !decimal_mantissa(d, DECIMAL_SCALE_MAX, &type_table[TYPE_I128], &m))
		return PLACE_IS_NEITHER;
	const int128 number = decimal_value(&m, &type_table[TYPE_I128]);
	const bool has_point = memchr(token, '.', size) != NULL && memchr(token, 'e', size) == NULL &&
			       memchr(token, 'E', size) == NULL;
	const enum place_fault fault = rule->is_time ? doubt_number(number, has_point) : PLACE_GOOD;
	if (fault != PLACE_GOOD)
		return fault;
	*place = rule->is_time ? place_of_seconds(number) : (struct text_place){.at = number, .kind = PLACE_NUMBER};
	doubt_first(rule, number, token, size, place);
	return rule->unit != UNIT_NONE ? find_parts(place) : PLACE_GOOD;
}

/* No number with marks that is longer is read. */
#define MARKED_MAX 256

/* The plain number that a token with the rule's marks stands for: `written`, which has room for MARKED_MAX +
 * NOTATION_GROWTH bytes. Returns its bytes, or 0. */
static size_t read_marks(const struct place_rule *rule, const char *token, size_t size, char *written)
{
	return size <= MARKED_MAX ? notation_read(&rule->marks, token, size, written, NULL) : 0;
}

enum place_fault place_read(const struct place_rule *rule, const char *token, size_t size, struct text_place *place)
{
	struct decimal d;
	char written[MARKED_MAX + NOTATION_GROWTH];
	const char *number = rule->marks.given ? written : token;
	struct time_point t;
	enum place_fault fault;
	if (rule->is_time && read_digits(rule, token, size, place, &fault))
		return fault;
	const size_t number_size = rule->marks.given ? read_marks(rule, token, size, written) : size;
	if (decimal_parse(number, number_size, &d))
		return place_of_number(rule, &d, number, number_size, place);
	const enum time_result result = time_parse(token, size, &t);
	if (result != TIME_OK)
		return result == TIME_ZONE ? PLACE_HAS_ZONE : PLACE_IS_NEITHER;
	return place_of_time(rule, &t, PLACE_TIME, place);
}

uint64_t place_written(const struct text_place *place)
{
	const int128 micro = second() / 1000000;
	struct time_parts parts;
	int128 seconds = seconds_of(place);
	const int128 rest = place->at - seconds * second();
	if (seconds != (int64_t)seconds || !calendar_parts((int64_t)seconds, &parts))
		return TIME_UNKNOWN;
	int64_t days;
	const struct time_parts *p = &place->parts;
	if (p->year > 0 && calendar_days(p, &days))
		seconds = (int128)days * DAY_SECONDS + p->hour * 3600 + p->minute * 60 + p->second;
	return (uint64_t)(seconds * 1000000 + rest / micro) + TIME_EPOCH;
}

struct place_rule place_rule_of_unit(enum calendar_unit unit, const char *option, bool is_pair)
{
	return (struct place_rule){.given = true,
				   .is_time = true,
				   .unit = unit,
				   .least = unit < UNIT_DAY ? second() : DAY_SECONDS * second(),
				   .count = is_pair ? 2 : 1,
				   .text = calendar_unit_name(unit),
				   .option = option};
}

/* The message for a date without a time of day. */
static void describe_lack(const struct place_rule *rule, const char *quoted, uint64_t field, char *text, size_t size)
{
	const char between = rule->option[1] == '-' ? '=' : ' '; /* an option and its value */
	const bool is_plain = rule->unit == UNIT_NONE && rule->text[strspn(rule->text, "0123456789")] == '\0';
	char days[64] = "";
	if (is_plain)
		(void)snprintf(days, sizeof days, "%.20s is seconds; days? %.20sd", rule->text, rule->text);
	if (rule->count > 1 || field == 0)
		(void)snprintf(text, size, "%s has no time of day, which %s%c...:%s needs%s%s%s", quoted, rule->option,
			       between, rule->text, is_plain ? " (" : "", days, is_plain ? ")" : "");
	else
		(void)snprintf(text, size, "%s has no time of day (%s%stwo fields? %s%c%" PRIu64 "+%" PRIu64 ":%s)",
			       quoted, days, is_plain ? "; " : "", rule->option, between, field, field + 1, rule->text);
}

void place_describe_fault(const struct place_rule *rule, enum place_fault fault, const char *token, size_t token_size,
			  uint64_t field, char *text, size_t size)
{
	/* Without a unit numbers would not be times. */
	const char *other = rule->unit == UNIT_NONE ? ", or N without a unit" : "";
	const char *quoted = message_quoted_part(token, token_size);
	if (fault == PLACE_IS_NEITHER && time_is_too_fine(token, token_size))
		(void)snprintf(text, size, "a second has at most %d decimals: %s (see %s)", TIME_DECIMALS, quoted,
			       rule->option);
	else if (fault == PLACE_IS_NEITHER)
		(void)snprintf(text, size, "%s: %s (%s%s)",
			       rule->unit == UNIT_NONE ? "neither a number nor a time" : "not a time", quoted,
			       time_is_compact(token, token_size) ? TIME_COMPACT_HINT "; see " : "see ", rule->option);
	else if (fault == PLACE_DAY_OR_NUMBER)
		(void)snprintf(text, size, "%s may be a date in digits, or a number (write 2024-05-01%s)", quoted,
			       other);
	else if (fault == PLACE_HOUR_OR_SECONDS || fault == PLACE_MINUTE_OR_MILLISECONDS)
		(void)snprintf(text, size,
			       "%s may be a date and time in digits, or a number of %s (write 2024-05-01 12:30%s)",
			       quoted, fault == PLACE_HOUR_OR_SECONDS ? "seconds" : "milliseconds", other);
	else if (fault == PLACE_HAS_ZONE)
		(void)snprintf(text, size, "a time zone that is not UTC, GMT, Z or an offset such as +01:00: %s",
			       quoted);
	else
		describe_lack(rule, quoted, field, text, size);
}

void place_describe_kind(const char *option, enum place_kind kind, enum place_kind decided, const char *shown,
			 char *text, size_t size)
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
	const char *doubt =
		kind == PLACE_YEAR_OR_SECONDS
			? "a year, a month or a time of day, or seconds (write 2024-05-01 12:30, or leave out the unit)"
			: "ticks of Windows or .NET, or nanoseconds (write 2024-05-01 12:30)";
	if (decided == PLACE_NONE)
		(void)snprintf(text, size, "%s: %s may be %s", option, shown, doubt);
	else
		(void)snprintf(text, size, "%s: %s is %s, and the first value is %s", option, shown,
			       names[place_kind_settled(kind)], names[place_kind_settled(decided)]);
}
