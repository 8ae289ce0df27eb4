/* A key's scan of one lane. What is done to a lane in mid-stream elsewhere (conductor_parts.c), a greater scale, 128 bits, f64, is done
 * here to one segment alone: exact decimals are read at the scale that each was written with, so that decoding never stops
 * for them. */
#include <string.h>

#include "base/message.h"
#include "scan/host.h"
#include "scan/misfit.h"
#include "stream/element_format.h"
#include "stream/key_scans.h"

static const unsigned char *element_at(const struct run_scan *r, size_t i)
{
	const struct slot_column *column = conductor_column(r->s, &r->s->lanes[r->lane]);
	return column->elements + element_of(r, i) * column->step;
}

/* The stream ends before the run's element i, unless another one ends it earlier. Returns whether it does. */
static bool end_at(const struct run_scan *r, size_t i)
{
	struct key_misfit *m = &r->c->keys->misfit;
	const size_t *records = (const size_t *)(const void *)r->c->keys->records.data;
	const size_t record = records[element_of(r, i)];
	if (record >= m->record)
		return false;
	*m = (struct key_misfit){.record = record, .lane = r->lane, .key = r->key};
	return true;
}

/* Puts the run's results i on, count of them, of 64 bits, to their elements' places. */
static void put_words(const struct run_scan *r, size_t i, size_t count, const unsigned char *results,
		      const unsigned char *forms)
{
	struct slot_lane *l = &r->s->lanes[r->lane];
	unsigned char *to_forms = l->forms.size > 0 ? l->forms.data : NULL;
	const size_t step = conductor_result_step(&r->c->lanes[r->lane].row, l);
	for (size_t j = 0; j < count; j++) {
		const size_t at = element_of(r, i + j);
		memcpy(l->results + at * step, results + j * sizeof(uint64_t), sizeof(uint64_t));
		if (to_forms != NULL)
			to_forms[at] = forms[j];
	}
}

/* Puts the run's results i on, count of them, size bytes each, to their elements' places, one place later if they are exclusive. */
static void put_results(const struct run_scan *r, size_t i, size_t count, const unsigned char *results, size_t size,
			const unsigned char *forms)
{
	const bool moves = r->c->plan->lanes[r->lane].exclusive;
	struct slot_lane *l = &r->s->lanes[r->lane];
	struct segment *g = r->segment;
	unsigned char *to_forms = l->forms.size > 0 ? l->forms.data : NULL;
	const size_t step = conductor_result_step(&r->c->lanes[r->lane].row, l);
	/* Most are words: all but the last one are put without what exclusive ones need. */
	const size_t words = !moves && size == sizeof(uint64_t) && count > 0 ? count - 1 : 0;
	put_words(r, i, words, results, forms);
	for (size_t j = words; j < count; j++) {
		const size_t at = element_of(r, i + j);
		const void *given = moves ? (const void *)&g->last : results + j * size;
		memcpy(l->results + at * step, given, moves ? step : size);
		if (to_forms != NULL)
			to_forms[at] = moves ? g->last_form : forms != NULL ? forms[j] : RESULT_FORM_LANE;
		if (moves || j + 1 == count) {
			memcpy(&g->last, results + j * size, size);
			g->last_form = forms != NULL ? forms[j] : RESULT_FORM_LANE;
		}
	}
	g->has_last = g->has_last || count > 0;
	g->count += count;
}

/* What to say of element i, but for its place. */
static struct problem describe(const struct run_scan *r, size_t i, bool *must)
{
	const bool is_text = r->c->plan->format.input == FORMAT_TEXT;
	return misfit_describe(&r->c->lanes[r->lane].row, element_at(r, i), r->s->file_name, 0, is_text, must);
}

void segment_judge(const struct run_scan *r, size_t i)
{
	const struct conductor *c = r->c;
	const struct lane *l = &c->lanes[r->lane];
	bool must;
	const struct problem problem = describe(r, i, &must);
	if (l->plan->exclusive && !c->plan->total && !must && ++i == r->count) {
		r->segment->is_past = true;
		return;
	}
	if (end_at(r, i))
		c->keys->misfit.problem = problem;
}

/* Whether element i of a run has no result: there is none before it, at least not in its window. */
static bool lacks_result(const struct run_scan *r, size_t i)
{
	const bool is_first = (i == 0 && !r->segment->has_last) || r->c->plan->window == 1;
	return is_first && r->c->lanes[r->lane].row.op->lacks_first;
}

