/* What all engines share. */
#include "device/engine.h"

#include "base/memory.h"

size_t engine_in_bytes(const struct engine_size *size)
{
	return size->elements * size->element_max + MEMORY_ALIGNMENT;
}

size_t engine_out_bytes(const struct engine_size *size)
{
	return MEMORY_ALIGNMENT + size->elements * size->element_max + MEMORY_ALIGNMENT;
}

void engine_first_free(struct engine_first_memory *m)
{
	memory_free_all(m->in, m->out, m->totals);
	*m = (struct engine_first_memory){0};
}

enum status engine_first_scan(struct engine *e, size_t channel, struct engine_first_memory *m)
{
	static union cursor none;
	const enum sweep last = e->folds ? SWEEP_BOTH : SWEEP_RESULTS;
	struct span spans[STAGE_COUNT] = {0};
	*m = (struct engine_first_memory){
		.in = memory_zeros(GRID_TILE, e->size.element_max),
		.out = memory_new(GRID_TILE * e->size.element_max),
		.totals = memory_zeros(2, TILE_SIZE_MAX),
	};
	enum status status = m->in == NULL || m->out == NULL || m->totals == NULL ? STATUS_SYSTEM : STATUS_OK;
	struct lane_work lane = {.in = m->in,
				 .count = GRID_TILE,
				 .totals = m->totals,
				 .carry_in = m->totals,
				 .cursor = &none,
				 .out = m->out};
	for (enum sweep sweep = SWEEP_TOTALS; sweep <= last && status == STATUS_OK; sweep++) {
		status = e->class->begin(e, sweep, channel, &lane);
		if (status == STATUS_OK)
			status = e->class->finish(e, sweep, channel, spans);
	}
	if (status == STATUS_OK || e->class->cancel(e, channel))
		engine_first_free(m);
	return status;
}
