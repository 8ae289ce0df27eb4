/* The output is one file. Its owner creates it under a temporary name and renames it in the end. The other ranks write
 * their parts of it. For binary output each rank knows where its part begins. The length of text is known only when it
 * is written. So a rank writes text to a file of its own that has no name, and copies it to its place when the lengths
 * of all earlier parts are known. */
#include <stdio.h>

#include "cli/args_value.h"
#include "io/new_file.h"
#include "mpi/comm.h"
#include "mpi/job.h"

/* Whether each rank knows in advance where its results belong in the output. */
static bool is_sized(const struct job *w)
{
	return w->plan.format.input == FORMAT_BINARY && w->plan.format.output == FORMAT_BINARY && !w->plan.total;
}

static enum status result_offset(const struct job *w, uint64_t *offset)
{
	const struct plan_array *result = &w->plan.npy.result;
	struct bytes header = {0};
	enum status status = STATUS_OK;
	uint64_t size = 0;
	for (size_t i = 0; i < w->plan.lane_count; i++)
		size += operator_results(w->plan.lanes[i].op, w->plan.lanes[i].acc).size;
	if (w->plan.npy.writes)
		status = npy_put_header(&header, (const char *)result->type.data, &result->shape);
	*offset = header.size + (w->share.first + (w->plan.include_initial ? 1 : 0)) * size;
	bytes_free(&header);
	return status;
}

/* Opens what a rank that is not the owner writes to. */
static enum status open_part(struct job *w)
{
	const bool has_part = !job_has_one_total(w) && !w->share.is_idle;
	uint64_t offset = 0;
	if (has_part && is_sized(w)) {
		TRY(result_offset(w, &offset));
		return sink_open_part(w->o->output.file, w->temporary, offset, &w->sink);
	}
	if (w->temporary[0] != '\0')
		new_file_watch(ENDING_OUTPUT, w->temporary);
	w->is_scratch = has_part;
	return has_part ? sink_open_scratch(w->o->output.file, &w->sink) : STATUS_OK;
}

enum status output_open(struct job *w)
{
	const int owner = job_owner(w);
	const bool owns = comm_rank() == job_owner(w);
	enum status status = owns ? sink_open(w->o->output.file, NULL, 0, &w->sink) : STATUS_OK;
	if (owns && status == STATUS_OK && sink_temporary(w->sink) != NULL)
		(void)snprintf(w->temporary, sizeof w->temporary, "%s", sink_temporary(w->sink));
	else if (owns && status == STATUS_OK && !job_has_one_total(w))
		status = args_usage("-o: MPI needs a regular file that every rank can open");
	TRY(comm_agree(status));
	if (owns && !job_has_one_total(w))
		sink_begin_parts(w->sink);
	comm_share(w->temporary, sizeof w->temporary, owner);
	return comm_agree(owns ? STATUS_OK : open_part(w));
}

/* Copies a scratch file to its place in the output, after the parts of all earlier ranks. sizes: room for a number for
 * each rank. All ranks call it. */
static enum status put_in_place(struct job *w, uint64_t *sizes)
{
	struct sink *scratch = w->sink;
	const uint64_t size = scratch != NULL ? sink_written_bytes(scratch) : 0;
	uint64_t offset = 0;
	comm_gather(&size, 1, sizes);
	for (int rank = 0; rank < comm_rank(); rank++)
		offset += sizes[rank];
	if (!w->is_scratch)
		return STATUS_OK;
	w->sink = NULL;
	w->is_scratch = false;
	enum status status = sink_open_part(w->o->output.file, w->temporary, offset, &w->sink);
	if (status == STATUS_OK)
		status = sink_append(w->sink, scratch);
	const enum status closed = sink_close(scratch, false);
	return status != STATUS_OK ? status : closed;
}

/* Calls put_in_place on all ranks if the output needs it and all ranks' statuses are OK. */
static enum status put_all_in_place(struct job *w, enum status status)
{
	if (is_sized(w) || job_has_one_total(w))
		return status;
	uint64_t *sizes = memory_new((size_t)comm_size() * sizeof *sizes);
	status = comm_agree(status == STATUS_OK && sizes == NULL ? STATUS_SYSTEM : status);
	if (status == STATUS_OK && sizes != NULL)
		status = put_in_place(w, sizes);
	memory_free(sizes);
	return status;
}

enum status output_close(struct job *w, enum status status)
{
	const bool owns = comm_rank() == job_owner(w);
	status = put_all_in_place(w, status);
	if (!owns && w->sink != NULL) {
		const enum status closed = sink_close(w->sink, status == STATUS_OK);
		status = status != STATUS_OK ? status : closed;
	}
	status = comm_agree(status);
	if (!owns)
		return comm_agree(status);
	const enum status closed = sink_close(w->sink, status == STATUS_OK);
	return comm_agree(status != STATUS_OK ? status : closed);
}