void segment_hold(const struct run_scan *r)
{
	const struct conductor *c = r->c;
	const struct plan *plan = c->plan;
	const struct key_lane *k = &c->keys->lanes[r->lane];
	const struct lane *lane = &c->lanes[r->lane];
	struct slot_lane *l = &r->s->lanes[r->lane];
	struct segment *g = r->segment;
	const bool is_exclusive = lane->plan->exclusive;
	/* What the next element would get; or what the last one got, if there is one. */
	const bool is_over = plan->reset_every > 0 && g->count == plan->reset_every;
	const struct segment *shown = is_exclusive && is_over ? &k->first : g;
	const bool has_result = is_exclusive || g->count > g->passed;
	const size_t step = conductor_result_step(&lane->row, l);
	for (size_t i = 0; i < r->count; i++) {
		const size_t at = element_of(r, i);
		unsigned char form = has_result ? shown->last_form : RESULT_FORM_ABSENT;
		union value v = shown->last;
		bool must;
		if (g->is_past && end_at(r, i))
			c->keys->misfit.problem = describe(r, i, &must);
		if (c->keys->parts.data[at] == PART_IS_ABSENT)
			form = RESULT_FORM_ABSENT;
		if (form == RESULT_FORM_ABSENT)
			(void)conductor_result_is_absent(c, lane, &v);
		memcpy(l->results + at * step, &v, step);
		if (l->forms.size > 0)
			l->forms.data[at] = form;
	}
	if (plan->format.input != FORMAT_BINARY)
		return;
	g->count += r->count;
	g->passed += r->count;
}

/* Takes count elements in k->in into the segment; results to k->out. *bad: the first one that does not fit, or SIZE_MAX. */
static enum status push(const struct run_scan *r, const struct row *row, size_t count, size_t *bad)
{
	const struct key_scans *k = r->c->keys;
	if (r->c->plan->window > 0)
		return segment_push_window(r, row, k->in.data, count, k->out.data, bad);
	*bad = host_scan_push(row, segment_cursor(r->segment), k->in.data, count, k->out.data);
	return STATUS_OK;
}

/* Whether results are indices, among which those of elements without a part count. */
static bool finds_index(const struct run_scan *r)
{
	const enum operator_id id = r->c->plan->lanes[r->lane].op->id;
	return r->segment->passed > 0 && (id == OPERATOR_ARGMAX || id == OPERATOR_ARGMIN);
}

/* Makes the results in k->out, indices among the elements that take part, such among all of the segment's. A new one is its element's
 * own. */
static void find_indices(const struct run_scan *r, size_t count)
{
	const struct segment *g = r->segment;
	unsigned char *results = r->c->keys->out.data;
	uint64_t before = g->last.u64;
	for (size_t i = 0; i < count; i++) {
		uint64_t index;
		memcpy(&index, results + i * sizeof index, sizeof index);
		index = index == g->count - g->passed + i ? index + g->passed : before;
		memcpy(results + i * sizeof index, &index, sizeof index);
		before = index;
	}
}

/* Whether the elements follow each other, and so do their results, which are the lane's inclusive ones. */
static bool is_in_place(const struct run_scan *r)
{
	const struct slot_lane *l = &r->s->lanes[r->lane];
	const struct row *row = &r->c->lanes[r->lane].row;
	return r->order == NULL && !finds_index(r) && !r->c->plan->lanes[r->lane].exclusive && l->forms.size == 0 &&
	       !lacks_result(r, 0) && conductor_column(r->s, l)->step == row->element.size &&
	       conductor_result_step(row, l) == row->results.size;
}

static enum status scan_in_place(const struct run_scan *r)
{
	const struct slot_lane *l = &r->s->lanes[r->lane];
	const struct row *row = &r->c->lanes[r->lane].row;
	struct segment *g = r->segment;
	unsigned char *results = l->results + r->first * row->results.size;
	size_t bad = SIZE_MAX;
	if (r->c->plan->window > 0 && segment_push_window(r, &r->c->keys->lanes[r->lane].rows[WIDTH_NARROW],
							  element_at(r, 0), r->count, results, &bad) != STATUS_OK)
		return STATUS_SYSTEM;
	if (r->c->plan->window == 0)
		bad = host_scan_push(row, segment_cursor(g), element_at(r, 0), r->count, results);
	memcpy(&g->last, results + (r->count - 1) * row->results.size, row->results.size);
	g->last_form = RESULT_FORM_LANE;
	g->has_last = true;
	g->count += r->count;
	if (bad != SIZE_MAX)
		segment_judge(r, bad);
	return STATUS_OK;
}

