/* The pipeline: from the source's bytes to the sink's. */
#ifndef PSCAN_PIPELINE_H
#define PSCAN_PIPELINE_H

#include "engine.h"
#include "plan.h"
#include "ring.h"
#include "sink.h"
#include "source.h"

/* How the engine comes to be. */
struct engine_choice {
	const char *device; /* auto, none, gpu, cpu, P:D or a name */
	bool named;
};

/* Scans the source to the sink; ring, source and sink stay the caller's. The status of the run: STATUS_DATA also if all
 * results were written but something about the input was wrong; *complete tells the two apart. */
enum status pipeline_run(const struct plan *plan, const struct engine_choice *choice, struct ring *ring,
			 struct source *source, struct sink *sink, bool *complete) MUST_CHECK;

#endif
