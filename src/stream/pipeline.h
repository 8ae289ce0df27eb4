/* The pipeline: from the source's bytes to the sink's. */
#ifndef PSCAN_STREAM_PIPELINE_H
#define PSCAN_STREAM_PIPELINE_H

#include "io/sink.h"
#include "plot/key_curves.h"
#include "process/sandbox.h"
#include "stream/plan.h"
#include "stream/progress.h"
#include "stream/ring.h"
#include "stream/source.h"
#include "stream/stats.h"
#include "stream/tile_totals.h"
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
	const struct unpack *saved; /* what the scan goes on from (conductor_save's), or NULL */
	struct pack *next; /* where what it comes to goes, if all is well (of a part: if all was scanned); or NULL */
	const struct tile_totals *before; /* struct conductor_start's, */
	struct tile_totals *gathered; /* and these, */
	const struct unpack *decimals; /* and this, */
	const struct place *place; /* this, */
	bool is_part; /* and this */
	bool is_slice; /* the output has results of other processes, too */
	bool *begins_anew; /* whether all segments began within the stream (conductor_begins_anew); or NULL */
	struct place *end; /* where the stream came to, all well or not; or NULL */
	struct progress *progress; /* or NULL */
	struct curves *curves; /* of plan->plots: where all results go, as many as a record has; or NULL */
	struct key_curves *key_curves; /* the same with keys, */
	struct bytes *
		key_names; /* where, if all is well, the names of those that it chooses go: CURVES_MAX, empty; or NULL */
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
