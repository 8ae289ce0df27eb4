/* The OpenCL engine. */
#ifndef PSCAN_DEVICE_OPENCL_ENGINE_H
#define PSCAN_DEVICE_OPENCL_ENGINE_H

#include "device/engine.h"

/* What a run wants of a device. */
struct engine_need {
	const char *
		spec; /* gpu, gpus (all of them), cpu, P:D or part of a name; auto: what NULL is, else a CPU; NULL: a bit-exact GPU or
			   * accelerator, if there is one */
	size_t channel_count;
	size_t lane_count; /* of each channel */
	size_t element_max; /* as in struct engine_size */
	size_t chunk_elements; /* of one lane of a chunk, whole tiles */
	size_t element_size; /* bytes of an element; a device may then want larger chunks. 0: leave them */
	bool lend; /* chunks, of one lane, are read to the channels' own memory */
	bool profile; /* note when the device did what */
	unsigned timeout_s; /* watchdog.h */
	bool is_trial; /* the device is only tried (driver_trial.h): what goes well is not reported */
};

/* Opens a device, or several as one. STATUS_OK with *engine NULL: need->spec is NULL and there is none. STATUS_DEVICE
 * after a message: there is no such device, or it failed. Failures of a device that was named are errors, of another
 * one warnings. The environment variable PSCAN_SHAPE (cpu or gpu, for tests) chooses the kernels' shape,
 * PSCAN_MEMORY=copy that nothing is shared. Any thread, one at a time. */
enum status opencl_engine_open(const struct engine_need *need, struct engine **engine) MUST_CHECK;

/* Before the first call of anything else here, and before any thread starts: settles the environment that drivers read.
 * named: the user chose a device. A driver that calls exit then ends the program with STATUS_DEVICE, else with
 * STATUS_SYSTEM. The counterpart goes last. */
void opencl_engine_prepare(bool named);
void opencl_engine_end(void);
/* The directory that prepare made for this run only, or NULL. */
const char *opencl_engine_private_cache(void);

/* Whether a driver other than PoCL's, whose only devices are CPUs, is installed. Loads nothing. */
bool opencl_engine_may_have_gpu(void);

/* The directory in which drivers are listed. */
const char *opencl_engine_vendors(void);

/* Why no device may have been found, for the end of a message; empty: nothing is known. Loads drivers; one thread. */
const char *opencl_engine_hint(void);

/* Where the ICD loader that the program runs with comes from, for --version. */
const char *opencl_engine_loader(void);

/* One line a device, for --list-devices, appended to a text that the caller frees with bytes_free; a
 * warning if there is none. STATUS_DEVICE after a message: the drivers could not be asked. */
struct bytes;
enum status opencl_engine_list(struct bytes *text) MUST_CHECK;

#endif
