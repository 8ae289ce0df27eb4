/* How long one scan in memory takes, from 16 elements up, by algorithm and device: the curves of time over size.
 *
 *     naive          result i is summed from scratch, O(n^2); a plain loop in this file
 *     sequential     every result is the one before plus an element; a plain loop in this file
 *     hillis-steele, blelloch
 *                    a row of the program with that algorithm in the tile, through the engine: chunks, channels, fold;
 *                    on a device with upload and download
 *
 * Integers are compared with the plain loop, floats with a sum in double, and a device bit for bit with the host's
 * engine, before anything is timed. Usage: curves [-D none|SPEC] [-t f32|i32] [-m EXPONENT] [-a ALGORITHM] [-c CHUNK]
 * [-l SECONDS] [-b SECONDS] [-d DATE] [-g COMMIT]. The columns are machine, device, date, commit, algorithm, n,
 * seconds, type, runs, and the least and the greatest seconds of a run. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "bench.h"
#include "device/opencl.h"
#include "scanner.h"

#define EXPONENT_MIN 4
#define EXPONENT_MAX 30

struct algorithm_name {
	const char *name;
	bool plain; /* a loop of this file */
	enum algorithm algorithm; /* of a row */
};

static const struct algorithm_name algorithms[] = {
	{"naive", true, 0},
	{"sequential", true, 0},
	{"hillis-steele", false, ALGORITHM_HILLIS_STEELE},
	{"blelloch", false, ALGORITHM_BLELLOCH},
};

struct options {
	const char *device; /* "none" or a SPEC of the program */
	const char *algorithm; /* NULL: all */
	const struct type *type;
	unsigned exponent_max;
	size_t chunk_bytes; /* 0: one chunk, whatever n */
	double naive_seconds; /* an algorithm's curve ends behind the first run of naive that takes longer */
	double budget_seconds; /* for all runs of a point */
	struct bench_label label;
};

/* One scan; what bench_measure runs. */
struct work {
	struct scanner *scanner; /* NULL: run plain */
	void (*plain)(const void *in, size_t n, void *out);
	const void *in;
	size_t n;
	void *out;
};

static bool run_work(void *context)
{
	const struct work *w = context;
	if (w->scanner != NULL)
		return scanner_scan(w->scanner, w->in, w->n, w->out, NULL);
	w->plain(w->in, w->n, w->out);
	return true;
}

static void naive_f32(const void *in, size_t n, void *out)
{
	const float *x = in;
	float *result = out;
	for (size_t i = 0; i < n; i++) {
		float sum = x[0];
		for (size_t j = 1; j <= i; j++)
			sum += x[j];
		result[i] = sum;
	}
}

static void naive_i32(const void *in, size_t n, void *out)
{
	const uint32_t *x = in;
	uint32_t *result = out;
	for (size_t i = 0; i < n; i++) {
		uint32_t sum = x[0];
		for (size_t j = 1; j <= i; j++)
			sum += x[j];
		result[i] = sum;
	}
}

static void loop_f32(const void *in, size_t n, void *out)
{
	const float *x = in;
	float *result = out;
	float sum = 0;
	for (size_t i = 0; i < n; i++)
		result[i] = sum += x[i];
}

static void loop_i32(const void *in, size_t n, void *out)
{
	const uint32_t *x = in;
	uint32_t *result = out;
	uint32_t sum = 0;
	for (size_t i = 0; i < n; i++)
		result[i] = sum += x[i];
}

/* f32: uniform in [0, 1), all multiples of 2^-24; i32: all values, so that sums wrap. */
static void fill(const struct type *type, size_t n, void *elements)
{
	float *f = elements;
	uint32_t *u = elements;
	uint32_t state = 2463534242;
	for (size_t i = 0; i < n; i++) {
		const uint32_t random = bench_random(&state);
		if (type->id == TYPE_F32)
			f[i] = (float)(random >> 8) * 0x1p-24f;
		else
			u[i] = random;
	}
}

/* The first index at which out is no inclusive sum of in, or n. A float may be wrong by half an ulp of the sum for each
 * addition in a row: of a plain loop as many as there are elements, of the grid no more than a tile has. */
static size_t first_wrong(const struct type *type, bool plain, const void *in, size_t n, const void *out)
{
	const float *f = in;
	const float *f_out = out;
	const uint32_t *u = in;
	const uint32_t *u_out = out;
	double f_sum = 0;
	uint32_t u_sum = 0;
	for (size_t i = 0; i < n; i++) {
		if (type->id != TYPE_F32) {
			u_sum += u[i];
			if (u_out[i] != u_sum)
				return i;
			continue;
		}
		f_sum += (double)f[i];
		const size_t additions = plain || i < GRID_TILE ? i + 1 : GRID_TILE + 2;
		if (!(fabs((double)f_out[i] - f_sum) <= f_sum * (double)additions * 0x1p-24))
			return i;
	}
	return n;
}

/* The buffers and engines of a run of the program. */
struct bench {
	const struct options *options;
	void *in, *out, *expected;
	struct scanner host, device;
};

