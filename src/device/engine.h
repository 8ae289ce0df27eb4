/* An engine scans chunks on the grid. There are two, the host and OpenCL, and they compute the same bits; several may
 * be used as one.
 *
 * A chunk goes through a channel: begin_totals, finish_totals, the caller's fold, begin_results, finish_results, each
 * for all of its lanes. Begin calls return at once where the engine can work in the background; several channels may
 * be under way. A channel that has begun may be dropped with cancel. All calls of one engine come from one thread at a
 * time.
 */
#ifndef PSCAN_DEVICE_ENGINE_H
#define PSCAN_DEVICE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/pool.h"
#include "base/status.h"
#include "base/timeline.h"
#include "scan/row.h"

struct engine;

/* Lanes of a device under way at once: two do not fill a bus, three do. */
#define ENGINE_DEVICE_DEPTH 3

/* What is to be done for one lane of a channel's chunk, and what became of it. */
struct lane_work {
	const void *in; /* the elements: whole tiles, unless they are pushed */
	size_t count; /* of them; 0: there is nothing to do */
	uint64_t index; /* of the first one in the lane */
	bool totals_known; /* nothing to do but for the results. Only if the engine's class takes_totals */
	bool by_cursor; /* nothing to do but for the results, by the cursor. Only if the engine's class pushes */
	void *totals; /* row_tile_size a tile: begin_totals sets them */
	const void *carry_in; /* the same, of the fold; the first tile's is absent unless */
	bool first_has_carry;
	void *cursor; /* takes the elements in, one by one */
	void *out; /* the results */
	size_t first_bad; /* the index of the first element that does not fit, or SIZE_MAX: finish_results sets it */
};

/* What row_code's functions of these names do for a lane's cursor, of a program; and whether its combine is
 * associative. */
enum cursor_call { CURSOR_SEED, CURSOR_FOLD, CURSOR_PUSH, CURSOR_PUSH_ALL, CURSOR_TRIPLES, CURSOR_CALLS };
#define CURSOR_TRIPLE_RESULTS 4

/* What is to be taken into a cursor, and what comes of it. All is borrowed for the call. */
struct cursor_work {
	enum cursor_call call;
	void *cursor; /* row.code->cursor_size bytes, all zero before the first element; CURSOR_TRIPLES: all zero but for the first
		       * element's index, a uint64_t at its beginning */
	const void
		*in; /* CURSOR_SEED: the element, its numbers of the accumulator's type; if there are none (count), the
			 * program's identity is meant; CURSOR_FOLD: tiles' totals; CURSOR_PUSH, CURSOR_TRIPLES: elements, less than a
			 * tile */
	size_t count;
	void *out; /* CURSOR_SEED: the seed's result; CURSOR_FOLD: the tiles' carry-ins; CURSOR_PUSH: results; CURSOR_TRIPLES: of each
		    * element k as many: of elements k to k + 2 combined from the left, and from the right, of k, and of k and k + 1 */
	bool first_has_carry; /* CURSOR_FOLD sets it */
	size_t first_bad; /* CURSOR_PUSH sets it, as in struct lane_work */
	/* CURSOR_PUSH_ALL: there are so many cursors, one after the other, and elements of all, any number (count);
	 * each takes in those up to its end, from that of the one before it. bad[j] becomes the place among its own of
	 * the first that does not fit, or CURSOR_ALL_GOOD. */
	size_t cursor_count;
	const uint32_t *ends;
	const uint64_t *gaps; /* of each element: how many before it take no part. NULL unless the program has_gaps */
	uint32_t *bad;
};
#define CURSOR_ALL_GOOD UINT32_MAX

