/* The canvas consists of cells, and a cell of dots: 2 x 4 dots in Braille, two dots one above the other in ASCII. If
 * there are several curves and no colours, a cell is one dot, and each curve has its own character. A cell shows the
 * dots of one curve only, the first that has dots there. */
#include "plot/picture.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/utf8.h"
#include "plot/axis.h"

/* Number of lines of the canvas. */
#define ROWS 16
#define TICKS_UP 6
/* The least columns for a number at the axis of indices and the space after it. */
#define TICK_COLUMNS 8
/* Those for a time. */
#define TIME_COLUMNS 13

/* The dots of a cell. */
static const struct dots {
	size_t across, down;
} braille = {2, 4}, halves = {1, 2}, marks = {1, 1};

static const char curve_marks[CURVES_MAX + 1] = "*+ox#@%&=~";
/* The curves' colours, as ANSI's numbers of foregrounds. */
static const unsigned char colours[CURVES_MAX] = {36, 33, 35, 32, 31, 34, 96, 93, 95, 92};

struct canvas {
	const struct picture *picture;
	const struct dots *dots;
	bool has_unicode, has_colours;
	size_t columns; /* Cells of a row. */
	unsigned char *cells; /* The dots of each cell as bits, row by row from above. Owned. */
	unsigned char *owners; /* The curve of each cell's dots. In the memory of `cells`. */
	struct axis along, up;
	size_t label_size; /* Bytes of the longest number left of the canvas. */
	struct bytes *out; /* The picture so far. */
	enum status status; /* Of writing it. */
};

/* The first and last dot of a part of a column of dots, counted from above. */
struct bar {
	size_t top, bottom;
};

static void set_dot(struct canvas *c, size_t curve, size_t x, size_t y)
{
	static const unsigned char bits[2][4] = {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}};
	const size_t cell = y / c->dots->down * c->columns + x / c->dots->across;
	if (c->owners[cell] != curve)
		c->cells[cell] = 0;
	c->owners[cell] = (unsigned char)curve;
	c->cells[cell] |= bits[x % c->dots->across][y % c->dots->down];
}

static struct bar make_bar(const struct canvas *c, double least, double greatest)
{
	const double last = (double)(ROWS * c->dots->down - 1);
	return (struct bar){.top = (size_t)floor((1 - greatest) * last + 0.5),
			    .bottom = (size_t)floor((1 - least) * last + 0.5)};
}

/* Draws a bar. If a gap is between it and the bar before it (perhaps NULL), extends it to close the gap. */
static void draw_bar(struct canvas *c, size_t curve, size_t x, struct bar bar, const struct bar *before)
{
	if (before != NULL && before->bottom + 1 < bar.top)
		bar.top = before->bottom + 1;
	if (before != NULL && before->top > bar.bottom + 1)
		bar.bottom = before->top - 1;
	for (size_t y = bar.top; y <= bar.bottom; y++)
		set_dot(c, curve, x, y);
}

/* The place of a curve's range in the canvas. */
struct position {
	double x; /* In dots. */
	double least, greatest; /* On the axis, 0 to 1. */
};

/* Draws a curve from one range to the next: a bar in each column after the first range's. *bar, the bar of the first
 * range, becomes the last bar. */
static void draw_between(struct canvas *c, size_t curve, const struct position *from, const struct position *to,
			 struct bar *bar)
{
	const size_t first = (size_t)floor(from->x + 0.5);
	const size_t last = (size_t)floor(to->x + 0.5);
	for (size_t x = first < last ? first + 1 : last; x <= last; x++) {
		const double way = x < last ? ((double)x - from->x) / (to->x - from->x) : 1;
		const struct bar next = make_bar(c, from->least + (to->least - from->least) * way,
						 from->greatest + (to->greatest - from->greatest) * way);
		draw_bar(c, curve, x, next, bar);
		*bar = next;
	}
}

static void draw_curve(struct canvas *c, size_t curve)
{
	const struct curves *curves = c->picture->curves;
	const double last = (double)(c->columns * c->dots->across - 1);
	struct position before = {0};
	struct bar bar = {0};
	bool goes_on = false;
	for (size_t i = 0; i < curves_range_count(curves); i++) {
		const struct range r = curves_range(curves, curve, i);
		const struct position place = {.x = axis_place(&c->along, curves_index(curves, i)) * last,
					       .least = axis_place(&c->up, r.least),
					       .greatest = axis_place(&c->up, r.greatest)};
		if (range_is_gap(r)) {
			goes_on = goes_on && curves->are_times;
			continue;
		}
		if (goes_on) {
			draw_between(c, curve, &before, &place, &bar);
		} else {
			bar = make_bar(c, place.least, place.greatest);
			draw_bar(c, curve, (size_t)floor(place.x + 0.5), bar, NULL);
		}
		before = place;
		goes_on = true;
	}
}

