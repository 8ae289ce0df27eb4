/* The plain reading that decode_fuzz.c holds decode_text to: lines, fields and tokens split one after the other,
 * character by character, by what INTERFACE and decode.h say. */
#ifndef PSCAN_TESTS_FUZZ_PLAIN_TEXT_H
#define PSCAN_TESTS_FUZZ_PLAIN_TEXT_H

#include <stdbool.h>

#include "number/decimal.h"
#include "text/decode.h"
#include "fuzz.h"
#include "number/parse.h"
#include "plain_marks.h"

/* What stands in the output for what is filled in later: this byte and a letter. */
#define SLOT "\1"

/* A mark, a kept or held element, or a warning. */
struct note {
	size_t record; /* a mark's or an element's */
	bool is_names; /* a mark's */
	bool is_absent; /* an element's */
	uint64_t line, field; /* a warning's */
	size_t token, size; /* its place in the text */
};

/* What decoding came to, all places relative to the whole text. */
struct outcome {
	enum decode_stop stop;
	size_t count, consumed, header_marks; /* count: elements, each of them a record */
	uint64_t lines;
	size_t token, token_size; /* where it stopped */
	uint64_t problem_line;
	unsigned char *elements; /* decimals at their own scales in 128 bits */
	struct bytes scales; /* of such decimals: enum own_scale */
	struct bytes marks, helds, warnings; /* struct note */
	struct bytes output; /* where whole lines come out: them, with slots */
};

struct job {
	struct text_rules rules;
	uint64_t field; /* the number of the one that rules has, or 0 */
	struct element_format reading;
	size_t limit;
	uint64_t dropped_lines; /* of the header */
	const char *text; /* size bytes */
	size_t size;
};

struct plain {
	const struct job *job;
	struct outcome *o;
	size_t record; /* where the token's record begins */
	uint64_t header_left;
};

static void note(struct bytes *notes, const struct note *n)
{
	REQUIRE(bytes_append(notes, n, sizeof *n) == STATUS_OK, "no memory");
}

static void put(struct bytes *output, const char *text, size_t size)
{
	REQUIRE(bytes_append(output, text, size) == STATUS_OK, "no memory");
}

