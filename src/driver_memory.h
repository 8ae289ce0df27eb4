/* Which drivers came back well from a trial (driver_trial.h): a file for each device and row, in the program's own cache of
 * compiled kernels, that holds the names, sizes and times of everything that was loaded. */
#ifndef PSCAN_DRIVER_MEMORY_H
#define PSCAN_DRIVER_MEMORY_H

#include <stdbool.h>

struct row;

/* Whether a trial of the device that spec names (NULL: auto), with that row, went well with the very files that are there
 * now. Then *found says whether there was a device. Call it after engine_opencl_prepare. Any thread. */
bool driver_memory_has(const char *spec, const struct row *row, bool *found);

/* Remembers it, in the process that has the driver loaded. What cannot be written is not remembered. */
void driver_memory_keep(const char *spec, const struct row *row, bool found);

#endif
