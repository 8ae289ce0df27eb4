/* The operator of samples/expensive.cl as one would write its scan by hand, to compare with. A file of f64 is read and
 * its inclusive scan written by all threads of OpenMP, in the textbook's two passes: each thread combines its part to
 * a total, one of them scans the totals, each scans its part from what comes before it.
 *
 *     openmp   within its part a thread combines one element after the other
 *     vectors  a thread's part is 64 runs, which are done side by side in vectors
 *
 * Usage: expensive_peer [-i ITERATIONS] openmp|vectors IN OUT; without iterations (0 instead of 250) it is a running
 * sum. */
#include <errno.h>
#include <fcntl.h>
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define VECTOR_BYTES 64
#define VECTOR_DOUBLES (VECTOR_BYTES / sizeof(double))
#define VECTORS 8
#define LANES (VECTORS * VECTOR_DOUBLES)
/* So many elements of every run are fetched at once: a line of the cache. */
#define STEPS 8

typedef double vector __attribute__((vector_size(VECTOR_BYTES)));

/* Element j of LANES runs. */
struct step {
	vector v[VECTORS];
};

struct work {
	int in, out;
	double *numbers;
	size_t count;
	size_t lanes; /* of a thread */
	size_t run; /* elements of a lane; what is left goes after the last one */
	double *totals; /* of all lanes of all threads, then what comes before them */
	int iterations;
	bool failed;
};

static double combine(double a, double b, int iterations)
{
	for (int i = 0; i < iterations; i++) {
		a = a * a - 0.5 * a + 0.1;
		b = b * b - 0.5 * b + 0.1;
	}
	return a + b;
}

/* The same in every lane: later becomes both. */
static void combine_step(const struct step *earlier, struct step *later, int iterations)
{
	struct step a = *earlier;
	struct step b = *later;
	for (int i = 0; i < iterations; i++) {
#pragma GCC unroll 8
		for (size_t k = 0; k < VECTORS; k++) {
			a.v[k] = a.v[k] * a.v[k] - 0.5 * a.v[k] + 0.1;
			b.v[k] = b.v[k] * b.v[k] - 0.5 * b.v[k] + 0.1;
		}
	}
#pragma GCC unroll 8
	for (size_t k = 0; k < VECTORS; k++)
		later->v[k] = a.v[k] + b.v[k];
}

/* Scans count numbers in place, or only takes them into *before. */
static void scan_plain(const struct work *w, double *numbers, size_t count, double *before, bool has_before, bool write)
{
	for (size_t i = 0; i < count; i++) {
		*before = has_before ? combine(*before, numbers[i], w->iterations) : numbers[i];
		has_before = true;
		if (write)
			numbers[i] = *before;
	}
}

/* The same with LANES runs of numbers. lane_0_has_before: the others always have, or (neither) none has. */
static void scan_vectors(const struct work *w, double *numbers, struct step *before, bool has_before,
			 bool lane_0_has_before, bool write)
{
	struct step steps[STEPS];
	for (size_t first = 0; first < w->run; first += STEPS) {
		const size_t count = w->run - first < STEPS ? w->run - first : STEPS;
		for (size_t lane = 0; lane < LANES; lane++) {
			for (size_t j = 0; j < count; j++)
				steps[j].v[lane / VECTOR_DOUBLES][lane % VECTOR_DOUBLES] =
					numbers[lane * w->run + first + j];
		}
		for (size_t j = 0; j < count; j++) {
			const double lane_0 = steps[j].v[0][0];
			if (has_before || first + j > 0)
				combine_step(before, &steps[j], w->iterations);
			if (first + j == 0 && !lane_0_has_before)
				steps[j].v[0][0] = lane_0;
			*before = steps[j];
		}
		for (size_t lane = 0; lane < LANES && write; lane++) {
			for (size_t j = 0; j < count; j++)
				numbers[lane * w->run + first + j] =
					steps[j].v[lane / VECTOR_DOUBLES][lane % VECTOR_DOUBLES];
		}
	}
}

/* One pass over a thread's lanes, of which totals are the first one's: they become the totals, or were what comes
 * before. */
