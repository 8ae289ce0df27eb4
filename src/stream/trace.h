/* Writes the timeline of every chunk as a file in the Trace Event format, for ui.perfetto.dev or chrome://tracing.
 * There is one track for each thread of pscan, and one for each channel of the device. */
#ifndef PSCAN_STREAM_TRACE_H
#define PSCAN_STREAM_TRACE_H

#include "base/status.h"
#include "chunk/slot.h"

struct trace;

/* Opens a trace file, which the caller ends with trace_close or trace_abandon. origin_ns: the time that is 0 in the
 * file. STATUS_SYSTEM after a message; *trace is then unchanged. */
enum status trace_open(const char *path, uint64_t origin_ns, struct trace **trace) MUST_CHECK;
/* Returns, for the sandbox, the name of the temporary file that trace_close renames. Borrowed. NULL: there is no trace,
 * or it is written without a temporary file. */
const char *trace_temporary(const struct trace *trace);
/* Adds a chunk that was written. NULL: does nothing. One thread at a time. */
void trace_add(struct trace *trace, const struct slot *slot);
/* Completes the file, and frees the trace. quiet: the run has failed, so no message is printed, and a file without
 * chunks is removed. STATUS_SYSTEM after a message (unless quiet): the file could not be written, and is removed. */
enum status trace_close(struct trace *trace, bool quiet) MUST_CHECK;

/* Frees the trace and removes its file. NULL: does nothing. */
void trace_abandon(struct trace *t);

#endif
