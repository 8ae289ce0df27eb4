/* The numbers of --stats: the pipeline collects them, and this module adds them up and prints them. */
#ifndef PSCAN_STREAM_STATS_H
#define PSCAN_STREAM_STATS_H

#include "base/memory.h"
#include "base/status.h"
#include "chunk/slot.h"

enum stats_format { STATS_NONE, STATS_TEXT, STATS_JSON };

/* The outcome of the hand-over under --device=auto. */
enum handover_outcome {
	HANDOVER_NONE, /* No device was tried, or there was none. */
	HANDOVER_LATE, /* The device was not ready before the end, or had no chunk. */
	HANDOVER_KEPT, /* The device had the stream to the end. */
	HANDOVER_RETURNED, /* The device was slower than the host, which went on. */
	HANDOVER_FAILED, /* The device failed. */
};

struct handover_stats {
	enum handover_outcome outcome;
	uint64_t bring_up_ns; /* From the start of the thread that starts the device until the device was ready. */
	uint64_t first_chunk; /* The number of the first chunk that the device scanned. */
	double host_rate, device_rate; /* Input bytes a second. 0: not measured. */
};

struct stats {
	uint64_t begin_ns; /* When the run began (timeline_now_ns). */
	uint64_t elements; /* Elements with results (struct slot_scan). */
	uint64_t bytes_in; /* Input bytes, after inflating. */
	uint64_t bytes_out; /* Output bytes, before deflating. */
	uint64_t compressed_in, compressed_out; /* Compressed bytes. Set by the caller. 0: nothing was compressed. */
	uint64_t host_chunks, device_chunks; /* Chunks that the host and that a device scanned. */
	struct {
		uint64_t busy_ns, bytes;
	} stages[STAGE_COUNT]; /* For each stage: the time spent by all threads together, and the bytes. */
	char device[1024]; /* The names of the devices that scanned. "": none. */
	struct handover_stats handover;
};

/* Adds a chunk that was written. One thread at a time. */
void stats_add(struct stats *stats, const struct slot *slot);

/* Appends the report to *text. format: STATS_TEXT for lines of text, or STATS_JSON for one line. STATUS_SYSTEM after a
 * message. */
enum status stats_report(const struct stats *stats, enum stats_format format, struct bytes *text) MUST_CHECK;

#endif
