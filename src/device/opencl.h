/* Devices, contexts and error reports for the files of the OpenCL engine. No other files include CL/cl.h. */
#ifndef PSCAN_DEVICE_OPENCL_H
#define PSCAN_DEVICE_OPENCL_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct opencl_device {
	unsigned platform_index, device_index; /* P and D of --device=P:D. */
	cl_device_id id;
	cl_device_type type;
	cl_ulong memory_bytes;
	cl_ulong local_bytes;
	size_t work_group_max;
	bool fp64;
	bool shares_memory; /* The device computes on the host's memory. */
	bool divides_exactly; /* Quotients and square roots of f32 are rounded correctly, if a build asks for it. */
	bool bit_exact; /* Floats have the host's bits: IEEE arithmetic with denormals, same byte order. */
	char name[128];
	char version[256];
};

/* A device in use. An engine, its programs and its channels share this struct; only the engine's thread uses it. */
struct opencl_context {
	struct opencl_device device;
	cl_context handle; /* Owned by the engine. NULL: not created. */
	bool named; /* The user named the device: its failure is an error, otherwise a warning. */
	bool was_reported; /* A failure was printed, or needs no message. Later ones are not printed. */
	bool is_trial; /* This process only tries the device, and has one thread. */
	bool profile; /* Commands are timed, for --stats and --trace. */
	int64_t clock_offset_ns; /* Nanoseconds to add to the device's clock for timeline_now_ns. */
	char label[160]; /* "P:D (NAME)", for messages. */
};

/* Returns the name of an error code, such as "CL_OUT_OF_RESOURCES", or "OpenCL error N" for a code that is not listed.
 * The text is valid until the thread's next call. */
const char *opencl_error_name(cl_int code);

/* Prints that the device failed and why (`what`): as an error if the user named the device, otherwise as a warning.
 * Prints only the first failure of a context. Always returns STATUS_DEVICE. */
enum status opencl_failed_because(struct opencl_context *c, const char *what) MUST_CHECK;
/* opencl_failed_because with the reason that the OpenCL call `call` returned the error `code`. */
enum status opencl_failed(struct opencl_context *c, const char *call, cl_int code) MUST_CHECK;

/* Releases a buffer. NULL: does nothing. */
static inline void opencl_release_memory(cl_mem memory)
{
	if (memory != NULL)
		(void)clReleaseMemObject(memory);
}

/* Sets *chosen to an array that begins with the first device that spec names (see struct engine_need), or with all such
 * devices if spec is "gpus". spec NULL: the first bit-exact GPU or accelerator. *count becomes the number of these
 * devices, 0 if none matches. The caller frees the array with memory_free. *failure becomes CL_SUCCESS, or the error of
 * the call that asks for the platforms; having no platform is not an error. STATUS_SYSTEM after a message if memory is
 * missing; *chosen and *count are then unchanged. */
enum status opencl_choose_devices(const char *spec, struct opencl_device **chosen, size_t *count,
				  cl_int *failure) MUST_CHECK;
/* Prints that no device matches spec (not NULL), with the error `failure` of opencl_choose_devices unless it is
 * CL_SUCCESS. Always returns STATUS_DEVICE. */
enum status opencl_none(const char *spec, cl_int failure) MUST_CHECK;

#endif
