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

/* Reports a failure of a call that returned `code`. */
static void check(struct opencl_channel *l, const char *call, cl_int code)
{
	if (code != CL_SUCCESS && l->status == STATUS_OK)
		l->status = opencl_failed(l->context, call, code);
}

/* Reports a failure of an enqueuing call that returned `code`. After a success keeps the event of a timed command. */
static void enqueued(struct opencl_channel *l, enum opencl_command command, const char *call, cl_int code)
{
	check(l, call, code);
	if (code == CL_SUCCESS && l->context->profile && command < COMMAND_COUNT &&
	    clRetainEvent(l->newest) == CL_SUCCESS)
		l->events[command] = l->newest;
}

void opencl_channel_set(struct opencl_channel *l, cl_kernel kernel, cl_uint place, size_t size, const void *value)
{
	if (l->status == STATUS_OK)
		check(l, "clSetKernelArg", clSetKernelArg(kernel, place, size, value));
}

/* opencl_channel_run, after the event `before` if it is not NULL. */
static void run(struct opencl_channel *l, cl_kernel kernel, size_t items, size_t group, const cl_event *before,
		enum opencl_command command)
{
	if (l->status == STATUS_OK)
		enqueued(l, command, "clEnqueueNDRangeKernel",
			 clEnqueueNDRangeKernel(l->queue, kernel, 1, NULL, &items, group > 0 ? &group : NULL,
						before != NULL, before, next_event(l)));
}

void opencl_channel_run(struct opencl_channel *l, cl_kernel kernel, size_t items, size_t group,
			enum opencl_command command)
{
	run(l, kernel, items, group, NULL, command);
}

void opencl_channel_fold(struct opencl_channel *l, cl_kernel kernel, const struct opencl_channel *before)
{
	run(l, kernel, 1, 1, before != NULL ? &before->folded : NULL, COMMAND_FOLD);
	if (l->status == STATUS_OK)
		check(l, "clRetainEvent", clRetainEvent(l->newest));
	l->folded = l->status == STATUS_OK ? l->newest : NULL;
}

void opencl_channel_write(struct opencl_channel *l, cl_mem to, const void *from, size_t size,
			  enum opencl_command command)
{
	if (l->status == STATUS_OK)
		enqueued(l, command, "clEnqueueWriteBuffer",
			 clEnqueueWriteBuffer(l->queue, to, CL_FALSE, 0, size, from, 0, NULL, next_event(l)));
}

void opencl_channel_read(struct opencl_channel *l, cl_mem from, void *to, size_t size, enum opencl_command command)
{
	if (l->status == STATUS_OK)
		enqueued(l, command, "clEnqueueReadBuffer",
			 clEnqueueReadBuffer(l->queue, from, CL_FALSE, 0, size, to, 0, NULL, next_event(l)));
}

void opencl_channel_unmap(struct opencl_channel *l, struct opencl_buffer *b)
{
	if (!b->mapped || l->status != STATUS_OK)
		return;
	b->mapped = false;
	enqueued(l, COMMAND_COUNT, "clEnqueueUnmapMemObject",
		 clEnqueueUnmapMemObject(l->queue, b->device, b->host, 0, NULL, next_event(l)));
}

void opencl_channel_map(struct opencl_channel *l, struct opencl_buffer *b)
{
	cl_int code;
	if (!b->is_shared || l->status != STATUS_OK)
		return;
	const void *at = clEnqueueMapBuffer(l->queue, b->device, CL_FALSE, CL_MAP_READ | CL_MAP_WRITE, 0, b->bytes, 0,
					    NULL, next_event(l), &code);
	b->mapped = at != NULL;
	enqueued(l, COMMAND_COUNT, "clEnqueueMapBuffer", code);
}

enum status opencl_channel_flush(struct opencl_channel *l)
{
	if (l->status == STATUS_OK)
		check(l, "clFlush", clFlush(l->queue));
	return l->status;
}

