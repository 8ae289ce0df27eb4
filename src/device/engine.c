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

enum status engine_first_scan(struct engine *e, size_t channel, void **memory)
{
	static union cursor none;
	const enum sweep last = e->folds ? SWEEP_BOTH : SWEEP_RESULTS;
	const size_t size = GRID_TILE * e->size.element_max;
	struct span spans[STAGE_COUNT] = {0};
	unsigned char *block = memory_zeros(2, size + TILE_SIZE_MAX);
	enum status status = STATUS_OK;
	*memory = NULL;
	if (block == NULL)
		return STATUS_SYSTEM;
	struct lane_work lane = {.in = block,
				 .count = GRID_TILE,
				 .totals = block + 2 * size,
				 .carry_in = block + 2 * size,
				 .cursor = &none,
				 .out = block + size};
	for (enum sweep sweep = SWEEP_TOTALS; sweep <= last && status == STATUS_OK; sweep++) {
		status = e->class->begin(e, sweep, channel, &lane);
		if (status == STATUS_OK)
			status = e->class->finish(e, sweep, channel, spans);
	}
	if (status == STATUS_OK || e->class->cancel(e, channel))
		memory_free(block);
	else
		*memory = block;
	return status;
}