/* The totals of whole segments, but that of the last one, which has not ended. */
static enum status end_whole(const struct run_scan *r, size_t count, size_t length)
{
	struct key_scans *k = r->c->keys;
	const size_t *records = (const size_t *)(const void *)k->records.data;
	const size_t size = r->c->lanes[r->lane].row.results.size;
	const unsigned char *results = r->s->lanes[r->lane].results + r->first * size;
	if (bytes_reserve(&k->ended, count / length * sizeof(struct ended)) != STATUS_OK)
		return STATUS_SYSTEM;
	for (size_t next = length; next < count; next += length) {
		struct ended ended = {.record = records[element_of(r, next)],
				      .order = k->ended_count++,
				      .key = r->key,
				      .form = RESULT_FORM_LANE};
		memcpy(&ended.last, results + (next - 1) * size, size);
		memcpy(k->ended.data + k->ended.size, &ended, sizeof ended);
		k->ended.size += sizeof ended;
	}
	return STATUS_OK;
}

enum status segment_scan_whole(const struct run_scan *r, size_t count, size_t *taken)
{
	static const union cursor no_carry_in;
	const struct plan *plan = r->c->plan;
	const struct row *row = &r->c->lanes[r->lane].row;
	const size_t size = row->results.size;
	struct segment *g = r->segment;
	/* With a seed there is something before the first element. */
	if (plan->reset_every > GRID_TILE || plan->window > 0 || row->tiles == NULL || g->is_past ||
	    row->tiles->results == NULL || g->has_last || row->op->lacks_first || !is_in_place(r))
		return STATUS_OK;
	const size_t length = (size_t)plan->reset_every;
	const size_t whole = count / length * length;
	unsigned char *results = r->s->lanes[r->lane].results + r->first * size;
	const unsigned char *elements = element_at(r, 0);
	for (size_t first = 0; first < whole; first += length) {
		const size_t bad = host_scan_results(row, elements + first * row->element.size, length, &no_carry_in,
						     false, results + first * size);
		if (bad == SIZE_MAX)
			continue;
		segment_judge(r, first + bad);
		break;
	}
	if (whole == 0)
		return STATUS_OK;
	memcpy(&g->last, results + (whole - 1) * size, size);
	g->last_form = RESULT_FORM_LANE;
	g->has_last = true;
	g->count = length;
	*taken = whole;
	return plan->total ? end_whole(r, whole, length) : STATUS_OK;
}

/* Numbers of the lane's type. */
enum status segment_scan(const struct run_scan *r)
{
	struct key_scans *k = r->c->keys;
	struct lane *l = &r->c->lanes[r->lane];
	const size_t count = r->count;
	const size_t size = l->row.element.size;
	struct segment *g = r->segment;
	if (g->is_past) {
		bool must;
		if (end_at(r, 0))
			k->misfit.problem = describe(r, 0, &must);
		return STATUS_OK;
	}
	if (is_in_place(r))
		return scan_in_place(r);
	if (bytes_make(&k->in, count, size) != STATUS_OK ||
	    bytes_make(&k->out, count, l->row.results.size + 1) != STATUS_OK)
		return STATUS_SYSTEM;
	for (size_t i = 0; i < count; i++)
		memcpy(k->in.data + i * size, element_at(r, i), size);
	size_t bad;
	if (push(r, &k->lanes[r->lane].rows[WIDTH_NARROW], count, &bad) != STATUS_OK)
		return STATUS_SYSTEM;
	if (finds_index(r))
		find_indices(r, count);
	unsigned char *forms = k->out.data + count * l->row.results.size;
	memset(forms, RESULT_FORM_LANE, count);
	for (size_t i = 0; i < count && lacks_result(r, i); i++) {
		if (conductor_result_is_absent(r->c, l, k->out.data + i * l->row.results.size))
			forms[i] = RESULT_FORM_ABSENT;
	}
	put_results(r, 0, count, k->out.data, l->row.results.size, forms);
	if (bad != SIZE_MAX)
		segment_judge(r, bad);
	return STATUS_OK;
}

/* An element's own scale (enum own_scale), of a lane of exact decimals. */
static unsigned char scale_at(const struct run_scan *r, size_t i)
{
	return conductor_column(r->s, &r->s->lanes[r->lane])->scales.data[element_of(r, i)];
}

