/* A picture of curves, with axes, and with a legend where there are several: for a terminal, or as SVG. */
#ifndef PSCAN_PLOT_PICTURE_H
#define PSCAN_PLOT_PICTURE_H

#include <locale.h>

#include "base/memory.h"
#include "plot/curve.h"

/* What stands for curves: printable UTF-8. */
struct picture {
	const struct curves *curves;
	const char *const *names; /* one of each curve */
	bool is_of_keys; /* indices are those among the records of a key, */
	const char *note; /* and this is to be said of the curves; or NULL */
};

/* The screen that a picture is for. */
struct screen {
	size_t columns; /* SCREEN_COLUMNS_MIN to _MAX */
	bool has_unicode; /* else it is ASCII, and other letters are question marks */
	locale_t letters; /* of UTF-8, knows how wide letters are; (locale_t)0: one column each */
	bool has_colours; /* of ANSI's sequences */
};
#define SCREEN_COLUMNS_MIN 32
#define SCREEN_COLUMNS_MAX 500

/* Appends the picture, as lines. STATUS_SYSTEM after a message. */
enum status picture_for_terminal(const struct picture *p, const struct screen *screen, struct bytes *out) MUST_CHECK;
/* Appends a whole SVG file: it needs nothing else, and can be read on white and on black. Its bytes depend on the
 * picture alone. */
enum status picture_as_svg(const struct picture *p, struct bytes *out) MUST_CHECK;

#endif
