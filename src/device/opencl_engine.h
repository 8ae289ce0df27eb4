/* The OpenCL engine. */
#ifndef PSCAN_DEVICE_OPENCL_ENGINE_H
#define PSCAN_DEVICE_OPENCL_ENGINE_H

#include "device/engine.h"

/* The device that a run needs, and its settings. */
struct engine_need {
	/* gpu, gpus (all GPUs), cpu, P:D, or a part of the device's name. auto: a bit-exact GPU or accelerator; a CPU
	 * if there is no such device. NULL: a bit-exact GPU or accelerator; no device if there is no such device.
	 * Borrowed. */
	const char *spec;
	size_t channel_count; /* An engine on several devices may have a few more. */
	size_t lane_count; /* Lanes of each channel. */
	size_t element_max; /* As in struct engine_size. */
	size_t chunk_elements; /* Elements of one lane of a chunk. A multiple of a tile. */
	/* Bytes of an element. The engine may then choose chunk_elements. 0: it must use the given chunk_elements. */
	size_t element_size;
	bool lend; /* The channels, of one lane, lend memory for their chunks. */
	bool profile; /* Time the device's commands. */
	unsigned timeout_s; /* For watchdog.h and driver_trial.h. 0: no limit. opencl_engine_open does not use it. */
	bool is_trial; /* This process only tries the device (driver_trial.h). A success is not reported. */
};

/* Opens an engine on the device that need->spec names, or one engine on several devices (engine_several_open). *engine
 * becomes NULL after a failure, and also with STATUS_OK if need->spec is NULL and no GPU or accelerator with the host's
 * bits exists. STATUS_DEVICE after a message if the device does not exist or fails. The message is an error if
 * need->spec is set, otherwise a warning. STATUS_SYSTEM after a message if memory is missing. For tests, the
 * environment variable PSCAN_SHAPE (cpu or gpu) chooses the kernels' shape, and PSCAN_MEMORY=copy stops sharing of
 * memory. Any thread; one at a time. */
enum status opencl_engine_open(const struct engine_need *need, struct engine **engine) MUST_CHECK;

/* Sets the environment variables that drivers read (opencl_cache.h). From now on a driver that calls exit ends the
 * program with STATUS_DEVICE if `named` (the user named a device), otherwise with STATUS_SYSTEM. Call it before any
 * thread starts and before the functions that load drivers: opencl_engine_open, opencl_engine_list and
 * opencl_engine_hint. (opencl_engine_may_have_gpu, vendors and loader load none and may be called earlier.) */
void opencl_engine_prepare(bool named);
/* Removes the private cache directory, and PoCL's empty temporary files. From now on a call of exit is the program's
 * own, not a driver's. Call it after the last OpenCL call. Removes nothing if opencl_engine_prepare was not called. */
void opencl_engine_end(void);

/* Whether a driver other than PoCL's may be installed. (PoCL's only devices are CPUs.) False in a build without OpenCL.
 * Loads no driver. */
bool opencl_engine_may_have_gpu(void);

/* Returns the directory in which drivers are listed: OCL_ICD_VENDORS, or the system's. */
const char *opencl_engine_vendors(void);

/* Returns the likely reason why no device was found, to be appended to a message (static; valid until the next call).
 * Empty: it is not known. May load drivers. Only one thread at a time may call this. */
const char *opencl_engine_hint(void);

/* Returns the file name of the ICD loader that the program runs with, for --version. */
const char *opencl_engine_loader(void);

struct bytes;
/* Appends a line for each device to *text, for --list-devices. Prints a warning if no device exists. STATUS_DEVICE
 * after a message if the platforms cannot be asked, STATUS_SYSTEM after a message if memory is missing. */
enum status opencl_engine_list(struct bytes *text) MUST_CHECK;

#endif
