/* Keys and resets of programs. The engine takes in all runs of a slot with one call; on a device each run has a
 * work-item. A run is of one segment, which is copied when the run is noted, as it may have begun anew by the time
 * that the run is scanned. */
#include <string.h>

#include "scan/program.h"
#include "scanner/key_scans.h"
#include "scanner/last_results.h"

/* Elements of one lane that belong to one segment, and where what becomes of them goes. */
struct noted_run {
	struct run_scan scan; /* some of its elements may take no part */
	size_t taken; /* so many do */
	size_t ended; /* the place in k->ended_last of the segment's last result; SIZE_MAX: the segment goes on */
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
	struct noted_run run = {.scan = *r, .ended = SIZE_MAX};
	const struct slot_column *column = r->column;
	TRY(bytes_append(&k->noted_cursors, segment_cursor(r->lane, g), cursor_size(r)));
	TRY(bytes_append(&k->noted_before, g, lane_room(r->lane)));
	TRY(bytes_reserve(&k->work.in, r->count * row->element.size));
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
		if (has_gaps)
			TRY(bytes_append(&k->noted_gaps, &gaps, sizeof gaps));
	}
	const unsigned char *taken = k->work.in.data + k->work.in.size - run.taken * row->element.size;
	if (r->c->plan->device.check_associative)
		TRY(segment_try_triples(r, taken, run.taken));
	if (lane_tries(r->lane))
		TRY(segment_hint_triples(r, segment_numbers(r->lane, g), taken, run.taken));
	segment_count(r->lane, g, run.taken, r->count - run.taken);
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

/* The run's results, to their elements' places. was: its segment when it was noted, which takes in the run. forms: room
 * for as many forms as elements take part. */
static enum status put_results(const struct noted_run *run, struct segment *was, unsigned char *results,
			       unsigned char *forms)
{
	const size_t count = run->scan.count;
	struct run_scan r = run->scan;
	r.segment = was;
	for (size_t done = 0; done < count; done += r.count) {
		r.first = run->scan.first + done;
		r.count = segment_count_alike(&r, count - done);
		if (!takes_part(&r, 0)) {
			TRY(segment_hold(&r));
			continue;
		}
		segment_put_formed(&r, results, forms);
		results += r.count * r.lane->row.results.size;
	}
	return STATUS_OK;
}

/* What the run leaves behind: the segment's cursor and last result, or of one that ended the result for its total. */
static void keep(struct key_scans *k, const struct noted_run *run, const unsigned char *cursor, struct segment *was,
		 bool is_latest)
{
	const struct run_scan *r = &run->scan;
	const size_t size = r->lane->row.results.size;
	if (run->ended != SIZE_MAX)
		memcpy(k->ended_last.data + run->ended, segment_last(r->lane, was), size);
	if (!is_latest || run->taken == 0)
		return;
	memcpy(segment_cursor(r->lane, r->segment), cursor, cursor_size(r));
	segment_set_last(r->lane, r->segment, segment_last(r->lane, was), size, was->last_form);
}

/* The element of a run that is the first bad one of those that take part. */
static size_t place_of(const struct noted_run *run, size_t bad)
{
	size_t i = 0;
	for (; bad > 0 || !takes_part(&run->scan, i); i++)
		bad -= takes_part(&run->scan, i);
	return i;
}

/* Sets k->noted_totals, if the program uses totals. */
static enum status find_totals(const struct conductor *c, const struct noted_run *runs, size_t count)
{
	struct key_scans *k = c->keys;
	if (c->part.found == NULL)
		return STATUS_OK;
	TRY(bytes_make(&k->noted_totals, count, LAST_RESULT_SIZE));
	for (size_t j = 0; j < count; j++) {
		const struct run_scan *r = &runs[j].scan;
		struct segment *was = (void *)(k->noted_before.data + j * lane_room(r->lane));
		TRY(segment_total(r, was, k->noted_totals.data + j * LAST_RESULT_SIZE));
	}
	return STATUS_OK;
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
	TRY(bytes_make(&k->noted_ends, 2 * count, sizeof(uint32_t)));
	TRY(bytes_make(&k->work.out, elements, row->results.size + 1));
	uint32_t *ends = (uint32_t *)(void *)k->noted_ends.data;
	for (size_t j = 0; j < count; j++)
		ends[j] = (uint32_t)runs[j].taken + (j > 0 ? ends[j - 1] : 0);
	TRY(find_totals(c, runs, count));
	struct cursor_work work = {
		.call = CURSOR_PUSH_ALL,
		.cursor = k->noted_cursors.data,
		.in = k->work.in.data,
		.count = elements,
		.out = k->work.out.data,
		.cursor_count = count,
		.ends = ends,
		.gaps = row->op->program->has_gaps ? (const uint64_t *)(const void *)k->noted_gaps.data : NULL,
		.total = c->part.found != NULL ? k->noted_totals.data : NULL,
		.total_size = LAST_RESULT_SIZE,
		.bad = ends + count};
	enum status status = elements > 0 ? c->engine->class->run_cursor(c->engine, lane, &work) : STATUS_OK;
	for (size_t j = 0; j < count && status == STATUS_OK; j++) {
		struct segment *was = (void *)(k->noted_before.data + j * lane_room(runs[j].scan.lane));
		unsigned char *results = k->work.out.data + (ends[j] - runs[j].taken) * row->results.size;
		const bool is_latest = j + 1 == count || runs[j + 1].scan.segment != runs[j].scan.segment;
		status = put_results(&runs[j], was, results, k->work.out.data + elements * row->results.size);
		keep(k, &runs[j], k->noted_cursors.data + j * row->code->cursor_size, was, is_latest);
		if (runs[j].taken > 0 && work.bad[j] != CURSOR_ALL_GOOD)
			segment_judge(&runs[j].scan, place_of(&runs[j], work.bad[j]));
	}
	k->noted.size = k->noted_cursors.size = k->noted_before.size = k->noted_gaps.size = k->work.in.size = 0;
	return status;
}
