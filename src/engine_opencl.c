/* One device, one context, one program for the current row; for every lane an in-order queue and four buffers, created
 * once. A lane's commands are
 *
 *     begin_totals    write elements; scan_totals; read totals
 *     begin_results   write carry-ins; scan_results; read places of bad elements; read results
 *
 * without waiting in between, so the uploads and up-sweeps of later lanes overlap the rest of earlier ones. The host waits
 * in the finish calls only. The first error of a lane is printed once, by the call that met it. */
#include "engine_opencl.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convert.h"
#include "kernel_text.h"
#include "memory.h"
#include "message.h"
#include "opencl.h"
#include "opencl_cache.h"

/* Must agree with NOT_BAD in kernels/tile.h. */
#define PLACE_NOT_BAD UINT32_MAX
/* The widest element or result that the GPU shape stages in local memory. */
#define STAGED_SIZE_MAX 8

struct opencl_lane {
	cl_command_queue queue;
	cl_mem in, out, states, bad;
	cl_uint count; /* elements of the chunk under way */
	cl_uint tile_count; /* its tiles */
	cl_uint *places; /* tile_capacity entries: where the chunk's bad elements are */
};

struct engine_opencl {
	struct engine base;
	struct opencl_device device;
	bool gpu_shape;
	cl_context context;
	cl_program program;
	cl_kernel totals, results;
	struct row row;
	size_t tile_capacity;
	size_t lane_count;
	struct opencl_lane lanes[];
};

static struct engine_opencl *opencl_of(struct engine *e)
{
	return (struct engine_opencl *)e;
}

/* Prints what call failed on which device. */
static enum status failed(const struct engine_opencl *o, const char *call, cl_int code)
{
	char name[MESSAGE_NAME_SIZE];
	message_error("device %u:%u (%s): %s: %s", o->device.platform_index, o->device.device_index,
		      message_name(name, o->device.name), call, opencl_error_name(code));
	return STATUS_DEVICE;
}

static void print_build_log(const struct engine_opencl *o)
{
	char log[1500] = "";
	char escaped[MESSAGE_NAME_SIZE];
	if (clGetProgramBuildInfo(o->program, o->device.id, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL) ==
	    CL_SUCCESS)
		message_verbose("build log: %s", message_name(escaped, log));
}

/* Whether a tile of the row's elements and the tree fit the device's local memory: one place in 33 is padding (tile.h). */
static bool stage_fits(const struct engine_opencl *o, const struct row *row)
{
	const size_t size = row->in->size > row->acc->size ? row->in->size : row->acc->size;
	const size_t stage = (GRID_TILE + GRID_TILE / 32) * size;
	const size_t tree = (GRID_TILE / GRID_RUN + GRID_TILE / GRID_RUN / 32) * row->code->state_size;
	return size <= STAGED_SIZE_MAX && stage + tree + sizeof(cl_ulong) <= o->device.local_bytes;
}

/* Everything that the kernels want defined, as kernels/tile.h and scan.cl list it. */
static int write_prelude(const struct engine_opencl *o, const struct row *row, char *text, size_t size)
{
	char fits[160] = "1";
	const bool staged = stage_fits(o, row);
	if (row->in->id != TYPE_I128)
		convert_fits_text(row->in, row->acc, fits, sizeof fits);
	/* What does not fit is an error before it is a result, but its conversion must still be defined. */
	const bool guarded = row->in->kind == KIND_FLOAT && row->acc->kind != KIND_FLOAT;
	const char *conversion = row->in->id == row->acc->id ? "(x)"
				 : guarded                   ? "(FITS(x) ? (ACC)(x) : (ACC)0)"
							     : "((ACC)(x))";
	return snprintf(
		text, size,
		"%s#define OP %s\n#define ACC %s\n#define ELEM %s\n#define FITS(x) (%s)\n#define CONVERT(x) %s\n"
		"#define CHECKED %d\n#define CHECK_OVERFLOW %d\n#define SHAPE_GPU %d\n#define STAGED %d\n#define "
		"GLOBAL __global\n"
		"#define NODES %s\n%s",
		o->device.fp64 ? "#define PSCAN_FP64\n" : "", row->operator_name, row->acc->name, row->in->name, fits,
		conversion, row->checked, row->overflow_checked, o->gpu_shape, o->gpu_shape && staged,
		o->gpu_shape ? "__local" : "__private", row->op == NULL ? "#define PSCAN_TEST_OPERATORS\n" : "");
}

