#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "device/opencl.h"

/* What is shorter is run several times between two looks at the clock. */
#define BATCH_SECONDS 50e-6

double bench_now(void)
{
	struct timespec t;
	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare_doubles(const void *a, const void *b)
{
	const double x = *(const double *)a;
	const double y = *(const double *)b;
	return (x > y) - (x < y);
}

double bench_median(double *values, size_t count)
{
	qsort(values, count, sizeof *values, compare_doubles);
	return count % 2 == 1 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* How many runs make a batch that takes long enough for the clock. */
static bool choose_batch(bool (*run)(void *context), void *context, size_t *batch)
{
	*batch = 1;
	for (;;) {
		const double begin = bench_now();
		for (size_t i = 0; i < *batch; i++) {
			if (!run(context))
				return false;
		}
		if (bench_now() - begin >= BATCH_SECONDS)
			return true;
		*batch *= 2;
	}
}

bool bench_measure(const struct bench_effort *effort, bool (*run)(void *context), void *context,
		   struct bench_result *result)
{
	double seconds[BENCH_RUNS_MAX];
	double total = 0;
	size_t runs = 0;
	size_t batch;
	if (!choose_batch(run, context, &batch))
		return false;
	while (runs < BENCH_RUNS_MAX && (runs < effort->runs || total < effort->seconds) &&
	       (runs == 0 || total < effort->seconds_max)) {
		const double begin = bench_now();
		for (size_t i = 0; i < batch; i++) {
			if (!run(context))
				return false;
		}
		const double passed = bench_now() - begin;
		seconds[runs++] = passed / (double)batch;
		total += passed;
	}
	const double median = bench_median(seconds, runs); /* (sorts) */
	*result = (struct bench_result){
		.seconds = median, .least = seconds[0], .greatest = seconds[runs - 1], .runs = runs * batch};
	return true;
}

const char *bench_machine(void)
{
	static char line[256];
	FILE *f = fopen("/proc/cpuinfo", "r");
	const char *model = "unknown";
	while (f != NULL && fgets(line, sizeof line, f) != NULL) {
		char *value = strchr(line, ':');
		if (strncmp(line, "model name", strlen("model name")) == 0 && value != NULL) {
			line[strcspn(line, "\n")] = '\0';
			model = value + 1 + (value[1] == ' ');
			break;
		}
	}
	if (f != NULL)
		(void)fclose(f);
	return model;
}

void bench_print_label(const struct bench_label *label)
{
	(void)printf("%s\t%s\t%s\t%s\t", label->machine, label->device, label->date, label->commit);
}

void bench_print_point(const struct bench_label *label, const char *algorithm, size_t n, const char *type,
		       const struct bench_result *result)
{
	bench_print_label(label);
	(void)printf("%s\t%zu\t%.9f\t%s\t%zu\t%.9f\t%.9f\n", algorithm, n, result->seconds, type, result->runs,
		     result->least, result->greatest);
	(void)fflush(stdout);
}

bool bench_parse_size(const char *text, size_t *size)
{
	char *end;
	const unsigned long long number = strtoull(text, &end, 10);
	const char *suffixes = "KMG";
	const char *suffix = *end != '\0' ? strchr(suffixes, *end) : NULL;
	if (end == text || (*end != '\0' && (suffix == NULL || end[1] != '\0')))
		return false;
	*size = (size_t)number << (suffix != NULL ? 10 * (suffix - suffixes + 1) : 0);
	return true;
}

uint32_t bench_random(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

bool bench_choose_device(const char *spec, struct opencl_device *chosen)
{
	struct opencl_device *devices;
	size_t count;
	cl_int code;
	if (opencl_choose_devices(spec, &devices, &count, &code) != STATUS_OK)
		return false;
	if (count > 0)
		*chosen = devices[0];
	memory_free(devices);
	return count > 0;
}
