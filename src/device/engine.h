/* An engine scans chunks on the grid. There are two, the host and OpenCL, and they compute the same bits.
 *
 * A chunk goes through a channel: begin_totals, finish_totals, the caller's fold, begin_results, finish_results. Begin
 * calls return at once where the engine can work in the background; several channels may be under way. A channel that has
 * begun may be dropped with cancel. All calls of one engine come from one thread at a time.
 */
#ifndef PSCAN_DEVICE_ENGINE_H
#define PSCAN_DEVICE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "base/timeline.h"
#include "scan/row.h"

struct engine;

/* Lanes of a device under way at once: two do not fill a bus, three do. */
#define ENGINE_DEVICE_DEPTH 3

struct engine_class {
	const char *name;
	/* Specialises the engine for a row; no channel may be under way. *row is copied. STATUS_DEVICE or STATUS_SYSTEM,
	 * with a message, if it cannot be done. */
	enum status (*set_row)(struct engine *e, const struct row *row);
	/* Begins the up-sweep of count (at least 1, at most the channel's capacity) elements; totals will hold one state a
	 * tile. Both are borrowed until the channel is finished or cancelled. */
	enum status (*begin_totals)(struct engine *e, size_t channel, const void *in, size_t count, void *totals);
	/* NULL, or instead of begin_totals and finish_totals: the caller has the totals (host.h). */
	void (*skip_totals)(struct engine *e, size_t channel, const void *in, size_t count);
	/* Waits until the totals are there. */
	enum status (*finish_totals)(struct engine *e, size_t channel);
	/* Begins the down-sweep. carry_in holds one state a tile, the first one absent unless first_has_carry. carry_in
	 * and out are borrowed until the channel is finished. */
	enum status (*begin_results)(struct engine *e, size_t channel, const void *carry_in, bool first_has_carry,
				     void *out);
	/* NULL, or instead of all of these up to finish_results: takes count elements into a cursor, one by one. Only one
	 * channel may be under way so. */
	void (*begin_push)(struct engine *e, size_t channel, void *cursor, const void *in, size_t count, void *out);
	/* Waits until out holds the results. *first_bad is the index of the first element that does not fit, or
	 * SIZE_MAX. Adds what the channel did to spans, STAGE_COUNT of them. */
	enum status (*finish_results)(struct engine *e, size_t channel, size_t *first_bad, struct span *spans);
	/* Whether the next finish call of a channel that has begun would not wait. NULL: nobody knows. */
	bool (*is_ready)(struct engine *e, size_t channel);
	/* Waits until nothing of the channel's borrowed memory is used any more. False: that cannot be known, and until the
	 * engine is closed what the device writes to must not be used for anything else. */
	bool (*cancel)(struct engine *e, size_t channel);
	void (*close)(struct engine *e);
};

/* The memory of a channel that an engine can transfer or compute on fastest, or NULLs. It lives as long as the engine. */
struct channel_memory {
	unsigned char *in; /* engine_in_bytes */
	unsigned char *out; /* engine_out_bytes */
};

/* What the channels of an engine hold. */
struct engine_size {
	size_t channel_count;
	size_t elements; /* of one chunk, whole tiles */
	size_t element_max; /* bytes of the largest element and accumulator that any row of this run has */
};

/* The head of every engine's own struct. */
struct engine {
	const struct engine_class *class;
	struct engine_size size;
	size_t depth; /* so many channels are worth having under way at once */
	const struct channel_memory *memory; /* size.channel_count of them, or NULL: the caller uses its own */
	const char *device; /* its name, or NULL: the host */
};

/* Bytes of memory for a chunk's elements and results: with room for one more, of the results before them too. */
size_t engine_in_bytes(const struct engine_size *size);
size_t engine_out_bytes(const struct engine_size *size);

/* What the first scan on a device works on. */
struct engine_first_memory {
	void *in, *out, *totals;
};

/* Scans a tile of zeros: some drivers compile only then. No channel may be under way. What a device that is lost may still write
 * to stays in *m; otherwise *m is empty. */
enum status engine_first_scan(struct engine *e, struct engine_first_memory *m) MUST_CHECK;
void engine_first_free(struct engine_first_memory *m);

/* Threads that do the work of the host's engine. */
struct engine_pool {
	void *context;
	/* Somebody shall call engine_host_work for the channel. */
	void (*post)(void *context, size_t channel);
	/* Waits until that was done. True: nobody had begun it, and it is the caller's to do. */
	bool (*settle)(void *context, size_t channel);
	bool (*is_done)(void *context, size_t channel);
};

/* The host's engine; it computes on the pool's threads (*pool is borrowed), or in the finish calls if pool is NULL.
 * NULL after a message if there is no memory. */
struct engine *engine_host_open(const struct engine_size *size, const struct engine_pool *pool);
/* Does the work that was posted for a channel. Any thread; the channel belongs to it meanwhile. */
void engine_host_work(struct engine *e, size_t channel);

#endif