static int128 mantissa_at(const struct run_scan *r, size_t i)
{
	union value m;
	memcpy(&m, element_at(r, i), sizeof m.i128);
	return decimal_value(&m, &type_table[TYPE_I128]);
}

struct written_element segment_element(const struct run_scan *r, size_t i)
{
	struct written_element e = {.own = scale_at(r, i)};
	memcpy(&e.value, element_at(r, i), sizeof e.value);
	return e;
}

double written_element_f64(const struct written_element *e)
{
	if ((e->own & OWN_SCALE_FLOAT) != 0)
		return e->value.f64;
	if ((e->own & OWN_SCALE_NEGATIVE_ZERO) != 0)
		return -0.0;
	return decimal_to_f64(&e->value, &type_table[TYPE_I128], e->own & OWN_SCALE_MASK);
}

/* The number nearest to an exact decimal. */
static double f64_at(const struct run_scan *r, size_t i)
{
	const struct written_element e = segment_element(r, i);
	return written_element_f64(&e);
}

static void put_mantissa(int128 m, const struct type *t, unsigned char *out)
{
	union value v;
	if (t->id == TYPE_I64) {
		v.i64 = (int64_t)m;
	} else {
		v.i128.lo = (uint64_t)m;
		v.i128.hi = (uint64_t)((uint128)m >> 64);
	}
	memcpy(out, &v, t->size);
}

/* Puts an element as the segment reads it; false if it cannot be. */
static bool put_element(const struct run_scan *r, size_t i, unsigned char *out)
{
	const struct segment *g = r->segment;
	const struct element_format *reading = &r->c->keys->lanes[r->lane].readings[g->width];
	const unsigned char own = scale_at(r, i);
	const unsigned scale = own & OWN_SCALE_MASK;
	int128 m;
	if (g->width == WIDTH_FLOAT) {
		const double x = f64_at(r, i);
		memcpy(out, &x, sizeof x);
		return true;
	}
	if ((own & OWN_SCALE_FLOAT) != 0 || scale > g->scale || (scale > 0 && reading->integers_only))
		return false;
	m = mantissa_at(r, i);
	if (__builtin_mul_overflow(m, (int128)power_of_ten_u64[g->scale - scale], &m) ||
	    (g->width == WIDTH_NARROW && m != (int64_t)m))
		return false;
	put_mantissa(m, reading->type, out);
	return true;
}

/* Puts the elements from i on that have the scale of the segment, and 64 bits like it: the most common ones, as far as they follow each
 * other. Returns how many these are. */
static size_t put_alike(const struct run_scan *r, size_t i, unsigned char *out)
{
	const struct segment *g = r->segment;
	const struct slot_column *column = conductor_column(r->s, &r->s->lanes[r->lane]);
	size_t count = 0;
	if (g->width != WIDTH_NARROW ||
	    (g->scale > 0 && r->c->keys->lanes[r->lane].readings[WIDTH_NARROW].integers_only))
		return 0;
	for (; i + count < r->count; count++) {
		const size_t at = element_of(r, i + count);
		union value m;
		memcpy(&m, column->elements + at * column->step, sizeof m);
		if (column->scales.data[at] != g->scale || m.i128.hi != 0 - (m.i128.lo >> 63))
			break;
		memcpy(out + count * sizeof m.i64, &m.i128.lo, sizeof m.i64);
	}
	return count;
}

/* The element as its token was. */
static struct decimal decimal_at(const struct run_scan *r, size_t i)
{
	const unsigned char own = scale_at(r, i);
	if ((own & OWN_SCALE_FLOAT) != 0)
		return (struct decimal){.is_float = true};
	const int128 m = mantissa_at(r, i);
	const uint128 magnitude = m < 0 ? 0 - (uint128)m : (uint128)m;
	return (struct decimal){.negative = m < 0,
				.scale = own & OWN_SCALE_MASK,
				.hi = (uint64_t)(magnitude >> 64),
				.lo = (uint64_t)magnitude};
}

/* A lane's row for a segment. */
static struct row *row_of(const struct run_scan *r)
{
	const struct segment *g = r->segment;
	struct row *row = &r->c->keys->lanes[r->lane].rows[g->width];
	if (row->op->parameter == PARAMETER_SCALE)
		row->parameter = (double)power_of_ten_u64[g->scale];
	return row;
}

