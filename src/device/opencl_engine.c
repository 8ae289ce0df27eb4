/* An engine has one device, one context, and a program for each row that lanes have at present. Every lane of every
 * channel has an in-order queue and buffers, which are created once. A lane's commands are
 *
 *     SWEEP_TOTALS    write elements; scan_totals; read totals
 *     SWEEP_RESULTS   write carry-ins; scan_results; read places of bad elements; read results
 *     SWEEP_BOTH      write elements; scan_totals; scan_fold; scan_results; read the cursor, places and results
 *
 * scan_fold reads the cursor that the fold of the chunk before leaves on the device. It waits for the event of that
 * fold, so SWEEP_BOTH never waits for the host.
 *
 * The host waits in `finish` only, so the uploads and up-sweeps of later lanes and channels overlap the rest of earlier
 * ones. Only the first error is printed.
 *
 * Elements and results lie in memory that the engine lends. If the device has memory of its own, they are
 * copied, and the lent memory is pinned (ten times the rate of pageable memory on NVIDIA). It is pinned at its first
 * use, because pinning all of it at once would delay the first chunk. If the device shares the host's memory, it
 * computes in place: instead of being copied, buffers are unmapped for the device and mapped again for the host. Other
 * memory (of slots that were filled before the device was ready, or of text) is always copied. */
#include "device/opencl_engine.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/message.h"
#include "device/opencl_cache.h"
#include "device/opencl_channel.h"
#include "device/opencl_cursor.h"
#include "device/opencl_program.h"
#include "process/ending.h"

/* Bytes of elements in a chunk: few enough to be read quickly and to stay in the processor's caches until a GPU has
 * copied them, enough to hide the cost of a kernel's launch. (Measured.) */
#define GPU_CHUNK_BYTES ((size_t)3 << 20)
#define CPU_CHUNK_BYTES ((size_t)2 << 20)

/* A row and its compiled program. */
struct opencl_row {
	struct opencl_program program;
	struct row row;
	size_t lane_count; /* Number of lanes that use the program. 0: this struct is free. */
};

struct opencl_engine {
	struct engine base;
	struct opencl_context context;
	struct opencl_row *rows; /* Room for one row for each lane. */
	struct opencl_row **lanes; /* Each lane's row, one of `rows`, or NULL. */
	struct channel_memory *lent; /* One for each channel, or NULL. */
	struct opencl_kept *kept; /* One for each element of `channels`. Memory is created when it is needed. */
	struct lane_work **works; /* For each channel the caller's lanes, from `begin` on. */
	struct opencl_cursor cursor; /* Used for the cursor calls of all lanes. */
	size_t folding; /* The channel whose SWEEP_BOTH was begun last. */
	struct opencl_channel channels[]; /* Lane i of channel c is channels[c * lane_count + i]. */
};

static struct opencl_engine *opencl_of(struct engine *e)
{
	return (struct opencl_engine *)e;
}

static bool needs_fp64(const struct row *row)
{
	bool needs = false;
	for (size_t i = 0; i < row->element.count; i++)
		needs = needs || row->element.numbers[i].type->id == TYPE_F64;
	for (size_t i = 0; i < row->results.count; i++)
		needs = needs || row->results.numbers[i].type->id == TYPE_F64;
	return needs || row->in->id == TYPE_F64 || row->acc->id == TYPE_F64 || row->out->id == TYPE_F64 ||
	       row->op->result == RESULT_FLOAT;
}

static bool is_same_row(const struct row *a, const struct row *b)
{
	return a->op == b->op && a->in == b->in && a->acc == b->acc && a->parameter == b->parameter &&
	       a->checked == b->checked && a->overflow_checked == b->overflow_checked && a->exclusive == b->exclusive &&
	       a->algorithm == b->algorithm;
}

/* Sets *found to the program for a row. Builds it unless a lane has it already. */
static enum status find_program(struct opencl_engine *o, const struct row *row, struct opencl_row **found)
{
	struct opencl_row *r = o->rows;
	while (r < o->rows + o->base.size.lane_count && (r->lane_count == 0 || !is_same_row(&r->row, row)))
		r++;
	*found = r;
	if (r < o->rows + o->base.size.lane_count)
		return STATUS_OK;
	for (r = o->rows; r->lane_count > 0;)
		r++;
	*found = r;
	r->row = *row;
	const enum status status = opencl_program_build(&r->program, &o->context, row, o->base.size.elements);
	if (status != STATUS_OK)
		opencl_program_close(&r->program);
	return status;
}

