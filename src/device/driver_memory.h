/* Which drivers came back well from a trial (driver_trial.h): a file for each device and row, in the program's own
 * cache of compiled kernels, that holds the names, sizes and times of everything that was loaded. */
#ifndef PSCAN_DEVICE_DRIVER_MEMORY_H
#define PSCAN_DEVICE_DRIVER_MEMORY_H

#include <stdbool.h>

#include "base/memory.h"

struct row;

/* What is asked of the memory, appended to a text: how the device that spec names does in this environment; under auto
 * (NULL), where nobody waits for a trial, with that row. Drivers may change the environment, so it is to be asked
 * before they are loaded. STATUS_SYSTEM after a message. */
enum status driver_memory_ask(const char *spec, const struct row *row, struct bytes *question) MUST_CHECK;

/* Whether a trial went well with the very files that are there now. Then *found says whether there was a device. Call
 * it after opencl_engine_prepare. */
bool driver_memory_has(const struct bytes *question, bool *found);

/* Remembers it, in the process that has the driver loaded. What cannot be written is not remembered. */
void driver_memory_keep(const struct bytes *question, bool found);

#endif