/* The segment goes on so that it can take element i in, as the conductor's rows change elsewhere. *ends: it cannot. */
static void change_segment(const struct run_scan *r, size_t i, bool overflowed, bool *ends)
{
	const struct lane *l = &r->c->lanes[r->lane];
	struct key_lane *k = &r->c->keys->lanes[r->lane];
	struct segment *g = r->segment;
	const struct row *row = row_of(r);
	const size_t members = l->plan->op->scaled_members;
	const bool is_window = r->c->plan->window > 0;
	unsigned char state[STATE_SIZE_MAX] = {0};
	union value before[SCALED_MEMBERS_MAX] = {{0}};
	struct format_change change;
	if (g->has_last && !is_window)
		row->code->state(segment_cursor(g), state);
	for (size_t m = 0; m < members; m++)
		memcpy(&before[m], state + m * row->acc->size, row->acc->size);
	const unsigned char *rest = state + members * row->acc->size;
	struct element_format now = k->readings[g->width];
	now.scale = g->scale;
	const struct decimal d = decimal_at(r, i);
	*ends = is_window ? !segment_change_window(r, &now, overflowed, &d, &change)
			  : !element_format_next(&now, r->c->plan, l->plan, before, overflowed, &d, &change);
	if (*ends) {
		if (end_at(r, i))
			r->c->keys->misfit.overflowed = overflowed;
		return;
	}
	if (!change.reading.decimal && !k->was_told)
		message_verbose("exact decimals end in some key's or segment's scan; such ones go on in f64");
	k->was_told = k->was_told || !change.reading.decimal;
	g->width = !change.reading.decimal                             ? WIDTH_FLOAT
		   : change.reading.type->id == TYPE_I64 && !is_window ? WIDTH_NARROW
								       : WIDTH_WIDE;
	g->scale = (unsigned char)change.reading.scale;
	if (is_window)
		return;
	row = row_of(r);
	memset(segment_cursor(g), 0, k->size - SEGMENT_SIZE);
	if (g->has_last)
		row->code->restart(segment_cursor(g), change.members, rest, row->parameter);
}

/* The decimals of a result that is the earliest element equal to it: those of the one before, if that is the same number, else its
 * element's own. */
static unsigned scale_of_earliest(const struct run_scan *r, int128 result, unsigned char own)
{
	const struct segment *g = r->segment;
	const struct type *before = &type_table[(g->last_form & RESULT_FORM_WIDE) != 0 ? TYPE_I128 : TYPE_I64];
	const bool is_same =
		g->has_last && g->last_form < RESULT_FORM_LANE &&
		decimal_is_same(decimal_value(&g->last, before), g->last_form & RESULT_FORM_SCALE, result, g->scale);
	return is_same ? g->own_scale : own;
}

/* The forms of count results from the run's element i on; those that are elements as they were written are brought to their own
 * decimals. */
static void form_results(const struct run_scan *r, size_t i, size_t count, const struct row *row,
			 unsigned char *results, unsigned char *forms)
{
	struct segment *g = r->segment;
	const enum written written = row->op->written;
	const bool is_same = row->op->result == RESULT_SAME;
	const unsigned char wide = g->width == WIDTH_WIDE ? RESULT_FORM_WIDE : 0;
	size_t alike = 0; /* so many have the segment's decimals; only the last element leaves its own */
	if (written == WRITTEN_NONE && count > 0)
		alike = count - 1;
	memset(forms,
	       !is_same                  ? RESULT_FORM_LANE
	       : g->width == WIDTH_FLOAT ? RESULT_FORM_FLOAT
					 : g->scale | wide,
	       alike);
	const bool is_earliest = written == WRITTEN_EARLIEST && g->width != WIDTH_FLOAT;
	int128 before = 0;
	for (size_t j = alike; j < count; j++) {
		unsigned scale = g->scale;
		union value v = {0};
		memcpy(&v, results + j * row->results.size, row->results.size);
		const int128 mantissa = is_earliest ? decimal_value(&v, row->out) : 0;
		const unsigned char own = scale_at(r, i + j) & OWN_SCALE_MASK;
		const bool is_first = written == WRITTEN_FIRST && g->has_last;
		if (is_earliest)
			scale = j == 0 ? scale_of_earliest(r, mantissa, own) : mantissa != before ? own : g->own_scale;
		else if (written == WRITTEN_OWN || (written == WRITTEN_FIRST && !g->has_last && j == 0))
			scale = own;
		else if (written != WRITTEN_NONE)
			scale = g->own_scale;
		before = mantissa;
		if (is_earliest)
			g->own_scale = (unsigned char)scale;
		else if (!is_first && !(written == WRITTEN_FIRST && j > 0))
			g->own_scale = own;
		forms[j] = !is_same                  ? RESULT_FORM_LANE
			   : g->width == WIDTH_FLOAT ? RESULT_FORM_FLOAT
						     : (unsigned char)(scale | wide);
		if (forms[j] >= RESULT_FORM_LANE || scale == g->scale)
			continue;
		decimal_reduce(&v, row->out, g->scale, scale);
		memcpy(results + j * row->results.size, &v, row->results.size);
	}
	for (size_t j = 0; j < count && lacks_result(r, j); j++)
		forms[j] = RESULT_FORM_ABSENT;
}

