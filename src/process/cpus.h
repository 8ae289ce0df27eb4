/* How many processors this process may use. */
#ifndef PSCAN_PROCESS_CPUS_H
#define PSCAN_PROCESS_CPUS_H

#include <stddef.h>

/* At least 1: the affinity mask, no more than the control group's quota rounded up. */
size_t cpus_available(void);

#endif
