/* Ticks are multiples of a step. Up to a day, steps are counted from a midnight, and days from 1970. A week begins on
 * Monday, and months and years are those of the calendar. */
#include <stdio.h>

#include "number/calendar.h"
#include "number/time.h"
#include "plot/axis.h"

#define SECOND INT64_C(1000000)
#define MINUTE (60 * SECOND)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)
/* A Monday. */
#define MONDAY (4 * DAY)

/* The distances of ticks: microseconds, or below 0 months. */
static const int64_t steps[] = {1,           2,           5,           10,        20,         50,         100,
				200,         500,         1000,        2000,      5000,       10000,      20000,
				50000,       100000,      200000,      500000,    SECOND,     2 * SECOND, 5 * SECOND,
				10 * SECOND, 15 * SECOND, 30 * SECOND, MINUTE,    2 * MINUTE, 5 * MINUTE, 10 * MINUTE,
				15 * MINUTE, 30 * MINUTE, HOUR,        2 * HOUR,  3 * HOUR,   6 * HOUR,   12 * HOUR,
				DAY,         2 * DAY,     7 * DAY,     -1,        -3,         -6,         -12,
				-2 * 12,     -5 * 12,     -10 * 12,    -20 * 12,  -50 * 12,   -100 * 12,  -200 * 12,
				-500 * 12,   -1000 * 12,  -2000 * 12,  -5000 * 12};
#define STEPS (sizeof steps / sizeof steps[0])

/* Rounds a quotient up. */
static int64_t divide_up(int64_t number, int64_t by)
{
	return number / by + (number % by > 0);
}

/* Returns the time of tick number i of a step, in microseconds since 1970. */
static int64_t time_of(int64_t step, int64_t i)
{
	if (step > 0)
		return i * step + (step == 7 * DAY ? MONDAY : 0);
	const int64_t month = i * -step;
	const struct time_parts date = {.year = (int)(month / 12), .month = (int)(month % 12) + 1, .day = 1};
	int64_t days = 0;
	(void)calendar_days(&date, &days);
	return days * DAY;
}

/* Returns the number of the first tick of a step that is not before a time. */
static int64_t first_from(int64_t step, int64_t time)
{
	struct time_parts parts = {.year = 1, .month = 1};
	const int64_t months = -step;
	if (months <= 0)
		return divide_up(time - (step == 7 * DAY ? MONDAY : 0), step);
	(void)calendar_parts((time - (SECOND - 1)) / SECOND, &parts);
	int64_t i = (parts.year * 12 + parts.month - 1) / months;
	while (time_of(step, i) < time)
		i++;
	return i;
}

/* Returns the number of ticks of a step from one time to another. */
static int64_t count_ticks(int64_t step, int64_t begin, int64_t end)
{
	return first_from(step, end + 1) - first_from(step, begin);
}

/* Writes the texts of a tick. false: there is no such day. */
static bool put_texts(struct tick *tick, int64_t step, int64_t time)
{
	static const char months[12][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
					   "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
	struct time_parts p = {.month = 1};
	const int64_t seconds = time / SECOND - (time % SECOND < 0);
	const int part = (int)(time - seconds * SECOND);
	char *text = tick->text;
	if (!calendar_parts(seconds, &p))
		return false;
	tick->below[0] = '\0';
	if (step < 0 && step % 12 == 0) {
		(void)snprintf(text, AXIS_TEXT_MAX, "%d", p.year);
		return true;
	}
	if (step < 0 || step >= DAY) {
		if (step > 0)
			(void)snprintf(text, AXIS_TEXT_MAX, "%d %s", p.day, months[p.month - 1]);
		else
			(void)snprintf(text, AXIS_TEXT_MAX, "%s", months[p.month - 1]);
		(void)snprintf(tick->below, AXIS_TEXT_MAX, "%d", p.year);
		return true;
	}
	(void)snprintf(tick->below, AXIS_TEXT_MAX, "%d %s %d", p.day, months[p.month - 1], p.year);
	int size = snprintf(text, AXIS_TEXT_MAX, "%02d:%02d", p.hour, p.minute);
	if (step < MINUTE)
		size += snprintf(text + size, AXIS_TEXT_MAX - (size_t)size, ":%02d", p.second);
	if (step < SECOND)
		(void)snprintf(text + size, AXIS_TEXT_MAX - (size_t)size, step < 1000 ? ".%06d" : ".%03d",
			       step < 1000 ? part : part / 1000);
	return true;
}

void axis_make_times(struct axis *axis, uint64_t first, uint64_t last, size_t wanted)
{
	const int64_t zero = (int64_t)(first - TIME_EPOCH);
	/* A time alone is in the middle of two days or hours. */
	const int64_t beside = first < last ? 0 : zero % DAY == 0 ? DAY : HOUR;
	const int64_t begin = zero - beside;
	const int64_t end = (int64_t)(last - TIME_EPOCH) + beside;
	size_t chosen = 0;
	*axis = (struct axis){.least = (double)-beside, .greatest = (double)(end - zero)};
	while (chosen < STEPS - 1 && count_ticks(steps[chosen], begin, end) > (int64_t)wanted)
		chosen++;
	/* (Between five Mondays perhaps no month begins.) */
	while (count_ticks(steps[chosen], begin, end) == 0)
		chosen--;
	const int64_t step = steps[chosen];
	for (int64_t i = first_from(step, begin); time_of(step, i) <= end && axis->tick_count < AXIS_TICKS_MAX; i++) {
		struct tick *t = &axis->ticks[axis->tick_count];
		t->at = (double)(time_of(step, i) - zero);
		axis->tick_count += put_texts(t, step, time_of(step, i));
	}
}
