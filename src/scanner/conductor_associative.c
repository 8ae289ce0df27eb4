/* Checks that a program's operator is associative, by combining successive triples from the left and from the right. A
 * triple is tested before the result of its last element is given, so it does not matter how the stream is cut. With
 * --check-associative all scans are tested, and a difference is an error. Without it a few elements of one scan are
 * tested, and a difference is a warning. */
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "scan/program.h"
#include "scanner/key_scans.h"
#include "scanner/last_results.h"

/* How triples are tested. */
struct test {
	size_t elements; /* the most that are tried */
	double f32, f64; /* the relative tolerance for floats, of the largest intermediate value */
	bool of_infinities; /* whether they may differ, too */
};
static const struct test strict = {.elements = 1024, .f32 = 1e-6, .f64 = 1e-12, .of_infinities = true};
/* (Operators that are associative but for rounding may lose many digits where numbers cancel each other.) */
static const struct test mild = {.elements = 64, .f32 = 1e-3, .f64 = 1e-6};

static double float_at(const struct type *t, const unsigned char *bytes)
{
	union value v = {.u64 = 0};
	memcpy(&v, bytes, t->size);
	return t->id == TYPE_F32 ? (double)v.f32 : v.f64;
}

/* Whether a result is the same from the left and from the right. Results of an element are step bytes apart. */
static bool is_associative(const struct test *test, const struct type *t, const unsigned char *results, size_t step)
{
	/* The results of k; (k, k + 1); k + 1; (k + 1, k + 2); k + 2. */
	static const size_t met[] = {2, 3, 6, 7, 10};
	if (memcmp(results, results + step, t->size) == 0)
		return true;
	if (t->kind != KIND_FLOAT)
		return false;
	const double left = float_at(t, results);
	const double right = float_at(t, results + step);
	double scale = fmax(fabs(left), fabs(right));
	for (size_t i = 0; i < sizeof met / sizeof met[0]; i++) {
		const double value = fabs(float_at(t, results + met[i] * step));
		scale = isfinite(value) ? fmax(scale, value) : scale;
	}
	if (!isfinite(left - right))
		return left == right || !test->of_infinities;
	return fabs(left - right) <= (t->id == TYPE_F32 ? test->f32 : test->f64) * scale;
}

/* A triple that is not associative. */
struct difference {
	size_t last; /* the index of its last element among the trial's; SIZE_MAX: there is no such triple */
	const struct type *type;
	char texts[2][NUMBER_TEXT_MAX + 1]; /* the results from the left and from the right */
};

/* What is tried at once: the last elements that were tried before, and new ones. */
struct trial {
	size_t before, count; /* elements, and all of them */
	struct bytes bytes; /* the elements, a cursor, the results */
};

static enum status gather(struct trial *t, const struct row *row, const struct test *test, const struct tried *tried,
			  const unsigned char *elements, size_t count)
{
	const size_t size = row->element.size;
	const size_t left = test->elements - (size_t)tried->count;
	t->before = tried->count < 2 ? (size_t)tried->count : 2;
	t->count = t->before + (count < left ? count : left);
	t->bytes.size = 0;
	TRY(bytes_append(&t->bytes, tried->last, t->before * size));
	TRY(bytes_append(&t->bytes, elements, (t->count - t->before) * size));
	return bytes_reserve(&t->bytes, row->code->cursor_size + CURSOR_TRIPLE_RESULTS * t->count * row->results.size);
}

/* Keeps the last two elements for the next trial. */
static void keep_last(const struct trial *t, const struct row *row, struct tried *tried)
{
	const size_t size = row->element.size;
	const size_t kept = t->count < 2 ? t->count : 2;
	memcpy(tried->last, t->bytes.data + (t->count - kept) * size, kept * size);
	tried->count += t->count - t->before;
}

/* Finds the first triple that is not associative among those whose results these are. */
static void find_difference(const struct test *test, const struct packed *results, const struct trial *t,
			    const unsigned char *out, struct difference *d)
{
	d->last = SIZE_MAX;
	for (size_t i = 0; i + 2 < t->count && d->last == SIZE_MAX; i++) {
		const unsigned char *all = out + CURSOR_TRIPLE_RESULTS * i * results->size;
		for (size_t k = 0; k < results->count && d->last == SIZE_MAX; k++) {
			d->type = results->numbers[k].type;
			const unsigned char *first = all + results->numbers[k].offset;
			if (is_associative(test, d->type, first, results->size))
				continue;
			d->last = i + 2;
			for (size_t j = 0; j < 2; j++) {
				union value value = {.u64 = 0};
				memcpy(&value, first + j * results->size, d->type->size);
				d->texts[j][number_format(d->texts[j], d->type, &value)] = '\0';
			}
		}
	}
}

static const struct row *tested_row(const struct lane *l)
{
	return l->exact != NULL ? &l->rows[WIDTH_FLOAT] : &l->row;
}

/* Sets *total to the scan's total, in `room`, if the program uses it. */
static enum status find_total(const struct run_scan *r, unsigned char *room, const void **total)
{
	if (!r->lane->plan->op->program->uses_total || r->c->part.found == NULL)
		return STATUS_OK;
	*total = room;
	return segment_total(r, r->segment, room);
}

/* Tests the next elements of a scan, and what follows from them. first: the index of the first element that was tried.
 * d->last counts from the first one of `elements`. */
