/* The program's kernels, bare: built for one row as src/device/opencl_engine.c builds them, and launched one by one.
 * Every function that returns bool prints what failed. */
#ifndef PSCAN_TESTS_RUNNER_H
#define PSCAN_TESTS_RUNNER_H

#include "device/opencl.h"
#include "scan/row.h"

struct runner {
	struct opencl_device device;
	bool gpu_shape;
	cl_context context;
	cl_program program; /* NULL before runner_set_row */
	cl_kernel totals, results;
	struct row row;
};

/* What one launch works on; the caller's. */
struct launch {
	cl_mem in, out; /* count elements and results */
	cl_mem states, bad; /* a state and a place for each tile */
	cl_uint count;
};

/* Opens the device that spec names. shape is "gpu", "cpu", or NULL for what the device wants. */
bool runner_open(struct runner *r, const char *spec, const char *shape);
void runner_close(struct runner *r);

/* Builds the kernels for a row. */
bool runner_set_row(struct runner *r, const struct row *row);

/* A buffer of at least one byte, or NULL. The caller releases it. */
cl_mem runner_buffer(const struct runner *r, size_t bytes);

/* An in-order queue, or NULL. The caller releases it. */
cl_command_queue runner_queue(const struct runner *r, bool profiling);

/* Begins a launch; *event, unless event is NULL, is the caller's to release. */
bool runner_begin_totals(struct runner *r, cl_command_queue queue, const struct launch *l, cl_event *event);
bool runner_begin_results(struct runner *r, cl_command_queue queue, const struct launch *l, bool first_has_carry,
			  cl_event *event);

/* False, after a message, unless code is CL_SUCCESS. */
bool runner_check(cl_int code, const char *call);

/* Seconds that a finished command took on the device; releases the event. */
double runner_event_seconds(cl_event event);

static inline size_t runner_tiles(size_t count)
{
	return (count + GRID_TILE - 1) / GRID_TILE;
}

#endif
