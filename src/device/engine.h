/* An engine scans chunks on the grid. There are two kinds, the host's and OpenCL's, and they compute the same bits.
 * Several engines can be combined into one.
 *
 * A channel takes one chunk at a time, in five steps, each for all lanes: `begin` and `finish` of the sweep of totals,
 * the caller's fold (it computes the tiles' carry-ins from their totals), `begin` and `finish` of the sweep of results.
 * If the engine folds, `begin` and `finish` of both sweeps at once can replace them. `begin` returns at once if the
 * engine can work in the background. Several channels may be under way at once. `cancel` gives up a channel's chunk.
 * Only one thread at a time may call an engine. */
#ifndef PSCAN_DEVICE_ENGINE_H
#define PSCAN_DEVICE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/pool.h"
#include "base/status.h"
#include "base/timeline.h"
#include "scan/row.h"
#include "scan/window.h"

struct engine;

/* The sweeps over a chunk. */
enum sweep {
	SWEEP_TOTALS, /* The up-sweep: the tiles' totals. */
	SWEEP_RESULTS, /* The down-sweep: the results, from the tiles' carry-ins. */
	SWEEP_BOTH, /* Both, with the fold between them. Only if the engine `folds`. */
};

/* Channels of a device that should be under way at once: two do not keep the bus busy, three do. */
#define ENGINE_DEVICE_DEPTH 3

/* One lane's part of a channel's chunk. The caller sets everything but totals' bytes, out's bytes and first_bad. */
struct lane_work {
	const void *in; /* The elements. Whole tiles, unless by_cursor. */
	size_t count; /* Number of elements. 0: the lane has no work in this chunk. */
	uint64_t index; /* Index of the first element in its lane. */
	bool totals_known; /* Totals need not be computed. Only for the host's engine. */
	bool by_cursor; /* The elements are pushed into `cursor` for their results. Host only, one channel at a time. */
	void *totals; /* The tiles' totals, row_tile_size bytes a tile. Set by the sweep of totals. */
	const void *carry_in; /* The tiles' carry-ins from the fold, row_tile_size bytes a tile. */
	bool first_has_carry; /* Whether the first tile has a carry-in. */
	/* by_cursor: is changed. SWEEP_BOTH: the cursor before the elements, at a tile's edge. NULL: the cursor after
	 * the chunk whose SWEEP_BOTH was begun last, which must still be under way. */
	void *cursor;
	/* The cursor after the elements. Set by finish of SWEEP_BOTH. The engine's, until the channel's next begin. */
	const void *cursor_after;
	const void *total; /* The lane's total, for a program that uses_total; else NULL. */
	void *out; /* The results. */
	size_t first_bad; /* The first element of `in` that does not fit, or SIZE_MAX. Set by the sweep of results. */
};

/* Calls of a cursor of a user's program. CURSOR_SEED, CURSOR_FOLD and CURSOR_PUSH do what seed, fold and push of struct
 * row_code do; CURSOR_PUSH_ALL does `push` for several cursors. CURSOR_TRIPLES gives the results that show whether the
 * program's combine is associative. */
enum cursor_call { CURSOR_SEED, CURSOR_FOLD, CURSOR_PUSH, CURSOR_PUSH_ALL, CURSOR_TRIPLES, CURSOR_CALLS };
#define CURSOR_TRIPLE_RESULTS 4

/* The arguments and answers of a cursor call. All memory is borrowed for the call. */
struct cursor_work {
	enum cursor_call call;
	/* row.code->cursor_size bytes, all zero before the first element. CURSOR_TRIPLES: all zero, but beginning with
	 * the first element's index, a uint64_t. */
	void *cursor;
	/* CURSOR_SEED: one element, its numbers in the accumulator's type. CURSOR_FOLD: tiles' totals. CURSOR_PUSH and
	 * CURSOR_TRIPLES: elements, fewer than a tile. CURSOR_PUSH_ALL: elements, any number. */
	const void *in;
	size_t count; /* Elements or tiles of `in`. CURSOR_SEED: 1, or 0 for the program's identity. */
	/* CURSOR_SEED: the seed's result. CURSOR_FOLD: the tiles' carry-ins. CURSOR_PUSH, CURSOR_PUSH_ALL: a result for
	 * each element. CURSOR_TRIPLES: CURSOR_TRIPLE_RESULTS for each element k, where the elements exist: of k to k +
	 * 2 combined from the left, of k to k + 2 combined from the right, of k alone, of k and k + 1. */
	void *out;
	bool first_has_carry; /* Set by CURSOR_FOLD, as in struct lane_work. */
	/* Set by CURSOR_PUSH, as in struct lane_work. Set by CURSOR_SEED: 0 if the result has no value. Set by
	 * CURSOR_FOLD: the first tile after which the carry has no value. Otherwise SIZE_MAX. */
	size_t first_bad;
	/* For CURSOR_PUSH_ALL only, except `total`. */
	size_t cursor_count; /* Number of cursors, which lie one after the other at `cursor`. */
	const uint32_t *ends; /* Cursor j takes the elements from ends[j - 1] (0 for the first one) to ends[j]. */
	const uint64_t *gaps; /* For each element the skipped elements before it. NULL unless the program has_gaps. */
	/* CURSOR_PUSH, CURSOR_TRIPLES: the scan's total. CURSOR_PUSH_ALL: one for each cursor, total_size bytes each.
	 * NULL unless the program uses_total. */
	const void *total;
	size_t total_size;
	uint32_t *bad; /* bad[j] is set: cursor j's first element that does not fit, from 0, or CURSOR_ALL_GOOD. */
};
#define CURSOR_ALL_GOOD UINT32_MAX

