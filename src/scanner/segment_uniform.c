/* Runs of exact decimals that were all written with one scale, and the only scan of a whole column, are pushed at once.
 * Others go through segment_decimals.c. */
#include <string.h>

#include "number/powers.h"
#include "scan/host_tiles.h"
#include "scanner/segment_windows.h"

/* Whether the run is all of the only scan's column, whose results then have one format. */
static bool is_whole(const struct run_scan *r)
{
	return r->count == r->column->count && plan_is_one_scan(r->c->plan);
}

/* Whether all elements of the run have 64 bits and were written with the column's scale. */
static bool are_alike(const struct run_scan *r)
{
	const struct slot_column *k = r->column;
	const unsigned char *scales = k->scales.data + r->first;
	return k->are_alike || (k->is_narrow && scales[0] == k->scale && memcmp(scales, scales + 1, r->count - 1) == 0);
}

bool segment_is_uniform(const struct run_scan *all, enum status *status)
{
	const struct lane *l = all->lane;
	const struct plan *plan = all->c->plan;
	const struct scan_operator *op = l->rows[WIDTH_NARROW].op;
	/* (Indices are found among records.) */
	const bool is_as_is =
		!l->plan->moves_results && !op->lacks_first && (l->counts_offset == 0 || op->result == RESULT_SAME);
	if (!l->plan->decimal || l->exact != NULL || plan->emit.is_by_element ||
	    (l->plan->window > 0 && !(l->has_narrow_windows && all->column->are_alike)) ||
	    plan->lacking.min_count > 0 || all->count == 0 || all->column->roles.size > 0 ||
	    l->rows[WIDTH_NARROW].results.size != sizeof(int64_t))
		return false;
	if (is_whole(all) ? segment_is_of_index(all) || segment_lacks_result(all, 0) : !is_as_is || !are_alike(all))
		return false;
	*status = bytes_make(&all->work->out, all->count, sizeof(union value));
	return *status == STATUS_OK;
}

/* Finds the scale at which the segment goes on with all of the run's elements. whole: is_whole. False: some of them
 * change it, or each result has decimals of its own. */
static bool find_scale(const struct run_scan *r, bool whole, unsigned *scale)
{
	const struct segment *g = r->segment;
	const struct slot_column *column = r->column;
	const bool is_begun = g->has_last || g->count > 0;
	const enum written written = r->lane->rows[WIDTH_NARROW].op->written;
	*scale = is_begun ? g->scale : column->scale;
	if (!column->is_narrow || g->width != WIDTH_NARROW || column->scale > *scale ||
	    (*scale > 0 && r->lane->readings[WIDTH_NARROW].integers_only))
		return false;
	if (written != WRITTEN_NONE && !segment_has_scale(g, written, column->scale))
		return false;
	return (is_begun && written == WRITTEN_NONE) || !whole || are_alike(r);
}

size_t segment_scale_up(const struct run_scan *r, size_t i, int64_t *to)
{
	const int64_t *from = (const int64_t *)(const void *)segment_element_at(r, i);
	const int64_t factor = (int64_t)power_of_ten_u64[r->segment->scale - r->column->scale];
	size_t count = 0;
	while (i + count < r->count && !__builtin_mul_overflow(from[count], factor, &to[count]))
		count++;
	return count;
}

/* The run's elements as the segment reads them; NULL: they do not fit, or (*status) there is no memory. */
static const void *elements_at_scale(const struct run_scan *r, enum status *status)
{
	if (r->segment->width == WIDTH_FLOAT || r->segment->scale == r->column->scale)
		return segment_element_at(r, 0);
	*status = bytes_make(&r->work->in, r->count, sizeof(int64_t));
	int64_t *to = (int64_t *)(void *)r->work->in.data;
	return *status == STATUS_OK && segment_scale_up(r, 0, to) == r->count ? to : NULL;
}

/* The results in place are those of the whole column. */
static void put_whole(const struct run_scan *r, const struct row *row)
{
	struct segment *g = r->segment;
	struct slot_lane *l = r->to;
	l->forms.size = 0;
	l->step = row->results.size;
	conductor_put_before(r->lane, g, row, l);
	l->results_of = row->results;
	if (row->op->result == RESULT_SAME)
		l->format =
			(struct result_format){.type = row->out, .decimal = g->width != WIDTH_FLOAT, .scale = g->scale};
}

/* Puts `count` results of elements with the segment's scale to their places; the last one is the segment's, which has
 * `counted` elements more. */
static void put_uniform(const struct run_scan *r, const struct row *row, bool whole, size_t count, size_t counted)
{
	const unsigned char *results = whole ? r->to->results : r->work->out.data;
	struct segment *g = r->segment;
	struct slot_lane *l = r->to;
	const unsigned char form = segment_form(g, row, g->scale);
	union value last = {0};
	memcpy(&last, results + (count - 1) * sizeof(int64_t), sizeof(int64_t));
	if (whole) {
		put_whole(r, row);
	} else {
		unsigned char *to = l->results + r->first * sizeof(union value);
		for (size_t i = 0; i < count; i++)
			memcpy(to + i * sizeof(union value), results + i * sizeof(int64_t), sizeof(int64_t));
		if (l->forms.size > 0)
			memset(l->forms.data + r->first, form, count);
	}
	/* (A column of floats has no scales.) */
	const unsigned char own = g->width == WIDTH_FLOAT ? 0 : r->column->scales.data[r->first + count - 1];
	(void)segment_write_scale(g, row->op->written, own, false);
	segment_took(r->lane, g, &last, sizeof last, form, counted);
}

size_t segment_scan_short_uniform(const struct run_scan *r, const uint32_t *begun, size_t count)
{
	struct segment *g = r->segment;
	const unsigned char before = g->scale;
	unsigned scale;
	if (!find_scale(r, false, &scale))
		return 0;
	g->scale = (unsigned char)scale;
	const struct row *row = segment_row(r);
	const size_t taken = host_scan_short_segments(row, segment_element_at(r, 0), begun, count, r->work->out.data);
	if (taken > 0)
		put_uniform(r, row, false, taken, 0);
	else
		g->scale = before;
	return taken;
}

enum status segment_scan_uniform(const struct run_scan *r, bool *taken)
{
	struct segment *g = r->segment;
	const unsigned char before = g->scale;
	const bool whole = is_whole(r);
	const bool is_window = r->lane->plan->window > 0;
	const bool is_float = g->width == WIDTH_FLOAT && !r->column->reading.decimal && !is_window;
	unsigned scale = 0;
	enum status status = STATUS_OK;
	size_t bad = 0;
	*taken = false;
	if (!is_float && !find_scale(r, whole, &scale))
		return STATUS_OK;
	g->scale = (unsigned char)scale;
	const struct row *row = segment_row(r);
	unsigned char *results = whole ? r->to->results : r->work->out.data;
	const void *elements = elements_at_scale(r, &status);
	if (elements != NULL && is_window)
		status = segment_push_narrow_window(r, elements, results, &bad);
	else if (elements != NULL && (!r->lane->plan->moves_results || g->last_form == segment_form(g, row, scale)))
		status = segment_try_push(r, row, elements, r->count, results, &bad);
	*taken = status == STATUS_OK && bad == SIZE_MAX;
	if (*taken)
		put_uniform(r, row, whole, r->count, r->count);
	else
		g->scale = before;
	return status;
}
