/* What the whole program should write, by a plain scan (plain_scan.h) of plainly read numbers: pipeline_fuzz.c's
 * model. */
#ifndef PSCAN_TESTS_FUZZ_PLAIN_PROGRAM_H
#define PSCAN_TESTS_FUZZ_PLAIN_PROGRAM_H

#include "number/parse.h"
#include "plain_marks.h"
#include "plain_model.h"

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
	return m->now->scan.present ? m->now->scan.last : m->initial;
}

/* A field before a result: between blanks an empty one is seen. */
static void put_name(struct model *m, const struct words *name)
{
	put(m, name->size > 0 ? name->text : "-", name->size > 0 ? name->size : 1);
	put(m, " ", 1);
}

/* A record's result, after its key. */
static void put_result(struct model *m, const struct cell *result)
{
	if (m->segments.by_key && writes_text(m->job))
		put_name(m, &m->now->key);
	put_cell(m, result);
}

static void give_result(struct model *m, const struct cell *before)
{
	if (!m->job->total)
		put_result(m, m->job->exclusive ? before : &m->now->scan.last);
}

/* The total of m->now, as a line. */
static void put_total(struct model *m)
{
	const struct cell last = before_of(m);
	if (m->segments.by_key && writes_text(m->job))
		put_name(m, &m->now->key);
	if (m->segments.by_word && writes_text(m->job))
		put_name(m, &m->now->on);
	put_cell(m, &last);
}

/* The record's element goes to its key's segment, which perhaps it begins. */
static void enter_segment(struct model *m, bool is_value)
{
	m->now = segments_find(&m->segments, &m->key);
	if (segment_ends(&m->segments, m->now, &m->on, is_value)) {
		if (m->job->total)
			put_total(m);
		segment_begin(&m->segments, m->now);
	}
	m->now->on = m->now->seen = m->on;
	m->now->changed = false;
}

/* Whether a number is --reset-at's. */
static bool is_reset_value(const struct model *m, const struct cell *c)
{
	const char *at = m->segments.at;
	if (at == NULL)
		return false;
	return c->is_float ? c->d <= at[0] - '0' && c->d >= at[0] - '0' : c->i == at[0] - '0';
}

static void push_element(struct model *m, const union value *v)
{
	const struct job *job = m->job;
	struct cell c = cell_of(job->in, v);
	if (m->lacks_field) {
		stop(m);
		return;
	}
	enter_segment(m, is_reset_value(m, &c));
	const struct cell before = before_of(m);
	if (m->now->pending) {
		stop(m);
		return;
	}
	const bool fits = convert(job, &c);
	if (!fits)
		stop(m); /* there is no such element */
	else if (segment_push(&m->segments, m->now, &c))
		give_result(m, &before);
	else if (!job->exclusive || job->total)
		stop(m);
	else
		m->now->pending = true;
	if (m->now->pending)
		put_result(m, &before);
}

/* Whether an exact decimal has nothing but zeros after the point: a number near 7 is not 7. */
static bool is_integer_token(const char *token, size_t size, const struct decimal *d)
{
	const struct big exact = big_of_token(token, size, d->scale, d->scale);
	wide m = 0;
	if (!big_fits(&exact, &m))
		return true;
	for (unsigned i = 0; i < d->scale && m % 10 == 0; i++)
		m /= 10;
	return m >= -9 && m <= 9;
}

/* The scan goes on in f64, from what there is. */
static void end_exactness(struct model *m, const struct cell *before)
{
	struct model text = {.job = m->job};
	struct cell seed = {.is_float = true};
	m->now->exact = false;
	if (m->now->scan.present) {
		put_decimal(&text, before);
		put(&text, "", 1);
		seed.d = strtod((const char *)text.out.data, NULL);
		bytes_free(&text.out);
	}
	plain_begin(&m->now->scan, &type_table[TYPE_F64], m->now->scan.present ? &seed : NULL);
}

static void push_decimal(struct model *m, const char *token, size_t size, const struct decimal *d)
{
	union value v;
	const bool is_number = number_parse(token, size, &type_table[TYPE_F64], &v) == NUMBER_OK;
	const struct cell c = {.is_float = true, .d = is_number ? v.f64 : 1.0};
	if (m->lacks_field || (!is_number && d->is_float)) {
		stop(m);
		return;
	}
	enter_segment(m, is_reset_value(m, &c) && (d->is_float || is_integer_token(token, size, d)));
	const struct cell before = before_of(m);
	struct segment *g = m->now;
	g->count++;
	if (g->exact && !d->is_float && plain_push_decimal(&g->scan, token, size, d->scale)) {
		give_result(m, &before);
		return;
	}
	if (m->job->mode == MODE_DEC || m->job->op->bitwise || !is_number) {
		stop(m);
		return;
	}
	if (g->exact)
		end_exactness(m, &before);
	(void)plain_push(&g->scan, &c);
	give_result(m, &before);
}

/* --- Tokens */

