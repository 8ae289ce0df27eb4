/* The pipeline: from the source's bytes to the sink's. */
#ifndef PSCAN_STREAM_PIPELINE_H
#define PSCAN_STREAM_PIPELINE_H

#include "io/backwards.h"
#include "io/sink.h"
#include "plot/key_curves.h"
#include "process/sandbox.h"
#include "chunk/plan.h"
#include "stream/progress.h"
#include "stream/ring.h"
#include "scanner/scan_part.h"
#include "source/source.h"
#include "stream/stats.h"
#include "stream/trace.h"

/* The parts of a run. All are borrowed. */
struct pipeline_parts {
	const struct plan *plan;
	struct ring *ring;
	struct source *source;
	struct sink *sink;
	struct backwards *backwards; /* For plan->is_reversed: keeps results until the end. Otherwise NULL. */
	const char *device; /* The argument of --device: auto, none, gpu, gpus, cpu, P:D or a name. */
	unsigned device_timeout_s; /* Seconds after which a device counts as lost. 0: never. */
	struct trace *trace; /* NULL: no trace is written. */
	struct scan_part part; /* What the run continues from, and what it gives back. */
	bool is_slice; /* The run is one of several processes that write to the output. */
	struct progress *progress; /* NULL: progress is not reported. */
	struct curves *curves; /* For plan->ends.plots without keys: receives all results. Otherwise NULL. */
	struct key_curves *key_curves; /* For plan->ends.plots with keys: receives all results. Otherwise NULL. */
	/* CURVES_MAX empty buffers: if all results are written, receive the names of the keys that key_curves chooses.
	 * NULL: not wanted. */
	struct bytes *key_names;
	bool drivers_stay; /* The caller calls opencl_engine_end, after other runs of the process. */
	bool has_sandbox; /* The run enters `sandbox` when all it needs is open. */
	struct sandbox sandbox;
};

struct pipeline_outcome {
	bool complete; /* All results were written. */
	/* A driver's thread may still use the parts: end the process without freeing them, and call opencl_engine_end
	 * last. */
	bool busy;
};

/* Scans the source to the sink, and returns the status of the run. Errors were reported. STATUS_DATA also if all
 * results were written, but the input had an error. *outcome is always set. *stats must be all zero but for begin_ns.
 * Call it once for a ring, a source and a sink. */
enum status pipeline_run(const struct pipeline_parts *parts, struct stats *stats,
			 struct pipeline_outcome *outcome) MUST_CHECK;

#endif