#define put(c, ...) FORMAT_INTO(c, (c)->out, __VA_ARGS__)

static void put_blanks(struct canvas *c, size_t count)
{
	put(c, "%*s", (int)count, "");
}

/* Writes a cell with these dots of a curve. */
static void put_cell(struct canvas *c, size_t curve, unsigned char bits)
{
	if (c->has_colours)
		put(c, "\x1b[%dm", colours[curve]);
	if (c->dots == &marks)
		put(c, "%c", curve_marks[curve]);
	else if (c->dots == &halves)
		put(c, "%c", " '.:"[bits & 3]);
	else
		put(c, "\xe2%c%c", 0xa0 | bits >> 6, 0x80 | (bits & 0x3f));
	if (c->has_colours)
		put(c, "\x1b[0m");
}

/* Returns the bytes of the first letter of printable UTF-8. *columns becomes the columns that the letter takes. */
static size_t read_letter(const struct canvas *c, const char *text, size_t *columns)
{
	unsigned wide;
	const size_t size = utf8_columns(text, text + strlen(text), &wide);
	*columns = c->has_unicode ? wide : 1;
	return size;
}

/* Returns the columns that printable UTF-8 takes. */
static size_t text_columns(const struct canvas *c, const char *text)
{
	size_t count = 0;
	while (*text != '\0') {
		size_t columns;
		text += read_letter(c, text, &columns);
		count += columns;
	}
	return count;
}

static void put_name(struct canvas *c, const char *text)
{
	while (*text != '\0') {
		size_t columns;
		const size_t size = read_letter(c, text, &columns);
		if (size > 1 && !c->has_unicode)
			put(c, "?");
		else
			put(c, "%.*s", (int)size, text);
		text += size;
	}
}

/* Stands for a curve's number where there is no curve. */
#define NO_CURVE SIZE_MAX

/* Writes a text of the legend, after a sample of a curve unless curve is NO_CURVE. *column: the columns used in the
 * line before and after the call. Begins a new line if the text does not fit. */
static void put_in_legend(struct canvas *c, const char *text, size_t curve, size_t *column)
{
	const size_t indent = c->label_size + 2;
	const size_t size = text_columns(c, text) + (curve != NO_CURVE ? 2 : 0);
	const bool fits = *column + 2 + size <= c->columns;
	if (*column > 0 && !fits)
		put(c, "\n");
	put_blanks(c, *column == 0 || !fits ? indent : 2);
	if (curve != NO_CURVE) {
		put_cell(c, curve, 0xff);
		put(c, " ");
	}
	put_name(c, text);
	*column = size + (*column > 0 && fits ? *column + 2 : 0);
}

/* Writes the legend: the curves' names, each after a sample of its curve if there are several, and the note. */
static void put_legend(struct canvas *c)
{
	const struct picture *p = c->picture;
	size_t column = 0;
	for (size_t i = 0; i < p->curves->count; i++)
		put_in_legend(c, p->names[i], p->curves->count > 1 ? i : NO_CURVE, &column);
	if (p->note != NULL)
		put_in_legend(c, p->note, NO_CURVE, &column);
}

/* Returns the text of the tick at a row, or NULL. */
static const char *tick_at(const struct canvas *c, size_t row)
{
	for (size_t i = 0; i < c->up.tick_count; i++) {
		const double place = axis_place(&c->up, c->up.ticks[i].at);
		if (place >= 0 && place <= 1 && make_bar(c, place, place).top / c->dots->down == row)
			return c->up.ticks[i].text;
	}
	return NULL;
}

static void put_row(struct canvas *c, size_t row)
{
	const char *label = tick_at(c, row);
	const char *line = c->has_unicode ? label != NULL ? "\xe2\x94\xa4" : "\xe2\x94\x82" : label != NULL ? "+" : "|";
	const unsigned char *cells = &c->cells[row * c->columns];
	const unsigned char *owners = &c->owners[row * c->columns];
	size_t end = c->columns;
	while (end > 0 && cells[end - 1] == 0)
		end--;
	put(c, "%*s %s", (int)c->label_size, label != NULL ? label : "", line);
	for (size_t i = 0; i < end; i++) {
		if (cells[i] == 0)
			put(c, " ");
		else
			put_cell(c, owners[i], cells[i]);
	}
	put(c, "\n");
}

