/* The host does not wait between a channel's commands. The queue is in order, so the last command's event stands for
 * all of them.
 *
 * If the device has memory of its own, lent memory consists of large pages and is pinned by a buffer over it that no
 * command uses. If the device shares the host's memory, the buffer of the kernels lies in the lent memory, and is
 * mapped while the host uses it. */
#include "device/opencl_channel.h"

#include <assert.h>

#include "base/memory.h"

/* Releases the last command's event and returns the place for the next one. Waiting uses events, because clFinish does
 * not wait for commands that were flushed before in Mesa 22's rusticl. */
static cl_event *next_event(struct opencl_channel *l)
{
	if (l->newest != NULL)
		(void)clReleaseEvent(l->newest);
	l->newest = NULL;
	return &l->newest;
}

/* Reports a failure of an enqueuing call that returned `code`. After a success keeps the event of a timed command. */
static enum status enqueued(struct opencl_channel *l, enum opencl_command command, const char *call, cl_int code)
{
	if (code != CL_SUCCESS)
		return opencl_failed(l->context, call, code);
	if (l->context->profile && command < COMMAND_COUNT && clRetainEvent(l->newest) == CL_SUCCESS)
		l->events[command] = l->newest;
	return STATUS_OK;
}

enum status opencl_channel_run(struct opencl_channel *l, cl_kernel kernel, size_t group, enum opencl_command command)
{
	const size_t items = (size_t)l->tile_count * group;
	return enqueued(l, command, "clEnqueueNDRangeKernel",
			clEnqueueNDRangeKernel(l->queue, kernel, 1, NULL, &items, &group, 0, NULL, next_event(l)));
}

enum status opencl_channel_fold(struct opencl_channel *l, cl_kernel kernel, const struct opencl_channel *before)
{
	const size_t one = 1;
	const cl_uint waits = before != NULL;
	const enum status status = enqueued(l, COMMAND_FOLD, "clEnqueueNDRangeKernel",
					    clEnqueueNDRangeKernel(l->queue, kernel, 1, NULL, &one, &one, waits,
								   waits > 0 ? &before->folded : NULL, next_event(l)));
	if (status != STATUS_OK)
		return status;
	const cl_int code = clRetainEvent(l->newest);
	l->folded = code == CL_SUCCESS ? l->newest : NULL;
	return code == CL_SUCCESS ? STATUS_OK : opencl_failed(l->context, "clRetainEvent", code);
}

enum status opencl_channel_write(struct opencl_channel *l, cl_mem to, const void *from, size_t size,
				 enum opencl_command command)
{
	return enqueued(l, command, "clEnqueueWriteBuffer",
			clEnqueueWriteBuffer(l->queue, to, CL_FALSE, 0, size, from, 0, NULL, next_event(l)));
}

enum status opencl_channel_read(struct opencl_channel *l, cl_mem from, void *to, size_t size,
				enum opencl_command command)
{
	return enqueued(l, command, "clEnqueueReadBuffer",
			clEnqueueReadBuffer(l->queue, from, CL_FALSE, 0, size, to, 0, NULL, next_event(l)));
}

enum status opencl_channel_unmap(struct opencl_channel *l, struct opencl_buffer *b)
{
	if (!b->mapped)
		return STATUS_OK;
	b->mapped = false;
	return enqueued(l, COMMAND_COUNT, "clEnqueueUnmapMemObject",
			clEnqueueUnmapMemObject(l->queue, b->device, b->host, 0, NULL, next_event(l)));
}

enum status opencl_channel_map(struct opencl_channel *l, struct opencl_buffer *b)
{
	cl_int code;
	if (!b->is_shared)
		return STATUS_OK;
	const void *at = clEnqueueMapBuffer(l->queue, b->device, CL_FALSE, CL_MAP_READ | CL_MAP_WRITE, 0, b->bytes, 0,
					    NULL, next_event(l), &code);
	b->mapped = at != NULL;
	return enqueued(l, COMMAND_COUNT, "clEnqueueMapBuffer", code);
}

enum status opencl_channel_flush(struct opencl_channel *l)
{
	const cl_int code = clFlush(l->queue);
	return code == CL_SUCCESS ? STATUS_OK : opencl_failed(l->context, "clFlush", code);
}

enum status opencl_channel_await(struct opencl_channel *l)
{
	if (l->newest == NULL)
		return STATUS_OK;
	const cl_int code = clWaitForEvents(1, &l->newest);
	(void)next_event(l);
	return code == CL_SUCCESS ? STATUS_OK : opencl_failed(l->context, "clWaitForEvents", code);
}