/* The functions of one kind of engine. Functions that return a status return STATUS_DEVICE after a message if the
 * device fails; STATUS_SYSTEM after a message if memory is missing. */
struct engine_class {
	/* Specialises a lane of all channels for a row, which is copied. No channel may be under way. STATUS_USAGE
	 * after a message if the row's user program does not compile. */
	enum status (*set_row)(struct engine *e, size_t lane, const struct row *row);
	/* Does a cursor call of a lane whose row is a user's program, and waits for it. Channels may be under way.
	 * The host runs those of expressions only (program_host.h). */
	enum status (*take)(struct engine *e, size_t lane, struct cursor_work *work);
	/* For windows of a lane whose row is a user's program. window_of: returns their code, for `length` elements,
	 * which the engine owns. push_window: window_push (scan/window.h) for elements of the row. covered: for each
	 * element how many numbers its window covers; known: whether some elements may have no number, so that this is
	 * from window_cover. NULL: this kind of engine has no windows. */
	struct window_row (*window_of)(struct engine *e, size_t lane, uint64_t length);
	size_t (*push_window)(struct engine *e, size_t lane, const struct window_row *windows, struct window *w,
			      const void *in, size_t count, const uint64_t *covered, bool known, void *out);
	/* Begins a sweep of size.lane_count lanes. The array and everything in it are borrowed until the channel is
	 * finished or cancelled. The caller may leave out the sweep of totals if no lane needs totals. */
	enum status (*begin)(struct engine *e, enum sweep sweep, size_t channel, struct lane_work *lanes);
	/* Waits until the sweep that was begun is done. Those with results set the entries of spans (STAGE_COUNT of
	 * them) whose work was timed; that of totals does not use them.
	 * Channels with SWEEP_BOTH are finished in the order in which they were begun. */
	enum status (*finish)(struct engine *e, enum sweep sweep, size_t channel, struct span *spans);
	/* Whether the next `finish` of a channel would return at once. NULL: this kind of engine cannot tell. */
	bool (*is_ready)(struct engine *e, size_t channel);
	/* Gives up a channel's chunk and waits until its borrowed memory is no longer used. False: the device does not
	 * answer and may still write to this memory, which must not be reused before the engine is closed. */
	bool (*cancel)(struct engine *e, size_t channel);
	/* Frees the engine. No channel may be under way. */
	void (*close)(struct engine *e);
};

/* Memory of a one-lane channel that the engine transfers or computes on fastest. Owned by the engine. */
struct channel_memory {
	unsigned char *in; /* engine_in_bytes, or NULL. */
	unsigned char *out; /* engine_out_bytes, or NULL. */
};

/* The sizes of an engine's channels. */
struct engine_size {
	size_t channel_count;
	size_t lane_count; /* Lanes of each channel. */
	size_t elements; /* Most elements of one lane of a chunk. A multiple of a tile. */
	size_t element_max; /* Bytes of the largest element or accumulator type of this run. */
};

/* The first member of every engine's own struct. */
struct engine {
	const struct engine_class *class;
	struct engine_size size;
	size_t depth; /* Number of channels that should be under way at once. */
	bool folds; /* SWEEP_BOTH is allowed. */
	const struct channel_memory *memory; /* One for each channel. NULL: the caller uses its own memory. */
	/* The device computes in a channel's memory itself. Otherwise results may lie in that of any channel of the
	 * same device. */
	bool shares_memory;
	const char *device; /* The device's name, or the names of all devices. NULL: the host. */
	size_t device_count; /* Channel c uses device c % device_count. 0: the host. */
	const char *const *devices; /* Each device's name. NULL unless the engine has several devices. */
};

/* Returns the bytes of memory for the elements of one lane of a chunk, with room for alignment. */
size_t engine_in_bytes(const struct engine_size *size);
/* Returns the bytes of memory for the results of one lane of a chunk, with room for alignment and for one result before
 * them. */
size_t engine_out_bytes(const struct engine_size *size);

/* Scans a tile of zeros on a channel of a one-lane engine, because some drivers compile only at the first scan. No
 * channel may be under way. *memory usually becomes NULL. If the device fails and may still write to the memory of the
 * scan, *memory becomes this memory: the caller then frees it with memory_free after closing the engine. STATUS_DEVICE
 * after a message if the device fails, STATUS_SYSTEM after a message if memory is missing. */
enum status engine_first_scan(struct engine *e, size_t channel, void **memory) MUST_CHECK;

/* Opens the host's engine. `begin` posts the channel's number to the pool (borrowed). With pool NULL `finish` does
 * the work. NULL after a message if memory is missing. */
struct engine *engine_host_open(const struct engine_size *size, const struct pool *pool);

/* Combines `count` engines (at least one) into one. They must have the same numbers of lanes and channels, and either
 * all or none have `memory`. Channel c of the new engine is channel c / count of engine c % count; calls of `take` go
 * to the first engine. The array is only read. The new engine owns the engines, and its `close` closes them. NULL after
 * a message if memory is missing; the engines are then closed. */
struct engine *engine_several_open(struct engine *const *engines, size_t count);

#endif
