#define _GNU_SOURCE /* cpu_set_t */
/* The number of processors, on machines of every size. The test replaces the functions of the C library that ask the
 * kernel, and makes up the kernel's answers. */
#include "process/cpus.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

/* The machine. */
static size_t kernel_cpus; /* a mask must have as many bits */
static size_t allowed; /* of those, from the first on; 0: the call fails whatever the mask */
static const char *quota; /* what cpu.max says, or NULL: there is no such file */

int sched_getaffinity(pid_t process, size_t size, cpu_set_t *mask)
{
	(void)process;
	if (allowed == 0 || size * 8 < kernel_cpus) {
		errno = EINVAL;
		return -1;
	}
	memset(mask, 0, size);
	for (size_t i = 0; i < allowed; i++)
		CPU_SET_S(i, size, mask);
	return 0;
}

FILE *fopen(const char *path, const char *mode)
{
	static char text[64];
	(void)mode;
	if (quota == NULL || strcmp(path, "/sys/fs/cgroup/cpu.max") != 0) {
		errno = ENOENT;
		return NULL;
	}
	(void)snprintf(text, sizeof text, "%s", quota);
	return fmemopen(text, strlen(text), "r");
}

static size_t count_of(size_t cpus, size_t mine, const char *max)
{
	kernel_cpus = cpus;
	allowed = mine;
	quota = max;
	return cpus_available();
}

int main(void)
{
	static const size_t machines[] = {1, 2, 64, 1023, 1024, 1025, 2000, 4096, 8192, 65536};
	for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
		const size_t cpus = machines[i];
		EXPECT(count_of(cpus, cpus, NULL) == cpus, "%zu of %zu", count_of(cpus, cpus, NULL), cpus);
		const size_t some = cpus / 3 + 1;
		EXPECT(count_of(cpus, some, NULL) == some, "%zu of %zu", count_of(cpus, some, NULL), some);
	}
	check_promise("the processors of the mask are counted, however many the machine has");
	const long online = sysconf(_SC_NPROCESSORS_ONLN);
	EXPECT(online > 0 && count_of(4, 0, NULL) == (size_t)online, "%zu of %ld", count_of(4, 0, NULL), online);
	check_promise("without a mask those count that are there");
	EXPECT(count_of(64, 64, "150000 100000\n") == 2, "%zu", count_of(64, 64, "150000 100000\n"));
	EXPECT(count_of(64, 1, "150000 100000\n") == 1, "%zu", count_of(64, 1, "150000 100000\n"));
	EXPECT(count_of(2000, 2000, "max 100000\n") == 2000, "%zu", count_of(2000, 2000, "max 100000\n"));
	check_promise("a control group's quota, rounded up, is the most");
	return check_done();
}
