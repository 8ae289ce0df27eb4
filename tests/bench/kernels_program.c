/* Launches are the engine's own (scanner.h), so nothing here knows what arguments the kernels take. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "kernels.h"
#include "scan/program.h"
#include "scanner.h"

#define WHATS 4

struct program_run {
	struct scanner scanner;
	struct program *program;
	size_t elements;
	unsigned char *in, *out;
};

/* Whether the results of the first tiles are those of the cursor, which takes elements in one by one. */
static bool results_match(struct program_run *p)
{
	const struct row *row = &p->scanner.row;
	const size_t tiles = p->elements / GRID_TILE < 2 ? 1 : 2;
	const size_t out_size = row->results.size;
	unsigned char *expected = memory_new(GRID_TILE * out_size);
	bool good = expected != NULL;
	p->scanner.cursor = (union cursor){{0}};
	for (size_t k = 0; k < tiles && good; k++) {
		struct cursor_work work = {.call = CURSOR_PUSH,
					   .cursor = &p->scanner.cursor,
					   .in = p->in + k * GRID_TILE * row->element.size,
					   .count = GRID_TILE,
					   .out = expected};
		good = p->scanner.engine->class->run_cursor(p->scanner.engine, 0, &work) == STATUS_OK &&
		       memcmp(expected, p->out + k * GRID_TILE * out_size, GRID_TILE * out_size) == 0;
	}
	if (!good)
		(void)fprintf(stderr, "kernels: %s: not the bits of the cursor\n", p->program->file);
	memory_free(expected);
	return good;
}

/* Seconds of the up-sweep, the down-sweep, both, and all there is to a scan. */
static bool run_once(struct program_run *p, double seconds[WHATS])
{
	struct span spans[STAGE_COUNT] = {0};
	const double begin = bench_now();
	if (!scanner_scan(&p->scanner, p->in, p->elements, p->out, spans))
		return false;
	seconds[3] = bench_now() - begin;
	seconds[0] = 1e-9 * (double)spans[STAGE_UP_SWEEP].busy_ns;
	seconds[1] = 1e-9 * (double)spans[STAGE_DOWN_SWEEP].busy_ns;
	seconds[2] = seconds[0] + seconds[1];
	return true;
}

static bool time_runs(struct program_run *p, const struct bench_label *label, size_t runs)
{
	static const char *const names[WHATS] = {"up-sweep", "down-sweep", "kernels", "scan"};
	static double seconds[WHATS][BENCH_RUNS_MAX];
	double once[WHATS];
	const struct row *row = &p->scanner.row;
	const size_t bytes = p->elements * row->element.size;
	bool good = run_once(p, once) && results_match(p) && run_once(p, once);
	for (size_t i = 0; i < runs && good; i++) {
		good = run_once(p, once);
		for (size_t k = 0; k < WHATS; k++)
			seconds[k][i] = once[k];
	}
	for (size_t k = 0; k < WHATS && good; k++) {
		const double median = bench_median(seconds[k], runs);
		bench_print_label(label);
		(void)printf("%s\t%s\t%zu\t%s\t%.9f\t%.3f\n", p->program->name, row->in->name, bytes, names[k], median,
			     (double)bytes / median * 1e-9);
	}
	return good;
}

bool kernels_time_program(const struct bench_label *label, const char *device, const char *file, size_t elements,
			  size_t runs)
{
	struct program_run p = {.elements = elements};
	if (program_read(file, &p.program) != STATUS_OK)
		return false;
	const size_t in_size = p.program->declared.element.size;
	const size_t out_size = p.program->declared.results.size;
	const struct scanner_need need = {.device = device,
					  .chunk = elements,
					  .element_max = in_size > out_size ? in_size : out_size,
					  .profile = true};
	p.in = memory_new(elements * in_size);
	p.out = memory_new(elements * out_size);
	bool good = p.in != NULL && p.out != NULL && scanner_open(&p.scanner, &need);
	if (good) {
		memset(p.in, 0, elements * in_size);
		kernels_fill(p.program->declared.element.numbers[0].type, false, elements * in_size, p.in);
		good = scanner_set_program(&p.scanner, p.program) && time_runs(&p, label, runs);
	}
	scanner_close(&p.scanner);
	memory_free(p.in);
	memory_free(p.out);
	program_free(p.program);
	return good;
}
