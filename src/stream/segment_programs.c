/* Keys and resets of programs, for which the host has no code: a device takes a slot's runs in, all at once, a
 * work-item each. A run is of one segment; what it begins with is kept from when it was noted, as the segment may have
 * begun anew by the time that it is scanned. */
#include <string.h>

#include "scan/program.h"
#include "stream/key_scans.h"

/* Elements of one lane that belong to one segment, and where what becomes of them goes. */
struct noted_run {
	struct run_scan scan; /* some of its elements may take no part */
	size_t taken; /* so many do */
	uint64_t numbers, in_row; /* of these, and records without one since the last of them */
	bool has_result; /* before the first */
	bool lacks_first; /* its first element that takes part has no result */
	size_t ended; /* the place in k->ended_last of the segment's last result; SIZE_MAX: the segment goes on */
	unsigned char form; /* of the result before the first */
};

/* Bytes of cursors at which runs are scanned without waiting for more. */
#define CURSORS_MAX ((size_t)1 << 22)

static size_t cursor_size(const struct run_scan *r)
{
	return r->lane->row.code->cursor_size;
}

static struct noted_run *runs_of(const struct key_scans *k, size_t *count)
{
	*count = k->noted.size / sizeof(struct noted_run);
	return (struct noted_run *)(void *)k->noted.data;
}

enum status segment_note(const struct run_scan *r)
{
	struct key_scans *k = r->c->keys;
	const struct row *row = &r->lane->row;
	struct segment *g = r->segment;
	struct record_counts *n = segment_counts(r->lane, g);
	struct noted_run run = {
		.scan = *r,
		.ended = SIZE_MAX,
		.numbers = segment_numbers(r->lane, g),
		.in_row = n != NULL ? n->in_row : 0,
		.form = g->last_form,
		.lacks_first = row->op->lacks_first && !g->has_last,
		.has_result = segment_numbers(r->lane, g) > 0 || r->lane->plan->exclusive,
	};
	const struct slot_column *column = r->column;
	if (bytes_append(&k->noted_cursors, segment_cursor(r->lane, g), cursor_size(r)) != STATUS_OK ||
	    bytes_append(&k->noted_before, segment_last(r->lane, g), row->results.size) != STATUS_OK ||
	    bytes_reserve(&k->work.in, r->count * row->element.size) != STATUS_OK)
		return STATUS_SYSTEM;
	const bool has_gaps = row->op->program->has_gaps;
	for (size_t i = 0; i < r->count; i++) {
		const uint64_t gaps = segment_passed(r->lane, g) + i - run.taken;
		if (n != NULL)
			n->in_row = takes_part(r, i) ? 0 : n->in_row + 1;
		if (!takes_part(r, i))
			continue;
		memcpy(k->work.in.data + k->work.in.size, column->elements + (r->first + i) * column->step,
		       row->element.size);
		k->work.in.size += row->element.size;
		run.taken++;
		if (has_gaps && bytes_append(&k->noted_gaps, &gaps, sizeof gaps) != STATUS_OK)
			return STATUS_SYSTEM;
	}
	const unsigned char *taken = k->work.in.data + k->work.in.size - run.taken * row->element.size;
	if (r->c->plan->device.check_associative && segment_try_triples(r, taken, run.taken) != STATUS_OK)
		return STATUS_SYSTEM;
	g->count += r->count;
	if (n != NULL)
		n->passed += r->count - run.taken;
	g->has_last = g->has_last || run.taken > 0;
	g->is_short = segment_is_short(r, segment_numbers(r->lane, g));
	return bytes_append(&k->noted, &run, sizeof run);
}

enum status segment_note_end(const struct run_scan *r, size_t *place)
{
	struct key_scans *k = r->c->keys;
	size_t count;
	struct noted_run *runs = runs_of(k, &count);
	*place = k->ended_last.size;
	if (count > 0 && runs[count - 1].scan.segment == r->segment)
		runs[count - 1].ended = *place;
	return bytes_append(&k->ended_last, segment_last(r->lane, r->segment), r->lane->row.results.size);
}

/* A result, and its form. */
struct formed {
	const unsigned char *result;
	unsigned char form;
};

/* The form of the result of the run's element that is that one of those that take part. */
static unsigned char form_of(const struct noted_run *run, size_t taken)
{
	const bool is_short = segment_is_short(&run->scan, run->numbers + taken + 1);
	return is_short || (run->lacks_first && taken == 0) ? RESULT_FORM_ABSENT : RESULT_FORM_LANE;
}

static void put_result(const struct run_scan *r, size_t at, struct formed given)
{
	const struct lane *lane = r->lane;
	struct slot_lane *l = r->to;
	unsigned char *to = l->results + at * conductor_result_step(&lane->row, l);
	memcpy(to, given.result, lane->row.results.size);
	if (given.form >= RESULT_FORM_ABSENT)
		(void)conductor_result_is_absent(r->c, lane, to);
	if (l->forms.size > 0)
		l->forms.data[at] = given.form;
}

