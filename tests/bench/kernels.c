/* The program's kernels alone, on data that is on the device already, as the program builds them. Usage: kernels [-D
 * SPEC] [-s gpu|cpu] [-o OP] [-c] [-t TYPE,..] [-n SIZE] [-p SIZE,..] [-r RUNS] [-k] [-d DATE] [-g COMMIT]; -c takes
 * the rows that check for overflow, -p are the bytes of a launch, -k only compares the kernels with the host, --types=
 * and so on are the long names. With -f FILE, a program, its kernels are timed in one launch of -e ELEMENTS instead.
 * Columns: machine, device, date, commit, row, type, launch bytes, what, seconds, bytes of input per second in 1e9. */
#include "kernels.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct options {
	const char *device, *shape, *op, *types, *launches;
	const char *program; /* a file, or NULL */
	bool checked;
	size_t bytes, runs;
	size_t elements; /* of the program's launch */
	bool check_only;
	struct bench_label label;
};

/* Whether the comma-separated list has the word, or is "all". */
static bool list_has(const char *list, const char *word)
{
	const size_t size = strlen(word);
	if (strcmp(list, "all") == 0)
		return true;
	for (const char *p = list; p != NULL; p = strchr(p, ',')) {
		p += *p == ',';
		if (strncmp(p, word, size) == 0 && (p[size] == ',' || p[size] == '\0'))
			return true;
	}
	return false;
}

void kernels_fill(const struct type *type, bool checked, size_t bytes, void *elements)
{
	float *f = elements;
	double *d = elements;
	uint32_t *u = elements;
	uint32_t state = 88675123;
	for (size_t i = 0; i < bytes / type->size; i++) {
		const uint32_t word = bench_random(&state) >> (checked ? 31 : 0);
		const double random = state * 0x1p-32 - 0.5;
		if (type->id == TYPE_F32)
			f[i] = (float)random;
		else if (type->id == TYPE_F64)
			d[i] = random;
		else
			memcpy((unsigned char *)u + i * type->size, &word,
			       type->size < sizeof word ? type->size : sizeof word);
	}
}

/* The scan by the host's code for the row. */
static bool scan_on_host(const struct row *row, const void *in, size_t count, void *out)
{
	union cursor cursor = {{0}};
	const size_t tiles = runner_tiles(count);
	unsigned char *states = memory_new(2 * tiles * row->code->state_size);
	if (states == NULL)
		return false;
	unsigned char *prefixes = states + tiles * row->code->state_size;
	row->tiles->totals(in, count, row->parameter, states);
	(void)row->code->fold(&cursor, states, tiles, prefixes);
	(void)row->tiles->results(in, count, row->parameter, prefixes, false, out);
	memory_free(states);
	return true;
}

/* All launch sizes of one row. */
static bool time_launches(struct runner *r, const struct options *o, struct timing *t)
{
	bool good = true;
	for (const char *p = o->launches; good && p != NULL; p = strchr(p, ',')) {
		char word[32];
		p += *p == ',';
		const size_t size = strcspn(p, ",");
		(void)snprintf(word, sizeof word, "%.*s", (int)size, p);
		good = bench_parse_size(word, &t->launch_bytes) && t->launch_bytes > 0;
		if (good && t->launch_bytes <= t->bytes)
			good = kernels_time(r, t);
	}
	return good;
}

static bool time_type(struct runner *r, const struct options *o, const struct type *type)
{
	struct row row;
	struct timing t = {.label = o->label, .bytes = o->bytes, .runs = o->runs};
	unsigned char *memory = memory_new(3 * o->bytes);
	bool good = memory != NULL &&
		    row_find(&row, operator_find(o->op), type, type, o->checked, false, ALGORITHM_BLELLOCH) &&
		    runner_set_row(r, &row);
	if (good) {
		memset(memory, 0, o->bytes);
		kernels_fill(type, o->checked, o->bytes, memory);
		t.in = memory;
		t.expected = memory + o->bytes;
		t.out = memory + 2 * o->bytes;
		good = scan_on_host(&row, memory, o->bytes / type->size, memory + o->bytes);
	}
	good = good && time_launches(r, o, &t);
	memory_free(memory);
	return good;
}

static const struct option long_options[] = {
	{"device", required_argument, NULL, 'D'},   {"shape", required_argument, NULL, 's'},
	{"op", required_argument, NULL, 'o'},       {"checked", no_argument, NULL, 'c'},
	{"types", required_argument, NULL, 't'},    {"bytes", required_argument, NULL, 'n'},
	{"launches", required_argument, NULL, 'p'}, {"runs", required_argument, NULL, 'r'},
	{"check", no_argument, NULL, 'k'},          {"date", required_argument, NULL, 'd'},
	{"commit", required_argument, NULL, 'g'},   {"program", required_argument, NULL, 'f'},
	{"elements", required_argument, NULL, 'e'}, {NULL, 0, NULL, 0},
};

static bool set_option(struct options *o, int option, const char *value)
{
	switch (option) {
	case 'D':
		o->device = value;
		return true;
	case 's':
		o->shape = value;
		return true;
	case 'o':
		o->op = value;
		return operator_find(value) != NULL;
	case 'c':
		o->checked = true;
		return true;
	case 't':
		o->types = value;
		return true;
	case 'n':
		return bench_parse_size(value, &o->bytes);
	case 'p':
		o->launches = value;
		return true;
	case 'r':
		return bench_parse_size(value, &o->runs) && o->runs >= 1 && o->runs <= BENCH_RUNS_MAX;
	case 'k':
		o->check_only = true;
		return true;
	case 'f':
		o->program = value;
		return true;
	case 'e':
		return bench_parse_size(value, &o->elements);
	case 'd':
		o->label.date = value;
		return true;
	case 'g':
		o->label.commit = value;
		return true;
	default:
		return false;
	}
}

int main(int argc, char **argv)
{
	struct options o = {.device = "gpu",
			    .op = "sum",
			    .types = "f32,i32,f64",
			    .launches = "256M,64M,16M,8M,4M",
			    .bytes = (size_t)256 << 20,
			    .elements = (size_t)1 << 20,
			    .runs = 20,
			    .label = {.machine = bench_machine(), .date = "-", .commit = "-"}};
	struct runner r;
	int option;
	bool good = true;
	while (good && (option = getopt_long(argc, argv, "D:s:o:ct:n:p:r:kd:g:f:e:", long_options, NULL)) != -1)
		good = set_option(&o, option, optarg);
	if (!good || optind != argc || o.bytes == 0 || o.bytes % (GRID_TILE * sizeof(double)) != 0 || o.elements == 0 ||
	    o.elements % GRID_TILE != 0) {
		(void)fputs("usage: kernels [-D SPEC] [-s gpu|cpu] [-o OP] [-c] [-t TYPE,..] [-n SIZE] [-p SIZE,..]"
			    " [-r RUNS] [-k] [-f FILE -e ELEMENTS] [-d DATE] [-g COMMIT]\n",
			    stderr);
		return 2;
	}
	good = runner_open(&r, o.device, o.shape);
	o.label.device = r.device.name;
	if (good && o.check_only)
		good = kernels_check(&r);
	else if (good && o.program != NULL)
		good = kernels_time_program(&o.label, o.device, o.program, o.elements, o.runs);
	for (size_t i = 0; good && !o.check_only && o.program == NULL && i < TYPE_I128; i++) {
		if (list_has(o.types, type_table[i].name))
			good = time_type(&r, &o, &type_table[i]);
	}
	runner_close(&r);
	return good ? 0 : 1;
}
