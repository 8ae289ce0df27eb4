/* A key's scan of one lane of exact decimals, each of which is read at the scale that it was written with, so that
 * decoding never stops for one. */
#include <string.h>

#include "number/powers.h"
#include "scan/host_tiles.h"
#include "scanner/segment_windows.h"

static void put_mantissa(int128 m, const struct type *t, unsigned char *out)
{
	union value v = decimal_wide(m);
	if (t->id == TYPE_I64)
		v.i64 = (int64_t)m;
	memcpy(out, &v, t->size);
}

/* Puts an element as the segment reads it; false if it cannot be. */
static bool put_element(const struct run_scan *r, size_t i, unsigned char *out)
{
	const struct segment *g = r->segment;
	const struct element_format *reading = &r->lane->readings[g->width];
	const unsigned char own = segment_scale_at(r, i);
	const unsigned scale = own & OWN_SCALE_MASK;
	int128 m;
	if (g->width == WIDTH_FLOAT) {
		const double x = segment_f64_at(r, i);
		memcpy(out, &x, sizeof x);
		return true;
	}
	if ((own & OWN_SCALE_FLOAT) != 0 || scale > g->scale || (scale > 0 && reading->integers_only))
		return false;
	m = segment_mantissa_at(r, i);
	if (__builtin_mul_overflow(m, (int128)power_of_ten_u64[g->scale - scale], &m) ||
	    (g->width == WIDTH_NARROW && m != (int64_t)m))
		return false;
	put_mantissa(m, reading->type, out);
	return true;
}

/* Puts the run's elements from i on, which are narrow, as a segment of 128 bits reads them, at its scale, which is at
 * least the column's. */
static size_t scale_up_wide(const struct run_scan *r, size_t i, unsigned char *out)
{
	const int64_t *from = (const int64_t *)(const void *)segment_element_at(r, i);
	const int64_t factor = (int64_t)power_of_ten_u64[r->segment->scale - r->column->scale];
	const size_t count = r->count - i;
	for (size_t j = 0; j < count; j++) {
		const union value v = decimal_wide((int128)from[j] * factor);
		memcpy(out + j * sizeof v.i128, &v.i128, sizeof v.i128);
	}
	return count;
}

/* Puts the elements from i on that have the scale of the segment, or are narrow: the most common ones, as far as they
 * follow each other. Returns how many these are. */
static size_t put_alike(const struct run_scan *r, size_t i, unsigned char *out)
{
	const struct segment *g = r->segment;
	const struct slot_column *column = r->column;
	size_t count = 0;
	if (g->width == WIDTH_FLOAT || (g->scale > 0 && r->lane->readings[g->width].integers_only))
		return 0;
	if (column->is_narrow && column->scale <= g->scale)
		return g->width == WIDTH_WIDE ? scale_up_wide(r, i, out)
					      : segment_scale_up(r, i, (int64_t *)(void *)out);
	for (; i + count < r->count && !column->is_narrow && g->width == WIDTH_NARROW; count++) {
		const size_t at = r->first + i + count;
		union value m;
		memcpy(&m, column->elements + at * column->step, sizeof m);
		if (column->scales.data[at] != g->scale || m.i128.hi != 0 - (m.i128.lo >> 63))
			break;
		memcpy(out + count * sizeof m.i64, &m.i128.lo, sizeof m.i64);
	}
	return count;
}

/* The forms of count results from the run's element i on; those that are elements as they were written are brought to
 * their own decimals. */
