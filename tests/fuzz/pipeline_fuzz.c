#define _GNU_SOURCE /* environ, memfd_create, pipe2 */
/* The whole program on the host's engine (program.h) against a plain scan (plain_scan.h): numbers in binary, text and
 * exact decimals, several files, a pipe that gives what it likes, gzip on either side, every algorithm and number of
 * threads. Output, status and the number of messages must be the plain scan's.
 *
 * First bytes: what is read, the operator, the types, flags, the seed, the algorithm, running, where from, how often
 * the data are repeated, what is no number. */
#include <zlib.h>

#include "decimal.h"
#include "number.h"
#include "plain_scan.h"
#include "program.h"

#define DATA_MAX ((size_t)1 << 16)

enum mode { MODE_BINARY, MODE_TEXT, MODE_NUM, MODE_DEC };

struct job {
	enum mode mode;
	const struct scan_operator *op;
	const struct type *in, *acc;
	bool exclusive, include_initial, total, wrap, in_swapped, out_swapped, other_format, zip_in, zip_out;
	const char *seed;
	enum algorithm algorithm;
	enum missing missing;
	enum invalid invalid;
	char type_word[64], threads_word[16], chunk_word[32], op_word[16], seed_word[64];
	unsigned char data[DATA_MAX];
	size_t size;
	struct program_file files[PROGRAM_FILES_MAX]; /* of the data */
	size_t file_count;
	struct program program;
};

/* What should come out. */
struct model {
	const struct job *job;
	struct plain_scan scan;
	struct cell initial;
	struct bytes out;
	bool exact; /* decimals are */
	bool pending; /* an exclusive scan does not need the last result, which did not fit */
	bool ended;
	enum status status;
};

/* --- Output */

static bool writes_text(const struct job *job)
{
	return (job->mode == MODE_BINARY) == job->other_format;
}

static void put(struct model *m, const void *data, size_t size)
{
	REQUIRE(bytes_append(&m->out, data, size) == STATUS_OK, "no memory");
}

static void put_decimal(struct model *m, const struct cell *c)
{
	char digits[64];
	size_t at = sizeof digits;
	uwide rest = c->i < 0 ? 0 - (uwide)c->i : (uwide)c->i;
	digits[--at] = '\n';
	for (unsigned place = 0; rest != 0 || place <= c->scale; place++, rest /= 10) {
		if (place == c->scale && place > 0)
			digits[--at] = '.';
		digits[--at] = (char)('0' + (int)(rest % 10));
	}
	if (c->i < 0)
		digits[--at] = '-';
	put(m, digits + at, sizeof digits - at);
}

static union value value_of(const struct type *t, const struct cell *c)
{
	union value v = {.u64 = 0};
	if (!c->is_float)
		memcpy(&v, &c->i, t->size); /* the low bytes */
	else if (t->size == 4 && isnan(c->d))
		v.u64 = 0x7fc00000;
	else if (t->size == 4)
		v.f32 = (float)c->d;
	else if (isnan(c->d))
		v.u64 = UINT64_C(0x7ff8000000000000);
	else
		v.f64 = c->d;
	return v;
}

static void put_cell(struct model *m, const struct cell *c)
{
	const struct job *job = m->job;
	const bool decimal = job->mode >= MODE_NUM;
	if (decimal && !c->is_float) {
		put_decimal(m, c);
		return;
	}
	const struct type *t = decimal ? &type_table[TYPE_F64] : job->acc;
	const union value v = value_of(t, c);
	unsigned char text[NUMBER_TEXT_MAX + 1];
	size_t size = t->size;
	if (writes_text(job)) {
		size = number_format((char *)text, t, &v);
		text[size++] = '\n';
	} else {
		for (size_t i = 0; i < size; i++)
			memcpy(text + (job->out_swapped ? size - 1 - i : i), (const unsigned char *)&v + i, 1);
	}
	put(m, text, size);
}

/* --- Elements */

static void stop(struct model *m)
{
	m->ended = true;
	m->status = STATUS_DATA;
}

static struct cell cell_of(const struct type *t, const union value *v)
{
	struct cell c = {.is_float = t->kind == KIND_FLOAT};
	if (c.is_float)
		c.d = t->size == 4 ? (double)v->f32 : v->f64;
	else
		c.i = type_wrap(t, v->u64);
	return c;
}

