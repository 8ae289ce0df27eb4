/* What the files pipeline*.c share. Only they include this. */
#ifndef PSCAN_STREAM_PIPELINE_PRIVATE_H
#define PSCAN_STREAM_PIPELINE_PRIVATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "scanner/conductor.h"
#include "stream/handover.h"
#include "chunk/lent_results.h"
#include "stream/pipeline.h"

/* How the run ends. Only the thread with the sink's role changes it while threads run. */
struct pipeline_end {
	enum status worst_status; /* The status of the last error that was reported and did not end the stream. */
	bool complete; /* The last slot was written, and no error ended the stream. */
	enum status fatal_status; /* The status of the error that ended the stream. */
	/* This error, if it is not reported yet: it is reported unless doubt_frame turns out to be damaged. */
	struct problem doubt;
	const char *doubt_file; /* The name of its file. Borrowed. */
	uint64_t doubt_frame; /* The file's frame whose checksum comes after the error (input_unchecked). */
};

struct pipeline {
	/* Constant while threads run. */
	const struct pipeline_parts *parts;
	const struct plan *plan; /* parts->plan. */
	struct pool pool; /* For the host's engine. */
	struct pool keys_pool; /* For the conductor's keys and totals. */
	bool in_place; /* The thread that encodes results also writes them, to their place in the output. */
	/* For the thread with the conductor's role. */
	struct conductor *conductor;
	struct engine *host; /* The host's engine. Owned by the conductor. NULL: a named device scans. */
	struct handover *handover; /* NULL: no device is started in the background. */
	/* Output bytes of the delivered chunks. If the run is reversed and in_place: of those not delivered yet. */
	uint64_t out_position;
	uint64_t out_end; /* If the run is reversed and in_place: all output bytes. */
	/* For the thread with the sink's role. */
	struct stats *stats;
	struct bytes array_header; /* The header of results as .npy. Owned. */
	bool array_begun; /* array_header was written. */
	struct pipeline_end end;
	/* Set by the thread with the conductor's role, for all threads (pipeline_work_publish). */
	/* The device's engine, once it has had the stream. Slots use its channels' memory, if it has some. Otherwise
	 * NULL. */
	const struct engine *_Atomic lender;
	struct lent_results lent; /* The lender's memory for results. */
	atomic_size_t chunk_elements; /* The most elements of a new chunk. */
	atomic_bool host_scans; /* The host has the stream, so chunks are scanned ahead. */
	/* Threads get their numbers here. */
	atomic_uint threads;
};

/* pipeline_work.c: what the threads do. A function that returns a status has printed a message unless the status is
 * STATUS_OK. */

/* Fills a free slot with the next chunk. At the slot's first call also prepares it. */
enum status pipeline_work_begin(struct pipeline *p, struct slot *s) MUST_CHECK;
/* Does all the work on the calling thread. For input that ends within the first chunk, which was filled. Returns what
 * pipeline_work_together returns. */
enum status pipeline_work_alone(struct pipeline *p) MUST_CHECK;
/* Does all the work on the threads that the plan wants and on the calling thread. Returns when the threads are joined.
 * An error in the data or the input is not a failure here: STATUS_OK is returned, and p->end has the error's status. */
enum status pipeline_work_together(struct pipeline *p) MUST_CHECK;
/* Call it before threads start, and when the conductor may have changed its engine. Sets host_scans, chunk_elements and
 * the ring's workers for the engine that has the stream. If this is a device, also sets lender, and begins `lent` if
 * the device has memory for results. If it is the host, these stay as they are, because slots may still use such
 * memory. */
void pipeline_work_publish(struct pipeline *p);

/* pipeline_array.c: results as .npy. Without plan->npy.writes these functions do nothing. */

/* Makes array_header. Call it before threads start. */
enum status pipeline_array_prepare(struct pipeline *p) MUST_CHECK;
/* Writes array_header. Later calls do nothing. Call it before the first results are written, or at the end if there are
 * none. */
enum status pipeline_array_begin(struct pipeline *p) MUST_CHECK;
/* Completes the header in the output, or checks the number of results against it. Call it when all results are written.
 * status: the run's status so far. Returns this status, or a worse one after a message. */
enum status pipeline_array_end(struct pipeline *p, enum status status) MUST_CHECK;

/* pipeline_backwards.c: results of a scan from the last record to the first (plan->is_reversed). */

/* Sets a delivered slot's write_offset. Only if in_place. */
void pipeline_backwards_place(struct pipeline *p, struct slot *s);
/* Keeps a slot's bytes until the end, unless they were written in place. */
enum status pipeline_backwards_keep(struct pipeline *p, const struct slot *s) MUST_CHECK;
/* Writes the bytes that were kept, the last slot's first. Call it after the last slot, if no error ended the stream. */
enum status pipeline_backwards_end(struct pipeline *p) MUST_CHECK;

/* pipeline_work.c */

/* Implements conductor_deliver: passes a slot whose results are complete to the ring, to be encoded. context: the
 * pipeline. */
void pipeline_work_deliver(void *context, struct slot *s);

#endif