/* Whether p is in the lent memory. */
static bool lies_in(const struct opencl_buffer *b, const void *p)
{
	const uintptr_t at = (uintptr_t)p;
	const uintptr_t begin = (uintptr_t)b->host;
	return b->host != NULL && at >= begin && at < begin + b->bytes;
}

bool opencl_channel_shares(const struct opencl_buffer *b, const void *p, size_t element_size, cl_uint *first)
{
	*first = 0;
	if (!b->is_shared || !lies_in(b, p))
		return false;
	const uintptr_t place = (uintptr_t)p - (uintptr_t)b->host;
	assert(place % element_size == 0);
	*first = (cl_uint)(place / element_size);
	return true;
}

enum status opencl_channel_pin(struct opencl_channel *l, struct opencl_buffer *b, const void *p)
{
	cl_int code;
	if (b->is_shared || b->pinned != NULL || !lies_in(b, p))
		return STATUS_OK;
	b->pinned =
		clCreateBuffer(l->context->handle, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, b->bytes, b->host, &code);
	return b->pinned != NULL ? STATUS_OK : opencl_failed(l->context, "clCreateBuffer", code);
}

static void forget_events(struct opencl_channel *l)
{
	(void)next_event(l);
	if (l->folded != NULL)
		(void)clReleaseEvent(l->folded);
	l->folded = NULL;
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		if (l->events[i] != NULL)
			(void)clReleaseEvent(l->events[i]);
		l->events[i] = NULL;
	}
}

/* Sets the spans of the timed commands. */
static void take_spans(const struct opencl_channel *l, struct span *spans)
{
	static const enum stage stages[] = {
		[COMMAND_UPLOAD] = STAGE_UPLOAD,      [COMMAND_TOTALS] = STAGE_UP_SWEEP,   [COMMAND_FOLD] = STAGE_FOLD,
		[COMMAND_RESULTS] = STAGE_DOWN_SWEEP, [COMMAND_DOWNLOAD] = STAGE_DOWNLOAD,
	};
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		const cl_event event = l->events[i];
		cl_ulong begin;
		cl_ulong end;
		if (event == NULL ||
		    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL) !=
			    CL_SUCCESS ||
		    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL) != CL_SUCCESS)
			continue;
		spans[stages[i]] = (struct span){
			.begin_ns = begin + (cl_ulong)l->context->clock_offset_ns,
			.end_ns = end + (cl_ulong)l->context->clock_offset_ns,
			.busy_ns = end - begin,
			.thread = TIMELINE_DEVICE,
		};
	}
}

enum status opencl_channel_finish(struct opencl_channel *l, struct span *spans)
{
	const enum status status = opencl_channel_await(l);
	if (status == STATUS_OK)
		take_spans(l, spans);
	forget_events(l);
	return status;
}

bool opencl_channel_cancel(struct opencl_channel *l)
{
	if (l->newest != NULL)
		(void)clWaitForEvents(1, &l->newest);
	const cl_int code = clFinish(l->queue);
	forget_events(l);
	return code == CL_SUCCESS;
}

/* Compares the clocks at a command that does nothing, eight times, and takes the comparison that took least time. */
int64_t opencl_channel_clock_offset(const struct opencl_channel *l)
{
	uint64_t tightest = UINT64_MAX;
	int64_t offset = 0;
	for (int i = 0; i < 8; i++) {
		cl_event event;
		cl_ulong end;
		const uint64_t before = timeline_now_ns();
		if (clEnqueueMarkerWithWaitList(l->queue, 0, NULL, &event) != CL_SUCCESS)
			break;
		const bool good =
			clWaitForEvents(1, &event) == CL_SUCCESS &&
			clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL) == CL_SUCCESS;
		const uint64_t after = timeline_now_ns();
		(void)clReleaseEvent(event);
		if (!good || after - before >= tightest)
			continue;
		tightest = after - before;
		offset = (int64_t)(before + tightest / 2 - end);
	}
	return offset;
}

static void buffer_close(struct opencl_channel *l, struct opencl_buffer *b)
{
	if (b->mapped)
		(void)clEnqueueUnmapMemObject(l->queue, b->device, b->host, 0, NULL, NULL);
	if (l->queue != NULL)
		(void)clFinish(l->queue);
	if (b->device != NULL)
		clReleaseMemObject(b->device);
	if (b->pinned != NULL)
		clReleaseMemObject(b->pinned);
	memory_free(b->host);
}