/* Returns the column of tick i of the axis of indices. */
static size_t tick_column(const struct canvas *c, size_t i)
{
	return (size_t)floor(axis_place(&c->along, c->along.ticks[i].at) * (double)(c->columns * c->dots->across - 1) +
			     0.5) /
	       c->dots->across;
}

/* Writes a text below tick i, unless it would touch the text before it, which ends at *column. */
static bool put_below_tick(struct canvas *c, size_t i, const char *text, size_t *column)
{
	const size_t size = strlen(text);
	const size_t middle = tick_column(c, i);
	size_t begin = middle > size / 2 ? middle - size / 2 : 0;
	if (begin + size > c->columns)
		begin = c->columns - size;
	if (*column > 0 && begin < *column + 2)
		return false;
	put_blanks(c, begin - *column);
	put(c, "%s", text);
	*column = begin + size;
	return true;
}

static void put_numbers_below(struct canvas *c)
{
	size_t column = 0;
	put_blanks(c, c->label_size + 2);
	for (size_t i = 0; i < c->along.tick_count; i++)
		(void)put_below_tick(c, i, c->along.ticks[i].text, &column);
	put(c, "\n");
}

/* Writes what stands below the times, where it changes. */
static void put_dates_below(struct canvas *c)
{
	const char *below = "";
	size_t column = 0;
	for (size_t i = 0; i < c->along.tick_count; i++) {
		const char *text = c->along.ticks[i].below;
		if (strcmp(text, below) == 0)
			continue;
		if (column == 0)
			put_blanks(c, c->label_size + 2);
		if (put_below_tick(c, i, text, &column))
			below = text;
	}
	if (column > 0)
		put(c, "\n");
}

/* Writes the axis of indices and its numbers. */
static void put_below(struct canvas *c)
{
	size_t tick = 0;
	put_blanks(c, c->label_size + 1);
	put(c, c->has_unicode ? "\xe2\x94\x94" : "+");
	for (size_t i = 0; i < c->columns; i++) {
		const bool is_tick = tick < c->along.tick_count && tick_column(c, tick) == i;
		tick += is_tick;
		put(c, c->has_unicode ? is_tick ? "\xe2\x94\xac" : "\xe2\x94\x80" : is_tick ? "+" : "-");
	}
	put(c, "\n");
	put_numbers_below(c);
	if (c->picture->curves->are_times)
		put_dates_below(c);
}

enum status picture_for_terminal(const struct picture *p, const struct screen *screen, struct bytes *out)
{
	struct canvas c = {.picture = p, .has_unicode = screen->has_unicode, .out = out};
	const struct range all = curves_extremes(p->curves);
	const bool is_empty = range_is_gap(all);
	c.has_colours = screen->has_colours && screen->has_unicode && p->curves->count > 1;
	c.dots = p->curves->count > 1 && !c.has_colours ? &marks : screen->has_unicode ? &braille : &halves;
	axis_make(&c.up, AXIS_OF_RESULTS, is_empty ? 0 : all.least, is_empty ? 1 : all.greatest, TICKS_UP);
	for (size_t i = 0; i < c.up.tick_count; i++)
		c.label_size = strlen(c.up.ticks[i].text) > c.label_size ? strlen(c.up.ticks[i].text) : c.label_size;
	c.columns = screen->columns - c.label_size - 2;
	const size_t ticks = c.columns / TICK_COLUMNS;
	const size_t times = c.columns / TIME_COLUMNS;
	picture_make_along(p,
			   ticks < 3    ? 3
			   : ticks > 12 ? 12
					: ticks,
			   times < 3    ? 3
			   : times > 12 ? 12
					: times,
			   &c.along);
	c.cells = memory_new(2 * ROWS * c.columns);
	if (c.cells == NULL)
		return STATUS_SYSTEM;
	memset(c.cells, 0, 2 * ROWS * c.columns);
	c.owners = c.cells + ROWS * c.columns;
	/* The first curve is drawn last, so that it is visible where others overlap it. */
	for (size_t i = p->curves->count; i > 0; i--)
		draw_curve(&c, i - 1);
	put_legend(&c);
	put(&c, is_empty ? " (no finite results)\n" : "\n");
	for (size_t row = 0; row < ROWS; row++)
		put_row(&c, row);
	put_below(&c);
	memory_free(c.cells);
	return c.status;
}