/* To the accumulator's type. False: it does not fit; *c is then what it wraps to. */
static bool convert(const struct job *job, struct cell *c)
{
	const struct type *acc = job->acc;
	if (acc->kind == KIND_FLOAT) {
		if (!c->is_float)
			c->d = acc->size == 8                 ? (double)c->i
			       : job->in->kind == KIND_SIGNED ? (double)(float)(int64_t)c->i
							      : (double)(float)(uint64_t)c->i;
		else if (acc->size == 4)
			c->d = (double)(float)c->d;
		c->is_float = true;
		return true;
	}
	if (c->is_float) {
		const double whole = trunc(c->d);
		c->is_float = false;
		if (!(whole >= -0x1p64 && whole <= 0x1p64))
			return false;
		c->i = (wide)whole;
		return type_holds(acc, c->i);
	}
	const bool fits = type_holds(acc, c->i);
	c->i = type_wrap(acc, (uwide)c->i);
	return fits || job->wrap;
}

static struct cell before_of(const struct model *m)
{
	return m->scan.present ? m->scan.last : m->initial;
}

static void give_result(struct model *m, const struct cell *before)
{
	if (!m->job->total)
		put_cell(m, m->job->exclusive ? before : &m->scan.last);
}

static void take_element(struct model *m, const union value *v)
{
	const struct job *job = m->job;
	struct cell c = cell_of(job->in, v);
	const struct cell before = before_of(m);
	if (m->pending) {
		stop(m);
		return;
	}
	const bool fits = convert(job, &c);
	if (!fits && job->in->kind == KIND_FLOAT)
		stop(m); /* there is no such value */
	else if (fits && plain_push(&m->scan, &c))
		give_result(m, &before);
	else if (!job->exclusive || job->total)
		stop(m);
	else
		m->pending = true;
	if (m->pending)
		put_cell(m, &before);
}

static void take_decimal(struct model *m, const char *token, size_t size, const struct decimal *d)
{
	const struct cell before = before_of(m);
	union value v;
	if (m->exact && !d->is_float && plain_push_decimal(&m->scan, token, size, d->scale)) {
		give_result(m, &before);
		return;
	}
	if (m->job->mode == MODE_DEC) {
		stop(m);
		return;
	}
	if (m->exact) {
		struct model text = {.job = m->job};
		struct cell seed = {.is_float = true};
		m->exact = false;
		if (m->scan.present) {
			put_decimal(&text, &before);
			put(&text, "", 1);
			seed.d = strtod((const char *)text.out.data, NULL);
			bytes_free(&text.out);
		}
		plain_begin(&m->scan, &type_table[TYPE_F64], m->scan.present ? &seed : NULL);
	}
	if (number_parse(token, size, &type_table[TYPE_F64], &v) != NUMBER_OK) {
		stop(m);
		return;
	}
	const struct cell c = {.is_float = true, .d = v.f64};
	(void)plain_push(&m->scan, &c);
	give_result(m, &before);
}

/* --- Tokens */

static bool is_space(unsigned char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_mark(const char *token, size_t size)
{
	static const char *const marks[] = {"-", "NA", "N/A", "null"};
	for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
		if (strlen(marks[i]) == size && memcmp(marks[i], token, size) == 0)
			return true;
	}
	return false;
}

static void take_invalid(struct model *m)
{
	if (m->job->invalid == INVALID_ABORT)
		stop(m);
	else if (m->job->invalid == INVALID_FAIL)
		m->status = STATUS_DATA;
}

static void take_token(struct model *m, const char *token, size_t size)
{
	const struct job *job = m->job;
	struct decimal d;
	union value v;
	if (is_mark(token, size)) {
		if (job->missing == MISSING_KEEP && !job->total) {
			put(m, token, size);
			put(m, "\n", 1);
		}
		if (job->missing == MISSING_FAIL)
			stop(m);
		if (job->missing != MISSING_VALUE)
			return;
		token = "7";
		size = 1;
	}
	if (job->mode >= MODE_NUM) {
		if (!decimal_parse(token, size, &d))
			take_invalid(m);
		else
			take_decimal(m, token, size, &d);
		return;
	}
	switch (number_parse(token, size, job->in, &v)) {
	case NUMBER_OK:
		take_element(m, &v);
		break;
	case NUMBER_RANGE:
		stop(m);
		break;
	case NUMBER_INVALID:
	case NUMBER_MEMORY:
		take_invalid(m);
		break;
	}
}

