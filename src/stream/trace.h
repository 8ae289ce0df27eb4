/* Writes the timeline of every chunk as a file in the Trace Event format, for ui.perfetto.dev or chrome://tracing.
 * There is one track for each thread of pscan, and one for each channel of the device. */
#ifndef PSCAN_STREAM_TRACE_H
#define PSCAN_STREAM_TRACE_H

#include "base/status.h"
#include "chunk/slot.h"

struct trace;

/* Opens a trace file, which trace_close ends. origin_ns: the time that is 0 in the file. STATUS_SYSTEM after a
 * message. */
enum status trace_open(const char *path, uint64_t origin_ns, struct trace **trace) MUST_CHECK;
/* The name of the temporary file (borrowed) that is renamed when it is complete, for the sandbox; or NULL. trace may be
 * NULL. */
const char *trace_temporary(const struct trace *trace);
/* Adds a chunk that was written. trace may be NULL. One thread at a time. */
void trace_add(struct trace *trace, const struct slot *slot);
/* Ends the file. quiet: the run has failed, and no message is printed. STATUS_SYSTEM: the file could not be written,
 * and is removed. */
enum status trace_close(struct trace *trace, bool quiet) MUST_CHECK;

/* Ends the trace without keeping it. NULL: does nothing. */
void trace_abandon(struct trace *t);

#endif