static enum status opencl_set_row(struct engine *e, size_t lane, const struct row *row)
{
	struct opencl_engine *o = opencl_of(e);
	struct opencl_row **l = &o->lanes[lane];
	if (*l != NULL && is_same_row(&(*l)->row, row))
		return STATUS_OK;
	if (*l != NULL && --(*l)->lane_count == 0)
		opencl_program_close(&(*l)->program);
	*l = NULL;
	if (needs_fp64(row) && !o->context.device.fp64) {
		/* This is no failure if the user did not name the device: the host scans. */
		if (!o->context.named) {
			o->context.was_reported = true;
			message_verbose("device %s has no f64: the host scans", o->context.label);
			return STATUS_DEVICE;
		}
		return opencl_failed_because(&o->context, "it has no f64");
	}
	struct opencl_row *found;
	TRY(find_program(o, row, &found));
	if (row->op->program != NULL && o->cursor.channel.queue == NULL)
		TRY(opencl_channel_open_queue(&o->context, &o->cursor.channel));
	found->lane_count++;
	*l = found;
	return STATUS_OK;
}

/* One argument of a kernel. */
struct argument {
	size_t size;
	const void *value;
};

static void set_arguments(struct opencl_channel *l, cl_kernel kernel, const struct argument *arguments, cl_uint count)
{
	for (cl_uint i = 0; i < count; i++)
		opencl_channel_set(l, kernel, i, arguments[i].size, arguments[i].value);
}

/* Sets the arguments of a kernel of whole tiles and enqueues it. `count` is the number of arguments. */
static void run(const struct opencl_row *r, struct opencl_channel *l, cl_kernel kernel,
		const struct argument *arguments, cl_uint count, enum opencl_command command)
{
	const size_t group = r->program.shape.gpu ? GRID_TILE / GRID_RUN : 1;
	set_arguments(l, kernel, arguments, count);
	opencl_channel_run(l, kernel, l->tile_count * group, group, command);
}

static enum status opencl_run_cursor(struct engine *e, size_t lane, struct cursor_work *work)
{
	struct opencl_engine *o = opencl_of(e);
	const struct opencl_row *r = o->lanes[lane];
	return opencl_cursor_run(&o->cursor, r->program.calls[work->call], &r->row, work);
}

/* Enqueues the upload and the up-sweep. */
static void enqueue_totals(struct opencl_engine *o, struct opencl_row *r, struct opencl_channel *l,
			   const struct lane_work *work)
{
	const struct row *row = &r->row;
	l->count = (cl_uint)work->count;
	l->tile_count = (cl_uint)((work->count + GRID_TILE - 1) / GRID_TILE);
	if (l->status == STATUS_OK && row->op->program != NULL && !r->program.is_widened && work->count >= GRID_TILE)
		l->status = opencl_program_widen(&r->program, &o->context, row);
	if (r->program.shape.keeps)
		opencl_kept_lend(o->kept, l, opencl_program_kept_bytes(row, o->base.size.elements));
	opencl_channel_pin(l, &l->in, work->in);
	opencl_channel_unmap(l, &l->in);
	if (!opencl_channel_shares(&l->in, work->in, row->element.size, &l->in_first))
		opencl_channel_write(l, l->in.device, work->in, work->count * row->element.size, COMMAND_UPLOAD);
	const struct argument arguments[] = {
		{sizeof l->in.device, &l->in.device}, {sizeof l->in_first, &l->in_first}, {sizeof l->count, &l->count},
		{sizeof l->states, &l->states},       {sizeof work->index, &work->index}, {sizeof l->kept, &l->kept},
	};
	const cl_uint argument_count = sizeof arguments / sizeof arguments[0] - (l->kept == NULL);
	run(r, l, r->program.totals, arguments, argument_count, COMMAND_TOTALS);
}

static enum status begin_totals(struct opencl_engine *o, struct opencl_row *r, struct opencl_channel *l,
				const struct lane_work *work)
{
	enqueue_totals(o, r, l, work);
	opencl_channel_read(l, l->states, work->totals, l->tile_count * row_tile_size(&r->row), COMMAND_COUNT);
	return opencl_channel_flush(l);
}

