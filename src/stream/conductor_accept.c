/* What a chunk's results that are good leave behind: they become what its slot gives, and the last ones the
 * stream's. */
#include <string.h>

#include "stream/conductor_state.h"

/* The last result is the earliest element equal to it: which one of the chunk is that? (Results only grow, or only
 * fall.) */
static void accept_earliest(struct lane *l, struct slot_lane *s, const struct slot_column *k)
{
	const struct result *before = s->before;
	const size_t step = conductor_result_step(&l->row, s);
	const size_t size = s->format.type->size;
	const unsigned char *last = s->results + (k->count - 1) * step;
	union value v = {0};
	size_t first = 0;
	for (size_t end = k->count - 1; first < end;) {
		const size_t middle = first + (end - first) / 2;
		if (memcmp(s->results + middle * step, last, size) == 0)
			end = middle;
		else
			first = middle + 1;
	}
	memcpy(&v, s->results, size);
	s->goes_on = l->has_last && before->format.decimal &&
		     decimal_is_same(decimal_value(&before->value, before->format.type), before->format.scale,
				     decimal_value(&v, s->format.type), s->format.scale);
	if (first > 0 || !s->goes_on)
		l->scale_before = k->scales.size > 0 ? k->scales.data[first] : 0;
	l->last->format.scale = l->scale_before;
}

/* The last result is an element as it was written: so are its decimals. */
static void accept_scales(struct lane *l, struct slot_lane *s, const struct slot_column *k)
{
	const unsigned char *scales = k->scales.data;
	const bool has_scales = k->scales.size > 0;
	const enum written written = l->row.op->written;
	const bool is_first = written == WRITTEN_FIRST;
	const unsigned own = has_scales ? scales[is_first ? 0 : k->count - 1] : 0;
	if (is_first && !l->has_last)
		s->scale_before = l->scale_before = own;
	if (written == WRITTEN_EARLIEST)
		accept_earliest(l, s, k);
	else if (written == WRITTEN_BEFORE)
		l->last->format.scale = k->count > 1 && has_scales ? scales[k->count - 2] : l->scale_before;
	else if (written != WRITTEN_NONE)
		l->last->format.scale = is_first ? l->scale_before : own;
	if (!is_first && written != WRITTEN_EARLIEST)
		l->scale_before = own;
	decimal_reduce(&l->last->value, l->last->format.type, s->format.scale, l->last->format.scale);
}

void conductor_put_last(const struct conductor *c, size_t lane, const unsigned char *last, bool is_absent)
{
	const struct lane *l = &c->lanes[lane];
	for (size_t i = 0; i < l->row.results.count; i++) {
		const struct packed_number *n = &l->row.results.numbers[i];
		l->last[i] = (struct result){.format = conductor_format(c, lane, i), .absent = is_absent};
		memcpy(&l->last[i].value, last + n->offset, n->type->size);
	}
}

void conductor_take_last(struct conductor *c, size_t lane, void *results, bool is_first)
{
	struct lane *l = &c->lanes[lane];
	const bool lacks_first =
		l->row.op->lacks_first && !l->has_last && is_first && conductor_result_is_absent(c, l, results);
	conductor_put_last(c, lane, results, lacks_first);
	l->has_last = true;
	l->has_result = true;
}

static void accept_lane(struct conductor *c, size_t lane, struct slot_lane *s, const struct slot_column *k)
{
	struct lane *l = &c->lanes[lane];
	const struct packed *results = &l->row.results;
	s->results_of = *results;
	s->format = conductor_format(c, lane, 0);
	memcpy(s->before, l->last, results->count * sizeof *s->before);
	s->has_before = l->has_result;
	s->absent = l->plan->exclusive && s->before->absent ? 1 : 0;
	s->scale_before = l->scale_before;
	if (k->count == 0)
		return;
	const bool lacks_first = l->row.op->lacks_first && !l->has_last && conductor_result_is_absent(c, l, s->results);
	s->absent += lacks_first;
	conductor_put_last(c, lane, s->results + (k->count - 1) * conductor_result_step(&l->row, s),
			   lacks_first && k->count == 1);
	if (s->format.decimal)
		accept_scales(l, s, k);
	l->has_last = true;
	l->has_result = true;
}

void conductor_accept(struct conductor *c, struct slot *s)
{
	s->records = s->decoded.records;
	for (size_t i = 0; i < c->lane_count; i++) {
		const struct slot_column *k = &s->columns[s->lanes[i].column];
		accept_lane(c, i, &s->lanes[i], k);
		c->lanes[i].element_base += c->plan->format.input == FORMAT_BINARY ? s->decoded.records : k->count;
		c->lanes[i].taken += k->count;
		s->element_count += i % c->plan->operator_count == 0 ? k->count : 0;
		s->result_bytes += k->count * s->lanes[i].results_of.size;
	}
}

enum status conductor_end_before(struct conductor *c, struct slot *s, size_t offset, size_t record)
{
	const struct readings readings = conductor_readings(c);
	enum status status = STATUS_OK;
	if (c->plan->format.input == FORMAT_TEXT)
		status = slot_decode(s, c->plan, &readings, offset, (struct decode_stop_at){.records = record});
	else
		slot_keep_records(s, record);
	s->decoded.records = record;
	if (status == STATUS_OK)
		conductor_accept(c, s);
	return status;
}