static enum status try_elements(const struct run_scan *r, const struct test *test, struct tried *tried, uint64_t first,
				const unsigned char *elements, size_t count, struct difference *d)
{
	const struct row *row = tested_row(r->lane);
	unsigned char total[LAST_RESULT_SIZE];
	struct trial t = {0};
	d->last = SIZE_MAX;
	if (gather(&t, row, test, tried, elements, count) != STATUS_OK) {
		bytes_free(&t.bytes);
		return STATUS_SYSTEM;
	}
	assert(t.bytes.data != NULL);
	unsigned char *cursor = t.bytes.data + t.bytes.size;
	const uint64_t index = first + tried->count - t.before;
	memset(cursor, 0, row->code->cursor_size);
	memcpy(cursor, &index, sizeof index);
	struct cursor_work work = {.call = CURSOR_TRIPLES,
				   .cursor = cursor,
				   .in = t.bytes.data,
				   .count = t.count,
				   .out = cursor + row->code->cursor_size};
	enum status status = find_total(r, total, &work.total);
	if (status == STATUS_OK && t.count > 2)
		status = r->c->engine->class->run_cursor(r->c->engine, (size_t)(r->lane - r->c->lanes), &work);
	if (status == STATUS_OK)
		find_difference(test, &row->results, &t, work.out, d);
	keep_last(&t, row, tried);
	bytes_free(&t.bytes);
	d->last -= d->last != SIZE_MAX ? t.before : 0;
	return status;
}

enum status segment_try_triples(const struct run_scan *r, const unsigned char *elements, size_t count)
{
	const struct lane *l = r->lane;
	struct tried *tried = segment_tried(l, r->segment);
	struct difference d;
	if (tested_row(l)->op->program == NULL || tried->count >= strict.elements || count == 0)
		return STATUS_OK;
	TRY(try_elements(r, &strict, tried, 0, elements, count, &d));
	if (d.last == SIZE_MAX)
		return STATUS_OK;
	size_t i = 0;
	for (; d.last > 0 || !takes_part(r, i); i++)
		d.last -= takes_part(r, i);
	if (!segment_end_at(r, i))
		return STATUS_OK;
	struct problem *p = &r->work->misfit.problem;
	*p = (struct problem){.status = STATUS_DATA, .fatal = true, .file_name = r->s->in.file_name};
	(void)snprintf(p->text, sizeof p->text,
		       "%s is not associative: with the two before it, (a b) c is %s, but a (b c) is %s",
		       l->row.op->name, d.texts[0], d.texts[1]);
	return STATUS_OK;
}

/* --- The warning ------------------------------------------------------------------------------------------------- */

/* The most runs that are tried, if each of them is of another scan and has fewer than three elements. */
#define RUNS_MAX 64

enum status lane_begin_hint(const struct conductor *c, struct lane *l)
{
	const struct program *p = l->plan->op->program;
	if (p == NULL || p->base != NULL || !c->plan->device.warns_of_grouping || c->part.is_part)
		return STATUS_OK;
	l->hint = memory_new(sizeof *l->hint);
	if (l->hint != NULL)
		*l->hint = (struct associative_hint){.runs = 0};
	return l->hint != NULL ? STATUS_OK : STATUS_SYSTEM;
}

/* last: the index of the triple's last element in the run's scan. */
static enum status warn(const struct run_scan *r, const struct difference *d, uint64_t last)
{
	const struct program *p = r->lane->plan->op->program;
	char quoted[MESSAGE_QUOTED_SIZE];
	char file[MESSAGE_NAME_SIZE];
	char of_key[MESSAGE_QUOTED_SIZE + 8] = "";
	struct bytes key = {0};
	if (r->c->plan->format.text.key_count > 0) {
		const enum status status = conductor_name_key(r->c, r->key, &key);
		(void)snprintf(of_key, sizeof of_key, " of key %s",
			       message_quoted_part(key.data != NULL ? (const char *)key.data : "", key.size));
		bytes_free(&key);
		TRY(status);
	}
	message_quote(quoted, p->text, strlen(p->text));
	quoted[0] = quoted[strlen(quoted) - 1] = '\'';
	message_warning("-op %s%s is not associative: elements %" PRIu64 " to %" PRIu64
			"%s give %s from the left, %s from the right; results depend on the grid%s",
			p->file != NULL ? "@" : "", p->file != NULL ? message_name(file, p->file) : quoted, last - 1,
			last + 1, of_key, d->texts[0], d->texts[1],
			d->type->kind == KIND_FLOAT ? " (for smoothing see ema:A and linrec)" : "");
	return STATUS_OK;
}

enum status segment_hint_triples(const struct run_scan *r, uint64_t before, const unsigned char *elements, size_t count)
{
	struct associative_hint *h = r->lane->hint;
	struct difference d;
	if (count == 0)
		return STATUS_OK;
	const bool goes_on = h->runs > 0 && h->key == r->key && h->first + h->tried.count == before;
	h->is_over = !goes_on && (h->tried.count > 2 || h->runs == RUNS_MAX);
	if (h->is_over)
		return STATUS_OK;
	if (!goes_on)
		*h = (struct associative_hint){.key = r->key, .first = before, .runs = h->runs + 1};
	const uint64_t done = h->tried.count;
	const enum status status = try_elements(r, &mild, &h->tried, h->first, elements, count, &d);
	h->is_over = h->tried.count >= mild.elements || (status == STATUS_OK && d.last != SIZE_MAX);
	if (status == STATUS_OK && d.last != SIZE_MAX)
		return warn(r, &d, h->first + done + d.last);
	return status;
}
