/* How long one scan by an expensive operator takes, by algorithm and device: curves of time over size, as curves.c has
 * them for a running sum. The host has no code for a program, so samples/expensive.cl is compiled here as C, for these
 * algorithms over whole arrays:
 *
 *     naive          result i is combined from scratch, O(n^2)
 *     sequential     every result is the one before combined with an element
 *     hillis-steele  log2 n passes of n combines, each on a copy of the array
 *     blelloch       up-sweep and down-sweep of a tree over the array, 2 n combines (inclusive: no identity is needed)
 *
 * Each runs on one thread and, if its combines are independent, on all. On a device the program's own engine scans,
 * with upload and download. Before anything is timed, results are compared with a sequential loop, and the algorithms
 * also with sums of integers. A curve ends after the first point that takes longer than SECONDS. Usage: expensive [-D
 * none|SPEC] [-f FILE] [-m EXPONENT] [-l SECONDS] [-d DATE] [-g COMMIT], where FILE is samples/expensive.cl. The
 * columns are those of curves. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "bench.h"
#include "device/opencl.h"
#include "device/opencl_engine.h"
#include "scan/program.h"
#include "scanner.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#include "../../samples/expensive.cl"
#pragma GCC diagnostic pop

#define EXPONENT_MAX 28
#define RUNS 5

typedef state combine_function(state earlier, state later);

/* One scan; what bench_measure runs. */
struct work {
	void (*algorithm)(struct work *w); /* NULL: the scanner's */
	struct scanner *scanner;
	combine_function *combine;
	int threads;
	const state *in;
	size_t n;
	state *out, *other; /* n states each */
};

struct algorithm_name {
	const char *name;
	void (*algorithm)(struct work *w);
	bool is_parallel;
};

struct options {
	const char *device, *file;
	unsigned exponent_max;
	double seconds_max;
	struct bench_label label;
};

static state add(state earlier, state later)
{
	return (state){earlier.x + later.x};
}

static void naive(struct work *w)
{
	for (size_t i = 0; i < w->n; i++) {
		state s = w->in[0];
		for (size_t j = 1; j <= i; j++)
			s = w->combine(s, w->in[j]);
		w->out[i] = s;
	}
}

static void sequential(struct work *w)
{
	w->out[0] = w->in[0];
	for (size_t i = 1; i < w->n; i++)
		w->out[i] = w->combine(w->out[i - 1], w->in[i]);
}

static void hillis_steele(struct work *w)
{
	const state *from = w->in;
	const size_t n = w->n;
	for (size_t d = 1; d < n; d *= 2) {
		state *to = from == w->out ? w->other : w->out;
		memcpy(to, from, d * sizeof *to);
#pragma omp parallel for num_threads(w->threads) if (w->threads > 1)
		for (size_t i = d; i < n; i++)
			to[i] = w->combine(from[i - d], from[i]);
		from = to;
	}
	if (from != w->out)
		memcpy(w->out, from, n * sizeof *from);
}

static void blelloch(struct work *w)
{
	state *x = w->out;
	const size_t n = w->n;
	size_t d = 1;
	memcpy(x, w->in, n * sizeof *x);
	for (; 2 * d <= n; d *= 2) {
#pragma omp parallel for num_threads(w->threads) if (w->threads > 1)
		for (size_t i = 2 * d - 1; i < n; i += 2 * d)
			x[i] = w->combine(x[i - d], x[i]);
	}
	for (; d >= 1; d /= 2) {
#pragma omp parallel for num_threads(w->threads) if (w->threads > 1)
		for (size_t i = 3 * d - 1; i < n; i += 2 * d)
			x[i] = w->combine(x[i - d], x[i]);
	}
}

static const struct algorithm_name algorithms[] = {
	{"naive", naive, false},
	{"sequential", sequential, false},
	{"hillis-steele", hillis_steele, true},
	{"blelloch", blelloch, true},
};

static bool run_work(void *context)
{
	struct work *w = context;
	if (w->algorithm == NULL)
		return scanner_scan(w->scanner, w->in, w->n, w->out, NULL);
	w->algorithm(w);
	return true;
}

/* Small integers: their sums are exact. */
static bool sums_are_right(const struct work *work)
{
	struct work w = *work;
	state *in = memory_new(w.n * sizeof *in);
	bool good = in != NULL;
	double sum = 0;
	for (size_t i = 0; i < w.n && good; i++)
		in[i].x = (double)(i % 1000);
	w.in = in;
	w.combine = add;
	good = good && run_work(&w);
	for (size_t i = 0; i < w.n && good; i++)
		good = w.out[i].x == (sum += (double)(i % 1000));
	memory_free(in);
	return good;
}

