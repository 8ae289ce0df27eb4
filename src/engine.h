/* An engine scans chunks on the grid. There are two, the host and OpenCL, and they compute the same bits.
 *
 * A chunk goes through a lane: begin_totals, finish_totals, the caller's fold, begin_results, finish_results. Begin calls
 * return at once where the engine can work in the background; several lanes may be under way. A lane that has begun may be
 * dropped with cancel. All calls of one engine come from one thread at a time.
 */
#ifndef PSCAN_ENGINE_H
#define PSCAN_ENGINE_H

#include <stdbool.h>
#include <stddef.h>

#include "row.h"
#include "status.h"

struct engine;

struct engine_class {
	const char *name;
	/* So many lanes are worth having under way at once. */
	size_t depth;
	/* Specialises the engine for a row; no lane may be under way. *row is copied. STATUS_DEVICE or STATUS_SYSTEM, with a
	 * message, if it cannot be done. */
	enum status (*set_row)(struct engine *e, const struct row *row);
	/* Begins the up-sweep of count (at least 1, at most the lane's capacity) elements. in is borrowed until the lane is
	 * finished or cancelled. */
	enum status (*begin_totals)(struct engine *e, size_t lane, const void *in, size_t count);
	/* Waits for the totals and writes them, one state a tile, to totals. */
	enum status (*finish_totals)(struct engine *e, size_t lane, void *totals);
	/* Begins the down-sweep. carry_in holds one state a tile, the first one absent unless first_has_carry. carry_in and out
	 * are borrowed until the lane is finished. */
	enum status (*begin_results)(struct engine *e, size_t lane, const void *carry_in, bool first_has_carry,
				     void *out);
	/* Waits until out holds the results. *first_bad is the index of the first element that does not fit, or SIZE_MAX. */
	enum status (*finish_results)(struct engine *e, size_t lane, size_t *first_bad);
	/* Waits until nothing of the lane's borrowed memory is used any more. */
	void (*cancel)(struct engine *e, size_t lane);
	void (*close)(struct engine *e);
};

/* The head of every engine's own struct. */
struct engine {
	const struct engine_class *class;
};

/* What the lanes of an engine must hold. */
struct engine_size {
	size_t lane_count;
	size_t elements; /* of one chunk, a tile more than a slot's */
	size_t element_max; /* bytes of the largest element and accumulator that any row of this run has */
};

/* The host's engine. NULL after a message if there is no memory. */
struct engine *engine_host_open(const struct engine_size *size);

#endif
