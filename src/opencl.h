/* What the files of the OpenCL engine share. Only they see CL/cl.h. */
#ifndef PSCAN_OPENCL_H
#define PSCAN_OPENCL_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdbool.h>

#include "status.h"

struct opencl_device {
	unsigned platform_index, device_index; /* P:D of --device */
	cl_platform_id platform;
	cl_device_id id;
	cl_device_type type;
	cl_ulong memory_bytes;
	cl_ulong local_bytes;
	size_t work_group_max;
	bool fp64;
	bool bit_exact; /* IEEE arithmetic with denormals: its floats have the bits of the host's */
	char name[128];
	char version[256];
};

/* The name of an error code, for instance "CL_OUT_OF_RESOURCES". */
const char *opencl_error_name(cl_int code);

/* All devices of all platforms, platform by platform. *devices is the caller's to memory_free, *count may be 0 (no
 * platform is no error). STATUS_SYSTEM after a message if there is no memory. */
enum status opencl_devices(struct opencl_device **devices, size_t *count) MUST_CHECK;

/* The first device that spec names, as engine_opencl_open has it. *found is false if there is none. */
enum status opencl_choose_device(const char *spec, struct opencl_device *chosen, bool *found) MUST_CHECK;

#endif
