#define _GNU_SOURCE /* sched_getaffinity */
/* A container may limit processors by a mask or by a quota of time. The smaller one counts. */
#include "process/cpus.h"

#include <sched.h>
#include <stdio.h>
#include <unistd.h>

/* More processors than any kernel supports. A kernel refuses a mask that is too small for it. */
#define MASK_CPUS 65536

/* Returns the quota of the control group (version 2) that the process sees as its root, in processors rounded up. 0: no
 * quota. */
static size_t quota_cpus(void)
{
	unsigned long long quota = 0;
	unsigned long long period = 0;
	FILE *file = fopen("/sys/fs/cgroup/cpu.max", "re");
	if (file == NULL)
		return 0;
	const int fields = fscanf(file, "%llu %llu", &quota, &period); /* No quota is "max", which is not a number. */
	(void)fclose(file);
	return fields == 2 && period > 0 ? (size_t)((quota + period - 1) / period) : 0;
}

/* Returns the number of processors in the affinity mask, or of all processors if the mask cannot be read. */
static size_t allowed_cpus(void)
{
	cpu_set_t mask[MASK_CPUS / CPU_SETSIZE];
	if (sched_getaffinity(0, sizeof mask, mask) == 0)
		return (size_t)CPU_COUNT_S(sizeof mask, mask);
	const long count = sysconf(_SC_NPROCESSORS_ONLN);
	return count > 0 ? (size_t)count : 1;
}

size_t cpus_available(void)
{
	size_t count = allowed_cpus();
	const size_t quota = quota_cpus();
	if (quota > 0 && quota < count)
		count = quota;
	return count > 0 ? count : 1;
}
