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
	struct backwards *backwards; /* for plan->is_reversed: keeps results until the end; or NULL */
	const char *device; /* auto, none, gpu, gpus, cpu, P:D or a name */
	unsigned device_timeout_s; /* 0: none */
	struct trace *trace; /* or NULL */
	struct scan_part part;
	bool is_slice; /* other processes write to the output as well */
	struct progress *progress; /* or NULL */
	struct curves *curves; /* for plan->plots: receives all results, as many as a record has; or NULL */
	struct key_curves *key_curves; /* for plan->plots with keys: receives all results; or NULL */
	/* if the run succeeds, receives the names of the keys that key_curves chooses: CURVES_MAX buffers, empty; or
	 * NULL */
	struct bytes *key_names;
	bool drivers_stay; /* the process has other runs after this one, and then calls opencl_engine_end */
	bool has_sandbox; /* `sandbox` is to be entered after the first chunk was read */
	struct sandbox sandbox;
};

struct pipeline_outcome {
	bool complete; /* all results were written */
	bool busy; /* a driver's thread may still use the parts: end the process without freeing them, and call
		    * opencl_engine_end last */
};

/* Scans the source to the sink, and returns the status of the run. STATUS_DATA also if all results were written but the
 * input had an error. *stats must be zero except for begin_ns. */
enum status pipeline_run(const struct pipeline_parts *parts, struct stats *stats,
			 struct pipeline_outcome *outcome) MUST_CHECK;

#endif