/* Prelude and kernels with #line in front of each, so that a compiler's message names the file. */
static enum status assemble_source(const struct engine_opencl *o, const struct row *row, struct bytes *source)
{
	char text[1024];
	const int size = write_prelude(o, row, text, sizeof text);
	enum status status = bytes_append(source, text, (size_t)size);
	for (size_t i = 0; i < KERNEL_TEXT_COUNT && status == STATUS_OK; i++) {
		const int line = snprintf(text, sizeof text, "#line 1 \"%s\"\n", kernel_texts[i].name);
		status = bytes_append(source, text, (size_t)line);
		if (status == STATUS_OK)
			status = bytes_append(source, kernel_texts[i].text, kernel_texts[i].size);
	}
	return status;
}

static void release_program(struct engine_opencl *o)
{
	if (o->results != NULL)
		clReleaseKernel(o->results);
	if (o->totals != NULL)
		clReleaseKernel(o->totals);
	if (o->program != NULL)
		clReleaseProgram(o->program);
	o->results = NULL;
	o->totals = NULL;
	o->program = NULL;
}

static enum status build(struct engine_opencl *o, const struct bytes *source)
{
	cl_int code;
	const char *text = (const char *)source->data;
	o->program = clCreateProgramWithSource(o->context, 1, &text, &source->size, &code);
	if (o->program == NULL)
		return failed(o, "clCreateProgramWithSource", code);
	code = clBuildProgram(o->program, 1, &o->device.id, "-cl-std=CL1.2 -w", NULL, NULL);
	if (code != CL_SUCCESS) {
		print_build_log(o);
		return failed(o, "clBuildProgram", code);
	}
	o->totals = clCreateKernel(o->program, "scan_totals", &code);
	if (o->totals == NULL)
		return failed(o, "clCreateKernel", code);
	o->results = clCreateKernel(o->program, "scan_results", &code);
	if (o->results == NULL)
		return failed(o, "clCreateKernel", code);
	return STATUS_OK;
}

/* The GPU shape needs work-groups of 256; a device that cannot run them so (after the build) gets the CPU shape. */
static bool shape_fits(const struct engine_opencl *o)
{
	size_t totals = 0;
	size_t results = 0;
	const size_t size = sizeof totals;
	if (!o->gpu_shape)
		return true;
	(void)clGetKernelWorkGroupInfo(o->totals, o->device.id, CL_KERNEL_WORK_GROUP_SIZE, size, &totals, NULL);
	(void)clGetKernelWorkGroupInfo(o->results, o->device.id, CL_KERNEL_WORK_GROUP_SIZE, size, &results, NULL);
	return totals >= GRID_TILE / GRID_RUN && results >= GRID_TILE / GRID_RUN;
}

static bool needs_fp64(const struct row *row)
{
	return row->in->id == TYPE_F64 || row->acc->id == TYPE_F64;
}

static enum status opencl_set_row(struct engine *e, const struct row *row)
{
	struct engine_opencl *o = opencl_of(e);
	struct bytes source = {0};
	release_program(o);
	if (needs_fp64(row) && !o->device.fp64) {
		char name[MESSAGE_NAME_SIZE];
		message_error("device %u:%u (%s) has no f64", o->device.platform_index, o->device.device_index,
			      message_name(name, o->device.name));
		return STATUS_DEVICE;
	}
	enum status status = assemble_source(o, row, &source);
	if (status == STATUS_OK)
		status = build(o, &source);
	if (status == STATUS_OK && !shape_fits(o)) {
		release_program(o);
		o->gpu_shape = false;
		source.size = 0;
		status = assemble_source(o, row, &source);
		if (status == STATUS_OK)
			status = build(o, &source);
	}
	bytes_free(&source);
	o->row = *row;
	return status;
}

static enum status enqueue_kernel(struct engine_opencl *o, struct opencl_lane *l, cl_kernel kernel)
{
	const size_t group = o->gpu_shape ? GRID_TILE / GRID_RUN : 1;
	const size_t items = (size_t)l->tile_count * group;
	const cl_int code = clEnqueueNDRangeKernel(l->queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL);
	return code == CL_SUCCESS ? STATUS_OK : failed(o, "clEnqueueNDRangeKernel", code);
}

static enum status enqueue_write(struct engine_opencl *o, struct opencl_lane *l, cl_mem to, const void *from,
				 size_t size)
{
	const cl_int code = clEnqueueWriteBuffer(l->queue, to, CL_FALSE, 0, size, from, 0, NULL, NULL);
	return code == CL_SUCCESS ? STATUS_OK : failed(o, "clEnqueueWriteBuffer", code);
}

