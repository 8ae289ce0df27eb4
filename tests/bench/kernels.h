/* The parts of the kernels benchmark. */
#ifndef PSCAN_TESTS_KERNELS_H
#define PSCAN_TESTS_KERNELS_H

#include "bench.h"
#include "runner.h"

/* Compares all that the kernels write with the host's engine, bit for bit, for rows of every width, at sizes around
 * runs and tiles. Prints one line. False if anything differs. */
bool kernels_check(struct runner *r);

/* Fills memory with numbers whose sums keep their magnitude, or (checked) stay in a type of four bytes. */
void kernels_fill(const struct type *type, bool checked, size_t bytes, void *elements);

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

/* The same for a program of a file, by the engine itself, in launches of this many elements, whole tiles: prints the
 * kernels (up-sweep, down-sweep, both) and the wall time with the fold and the transfers. The first results are
 * compared with those of the cursor. */
bool kernels_time_program(const struct bench_label *label, const char *device, const char *file, size_t elements,
			  size_t runs);

#endif