void opencl_channel_close(struct opencl_channel *l)
{
	if (l->newest != NULL)
		(void)clWaitForEvents(1, &l->newest);
	if (l->queue != NULL)
		(void)clFinish(l->queue);
	forget_events(l);
	buffer_close(l, &l->in);
	buffer_close(l, &l->out);
	if (l->states != NULL)
		clReleaseMemObject(l->states);
	if (l->bad != NULL)
		clReleaseMemObject(l->bad);
	if (l->carry_ins != NULL)
		clReleaseMemObject(l->carry_ins);
	if (l->cursor != NULL)
		clReleaseMemObject(l->cursor);
	if (l->host_cursor != NULL)
		(void)clEnqueueUnmapMemObject(l->queue, l->small, l->host_cursor, 0, NULL, NULL);
	if (l->queue != NULL)
		(void)clFinish(l->queue);
	if (l->small != NULL)
		clReleaseMemObject(l->small);
	if (l->queue != NULL)
		clReleaseCommandQueue(l->queue);
}

static enum status create_buffer(struct opencl_context *c, cl_mem_flags flags, size_t size, void *host, cl_mem *buffer)
{
	cl_int code;
	*buffer = clCreateBuffer(c->handle, CL_MEM_READ_WRITE | flags, size, host, &code);
	return *buffer != NULL ? STATUS_OK : opencl_failed(c, "clCreateBuffer", code);
}

/* Opens a buffer of `size` bytes, and if `lend` also the memory that is lent. */
static enum status buffer_open(struct opencl_context *c, struct opencl_channel *l, struct opencl_buffer *b, size_t size,
			       bool lend)
{
	if (lend) {
		b->bytes = size;
		b->is_shared = c->device.shares_memory;
		b->host = b->is_shared ? memory_new(size) : memory_new_large(size);
		if (b->host == NULL)
			return STATUS_SYSTEM;
	}
	const enum status status = create_buffer(c, b->is_shared ? CL_MEM_USE_HOST_PTR : 0, size,
						 b->is_shared ? b->host : NULL, &b->device);
	return status == STATUS_OK ? opencl_channel_map(l, b) : status;
}

/* Maps the memory of host_cursor and places once, until the end. The driver allocates it, pinned: reading into other
 * memory would wait for the device. */
static enum status open_small(struct opencl_channel *l, size_t tile_capacity)
{
	const size_t size = sizeof *l->host_cursor + tile_capacity * sizeof *l->places;
	cl_int code;
	const enum status status = create_buffer(l->context, CL_MEM_ALLOC_HOST_PTR, size, NULL, &l->small);
	if (status != STATUS_OK)
		return status;
	l->host_cursor = clEnqueueMapBuffer(l->queue, l->small, CL_TRUE, CL_MAP_WRITE, 0, size, 0, NULL, NULL, &code);
	if (l->host_cursor == NULL)
		return opencl_failed(l->context, "clEnqueueMapBuffer", code);
	l->places = (cl_uint *)(void *)(l->host_cursor + 1);
	return STATUS_OK;
}

enum status opencl_channel_open(struct opencl_context *c, struct opencl_channel *l, const struct engine_size *size,
				bool folds, struct channel_memory *lent)
{
	const size_t tile_capacity = size->elements / GRID_TILE + 2;
	const cl_command_queue_properties properties = c->profile ? CL_QUEUE_PROFILING_ENABLE : 0;
	cl_int code;
	l->context = c;
	l->queue = clCreateCommandQueue(c->handle, c->device.id, properties, &code);
	if (l->queue == NULL)
		return opencl_failed(c, "clCreateCommandQueue", code);
	enum status status = buffer_open(c, l, &l->in, engine_in_bytes(size), lent != NULL);
	if (status == STATUS_OK)
		status = buffer_open(c, l, &l->out, engine_out_bytes(size), lent != NULL);
	if (status == STATUS_OK)
		status = create_buffer(c, 0, tile_capacity * TILE_SIZE_MAX, NULL, &l->states);
	if (status == STATUS_OK)
		status = create_buffer(c, 0, tile_capacity * sizeof *l->places, NULL, &l->bad);
	if (status == STATUS_OK)
		status = open_small(l, tile_capacity);
	if (status == STATUS_OK && folds)
		status = create_buffer(c, 0, tile_capacity * TILE_SIZE_MAX, NULL, &l->carry_ins);
	if (status == STATUS_OK && folds)
		status = create_buffer(c, 0, sizeof *l->host_cursor, NULL, &l->cursor);
	if (status == STATUS_OK)
		status = opencl_channel_await(l);
	if (status == STATUS_OK && lent != NULL)
		*lent = (struct channel_memory){.in = l->in.host, .out = l->out.host};
	return status;
}