/* Enqueues the fold. before: the channel with the chunk before, or NULL if the host has the cursor. */
static void enqueue_fold(const struct opencl_row *r, struct opencl_channel *l, const struct lane_work *work,
			 const struct opencl_channel *before)
{
	const size_t size = r->row.code->cursor_size;
	const struct argument arguments[] = {
		{sizeof l->cursor, before != NULL ? &before->cursor : &l->cursor},
		{sizeof l->states, &l->states},
		{sizeof l->tile_count, &l->tile_count},
		{sizeof l->carry_ins, &l->carry_ins},
		{sizeof l->cursor, &l->cursor},
	};
	if (before == NULL) {
		memcpy(l->host_cursor, work->cursor, size);
		opencl_channel_write(l, l->cursor, l->host_cursor, size, COMMAND_COUNT);
	}
	set_arguments(l, r->program.fold, arguments, sizeof arguments / sizeof arguments[0]);
	opencl_channel_fold(l, r->program.fold, before);
}

/* Enqueues the down-sweep and the download. is_folded: the device has folded. */
static enum status begin_results(struct opencl_engine *o, const struct opencl_row *r, struct opencl_channel *l,
				 const struct lane_work *work, bool is_folded)
{
	const struct row *row = &r->row;
	const cl_mem *carry_ins = is_folded ? &l->carry_ins : &l->states;
	const cl_uint has_carry = work->first_has_carry;
	cl_uint out_first;
	const bool shared = opencl_channel_shares(&l->out, work->out, row->results.size, &out_first);
	const struct argument arguments[] = {
		{sizeof l->in.device, &l->in.device}, {sizeof l->in_first, &l->in_first},
		{sizeof l->count, &l->count},         {sizeof *carry_ins, carry_ins},
		{sizeof has_carry, &has_carry},       {sizeof l->out.device, &l->out.device},
		{sizeof out_first, &out_first},       {sizeof l->bad, &l->bad},
		{sizeof work->index, &work->index},   {sizeof l->kept, &l->kept},
	};
	const cl_uint argument_count = sizeof arguments / sizeof arguments[0] - (l->kept == NULL);
	/* (The results may lie in another channel's memory.) */
	for (size_t i = 0; o->lent != NULL && i < o->base.size.channel_count; i++)
		opencl_channel_pin(l, &o->channels[i].out, work->out);
	opencl_channel_unmap(l, &l->out);
	if (!is_folded)
		opencl_channel_write(l, l->states, work->carry_in, l->tile_count * row_tile_size(row), COMMAND_COUNT);
	run(r, l, r->program.results, arguments, argument_count, COMMAND_RESULTS);
	/* (Downloads wait for those of earlier chunks, and the down-sweep must not.) */
	if (is_folded)
		opencl_channel_read(l, l->cursor, l->host_cursor, row->code->cursor_size, COMMAND_COUNT);
	if (row->checked)
		opencl_channel_read(l, l->bad, l->places, l->tile_count * sizeof *l->places, COMMAND_COUNT);
	if (!shared)
		opencl_channel_read(l, l->out.device, work->out, l->count * row->results.size, COMMAND_DOWNLOAD);
	opencl_channel_map(l, &l->out);
	opencl_channel_map(l, &l->in);
	return opencl_channel_flush(l);
}

static enum status finish_results(struct opencl_engine *o, const struct opencl_row *r, struct opencl_channel *l,
				  struct lane_work *work, struct span *spans)
{
	const enum status status = opencl_channel_finish(l, spans);
	size_t bad = SIZE_MAX;
	opencl_kept_take_back(o->kept, l);
	if (status != STATUS_OK)
		return status;
	for (cl_uint k = 0; r->row.checked && k < l->tile_count && bad == SIZE_MAX; k++) {
		if (l->places[k] != OPENCL_NOT_BAD)
			bad = (size_t)k * GRID_TILE + l->places[k];
	}
	if (bad != SIZE_MAX && bad >= l->count)
		return opencl_failed_because(&o->context, "it reported an error at an element that does not exist");
	work->first_bad = bad;
	work->cursor_after = l->host_cursor;
	return STATUS_OK;
}

