/* What a chunk's results that are good leave behind: they become what its slot gives, and the last ones the
 * stream's. */
#include <string.h>

#include "stream/key_scans.h"

void conductor_take_last(struct conductor *c, size_t lane, const void *results, uint64_t count)
{
	const struct lane *l = &c->lanes[lane];
	struct segment *g = l->only;
	void *last = segment_last(&c->keys->lanes[lane], g);
	const bool lacks_it = l->row.op->lacks_first && !g->has_last && count == 1;
	memcpy(last, results, l->row.results.size);
	g->last_form = lacks_it && conductor_result_is_absent(c, l, last) ? (unsigned char)RESULT_FORM_ABSENT
									  : (unsigned char)RESULT_FORM_LANE;
	g->has_last = true;
	g->count += count;
}

/* The lane's results are its slot's, with the one before them in front. Where they are exclusive that is the first. */
static void accept_lane(struct conductor *c, size_t lane, struct slot_lane *s, const struct slot_column *k,
			bool has_results)
{
	const struct lane *l = &c->lanes[lane];
	struct segment *g = l->only;
	const size_t step = conductor_result_step(&l->row, s);
	s->results_of = l->row.results;
	s->format = conductor_format(c, lane, 0);
	if (!has_results)
		return;
	memcpy(s->results - step, segment_last(&c->keys->lanes[lane], g), l->row.results.size);
	s->has_before = (c->plan->include_initial || g->count > 0) && g->last_form < RESULT_FORM_ABSENT;
	s->absent = l->plan->exclusive && g->last_form >= RESULT_FORM_ABSENT;
	if (k->count > 0) {
		s->absent += l->row.op->lacks_first && !g->has_last && conductor_result_is_absent(c, l, s->results);
		conductor_take_last(c, lane, s->results + (k->count - 1) * step, k->count);
	}
	if (l->plan->exclusive)
		s->results -= step;
}

void conductor_accept(struct conductor *c, struct slot *s)
{
	s->scan.records = s->decode.decoded.records;
	for (size_t i = 0; i < c->lane_count; i++) {
		const struct slot_column *k = &s->columns[s->lanes[i].column];
		accept_lane(c, i, &s->lanes[i], k, s->in.size > 0);
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
