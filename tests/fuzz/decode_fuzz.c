/* Text into elements: decode_text against a plain reading of the same bytes (split into lines, fields and tokens one after
 * the other, then number_parse or decimal_parse, which number_fuzz.c holds to account), and against itself in two parts
 * that meet where a record ends.
 *
 * First bytes: field, delimiter, what is missing or invalid, the reading, limit and first, and where the parts meet.
 *
 * For CSV the rules are drawn in draw_rules, lines and fields are split in plain_lines, and draw_cut looks for a newline
 * outside quotes; everything else stays as it is. */
#include <stdbool.h>

#include "decimal.h"
#include "decode.h"
#include "fuzz.h"
#include "number.h"
#include "record.h"

#define TEXT_MAX 65536

/* What decoding came to, all places relative to the whole text. */
struct outcome {
	enum decode_stop stop;
	size_t count, consumed;
	uint64_t lines;
	size_t token, token_size; /* where it stopped */
	uint64_t problem_line;
	unsigned char *elements;
	struct bytes marks, warnings; /* struct note */
};

/* A mark or a warning. */
struct note {
	size_t element;
	uint64_t line; /* 0: a mark's is not told */
	size_t token, size;
};

struct job {
	struct text_rules rules;
	struct reading reading;
	const union value *first;
	union value first_value;
	size_t limit;
	const char *text; /* size bytes */
	size_t size;
	size_t cut; /* where the second part begins */
};

static void note(struct bytes *notes, size_t element, uint64_t line, size_t token, size_t size)
{
	struct note n;
	memset(&n, 0, sizeof n);
	n.element = element;
	n.line = line;
	n.token = token;
	n.size = size;
	REQUIRE(bytes_append(notes, &n, sizeof n) == STATUS_OK, "no memory");
}

static void outcome_free(struct outcome *o)
{
	free(o->elements);
	bytes_free(&o->marks);
	bytes_free(&o->warnings);
}

/* --- The plain reading */

struct plain {
	const struct job *job;
	struct outcome *o;
	uint64_t line; /* from 1 */
	size_t record; /* where the token's record begins */
};

/* Decoding ends at the token. */
static bool plain_stop(struct plain *p, enum decode_stop stop, size_t token, size_t size)
{
	struct outcome *o = p->o;
	o->stop = stop;
	o->token = token;
	o->token_size = size;
	o->consumed = p->record;
	if (stop == DECODE_FAIL)
		o->problem_line = p->line;
	return false;
}

static void plain_element(struct plain *p, const union value *value)
{
	const size_t size = p->job->reading.type->size;
	memcpy(p->o->elements + p->o->count * size, value, size);
	p->o->count++;
}

static bool plain_invalid(struct plain *p, size_t token, size_t size)
{
	if (p->job->rules.invalid == INVALID_ABORT)
		return plain_stop(p, DECODE_FAIL, token, size);
	if (p->job->rules.invalid != INVALID_IGNORE)
		note(&p->o->warnings, p->o->count, p->line, token, size);
	return true;
}

static bool plain_decimal(struct plain *p, const char *text, size_t token, size_t size)
{
	const struct reading *r = &p->job->reading;
	struct decimal d;
	union value value;
	if (!decimal_parse(text, size, &d))
		return plain_invalid(p, token, size);
	if (d.is_float || d.scale > r->scale || (r->integers_only && d.scale > 0) ||
	    !decimal_mantissa(&d, r->scale, r->type, &value))
		return plain_stop(p, DECODE_CHANGE, token, size);
	plain_element(p, &value);
	return true;
}

static bool is_mark(const char *text, size_t size)
{
	static const char *const marks[] = {"", "-", "NA", "N/A", "null"};
	for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
		if (strlen(marks[i]) == size && memcmp(marks[i], text, size) == 0)
			return true;
	}
	return false;
}

