/* Results as an .npy file. The header is written with the first results, so that a stream that fails without results
 * leaves no header either. If the number of results is known only at the end, the header has a greater number until
 * then: the file of a run that was killed is not read as a whole one. */
#include <inttypes.h>

#include "base/message.h"
#include "stream/pipeline_private.h"

enum status pipeline_array_prepare(struct pipeline *p)
{
	const struct plan *plan = p->plan;
	if (!plan->npy.writes)
		return STATUS_OK;
	if (plan->npy.result.grows && !sink_is_in_place(p->parts->sink))
		return message_refuse(
			"the number of results is known only at the end: for .npy the output must be a new file that "
			"is not compressed (see -o)");
	const enum status status =
		npy_put_header(&p->array_header, (const char *)plan->npy.result.type.data, &plan->npy.result.shape);
	p->out_position = p->array_header.size;
	return status;
}

enum status pipeline_array_begin(struct pipeline *p)
{
	if (!p->plan->npy.writes || p->array_begun)
		return STATUS_OK;
	p->array_begun = true;
	return sink_write(p->parts->sink, p->array_header.data, p->array_header.size);
}

/* Rewrites the header with the number of results. */
static enum status complete_header(struct pipeline *p, uint64_t count)
{
	struct npy_shape shape = p->plan->npy.result.shape;
	const size_t size = p->array_header.size;
	shape.sizes[0] = count;
	p->array_header.size = 0;
	enum status status = npy_put_header(&p->array_header, (const char *)p->plan->npy.result.type.data, &shape);
	if (status == STATUS_OK && p->array_header.size == size)
		status = sink_rewrite(p->parts->sink, p->array_header.data, size, 0);
	return status;
}

enum status pipeline_array_end(struct pipeline *p, enum status status)
{
	const struct plan_array *result = &p->plan->npy.result;
	uint64_t first = 1; /* product of the sizes after the first one */
	uint64_t wanted = 0;
	if (!p->array_begun || p->parts->is_slice)
		return status;
	const uint64_t written = sink_written_bytes(p->parts->sink) - p->array_header.size;
	if (result->grows) {
		if (!npy_count(&result->shape, 1, result->shape.count, UINT64_MAX, &first))
			return STATUS_SYSTEM; /* (never) */
		const enum status completed = complete_header(p, written / result->element_size / first);
		return status != STATUS_OK ? status : completed;
	}
	const bool is_known = npy_count(&result->shape, 0, result->shape.count, UINT64_MAX, &wanted);
	if (status != STATUS_OK || !p->end.complete || (is_known && wanted == written / result->element_size))
		return status;
	message_error("the input changed while it was read: %" PRIu64 " results, and the .npy header says %" PRIu64,
		      written / result->element_size, wanted);
	p->end.complete = false;
	return STATUS_DATA;
}
