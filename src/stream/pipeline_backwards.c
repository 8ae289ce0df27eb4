/* Results of a scan from the last record to the first (--reverse). Their chunks come from the end of the output to its
 * beginning. A file of raw numbers, whose size is known, is written in place; other results wait, and are written when
 * all are there. After an error nothing is written, since the first results are lacking. */
#include "base/message.h"
#include "stream/pipeline_private.h"

void pipeline_backwards_place(struct pipeline *p, struct slot *s)
{
	const size_t size = operator_results(p->plan->lanes[0].op, p->plan->lanes[0].acc).size;
	if (p->out_end == 0) {
		const uint64_t results = source_all_records(p->parts->source) + p->plan->include_initial;
		p->out_end = p->out_position = p->array_header.size + results * size;
	}
	const uint64_t bytes = s->write.initial.size + s->scan.records * size;
	/* (The input may have changed.) */
	p->out_position -= bytes <= p->out_position ? bytes : p->out_position;
	s->write.write_offset = p->out_position;
}

enum status pipeline_backwards_keep(struct pipeline *p, const struct slot *s)
{
	if (s->write.written)
		return STATUS_OK;
	if (!p->in_place)
		return backwards_add(p->parts->backwards, s->write.write_data, s->write.write_size);
	return s->write.write_size == 0
		       ? STATUS_OK
		       : sink_rewrite(p->parts->sink, s->write.write_data, s->write.write_size, s->write.write_offset);
}

enum status pipeline_backwards_end(struct pipeline *p)
{
	struct sink *sink = p->parts->sink;
	if (p->in_place && p->out_position != p->array_header.size)
		return message_fail("the input changed while it was read");
	TRY(pipeline_array_begin(p));
	if (!p->in_place)
		return backwards_write(p->parts->backwards, sink);
	sink_advance(sink, p->out_end - p->array_header.size);
	return STATUS_OK;
}
