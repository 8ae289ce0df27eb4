/* The host's rows on one core: totals and results of a chunk that stays in the second-level cache, through the host's
 * engine. Prints gigabytes of input a second, medians of REPEATS measurements.
 *
 *     build/bench/rows [NAME]      only the rows whose name contains NAME
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device/engine.h"
#include "scan/row.h"
#include "number/type.h"

#define CHUNK_BYTES ((size_t)256 << 10)
#define REPEATS 11
#define MEASURE_NS 3e6

static union {
	unsigned char bytes[CHUNK_BYTES];
	union value align;
} input;
static unsigned char output[CHUNK_BYTES * sizeof(uint64_t)] __attribute__((aligned(64)));
static unsigned char totals[CHUNK_BYTES], carry_in[CHUNK_BYTES];

struct bench {
	struct engine *engine;
	const struct row *row;
	size_t count;
};

/* The processor's time: other programs may run beside. */
static double now_ns(void)
{
	struct timespec t;
	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static struct lane_work work_of(const struct bench *b)
{
	return (struct lane_work){
		.in = input.bytes, .count = b->count, .totals = totals, .carry_in = carry_in, .out = output};
}

static void run_totals(const struct bench *b)
{
	struct engine *e = b->engine;
	struct lane_work work = work_of(b);
	if (e->class->begin(e, SWEEP_TOTALS, 0, &work) != STATUS_OK ||
	    e->class->finish(e, SWEEP_TOTALS, 0, NULL) != STATUS_OK)
		exit(EXIT_FAILURE);
}

static void run_results(const struct bench *b)
{
	struct engine *e = b->engine;
	struct lane_work work = work_of(b);
	struct span spans[STAGE_COUNT];
	work.totals_known = true;
	if (e->class->begin(e, SWEEP_RESULTS, 0, &work) != STATUS_OK ||
	    e->class->finish(e, SWEEP_RESULTS, 0, spans) != STATUS_OK || work.first_bad != SIZE_MAX)
		exit(EXIT_FAILURE);
}

static void run_both(const struct bench *b)
{
	union cursor cursor = {{0}};
	run_totals(b);
	(void)b->row->code->fold(&cursor, totals, (b->count + GRID_TILE - 1) / GRID_TILE, carry_in);
	run_results(b);
}

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a;
	const double y = *(const double *)b;
	return (x > y) - (x < y);
}

static double gigabytes_per_second(void (*pass)(const struct bench *b), const struct bench *b)
{
	double rates[REPEATS];
	for (int i = 0; i < REPEATS; i++) {
		unsigned long passes = 0;
		const double start = now_ns();
		double end = start;
		for (; end - start < MEASURE_NS; end = now_ns()) {
			pass(b);
			passes++;
		}
		rates[i] = (double)passes * (double)CHUNK_BYTES / (end - start);
	}
	qsort(rates, REPEATS, sizeof rates[0], compare);
	return rates[REPEATS / 2];
}

/* Values so small that no sum of a chunk leaves any type that can hold it. */
static void fill(const struct type *t)
{
	const size_t count = CHUNK_BYTES / t->size;
	uint32_t random = 1;
	memset(input.bytes, 0, sizeof input.bytes);
	for (size_t i = 0; i < count; i++) {
		random = random * 1664525 + 1013904223;
		const uint32_t x = t->size <= 2 ? i % (count / 64) == 0 : random >> 20;
		if (t->id == TYPE_F32)
			((float *)(void *)input.bytes)[i] = (float)x / 16;
		else if (t->id == TYPE_F64)
			((double *)(void *)input.bytes)[i] = (double)x / 16;
		else
			memcpy(&input.bytes[i * t->size], &x, t->size < sizeof x ? t->size : sizeof x);
	}
}

static void measure(struct engine *engine, enum operator_id op, enum type_id in, enum type_id acc, bool checked,
		    const char *filter)
{
	struct row row;
	char name[64];
	(void)snprintf(name, sizeof name, "%s %s%s%s%s", operator_table[op].name, type_table[in].name,
		       in == acc ? "" : ":", in == acc ? "" : type_table[acc].name, checked ? " checked" : "");
	if (strstr(name, filter) == NULL ||
	    !row_find(&row, &operator_table[op], &type_table[in], &type_table[acc], checked, false, ALGORITHM_BLELLOCH))
		return;
	if (engine->class->set_row(engine, 0, &row) != STATUS_OK)
		exit(EXIT_FAILURE);
	const struct bench b = {engine, &row, CHUNK_BYTES / row.element.size};
	fill(&type_table[in]);
	run_both(&b);
	const double total_rate = gigabytes_per_second(run_totals, &b);
	const double result_rate = gigabytes_per_second(run_results, &b);
	const double both_rate = gigabytes_per_second(run_both, &b);
	(void)printf("%-20s %8.2f %8.2f %8.2f\n", name, total_rate, result_rate, both_rate);
	(void)fflush(stdout);
}

int main(int argc, char **argv)
{
	const char *filter = argc > 1 ? argv[1] : "";
	const struct engine_size size = {.channel_count = 1,
					 .lane_count = 1,
					 .elements = CHUNK_BYTES + GRID_TILE,
					 .element_max = sizeof(uint64_t)};
	struct engine *engine = engine_host_open(&size, NULL);
	if (engine == NULL)
		return EXIT_FAILURE;
	(void)printf("%-20s %8s %8s %8s\n", "GB/s of input", "totals", "results", "both");
	measure(engine, OPERATOR_SUM, TYPE_F32, TYPE_F32, false, filter);
	for (int op = 0; op < OPERATOR_ID_COUNT; op++) {
		for (int t = TYPE_F64; t >= 0; t--) {
			if (op != OPERATOR_SUM || t != TYPE_F32)
				measure(engine, (enum operator_id)op, (enum type_id)t, (enum type_id)t, false, filter);
			if (op == OPERATOR_SUM && t < TYPE_F32)
				measure(engine, (enum operator_id)op, (enum type_id)t, (enum type_id)t, true, filter);
		}
	}
	measure(engine, OPERATOR_SUM, TYPE_I32, TYPE_I64, true, filter);
	measure(engine, OPERATOR_SUM, TYPE_U8, TYPE_U64, true, filter);
	measure(engine, OPERATOR_SUM, TYPE_I64, TYPE_I32, true, filter);
	measure(engine, OPERATOR_SUM, TYPE_F32, TYPE_F64, true, filter);
	engine->class->close(engine);
	return EXIT_SUCCESS;
}