static enum status begin_both(struct opencl_engine *o, size_t lane, struct opencl_channel *l,
			      const struct lane_work *work)
{
	struct opencl_row *r = o->lanes[lane];
	const struct opencl_channel *before =
		work->cursor != NULL ? NULL : &o->channels[o->folding * o->base.size.lane_count + lane];
	enqueue_totals(o, r, l, work);
	enqueue_fold(r, l, work, before);
	return begin_results(o, r, l, work, true);
}

static enum status opencl_begin(struct engine *e, enum sweep sweep, size_t channel, struct lane_work *lanes)
{
	struct opencl_engine *o = opencl_of(e);
	struct opencl_channel *channels = &o->channels[channel * e->size.lane_count];
	enum status status = STATUS_OK;
	o->works[channel] = lanes;
	for (size_t i = 0; i < e->size.lane_count && status == STATUS_OK; i++) {
		if (sweep != SWEEP_TOTALS)
			lanes[i].first_bad = SIZE_MAX;
		if (lanes[i].count > 0 && sweep == SWEEP_TOTALS)
			status = begin_totals(o, o->lanes[i], &channels[i], &lanes[i]);
		else if (lanes[i].count > 0 && sweep == SWEEP_RESULTS)
			status = begin_results(o, o->lanes[i], &channels[i], &lanes[i], false);
		else if (lanes[i].count > 0)
			status = begin_both(o, i, &channels[i], &lanes[i]);
	}
	if (sweep == SWEEP_BOTH)
		o->folding = channel;
	return status;
}

static enum status opencl_finish(struct engine *e, enum sweep sweep, size_t channel, struct span *spans)
{
	struct opencl_engine *o = opencl_of(e);
	struct opencl_channel *channels = &o->channels[channel * e->size.lane_count];
	struct lane_work *lanes = o->works[channel];
	enum status status = STATUS_OK;
	for (size_t i = 0; i < e->size.lane_count && status == STATUS_OK; i++) {
		if (lanes[i].count > 0)
			status = sweep == SWEEP_TOTALS ? opencl_channel_await(&channels[i])
						       : finish_results(o, o->lanes[i], &channels[i], &lanes[i], spans);
	}
	return status;
}

static bool opencl_cancel(struct engine *e, size_t channel)
{
	struct opencl_engine *o = opencl_of(e);
	const size_t count = e->size.lane_count;
	bool is_over = true;
	for (size_t i = 0; i < count; i++) {
		is_over = opencl_channel_cancel(&o->channels[channel * count + i]) && is_over;
		opencl_kept_take_back(o->kept, &o->channels[channel * count + i]);
	}
	return is_over;
}

static void opencl_close(struct engine *e)
{
	struct opencl_engine *o = opencl_of(e);
	for (size_t i = 0; i < o->base.size.channel_count * o->base.size.lane_count; i++) {
		opencl_channel_close(&o->channels[i]);
		opencl_release_memory(o->kept[i].memory);
	}
	for (size_t i = 0; i < o->base.size.lane_count; i++)
		opencl_program_close(&o->rows[i].program);
	opencl_cursor_close(&o->cursor);
	if (o->context.handle != NULL)
		clReleaseContext(o->context.handle);
	memory_free_all(o->rows, o->lanes, o->works, o->kept, o->lent, o);
}

static const struct engine_class opencl_class = {
	.set_row = opencl_set_row,
	.run_cursor = opencl_run_cursor,
	.begin = opencl_begin,
	.finish = opencl_finish,
	.cancel = opencl_cancel,
	.close = opencl_close,
};

static size_t chunk_elements(const struct engine_need *need, const struct opencl_device *d)
{
	const size_t bytes = (d->type & CL_DEVICE_TYPE_CPU) != 0 ? CPU_CHUNK_BYTES : GPU_CHUNK_BYTES;
	return need->element_size == 0 ? need->chunk_elements : bytes / need->element_size / GRID_TILE * GRID_TILE;
}