/* Scans untimed, and checks the results: as far as sequential ones are worth their time, and after that that nothing
 * changes any more. */
static bool check(const char *name, struct work *w)
{
	const size_t compared = w->n < 4096 ? w->n : 4096;
	bool good = w->algorithm == NULL || sums_are_right(w);
	memset(w->out, 0xff, w->n * sizeof *w->out);
	good = good && run_work(w);
	double expected = w->in[0].x;
	for (size_t i = 0; i < w->n && good; i++) {
		if (i > 0 && i < compared)
			expected = combine((state){expected}, w->in[i]).x;
		good = fabs(w->out[i].x - expected) <= 1e-12 * fabs(expected);
	}
	if (!good)
		(void)fprintf(stderr, "expensive: %s of %zu: wrong\n", name, w->n);
	return good;
}

/* One curve. */
static bool draw(const struct options *o, const char *name, struct work *w)
{
	const struct bench_effort effort = {.runs = RUNS, .seconds = 0, .seconds_max = 100 * o->seconds_max};
	for (unsigned e = 4; e <= o->exponent_max; e++) {
		struct bench_result result;
		w->n = (size_t)1 << e;
		if (!check(name, w) || !bench_measure(&effort, run_work, w, &result))
			return false;
		bench_print_point(&o->label, name, w->n, "f64", &result);
		if (result.least > o->seconds_max)
			break;
	}
	return true;
}

static bool draw_host(const struct options *o, struct work *w)
{
	const int threads = omp_get_max_threads();
	bool good = true;
	for (size_t i = 0; i < sizeof algorithms / sizeof algorithms[0] && good; i++) {
		char name[64];
		w->algorithm = algorithms[i].algorithm;
		w->threads = 1;
		good = draw(o, algorithms[i].name, w);
		w->threads = threads;
		(void)snprintf(name, sizeof name, "%s, %d threads", algorithms[i].name, threads);
		if (algorithms[i].is_parallel && threads > 1)
			good = good && draw(o, name, w);
	}
	return good;
}

static bool draw_device(struct options *o, struct work *w)
{
	struct opencl_device device;
	struct program *program = NULL;
	struct scanner scanner = {0};
	bool found = false;
	const struct scanner_need need = {
		.device = o->device, .chunk = ((size_t)4 << 20) / sizeof(state), .element_max = sizeof(state)};
	opencl_engine_prepare(true);
	bool good = program_read(o->file, &program) == STATUS_OK && (found = bench_choose_device(o->device, &device)) &&
		    scanner_open(&scanner, &need) && scanner_set_program(&scanner, program);
	o->label.device = found ? device.name : "-";
	w->scanner = &scanner;
	good = good && draw(o, "pscan", w);
	scanner_close(&scanner);
	program_free(program);
	opencl_engine_end();
	return good;
}

static bool parse_options(int argc, char **argv, struct options *o)
{
	int option;
	while ((option = getopt(argc, argv, "D:f:m:l:d:g:")) != -1) {
		switch (option) {
		case 'D':
			o->device = optarg;
			break;
		case 'f':
			o->file = optarg;
			break;
		case 'm':
			o->exponent_max = (unsigned)strtoul(optarg, NULL, 10);
			break;
		case 'l':
			o->seconds_max = strtod(optarg, NULL);
			break;
		case 'd':
			o->label.date = optarg;
			break;
		case 'g':
			o->label.commit = optarg;
			break;
		default:
			return false;
		}
	}
	return optind == argc && o->exponent_max <= EXPONENT_MAX;
}

int main(int argc, char **argv)
{
	struct options o = {.device = "none",
			    .file = "samples/expensive.cl",
			    .exponent_max = 24,
			    .seconds_max = 0.5,
			    .label = {.machine = bench_machine(), .device = "host", .date = "-", .commit = "-"}};
	if (!parse_options(argc, argv, &o)) {
		(void)fputs(
			"usage: expensive [-D none|SPEC] [-f FILE] [-m EXPONENT] [-l SECONDS] [-d DATE] [-g COMMIT]\n",
			stderr);
		return 2;
	}
	const size_t n = (size_t)1 << o.exponent_max;
	state *memory = memory_new(3 * n * sizeof *memory);
	struct work w = {.combine = combine, .in = memory};
	uint32_t random = 2463534242;
	bool good = memory != NULL;
	for (size_t i = 0; i < n && good; i++)
		memory[i].x = bench_random(&random) * 0x1p-32;
	if (good) {
		w.out = memory + n;
		w.other = memory + 2 * n;
		good = strcmp(o.device, "none") == 0 ? draw_host(&o, &w) : draw_device(&o, &w);
	}
	memory_free(memory);
	return good ? 0 : 1;
}
