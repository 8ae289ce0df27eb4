/* The pipeline: from the source's bytes to the sink's. */
#ifndef PSCAN_STREAM_PIPELINE_H
#define PSCAN_STREAM_PIPELINE_H

#include "io/sink.h"
#include "plot/key_curves.h"
#include "process/sandbox.h"
#include "stream/plan.h"
#include "stream/progress.h"
#include "stream/ring.h"
#include "stream/scan_part.h"
#include "stream/source.h"
#include "stream/stats.h"
#include "stream/trace.h"

/* What a run works with; all stay the caller's. */
struct pipeline_parts {
	const struct plan *plan;
	struct ring *ring;
	struct source *source;
	struct sink *sink;
	const char *device; /* auto, none, gpu, gpus, cpu, P:D or a name */
	unsigned device_timeout_s; /* 0: none */
	struct trace *trace; /* or NULL */
	struct scan_part part;
	bool is_slice; /* the output has results of other processes, too */
	struct progress *progress; /* or NULL */
	struct curves *curves; /* of plan->plots: where all results go, as many as a record has; or NULL */
	struct key_curves *key_curves; /* the same with keys, */
	/* where, if all is well, the names of those that it chooses go: CURVES_MAX, empty; or NULL */
	struct bytes *key_names;
	bool drivers_stay; /* other runs of the process follow, after which it calls opencl_engine_end */
	bool has_sandbox; /* to be entered before anything is read but the first chunk */
	struct sandbox sandbox;
};

struct pipeline_outcome {
	bool complete; /* all results were written */
	bool busy; /* a driver's thread may still use the parts: end the process without freeing them, and call
		    * opencl_engine_end last */
};

/* Scans the source to the sink. The status of the run: STATUS_DATA also if all results were written but something about
 * the input was wrong. *stats: zero but for begin_ns. */
enum status pipeline_run(const struct pipeline_parts *parts, struct stats *stats,
			 struct pipeline_outcome *outcome) MUST_CHECK;

#endif