struct engine_class {
	const char *name;
	bool takes_totals; /* the caller may have the totals (host.h) */
	bool pushes; /* and have a lane's elements taken into a cursor; then only one channel may be under way */
	/* Specialises a lane of the engine for a row; no channel may be under way. *row is copied. STATUS_DEVICE or
	 * STATUS_SYSTEM, with a message, if it cannot be done; STATUS_USAGE if its program is none. */
	enum status (*set_row)(struct engine *e, size_t lane, const struct row *row);
	/* Takes what *work says into a cursor, and waits, for a lane whose row is a program's; its channel may be
	 * under way. NULL: there are no programs. */
	enum status (*take)(struct engine *e, size_t lane, struct cursor_work *work);
	/* Begins the up-sweep of the lanes, size.lane_count of them. They and what they lead to are borrowed until the
	 * channel is finished or cancelled. May be left out if no lane has need of it. */
	enum status (*begin_totals)(struct engine *e, size_t channel, struct lane_work *lanes);
	/* Waits until the totals are there. */
	enum status (*finish_totals)(struct engine *e, size_t channel);
	/* Begins the down-sweep of the same lanes. */
	enum status (*begin_results)(struct engine *e, size_t channel, struct lane_work *lanes);
	/* Waits until the results are there. Adds what the channel did to spans, STAGE_COUNT of them. */
	enum status (*finish_results)(struct engine *e, size_t channel, struct span *spans);
	/* Whether the next finish call of a channel that has begun would not wait. NULL: nobody knows. */
	bool (*is_ready)(struct engine *e, size_t channel);
	/* Waits until nothing of the channel's borrowed memory is used any more. False: that cannot be known, and
	 * until the engine is closed what the device writes to must not be used for anything else. */
	bool (*cancel)(struct engine *e, size_t channel);
	void (*close)(struct engine *e);
};

/* The memory of a channel of one lane that an engine can transfer or compute on fastest, or NULLs. It lives as long as
 * the engine. */
struct channel_memory {
	unsigned char *in; /* engine_in_bytes */
	unsigned char *out; /* engine_out_bytes */
};

/* What the channels of an engine hold. */
struct engine_size {
	size_t channel_count;
	size_t lane_count; /* of each channel */
	size_t elements; /* of one lane of a chunk, whole tiles */
	size_t element_max; /* bytes of the largest element and accumulator that any row of this run has */
};

/* The head of every engine's own struct. */
struct engine {
	const struct engine_class *class;
	struct engine_size size;
	size_t depth; /* so many channels are worth having under way at once */
	const struct channel_memory *memory; /* size.channel_count of them, or NULL: the caller uses its own */
	const char *device; /* its name, or the names of all; NULL: the host */
	size_t device_count; /* channel c is of device c % device_count. 0: the host */
	const char *const *devices; /* their names if there are several, or NULL */
};

/* Bytes of memory for a lane's elements and results: with room for one more, of the results before them too. */
size_t engine_in_bytes(const struct engine_size *size);
size_t engine_out_bytes(const struct engine_size *size);

/* What the first scan on a device works on. */
struct engine_first_memory {
	void *in, *out, *totals;
};

/* Scans a tile of zeros on a channel of an engine of one lane: some drivers compile only then. No channel may be under
 * way. What a device that is lost may still write to stays in *m; otherwise *m is empty. */
enum status engine_first_scan(struct engine *e, size_t channel, struct engine_first_memory *m) MUST_CHECK;
void engine_first_free(struct engine_first_memory *m);

/* The host's engine. What is posted to the pool (borrowed), a channel's number, is for engine_host_work; if pool is
 * NULL the finish calls do it. NULL after a message if there is no memory. */
struct engine *engine_host_open(const struct engine_size *size, const struct pool *pool);
/* Does the work that was posted for a channel. Any thread; the channel belongs to it meanwhile. */
void engine_host_work(struct engine *e, size_t channel);

/* Engines of as many lanes and channels each, all of which lend memory or none, count of them, as one: chunks go to
 * them in turn, channel c to engine c % count as its channel c / count, and what cursors take in to the first one.
 * They are its own from now on, and closed if it is not opened: NULL after a message, if there is no memory. */
struct engine *engine_several_open(struct engine *const *engines, size_t count);

#endif
