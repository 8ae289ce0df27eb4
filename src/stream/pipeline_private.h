/* Internal to pipeline*.c. */
#ifndef PSCAN_STREAM_PIPELINE_PRIVATE_H
#define PSCAN_STREAM_PIPELINE_PRIVATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "scanner/conductor.h"
#include "stream/handover.h"
#include "chunk/lent_results.h"
#include "stream/pipeline.h"

/* How the run ends. The sink's thread has it while threads run. */
struct pipeline_end {
	enum status worst_status; /* the worst status of a warning that was reported */
	bool complete; /* the last slot was written, and no error ended the stream */
	enum status fatal_status; /* the status of the error that ended the stream */
	struct problem doubt; /* that error, if it is reported only where no damage is found in doubt_file */
	const char *doubt_file;
};

struct pipeline {
	/* Constant while threads run. */
	const struct pipeline_parts *parts;
	const struct plan *plan; /* the parts' */
	struct pool pool; /* the engine's */
	struct pool keys_pool; /* the conductor's, for keys */
	bool in_place; /* the thread that encodes results also writes them */
	/* The conductor's. */
	struct conductor *conductor;
	struct engine *host;
	struct handover *handover; /* or NULL */
	/* output bytes of the chunks that were delivered; in a reversed run in_place: of those that were not */
	uint64_t out_position;
	uint64_t out_end; /* in such a run: all output bytes */
	/* The sink's thread has these while threads run. */
	struct stats *stats;
	struct bytes array_header; /* of results as .npy. Owned */
	bool array_begun; /* array_header was written */
	struct pipeline_end end;
	/* Set by the conductor, for all. */
	const struct engine *_Atomic lender; /* slots use its channels' memory, or NULL */
	struct lent_results lent; /* of the lender */
	atomic_size_t chunk_elements; /* of new chunks */
	atomic_bool scan_ahead; /* the host scans */
	/* Threads get their numbers here. */
	atomic_uint threads;
};

/* pipeline.c sets up and ends; the rest is what threads do (pipeline_work.c). Functions that return a status have
 * printed a message if it is not STATUS_OK. */

/* Makes a free slot the next chunk. */
enum status pipeline_work_begin(struct pipeline *p, struct slot *s) MUST_CHECK;
/* Does all the work on the calling thread: for input that ends within the first chunk. */
enum status pipeline_work_alone(struct pipeline *p) MUST_CHECK;
/* Does all the work on as many threads as the plan wants; returns when they are joined. An error in the data is not a
 * failure here: STATUS_OK is returned, and p->end has the error's status. */
enum status pipeline_work_together(struct pipeline *p) MUST_CHECK;
/* Call it when the conductor may have changed its engine. Sets lender, chunk_elements, scan_ahead and the ring's
 * workers. */
void pipeline_work_publish(struct pipeline *p);
/* pipeline_array.c: results as .npy. Without plan->npy.writes these functions do nothing. */
/* Makes array_header. Call it before there are threads. */
enum status pipeline_array_prepare(struct pipeline *p) MUST_CHECK;
/* Writes array_header, once: before the first results, or at the end if there are none. */
enum status pipeline_array_begin(struct pipeline *p) MUST_CHECK;
/* Completes the header, or checks the number of results against it. Call it when all is written; status: the run's.
 * Returns that status, or a worse one after a message. */
enum status pipeline_array_end(struct pipeline *p, enum status status) MUST_CHECK;
/* pipeline_backwards.c: results of a scan from the last record to the first. */
/* Sets a slot's place in the output. Only for output in place. */
void pipeline_backwards_place(struct pipeline *p, struct slot *s);
/* Keeps a slot's bytes until the end, unless they are in their place. */
enum status pipeline_backwards_keep(struct pipeline *p, const struct slot *s) MUST_CHECK;
/* Writes what was kept. Call it after the last slot, if there was no error. */
enum status pipeline_backwards_end(struct pipeline *p) MUST_CHECK;
/* Implements conductor_deliver: passes on a slot whose results are complete, to be encoded. context: the pipeline. */
void pipeline_work_deliver(void *context, struct slot *s);

#endif
