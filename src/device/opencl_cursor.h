/* A cursor on a device (kernels/cursor.cl): one work-item takes in what the host has no code for. Internal to the
 * OpenCL engine, and called by its thread alone. */
#ifndef PSCAN_DEVICE_OPENCL_CURSOR_H
#define PSCAN_DEVICE_OPENCL_CURSOR_H

#include "device/engine.h"
#include "device/opencl.h"

/* The place in a tile of the first bad element, of a tile that has none: NOT_BAD in kernels/grid.h. */
#define OPENCL_NOT_BAD UINT32_MAX

/* What one call needs at a time. All zero: not open. Everything in it is owned. */
struct opencl_cursor {
	cl_command_queue queue;
	struct opencl_room {
		cl_mem memory; /* NULL until it is needed */
		size_t size; /* in bytes */
	} rooms[6];
};

/* Opens what is all zero. STATUS_DEVICE, reported as opencl_failed says: opencl_cursor_close is still due. */
enum status opencl_cursor_open(struct opencl_cursor *t, struct opencl_context *c) MUST_CHECK;

/* Does *work with the kernel for its call, of a program for *row, and waits. */
enum status opencl_cursor_take(struct opencl_cursor *t, struct opencl_context *c, cl_kernel kernel,
			       const struct row *row, struct cursor_work *work) MUST_CHECK;

/* May be half open, or all zero. */
void opencl_cursor_close(struct opencl_cursor *t);

#endif