static void take_text(struct model *m, const struct program_file *f)
{
	const size_t mark = f->size >= 3 && memcmp(f->data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
	for (size_t at = mark; at < f->size && !m->ended;) {
		if (is_space(f->data[at])) {
			at++;
			continue;
		}
		size_t end = at;
		while (end < f->size && !is_space(f->data[end]))
			end++;
		take_token(m, (const char *)f->data + at, end - at);
		at = end;
	}
}

static void take_binary(struct model *m, const struct program_file *f)
{
	const size_t size = m->job->in->size;
	size_t at = 0;
	for (; at + size <= f->size && !m->ended; at += size) {
		union value v = {.u64 = 0};
		for (size_t i = 0; i < size; i++)
			memcpy((unsigned char *)&v + (m->job->in_swapped ? size - 1 - i : i), f->data + at + i, 1);
		take_element(m, &v);
	}
	if (at < f->size)
		stop(m);
}

/* --- The seed, and all of it */

static void set_identity(struct model *m, const struct type *acc, bool decimal)
{
	const enum operator_id op = m->job->op->id;
	const bool extreme = op == OPERATOR_MAX || op == OPERATOR_MIN;
	m->initial = (struct cell){.is_float = acc->kind == KIND_FLOAT || (decimal && extreme)};
	if (m->initial.is_float && extreme)
		m->initial.d = op == OPERATOR_MAX ? -(double)INFINITY : (double)INFINITY;
	else if (extreme)
		m->initial.i = op == OPERATOR_MAX ? type_least(acc) : type_greatest(acc);
	else if (op == OPERATOR_PROD)
		m->initial.i = 1;
	else if (op == OPERATOR_AND)
		m->initial.i = type_wrap(acc, ~(uwide)0);
	if (m->initial.is_float && op == OPERATOR_PROD)
		m->initial.d = 1.0;
}

/* False: it is none. */
static bool set_seed(struct model *m)
{
	const struct job *job = m->job;
	const char *seed = job->seed;
	const size_t size = seed == NULL ? 0 : strlen(seed);
	struct decimal d;
	union value v;
	const bool decimal = job->mode >= MODE_NUM;
	const struct type *acc = decimal ? &type_table[TYPE_I64] : job->acc;
	m->exact = decimal;
	plain_begin(&m->scan, acc, NULL);
	set_identity(m, acc, decimal);
	if (seed == NULL)
		return true;
	if (decimal && !decimal_parse(seed, size, &d))
		return false;
	if (decimal && !d.is_float && plain_push_decimal(&m->scan, seed, size, d.scale)) {
		m->initial = m->scan.last;
		return true;
	}
	m->exact = false;
	if (decimal)
		acc = &type_table[TYPE_F64];
	if (job->mode == MODE_DEC || number_parse(seed, size, acc, &v) != NUMBER_OK)
		return false;
	m->initial = cell_of(acc, &v);
	plain_begin(&m->scan, acc, &m->initial);
	return true;
}

static void scan_plainly(struct model *m)
{
	const struct job *job = m->job;
	m->scan.op = job->op->id;
	m->scan.wrap = job->wrap;
	m->scan.sequential = job->algorithm == ALGORITHM_SEQUENTIAL;
	m->scan.hillis = job->algorithm == ALGORITHM_HILLIS_STEELE;
	if (!set_seed(m)) {
		m->status = STATUS_USAGE;
		return;
	}
	if (job->include_initial)
		put_cell(m, &m->initial);
	for (size_t i = 0; i < job->file_count && !m->ended; i++) {
		if (job->mode == MODE_BINARY)
			take_binary(m, &job->files[i]);
		else
			take_text(m, &job->files[i]);
	}
	if (job->total && !m->ended) {
		const struct cell last = before_of(m);
		put_cell(m, &last);
	}
}

/* --- The program's side */

/* A gzip member of a file, in memory that the caller frees. */
static struct program_file zipped(const struct program_file *f)
{
	z_stream z = {0};
	REQUIRE(deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK, "no memory");
	const size_t room = deflateBound(&z, f->size);
	unsigned char *out = malloc(room);
	REQUIRE(out != NULL, "no memory");
	z.next_in = f->data;
	z.avail_in = (uInt)f->size;
	z.next_out = out;
	z.avail_out = (uInt)room;
	REQUIRE(deflate(&z, Z_FINISH) == Z_STREAM_END, "a member does not fit");
	const size_t size = room - z.avail_out;
	REQUIRE(deflateEnd(&z) == Z_OK, "zlib's state");
	return (struct program_file){out, size};
}

/* The output, which is one whole member. */
static void inflate_output(struct bytes *output, size_t expected)
{
	struct bytes plain = {0};
	z_stream z = {0};
	REQUIRE(bytes_reserve(&plain, expected + 1) == STATUS_OK, "no memory");
	REQUIRE(inflateInit2(&z, 15 + 16) == Z_OK, "no memory");
	z.next_in = output->data;
	z.avail_in = (uInt)output->size;
	z.next_out = plain.data;
	z.avail_out = (uInt)(expected + 1);
	const int code = inflate(&z, Z_FINISH);
	REQUIRE(code == Z_STREAM_END && z.avail_in == 0, "%zu bytes are not one member of %zu: %d", output->size,
		expected, code);
	plain.size = expected + 1 - z.avail_out;
	REQUIRE(inflateEnd(&z) == Z_OK, "zlib's state");
	bytes_free(output);
	*output = plain;
}

static void check(struct job *job)
{
	struct model m = {.job = job};
	struct program *p = &job->program;
	scan_plainly(&m);
	for (size_t i = 0; i < job->file_count; i++)
		p->files[i] = job->zip_in ? zipped(&job->files[i]) : job->files[i];
	p->file_count = job->file_count;
	program_run(p);
	REQUIRE(p->status == m.status, "status %d instead of %d: %s", (int)p->status, (int)m.status, p->messages.text);
	const bool tells = job->mode != MODE_BINARY && (job->invalid == INVALID_WARN || job->invalid == INVALID_FAIL);
	REQUIRE(tells || p->messages.lines == (m.status == STATUS_OK ? 0 : 1), "%zu messages: %s", p->messages.lines,
		p->messages.text);
	if (job->zip_out && (p->output.size > 0 || m.status != STATUS_USAGE))
		inflate_output(&p->output, m.out.size);
	size_t same = 0;
	while (same < p->output.size && same < m.out.size && p->output.data[same] == m.out.data[same])
		same++;
	REQUIRE(p->output.size == m.out.size && same == m.out.size,
		"%zu bytes instead of %zu, the same are %zu: \"%.40s\" instead of \"%.*s\"", p->output.size, m.out.size,
		same, p->output.data + same, (int)(m.out.size - same < 40 ? m.out.size - same : 40),
		m.out.data != NULL ? (const char *)m.out.data + same : "");
	for (size_t i = 0; i < job->file_count && job->zip_in; i++)
		free(bytes_plain(p->files[i].data));
	bytes_free(&p->output);
	bytes_free(&m.out);
}

/* --- What is drawn */

static void draw_types(struct job *job, const uint8_t **data, size_t *size)
{
	const unsigned in = fuzz_choose(data, size);
	const unsigned acc = fuzz_choose(data, size);
	job->in = &type_table[in % TYPE_I128];
	job->acc = acc < 128 ? job->in : &type_table[acc % TYPE_I128];
	if (job->op->bitwise && job->acc->kind == KIND_FLOAT)
		job->acc = &type_table[TYPE_I64];
	const bool orders = job->mode == MODE_BINARY;
	job->in_swapped = orders && (in & 128);
	job->out_swapped = orders && (job->acc == job->in || (acc & 64) ? job->in_swapped : acc & 32);
	const char *acc_order = !orders || (acc & 64) ? "" : job->out_swapped ? "be" : "le";
	if (job->mode >= MODE_NUM)
		(void)snprintf(job->type_word, sizeof job->type_word, "%s", job->mode == MODE_NUM ? "num" : "dec");
	else if (job->acc == job->in)
		(void)snprintf(job->type_word, sizeof job->type_word, "%s%s", job->in->name,
			       job->in_swapped ? "be" : "");
	else
		(void)snprintf(job->type_word, sizeof job->type_word, "%s%s:%s%s", job->in->name,
			       job->in_swapped ? "be" : "", job->acc->name, acc_order);
	program_word(&job->program, "-t");
	program_word(&job->program, job->type_word);
}

static void draw_scan(struct job *job, const uint8_t **data, size_t *size)
{
	static const char *const seeds[] = {"0",   "1",
					    "-2",  "0.25",
					    "100", "-0.0005",
					    "1e3", "9223372036854775807",
					    "nan", "-170141183460469231731687303715884105728",
					    "x",   "3.0"};
	static const char *const algorithms[] = {"blelloch", "hillis-steele", "sequential"};
	struct program *p = &job->program;
	const unsigned flags = fuzz_choose(data, size);
	const unsigned seed = fuzz_choose(data, size);
	const unsigned algorithm = fuzz_choose(data, size);
	job->include_initial = (flags & 3) == 3;
	job->exclusive = (flags & 3) == 1;
	job->total = (flags & 3) != 3 && (flags & 12) == 4;
	job->wrap = flags & 16;
	job->other_format = (flags & 32) && job->mode <= MODE_TEXT;
	job->zip_out = (flags & 192) == 64;
	if (job->exclusive)
		program_word(p, "-e");
	if (job->include_initial)
		program_word(p, "--include-initial");
	if (job->total)
		program_word(p, "--total");
	if (job->wrap)
		program_word(p, "--overflow=wrap");
	if (job->other_format)
		program_word(p, writes_text(job) ? "--output-format=text" : "--output-format=binary");
	if (job->zip_out)
		program_word(p, (flags & 16) ? "--gzip=6" : "-z");
	if (seed < 2 * sizeof seeds / sizeof seeds[0]) {
		job->seed = seeds[seed / 2];
		(void)snprintf(job->seed_word, sizeof job->seed_word, "--seed=%s", job->seed);
		program_word(p, job->seed_word);
	}
	job->algorithm = (enum algorithm)(algorithm % 3);
	program_word(p, "--algorithm");
	program_word(p, algorithms[job->algorithm]);
}

static void draw_running(struct job *job, const uint8_t **data, size_t *size)
{
	static const char *const levels[] = {NULL, "grid", "baseline", "v3"};
	static const char *const missing[] = {"fail", "skip", "keep", "7"};
	static const char *const invalid[] = {"abort", "fail", "warn", "ignore"};
	static char missing_word[32], invalid_word[32];
	struct program *p = &job->program;
	const unsigned running = fuzz_choose(data, size);
	const unsigned from = fuzz_choose(data, size);
	const unsigned words = fuzz_choose(data, size);
	(void)snprintf(job->threads_word, sizeof job->threads_word, "-T%u", 1 + running % 3);
	(void)snprintf(job->chunk_word, sizeof job->chunk_word, "--chunk-size=%u", 1 + (running >> 2 & 3) * 10000);
	program_word(p, job->threads_word);
	program_word(p, job->chunk_word);
	if ((running & 48) == 48)
		program_word(p, "--line-buffered");
	p->level = levels[running >> 6];
	job->file_count = 1 + (from & 3) % 3;
	job->zip_in = from & 4;
	p->by_pipe = from & 8;
	p->by_append = from & 16;
	p->pieces = (from >> 5) * 7919;
	if (job->mode == MODE_BINARY)
		return;
	job->missing = (enum missing)(words & 3);
	job->invalid = (enum invalid)(words >> 2 & 3);
	if (job->missing == MISSING_KEEP && !writes_text(job))
		job->missing = MISSING_SKIP;
	(void)snprintf(missing_word, sizeof missing_word, "--missing=%s", missing[job->missing]);
	(void)snprintf(invalid_word, sizeof invalid_word, "--invalid=%s", invalid[job->invalid]);
	program_word(p, missing_word);
	program_word(p, invalid_word);
}

/* The rest is the data, so often one after the other, cut into files. */
static void draw_files(struct job *job, unsigned repeats, const uint8_t *data, size_t size)
{
	job->size = 0;
	for (unsigned i = 0; i <= repeats && size > 0 && job->size + size <= DATA_MAX; i++) {
		memcpy(job->data + job->size, data, size);
		job->size += size;
	}
	for (size_t i = 0; i < job->file_count; i++) {
		const size_t begin = job->size * i / job->file_count;
		const size_t end = job->size * (i + 1) / job->file_count;
		job->files[i] = (struct program_file){job->data + begin, end - begin};
		/* What looks like gzip is taken for it. */
		job->zip_in = job->zip_in || (end - begin >= 2 && memcmp(job->data + begin, "\x1f\x8b", 2) == 0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct job job;
	memset(&job, 0, offsetof(struct job, data));
	memset(&job.program, 0, offsetof(struct program, messages));
	const unsigned mode = fuzz_choose(&data, &size);
	const unsigned op = fuzz_choose(&data, &size);
	job.mode = (enum mode)(mode & 3);
	job.op = &operator_table[op % OPERATOR_COUNT];
	if (job.mode >= MODE_NUM && job.op->id != OPERATOR_MAX && job.op->id != OPERATOR_MIN)
		job.op = &operator_table[OPERATOR_SUM];
	program_word(&job.program, "-Dnone");
	program_word(&job.program, job.mode == MODE_BINARY ? "--format=binary" : "--format=text");
	(void)snprintf(job.op_word, sizeof job.op_word, "--op=%s", job.op->name);
	program_word(&job.program, job.op_word);
	draw_types(&job, &data, &size);
	draw_scan(&job, &data, &size);
	draw_running(&job, &data, &size);
	draw_files(&job, fuzz_choose(&data, &size), data, size);
	check(&job);
	return 0;
}