static bool is_space(unsigned char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static void treat_invalid(struct model *m)
{
	if (m->job->invalid == INVALID_ABORT)
		stop(m);
	else if (m->job->invalid == INVALID_FAIL)
		m->status = STATUS_DATA;
}

static void read_token(struct model *m, const char *token, size_t size)
{
	const struct job *job = m->job;
	struct decimal d;
	union value v;
	if (is_mark(token, size, job->mode < MODE_NUM && job->in->kind == KIND_FLOAT, job->mode >= MODE_NUM)) {
		const bool is_record =
			m->segments.by_word && job->missing != MISSING_FAIL && job->missing != MISSING_VALUE;
		if (is_record && m->lacks_field) {
			stop(m);
			return;
		}
		if (is_record)
			segments_pass(&m->segments, &m->key, &m->on);
		if (job->missing == MISSING_KEEP && !job->total) {
			if (m->segments.by_key && writes_text(job))
				put_name(m, &m->key);
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
			treat_invalid(m);
		else
			push_decimal(m, token, size, &d);
		return;
	}
	switch (number_parse(token, size, job->in, &v)) {
	case NUMBER_OK:
		push_element(m, &v);
		break;
	case NUMBER_RANGE:
		stop(m);
		break;
	case NUMBER_INVALID:
	case NUMBER_MEMORY:
		treat_invalid(m);
		break;
	}
}

static bool is_comment(const struct job *job, const struct program_file *f, size_t at)
{
	const size_t size = job->comment != NULL ? strlen(job->comment) : 0;
	return size > 0 && f->size - at >= size && memcmp(f->data + at, job->comment, size) == 0;
}

/* A comment comes out as it is. Returns where its line ends. */
static size_t copy_comment(struct model *m, const struct program_file *f, size_t at)
{
	size_t end = at;
	while (end < f->size && f->data[end] != '\n')
		end++;
	if (!m->job->total) {
		put(m, f->data + at, end - at);
		put(m, "\n", 1);
	}
	return end;
}

/* Where the text of a file begins. */
static size_t text_begin(const struct program_file *f)
{
	return f->size >= 3 && memcmp(f->data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

static void read_tokens(struct model *m, const struct program_file *f)
{
	bool line_begins = true;
	for (size_t at = text_begin(f); at < f->size && !m->ended;) {
		size_t end = at;
		if (line_begins && is_comment(m->job, f, at)) {
			at = copy_comment(m, f, at) + 1;
			continue;
		}
		line_begins = f->data[at] == '\n';
		if (is_space(f->data[at])) {
			at++;
			continue;
		}
		while (end < f->size && !is_space(f->data[end]))
			end++;
		read_token(m, (const char *)f->data + at, end - at);
		at = end;
	}
}

/* The next field between blanks; one that is not there is empty. */
static struct words next_field(const char **at, const char *end)
{
	while (*at < end && (**at == ' ' || **at == '\t'))
		(*at)++;
	struct words field = {.text = *at};
	while (*at < end && **at != ' ' && **at != '\t')
		(*at)++;
	field.size = (size_t)(*at - field.text);
	return field;
}

/* Number, key and what resets go by. */
static void read_line(struct model *m, const char *at, const char *end, bool is_first)
{
	const struct words number = next_field(&at, end);
	const struct words second = next_field(&at, end);
	const struct words third = next_field(&at, end);
	const struct segments *s = &m->segments;
	if (number.size == 0)
		return;
	m->lacks_field = is_first && ((s->by_key && second.size == 0) || (s->by_word && third.size == 0));
	m->key = second;
	m->on = third;
	read_token(m, number.text, number.size);
}

static void read_lines(struct model *m, const struct program_file *f)
{
	const char *const text = (const char *)f->data;
	bool is_first = true;
	for (size_t at = text_begin(f); at < f->size && !m->ended; is_first = false) {
		size_t end = at;
		if (is_comment(m->job, f, at)) {
			at = copy_comment(m, f, at) + 1;
			continue;
		}
		while (end < f->size && text[end] != '\n')
			end++;
		read_line(m, text + at, text + end - (end > at && text[end - 1] == '\r'), is_first);
		at = end + 1;
	}
}

static void read_binary(struct model *m, const struct program_file *f)
{
	const size_t size = m->job->in->size;
	size_t at = 0;
	for (; at + size <= f->size && !m->ended; at += size) {
		union value v = {.u64 = 0};
		for (size_t i = 0; i < size; i++)
			memcpy((unsigned char *)&v + (m->job->in_swapped ? size - 1 - i : i), f->data + at + i, 1);
		push_element(m, &v);
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
	struct segment *first = &m->segments.first;
	first->exact = decimal;
	plain_begin(&first->scan, acc, NULL);
	set_identity(m, acc, decimal);
	if (seed == NULL)
		return true;
	if (decimal && !decimal_parse(seed, size, &d))
		return false;
	if (decimal && !d.is_float && plain_push_decimal(&first->scan, seed, size, d.scale)) {
		m->initial = first->scan.last;
		return true;
	}
	first->exact = false;
	if (decimal)
		acc = &type_table[TYPE_F64];
	if (job->mode == MODE_DEC || (decimal && job->op->bitwise) || number_parse(seed, size, acc, &v) != NUMBER_OK)
		return false;
	m->initial = cell_of(acc, &v);
	plain_begin(&first->scan, acc, &m->initial);
	return true;
}

static void scan_plainly(struct model *m)
{
	const struct job *job = m->job;
	m->segments = job->segments;
	struct plain_scan *first = &m->segments.first.scan;
	first->op = job->op->id;
	first->wrap = job->wrap;
	first->sequential = job->algorithm == ALGORITHM_SEQUENTIAL;
	first->hillis = job->algorithm == ALGORITHM_HILLIS_STEELE;
	if (!set_seed(m)) {
		m->status = STATUS_USAGE;
		return;
	}
	if (job->include_initial)
		put_cell(m, &m->initial);
	/* Without keys and resets there is always one. */
	if (!m->segments.by_key && !segments_have_resets(&m->segments))
		m->now = segments_find(&m->segments, &m->key);
	for (size_t i = 0; i < job->file_count && !m->ended; i++) {
		if (job->mode == MODE_BINARY)
			read_binary(m, &job->files[i]);
		else if (job->by_lines)
			read_lines(m, &job->files[i]);
		else
			read_tokens(m, &job->files[i]);
	}
	for (size_t i = 0; i < m->segments.count && job->total && !m->ended; i++) {
		m->now = &m->segments.all[i];
		put_total(m);
	}
	segments_free(&m->segments);
}

#endif
