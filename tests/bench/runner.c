/* The kernels' arguments are set here as src/device/opencl_engine.c sets them, and nowhere else in the benchmarks. */
#include "runner.h"

#include <stdio.h>
#include <string.h>

#include "device/opencl_program.h"
#include "base/memory.h"
#include "bench.h"
#include "device/opencl_cache.h"

bool runner_check(cl_int code, const char *call)
{
	if (code == CL_SUCCESS)
		return true;
	(void)fprintf(stderr, "kernels: %s: %s\n", call, opencl_error_name(code));
	return false;
}

bool runner_open(struct runner *r, const char *spec, const char *shape)
{
	cl_int code;
	*r = (struct runner){0};
	opencl_cache_open(true);
	if (!bench_choose_device(spec, &r->device)) {
		(void)fprintf(stderr, "kernels: no OpenCL device %s\n", spec);
		return false;
	}
	r->gpu_shape = shape != NULL ? strcmp(shape, "gpu") == 0 : (r->device.type & CL_DEVICE_TYPE_CPU) == 0;
	r->context = clCreateContext(NULL, 1, &r->device.id, NULL, NULL, &code);
	return runner_check(code, "clCreateContext");
}

static void release_program(struct runner *r)
{
	if (r->results != NULL)
		clReleaseKernel(r->results);
	if (r->totals != NULL)
		clReleaseKernel(r->totals);
	if (r->program != NULL)
		clReleaseProgram(r->program);
	r->results = NULL;
	r->totals = NULL;
	r->program = NULL;
}

void runner_close(struct runner *r)
{
	release_program(r);
	if (r->context != NULL)
		clReleaseContext(r->context);
	opencl_cache_close();
}

static void print_build_log(const struct runner *r)
{
	static char log[16384];
	if (clGetProgramBuildInfo(r->program, r->device.id, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL) ==
	    CL_SUCCESS)
		(void)fprintf(stderr, "%s\n", log);
}

static bool build(struct runner *r, const struct bytes *source)
{
	cl_int code;
	const char *text = (const char *)source->data;
	r->program = clCreateProgramWithSource(r->context, 1, &text, &source->size, &code);
	if (!runner_check(code, "clCreateProgramWithSource"))
		return false;
	if (!runner_check(clBuildProgram(r->program, 1, &r->device.id, "-cl-std=CL1.2 -w", NULL, NULL),
			  "clBuildProgram")) {
		print_build_log(r);
		return false;
	}
	r->totals = clCreateKernel(r->program, "scan_totals", &code);
	if (!runner_check(code, "clCreateKernel"))
		return false;
	r->results = clCreateKernel(r->program, "scan_results", &code);
	return runner_check(code, "clCreateKernel");
}

bool runner_set_row(struct runner *r, const struct row *row)
{
	struct bytes source = {0};
	release_program(r);
	r->row = *row;
	bool good = opencl_program_source((struct kernel_shape){.gpu = r->gpu_shape}, &r->device, row, &source) ==
		    STATUS_OK;
	good = good && build(r, &source);
	bytes_free(&source);
	return good;
}

cl_mem runner_buffer(const struct runner *r, size_t bytes)
{
	cl_int code;
	cl_mem buffer = clCreateBuffer(r->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
	return runner_check(code, "clCreateBuffer") ? buffer : NULL;
}

cl_command_queue runner_queue(const struct runner *r, bool profiling)
{
	cl_int code;
	cl_command_queue queue =
		clCreateCommandQueue(r->context, r->device.id, profiling ? CL_QUEUE_PROFILING_ENABLE : 0, &code);
	return runner_check(code, "clCreateCommandQueue") ? queue : NULL;
}

static bool begin(struct runner *r, cl_command_queue queue, cl_kernel kernel, const struct launch *l, cl_event *event)
{
	const size_t group = r->gpu_shape ? GRID_TILE / GRID_RUN : 1;
	const size_t items = runner_tiles(l->count) * group;
	return runner_check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, event),
			    "clEnqueueNDRangeKernel");
}

/* All elements begin a stream. */
static const cl_ulong first_index = 0;

/* Sets a kernel's next argument. */
static bool set_argument(cl_kernel kernel, cl_uint *index, const void *value, size_t size)
{
	return runner_check(clSetKernelArg(kernel, (*index)++, size, value), "clSetKernelArg");
}

bool runner_begin_totals(struct runner *r, cl_command_queue queue, const struct launch *l, cl_event *event)
{
	const cl_uint first = 0;
	cl_uint i = 0;
	return set_argument(r->totals, &i, &l->in, sizeof l->in) && set_argument(r->totals, &i, &first, sizeof first) &&
	       set_argument(r->totals, &i, &l->count, sizeof l->count) &&
	       set_argument(r->totals, &i, &l->states, sizeof l->states) &&
	       set_argument(r->totals, &i, &first_index, sizeof first_index) && begin(r, queue, r->totals, l, event);
}

bool runner_begin_results(struct runner *r, cl_command_queue queue, const struct launch *l, bool first_has_carry,
			  cl_event *event)
{
	const cl_uint has_carry = first_has_carry;
	const cl_uint first = 0;
	cl_uint i = 0;
	return set_argument(r->results, &i, &l->in, sizeof l->in) &&
	       set_argument(r->results, &i, &first, sizeof first) &&
	       set_argument(r->results, &i, &l->count, sizeof l->count) &&
	       set_argument(r->results, &i, &l->states, sizeof l->states) &&
	       set_argument(r->results, &i, &has_carry, sizeof has_carry) &&
	       set_argument(r->results, &i, &l->out, sizeof l->out) &&
	       set_argument(r->results, &i, &first, sizeof first) &&
	       set_argument(r->results, &i, &l->bad, sizeof l->bad) &&
	       set_argument(r->results, &i, &first_index, sizeof first_index) && begin(r, queue, r->results, l, event);
}

double runner_event_seconds(cl_event event)
{
	cl_ulong begun = 0;
	cl_ulong ended = 0;
	(void)clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begun, &begun, NULL);
	(void)clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof ended, &ended, NULL);
	(void)clReleaseEvent(event);
	return 1e-9 * (double)(ended - begun);
}
