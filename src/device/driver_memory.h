/* Remembers which drivers passed their trial (driver_trial.h). A file for each question lies in pscan's cache of
 * compiled kernels. It holds the question, the trial's answer, and the names, sizes and modification times of all files
 * that were loaded then and of those that list drivers. */
#ifndef PSCAN_DEVICE_DRIVER_MEMORY_H
#define PSCAN_DEVICE_DRIVER_MEMORY_H

#include <stdbool.h>

#include "base/memory.h"

struct row;

/* Appends to *question the key under which a trial is remembered: the program's version, spec (the device's name on the
 * command line, or NULL for auto), and the environment variables that drivers read. The row is part of the key only if
 * spec is NULL or the row is a user's program. Call it before drivers are loaded, because they may change the
 * environment. STATUS_SYSTEM after a message if memory is missing. The caller frees *question in any case. */
enum status driver_memory_ask(const char *spec, const struct row *row, struct bytes *question) MUST_CHECK;

/* Whether a passed trial is remembered for the question, and none of the files has changed since. If so, *found becomes
 * whether that trial found a device; otherwise *found is undefined. Call it after opencl_engine_prepare. */
bool driver_memory_has(const struct bytes *question, bool *found);

/* Remembers a passed trial. found: whether the trial found a device. Call it in the process that has the driver loaded.
 * Does nothing if the file cannot be written. */
void driver_memory_keep(const struct bytes *question, bool found);

#endif
