/* Cursor calls of users' programs on a device (kernels/cursor.cl), because the host has no code for these programs. One
 * work-item does the work of one cursor. Internal to the OpenCL engine. Only the engine's thread may call it. */
#ifndef PSCAN_DEVICE_OPENCL_CURSOR_H
#define PSCAN_DEVICE_OPENCL_CURSOR_H

#include "device/opencl_channel.h"

/* The device's answer if no element is bad. NOT_BAD in kernels/grid.h has this value. */
#define OPENCL_NOT_BAD UINT32_MAX
#define OPENCL_CURSOR_ROOMS 7

/* The queue and the buffers for one call at a time. All zero: not open. Everything is owned. */
struct opencl_cursor {
	struct opencl_channel channel; /* opencl_channel_open_queue opens it. */
	struct opencl_room {
		cl_mem memory; /* NULL until it is needed. */
		size_t size; /* In bytes. */
	} rooms[OPENCL_CURSOR_ROOMS];
};

/* Does the cursor call *work on the device, and returns when its answers are in *work and in the memory that *work
 * points to. kernel: the kernel for work->call, built for *row. STATUS_DEVICE after opencl_failed or
 * opencl_failed_because; the device then no longer uses this memory, unless waiting for the device failed, too. */
enum status opencl_cursor_run(struct opencl_cursor *t, cl_kernel kernel, const struct row *row,
			      struct cursor_work *work) MUST_CHECK;

/* Waits for the queue and releases everything. *t may be half open, or all zero. Call it once; *t is not zeroed. */
void opencl_cursor_close(struct opencl_cursor *t);

#endif
