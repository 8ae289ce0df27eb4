/* Coordinates are counted in hundredths of a unit and written as integers, so the bytes do not depend on locale or C
 * library. A piece of a curve between gaps is a line if every range of it is a single number. Otherwise it is a band,
 * whose edge goes along the greatest numbers and back along the least. */
#include "plot/picture.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "number/write.h"
#include "plot/axis.h"

#define WIDTH 800
#define HEIGHT 400
/* The margins around the axes. */
#define LEFT 90
#define RIGHT 20
#define BOTTOM 40
#define LEGEND_LINE 18
/* The mean width of a letter. */
#define LETTER 7
#define TICKS_UP 6
#define TICKS_ALONG 11
#define TIMES_ALONG 8

struct drawing {
	const struct picture *picture;
	struct bytes *out;
	enum status status;
	double top; /* The upper end of the axes, below the legend. */
	struct axis along, up;
};

/* The curves' colours, on white (light) and on black (dark). */
static const struct {
	const char *light, *dark;
} colours[CURVES_MAX] = {
	{"#0b62a4", "#6cb6ff"}, {"#c2410c", "#ff9e64"}, {"#2e7d32", "#7ddc7f"}, {"#8e24aa", "#d79bff"},
	{"#b71c1c", "#ff8f8f"}, {"#00695c", "#5fd3c4"}, {"#795548", "#d7b49e"}, {"#827717", "#dcd15a"},
	{"#ad1457", "#ff8fc0"}, {"#455a64", "#b0c4cf"},
};

#define put(d, ...) FORMAT_INTO(d, (d)->out, __VA_ARGS__)

/* Writes a name with markup escaped. A character that XML does not allow becomes a question mark. */
static void put_name(struct drawing *d, const char *name)
{
	for (const char *p = name; *p != '\0'; p++) {
		const bool is_none = strncmp(p, "\xef\xbf\xbe", 3) == 0 || strncmp(p, "\xef\xbf\xbf", 3) == 0;
		if (is_none)
			p += 2;
		put(d, is_none ? "?" : *p == '&' ? "&amp;" : *p == '<' ? "&lt;" : *p == '>' ? "&gt;" : "%c", *p);
	}
}

static void put_coordinate(struct drawing *d, char before, double coordinate)
{
	const int64_t hundredths = (int64_t)floor(coordinate * 100 + 0.5);
	const int64_t part = hundredths % 100;
	put(d, "%c%" PRId64, before, hundredths / 100);
	if (part != 0)
		put(d, part % 10 == 0 ? ".%" PRId64 : ".%02" PRId64, part % 10 == 0 ? part / 10 : part);
}

static double x_of(const struct drawing *d, double index)
{
	return LEFT + axis_place(&d->along, index) * (WIDTH - LEFT - RIGHT);
}

static double y_of(const struct drawing *d, double result)
{
	return HEIGHT - BOTTOM - axis_place(&d->up, result) * (HEIGHT - BOTTOM - d->top);
}

static void put_point(struct drawing *d, char command, double x, double y)
{
	put_coordinate(d, command, x);
	put_coordinate(d, ' ', y);
}

static void put_point_of(struct drawing *d, char command, size_t i, double result)
{
	put_point(d, command, x_of(d, curves_index(d->picture->curves, i)), y_of(d, result));
}

/* Whether any range from `first` to before `end` has more than one number. */
static bool is_piece_a_band(const struct drawing *d, size_t curve, size_t first, size_t end)
{
	bool is_band = false;
	for (size_t i = first; i < end; i++) {
		const struct range r = curves_range(d->picture->curves, curve, i);
		is_band = is_band || r.least < r.greatest;
	}
	return is_band;
}

/* Draws the ranges from `first` to before `end`. The first of them is not a gap, and only between times is any other.
 * */
static void put_piece(struct drawing *d, size_t curve, size_t first, size_t end, bool is_band)
{
	const struct curves *c = d->picture->curves;
	size_t count = 0;
	for (size_t i = first; i < end; i++) {
		if (!range_is_gap(curves_range(c, curve, i)))
			put_point_of(d, count++ == 0 ? 'M' : 'L', i, curves_range(c, curve, i).greatest);
	}
	for (size_t i = end; i > first && is_band; i--) {
		if (!range_is_gap(curves_range(c, curve, i - 1)))
			put_point_of(d, 'L', i - 1, curves_range(c, curve, i - 1).least);
	}
	/* A piece of one point becomes a closed path, whose line has round ends and so is visible. */
	if (is_band || count == 1)
		put(d, "Z");
}

