/* Draws curves with axes and a legend, for a terminal or as SVG. */
#ifndef PSCAN_PLOT_PICTURE_H
#define PSCAN_PLOT_PICTURE_H

#include "base/memory.h"
#include "plot/axis.h"
#include "plot/curve.h"

/* The content of a picture. Everything is borrowed. Texts are printable UTF-8. */
struct picture {
	const struct curves *curves;
	const char *const *names; /* The names of the curves, one each. */
	bool is_of_keys; /* Indices that are not times count the records of one key. */
	const char *note; /* A remark for the legend, or NULL. */
};

/* Makes the axis along a picture. If the curves are against times and have one: axis_make_times with wanted_times.
 * Otherwise: axis_make of AXIS_OF_INDICES with `wanted`. */
void picture_make_along(const struct picture *p, size_t wanted, size_t wanted_times, struct axis *along);

/* The screen that a picture is for. */
struct screen {
	size_t columns; /* SCREEN_COLUMNS_MIN to SCREEN_COLUMNS_MAX. */
	bool has_unicode; /* False: only ASCII is written, and other letters become question marks. */
	bool has_colours; /* The screen understands ANSI's sequences for colours. */
};
#define SCREEN_COLUMNS_MIN 32
#define SCREEN_COLUMNS_MAX 500

/* Appends the picture as lines of text to *out. STATUS_SYSTEM after a message if memory is missing. */
enum status picture_for_terminal(const struct picture *p, const struct screen *screen, struct bytes *out) MUST_CHECK;
/* Appends the picture to *out as a complete SVG file, which is readable on white and on black. Its bytes depend only on
 * the picture. STATUS_SYSTEM after a message if memory is missing. */
enum status picture_as_svg(const struct picture *p, struct bytes *out) MUST_CHECK;

#endif
