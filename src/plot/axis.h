/* An axis: its range, and the ticks with their texts. On an axis of numbers the ticks are multiples of 1, 2 or 5 times
 * a power of ten. On an axis of times they are round times. The texts are exact and do not depend on the machine. */
#ifndef PSCAN_PLOT_AXIS_H
#define PSCAN_PLOT_AXIS_H

#include <stddef.h>
#include <stdint.h>

#define AXIS_TICKS_MAX 24
/* Bytes of room for a text, with its NUL. */
#define AXIS_TEXT_MAX 64

struct tick {
	double at; /* The tick's number on the axis. */
	char text[AXIS_TEXT_MAX]; /* For instance -0.25, 1500 or 2.5e9; or 13:30, 1 May or May. */
	char below[AXIS_TEXT_MAX]; /* For times: the date that `text` leaves out (1 May 2024, 2024). Otherwise empty. */
};

struct axis {
	double least, greatest; /* The range: least < greatest. */
	size_t tick_count; /* At least 1. */
	struct tick ticks[AXIS_TICKS_MAX]; /* In ascending order. */
};

enum axis_kind {
	AXIS_OF_RESULTS, /* The axis begins and ends at ticks. */
	AXIS_OF_INDICES, /* The axis begins at the least number and ends at the greatest. Ticks are integers. */
};

/* Makes an axis for all numbers from `least` to `greatest`, which must be finite and in this order. Between these two
 * lie at most `wanted` ticks, and seldom less than a third of `wanted`. wanted: 3 to AXIS_TICKS_MAX - 4. If `least` and
 * `greatest` are equal or nearly equal, the range is extended on both sides. */
void axis_make(struct axis *axis, enum axis_kind kind, double least, double greatest, size_t wanted);

/* Makes an axis for the times (microseconds from the beginning of year 1, see TIME_EPOCH) from `first` to `last`, which
 * may be equal. Numbers on the axis are microseconds from `first` on. The ticks are round times, such as hours, days or
 * months: at most `wanted` (3 to AXIS_TICKS_MAX), but up to five Mondays if no month begins between them. */
void axis_make_times(struct axis *axis, uint64_t first, uint64_t last, size_t wanted);

/* Returns the place of a number on the axis: 0 at the axis's beginning, 1 at its end, and beyond these for numbers
 * outside. */
double axis_place(const struct axis *axis, double number);

#endif