/* Draws all bands or all lines of a curve as one path. Writes nothing if it has none. */
static void put_curve(struct drawing *d, size_t curve, bool bands)
{
	const struct curves *c = d->picture->curves;
	const size_t count = curves_range_count(c);
	const size_t size_before = d->out->size;
	size_t first = 0;
	put(d, "<path class=\"c%zu%s\" d=\"", curve, bands ? " band" : "");
	const size_t begin = d->out->size;
	while (c->are_times && first < count && range_is_gap(curves_range(c, curve, first)))
		first++;
	for (size_t i = first; i <= count; i++) {
		if (i < count && (c->are_times || !range_is_gap(curves_range(c, curve, i))))
			continue;
		if (first < i && is_piece_a_band(d, curve, first, i) == bands)
			put_piece(d, curve, first, i, bands);
		first = i + 1;
	}
	if (d->out->size == begin)
		d->out->size = size_before;
	else
		put(d, "\"/>\n");
}

static void put_style(struct drawing *d)
{
	const size_t count = d->picture->curves->count;
	put(d, "<style>\n"
	       "text{font:12px sans-serif;fill:#222}\n"
	       "path{fill:none;stroke-linecap:round;stroke-linejoin:round}\n"
	       ".back{fill:#fff}.grid{stroke:#ddd}.axis{stroke:#666}.up{text-anchor:end}.along{text-anchor:middle}\n");
	for (size_t i = 0; i < count; i++)
		put(d, ".c%zu{stroke:%s;stroke-width:1.5}.c%zu.band{fill:%s;fill-opacity:.6;stroke-width:1}\n", i,
		    colours[i].light, i, colours[i].light);
	put(d, "@media(prefers-color-scheme:dark){\n"
	       "text{fill:#ddd}.back{fill:#111}.grid{stroke:#333}.axis{stroke:#999}\n");
	for (size_t i = 0; i < count; i++)
		put(d, ".c%zu{stroke:%s}.c%zu.band{fill:%s}\n", i, colours[i].dark, i, colours[i].dark);
	put(d, "}\n</style>\n");
}

static void put_extremes(struct drawing *d, struct range all)
{
	char least[NUMBER_TEXT_MAX + 1] = "";
	char greatest[NUMBER_TEXT_MAX + 1] = "";
	least[number_format_f64(least, all.least)] = '\0';
	greatest[number_format_f64(greatest, all.greatest)] = '\0';
	if (d->picture->curves->are_times) {
		put(d, "Results against time, from %s to %s", least, greatest);
		return;
	}
	put(d,
	    d->picture->is_of_keys ? "Up to %" PRIu64 " results of a key against their index, from %s to %s"
				   : "%" PRIu64 " results against their index, from %s to %s",
	    d->picture->curves->end - d->picture->curves->first, least, greatest);
}

/* Writes the title and description for readers who do not see the picture. */
static void put_description(struct drawing *d, struct range all)
{
	const struct picture *p = d->picture;
	put(d, "<title id=\"title\">");
	for (size_t i = 0; i < p->curves->count; i++) {
		put(d, "%s", i > 0 ? ", " : "");
		put_name(d, p->names[i]);
	}
	put(d, "</title>\n<desc id=\"desc\">");
	if (range_is_gap(all))
		put(d, "No finite results");
	else
		put_extremes(d, all);
	if (p->note != NULL)
		put(d, " %s", p->note);
	put(d, ".</desc>\n");
}

/* Writes a text under a tick. Of times, which are wide, all of the text is in the picture. */
static void put_along(struct drawing *d, double x, int down, const char *text)
{
	const double half = (double)strlen(text) * LETTER / 2;
	put(d, "<text class=\"along\" x=");
	put_coordinate(d, '"', d->picture->curves->are_times ? fmin(x, WIDTH - 2 - half) : x);
	put(d, "\" y=\"%d\">%s</text>\n", HEIGHT - BOTTOM + down, text);
}

