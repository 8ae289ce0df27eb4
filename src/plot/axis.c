/* A tick is an integer times a power of ten. Its text is made from the integer's digits, and its place is the number
 * that the text shows. Differences are computed from halves, because the difference of the greatest and the least
 * double does not fit a double. */
#include "plot/axis.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "number/parse.h"

/* Numbers whose relative distance is less count as equal. Otherwise the ticks' texts would need too many digits. */
#define NEAR 1e-12
/* The shortest axis. */
#define LEAST_SPAN 1e-290
/* The most digits before the point, and the most zeros after it, of a text without an exponent. */
#define DIGITS_MAX 6
#define ZEROS_MAX 3

/* The distance of ticks, mantissa * 10^exponent. */
struct step {
	int mantissa; /* 1, 2 or 5 */
	int exponent;
};

/* Returns digits * 10^exponent, rounded once. */
static double value_of(int64_t digits, int exponent)
{
	char text[48];
	union value v = {0};
	const int size = snprintf(text, sizeof text, "%llde%d", (long long)digits, exponent);
	if (number_parse(text, (size_t)size, &type_table[TYPE_F64], &v) != NUMBER_OK)
		return digits < 0 ? -HUGE_VAL : HUGE_VAL;
	return v.f64;
}

/* Returns the least step that is not below a number. */
static struct step step_from(double least)
{
	static const int mantissas[] = {1, 2, 5, 10};
	int binary;
	(void)frexp(least, &binary);
	/* As 2^(binary - 1) <= least and 0.30103 is log10(2), the exponent is not too great, and perhaps too small by
	 * 1. */
	int exponent = (int)floor((binary - 1) * 0.30103) - 1;
	while (value_of(1, exponent + 1) <= least)
		exponent++;
	size_t i = 0;
	while (i < 3 && value_of(mantissas[i], exponent) < least)
		i++;
	return i < 3 ? (struct step){.mantissa = mantissas[i], .exponent = exponent}
		     : (struct step){.mantissa = 1, .exponent = exponent + 1};
}

/* Writes the number digits * 10^exponent without an exponent. `size` is the number of digits. */
static void put_positional(char *text, const char *sign, const char *digits, int size, int exponent)
{
	if (exponent >= 0)
		(void)snprintf(text, AXIS_TEXT_MAX, "%s%s%.*s", sign, digits, exponent, "000000000000000000000");
	else if (-exponent < size)
		(void)snprintf(text, AXIS_TEXT_MAX, "%s%.*s.%s", sign, size + exponent, digits,
			       digits + size + exponent);
	else
		(void)snprintf(text, AXIS_TEXT_MAX, "%s0.%.*s%s", sign, -exponent - size, "000000000000000000000",
			       digits);
}

/* Writes number * 10^exponent without trailing zeros after the point, so ticks may have different numbers of
 * decimals. */
static void put_text(char *text, int64_t number, int exponent)
{
	char digits[24];
	const char *sign = number < 0 ? "-" : "";
	int size = snprintf(digits, sizeof digits, "%llu",
			    number < 0 ? 0ULL - (unsigned long long)number : (unsigned long long)number);
	if (number == 0) {
		(void)snprintf(text, AXIS_TEXT_MAX, "0");
		return;
	}
	for (; digits[size - 1] == '0'; exponent++)
		digits[--size] = '\0';
	const int before = size + exponent; /* Digits before the point. */
	if (before <= DIGITS_MAX && before >= -ZEROS_MAX + 1)
		put_positional(text, sign, digits, size, exponent);
	else
		(void)snprintf(text, AXIS_TEXT_MAX, "%s%c%s%se%d", sign, digits[0], size > 1 ? "." : "", digits + 1,
			       before - 1);
}

/* Extends a range whose ends are equal or nearly equal. */
static void widen(double *least, double *greatest)
{
	const double size = fmax(fabs(*least), fabs(*greatest));
	const double half = *greatest / 2 - *least / 2;
	if (*least == *greatest) {
		const double room = size > LEAST_SPAN ? size / 2 : 1;
		*least = fmax(*least - room, -1.7e308);
		*greatest = fmin(*greatest + room, 1.7e308);
	} else if (half <= size * NEAR || half < LEAST_SPAN) {
		const double room = fmax(size * NEAR, LEAST_SPAN);
		*least -= room;
		*greatest += room;
	}
}

void axis_make(struct axis *axis, enum axis_kind kind, double least, double greatest, size_t wanted)
{
	const bool extends = kind == AXIS_OF_RESULTS;
	widen(&least, &greatest);
	const double size = (greatest / 2 - least / 2) / (double)(wanted - 1) * 2;
	const struct step step = step_from(extends ? size : fmax(size, 1));
	const double unit = value_of(step.mantissa, step.exponent);
	/* Near the greatest double the last tick may be infinite; it is left out below. */
	int64_t first = (int64_t)floor(least / unit);
	int64_t last = (int64_t)ceil(greatest / unit);
	first += !extends && value_of(first * step.mantissa, step.exponent) < least;
	last -= !extends && value_of(last * step.mantissa, step.exponent) > greatest;
	*axis = (struct axis){.least = least, .greatest = greatest};
	for (int64_t i = first; i <= last && axis->tick_count < AXIS_TICKS_MAX; i++) {
		struct tick *t = &axis->ticks[axis->tick_count];
		t->at = value_of(i * step.mantissa, step.exponent);
		if (isinf(t->at))
			continue;
		put_text(t->text, i * step.mantissa, step.exponent);
		axis->tick_count++;
	}
	if (extends) {
		axis->least = fmin(least, axis->ticks[0].at);
		axis->greatest = fmax(greatest, axis->ticks[axis->tick_count - 1].at);
	}
}

double axis_place(const struct axis *axis, double number)
{
	return (number / 2 - axis->least / 2) / (axis->greatest / 2 - axis->least / 2);
}
