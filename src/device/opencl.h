/* What the files of the OpenCL engine share. Only they see CL/cl.h. */
#ifndef PSCAN_DEVICE_OPENCL_H
#define PSCAN_DEVICE_OPENCL_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct opencl_device {
	unsigned platform_index, device_index; /* P:D of --device */
	cl_platform_id platform;
	cl_device_id id;
	cl_device_type type;
	cl_ulong memory_bytes;
	cl_ulong local_bytes;
	size_t work_group_max;
	bool fp64;
	bool shares_memory; /* with the host */
	bool bit_exact; /* IEEE arithmetic with denormals: its floats have the bits of the host's */
	char name[128];
	char version[256];
};

/* A device in use: what an engine, its program and its channels share. The engine's thread has it. */
struct opencl_context {
	struct opencl_device device;
	cl_context handle; /* the engine's to release, or NULL */
	bool named; /* its failure is an error */
	bool was_reported; /* it was printed */
	bool is_trial; /* the process only tries the device, and has one thread */
	bool profile;
	int64_t clock_offset_ns; /* from the device's clock to timeline_now_ns */
	char label[160]; /* P:D NAME */
};

/* The name of an error code, for instance "CL_OUT_OF_RESOURCES". */
const char *opencl_error_name(cl_int code);

/* Prints what went wrong on which device, the first time: an error if it was named, else a warning. Always
 * STATUS_DEVICE. The second says which OpenCL call returned which error. */
enum status opencl_failed_because(struct opencl_context *c, const char *what) MUST_CHECK;
enum status opencl_failed(struct opencl_context *c, const char *call, cl_int code) MUST_CHECK;

/* All devices of all platforms, platform by platform. *devices is the caller's to memory_free, *count may be 0 (no
 * platform is no error; *failure is CL_SUCCESS, or why the platforms could not be asked). STATUS_SYSTEM after a message
 * if there is no memory. */
enum status opencl_devices(struct opencl_device **devices, size_t *count, cl_int *failure) MUST_CHECK;

/* The first device that spec (as in struct engine_need) names, of "gpus" all that it names; if it is NULL the first
 * bit-exact GPU or accelerator. *count is 0 if there is none. The rest as above. */
enum status opencl_choose_devices(const char *spec, struct opencl_device **chosen, size_t *count,
				  cl_int *failure) MUST_CHECK;
/* There is none: prints so, with why the platforms could not be asked, if they could not. Always STATUS_DEVICE. */
enum status opencl_none(const char *spec, cl_int failure) MUST_CHECK;

/* The first of them. *found is false if there is none. */
enum status opencl_choose_device(const char *spec, struct opencl_device *chosen, bool *found,
				 cl_int *failure) MUST_CHECK;

#endif
