#define _GNU_SOURCE /* sched_getaffinity */
#include "cpus.h"

#include <sched.h>
#include <stdio.h>

/* The quota of the control group (version 2) that the process sees as its root, or 0. */
static size_t quota_cpus(void)
{
	unsigned long long quota = 0;
	unsigned long long period = 0;
	FILE *file = fopen("/sys/fs/cgroup/cpu.max", "re");
	if (file == NULL)
		return 0;
	const int fields = fscanf(file, "%llu %llu", &quota, &period); /* "max" is no number */
	(void)fclose(file);
	return fields == 2 && period > 0 ? (size_t)((quota + period - 1) / period) : 0;
}

size_t cpus_available(void)
{
	cpu_set_t set;
	size_t count = 1;
	if (sched_getaffinity(0, sizeof set, &set) == 0)
		count = (size_t)CPU_COUNT(&set);
	const size_t quota = quota_cpus();
	if (quota > 0 && quota < count)
		count = quota;
	return count > 0 ? count : 1;
}
