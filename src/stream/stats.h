/* The numbers of --stats: the pipeline collects them, and this module adds them up and prints them. */
#ifndef PSCAN_STREAM_STATS_H
#define PSCAN_STREAM_STATS_H

#include "base/memory.h"
#include "base/status.h"
#include "chunk/slot.h"

enum stats_format { STATS_NONE, STATS_TEXT, STATS_JSON };

/* The outcome of the hand-over under --device=auto. */
enum handover_outcome {
	HANDOVER_NONE, /* no device was tried */
	HANDOVER_LATE, /* the device was not ready before the end */
	HANDOVER_KEPT,
	HANDOVER_RETURNED, /* the device was slower than the host */
	HANDOVER_FAILED,
};

struct handover_stats {
	enum handover_outcome outcome;
	uint64_t bring_up_ns; /* from the start of its thread until the device was ready */
	uint64_t first_chunk; /* the first chunk that the device had */
	double host_rate, device_rate; /* input bytes a second; 0: not measured */
};

struct stats {
	uint64_t begin_ns;
	uint64_t elements, bytes_in, bytes_out;
	uint64_t compressed_in, compressed_out; /* compressed bytes, set by the caller; 0: there was none */
	uint64_t host_chunks, device_chunks;
	struct {
		uint64_t busy_ns, bytes;
	} stages[STAGE_COUNT];
	char device[1024]; /* the names of the devices that scanned, or "" */
	struct handover_stats handover;
};

/* Adds a chunk that was written. One thread at a time. */
void stats_add(struct stats *stats, const struct slot *slot);

/* Appends the report: lines of text, or one line of JSON. STATUS_SYSTEM after a message. */
enum status stats_report(const struct stats *stats, enum stats_format format, struct bytes *text) MUST_CHECK;

#endif
