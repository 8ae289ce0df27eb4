/* What the whole program should write, by a plain scan (plain_scan.h) of plainly read numbers: pipeline_fuzz.c's model. */
#ifndef PSCAN_TESTS_FUZZ_PLAIN_PROGRAM_H
#define PSCAN_TESTS_FUZZ_PLAIN_PROGRAM_H

#include "number/decimal.h"
#include "number/parse.h"
#include "plain_marks.h"
#include "number/write.h"
#include "plain_scan.h"
#include "program.h"

#define DATA_MAX ((size_t)1 << 16)

enum mode { MODE_BINARY, MODE_TEXT, MODE_NUM, MODE_DEC };

struct job {
	enum mode mode;
	const struct scan_operator *op;
	const struct type *in, *acc;
	bool exclusive, include_initial, total, wrap, in_swapped, out_swapped, other_format, zip_in, zip_out;
	size_t member_size; /* of gzip that is read; 0: one member */
	const char *comment; /* lines that begin so pass through; or NULL */
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
	if (!fits)
		stop(m); /* there is no such element */
	else if (plain_push(&m->scan, &c))
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
	if (m->job->mode == MODE_DEC || m->job->op->bitwise) {
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
	if (is_mark(token, size, job->mode < MODE_NUM && job->in->kind == KIND_FLOAT, job->mode >= MODE_NUM)) {
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

static bool is_comment(const struct job *job, const struct program_file *f, size_t at)
{
	const size_t size = job->comment != NULL ? strlen(job->comment) : 0;
	return size > 0 && f->size - at >= size && memcmp(f->data + at, job->comment, size) == 0;
}

static void take_text(struct model *m, const struct program_file *f)
{
	const size_t mark = f->size >= 3 && memcmp(f->data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
	bool line_begins = true;
	for (size_t at = mark; at < f->size && !m->ended;) {
		size_t end = at;
		if (line_begins && is_comment(m->job, f, at)) {
			while (end < f->size && f->data[end] != '\n')
				end++;
			if (!m->job->total) {
				put(m, f->data + at, end - at);
				put(m, "\n", 1);
			}
			at = end + 1;
			continue;
		}
		line_begins = f->data[at] == '\n';
		if (is_space(f->data[at])) {
			at++;
			continue;
		}
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
	if (job->mode == MODE_DEC || (decimal && job->op->bitwise) || number_parse(seed, size, acc, &v) != NUMBER_OK)
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

#endif
