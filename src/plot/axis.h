/* An axis: from where to where it goes, and the numbers that stand at it. These are multiples of 1, 2 or 5 times a
 * power of ten; their texts are exact, and the same on every machine. */
#ifndef PSCAN_PLOT_AXIS_H
#define PSCAN_PLOT_AXIS_H

#include <stdbool.h>
#include <stddef.h>

#define AXIS_TICKS_MAX 24
#define AXIS_TEXT_MAX 64

struct tick {
	double at;
	char text[AXIS_TEXT_MAX]; /* as -0.25, 1500 or 2.5e9 */
};

struct axis {
	double least, greatest; /* least < greatest */
	size_t tick_count; /* at least 1, from the least one on */
	struct tick ticks[AXIS_TICKS_MAX];
};

enum axis_kind {
	AXIS_OF_RESULTS, /* it begins and ends at ticks */
	AXIS_OF_INDICES, /* it begins and ends at numbers themselves, and its ticks are whole ones */
};

/* Makes an axis of all numbers from least to greatest, which are finite, with at most wanted ticks (3 to
 * AXIS_TICKS_MAX - 4) between them, and about half of that at least. Where the two are the same, or so near that a
 * double hardly tells them apart, it goes on at both ends. */
void axis_make(struct axis *axis, enum axis_kind kind, double least, double greatest, size_t wanted);

/* Where a number is on the axis: 0 at its begin, 1 at its end. */
double axis_place(const struct axis *axis, double number);

#endif