static enum status enqueue_read(struct engine_opencl *o, struct opencl_lane *l, cl_mem from, void *to, size_t size)
{
	const cl_int code = clEnqueueReadBuffer(l->queue, from, CL_FALSE, 0, size, to, 0, NULL, NULL);
	return code == CL_SUCCESS ? STATUS_OK : failed(o, "clEnqueueReadBuffer", code);
}

static enum status flush(struct engine_opencl *o, struct opencl_lane *l)
{
	const cl_int code = clFlush(l->queue);
	return code == CL_SUCCESS ? STATUS_OK : failed(o, "clFlush", code);
}

static enum status finish(struct engine_opencl *o, struct opencl_lane *l)
{
	const cl_int code = clFinish(l->queue);
	return code == CL_SUCCESS ? STATUS_OK : failed(o, "clFinish", code);
}

/* One argument of a kernel. */
struct argument {
	size_t size;
	const void *value;
};

static enum status set_arguments(struct engine_opencl *o, cl_kernel kernel, const struct argument *arguments,
				 cl_uint count)
{
	for (cl_uint i = 0; i < count; i++) {
		const cl_int code = clSetKernelArg(kernel, i, arguments[i].size, arguments[i].value);
		if (code != CL_SUCCESS)
			return failed(o, "clSetKernelArg", code);
	}
	return STATUS_OK;
}

static enum status opencl_begin_totals(struct engine *e, size_t lane, const void *in, size_t count)
{
	struct engine_opencl *o = opencl_of(e);
	struct opencl_lane *l = &o->lanes[lane];
	l->count = (cl_uint)count;
	l->tile_count = (cl_uint)((count + GRID_TILE - 1) / GRID_TILE);
	const struct argument arguments[] = {
		{sizeof l->in, &l->in},
		{sizeof l->count, &l->count},
		{sizeof l->states, &l->states},
	};
	enum status status = enqueue_write(o, l, l->in, in, count * o->row.in->size);
	if (status == STATUS_OK)
		status = set_arguments(o, o->totals, arguments, 3);
	if (status == STATUS_OK)
		status = enqueue_kernel(o, l, o->totals);
	if (status == STATUS_OK)
		status = flush(o, l);
	return status;
}

static enum status opencl_finish_totals(struct engine *e, size_t lane, void *totals)
{
	struct engine_opencl *o = opencl_of(e);
	struct opencl_lane *l = &o->lanes[lane];
	enum status status = enqueue_read(o, l, l->states, totals, l->tile_count * o->row.code->state_size);
	if (status == STATUS_OK)
		status = finish(o, l);
	return status;
}

static enum status opencl_begin_results(struct engine *e, size_t lane, const void *carry_in, bool first_has_carry,
					void *out)
{
	struct engine_opencl *o = opencl_of(e);
	struct opencl_lane *l = &o->lanes[lane];
	const cl_uint has_carry = first_has_carry;
	const struct argument arguments[] = {
		{sizeof l->in, &l->in},         {sizeof l->count, &l->count}, {sizeof l->states, &l->states},
		{sizeof has_carry, &has_carry}, {sizeof l->out, &l->out},     {sizeof l->bad, &l->bad},
	};
	enum status status = enqueue_write(o, l, l->states, carry_in, l->tile_count * o->row.code->state_size);
	if (status == STATUS_OK)
		status = set_arguments(o, o->results, arguments, 6);
	if (status == STATUS_OK)
		status = enqueue_kernel(o, l, o->results);
	if (status == STATUS_OK && o->row.checked)
		status = enqueue_read(o, l, l->bad, l->places, l->tile_count * sizeof *l->places);
	if (status == STATUS_OK)
		status = enqueue_read(o, l, l->out, out, l->count * o->row.acc->size);
	if (status == STATUS_OK)
		status = flush(o, l);
	return status;
}

static enum status opencl_finish_results(struct engine *e, size_t lane, size_t *first_bad)
{
	struct engine_opencl *o = opencl_of(e);
	struct opencl_lane *l = &o->lanes[lane];
	const enum status status = finish(o, l);
	if (status != STATUS_OK)
		return status;
	*first_bad = SIZE_MAX;
	for (cl_uint k = 0; o->row.checked && k < l->tile_count; k++) {
		if (l->places[k] != PLACE_NOT_BAD) {
			*first_bad = (size_t)k * GRID_TILE + l->places[k];
			break;
		}
	}
	return STATUS_OK;
}

static void opencl_cancel(struct engine *e, size_t lane)
{
	(void)clFinish(opencl_of(e)->lanes[lane].queue);
}

