/* A call copies its cursors and arguments to the device and copies cursors and results back. Between calls the cursors
 * are in the host's memory, like cursors of the host's own code. */
#include "device/opencl_cursor.h"

#include "scan/program.h"

/* An argument that is a buffer. */
struct buffer {
	cl_uint place; /* Among the kernel's arguments. */
	size_t size; /* In bytes. 0: the kernel has no such argument. */
	const void *given; /* Memory that is copied to the device. NULL: nothing is. */
	void *wanted; /* Memory that is copied from the device. NULL: nothing is. */
};

static size_t in_bytes(const struct row *row, const struct cursor_work *work)
{
	if (work->call == CURSOR_SEED)
		return operator_element(row->op, row->acc).size;
	return work->count * (work->call == CURSOR_FOLD ? row_tile_size(row) : row->element.size);
}

static size_t out_bytes(const struct row *row, const struct cursor_work *work)
{
	size_t count = work->call == CURSOR_SEED ? 1 : work->count;
	if (work->call == CURSOR_TRIPLES)
		count *= CURSOR_TRIPLE_RESULTS;
	return count * (work->call == CURSOR_FOLD ? row_tile_size(row) : row->results.size);
}

/* Makes a room for an argument, and copies what is given. */
static void put(struct opencl_channel *l, cl_kernel kernel, struct opencl_room *room, const struct buffer *b)
{
	if (b->size > room->size) {
		opencl_release_memory(room->memory);
		room->size = b->size + b->size / 2;
		room->memory = opencl_channel_buffer(l, room->size);
	}
	opencl_channel_set(l, kernel, b->place, sizeof room->memory, &room->memory);
	if (b->given != NULL)
		opencl_channel_write(l, room->memory, b->given, b->size, COMMAND_COUNT);
}

/* Does a call in `items` work-items. count: the kernel's argument of this name. */
static enum status run(struct opencl_cursor *t, cl_kernel kernel, cl_uint count, size_t items,
		       const struct buffer buffers[OPENCL_CURSOR_ROOMS])
{
	struct opencl_channel *l = &t->channel;
	opencl_channel_set(l, kernel, 2, sizeof count, &count);
	for (size_t i = 0; i < OPENCL_CURSOR_ROOMS; i++) {
		if (buffers[i].size > 0)
			put(l, kernel, &t->rooms[i], &buffers[i]);
	}
	/* The kernels for one cursor require a work-group of one work-item. */
	opencl_channel_run(l, kernel, items, items == 1, COMMAND_COUNT);
	for (size_t i = 0; i < OPENCL_CURSOR_ROOMS; i++) {
		if (buffers[i].wanted != NULL)
			opencl_channel_read(l, t->rooms[i].memory, buffers[i].wanted, buffers[i].size, COMMAND_COUNT);
	}
	const enum status status = opencl_channel_await(l);
	/* (After a failure, too, the commands before it write to the caller's memory.) */
	return status == STATUS_OK || opencl_channel_cancel(l) ? status : STATUS_DEVICE;
}

enum status opencl_cursor_run(struct opencl_cursor *t, cl_kernel kernel, const struct row *row,
			      struct cursor_work *work)
{
	const bool is_all = work->call == CURSOR_PUSH_ALL;
	const bool is_push = is_all || work->call == CURSOR_PUSH;
	const bool is_fold = work->call == CURSOR_FOLD;
	const bool has_carry = row_has_carry(work->cursor);
	const size_t cursors = is_all ? work->cursor_count : 1;
	const cl_uint end = (cl_uint)work->count;
	const cl_uint *ends = is_all ? work->ends : &end;
	const cl_mem none = NULL;
	cl_uint answer = OPENCL_NOT_BAD;
	cl_uint *answers = is_all ? work->bad : &answer;
	const struct buffer buffers[OPENCL_CURSOR_ROOMS] = {
		{0, cursors * row->code->cursor_size, work->cursor, is_fold ? NULL : work->cursor},
		{1, in_bytes(row, work), work->in, NULL},
		{3, out_bytes(row, work), NULL, work->out},
		{4, is_fold ? row->code->cursor_size : 0, NULL, is_fold ? work->cursor : NULL},
		{4, is_push ? cursors * sizeof answer : 0, NULL, is_push ? answers : NULL},
		{5, is_push ? cursors * sizeof end : 0, is_push ? ends : NULL, NULL},
		{6, is_all && work->gaps != NULL ? work->count * sizeof *work->gaps : 0, work->gaps, NULL},
	};
	if (is_push && row->op->program->has_gaps)
		opencl_channel_set(&t->channel, kernel, 6, sizeof none, &none);
	TRY(run(t, kernel, is_push ? (cl_uint)cursors : end, cursors, buffers));
	for (size_t j = 0; is_push && j < cursors; j++) {
		if (answers[j] != OPENCL_NOT_BAD && answers[j] >= ends[j] - (j > 0 ? ends[j - 1] : 0))
			return opencl_failed_because(t->channel.context,
						     "it reported an error at an element that does not exist");
	}
	work->first_has_carry = is_fold && has_carry;
	work->first_bad = answer != OPENCL_NOT_BAD ? answer : SIZE_MAX;
	return STATUS_OK;
}

void opencl_cursor_close(struct opencl_cursor *t)
{
	opencl_channel_close(&t->channel);
	for (size_t i = 0; i < OPENCL_CURSOR_ROOMS; i++)
		opencl_release_memory(t->rooms[i].memory);
}
