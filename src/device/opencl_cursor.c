/* A call copies its cursors and arguments to the device and copies cursors and results back. Between calls the cursors
 * are in the host's memory, like cursors of the host's own code. */
#include "device/opencl_cursor.h"

/* The buffers of a call. */
enum { CURSORS, IN, OUT, ANSWERS, ENDS, GAPS, BUFFERS };
_Static_assert(BUFFERS == sizeof((struct opencl_cursor *)0)->rooms / sizeof((struct opencl_cursor *)0)->rooms[0],
	       "a room for each");

/* One call of a kernel. Everything is borrowed. */
struct call {
	cl_kernel kernel;
	cl_uint count; /* The kernel's argument of this name. */
	size_t work_items;
	size_t sizes[BUFFERS]; /* Bytes of each buffer. 0: the kernel has no such argument. */
	const void *given[BUFFERS]; /* Memory that is copied to the device. NULL: nothing is. */
	void *wanted[BUFFERS]; /* Memory that is copied from the device. NULL: nothing is. */
};

enum status opencl_cursor_open(struct opencl_cursor *t, struct opencl_context *c)
{
	cl_int code = CL_SUCCESS;
	t->queue = clCreateCommandQueue(c->handle, c->device.id, 0, &code);
	return t->queue != NULL ? STATUS_OK : opencl_failed(c, "clCreateCommandQueue", code);
}

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

static enum status need_room(struct opencl_context *c, struct opencl_room *room, size_t size)
{
	cl_int code;
	if (size <= room->size)
		return STATUS_OK;
	opencl_release_memory(room->memory);
	room->size = size + size / 2;
	room->memory = clCreateBuffer(c->handle, CL_MEM_READ_WRITE, room->size, NULL, &code);
	return room->memory != NULL ? STATUS_OK : opencl_failed(c, "clCreateBuffer", code);
}

static enum status set_arguments(struct opencl_cursor *t, struct opencl_context *c, const struct call *call)
{
	static const cl_uint places[BUFFERS] = {
		[CURSORS] = 0, [IN] = 1, [OUT] = 3, [ANSWERS] = 4, [ENDS] = 5, [GAPS] = 6};
	enum status status = STATUS_OK;
	cl_int code = clSetKernelArg(call->kernel, 2, sizeof call->count, &call->count);
	for (int i = 0; i < BUFFERS && call->sizes[i] > 0 && status == STATUS_OK && code == CL_SUCCESS; i++) {
		status = need_room(c, &t->rooms[i], call->sizes[i]);
		if (status == STATUS_OK)
			code = clSetKernelArg(call->kernel, places[i], sizeof t->rooms[i].memory, &t->rooms[i].memory);
	}
	return status == STATUS_OK && code != CL_SUCCESS ? opencl_failed(c, "clSetKernelArg", code) : status;
}

/* Enqueues the copies and the kernel, and waits for them. */
static enum status enqueue(const struct opencl_cursor *t, struct opencl_context *c, const struct call *call)
{
	cl_int code = CL_SUCCESS;
	for (int i = 0; i < BUFFERS && code == CL_SUCCESS; i++) {
		if (call->given[i] != NULL)
			code = clEnqueueWriteBuffer(t->queue, t->rooms[i].memory, CL_FALSE, 0, call->sizes[i],
						    call->given[i], 0, NULL, NULL);
	}
	if (code != CL_SUCCESS)
		return opencl_failed(c, "clEnqueueWriteBuffer", code);
	/* The kernels for one cursor require a work-group of one work-item. */
	code = clEnqueueNDRangeKernel(t->queue, call->kernel, 1, NULL, &call->work_items,
				      call->work_items == 1 ? &call->work_items : NULL, 0, NULL, NULL);
	if (code != CL_SUCCESS)
		return opencl_failed(c, "clEnqueueNDRangeKernel", code);
	for (int i = 0; i < BUFFERS && code == CL_SUCCESS; i++) {
		if (call->wanted[i] != NULL)
			code = clEnqueueReadBuffer(t->queue, t->rooms[i].memory, CL_FALSE, 0, call->sizes[i],
						   call->wanted[i], 0, NULL, NULL);
	}
	if (code != CL_SUCCESS)
		return opencl_failed(c, "clEnqueueReadBuffer", code);
	code = clFinish(t->queue);
	return code == CL_SUCCESS ? STATUS_OK : opencl_failed(c, "clFinish", code);
}

