/* The timeline of every chunk as a file in the Trace Event format, for ui.perfetto.dev or chrome://tracing: one track a
 * thread of pscan, one for each channel of the device. */
#ifndef PSCAN_STREAM_TRACE_H
#define PSCAN_STREAM_TRACE_H

#include "base/status.h"
#include "stream/slot.h"

struct trace;

/* STATUS_SYSTEM after a message. origin_ns: the instant 0 of the file. */
enum status trace_open(const char *path, uint64_t origin_ns, struct trace **trace) MUST_CHECK;
/* The temporary file, which gets its name when it is complete, for the sandbox; or NULL. trace may be NULL. */
const char *trace_temporary(const struct trace *trace);
/* Adds a chunk that was written. trace may be NULL. One thread at a time. */
void trace_add(struct trace *trace, const struct slot *slot);
/* Ends the file. quiet: the run has failed. STATUS_SYSTEM: it could not be written, and is removed; after a message,
 * unless quiet. */
enum status trace_close(struct trace *trace, bool quiet) MUST_CHECK;

#endif
