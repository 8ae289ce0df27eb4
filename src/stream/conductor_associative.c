/* Whether programs are what a scan takes for granted: elements that follow each other are combined from the left and from the right. Each
 * triple is tried before the result of its last element is given, so it does not matter how the stream is cut. */
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "stream/conductor_state.h"

/* So many elements are tried. */
#define TRIED_MAX 1024

/* The floats of a triple may differ by so much of the greatest one that is met on the way. */
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
	/* Of k; of k and k + 1; of k + 1; of it and k + 2; of k + 2. */
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

/* Says what comes of the triple that ends with the element of that number. */
static struct problem describe(const struct lane *l, const struct slot *s, uint64_t element, const struct type *t,
			       const unsigned char *results, size_t step)
{
	char texts[2][NUMBER_TEXT_MAX + 1];
	struct problem p = {.status = STATUS_DATA, .fatal = true, .file_name = s->file_name};
	for (size_t i = 0; i < 2; i++) {
		union value value = {.u64 = 0};
		memcpy(&value, results + i * step, t->size);
		texts[i][number_format(texts[i], t, &value)] = '\0';
	}
	(void)snprintf(p.text, sizeof p.text,
		       "element %" PRIu64
		       ": %s is not associative: with the two before it (a b) c gives %s, a (b c) %s",
		       element, l->row.op->name, texts[0], texts[1]);
	return p;
}

/* What is tried at once: the last elements that were tried before, and new ones. */
struct trial {
	size_t before, count; /* elements, and all of them */
	struct bytes bytes; /* the elements, a cursor, the results */
};

/* Gathers the lane's elements. */
static enum status gather(struct trial *t, const struct lane *l, const struct slot_column *k)
{
	const size_t size = l->row.element.size;
	const size_t left = TRIED_MAX - l->tried;
	t->before = l->tried < 2 ? l->tried : 2;
	t->count = t->before + (k->count < left ? k->count : left);
	t->bytes.size = 0;
	if (bytes_append(&t->bytes, l->tried_last, t->before * size) != STATUS_OK ||
	    bytes_append(&t->bytes, k->elements, (t->count - t->before) * size) != STATUS_OK)
		return STATUS_SYSTEM;
	return bytes_reserve(&t->bytes,
			     l->row.code->cursor_size + CURSOR_TRIPLE_RESULTS * t->count * l->row.results.size);
}

/* Keeps the last of them for the next time. */
static void keep_last(const struct trial *t, struct lane *l)
{
	const size_t size = l->row.element.size;
	const size_t kept = t->count < 2 ? t->count : 2;
	memcpy(l->tried_last, t->bytes.data + (t->count - kept) * size, kept * size);
	l->tried += t->count - t->before;
}

static enum status try_lane(struct conductor *c, const struct slot *s, size_t lane, struct trial *t, size_t *record,
			    struct problem *problem)
{
	struct lane *l = &c->lanes[lane];
	const struct packed *results = &l->row.results;
	const struct slot_column *k = conductor_column(s, &s->lanes[lane]);
	if (l->row.op->program == NULL || l->tried == TRIED_MAX || k->count == 0)
		return STATUS_OK;
	if (gather(t, l, k) != STATUS_OK)
		return STATUS_SYSTEM;
	assert(t->bytes.data != NULL);
	unsigned char *cursor = t->bytes.data + t->bytes.size;
	const unsigned char *out = cursor + l->row.code->cursor_size;
	const uint64_t index = l->tried - t->before;
	memset(cursor, 0, l->row.code->cursor_size);
	memcpy(cursor, &index, sizeof index);
	struct cursor_work work = {.call = CURSOR_TRIPLES,
				   .cursor = cursor,
				   .in = t->bytes.data,
				   .count = t->count,
				   .out = cursor + l->row.code->cursor_size};
	const enum status status = c->engine->class->take(c->engine, lane, &work);
	for (size_t i = 0; i + 2 < t->count && status == STATUS_OK; i++) {
		const unsigned char *all = out + CURSOR_TRIPLE_RESULTS * i * results->size;
		const size_t element = i + 2 - t->before;
		for (size_t r = 0; r < results->count; r++) {
			const struct type *type = results->numbers[r].type;
			const unsigned char *first = all + results->numbers[r].offset;
			if (slot_record_of(s, k, element) >= *record || is_associative(type, first, results->size))
				continue;
			*record = slot_record_of(s, k, element);
			*problem = describe(l, s, l->element_base + element + 1, type, first, results->size);
			if (c->plan->field_count > 1)
				problem->field = conductor_field_number(c, s, l);
		}
	}
	keep_last(t, l);
	return status;
}

enum status conductor_try_triples(struct conductor *c, const struct slot *s, size_t *record, struct problem *problem)
{
	struct trial t = {0};
	enum status status = STATUS_OK;
	*record = SIZE_MAX;
	for (size_t i = 0; i < c->lane_count && c->plan->check_associative && status == STATUS_OK; i++)
		status = try_lane(c, s, i, &t, record, problem);
	bytes_free(&t.bytes);
	return status;
}