static void lane_close(struct opencl_lane *l)
{
	const cl_mem buffers[] = {l->in, l->out, l->states, l->bad};
	if (l->queue != NULL)
		(void)clFinish(l->queue);
	for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++) {
		if (buffers[i] != NULL)
			clReleaseMemObject(buffers[i]);
	}
	if (l->queue != NULL)
		clReleaseCommandQueue(l->queue);
	memory_free(l->places);
}

static enum status lane_open(struct engine_opencl *o, struct opencl_lane *l, const struct engine_size *size)
{
	cl_int code;
	const size_t elements_size = size->elements * size->element_max;
	const struct {
		cl_mem *buffer;
		size_t size;
	} buffers[] = {
		{&l->in, elements_size},
		{&l->out, elements_size},
		{&l->states, o->tile_capacity * STATE_SIZE_MAX},
		{&l->bad, o->tile_capacity * sizeof *l->places},
	};
	l->places = memory_new(o->tile_capacity * sizeof *l->places);
	if (l->places == NULL)
		return STATUS_SYSTEM;
	l->queue = clCreateCommandQueue(o->context, o->device.id, 0, &code);
	if (l->queue == NULL)
		return failed(o, "clCreateCommandQueue", code);
	for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++) {
		*buffers[i].buffer = clCreateBuffer(o->context, CL_MEM_READ_WRITE, buffers[i].size, NULL, &code);
		if (*buffers[i].buffer == NULL)
			return failed(o, "clCreateBuffer", code);
	}
	return STATUS_OK;
}

static void opencl_close(struct engine *e)
{
	struct engine_opencl *o = opencl_of(e);
	for (size_t i = 0; i < o->lane_count; i++)
		lane_close(&o->lanes[i]);
	release_program(o);
	if (o->context != NULL)
		clReleaseContext(o->context);
	memory_free(o);
	opencl_cache_close();
}

static const struct engine_class opencl_class = {
	.name = "opencl",
	.depth = 3,
	.set_row = opencl_set_row,
	.begin_totals = opencl_begin_totals,
	.finish_totals = opencl_finish_totals,
	.begin_results = opencl_begin_results,
	.finish_results = opencl_finish_results,
	.cancel = opencl_cancel,
	.close = opencl_close,
};

static bool wants_gpu_shape(const struct opencl_device *d)
{
	const char *forced = getenv("PSCAN_SHAPE");
	if (forced != NULL && strcmp(forced, "gpu") == 0)
		return true;
	if (forced != NULL && strcmp(forced, "cpu") == 0)
		return false;
	return (d->type & CL_DEVICE_TYPE_CPU) == 0 && d->work_group_max >= GRID_TILE / GRID_RUN;
}

enum status engine_opencl_open(const char *spec, const struct engine_size *size, struct engine **engine)
{
	struct opencl_device device;
	bool found;
	cl_int code;
	opencl_cache_open();
	if (opencl_choose_device(spec, &device, &found) != STATUS_OK)
		return STATUS_SYSTEM;
	if (!found) {
		char name[MESSAGE_QUOTED_SIZE];
		opencl_cache_close();
		*engine = NULL;
		if (strcmp(spec, "auto") == 0)
			return STATUS_OK;
		message_error("no OpenCL device %s (see --list-devices)", message_quote(name, spec, strlen(spec)));
		return STATUS_DEVICE;
	}
	struct engine_opencl *o = memory_new(sizeof *o + size->lane_count * sizeof o->lanes[0]);
	if (o == NULL)
		return STATUS_SYSTEM;
	memset(o, 0, sizeof *o + size->lane_count * sizeof o->lanes[0]);
	o->base.class = &opencl_class;
	o->device = device;
	o->gpu_shape = wants_gpu_shape(&device);
	o->tile_capacity = (size->elements + GRID_TILE - 1) / GRID_TILE;
	o->lane_count = size->lane_count;
	enum status status = STATUS_OK;
	o->context = clCreateContext(NULL, 1, &device.id, NULL, NULL, &code);
	if (o->context == NULL)
		status = failed(o, "clCreateContext", code);
	for (size_t i = 0; i < size->lane_count && status == STATUS_OK; i++)
		status = lane_open(o, &o->lanes[i], size);
	if (status != STATUS_OK) {
		opencl_close(&o->base);
		return status;
	}
	message_verbose("device %u:%u: %s, %s shape", device.platform_index, device.device_index, device.name,
			o->gpu_shape ? "GPU" : "CPU");
	*engine = &o->base;
	return STATUS_OK;
}