static void scan_part(const struct work *w, size_t thread, double *totals, bool write)
{
	double *numbers = w->numbers + thread * w->lanes * w->run;
	const bool lane_0_has_before = write && thread > 0;
	struct step before = {0};
	if (w->run == 0)
		return;
	if (w->lanes == 1) {
		scan_plain(w, numbers, w->run, totals, lane_0_has_before, write);
		return;
	}
	for (size_t lane = 0; lane < LANES; lane++)
		before.v[lane / VECTOR_DOUBLES][lane % VECTOR_DOUBLES] = totals[lane];
	scan_vectors(w, numbers, &before, write, lane_0_has_before, write);
	for (size_t lane = 0; lane < LANES; lane++)
		totals[lane] = before.v[lane / VECTOR_DOUBLES][lane % VECTOR_DOUBLES];
}

/* From totals to what comes before each; and what is after the last lane is scanned. */
static void fold(const struct work *w, size_t lanes)
{
	double *rest = w->numbers + lanes * w->run;
	double before = 0;
	for (size_t k = 0; k < lanes && w->run > 0; k++) {
		const double total = w->totals[k];
		w->totals[k] = before;
		before = k > 0 ? combine(before, total, w->iterations) : total;
	}
	scan_plain(w, rest, w->count - lanes * w->run, &before, w->run > 0, true);
}

/* Reads or writes numbers [first, end) at their place in the file. */
static bool transfer(const struct work *w, size_t first, size_t end, bool write)
{
	char *bytes = (char *)w->numbers;
	size_t at = first * sizeof(double);
	while (at < end * sizeof(double)) {
		const size_t left = end * sizeof(double) - at;
		const ssize_t got =
			write ? pwrite(w->out, bytes + at, left, (off_t)at) : pread(w->in, bytes + at, left, (off_t)at);
		if (got <= 0 && !(got < 0 && errno == EINTR))
			return false;
		at += got > 0 ? (size_t)got : 0;
	}
	return true;
}

static void run(struct work *w, size_t threads)
{
	bool failed = false;
	w->run = w->count / (threads * w->lanes);
#pragma omp parallel num_threads((int)threads) reduction(|| : failed)
	{
		const size_t thread = (size_t)omp_get_thread_num();
		const size_t part = w->run * w->lanes;
		const size_t first = thread * part;
		const size_t end = thread + 1 < threads ? first + part : w->count;
		double *totals = w->totals + thread * w->lanes;
		failed = !transfer(w, first, end, false);
		scan_part(w, thread, totals, false);
#pragma omp barrier
#pragma omp single
		fold(w, threads * w->lanes);
		scan_part(w, thread, totals, true);
		failed = !transfer(w, first, end, true) || failed;
	}
	w->failed = failed;
}

static bool open_files(struct work *w, const char *in, const char *out)
{
	struct stat st;
	w->in = open(in, O_RDONLY);
	w->out = open(out, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (w->in < 0 || w->out < 0 || fstat(w->in, &st) != 0)
		return false;
	w->count = (size_t)st.st_size / sizeof(double);
	/* A file of the whole size, so that threads write into it anywhere; of a device that is none and need not
	 * be. */
	if (ftruncate(w->out, (off_t)(w->count * sizeof(double))) != 0 && errno != EINVAL)
		return false;
	return posix_memalign((void **)&w->numbers, 4096, w->count * sizeof(double) + 1) == 0;
}

int main(int argc, char **argv)
{
	struct work w = {.iterations = 250};
	const size_t threads = (size_t)omp_get_max_threads();
	int option;
	while ((option = getopt(argc, argv, "i:")) == 'i')
		w.iterations = atoi(optarg);
	if (option != -1 || argc - optind != 3 ||
	    (strcmp(argv[optind], "openmp") != 0 && strcmp(argv[optind], "vectors") != 0)) {
		(void)fputs("usage: expensive_peer [-i ITERATIONS] openmp|vectors IN OUT\n", stderr);
		return 2;
	}
	w.lanes = strcmp(argv[optind], "vectors") == 0 ? LANES : 1;
	w.totals = calloc(threads * w.lanes, sizeof *w.totals);
	w.failed = w.totals == NULL || !open_files(&w, argv[optind + 1], argv[optind + 2]);
	if (!w.failed)
		run(&w, threads);
	if (w.failed)
		perror("expensive_peer");
	free(w.numbers);
	free(w.totals);
	return w.failed || close(w.out) != 0 ? 3 : 0;
}