enum status opencl_channel_await(struct opencl_channel *l)
{
	if (l->status == STATUS_OK && l->newest != NULL)
		check(l, "clWaitForEvents", clWaitForEvents(1, &l->newest));
	(void)next_event(l);
	return l->status;
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

/* A buffer of `size` bytes. host: its memory if `flags` say so, otherwise NULL. */
static cl_mem new_buffer(struct opencl_channel *l, cl_mem_flags flags, size_t size, void *host)
{
	cl_int code;
	if (l->status != STATUS_OK)
		return NULL;
	cl_mem buffer = clCreateBuffer(l->context->handle, CL_MEM_READ_WRITE | flags, size, host, &code);
	check(l, "clCreateBuffer", buffer != NULL ? CL_SUCCESS : code);
	return buffer;
}

cl_mem opencl_channel_buffer(struct opencl_channel *l, size_t size)
{
	return new_buffer(l, 0, size, NULL);
}

void opencl_channel_pin(struct opencl_channel *l, struct opencl_buffer *b, const void *p)
{
	if (!b->is_shared && b->pinned == NULL && lies_in(b, p))
		b->pinned = new_buffer(l, CL_MEM_USE_HOST_PTR, b->bytes, b->host);
}

void opencl_kept_lend(struct opencl_kept *kept, struct opencl_channel *l, size_t bytes)
{
	struct opencl_kept *k = kept;
	while (k->user != NULL)
		k++;
	if (k->memory == NULL || k->bytes < bytes) {
		opencl_release_memory(k->memory);
		k->memory = opencl_channel_buffer(l, bytes);
		k->bytes = bytes;
	}
	k->user = k->memory != NULL ? l : NULL;
	l->kept = k->memory;
}

void opencl_kept_take_back(struct opencl_kept *kept, struct opencl_channel *l)
{
	struct opencl_kept *k = kept;
	if (l->kept == NULL)
		return;
	while (k->user != l)
		k++;
	k->user = NULL;
	l->kept = NULL;
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
static void set_spans(const struct opencl_channel *l, struct span *spans)
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
		set_spans(l, spans);
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
	opencl_release_memory(b->device);
	opencl_release_memory(b->pinned);
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
	if (l->host_cursor != NULL)
		(void)clEnqueueUnmapMemObject(l->queue, l->small, l->host_cursor, 0, NULL, NULL);
	if (l->queue != NULL)
		(void)clFinish(l->queue);
	const cl_mem buffers[] = {l->states, l->bad, l->carry_ins, l->cursor, l->small};
	for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
		opencl_release_memory(buffers[i]);
	if (l->queue != NULL)
		clReleaseCommandQueue(l->queue);
}

/* Opens a buffer of `size` bytes, and if `lend` also the memory that is lent. */
static void buffer_open(struct opencl_channel *l, struct opencl_buffer *b, size_t size, bool lend)
{
	if (lend && l->status == STATUS_OK) {
		b->bytes = size;
		b->is_shared = l->context->device.shares_memory;
		b->host = b->is_shared ? memory_new(size) : memory_new_large(size);
		if (b->host == NULL)
			l->status = STATUS_SYSTEM;
	}
	b->device = new_buffer(l, b->is_shared ? CL_MEM_USE_HOST_PTR : 0, size, b->is_shared ? b->host : NULL);
	opencl_channel_map(l, b);
}

/* Maps the memory of host_cursor and places once, until the end. The driver allocates it, pinned: reading into other
 * memory would wait for the device. */
static void open_small(struct opencl_channel *l, size_t tile_capacity)
{
	const size_t size = sizeof *l->host_cursor + tile_capacity * sizeof *l->places;
	cl_int code;
	l->small = new_buffer(l, CL_MEM_ALLOC_HOST_PTR, size, NULL);
	if (l->status != STATUS_OK)
		return;
	l->host_cursor = clEnqueueMapBuffer(l->queue, l->small, CL_TRUE, CL_MAP_WRITE, 0, size, 0, NULL, NULL, &code);
	check(l, "clEnqueueMapBuffer", code);
	if (l->status == STATUS_OK)
		l->places = (cl_uint *)(void *)(l->host_cursor + 1);
}

enum status opencl_channel_open_queue(struct opencl_context *c, struct opencl_channel *l)
{
	const cl_command_queue_properties properties = c->profile ? CL_QUEUE_PROFILING_ENABLE : 0;
	cl_int code;
	l->context = c;
	l->queue = clCreateCommandQueue(c->handle, c->device.id, properties, &code);
	check(l, "clCreateCommandQueue", l->queue != NULL ? CL_SUCCESS : code);
	return l->status;
}

enum status opencl_channel_open(struct opencl_context *c, struct opencl_channel *l, const struct engine_size *size,
				bool folds, struct channel_memory *lent)
{
	const size_t tile_capacity = size->elements / GRID_TILE + 2;
	TRY(opencl_channel_open_queue(c, l));
	buffer_open(l, &l->in, engine_in_bytes(size), lent != NULL);
	buffer_open(l, &l->out, engine_out_bytes(size), lent != NULL);
	l->states = opencl_channel_buffer(l, tile_capacity * TILE_SIZE_MAX);
	l->bad = opencl_channel_buffer(l, tile_capacity * sizeof *l->places);
	open_small(l, tile_capacity);
	if (folds) {
		l->carry_ins = opencl_channel_buffer(l, tile_capacity * TILE_SIZE_MAX);
		l->cursor = opencl_channel_buffer(l, sizeof *l->host_cursor);
	}
	if (lent != NULL)
		*lent = (struct channel_memory){.in = l->in.host, .out = l->out.host};
	return opencl_channel_await(l);
}