static struct opencl_engine *engine_new(const struct engine_need *need, const struct opencl_device *device)
{
	const size_t channels = need->channel_count * need->lane_count;
	char name[MESSAGE_NAME_SIZE];
	struct opencl_engine *o = memory_zeros(1, sizeof *o + channels * sizeof o->channels[0]);
	if (o == NULL)
		return NULL;
	o->base = (struct engine){
		.class = &opencl_class,
		.size = {.channel_count = need->channel_count,
			 .lane_count = need->lane_count,
			 .elements = chunk_elements(need, device),
			 .element_max = need->element_max},
		.depth = ENGINE_DEVICE_DEPTH,
		.shares_memory = device->shares_memory,
		.device = o->context.label,
		.device_count = 1,
	};
	o->context.device = *device;
	o->context.named = need->spec != NULL;
	o->context.is_trial = need->is_trial;
	o->context.profile = need->profile;
	(void)snprintf(o->context.label, sizeof o->context.label, "%u:%u (%s)", device->platform_index,
		       device->device_index, message_name(name, device->name));
	o->rows = memory_zeros(need->lane_count, sizeof *o->rows);
	o->lanes = memory_zeros(need->lane_count, sizeof(struct opencl_row *));
	o->works = memory_zeros(need->channel_count, sizeof(struct lane_work *));
	o->kept = memory_zeros(channels, sizeof *o->kept);
	if (need->lend)
		o->base.memory = o->lent = memory_new(need->channel_count * sizeof *o->lent);
	if (o->rows == NULL || o->lanes == NULL || o->works == NULL || o->kept == NULL ||
	    (need->lend && o->lent == NULL)) {
		memory_free_all(o->rows, o->lanes, o->works, o->kept, o->lent, o);
		return NULL;
	}
	for (size_t i = 0; i < need->lane_count; i++)
		opencl_program_open(&o->rows[i].program, device);
	o->base.folds = o->rows->program.shape.folds;
	return o;
}

static enum status open_on(const struct engine_need *need, const struct opencl_device *device, struct engine **engine)
{
	cl_int code;
	struct opencl_engine *o = engine_new(need, device);
	if (o == NULL)
		return STATUS_SYSTEM;
	o->context.handle = clCreateContext(NULL, 1, &device->id, NULL, NULL, &code);
	enum status status =
		o->context.handle != NULL ? STATUS_OK : opencl_failed(&o->context, "clCreateContext", code);
	for (size_t i = 0; i < need->channel_count * need->lane_count && status == STATUS_OK; i++)
		status = opencl_channel_open(&o->context, &o->channels[i], &o->base.size, o->base.folds,
					     o->lent != NULL ? &o->lent[i] : NULL);
	if (status != STATUS_OK) {
		opencl_close(&o->base);
		return status;
	}
	if (o->context.profile)
		o->context.clock_offset_ns = opencl_channel_clock_offset(&o->channels[0]);
	if (!need->is_trial)
		message_verbose("engine: device %s, %s shape", o->context.label,
				o->rows->program.shape.gpu ? "GPU" : "CPU");
	*engine = &o->base;
	return STATUS_OK;
}

/* Opens an engine on each of several devices and combines them into one. */
static enum status open_on_all(const struct engine_need *need, const struct opencl_device *devices, size_t count,
			       struct engine **engine)
{
	struct engine_need each = *need;
	struct engine **engines = memory_new(count * sizeof(struct engine *));
	enum status status = engines != NULL ? STATUS_OK : STATUS_SYSTEM;
	size_t opened = 0;
	each.channel_count = (need->channel_count + count - 1) / count;
	for (; status == STATUS_OK && opened < count; opened += status == STATUS_OK)
		status = open_on(&each, &devices[opened], &engines[opened]);
	if (status == STATUS_OK) {
		*engine = engine_several_open(engines, count);
		status = *engine != NULL ? STATUS_OK : STATUS_SYSTEM;
	} else {
		while (opened-- > 0)
			engines[opened]->class->close(engines[opened]);
	}
	memory_free(engines);
	return status;
}

enum status opencl_engine_open(const struct engine_need *need, struct engine **engine)
{
	struct opencl_device *devices;
	size_t count;
	cl_int code;
	*engine = NULL;
	opencl_cache_mend();
	enum status status = STATUS_OK;
	TRY(opencl_choose_devices(need->spec, &devices, &count, &code));
	ending_drivers_loaded();
	if (count > 0)
		status = count == 1 ? open_on(need, devices, engine) : open_on_all(need, devices, count, engine);
	else if (need->spec != NULL)
		status = opencl_none(need->spec, code);
	memory_free(devices);
	return status;
}