/* One token. False: decoding ends. */
static bool plain_token(struct plain *p, size_t token, size_t size)
{
	const struct job *job = p->job;
	const char *text = job->text + token;
	union value value;
	struct number_parts parts;
	if (is_mark(text, size)) {
		if (job->rules.missing == MISSING_FAIL)
			return plain_stop(p, DECODE_FAIL, token, size);
		if (job->rules.missing == MISSING_KEEP)
			note(&p->o->marks, p->o->count, 0, token, size);
		if (job->rules.missing != MISSING_VALUE)
			return true;
		text = job->rules.missing_value;
		size = strlen(text);
	}
	if (p->o->count == job->limit)
		return plain_stop(p, DECODE_LIMIT, token, size);
	if (p->o->count == 0 && job->first != NULL && number_split(text, size, &parts)) {
		plain_element(p, job->first);
		return true;
	}
	if (job->reading.decimal)
		return plain_decimal(p, text, token, size);
	const enum number_result result = number_parse(text, size, job->reading.type, &value);
	if (result == NUMBER_INVALID)
		return plain_invalid(p, token, size);
	if (result == NUMBER_RANGE)
		return plain_stop(p, DECODE_FAIL, token, size);
	plain_element(p, &value);
	return true;
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\v' || c == '\f' || c == '\r';
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static void plain_tokens(struct plain *p)
{
	const char *text = p->job->text;
	const size_t size = p->job->size;
	for (size_t i = 0; i < size;) {
		if (is_space(text[i])) {
			p->line += text[i++] == '\n';
			continue;
		}
		const size_t token = i;
		while (i < size && !is_space(text[i]))
			i++;
		p->record = token;
		if (!plain_token(p, token, i - token))
			return;
	}
	p->record = size;
}

/* The field of the line from begin to end. */
static void plain_field(const struct text_rules *rules, const char *text, size_t begin, size_t end, size_t *token,
			size_t *size)
{
	size_t from = begin, to = begin;
	for (uint64_t field = 1;; field++) {
		while (rules->by_blanks && from < end && is_blank(text[from]))
			from++;
		to = from;
		while (to < end && (rules->by_blanks ? !is_blank(text[to]) : text[to] != rules->delimiter))
			to++;
		if (field == rules->field)
			break;
		if (to == end) {
			from = end;
			break;
		}
		from = to + 1;
	}
	while (from < to && is_blank(text[from]))
		from++;
	while (to > from && is_blank(text[to - 1]))
		to--;
	*token = from;
	*size = to - from;
}

static void plain_lines(struct plain *p)
{
	const char *text = p->job->text;
	const size_t size = p->job->size;
	for (size_t begin = 0; begin < size; p->line++) {
		size_t end = begin, token, token_size;
		while (end < size && text[end] != '\n')
			end++;
		const size_t next = end + (end < size);
		end -= end > begin && text[end - 1] == '\r';
		p->record = begin;
		plain_field(&p->job->rules, text, begin, end, &token, &token_size);
		if (!plain_token(p, token, token_size))
			return;
		begin = next;
	}
	p->record = size;
}

static uint64_t newlines(const char *text, size_t size)
{
	uint64_t n = 0;
	for (size_t i = 0; i < size; i++)
		n += text[i] == '\n';
	return n;
}

static void read_plainly(const struct job *job, struct outcome *o)
{
	struct plain p = {.job = job, .o = o, .line = 1};
	*o = (struct outcome){.stop = DECODE_END, .consumed = job->size};
	o->elements = malloc((job->size + 1) * 16);
	REQUIRE(o->elements != NULL, "no memory");
	if (job->rules.field == 0)
		plain_tokens(&p);
	else
		plain_lines(&p);
	o->lines = newlines(job->text, o->consumed);
}

/* --- decode_text */

/* Places in the piece of text as places in the whole; what stands for a missing one has none. */
static size_t place(const char *token, const char *piece, size_t piece_size, size_t offset)
{
	return token >= piece && token <= piece + piece_size ? offset + (size_t)(token - piece) : SIZE_MAX;
}

/* Decodes size bytes from offset and adds to the outcome. */
static void decode_piece(const struct job *job, size_t offset, size_t size, struct outcome *o)
{
	char *piece = fuzz_copy(job->text + offset, size);
	const size_t element_size = job->reading.type->size;
	unsigned char *elements = malloc((size + 1) * element_size);
	struct bytes marks = {0}, warnings = {0};
	struct decoded d;
	const struct decode_target target = {
		.elements = elements,
		.first = o->count == 0 ? job->first : NULL,
		.limit = job->limit - o->count,
		.lines_before = o->lines,
		.marks = &marks,
		.warnings = &warnings,
	};
	REQUIRE(elements != NULL, "no memory");
	REQUIRE(decode_text(&job->rules, &job->reading, piece, size, &target, &d) == STATUS_OK, "decode_text failed");
	REQUIRE(d.count <= target.limit && d.consumed <= size, "%zu elements, %zu bytes", d.count, d.consumed);
	for (size_t i = 0; i < marks.size / sizeof(struct mark); i++) {
		const struct mark *m = (const struct mark *)(const void *)marks.data + i;
		note(&o->marks, o->count + m->element, 0, place(m->text, piece, size, offset), m->size);
	}
	for (size_t i = 0; i < warnings.size / sizeof(struct warning); i++) {
		const struct warning *w = (const struct warning *)(const void *)warnings.data + i;
		note(&o->warnings, o->count + w->element, w->line, place(w->token, piece, size, offset), w->size);
	}
	memcpy(o->elements + o->count * element_size, elements, d.count * element_size);
	o->stop = d.stop;
	o->count += d.count;
	o->consumed = offset + d.consumed;
	o->lines += d.lines;
	if (d.stop != DECODE_END && d.stop != DECODE_FAIL) {
		o->token = place(d.token, piece, size, offset);
		o->token_size = d.token_size;
	}
	o->problem_line = d.stop == DECODE_FAIL ? d.problem.line : 0;
	bytes_free(&marks);
	bytes_free(&warnings);
	free(elements);
	free(piece);
}

static void decode_parts(const struct job *job, size_t cut, struct outcome *o)
{
	*o = (struct outcome){.stop = DECODE_END};
	o->elements = malloc((job->size + 2) * 16);
	REQUIRE(o->elements != NULL, "no memory");
	if (cut > 0)
		decode_piece(job, 0, cut, o);
	if (o->stop == DECODE_END)
		decode_piece(job, cut, job->size - cut, o);
}

static void require_same_notes(const struct bytes *a, const struct bytes *b, const char *what)
{
	REQUIRE(a->size == b->size, "%zu and %zu %s", a->size / sizeof(struct note), b->size / sizeof(struct note),
		what);
	for (size_t i = 0; i < a->size / sizeof(struct note); i++) {
		const struct note *m = (const struct note *)(const void *)a->data + i;
		const struct note *n = (const struct note *)(const void *)b->data + i;
		REQUIRE(m->element == n->element && m->line == n->line && m->size == n->size &&
				(m->token == n->token || m->token == SIZE_MAX || m->size == 0),
			"of the %s number %zu", what, i);
	}
}

static void require_same(const struct job *job, const struct outcome *got, const struct outcome *want)
{
	const size_t size = job->reading.type->size;
	REQUIRE(got->stop == want->stop, "stop %d instead of %d", (int)got->stop, (int)want->stop);
	REQUIRE(got->count == want->count, "%zu elements instead of %zu", got->count, want->count);
	for (size_t i = 0; i < got->count; i++)
		REQUIRE(memcmp(got->elements + i * size, want->elements + i * size, size) == 0, "element %zu", i);
	REQUIRE(got->consumed == want->consumed, "%zu bytes instead of %zu", got->consumed, want->consumed);
	REQUIRE(got->lines == want->lines, "%ju lines instead of %ju", (uintmax_t)got->lines, (uintmax_t)want->lines);
	REQUIRE(got->problem_line == want->problem_line, "line %ju instead of %ju", (uintmax_t)got->problem_line,
		(uintmax_t)want->problem_line);
	if (want->stop == DECODE_CHANGE || want->stop == DECODE_LIMIT)
		REQUIRE(got->token_size == want->token_size && (got->token == want->token || got->token == SIZE_MAX),
			"stopped at %zu instead of %zu", got->token, want->token);
	require_same_notes(&got->marks, &want->marks, "marks");
	require_same_notes(&got->warnings, &want->warnings, "warnings");
}

/* --- One input */

static void draw_rules(struct job *job, const uint8_t **data, size_t *size)
{
	static const char delimiters[] = {',', ':', ';', '\t', '|', ' ', 'e', '-'};
	static const char *const values[] = {"0", "-1.5", "7", "1e3"};
	const unsigned field = fuzz_choose(data, size);
	const unsigned delimiter = fuzz_choose(data, size);
	const unsigned words = fuzz_choose(data, size);
	job->rules = (struct text_rules){
		.field = field < 250    ? field % 8
			 : field == 250 ? UINT64_MAX
					: field,
		.by_blanks = delimiter & 1,
		.delimiter = delimiters[delimiter / 2 % sizeof delimiters],
		.missing = (enum missing)(words & 3),
		.missing_value = values[words / 4 % 4],
		.invalid = (enum invalid)(words / 16 % 4),
	};
}

static void draw_reading(struct job *job, const uint8_t **data, size_t *size)
{
	const unsigned type = fuzz_choose(data, size) % (TYPE_I128 + 2);
	const unsigned how = fuzz_choose(data, size);
	job->reading = (struct reading){.type = &type_table[type < TYPE_I128 ? type : TYPE_I64]};
	if (type >= TYPE_I128) {
		job->reading.type = &type_table[type == TYPE_I128 ? TYPE_I64 : TYPE_I128];
		job->reading.decimal = true;
		job->reading.scale = how % (DECIMAL_SCALE_MAX + 1);
		job->reading.integers_only = how >= 200;
	}
}

/* Where the parts meet: behind the first record that ends at or behind a place drawn. */
static void draw_cut(struct job *job, size_t drawn)
{
	const struct plan plan = {.input_format = FORMAT_TEXT, .text = job->rules};
	const unsigned char *text = (const unsigned char *)job->text;
	const size_t from = job->size == 0 ? 0 : drawn % job->size;
	size_t cut = from;
	while (cut < job->size && job->text[cut] != '\n' && (job->rules.field != 0 || !is_space(job->text[cut])))
		cut++;
	const bool found = cut < job->size;
	job->cut = found ? cut + 1 : 0;
	REQUIRE(record_first_end(&plan, text, from, job->size) == job->cut, "the first record behind %zu", from);
	if (found)
		REQUIRE(record_whole(&plan, text, cut + 1) == cut + 1, "whole records at %zu", cut + 1);
	REQUIRE(record_whole(&plan, text, job->size) >= job->cut, "whole records of %zu bytes", job->size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct job job = {.limit = SIZE_MAX};
	struct outcome plain, whole, parts;
	draw_rules(&job, &data, &size);
	draw_reading(&job, &data, &size);
	const unsigned limit = fuzz_choose(&data, &size);
	const unsigned first = fuzz_choose(&data, &size);
	const unsigned cut_low = fuzz_choose(&data, &size);
	const unsigned cut_high = fuzz_choose(&data, &size);
	if (size > TEXT_MAX)
		return 0;
	memset(&job.first_value, 0x77, sizeof job.first_value);
	if (first >= 200)
		job.first = &job.first_value;
	if (limit >= 128)
		job.limit = limit - 127;
	job.text = (const char *)data;
	job.size = size;
	draw_cut(&job, cut_low | cut_high << 8);

	read_plainly(&job, &plain);
	decode_parts(&job, 0, &whole);
	require_same(&job, &whole, &plain);
	if (job.cut > 0) {
		decode_parts(&job, job.cut, &parts);
		require_same(&job, &parts, &plain);
		outcome_free(&parts);
	}
	outcome_free(&plain);
	outcome_free(&whole);
	return 0;
}
