/* The OpenCL engine. */
#ifndef PSCAN_ENGINE_OPENCL_H
#define PSCAN_ENGINE_OPENCL_H

#include "engine.h"

/* Opens the device that spec names: "auto" (a bit-exact GPU or accelerator), "gpu", "cpu", "P:D" or part of a name.
 * STATUS_OK with *engine NULL: spec is "auto" and there is none. STATUS_DEVICE after a message: there is no such device, or
 * it failed. The environment variable PSCAN_SHAPE (cpu or gpu, for tests) chooses the kernels' shape. Call it before any
 * thread starts: it sets POCL_CACHE_DIR. */
enum status engine_opencl_open(const char *spec, const struct engine_size *size, struct engine **engine) MUST_CHECK;

/* Where the ICD loader that the program runs with comes from, for --version. */
const char *engine_opencl_loader(void);

/* One line a device, for --list-devices, appended to a text that the caller frees with bytes_free. */
struct bytes;
enum status engine_opencl_list(struct bytes *text) MUST_CHECK;

#endif
