/* Checks that a program's operator is associative, by combining successive triples from the left and from the right. A
 * triple is tested before the result of its last element is given, so it does not matter how the stream is cut. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "stream/key_scans.h"

/* At most this many elements are tested. */
#define TRIED_MAX 1024

/* Relative tolerance for floats, of the largest intermediate value. */
static double tolerance(const struct type *t)
{
	return t->id == TYPE_F32 ? 1e-6 : 1e-12;
}

static double float_at(const struct type *t, const unsigned char *bytes)
{
	union value v = {.u64 = 0};
	memcpy(&v, bytes, t->size);
	return t->id == TYPE_F32 ? (double)v.f32 : v.f64;
}

/* Whether a result is the same from the left and from the right. Results of an element are step bytes apart. */
static bool is_associative(const struct type *t, const unsigned char *results, size_t step)
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
	return left == right || (isfinite(left - right) && fabs(left - right) <= tolerance(t) * scale);
}

/* Says what comes of a triple, but for its place. */
static struct problem describe(const struct lane *l, const struct slot *s, const struct type *t,
			       const unsigned char *results, size_t step)
{
	char texts[2][NUMBER_TEXT_MAX + 1];
	struct problem p = {.status = STATUS_DATA, .fatal = true, .file_name = s->in.file_name};
	for (size_t i = 0; i < 2; i++) {
		union value value = {.u64 = 0};
		memcpy(&value, results + i * step, t->size);
		texts[i][number_format(texts[i], t, &value)] = '\0';
	}
	(void)snprintf(p.text, sizeof p.text,
		       "%s is not associative: with the two before it, (a b) c is %s, but a (b c) is %s",
		       l->row.op->name, texts[0], texts[1]);
	return p;
}

/* What is tried at once: the last elements that were tried before, and new ones. */
struct trial {
	size_t before, count; /* elements, and all of them */
	struct bytes bytes; /* the elements, a cursor, the results */
};

static enum status gather(struct trial *t, const struct row *row, const struct tried *tried,
			  const unsigned char *elements, size_t count)
{
	const size_t size = row->element.size;
	const size_t left = TRIED_MAX - (size_t)tried->count;
	t->before = tried->count < 2 ? (size_t)tried->count : 2;
	t->count = t->before + (count < left ? count : left);
	t->bytes.size = 0;
	if (bytes_append(&t->bytes, tried->last, t->before * size) != STATUS_OK ||
	    bytes_append(&t->bytes, elements, (t->count - t->before) * size) != STATUS_OK)
		return STATUS_SYSTEM;
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

/* The first triple that is not associative among those whose results these are: the index of its last element among the
 * trial's, with *problem; SIZE_MAX if there is none. */
static size_t find_refused(const struct run_scan *r, const struct packed *results, const struct trial *t,
			   const unsigned char *out, struct problem *problem)
{
	for (size_t i = 0; i + 2 < t->count; i++) {
		const unsigned char *all = out + CURSOR_TRIPLE_RESULTS * i * results->size;
		for (size_t k = 0; k < results->count; k++) {
			const struct type *type = results->numbers[k].type;
			const unsigned char *first = all + results->numbers[k].offset;
			if (is_associative(type, first, results->size))
				continue;
			*problem = describe(r->lane, r->s, type, first, results->size);
			return i + 2;
		}
	}
	return SIZE_MAX;
}

enum status segment_try_triples(const struct run_scan *r, const unsigned char *elements, size_t count)
{
	const struct lane *l = r->lane;
	const struct row *row = l->exact != NULL ? &l->rows[WIDTH_FLOAT] : &l->row;
	struct tried *tried = segment_tried(l, r->segment);
	struct trial t = {0};
	struct problem problem;
	if (row->op->program == NULL || tried->count >= TRIED_MAX || count == 0)
		return STATUS_OK;
	if (gather(&t, row, tried, elements, count) != STATUS_OK) {
		bytes_free(&t.bytes);
		return STATUS_SYSTEM;
	}
	assert(t.bytes.data != NULL);
	unsigned char *cursor = t.bytes.data + t.bytes.size;
	const uint64_t index = tried->count - t.before;
	memset(cursor, 0, row->code->cursor_size);
	memcpy(cursor, &index, sizeof index);
	struct cursor_work work = {.call = CURSOR_TRIPLES,
				   .cursor = cursor,
				   .in = t.bytes.data,
				   .count = t.count,
				   .out = cursor + row->code->cursor_size};
	const enum status status = r->c->engine->class->take(r->c->engine, (size_t)(l - r->c->lanes), &work);
	size_t refused = status == STATUS_OK ? find_refused(r, &row->results, &t, work.out, &problem) : SIZE_MAX;
	keep_last(&t, row, tried);
	bytes_free(&t.bytes);
	if (refused == SIZE_MAX)
		return status;
	refused -= t.before;
	size_t i = 0;
	for (; refused > 0 || !takes_part(r, i); i++)
		refused -= takes_part(r, i);
	if (segment_end_at(r, i))
		r->work->misfit.problem = problem;
	return STATUS_OK;
}