/* The run's results, to their elements' places; where they are exclusive one place later. What takes no part has the
 * result that was given before, or that the next element would get. */
static void put_results(const struct noted_run *run, const unsigned char *results, const unsigned char *before)
{
	const struct run_scan *r = &run->scan;
	const bool moves = r->lane->plan->exclusive;
	const size_t size = r->lane->row.results.size;
	const unsigned char *parts = r->column->parts.data;
	const bool is_there = run->has_result && !segment_is_short(r, run->numbers);
	struct formed last = {before, is_there ? run->form : (unsigned char)RESULT_FORM_ABSENT};
	size_t taken = 0;
	uint64_t in_row = run->in_row;
	for (size_t i = 0; i < r->count; i++) {
		const struct formed earlier = last;
		const bool takes = takes_part(r, i);
		if (takes) {
			last = (struct formed){results + taken * size, form_of(run, taken)};
			taken++;
		}
		struct formed given = moves ? earlier : last;
		in_row = takes ? 0 : in_row + 1;
		if (!takes)
			given.form = segment_held_form(r->c->plan, parts[r->first + i], in_row, given.form);
		put_result(r, r->first + i, given);
	}
}

/* What the run leaves behind: the segment's cursor and last result, or of one that ended the result for its total. */
static void keep(struct key_scans *k, const struct noted_run *run, const unsigned char *cursor,
		 const unsigned char *last, bool is_latest)
{
	const struct run_scan *r = &run->scan;
	const size_t size = r->lane->row.results.size;
	if (run->ended != SIZE_MAX)
		memcpy(k->ended_last.data + run->ended, last, size);
	if (!is_latest || run->taken == 0)
		return;
	memcpy(segment_cursor(r->lane, r->segment), cursor, cursor_size(r));
	memcpy(segment_last(r->lane, r->segment), last, size);
	r->segment->last_form = form_of(run, run->taken - 1);
}

/* The element of a run that is the first bad one of those that take part. */
static size_t place_of(const struct noted_run *run, size_t bad)
{
	size_t i = 0;
	for (; bad > 0 || !takes_part(&run->scan, i); i++)
		bad -= takes_part(&run->scan, i);
	return i;
}

enum status segment_scan_noted(struct conductor *c, size_t lane, bool all)
{
	struct key_scans *k = c->keys;
	const struct row *row = &c->lanes[lane].row;
	size_t count;
	struct noted_run *runs = runs_of(k, &count);
	if (count == 0 || (!all && k->noted_cursors.size < CURSORS_MAX))
		return STATUS_OK;
	const size_t elements = k->work.in.size / row->element.size;
	if (bytes_make(&k->noted_ends, 2 * count, sizeof(uint32_t)) != STATUS_OK ||
	    bytes_make(&k->work.out, elements, row->results.size) != STATUS_OK)
		return STATUS_SYSTEM;
	uint32_t *ends = (uint32_t *)(void *)k->noted_ends.data;
	for (size_t j = 0; j < count; j++)
		ends[j] = (uint32_t)runs[j].taken + (j > 0 ? ends[j - 1] : 0);
	struct cursor_work work = {
		.call = CURSOR_PUSH_ALL,
		.cursor = k->noted_cursors.data,
		.in = k->work.in.data,
		.count = elements,
		.out = k->work.out.data,
		.cursor_count = count,
		.ends = ends,
		.gaps = row->op->program->has_gaps ? (const uint64_t *)(const void *)k->noted_gaps.data : NULL,
		.bad = ends + count};
	const enum status status = elements > 0 ? c->engine->class->take(c->engine, lane, &work) : STATUS_OK;
	for (size_t j = 0; j < count && status == STATUS_OK; j++) {
		const unsigned char *before = k->noted_before.data + j * row->results.size;
		const unsigned char *end = k->work.out.data + ends[j] * row->results.size;
		const unsigned char *last = runs[j].taken > 0 ? end - row->results.size : before;
		unsigned char *results = k->work.out.data + (ends[j] - runs[j].taken) * row->results.size;
		runs[j].lacks_first = runs[j].lacks_first && runs[j].taken > 0 &&
				      conductor_result_is_absent(c, &c->lanes[lane], results);
		const bool is_latest = j + 1 == count || runs[j + 1].scan.segment != runs[j].scan.segment;
		put_results(&runs[j], results, before);
		keep(k, &runs[j], k->noted_cursors.data + j * row->code->cursor_size, last, is_latest);
		if (runs[j].taken > 0 && work.bad[j] != CURSOR_ALL_GOOD)
			segment_judge(&runs[j].scan, place_of(&runs[j], work.bad[j]));
	}
	k->noted.size = k->noted_cursors.size = k->noted_before.size = k->noted_gaps.size = k->work.in.size = 0;
	return status;
}
