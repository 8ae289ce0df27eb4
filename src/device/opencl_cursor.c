/* Everything that a call needs goes to the device and comes back: the host has the cursor in between, as it has those of its own
 * code. */
#include "device/opencl_cursor.h"

enum status opencl_cursor_open(struct opencl_cursor *t, struct opencl_context *c, const struct engine_size *size)
{
	const size_t elements = GRID_TILE * size->element_max;
	const size_t states = (size->elements / GRID_TILE + 2) * TILE_SIZE_MAX;
	cl_int code = CL_SUCCESS;
	t->size = elements > states ? elements : states;
	t->queue = clCreateCommandQueue(c->handle, c->device.id, 0, &code);
	if (t->queue == NULL)
		return opencl_failed(c, "clCreateCommandQueue", code);
	const struct {
		cl_mem *buffer;
		size_t size;
	} buffers[] = {
		{&t->cursor, sizeof(union cursor)},
		{&t->in, t->size},
		{&t->out, t->size},
		{&t->answer, sizeof(cl_uint)},
	};
	for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++) {
		*buffers[i].buffer = clCreateBuffer(c->handle, CL_MEM_READ_WRITE, buffers[i].size, NULL, &code);
		if (*buffers[i].buffer == NULL)
			return opencl_failed(c, "clCreateBuffer", code);
	}
	return STATUS_OK;
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

static enum status set_arguments(const struct opencl_cursor *t, struct opencl_context *c, cl_kernel kernel,
				 cl_uint count)
{
	const struct {
		size_t size;
		const void *value;
	} arguments[] = {
		{sizeof t->cursor, &t->cursor}, {sizeof t->in, &t->in},         {sizeof count, &count},
		{sizeof t->out, &t->out},       {sizeof t->answer, &t->answer},
	};
	for (cl_uint i = 0; i < sizeof arguments / sizeof arguments[0]; i++) {
		const cl_int code = clSetKernelArg(kernel, i, arguments[i].size, arguments[i].value);
		if (code != CL_SUCCESS)
			return opencl_failed(c, "clSetKernelArg", code);
	}
	return STATUS_OK;
}

/* Enqueues everything and waits for the last of it: the queue is in order. */
static enum status enqueue(const struct opencl_cursor *t, struct opencl_context *c, cl_kernel kernel,
			   const struct row *row, const struct cursor_work *work, cl_uint *answer)
{
	const size_t cursor_bytes = row->code->cursor_size;
	const size_t one = 1;
	cl_int code = clEnqueueWriteBuffer(t->queue, t->cursor, CL_FALSE, 0, cursor_bytes, work->cursor, 0, NULL, NULL);
	if (code == CL_SUCCESS)
		code = clEnqueueWriteBuffer(t->queue, t->in, CL_FALSE, 0, in_bytes(row, work), work->in, 0, NULL, NULL);
	if (code != CL_SUCCESS)
		return opencl_failed(c, "clEnqueueWriteBuffer", code);
	code = clEnqueueNDRangeKernel(t->queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL);
	if (code != CL_SUCCESS)
		return opencl_failed(c, "clEnqueueNDRangeKernel", code);
	code = clEnqueueReadBuffer(t->queue, t->out, CL_FALSE, 0, out_bytes(row, work), work->out, 0, NULL, NULL);
	if (code == CL_SUCCESS)
		code = clEnqueueReadBuffer(t->queue, t->answer, CL_FALSE, 0, sizeof *answer, answer, 0, NULL, NULL);
	if (code == CL_SUCCESS)
		code = clEnqueueReadBuffer(t->queue, t->cursor, CL_TRUE, 0, cursor_bytes, work->cursor, 0, NULL, NULL);
	return code == CL_SUCCESS ? STATUS_OK : opencl_failed(c, "clEnqueueReadBuffer", code);
}

/* The same; after a failure what was enqueued before it is over, too: it writes to the caller's memory. */
static enum status run(const struct opencl_cursor *t, struct opencl_context *c, cl_kernel kernel, const struct row *row,
		       const struct cursor_work *work, cl_uint *answer)
{
	const enum status status = enqueue(t, c, kernel, row, work, answer);
	if (status != STATUS_OK)
		(void)clFinish(t->queue);
	return status;
}

/* What many cursors need, argument by argument; the third one is their number. */
enum { ALL_CURSORS, ALL_IN, ALL_OUT, ALL_ANSWERS, ALL_ENDS, ALL_GAPS, ALL_COUNT };
_Static_assert(ALL_COUNT == sizeof((struct opencl_cursor *)0)->all / sizeof((struct opencl_cursor *)0)->all[0],
	       "one room each");

static enum status need_room(struct opencl_context *c, struct opencl_room *room, size_t size)
{
	cl_int code;
	if (size <= room->size)
		return STATUS_OK;
	if (room->memory != NULL)
		clReleaseMemObject(room->memory);
	room->size = size + size / 2;
	room->memory = clCreateBuffer(c->handle, CL_MEM_READ_WRITE, room->size, NULL, &code);
	return room->memory != NULL ? STATUS_OK : opencl_failed(c, "clCreateBuffer", code);
}

