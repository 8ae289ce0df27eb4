/* Exact decimals that a program scans (evaluate/exact_number.h). The state of a segment is its last result. Where
 * exactness ends, that result, rounded, is the seed of the program's scan in f64, which begins at this element. */
#include <string.h>

#include "evaluate/exact_number.h"
#include "scanner/key_scans.h"

/* Whether results are shown as integers, which each number and each result must then be. */
static bool needs_integers(const struct run_scan *r)
{
	return r->lane->readings[WIDTH_NARROW].integers_only;
}

static struct exact_state state_of(const struct segment *g)
{
	struct exact_state state = {.is_begun = g->has_last};
	if (!state.is_begun)
		return state;
	const bool is_wide = (g->last_form & RESULT_FORM_WIDE) != 0;
	state.mantissa = decimal_value(&g->last, &type_table[is_wide ? TYPE_I128 : TYPE_I64]);
	state.scale = g->last_form & RESULT_FORM_SCALE;
	return state;
}

/* Takes the first elements of the run into the segment, as long as all is exact. Returns how many these are. */
static size_t push_exact(const struct run_scan *r)
{
	const struct slot_column *column = r->column;
	const struct exact_column in = {.numbers = column->elements,
					.step = column->step,
					.scales = column->scales.data,
					.is_narrow = column->is_narrow,
					.scale = column->scale};
	struct exact_state state = state_of(r->segment);
	union value *results = (union value *)(void *)r->work->out.data;
	unsigned char *forms = r->work->out.data + r->count * sizeof *results;
	const bool are_decimals = column->reading.decimal;
	const size_t count =
		are_decimals ? exact_scan_push(r->lane->exact, &state, &in, r->first, r->count, results, forms) : 0;
	size_t taken = 0;
	while (taken < count && (!needs_integers(r) || forms[taken] == 0)) {
		/* (An i64 has the same bytes as the lower half of an i128.) */
		if (!decimal_fits_i64(&results[taken]))
			forms[taken] |= RESULT_FORM_WIDE;
		taken++;
	}
	segment_put_results(r, 0, taken, r->work->out.data, sizeof *results, forms);
	return taken;
}

/* Begins the scan in f64 with the last result. */
static enum status begin_floats(const struct run_scan *r, size_t i)
{
	const struct exact_state state = state_of(r->segment);
	const union value wide = decimal_wide(state.mantissa);
	union value seed = {.f64 = decimal_to_f64(&wide, &type_table[TYPE_I128], state.scale)};
	union value result;
	segment_tell_float(r, i);
	r->segment->width = WIDTH_FLOAT;
	TRY(segment_need_cursor(r->c, r->lane, r->segment));
	struct cursor_work work = {.call = CURSOR_SEED,
				   .cursor = segment_cursor(r->lane, r->segment),
				   .in = &seed,
				   .count = 1,
				   .out = &result};
	memset(work.cursor, 0, r->lane->rows[WIDTH_FLOAT].code->cursor_size);
	return state.is_begun ? r->c->engine->class->run_cursor(r->c->engine, (size_t)(r->lane - r->c->lanes), &work)
			      : STATUS_OK;
}

/* Returns the elements from `first` on, rounded; NULL after a message if memory is missing. */
static const void *find_floats(const struct run_scan *r, size_t first)
{
	if (!r->column->reading.decimal && r->column->step == sizeof(double))
		return segment_element_at(r, first);
	if (bytes_make(&r->work->in, r->count, sizeof(double)) != STATUS_OK)
		return NULL;
	double *to = (double *)(void *)r->work->in.data;
	for (size_t i = first; i < r->count; i++)
		to[i - first] = segment_f64_at(r, i);
	return to;
}

/* Takes the elements from `first` on into the scan in f64. */
static enum status push_floats(const struct run_scan *r, size_t first)
{
	const size_t count = r->count - first;
	unsigned char *forms = r->work->out.data + count * sizeof(double);
	struct cursor_work work = {.call = CURSOR_PUSH,
				   .cursor = segment_cursor(r->lane, r->segment),
				   .in = find_floats(r, first),
				   .count = count,
				   .out = r->work->out.data};
	if (work.in == NULL)
		return STATUS_SYSTEM;
	if (lane_tries(r->lane))
		TRY(segment_hint_triples(r, segment_numbers(r->lane, r->segment), work.in, count));
	/* (No step of an exact expression lacks a value.) */
	TRY(r->c->engine->class->run_cursor(r->c->engine, (size_t)(r->lane - r->c->lanes), &work));
	memset(forms, RESULT_FORM_FLOAT, count);
	segment_put_results(r, first, count, r->work->out.data, sizeof(double), forms);
	return STATUS_OK;
}

enum status segment_scan_exact(const struct run_scan *r)
{
	const bool is_tried = r->c->plan->device.check_associative;
	TRY(bytes_make(&r->work->out, r->count, sizeof(union value) + 1));
	const void *floats = is_tried ? find_floats(r, 0) : NULL;
	if (is_tried)
		TRY(floats != NULL ? segment_try_triples(r, floats, r->count) : STATUS_SYSTEM);
	const size_t taken = r->segment->width != WIDTH_FLOAT ? push_exact(r) : 0;
	if (taken == r->count)
		return STATUS_OK;
	if (r->c->plan->decimal_strict || needs_integers(r)) {
		if (segment_end_at(r, taken))
			r->work->misfit.why =
				needs_integers(r) ? "not an integer, which -F %d needs" : "cannot stay exact";
		return STATUS_OK;
	}
	if (r->segment->width != WIDTH_FLOAT)
		TRY(begin_floats(r, taken));
	return push_floats(r, taken);
}
