/* Whether programs are what a scan takes for granted: elements that follow each other are combined from the left and from the right. */
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/message.h"
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

/* Says which elements, in the lane's file, are combined to what. */
static enum status refuse(const struct lane *l, const struct slot *s, uint64_t element, const struct type *t,
			  const unsigned char *results, size_t step)
{
	char texts[2][NUMBER_TEXT_MAX + 1];
	char file[MESSAGE_NAME_SIZE];
	for (size_t i = 0; i < 2; i++) {
		union value value = {.u64 = 0};
		memcpy(&value, results + i * step, t->size);
		texts[i][number_format(texts[i], t, &value)] = '\0';
	}
	message_error("%s: elements %" PRIu64 " to %" PRIu64 ": %s is not associative: (a b) c gives %s, a (b c) %s",
		      message_name(file, s->file_name), element, element + 2, l->row.op->name, texts[0], texts[1]);
	return STATUS_DATA;
}

static enum status check_lane(struct conductor *c, const struct slot *s, size_t lane, struct bytes *out)
{
	const struct lane *l = &c->lanes[lane];
	const struct packed *results = &l->row.results;
	const struct slot_column *k = conductor_column(s, &s->lanes[lane]);
	const size_t count = k->count < TRIED_MAX ? k->count : TRIED_MAX;
	struct cursor_work work = {.call = CURSOR_TRIPLES, .cursor = l->cursor, .in = k->elements, .count = count};
	if (l->row.op->program == NULL || count < 3)
		return STATUS_OK;
	out->size = 0;
	if (bytes_reserve(out, CURSOR_TRIPLE_RESULTS * count * results->size) != STATUS_OK)
		return STATUS_SYSTEM;
	assert(out->data != NULL);
	work.out = out->data;
	const enum status status = c->engine->class->take(c->engine, lane, &work);
	for (size_t i = 0; i + 2 < count && status == STATUS_OK; i++) {
		const unsigned char *all = out->data + CURSOR_TRIPLE_RESULTS * i * results->size;
		for (size_t r = 0; r < results->count; r++) {
			const struct type *t = results->numbers[r].type;
			const unsigned char *first = all + results->numbers[r].offset;
			if (!is_associative(t, first, results->size))
				return refuse(l, s, l->element_base + i + 1, t, first, results->size);
		}
	}
	return status;
}

enum status conductor_check_associative(struct conductor *c, const struct slot *s)
{
	struct bytes out = {0};
	enum status status = STATUS_OK;
	for (size_t i = 0; i < c->lane_count && status == STATUS_OK; i++)
		status = check_lane(c, s, i, &out);
	bytes_free(&out);
	c->was_checked = c->was_checked || s->decoded.records >= 3;
	return status;
}
