/* The number of processors that this process may use. */
#ifndef PSCAN_PROCESS_CPUS_H
#define PSCAN_PROCESS_CPUS_H

#include <stddef.h>

/* Returns the number of processors in the affinity mask, or the control group's quota of processors (version 2, rounded
 * up) if the quota is less. At least 1. */
size_t cpus_available(void);

#endif
