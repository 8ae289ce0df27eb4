/* What a chunk's results that are good leave behind: they become what its slot gives, and the last ones the
 * stream's. */
#include <string.h>

#include "stream/conductor_state.h"

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
	if (k->count == 0)
		return;
	const bool lacks_first = l->row.op->lacks_first && !l->has_last && conductor_result_is_absent(c, l, s->results);
	s->absent += lacks_first;
	conductor_put_last(c, lane, s->results + (k->count - 1) * conductor_result_step(&l->row, s),
			   lacks_first && k->count == 1);
	l->has_last = true;
	l->has_result = true;
}

void conductor_accept(struct conductor *c, struct slot *s)
{
	s->scan.records = s->decode.decoded.records;
	for (size_t i = 0; i < c->lane_count; i++) {
		const struct slot_column *k = &s->columns[s->lanes[i].column];
		accept_lane(c, i, &s->lanes[i], k);
		c->lanes[i].element_base +=
			c->plan->format.input == FORMAT_BINARY ? s->decode.decoded.records : k->count;
		c->lanes[i].taken += k->count;
		s->scan.element_count += i % c->plan->operator_count == 0 ? k->count : 0;
		s->scan.result_bytes += k->count * s->lanes[i].results_of.size;
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
	s->decode.decoded.records = record;
	if (status == STATUS_OK)
		conductor_accept(c, s);
	return status;
}