/* Does a call. After a failure waits for the commands before it, because they write to the caller's memory. */
static enum status run(struct opencl_cursor *t, struct opencl_context *c, const struct call *call)
{
	enum status status = set_arguments(t, c, call);
	if (status == STATUS_OK)
		status = enqueue(t, c, call);
	if (status != STATUS_OK)
		(void)clFinish(t->queue);
	return status;
}

static enum status take_all(struct opencl_cursor *t, struct opencl_context *c, cl_kernel kernel, const struct row *row,
			    const struct cursor_work *work)
{
	const struct call call = {
		.kernel = kernel,
		.count = (cl_uint)work->cursor_count,
		.work_items = work->cursor_count,
		.sizes = {[CURSORS] = work->cursor_count * row->code->cursor_size,
			  [IN] = in_bytes(row, work),
			  [OUT] = out_bytes(row, work),
			  [ANSWERS] = work->cursor_count * sizeof *work->bad,
			  [ENDS] = work->cursor_count * sizeof *work->ends,
			  [GAPS] = work->gaps != NULL ? work->count * sizeof *work->gaps : 0},
		.given = {[CURSORS] = work->cursor, [IN] = work->in, [ENDS] = work->ends, [GAPS] = work->gaps},
		.wanted = {[CURSORS] = work->cursor, [OUT] = work->out, [ANSWERS] = work->bad}};
	TRY(run(t, c, &call));
	for (size_t j = 0; j < work->cursor_count; j++) {
		if (work->bad[j] != CURSOR_ALL_GOOD && work->bad[j] >= work->ends[j] - (j > 0 ? work->ends[j - 1] : 0))
			return opencl_failed_because(c, "it reported an error at an element that does not exist");
	}
	return STATUS_OK;
}

enum status opencl_cursor_take(struct opencl_cursor *t, struct opencl_context *c, cl_kernel kernel,
			       const struct row *row, struct cursor_work *work)
{
	cl_uint answer = OPENCL_NOT_BAD;
	if (work->call == CURSOR_PUSH_ALL)
		return take_all(t, c, kernel, row, work);
	const struct call call = {.kernel = kernel,
				  .count = (cl_uint)work->count,
				  .work_items = 1,
				  .sizes = {[CURSORS] = row->code->cursor_size,
					    [IN] = in_bytes(row, work),
					    [OUT] = out_bytes(row, work),
					    [ANSWERS] = sizeof answer},
				  .given = {[CURSORS] = work->cursor, [IN] = work->in},
				  .wanted = {[CURSORS] = work->cursor, [OUT] = work->out, [ANSWERS] = &answer}};
	TRY(run(t, c, &call));
	work->first_has_carry = work->call == CURSOR_FOLD && answer != 0;
	work->first_bad = work->call == CURSOR_PUSH && answer != OPENCL_NOT_BAD ? answer : SIZE_MAX;
	if (work->first_bad != SIZE_MAX && work->first_bad >= work->count)
		return opencl_failed_because(c, "it reported an error at an element that does not exist");
	return STATUS_OK;
}

void opencl_cursor_close(struct opencl_cursor *t)
{
	if (t->queue != NULL)
		(void)clFinish(t->queue);
	for (int i = 0; i < BUFFERS; i++)
		opencl_release_memory(t->rooms[i].memory);
	if (t->queue != NULL)
		clReleaseCommandQueue(t->queue);
}