static enum status set_all_arguments(struct opencl_cursor *t, struct opencl_context *c, cl_kernel kernel, cl_uint count,
				     const size_t *sizes)
{
	static const cl_uint places[ALL_COUNT] = {
		[ALL_CURSORS] = 0, [ALL_IN] = 1, [ALL_OUT] = 3, [ALL_ANSWERS] = 4, [ALL_ENDS] = 5, [ALL_GAPS] = 6};
	enum status status = STATUS_OK;
	cl_int code = clSetKernelArg(kernel, 2, sizeof count, &count);
	for (int i = 0; i < ALL_COUNT && sizes[i] > 0 && status == STATUS_OK && code == CL_SUCCESS; i++) {
		status = need_room(c, &t->all[i], sizes[i]);
		if (status == STATUS_OK)
			code = clSetKernelArg(kernel, places[i], sizeof t->all[i].memory, &t->all[i].memory);
	}
	return status == STATUS_OK && code != CL_SUCCESS ? opencl_failed(c, "clSetKernelArg", code) : status;
}

/* Enqueues everything and waits for the last of it. */
static enum status enqueue_all(const struct opencl_cursor *t, struct opencl_context *c, cl_kernel kernel,
			       const struct cursor_work *work, const size_t *sizes)
{
	const void *given[ALL_COUNT] = {
		[ALL_CURSORS] = work->cursor, [ALL_IN] = work->in, [ALL_ENDS] = work->ends, [ALL_GAPS] = work->gaps};
	void *wanted[ALL_COUNT] = {[ALL_CURSORS] = work->cursor, [ALL_OUT] = work->out, [ALL_ANSWERS] = work->bad};
	cl_int code = CL_SUCCESS;
	for (int i = 0; i < ALL_COUNT && code == CL_SUCCESS; i++) {
		if (given[i] != NULL)
			code = clEnqueueWriteBuffer(t->queue, t->all[i].memory, CL_FALSE, 0, sizes[i], given[i], 0,
						    NULL, NULL);
	}
	if (code != CL_SUCCESS)
		return opencl_failed(c, "clEnqueueWriteBuffer", code);
	code = clEnqueueNDRangeKernel(t->queue, kernel, 1, NULL, &work->cursor_count, NULL, 0, NULL, NULL);
	if (code != CL_SUCCESS)
		return opencl_failed(c, "clEnqueueNDRangeKernel", code);
	for (int i = 0; i < ALL_COUNT && code == CL_SUCCESS; i++) {
		if (wanted[i] != NULL)
			code = clEnqueueReadBuffer(t->queue, t->all[i].memory, CL_FALSE, 0, sizes[i], wanted[i], 0,
						   NULL, NULL);
	}
	if (code != CL_SUCCESS)
		return opencl_failed(c, "clEnqueueReadBuffer", code);
	code = clFinish(t->queue);
	return code == CL_SUCCESS ? STATUS_OK : opencl_failed(c, "clFinish", code);
}

static enum status take_all(struct opencl_cursor *t, struct opencl_context *c, cl_kernel kernel, const struct row *row,
			    const struct cursor_work *work)
{
	const size_t sizes[ALL_COUNT] = {[ALL_CURSORS] = work->cursor_count * row->code->cursor_size,
					 [ALL_IN] = work->count * row->element.size,
					 [ALL_OUT] = work->count * row->results.size,
					 [ALL_ANSWERS] = work->cursor_count * sizeof *work->bad,
					 [ALL_ENDS] = work->cursor_count * sizeof *work->ends,
					 [ALL_GAPS] = work->gaps != NULL ? work->count * sizeof *work->gaps : 0};
	enum status status = set_all_arguments(t, c, kernel, (cl_uint)work->cursor_count, sizes);
	if (status == STATUS_OK)
		status = enqueue_all(t, c, kernel, work, sizes);
	if (status != STATUS_OK) {
		(void)clFinish(t->queue);
		return status;
	}
	for (size_t j = 0; j < work->cursor_count; j++) {
		if (work->bad[j] != CURSOR_ALL_GOOD && work->bad[j] >= work->ends[j] - (j > 0 ? work->ends[j - 1] : 0))
			return opencl_failed_because(c, "it named an element that there is not");
	}
	return STATUS_OK;
}

enum status opencl_cursor_take(struct opencl_cursor *t, struct opencl_context *c, cl_kernel kernel,
			       const struct row *row, struct cursor_work *work)
{
	cl_uint answer = OPENCL_NOT_BAD;
	if (work->call == CURSOR_PUSH_ALL)
		return take_all(t, c, kernel, row, work);
	if (in_bytes(row, work) > t->size || out_bytes(row, work) > t->size)
		return opencl_failed_because(c, "there is no room for what a cursor takes in");
	enum status status = set_arguments(t, c, kernel, (cl_uint)work->count);
	if (status == STATUS_OK)
		status = run(t, c, kernel, row, work, &answer);
	if (status != STATUS_OK)
		return status;
	work->first_has_carry = work->call == CURSOR_FOLD && answer != 0;
	work->first_bad = work->call == CURSOR_PUSH && answer != OPENCL_NOT_BAD ? answer : SIZE_MAX;
	if (work->first_bad != SIZE_MAX && work->first_bad >= work->count)
		return opencl_failed_because(c, "it named an element that there is not");
	return STATUS_OK;
}

void opencl_cursor_close(struct opencl_cursor *t)
{
	const cl_mem buffers[] = {t->cursor, t->in, t->out, t->answer};
	if (t->queue != NULL)
		(void)clFinish(t->queue);
	for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++) {
		if (buffers[i] != NULL)
			clReleaseMemObject(buffers[i]);
	}
	for (int i = 0; i < ALL_COUNT; i++) {
		if (t->all[i].memory != NULL)
			clReleaseMemObject(t->all[i].memory);
	}
	if (t->queue != NULL)
		clReleaseCommandQueue(t->queue);
}