static void form_results(const struct run_scan *r, size_t i, size_t count, const struct row *row,
			 unsigned char *results, unsigned char *forms)
{
	struct segment *g = r->segment;
	const enum written written = row->op->written;
	/* (All results but the last, which leaves its own decimals, have the decimals of the segment.) */
	const size_t alike = written == WRITTEN_NONE && count > 0 ? count - 1 : 0;
	memset(forms, segment_form(g, row, g->scale), alike);
	const bool is_earliest = written == WRITTEN_EARLIEST && g->width != WIDTH_FLOAT;
	int128 before = 0;
	for (size_t j = alike; j < count; j++) {
		union value v = {0};
		memcpy(&v, results + j * row->results.size, row->results.size);
		const int128 mantissa = is_earliest ? decimal_value(&v, row->out) : 0;
		const bool repeats = j == 0 ? segment_repeats(g, written, mantissa, g->scale)
					    : written == WRITTEN_FIRST || (is_earliest && mantissa == before);
		const unsigned char scale = segment_write_scale(g, written, segment_scale_at(r, i + j), repeats);
		before = mantissa;
		forms[j] = segment_form(g, row, scale);
		if (forms[j] >= RESULT_FORM_LANE || scale == g->scale)
			continue;
		decimal_reduce(&v, row->out, g->scale, scale);
		memcpy(results + j * row->results.size, &v, row->results.size);
	}
	if (is_exclusive_by_time(r->c->plan, r->lane->plan) && count > 0 && forms[0] < RESULT_FORM_LANE &&
	    window_covered(r, 0) > 0) {
		union value v = {0};
		memcpy(&v, results, row->results.size);
		decimal_reduce(&v, row->out, g->scale, g->shown_scale);
		memcpy(results, &v, row->results.size);
		forms[0] = segment_form(g, row, g->shown_scale);
	}
	g->shown_scale = count > 0 ? g->scale : g->shown_scale;
	for (size_t j = 0; j < count && segment_may_lack(r, j); j++)
		forms[j] = segment_lacks_result(r, j) ? (unsigned char)RESULT_FORM_ABSENT : forms[j];
}

/* Takes `count` elements in r->work->in, which are the run's from element `first` on, into the segment. *bad: the first
 * of them that does not fit, which is not taken, nor are those after it; SIZE_MAX: all fit. */
static enum status push_decimals(const struct run_scan *r, const struct row *row, size_t first, size_t count,
				 size_t *bad)
{
	const void *in = r->work->in.data;
	void *out = r->work->out.data;
	struct run_scan rest = *r;
	rest.first += first;
	if (r->lane->plan->window > 0)
		return segment_push(&rest, row, in, count, out, bad);
	const enum status status = segment_try_push(r, row, in, count, out, bad);
	if (status == STATUS_OK && *bad != SIZE_MAX)
		(void)host_scan_push(row, segment_cursor(r->lane, r->segment), in, *bad, out);
	return status;
}

/* Exact decimals: as many elements at a time as can be scanned in one way. */
enum status segment_scan_decimals(const struct run_scan *r)
{
	const size_t count = r->count;
	bool ends = false;
	if ((r->lane->has_narrow_windows && segment_widen_window(r) != STATUS_OK) ||
	    bytes_make(&r->work->in, count, sizeof(union value)) != STATUS_OK ||
	    bytes_make(&r->work->out, count, sizeof(union value) + 1) != STATUS_OK)
		return STATUS_SYSTEM;
	for (size_t done = 0; done < count && !ends;) {
		const struct row *row = segment_row(r);
		size_t fit = done;
		do
			fit += put_alike(r, fit, r->work->in.data + (fit - done) * row->element.size);
		while (fit < count && put_element(r, fit, r->work->in.data + (fit - done) * row->element.size) &&
		       ++fit < count);
		size_t bad;
		TRY(push_decimals(r, row, done, fit - done, &bad));
		fit = bad != SIZE_MAX ? done + bad : fit;
		unsigned char *forms = r->work->out.data + count * sizeof(union value);
		if (r->lane->kept_size > 0 && !kept_is_index(r->lane->kept_size)) {
			segment_find_places(r, done, fit - done, r->work->out.data, forms);
			segment_put_results(r, done, fit - done, r->work->in.data, sizeof(union value), forms);
		} else {
			segment_find_indices(r, fit - done);
			form_results(r, done, fit - done, row, r->work->out.data, forms);
			segment_put_results(r, done, fit - done, r->work->out.data, row->results.size, forms);
		}
		done = fit;
		/* (No other format of numbers helps where a time falls.) */
		const bool is_by_time = r->lane->plan->by_time;
		if (done == count || (is_by_time && r->work->misfit.record <= record_of(r, done)))
			break;
		const struct written_element next = segment_element(r, done);
		TRY(segment_change(r, done, &next, bad != SIZE_MAX, &ends));
	}
	return STATUS_OK;
}
