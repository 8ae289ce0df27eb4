/* What the benchmark programs share: time, repetitions, names, options. They print rows of tab-separated values, with
 * the machine, the device, the date and the commit first; date and commit are options, a program does not ask for
 * them. */
#ifndef PSCAN_TESTS_BENCH_H
#define PSCAN_TESTS_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most measurements that are made; each is of one run, or of a batch of short ones. */
#define BENCH_RUNS_MAX 1000

/* The first columns of every row. Borrowed texts. */
struct bench_label {
	const char *machine;
	const char *device;
	const char *date;
	const char *commit;
};

/* How often something is run. */
struct bench_effort {
	size_t runs; /* at least, at most BENCH_RUNS_MAX */
	double seconds; /* at least, all runs together */
	double seconds_max; /* no further run once this has passed, even if the runs are fewer than asked for */
};

struct bench_result {
	double seconds; /* of one run: the median */
	double least, greatest; /* of the same */
	size_t runs; /* all of them */
};

/* Seconds since some moment; monotonic. */
double bench_now(void);

/* Sorts values; the middle one, or the mean of the two in the middle. count is at least 1. */
double bench_median(double *values, size_t count);

/* Runs run(context) once or more to warm up, then times it as often as effort says. False, with *result untouched, if a
 * run returns false. */
bool bench_measure(const struct bench_effort *effort, bool (*run)(void *context), void *context,
		   struct bench_result *result);

/* The model of the first CPU in /proc/cpuinfo. Static memory; one thread. */
const char *bench_machine(void);

/* Prints the label's four columns, each with a tab behind it. */
void bench_print_label(const struct bench_label *label);

/* Prints a point of a curve of time over size: the label, then algorithm, n, seconds, type, runs, least and
 * greatest. */
void bench_print_point(const struct bench_label *label, const char *algorithm, size_t n, const char *type,
		       const struct bench_result *result);

struct opencl_device;
/* The first OpenCL device that `spec` names. False: there is none. */
bool bench_choose_device(const char *spec, struct opencl_device *chosen);

/* A decimal number of bytes with a suffix K, M or G (powers of 1024) or none. False if text is not such a number. */
bool bench_parse_size(const char *text, size_t *size);

/* The next of a sequence of pseudorandom numbers (xorshift, Marsaglia 2003); *state is not 0. */
uint32_t bench_random(uint32_t *state);

#endif