/* Writes the numbers or times along the picture. What stands below the times is written where it changes. */
static void put_numbers_along(struct drawing *d)
{
	const char *below = "";
	for (size_t i = 0; i < d->along.tick_count; i++) {
		const struct tick *t = &d->along.ticks[i];
		put_along(d, x_of(d, t->at), 20, t->text);
		if (strcmp(t->below, below) != 0)
			put_along(d, x_of(d, t->at), 34, t->below);
		below = t->below;
	}
}

static void put_axes(struct drawing *d)
{
	put(d, "<path class=\"grid\" d=\"");
	for (size_t i = 0; i < d->up.tick_count; i++) {
		put_point(d, 'M', LEFT, y_of(d, d->up.ticks[i].at));
		put(d, "H%d", WIDTH - RIGHT);
	}
	put(d, "\"/>\n<path class=\"axis\" d=\"");
	put_point(d, 'M', LEFT, d->top);
	put(d, "V%dH%d", HEIGHT - BOTTOM, WIDTH - RIGHT);
	for (size_t i = 0; i < d->along.tick_count; i++) {
		put_point(d, 'M', x_of(d, d->along.ticks[i].at), HEIGHT - BOTTOM);
		put(d, "v5");
	}
	put(d, "\"/>\n");
	for (size_t i = 0; i < d->up.tick_count; i++) {
		put(d, "<text class=\"up\" x=\"%d\" y=", LEFT - 8);
		put_coordinate(d, '"', y_of(d, d->up.ticks[i].at) + 4);
		put(d, "\">%s</text>\n", d->up.ticks[i].text);
	}
	put_numbers_along(d);
}

static size_t count_letters(const char *name)
{
	size_t count = 0;
	for (; *name != '\0'; name++)
		count += ((unsigned char)*name & 0xc0) != 0x80;
	return count;
}

/* Writes the legend above the curves: their names, each with a piece of its curve, and the note. Returns where the
 * legend's lines end. draws false: only measures. */
static double put_legend(struct drawing *d, bool draws)
{
	const struct picture *p = d->picture;
	const size_t count = p->curves->count + (p->note != NULL);
	size_t x = LEFT;
	size_t y = 22;
	for (size_t i = 0; i < count; i++) {
		const char *text = i < p->curves->count ? p->names[i] : p->note;
		const size_t size = count_letters(text) * LETTER + 40;
		if (x > LEFT && x + size > WIDTH - RIGHT) {
			x = LEFT;
			y += LEGEND_LINE;
		}
		if (draws && i < p->curves->count)
			put(d, "<path class=\"c%zu\" d=\"M%zu %zuh16\"/>", i, x, y - 4);
		if (draws) {
			put(d, "<text x=\"%zu\" y=\"%zu\">", i < p->curves->count ? x + 22 : x, y);
			put_name(d, text);
			put(d, "</text>\n");
		}
		x += size;
	}
	return (double)(y + LEGEND_LINE);
}

enum status picture_as_svg(const struct picture *p, struct bytes *out)
{
	struct drawing d = {.picture = p, .out = out, .status = STATUS_OK};
	const struct range all = curves_extremes(p->curves);
	const bool is_empty = range_is_gap(all);
	axis_make(&d.up, AXIS_OF_RESULTS, is_empty ? 0 : all.least, is_empty ? 1 : all.greatest, TICKS_UP);
	picture_make_along(p, TICKS_ALONG, TIMES_ALONG, &d.along);
	d.top = put_legend(&d, false);
	put(&d,
	    "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\""
	    " aria-labelledby=\"title desc\">\n",
	    WIDTH, HEIGHT, WIDTH, HEIGHT);
	put_description(&d, all);
	put_style(&d);
	put(&d, "<rect class=\"back\" width=\"%d\" height=\"%d\"/>\n", WIDTH, HEIGHT);
	put_axes(&d);
	/* The first curve is drawn last, so that it is visible where others overlap it. */
	for (size_t i = p->curves->count; i > 0; i--) {
		put_curve(&d, i - 1, true);
		put_curve(&d, i - 1, false);
	}
	(void)put_legend(&d, true);
	put(&d, "</svg>\n");
	return d.status;
}
