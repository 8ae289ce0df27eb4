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

/* One lane's part of a channel's chunk. The caller sets all members but cursor_after and first_bad, and provides the
 * memory that they point to. */
struct lane_work {
	const void *in; /* The elements. Whole tiles, unless by_cursor. */
	size_t count; /* Number of elements. 0: the lane has no work in this chunk. */
	uint64_t index; /* Index of the first element in its lane. */
	bool totals_known; /* Totals need not be computed. Only for the host's engine. */
	bool by_cursor; /* The elements are pushed into `cursor` for their results. Host only, one channel at a time. */
	void *totals; /* SWEEP_TOTALS writes the tiles' totals here, row_tile_size bytes a tile. */
	const void *carry_in; /* For SWEEP_RESULTS: the tiles' carry-ins from the fold, row_tile_size bytes a tile. */
	bool first_has_carry; /* Whether the first tile has a carry-in. For SWEEP_RESULTS and SWEEP_BOTH. */
	/* by_cursor: the cursor, which is changed. SWEEP_BOTH: the cursor before the elements, at a tile's edge, which
	 * is only read; NULL for the cursor after the chunk whose SWEEP_BOTH was begun last, which must still be under
	 * way. */
	void *cursor;
	/* The cursor after the elements. Set by finish of SWEEP_BOTH. Owned by the engine; valid until the channel's
	 * next `begin`. */
	const void *cursor_after;
	const void *total; /* The lane's total, for a program that uses_total; else NULL. */
	void *out; /* SWEEP_RESULTS and SWEEP_BOTH write the results here. */
	/* The index in `in` of the first element that does not fit, or SIZE_MAX. Set by finish of SWEEP_RESULTS or
	 * SWEEP_BOTH. */
	size_t first_bad;
};

/* Calls of a cursor of a user's program:
 *     CURSOR_SEED      begins a cursor with a seed, or gives the result of no elements
 *     CURSOR_FOLD      folds the totals of tiles into a cursor at a tile's edge, and gives the tiles' carry-ins
 *     CURSOR_PUSH      takes elements into a cursor, and gives their results
 *     CURSOR_PUSH_ALL  does the same for several cursors
 *     CURSOR_TRIPLES   gives the results that show whether the program's combine is associative */
enum cursor_call { CURSOR_SEED, CURSOR_FOLD, CURSOR_PUSH, CURSOR_PUSH_ALL, CURSOR_TRIPLES, CURSOR_CALLS };
#define CURSOR_TRIPLE_RESULTS 4

/* The arguments and answers of a cursor call. All memory is borrowed for the call. (After STATUS_DEVICE a device that
 * was given up may still write to it: watchdog.h.) */
struct cursor_work {
	enum cursor_call call;
	/* row.code->cursor_size bytes, all zero before the first element. CURSOR_TRIPLES: all zero, but beginning with
	 * the first element's index, a uint64_t. */
	void *cursor;
	/* CURSOR_SEED: one element, its numbers in the accumulator's type; with `count` 0, as many bytes of any value.
	 * CURSOR_FOLD: tiles' totals. Other calls: elements. */
	const void *in;
	/* Elements or tiles of `in`, fewer than 2^32. CURSOR_SEED: 1, or 0 for the result of no elements, which only a
	 * program with an identity has. */
	size_t count;
	/* CURSOR_SEED: the seed's result. CURSOR_FOLD: the tiles' carry-ins. CURSOR_PUSH, CURSOR_PUSH_ALL: a result for
	 * each element. CURSOR_TRIPLES: CURSOR_TRIPLE_RESULTS for each element k, where the elements exist: of k to k +
	 * 2 combined from the left, of k to k + 2 combined from the right, of k alone, of k and k + 1. */
	void *out;
	bool first_has_carry; /* Set by CURSOR_FOLD: whether the first tile has a carry-in. */
	/* Set by CURSOR_PUSH: the index in `in` of the first element that does not fit. Set by CURSOR_SEED: 0 if the
	 * result has no value. Set by CURSOR_FOLD: the first tile after which the carry has no value. SIZE_MAX if
	 * everything fits, and for other calls. */
	size_t first_bad;
	/* For CURSOR_PUSH_ALL only, except `total`. */
	size_t cursor_count; /* Number of cursors, which lie one after the other at `cursor`. */
	const uint32_t *ends; /* Cursor j takes the elements from ends[j - 1] (0 for the first one) to ends[j]. */
	/* For each element how many records without a number its scan has had before it. NULL unless the program
	 * has_gaps. */
	const uint64_t *gaps;
	/* CURSOR_PUSH, CURSOR_TRIPLES: the scan's total. CURSOR_PUSH_ALL: one for each cursor, total_size bytes each.
	 * NULL unless the program uses_total. */
	const void *total;
	size_t total_size;
	/* bad[j] becomes the first element of cursor j that does not fit, counted from 0 for that cursor's first
	 * element of this call, or CURSOR_ALL_GOOD. */
	uint32_t *bad;
};
#define CURSOR_ALL_GOOD UINT32_MAX

