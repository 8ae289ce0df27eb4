/* The first reading is an ordinary run without --emit and without output, which notes the last result of each segment
 * (scanner/last_results.h). The second one is the run that the user wants. */
#include "cli/read_twice.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "base/message.h"
#include "cli/args.h"
#include "cli/make_plan.h"
#include "io/input_copy.h"
#include "scan/program.h"
#include "scanner/last_results.h"

struct read_twice {
	struct input_copies *copies; /* Owned. */
	struct last_results *results; /* Owned. */
	struct plan first, second; /* The plans of the two readings. They borrow from the run's plan. */
	struct plan_lane *lanes; /* Those of the first plan. Owned. */
	struct program *programs; /* Of these lanes, one for each operator. Owned. */
};

enum status read_twice_begin(const struct options *o, struct source *source, struct read_twice **t)
{
	*t = NULL;
	if (!o->scan.uses_total)
		return STATUS_OK;
	struct read_twice *new = memory_new(sizeof *new);
	if (new == NULL)
		return STATUS_SYSTEM;
	*new = (struct read_twice){.copies = NULL};
	const enum status status = input_copies_new(o->files.names, o->files.count, &new->copies);
	if (status != STATUS_OK) {
		read_twice_free(new);
		return status;
	}
	source_read_twice(source, new->copies);
	*t = new;
	return STATUS_OK;
}

void read_twice_free(struct read_twice *t)
{
	if (t == NULL)
		return;
	input_copies_free(t->copies);
	last_results_free(t->results);
	memory_free(t->lanes);
	memory_free(t->programs);
	memory_free(t);
}

/* Makes the two plans. */
static enum status make_plans(struct read_twice *t, const struct plan *plan)
{
	const size_t operators = plan->operator_count;
	t->first = t->second = *plan;
	t->lanes = memory_new(plan->lane_count * sizeof *t->lanes);
	t->programs = memory_new(operators * sizeof *t->programs);
	const size_t size = plan->emit.is_by_element ? sizeof(struct decimal_total) : LAST_RESULT_SIZE;
	t->results = last_results_new(plan->lane_count, size, plan_has_keys(plan), plan_has_resets(plan));
	if (t->lanes == NULL || t->programs == NULL || t->results == NULL)
		return STATUS_SYSTEM;
	for (size_t i = 0; i < operators && !plan->emit.is_by_element; i++)
		program_without_emit(plan->lanes[i].op->program, &t->programs[i]);
	for (size_t i = 0; i < plan->lane_count; i++) {
		t->lanes[i] = plan->lanes[i];
		if (!plan->emit.is_by_element)
			t->lanes[i].op = &t->programs[i % operators].op;
		t->lanes[i].moves_results = t->lanes[i].row_is_exclusive = false;
	}
	t->first.lanes = t->lanes;
	t->first.device.is_pushed = false;
	t->first.npy.writes = false;
	t->first.ends.plots = false;
	t->second.device.check_associative = false; /* The first reading has checked. */
	t->first.device.warns_of_grouping = false; /* The second one warns. */
	return STATUS_OK;
}

/* Runs the pipeline without output. */
static enum status run_first(const struct read_twice *t, const struct pipeline_parts *parts,
			     struct pipeline_outcome *outcome)
{
	struct pipeline_parts first = *parts;
	struct stats stats = {.begin_ns = timeline_now_ns()};
	first.plan = &t->first;
	first.part.finds = t->results;
	first.trace = NULL;
	first.progress = NULL;
	first.curves = NULL;
	first.key_curves = NULL;
	first.key_names = NULL;
	first.drivers_stay = true;
	TRY(sink_open_nowhere(&first.sink));
	const enum status status = pipeline_run(&first, &stats, outcome);
	const enum status closed = sink_close(first.sink, false);
	return status != STATUS_OK ? status : closed;
}

/* Makes the parts those of the second reading. */
static enum status begin_second(struct read_twice *t, const struct options *o, struct pipeline_parts *parts)
{
	struct ring *ring = ring_new(t->second.sizes.slot_count);
	struct source *source = plan_source(o, 0, ring);
	if (source == NULL) {
		ring_free(ring);
		return STATUS_SYSTEM;
	}
	source_free(parts->source);
	ring_free(parts->ring);
	parts->source = source;
	parts->ring = ring;
	t->copies->is_second = true;
	source_read_twice(parts->source, t->copies);
	parts->plan = &t->second;
	parts->part.found = t->results;
	parts->has_sandbox = false; /* It was entered. */
	return STATUS_OK;
}

enum status read_twice_first(struct read_twice *t, const struct options *o, struct pipeline_parts *parts, bool *busy)
{
	struct pipeline_outcome outcome = {0};
	if (t == NULL)
		return STATUS_OK;
	assert(strcmp(parts->device, "none") == 0); /* Only the host runs programs that use the total. */
	TRY(make_plans(t, parts->plan));
	/* The second reading finds all errors again. */
	message_keep();
	enum status status = run_first(t, parts, &outcome);
	*busy = outcome.busy;
	if (!outcome.complete || outcome.busy || status == STATUS_SYSTEM) {
		message_release();
		if (status == STATUS_OK)
			status = message_fail("the first reading of the input did not end");
		return status;
	}
	message_forget();
	return begin_second(t, o, parts);
}

enum status read_twice_check(const struct read_twice *t)
{
	return t != NULL ? input_copies_check(t->copies) : STATUS_OK;
}
