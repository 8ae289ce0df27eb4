/* Rows of every width of element, state and result, staged and not, checked and not, and an operator whose operands
 * must not be swapped by accident more than once (sums of floats in tree order). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "device/engine.h"
#include "kernels.h"
#include "base/memory.h"

#define ELEMENTS_MAX ((size_t)20 * GRID_TILE)
#define WIDEST 16
#define NAN_PLACE ((size_t)17 * GRID_TILE + 1000)

struct check_case {
	const char *op;
	enum type_id in, acc;
	bool checked;
};

static const struct check_case cases[] = {
	{"sum", TYPE_F32, TYPE_F32, false}, {"sum", TYPE_F64, TYPE_F64, false},   {"sum", TYPE_I32, TYPE_I32, true},
	{"sum", TYPE_I32, TYPE_I64, false}, {"sum", TYPE_F64, TYPE_F32, false},   {"xor", TYPE_U8, TYPE_U8, false},
	{"prod", TYPE_I16, TYPE_I16, true}, {"sum", TYPE_F32, TYPE_I16, true},    {"max", TYPE_F32, TYPE_F32, false},
	{"min", TYPE_U8, TYPE_F64, false},  {"sum", TYPE_I128, TYPE_I128, false}, {"sum", TYPE_I64, TYPE_I64, true},
	{"sum", TYPE_U64, TYPE_U64, true},  {"sum", TYPE_U8, TYPE_U8, true},      {"sum", TYPE_I16, TYPE_I16, false},
	{"min", TYPE_I16, TYPE_I16, true},  {"max", TYPE_U32, TYPE_U32, false},   {"and", TYPE_I64, TYPE_I64, false},
	{"or", TYPE_I8, TYPE_I8, false},    {"prod", TYPE_F32, TYPE_F32, false},  {"prod", TYPE_F64, TYPE_F64, false},
	{"min", TYPE_F32, TYPE_F32, false}, {"max", TYPE_F64, TYPE_F64, false},
};

static const size_t sizes[] = {
	1,           2,    15,   16,   17,   31,   240,  255,  256,  257,  271,   2047,  2048,  4079,
	4080,        4081, 4095, 4096, 4097, 4111, 8191, 8192, 8193, 9999, 12288, 40000, 69999, ELEMENTS_MAX - 1,
	ELEMENTS_MAX};

struct checker {
	struct runner *r;
	struct engine *host;
	cl_command_queue queue;
	struct launch launch;
	unsigned char *in, *out, *expected;
	unsigned char *totals, *prefixes, *device_totals;
	cl_uint *places;
};

/* Mostly small values with a tail of everything else; floats begin with -0 and meet a NaN, late. */
static void fill(const struct type *type, size_t count, unsigned char *elements)
{
	uint32_t state = 521288629;
	for (size_t i = 0; i < count; i++) {
		const uint32_t random = bench_random(&state);
		union value v = {.u64 = 0};
		v.i128.lo = random >> 27 != 0 ? random % 100 : (uint64_t)random * random;
		v.i128.hi = 0;
		if (type->id == TYPE_F32)
			v.f32 = (float)(random * 0x1p-32 - 0.5) * (random % 50 == 0 ? 1e6f : 1.0f);
		else if (type->id == TYPE_F64)
			v.f64 = (random * 0x1p-32 - 0.5) * (random % 50 == 0 ? 1e6 : 1.0);
		if (type->kind == KIND_FLOAT && (i < GRID_RUN + 3 || i == NAN_PLACE)) {
			v.f64 = i == NAN_PLACE ? -(double)NAN : -0.0;
			if (type->id == TYPE_F32)
				v.f32 = (float)v.f64;
		}
		memcpy(elements + i * type->size, &v, type->size);
	}
}

static bool read_back(struct checker *c, cl_mem from, size_t bytes, void *to)
{
	return runner_check(clEnqueueReadBuffer(c->queue, from, CL_TRUE, 0, bytes, to, 0, NULL, NULL),
			    "clEnqueueReadBuffer");
}

static bool write_out(struct checker *c, cl_mem to, size_t bytes, const void *from)
{
	return runner_check(clEnqueueWriteBuffer(c->queue, to, CL_TRUE, 0, bytes, from, 0, NULL, NULL),
			    "clEnqueueWriteBuffer");
}

/* The scan by the host's engine, with its totals and prefixes; *bad as finish_results has it. */
static bool scan_on_host(struct checker *c, size_t count, union cursor *cursor, size_t *bad)
{
	const struct engine_class *class = c->host->class;
	struct lane_work work = {
		.in = c->in, .count = count, .totals = c->totals, .carry_in = c->prefixes, .out = c->expected};
	struct span spans[STAGE_COUNT];
	if (class->begin(c->host, SWEEP_TOTALS, 0, &work) != STATUS_OK ||
	    class->finish(c->host, SWEEP_TOTALS, 0, NULL) != STATUS_OK)
		return false;
	work.first_has_carry = c->r->row.code->fold(cursor, c->totals, runner_tiles(count), c->prefixes);
	if (class->begin(c->host, SWEEP_RESULTS, 0, &work) != STATUS_OK ||
	    class->finish(c->host, SWEEP_RESULTS, 0, spans) != STATUS_OK)
		return false;
	*bad = work.first_bad;
	return true;
}

/* Whether states are the same, or both NaN: only results have the one NaN's bits. */
static bool states_match(const struct row *row, const void *a, const void *b, size_t tiles)
{
	const size_t size = row->code->state_size;
	const bool plain = row->op->id == OPERATOR_SUM || row->op->id == OPERATOR_PROD;
	for (size_t k = 0; k < tiles; k++) {
		union value x = {0};
		union value y = {0};
		memcpy(&x, (const unsigned char *)a + k * size, size);
		memcpy(&y, (const unsigned char *)b + k * size, size);
		if (memcmp(&x, &y, size) == 0 || (plain && row->acc->id == TYPE_F32 && isnan(x.f32) && isnan(y.f32)) ||
		    (plain && row->acc->id == TYPE_F64 && isnan(x.f64) && isnan(y.f64)))
			continue;
		return false;
	}
	return true;
}