/* Takes count elements in k->in into the segment, but none from the first one on that does not fit, *bad, if there is one. */
static enum status push_decimals(const struct run_scan *r, const struct row *row, size_t count, size_t *bad)
{
	struct key_scans *k = r->c->keys;
	void *cursor = segment_cursor(r->segment);
	const bool has_cursor = r->c->plan->window == 0;
	if (has_cursor)
		memcpy(k->before.data, cursor, row->code->cursor_size);
	const enum status status = push(r, row, count, bad);
	if (status != STATUS_OK || *bad == SIZE_MAX || !has_cursor)
		return status;
	memcpy(cursor, k->before.data, row->code->cursor_size);
	(void)host_scan_push(row, cursor, k->in.data, *bad, k->out.data);
	return STATUS_OK;
}

/* Exact decimals: as many elements at a time as can be scanned in one way. */
enum status segment_scan_decimals(const struct run_scan *r)
{
	struct key_scans *k = r->c->keys;
	const size_t count = r->count;
	bool ends = false;
	if (bytes_make(&k->in, count, sizeof(union value)) != STATUS_OK ||
	    bytes_make(&k->out, count, sizeof(union value) + 1) != STATUS_OK ||
	    bytes_make(&k->before, 1, k->lanes[r->lane].size) != STATUS_OK)
		return STATUS_SYSTEM;
	for (size_t done = 0; done < count && !ends;) {
		const struct row *row = row_of(r);
		size_t fit = done;
		do
			fit += put_alike(r, fit, k->in.data + (fit - done) * row->element.size);
		while (fit < count && put_element(r, fit, k->in.data + (fit - done) * row->element.size) &&
		       ++fit < count);
		size_t bad;
		if (push_decimals(r, row, fit - done, &bad) != STATUS_OK)
			return STATUS_SYSTEM;
		fit = bad != SIZE_MAX ? done + bad : fit;
		unsigned char *forms = k->out.data + count * sizeof(union value);
		if (k->lanes[r->lane].kept_size > 0) {
			segment_find_places(r, done, fit - done, k->out.data, forms);
			put_results(r, done, fit - done, k->in.data, sizeof(union value), forms);
		} else {
			form_results(r, done, fit - done, row, k->out.data, forms);
			put_results(r, done, fit - done, k->out.data, row->results.size, forms);
		}
		done = fit;
		if (done < count)
			change_segment(r, done, bad != SIZE_MAX, &ends);
	}
	return STATUS_OK;
}

bool segment_is_reset(const struct run_scan *r, size_t i)
{
	const struct lane *l = &r->c->lanes[r->lane];
	const struct reset_value *at = &r->c->keys->lanes[r->lane].at;
	union value v;
	if (l->plan->decimal) {
		const unsigned char own = scale_at(r, i);
		memcpy(&v, element_at(r, i), sizeof v);
		if ((own & OWN_SCALE_FLOAT) != 0 || at->decimal.is_float)
			return f64_at(r, i) == at->nearest;
		return decimal_is_same(mantissa_at(r, i), own & OWN_SCALE_MASK,
				       decimal_value(&at->value, &type_table[TYPE_I128]), at->decimal.scale);
	}
	memcpy(&v, element_at(r, i), l->row.in->size);
	if (l->row.in->id == TYPE_F32)
		return v.f32 == at->value.f32;
	if (l->row.in->id == TYPE_F64)
		return v.f64 == at->value.f64;
	return memcmp(&v, &at->value, l->row.in->size) == 0;
}