/* Scans n elements untimed, and checks the results. */
static bool check(struct bench *b, const struct algorithm_name *a, struct work *w)
{
	const struct type *type = b->options->type;
	memset(w->out, 0xff, w->n * type->size);
	if (!run_work(w))
		return false;
	const size_t wrong = first_wrong(type, a->plain, w->in, w->n, w->out);
	if (wrong != w->n) {
		(void)fprintf(stderr, "curves: %s of %zu: result %zu is wrong\n", a->name, w->n, wrong);
		return false;
	}
	if (w->scanner != &b->device)
		return true;
	struct work on_host = *w;
	on_host.scanner = &b->host;
	on_host.out = b->expected;
	if (!run_work(&on_host))
		return false;
	if (memcmp(b->expected, w->out, w->n * type->size) != 0) {
		(void)fprintf(stderr, "curves: %s of %zu: not the bits of the host\n", a->name, w->n);
		return false;
	}
	return true;
}

static bool set_row(struct bench *b, const struct algorithm_name *a, struct scanner *s)
{
	const struct type *type = b->options->type;
	struct row row;
	return row_find(&row, operator_find("sum"), type, type, false, false, a->algorithm) && scanner_set_row(s, &row);
}

/* One algorithm's curve. */
static bool draw(struct bench *b, const struct algorithm_name *a)
{
	const struct options *o = b->options;
	const bool host = strcmp(o->device, "none") == 0;
	const bool naive = strcmp(a->name, "naive") == 0;
	const bool f32 = o->type->id == TYPE_F32;
	const struct bench_effort effort = {.runs = 5, .seconds = 0.02, .seconds_max = o->budget_seconds};
	struct work w = {.in = b->in, .out = b->out};
	if (a->plain) {
		if (!host)
			return true;
		if (naive)
			w.plain = f32 ? naive_f32 : naive_i32;
		else
			w.plain = f32 ? loop_f32 : loop_i32;
	} else {
		w.scanner = host ? &b->host : &b->device;
		if (!set_row(b, a, &b->host) || (!host && !set_row(b, a, &b->device)))
			return false;
	}
	for (unsigned e = EXPONENT_MIN; e <= o->exponent_max; e++) {
		struct bench_result result;
		w.n = (size_t)1 << e;
		if (!check(b, a, &w) || !bench_measure(&effort, run_work, &w, &result))
			return false;
		bench_print_point(&o->label, a->name, w.n, o->type->name, &result);
		if (naive && result.seconds > o->naive_seconds)
			break;
	}
	return true;
}

static bool parse_options(int argc, char **argv, struct options *o)
{
	int option;
	while ((option = getopt(argc, argv, "D:t:m:a:c:l:b:d:g:")) != -1) {
		bool ordered, swapped;
		switch (option) {
		case 'D':
			o->device = optarg;
			break;
		case 't':
			o->type = type_parse(optarg, strlen(optarg), &ordered, &swapped);
			break;
		case 'm':
			o->exponent_max = (unsigned)strtoul(optarg, NULL, 10);
			break;
		case 'a':
			o->algorithm = optarg;
			break;
		case 'c':
			if (!bench_parse_size(optarg, &o->chunk_bytes))
				return false;
			break;
		case 'l':
			o->naive_seconds = strtod(optarg, NULL);
			break;
		case 'b':
			o->budget_seconds = strtod(optarg, NULL);
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
	return optind == argc && o->type != NULL && (o->type->id == TYPE_F32 || o->type->id == TYPE_I32) &&
	       o->exponent_max >= EXPONENT_MIN && o->exponent_max <= EXPONENT_MAX &&
	       o->chunk_bytes % (GRID_TILE * sizeof(uint32_t)) == 0;
}

static bool name_device(struct options *o, struct opencl_device *device)
{
	o->label.device = "host";
	if (strcmp(o->device, "none") == 0)
		return true;
	const bool found = bench_choose_device(o->device, device);
	o->label.device = device->name;
	return found;
}

int main(int argc, char **argv)
{
	struct options o = {.device = "none",
			    .type = &type_table[TYPE_F32],
			    .exponent_max = 28,
			    .chunk_bytes = (size_t)4 << 20,
			    .naive_seconds = 2,
			    .budget_seconds = 20,
			    .label = {.machine = bench_machine(), .date = "-", .commit = "-"}};
	struct opencl_device device;
	if (!parse_options(argc, argv, &o)) {
		(void)fputs("usage: curves [-D none|SPEC] [-t f32|i32] [-m EXPONENT] [-a ALGORITHM] [-c CHUNK]"
			    " [-l SECONDS] [-b SECONDS] [-d DATE] [-g COMMIT]\n",
			    stderr);
		return 2;
	}
	struct bench b = {.options = &o};
	const bool host = strcmp(o.device, "none") == 0;
	const size_t n = (size_t)1 << o.exponent_max;
	struct scanner_need need = {.device = "none",
				    .chunk = o.chunk_bytes != 0 ? o.chunk_bytes / sizeof(uint32_t) : n,
				    .element_max = sizeof(uint32_t)};
	bool good = scanner_open(&b.host, &need);
	need.device = o.device;
	good = good && (host || scanner_open(&b.device, &need)) && name_device(&o, &device);
	b.in = memory_new(n * sizeof(uint32_t));
	b.out = memory_new(n * sizeof(uint32_t));
	b.expected = memory_new(n * sizeof(uint32_t));
	good = good && b.in != NULL && b.out != NULL && b.expected != NULL;
	if (good)
		fill(o.type, n, b.in);
	for (size_t i = 0; good && i < sizeof algorithms / sizeof algorithms[0]; i++) {
		if (o.algorithm == NULL || strcmp(o.algorithm, algorithms[i].name) == 0)
			good = draw(&b, &algorithms[i]);
	}
	scanner_close(&b.device);
	scanner_close(&b.host);
	memory_free(b.in);
	memory_free(b.out);
	memory_free(b.expected);
	return good ? 0 : 1;
}