static void put_slot(struct bytes *output, const char *slot)
{
	put(output, slot, strlen(slot));
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\v' || c == '\f' || c == '\r';
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static uint64_t newlines(const char *text, size_t size)
{
	uint64_t n = 0;
	for (size_t i = 0; i < size; i++)
		n += text[i] == '\n';
	return n;
}

/* --- Tokens */

static uint64_t plain_line(const struct plain *p)
{
	return newlines(p->job->text, p->record) + 1;
}

/* Decoding ends at the token. */
static bool plain_stop(struct plain *p, enum decode_stop stop, size_t token, size_t size)
{
	struct outcome *o = p->o;
	o->stop = stop;
	o->token = token;
	o->token_size = size;
	o->consumed = p->record;
	if (stop == DECODE_FAIL)
		o->problem_line = plain_line(p);
	return false;
}

static bool plain_element(struct plain *p, const union value *value)
{
	const size_t size = p->job->reading.type->size;
	memcpy(p->o->elements + p->o->count * size, value, size);
	p->o->count++;
	return true;
}

static bool plain_invalid(struct plain *p, size_t token, size_t size)
{
	if (p->job->rules.tokens.invalid == INVALID_ABORT)
		return plain_stop(p, DECODE_FAIL, token, size);
	if (p->job->rules.tokens.invalid != INVALID_IGNORE)
		note(&p->o->warnings,
		     &(struct note){.line = plain_line(p), .field = p->job->field, .token = token, .size = size});
	return true;
}

/* A number as a mantissa of 128 bits at the scale that it is written with, in enum own_scale's form; false: it can only
 * be a float. */
static bool plain_decimal(const char *text, size_t size, __int128 *mantissa, unsigned char *scale)
{
	const bool is_negative = text[0] == '-';
	const size_t begin = is_negative || text[0] == '+';
	long long digits = 0, decimals = 0, exponent = 0;
	size_t end = begin;
	if (begin < size && text[begin] != '.' && (text[begin] < '0' || text[begin] > '9'))
		return false; /* inf or nan */
	for (bool has_point = false; end < size && text[end] != 'e' && text[end] != 'E'; end++) {
		decimals += has_point;
		digits += text[end] != '.';
		has_point = has_point || text[end] == '.';
	}
	for (size_t i = end; i < size; i++) {
		if (text[i] >= '0' && text[i] <= '9' && exponent < 1000000000)
			exponent = 10 * exponent + (text[i] - '0');
	}
	decimals -= end + 1 < size && text[end + 1] == '-' ? -exponent : exponent;
	/* Decimals past the greatest scale must be zeros. They are dropped; 0 has any number of them. */
	const long long kept = decimals > DECIMAL_SCALE_MAX ? digits - (decimals - DECIMAL_SCALE_MAX) : digits;
	__int128 m = 0;
	bool fits = true;
	digits = 0;
	for (size_t i = begin; i < end; i++) {
		const int digit = text[i] - '0';
		if (text[i] == '.')
			continue;
		if (digits++ < kept)
			fits = fits && !__builtin_mul_overflow(m, 10, &m) &&
			       !__builtin_add_overflow(m, is_negative ? -digit : digit, &m);
		else if (digit != 0)
			return false;
	}
	for (long long zeros = decimals; fits && m != 0 && zeros < 0; zeros++)
		fits = !__builtin_mul_overflow(m, 10, &m);
	*mantissa = m;
	*scale = (unsigned char)(decimals < 0 ? 0 : decimals < DECIMAL_SCALE_MAX ? decimals : DECIMAL_SCALE_MAX);
	if (is_negative && m == 0)
		*scale |= OWN_SCALE_NEGATIVE_ZERO;
	return fits;
}

/* A number as an exact decimal, or else in f64. */
static bool plain_own_decimal(struct plain *p, const char *text, size_t token, size_t size)
{
	struct outcome *o = p->o;
	unsigned char scale;
	unsigned char *element = o->elements + o->count * sizeof(__int128);
	union value value;
	__int128 mantissa;
	const enum number_result result = number_parse(text, size, &type_table[TYPE_F64], &value);
	if (result == NUMBER_INVALID)
		return plain_invalid(p, token, size);
	if (o->count == p->job->limit)
		return plain_stop(p, DECODE_LIMIT, token, size);
	memset(element, 0, sizeof mantissa);
	if (plain_decimal(text, size, &mantissa, &scale)) {
		memcpy(element, &mantissa, sizeof mantissa);
	} else if (result == NUMBER_RANGE) {
		return plain_stop(p, DECODE_FAIL, token, size);
	} else {
		memcpy(element, &value, sizeof value.f64);
		scale = OWN_SCALE_FLOAT;
	}
	put(&o->scales, (const char *)&scale, 1);
	o->count++;
	return true;
}

static bool plain_number(struct plain *p, const char *text, size_t token, size_t size)
{
	const struct element_format *r = &p->job->reading;
	const bool full = p->o->count == p->job->limit;
	union value value;
	if (r->own_scale)
		return plain_own_decimal(p, text, token, size);
	const enum number_result result = number_parse(text, size, r->type, &value);
	if (result == NUMBER_INVALID)
		return plain_invalid(p, token, size);
	if (full || result == NUMBER_RANGE)
		return plain_stop(p, full ? DECODE_LIMIT : DECODE_FAIL, token, size);
	return plain_element(p, &value);
}

/* Whether a token is one of the list's words, or nothing. */
static bool plain_is_listed(const char *marks, const char *text, size_t size)
{
	char words[64];
	bool is_listed = size == 0;
	(void)strcpy(words, marks);
	for (const char *word = strtok(words, ","); word != NULL; word = strtok(NULL, ","))
		is_listed = is_listed || (strlen(word) == size && strncasecmp(word, text, size) == 0);
	return is_listed;
}

/* What a token is that is no number. */
static const struct missing_rule *plain_rule(const struct job *job, const char *text, size_t size)
{
	const bool is_float = job->reading.type->kind == KIND_FLOAT;
	const bool is_nan = is_mark(text, size, true, true) && !is_mark(text, size, true, false);
	if (is_nan && job->rules.tokens.has_nan) {
		if (job->rules.tokens.nan.how != MISSING_PROPAGATE)
			return &job->rules.tokens.nan;
		if (is_float || job->reading.own_scale)
			return NULL;
	}
	const bool is_missing =
		job->rules.tokens.marks == NULL
			? is_mark(text, size, is_float, job->reading.own_scale)
			: plain_is_listed(job->rules.tokens.marks, text, size) || (is_nan && job->reading.own_scale);
	return is_missing ? &job->rules.tokens.missing : NULL;
}

/* An element that is kept or held. */
static bool plain_held(struct plain *p, bool is_kept, size_t token, size_t size)
{
	static const union value zero = {0};
	static const char scale = 0;
	if (p->o->count == p->job->limit)
		return plain_stop(p, DECODE_LIMIT, token, size);
	note(&p->o->helds, &(struct note){.record = p->o->count, .is_absent = is_kept, .token = token, .size = size});
	if (p->job->reading.own_scale)
		put(&p->o->scales, &scale, 1);
	return plain_element(p, &zero);
}

/* One token. False: decoding ends. */
static bool plain_token(struct plain *p, size_t token, size_t size)
{
	const struct job *job = p->job;
	const char *text = job->text + token;
	const struct missing_rule *rule = plain_rule(job, text, size);
	if (rule != NULL) {
		if (rule->how == MISSING_FAIL)
			return plain_stop(p, DECODE_FAIL, token, size);
		if (rule->how == MISSING_KEEP || rule->how == MISSING_HOLD)
			return plain_held(p, rule->how == MISSING_KEEP, token, size);
		if (rule->how != MISSING_VALUE)
			return true;
		text = rule->value;
		size = strlen(text);
	}
	return plain_number(p, text, token, size);
}

/* --- Lines and fields */

static bool plain_is_comment(const struct job *job, size_t at)
{
	const struct text_rules *rules = &job->rules;
	return rules->comment != NULL && job->size - at >= rules->comment_size &&
	       memcmp(job->text + at, rules->comment, rules->comment_size) == 0;
}

/* A line or CSV record. */
struct span {
	size_t begin, end; /* of its text, without "\n" or "\r\n" */
	size_t next;
	bool closed; /* no quotes are open at its end */
	bool ended; /* by a newline */
};

static struct span plain_span(const struct job *job, size_t begin)
{
	const char *text = job->text;
	const bool quotes = job->rules.cut == CUT_CSV && !plain_is_comment(job, begin);
	bool quoted = false, field_begins = true;
	size_t i = begin;
	for (; i < job->size && (quoted || text[i] != '\n'); i++) {
		if (quoted && text[i] == '"' && i + 1 < job->size && text[i + 1] == '"') {
			i++;
		} else if (text[i] == '"' && (quoted || (quotes && field_begins))) {
			quoted = !quoted;
			field_begins = false;
		} else if (!quoted) {
			field_begins = text[i] == job->rules.delimiter;
		}
	}
	struct span s = {.begin = begin, .end = i, .next = i, .closed = !quoted, .ended = i < job->size};
	s.next += s.ended;
	s.end -= i > begin && text[i - 1] == '\r';
	return s;
}

/* A field as it stands in a line, or how many are lacking up to it. */
struct place {
	size_t begin, end;
	uint64_t lacking;
};

/* Whether a line has nothing but blanks that are no delimiters. */
static bool plain_is_blank(const struct job *job, const struct span *s)
{
	bool is = true;
	for (size_t i = s->begin; i < s->end; i++)
		is = is && is_blank(job->text[i]) &&
		     (text_by_blanks(&job->rules) || job->text[i] != job->rules.delimiter);
	return is;
}

/* Where a log's field that begins at a place ends; *quoted: it is all quotes or brackets. */
static size_t plain_log_field_end(const char *text, size_t begin, size_t end, bool *quoted)
{
	const char close = text[begin] == '[' ? ']' : '"';
	size_t i = begin;
	*quoted = false;
	if (text[begin] == '[' || text[begin] == '"') {
		for (i = begin + 1; i < end && text[i] != close; i++)
			i += close == '"' && text[i] == '\\';
		if (i >= end)
			return end;
		i++;
		*quoted = i == end || is_blank(text[i]);
	}
	while (i < end && !is_blank(text[i]))
		i++;
	return i;
}

static struct place plain_field(const struct job *job, const struct span *s)
{
	const struct text_rules *rules = &job->rules;
	const char *text = job->text;
	struct place f = {.begin = s->begin};
	for (uint64_t field = 1;; field++) {
		while (text_by_blanks(rules) && f.begin < s->end && is_blank(text[f.begin]))
			f.begin++;
		bool quoted = rules->cut == CUT_CSV && f.begin < s->end && text[f.begin] == '"';
		f.end = f.begin + quoted;
		while (f.end < s->end &&
		       (quoted || (text_by_blanks(rules) ? !is_blank(text[f.end]) : text[f.end] != rules->delimiter))) {
			if (quoted && text[f.end] == '"') {
				if (f.end + 1 < s->end && text[f.end + 1] == '"')
					f.end++;
				else
					quoted = false;
			}
			f.end++;
		}
		if (rules->cut == CUT_LOG && f.begin < s->end)
			f.end = plain_log_field_end(text, f.begin, s->end, &quoted);
		if (text_by_blanks(rules) && f.begin == f.end)
			return (struct place){s->end, s->end, job->field - field + 1};
		if (field == job->field)
			return f;
		if (f.end == s->end)
			return (struct place){s->end, s->end, job->field - field};
		f.begin = f.end + 1;
	}
}

static struct place plain_trim(const struct job *job, struct place f)
{
	while (f.begin < f.end && is_blank(job->text[f.begin]))
		f.begin++;
	while (f.end > f.begin && is_blank(job->text[f.end - 1]))
		f.end--;
	return f;
}

/* Whether a field from which blanks were taken away stands in quotes. One that is to have some begins with them. */
static bool plain_is_quoted(const struct job *job, struct place f, struct place trimmed)
{
	bool quoted = false;
	if (job->rules.cut == CUT_LOG && f.begin < f.end)
		(void)plain_log_field_end(job->text, f.begin, f.end, &quoted);
	if (quoted)
		return true;
	return job->rules.cut == CUT_CSV && f.begin == trimmed.begin && f.end - f.begin >= 2 &&
	       job->text[f.begin] == '"' && trimmed.end - f.begin >= 2 && job->text[trimmed.end - 1] == '"';
}

/* What a field says: without quotes and the blanks around. */
static bool plain_read_field(struct plain *p, struct place f)
{
	const struct text_rules *rules = &p->job->rules;
	struct place trimmed = plain_trim(p->job, f);
	if (f.lacking > 0 && text_by_blanks(rules) && rules->output.lines == LINES_REPLACED &&
	    (rules->tokens.missing.how == MISSING_VALUE || rules->tokens.missing.how == MISSING_HOLD))
		return plain_stop(p, DECODE_FAIL, f.begin, 0);
	if (plain_is_quoted(p->job, f, trimmed)) {
		trimmed.begin++;
		trimmed.end--;
		trimmed = plain_trim(p->job, trimmed);
	}
	return plain_token(p, trimmed.begin, trimmed.end - trimmed.begin);
}

/* The line comes out with a slot in the field's place, between the blanks around it, or in a new one. */
static void plain_replace(struct plain *p, const struct span *s, struct place f, const char *slot)
{
	const char *text = p->job->text;
	struct bytes *output = &p->o->output;
	f = plain_trim(p->job, f);
	put(output, text + s->begin, f.begin - s->begin);
	for (uint64_t i = 0; i < f.lacking; i++)
		put_slot(output, SLOT "D");
	put_slot(output, slot);
	put(output, text + f.end, s->next - f.end);
}

static void plain_append(struct plain *p, const struct span *s, const char *slot)
{
	put(&p->o->output, p->job->text + s->begin, s->end - s->begin);
	put_slot(&p->o->output, SLOT "D");
	put_slot(&p->o->output, slot);
	put(&p->o->output, p->job->text + s->end, s->next - s->end);
}

/* A header or comment line. */
static void plain_pass(struct plain *p, const struct span *s, bool is_header)
{
	const struct text_rules *rules = &p->job->rules;
	struct outcome *o = p->o;
	if (is_header && rules->header_lines - p->header_left < p->job->dropped_lines)
		; /* an earlier file had it */
	else if (rules->output.lines == LINES_DROPPED && is_header && p->header_left == 1 && p->job->field != 0)
		note(&o->marks, &(struct note){.record = o->count, .is_names = true});
	else if (rules->output.lines == LINES_DROPPED)
		note(&o->marks,
		     &(struct note){.record = o->count, .token = s->begin, .size = s->next - s->begin - s->ended});
	else if (is_header && p->header_left == 1 && rules->output.lines == LINES_APPENDED)
		plain_append(p, s, SLOT "N");
	else if (is_header && p->header_left == 1 && rules->output.as != NULL && plain_field(p->job, s).lacking == 0)
		plain_replace(p, s, plain_field(p->job, s), SLOT "N");
	else
		put(&o->output, p->job->text + s->begin, s->next - s->begin);
	p->header_left -= is_header;
	if (is_header && rules->output.lines == LINES_DROPPED)
		o->header_marks = o->marks.size / sizeof(struct note);
}

/* Whether a line has carriage returns within, outside quotes, and something after them. */
static bool plain_has_return(const struct job *job, const struct span *s)
{
	const bool has_quotes = job->rules.cut == CUT_CSV || job->rules.cut == CUT_LOG;
	struct job each = *job;
	bool has = false;
	for (each.field = 1; !has; each.field++) {
		const struct place f = plain_field(&each, s);
		bool quoted = false;
		if (f.lacking > 0)
			break;
		for (size_t i = f.begin; i < f.end; i++) {
			quoted = quoted != (has_quotes && job->text[f.begin] == '"' && job->text[i] == '"');
			has = has || (job->text[i] == '\r' && !quoted && i + 1 < s->end);
		}
	}
	return has;
}

/* Whether all that the text has after as many newlines as header lines is one line that ends in carriage returns
 * alone: it is refused before anything of it is read. */
static bool plain_ends_in_returns(struct plain *p)
{
	const struct job *job = p->job;
	size_t at = 0;
	for (uint64_t left = job->rules.header_lines; left > 0 && at < job->size; at++)
		left -= job->text[at] == '\n';
	if (at == job->size || newlines(job->text + at, job->size - at) > 0 || plain_is_comment(job, at))
		return false;
	const struct span s = plain_span(job, at);
	p->record = at;
	if (!s.closed || !plain_has_return(job, &s))
		return false;
	(void)plain_stop(p, DECODE_FAIL, at, 0);
	p->o->consumed = 0; /* nothing comes out */
	return true;
}

static void plain_lines(struct plain *p)
{
	const struct job *job = p->job;
	if (plain_ends_in_returns(p))
		return;
	for (size_t begin = 0; begin < job->size;) {
		const struct span s = plain_span(job, begin);
		begin = s.next;
		p->record = s.begin;
		const bool is_comment = plain_is_comment(job, s.begin);
		if (is_comment || p->header_left > 0) {
			plain_pass(p, &s, !is_comment);
			continue;
		}
		if (!s.closed) {
			(void)plain_stop(p, DECODE_FAIL, s.begin, 0);
			return;
		}
		if (plain_is_blank(job, &s)) {
			if (job->rules.output.lines != LINES_DROPPED)
				put(&p->o->output, job->text + s.begin, s.next - s.begin);
			continue;
		}
		const size_t count = p->o->count;
		const size_t helds = p->o->helds.size;
		const struct place f = plain_field(job, &s);
		if (!plain_read_field(p, f))
			return;
		/* (What is kept and is not there is not made, either.) */
		const struct note *held =
			p->o->helds.size > helds ? (const struct note *)(const void *)(p->o->helds.data + helds) : NULL;
		const bool has_place = f.lacking == 0 || held == NULL || !held->is_absent;
		if (job->rules.output.lines == LINES_APPENDED)
			plain_append(p, &s, p->o->count > count ? SLOT "R" : "");
		else if (job->rules.output.lines == LINES_REPLACED && p->o->count > count && has_place)
			plain_replace(p, &s, f, SLOT "R");
		else if (job->rules.output.lines == LINES_REPLACED)
			put(&p->o->output, job->text + s.begin, s.next - s.begin);
	}
	p->record = job->size;
}

static void plain_tokens(struct plain *p)
{
	const struct job *job = p->job;
	bool line_begins = true;
	for (size_t i = 0; i < job->size;) {
		const bool is_comment = line_begins && plain_is_comment(job, i);
		if (line_begins && (is_comment || p->header_left > 0)) {
			const struct span s = plain_span(job, i);
			plain_pass(p, &s, !is_comment);
			i = s.next;
			continue;
		}
		line_begins = job->text[i] == '\n';
		if (is_space(job->text[i])) {
			i++;
			continue;
		}
		p->record = i;
		while (i < job->size && !is_space(job->text[i]))
			i++;
		if (!plain_token(p, p->record, i - p->record))
			return;
	}
	p->record = job->size;
}

/* The whole text. */
static void read_plainly(const struct job *job, struct outcome *o)
{
	struct plain p = {.job = job, .o = o, .header_left = job->rules.header_lines};
	*o = (struct outcome){.stop = DECODE_END, .consumed = job->size};
	o->elements = malloc((job->size + 1) * 16);
	REQUIRE(o->elements != NULL, "no memory");
	if (job->field == 0)
		plain_tokens(&p);
	else
		plain_lines(&p);
	o->lines = newlines(job->text, o->consumed);
}

#endif
