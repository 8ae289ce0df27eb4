/* The parts of the kernels benchmark. */
#ifndef PSCAN_TESTS_KERNELS_H
#define PSCAN_TESTS_KERNELS_H

#include "bench.h"
#include "runner.h"

/* Compares all that the kernels write with the host's engine, bit for bit, for rows of every width, at sizes around
 * runs and tiles. Prints one line. False if anything differs. */
bool kernels_check(struct runner *r);

/* What is timed. */
struct timing {
	struct bench_label label;
	size_t bytes; /* of elements in all */
	size_t launch_bytes; /* of elements a launch, at most bytes */
	size_t runs;
	const void *in, *expected; /* the elements, and their results by the host */
	void *out; /* room for the results */
};

/* Times the launches of the runner's row over all the elements, checks the results and prints rows: the kernels alone
 * (up-sweep, down-sweep, both), what is between them (totals read, fold, prefixes written), the sum of all that, and
 * the wall time of the same work with three launches under way. */
bool kernels_time(struct runner *r, const struct timing *t);

#endif