/* The same on the device. Nothing may be written behind the results. */
static bool size_matches(struct checker *c, size_t count, bool seeded)
{
	const struct row *row = &c->r->row;
	union cursor cursor = {{0}};
	union value seed = {.u64 = 0};
	size_t bad = SIZE_MAX;
	size_t device_bad = SIZE_MAX;
	const size_t tiles = runner_tiles(count);
	const size_t states_bytes = tiles * row->code->state_size;
	const size_t out_bytes = ELEMENTS_MAX * row->acc->size;
	if (seeded)
		row->code->seed(&cursor, &seed, row->parameter);
	memset(c->expected, 0xa5, out_bytes);
	if (!scan_on_host(c, count, &cursor, &bad) || !write_out(c, c->launch.out, out_bytes, c->out))
		return false;
	c->launch.count = (cl_uint)count;
	if (!runner_begin_totals(c->r, c->queue, &c->launch, NULL) ||
	    !read_back(c, c->launch.states, states_bytes, c->device_totals) ||
	    !write_out(c, c->launch.states, states_bytes, c->prefixes) ||
	    !runner_begin_results(c->r, c->queue, &c->launch, seeded, NULL) ||
	    !read_back(c, c->launch.bad, tiles * sizeof *c->places, c->places) ||
	    !read_back(c, c->launch.out, out_bytes, c->out))
		return false;
	for (size_t k = 0; k < tiles && device_bad == SIZE_MAX; k++) {
		if (c->places[k] != UINT32_MAX)
			device_bad = k * GRID_TILE + c->places[k];
	}
	const bool same = states_match(row, c->totals, c->device_totals, tiles) &&
			  memcmp(c->expected, c->out, out_bytes) == 0 && device_bad == bad;
	memset(c->out, 0xa5, out_bytes);
	return same;
}

/* The first size that is wrong, or 0. */
static size_t wrong_size(struct checker *c, const struct check_case *k)
{
	struct row row;
	const struct type *in = &type_table[k->in];
	if (!row_find(&row, operator_find(k->op), in, &type_table[k->acc], k->checked, false, ALGORITHM_BLELLOCH) ||
	    c->host->class->set_row(c->host, 0, &row) != STATUS_OK || !runner_set_row(c->r, &row))
		return SIZE_MAX;
	fill(in, ELEMENTS_MAX, c->in);
	memset(c->out, 0xa5, ELEMENTS_MAX * WIDEST);
	if (!write_out(c, c->launch.in, ELEMENTS_MAX * in->size, c->in))
		return SIZE_MAX;
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		if (!size_matches(c, sizes[i], i % 2 == 1) || !size_matches(c, sizes[i], i % 2 == 0))
			return sizes[i];
	}
	return 0;
}

static bool prepare(struct checker *c)
{
	const struct engine_size size = {
		.channel_count = 1, .lane_count = 1, .elements = ELEMENTS_MAX, .element_max = WIDEST};
	const size_t states_bytes = runner_tiles(ELEMENTS_MAX) * STATE_SIZE_MAX;
	c->host = engine_host_open(&size, NULL);
	c->queue = runner_queue(c->r, false);
	c->launch.in = runner_buffer(c->r, ELEMENTS_MAX * WIDEST);
	c->launch.out = runner_buffer(c->r, ELEMENTS_MAX * WIDEST);
	c->launch.states = runner_buffer(c->r, states_bytes);
	c->launch.bad = runner_buffer(c->r, runner_tiles(ELEMENTS_MAX) * sizeof *c->places);
	c->in = memory_new(3 * ELEMENTS_MAX * WIDEST);
	c->totals = memory_new(3 * states_bytes);
	c->places = memory_new(runner_tiles(ELEMENTS_MAX) * sizeof *c->places);
	if (c->in == NULL || c->totals == NULL || c->places == NULL)
		return false;
	c->out = c->in + ELEMENTS_MAX * WIDEST;
	c->expected = c->out + ELEMENTS_MAX * WIDEST;
	c->prefixes = c->totals + states_bytes;
	c->device_totals = c->prefixes + states_bytes;
	return c->host != NULL && c->queue != NULL && c->launch.in != NULL && c->launch.out != NULL &&
	       c->launch.states != NULL && c->launch.bad != NULL;
}

static void release(struct checker *c)
{
	const cl_mem buffers[] = {c->launch.in, c->launch.out, c->launch.states, c->launch.bad};
	for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++) {
		if (buffers[i] != NULL)
			clReleaseMemObject(buffers[i]);
	}
	if (c->queue != NULL)
		clReleaseCommandQueue(c->queue);
	if (c->host != NULL)
		c->host->class->close(c->host);
	memory_free(c->in);
	memory_free(c->totals);
	memory_free(c->places);
}

bool kernels_check(struct runner *r)
{
	struct checker c = {.r = r};
	bool good = prepare(&c);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0] && good; i++) {
		const size_t wrong = wrong_size(&c, &cases[i]);
		good = wrong == 0;
		if (!good)
			(void)printf("not ok - %s of %s in %s: wrong at size %zu\n", cases[i].op,
				     type_table[cases[i].in].name, type_table[cases[i].acc].name, wrong);
	}
	if (good)
		(void)printf("ok - the kernels have the bits of the host\n");
	(void)fflush(stdout);
	release(&c);
	return good;
}