/* The functions of one kind of engine. Functions that return a status return STATUS_DEVICE if the device fails, after a
 * message for the first failure of the device, and STATUS_SYSTEM after a message if memory is missing. */
struct engine_class {
	/* Specialises a lane of all channels for a row, which is copied. No channel may be under way. STATUS_USAGE
	 * after a message if the row's user program does not compile. STATUS_DEVICE also if the device lacks a type of
	 * the row; without -v there is no message for this if the user did not name the device. After a failure the
	 * lane has no usable row. */
	enum status (*set_row)(struct engine *e, size_t lane, const struct row *row);
	/* Does a cursor call of a lane whose row is a user's program, and waits for it. Channels may be under way.
	 * The host runs those of expressions only (program_host.h). */
	enum status (*run_cursor)(struct engine *e, size_t lane, struct cursor_work *work);
	/* For windows of a lane whose row is a user's program. NULL: this kind of engine has no windows. window_of
	 * returns the code of windows of `length` elements, which the engine owns. push_window adds elements of the row
	 * to a window and writes their results, with window_push's results and errors (scan/window.h). covered: for
	 * each element how many numbers its window covers. known: some elements may have no number, and `covered` is
	 * from window_cover. */
	struct window_row (*window_of)(struct engine *e, size_t lane, uint64_t length);
	size_t (*push_window)(struct engine *e, size_t lane, const struct window_row *windows, struct window *w,
			      const void *in, size_t count, const uint64_t *covered, bool known, void *out);
	/* Begins a sweep of size.lane_count lanes. The array and the memory that it points to are borrowed until
	 * `finish` returns STATUS_OK or `cancel` returns true. After a failure of `begin` or `finish` the caller must
	 * cancel the channel. The caller may leave out the sweep of totals if no lane needs totals. */
	enum status (*begin)(struct engine *e, enum sweep sweep, size_t channel, struct lane_work *lanes);
	/* Waits until the sweep that was begun is done; `sweep` must be that of `begin`. spans: STAGE_COUNT entries.
	 * SWEEP_RESULTS and SWEEP_BOTH set the entries whose stages were timed. SWEEP_TOTALS does not use spans, which
	 * may be NULL. Channels with SWEEP_BOTH must be finished in the order in which they were begun. */
	enum status (*finish)(struct engine *e, enum sweep sweep, size_t channel, struct span *spans);
	/* Whether the next `finish` of a channel would not wait for another thread or a device. NULL: this kind of
	 * engine cannot tell. */
	bool (*is_ready)(struct engine *e, size_t channel);
	/* Gives up a channel's chunk, if it has one, and waits until the chunk's borrowed memory is no longer used.
	 * False: the device does not answer and may still write to this memory, which must not be reused before the
	 * engine is closed. */
	bool (*cancel)(struct engine *e, size_t channel);
	/* Frees the engine and the memory that it lends. No channel may be under way. (An engine whose device was given
	 * up is not freed: watchdog.h.) */
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
	size_t element_max; /* Bytes of the largest element, accumulator or result of this run (slot_element_max). */
};

/* The first member of every engine's own struct. */
struct engine {
	const struct engine_class *class;
	struct engine_size size;
	size_t depth; /* Number of channels that should be under way at once. */
	bool folds; /* SWEEP_BOTH is allowed. */
	const struct channel_memory *memory; /* One for each channel. NULL: the caller uses its own memory. */
	/* true: the device computes in `memory` itself, and a channel may not use the memory of other channels. false:
	 * a channel's results may lie in the memory of any channel of the same device. */
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

/* Scans a tile of zeros on a channel of a one-lane engine that has a row, because some drivers compile only at the
 * first scan. No channel may be under way. *memory usually becomes NULL. If the device fails and may still write to the
 * memory of the scan, *memory becomes this memory: the caller then frees it with memory_free after closing the engine.
 * STATUS_DEVICE after a message if the device fails, STATUS_SYSTEM after a message if memory is missing. */
enum status engine_first_scan(struct engine *e, size_t channel, void **memory) MUST_CHECK;

/* Opens the host's engine. *size is copied. `begin` posts the channel's number to the pool, which is borrowed and must
 * have a piece for each channel. With pool NULL `finish` does the work. NULL after a message if memory is missing. */
struct engine *engine_host_open(const struct engine_size *size, const struct pool *pool);

/* Combines `count` engines (at least one) into one engine, which owns them: its `close` closes them. All engines must
 * have equal numbers of lanes and of channels, and either all or none have `memory`. The array is only read.
 *     channels           channel c of the new engine is channel number c / count of engines[c % count]
 *     depth              the sum of all depths
 *     device_count       `count`
 *     size.elements      the least of all
 *     folds              false, even if all engines fold
 *     shares_memory      that of engines[0]
 *     run_cursor         is done by engines[0]
 *     is_ready, windows  the new engine has none
 * NULL after a message if memory is missing; the engines are then closed. */
struct engine *engine_several_open(struct engine *const *engines, size_t count);

#endif
