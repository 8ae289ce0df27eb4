/* Notes the earliest record at which something does not fit. The scan found it (kernels/tile.h, scan/host_tiles.c,
 * scan/window.c). conductor_accept.c ends the stream there. */
#include "scan/misfit_message.h"
#include "scanner/key_scans.h"

/* What to say of an element that does not fit, but for its place. */
static struct problem describe(const struct run_scan *r, const void *element, bool *must)
{
	const bool is_text = r->c->plan->format.input == FORMAT_TEXT;
	return misfit_describe(&r->lane->row, element, r->s->in.file_name, is_text, must);
}

void segment_end_past(const struct run_scan *r, size_t i)
{
	const unsigned char any[INPUTS_MAX * sizeof(union value)] = {0};
	bool must;
	if (segment_end_at(r, i))
		r->work->misfit.problem = describe(r, any, &must);
}

void segment_judge(const struct run_scan *r, size_t i)
{
	bool must;
	const struct problem problem = describe(r, segment_element_at(r, i), &must);
	/* What an exclusive scan shows of it stands at the next element. */
	const bool moves = r->lane->plan->moves_results && !must;
	if (moves && i + 1 == r->count)
		r->segment->is_past = true;
	else if (segment_end_at(r, i + moves))
		r->work->misfit.problem = problem;
}
