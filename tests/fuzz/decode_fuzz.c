/* Text into elements: decode_text against a plain reading of the same bytes (plain_text.h), by tokens, fields and CSV,
 * with headers and comments, lines dropped or edited; against itself in two parts that meet where record_cut cuts; and
 * that cut against the plain reading's.
 *
 * First bytes: field, delimiter, what is missing or invalid, lines, the reading, limit, and where to cut. */
#include "plain_text.h"
#include "text/record.h"

#define TEXT_MAX 65536

static void outcome_free(struct outcome *o)
{
	free(o->elements);
	bytes_free(&o->scales);
	bytes_free(&o->marks);
	bytes_free(&o->helds);
	bytes_free(&o->warnings);
	bytes_free(&o->output);
}

/* --- decode_text */

/* One part of the text, in a block of its own. */
struct piece {
	char *text; /* with TEXT_PADDING bytes behind it that could be taken for digits */
	size_t offset, size;
	struct bytes marks, absences, helds, edits, warnings, scratch;
};

/* A place in the piece as one in the whole; what stands for a missing field has none. */
static size_t place_of(const struct piece *piece, const char *token)
{
	return token >= piece->text && token <= piece->text + piece->size
		       ? piece->offset + (size_t)(token - piece->text)
		       : SIZE_MAX;
}

/* The piece up to consumed, edited as was told. */
static void apply_edits(const struct piece *piece, size_t consumed, struct bytes *output)
{
	static const char *const slots[] = {
		[EDIT_NOTHING] = "",
		[EDIT_RESULT] = SLOT "R",
		[EDIT_NO_RESULT] = "",
		[EDIT_DELIMITERS] = SLOT "D",
		[EDIT_DELIMITER_RESULT] = SLOT "D" SLOT "R",
		[EDIT_DELIMITER_RESULTS] = SLOT "D" SLOT "R", /* of the one field */
		[EDIT_DELIMITER_NAMES] = SLOT "D" SLOT "N",
		[EDIT_NAME] = SLOT "N",
	};
	size_t at = 0;
	for (size_t i = 0; i < piece->edits.size / sizeof(struct edit); i++) {
		const struct edit *e = (const struct edit *)(const void *)piece->edits.data + i;
		const size_t delimiters = e->kind == EDIT_DELIMITERS ? e->skipped : 0;
		const size_t skipped = e->skipped - delimiters;
		REQUIRE(e->copied <= consumed - at && skipped <= consumed - at - e->copied, "edit %zu", i);
		put(output, piece->text + at, e->copied);
		for (size_t k = 1; k < delimiters; k++)
			put_slot(output, slots[e->kind]);
		put_slot(output, slots[e->kind]);
		at += e->copied + skipped;
	}
	put(output, piece->text + at, consumed - at);
}

static void add_notes(const struct piece *piece, struct outcome *o)
{
	for (size_t i = 0; i < piece->marks.size / sizeof(struct mark); i++) {
		const struct mark *m = (const struct mark *)(const void *)piece->marks.data + i;
		const struct note n = {.record = o->count + m->record,
				       .is_names = m->text == NULL,
				       .token = m->text == NULL ? 0 : place_of(piece, m->text),
				       .size = m->size};
		note(&o->marks, &n);
	}
	for (size_t i = 0; i < piece->helds.size / sizeof(struct held); i++) {
		const struct held *h = (const struct held *)(const void *)piece->helds.data + i;
		REQUIRE(h->element == h->record, "element %zu of record %zu", h->element, h->record);
		const struct note n = {.record = o->count + h->record,
				       .is_absent = h->is_absent,
				       .token = place_of(piece, h->text),
				       .size = h->size};
		note(&o->helds, &n);
	}
	for (size_t i = 0; i < piece->warnings.size / sizeof(struct warning); i++) {
		const struct warning *w = (const struct warning *)(const void *)piece->warnings.data + i;
		const struct note n = {.line = o->lines + w->line,
				       .field = w->field,
				       .token = place_of(piece, w->token),
				       .size = w->size};
		note(&o->warnings, &n);
	}
}

/* The elements of a column of decimals at their own scales, in 128 bits. Such a column is narrow if all fit i64 at the
 * greatest of the scales, and only then. */
static void add_own_decimals(const struct column *k, struct outcome *o)
{
	const unsigned char *scales = k->scales->data;
	__int128 *wide = (__int128 *)(void *)o->elements + o->count;
	unsigned greatest = 0;
	bool fit = true;
	REQUIRE(k->scales->size == k->count, "%zu scales of %zu elements", k->scales->size, k->count);
	REQUIRE(k->step == (k->is_narrow ? sizeof(int64_t) : sizeof *wide), "elements are %zu bytes apart", k->step);
	for (size_t i = 0; i < k->count; i++) {
		const unsigned scale = scales[i] & OWN_SCALE_MASK;
		greatest = scale > greatest ? scale : greatest;
	}
	REQUIRE(!k->is_narrow || k->scale == greatest, "scale %u, and not %u", k->scale, greatest);
	for (size_t i = 0; i < k->count; i++) {
		__int128 most = INT64_MAX;
		int64_t narrow;
		for (unsigned scale = scales[i] & OWN_SCALE_MASK; scale < greatest; scale++)
			most /= 10;
		if (k->is_narrow) {
			memcpy(&narrow, k->elements + i * sizeof narrow, sizeof narrow);
			wide[i] = narrow;
			for (unsigned scale = scales[i] & OWN_SCALE_MASK; scale < greatest; scale++) {
				REQUIRE(wide[i] % 10 == 0, "element %zu is not at scale %u", i, greatest);
				wide[i] /= 10;
			}
		} else {
			memcpy(&wide[i], k->elements + i * sizeof *wide, sizeof *wide);
		}
		/* (10^k divides no power of two, but for k = 0.) */
		const __int128 least = most == INT64_MAX ? INT64_MIN : -most;
		fit = fit && (scales[i] & OWN_SCALE_FLOAT) == 0 && wide[i] <= most && wide[i] >= least;
	}
	REQUIRE(k->is_narrow == fit, "the elements are %s", k->is_narrow ? "narrow" : "wide");
	put(&o->scales, (const char *)scales, k->count);
}

/* Decodes size bytes from offset and adds to the outcome. */
static void decode_piece(const struct job *job, size_t offset, size_t size, struct outcome *o)
{
	const size_t element_size = job->reading.type->size;
	struct piece piece = {.text = malloc(size + TEXT_PADDING), .offset = offset, .size = size};
	unsigned char *elements = malloc((size + 1) * element_size);
	struct decoded d;
	struct bytes scales = {0};
	const bool is_own = job->reading.own_scale;
	struct column column = {.reading = job->reading,
				.elements = elements,
				.step = is_own ? sizeof(int64_t) : element_size,
				.is_narrow = is_own,
				.scales = &scales,
				.helds = &piece.helds};
	const struct decode_target target = {
		.columns = &column,
		.column_count = 1,
		.limit = job->limit - o->count,
		.fields = job->field != 0 ? &job->field : NULL,
		.at_line_start = offset == 0 || job->text[offset - 1] == '\n',
		.begins_file = offset == 0,
		.header_lines = offset == 0 ? job->rules.header_lines : 0,
		.header_whole = true,
		.dropped_lines = offset == 0 ? job->dropped_lines : 0,
		.marks = &piece.marks,
		.absences = &piece.absences,
		.edits = &piece.edits,
		.warnings = &piece.warnings,
		.scratch = &piece.scratch,
	};
	REQUIRE(piece.text != NULL && elements != NULL, "no memory");
	memcpy(piece.text, job->text + offset, size);
	memset(piece.text + size, '7', TEXT_PADDING);
	REQUIRE(decode_text(&job->rules, piece.text, size, &target, &d) == STATUS_OK, "no memory");
	REQUIRE(d.records <= target.limit && d.consumed <= size, "%zu elements, %zu bytes", d.records, d.consumed);
	REQUIRE(column.count == d.records && piece.absences.size == 0, "%zu elements of %zu records", column.count,
		d.records);
	add_notes(&piece, o);
	if (job->rules.output.lines != LINES_DROPPED)
		apply_edits(&piece, d.consumed, &o->output);
	if (is_own)
		add_own_decimals(&column, o);
	else
		memcpy(o->elements + o->count * element_size, elements, d.records * element_size);
	o->stop = d.stop;
	o->count += d.records;
	o->consumed = offset + d.consumed;
	const uint64_t before = o->lines;
	o->lines += d.lines;
	if (offset == 0)
		o->header_marks = d.header_marks;
	if (d.stop == DECODE_LIMIT) {
		o->token = place_of(&piece, d.token);
		o->token_size = d.token_size;
	}
	o->problem_line = d.stop == DECODE_FAIL ? before + d.problem.line : 0;
	bytes_free(&piece.marks);
	bytes_free(&piece.absences);
	bytes_free(&piece.helds);
	bytes_free(&piece.edits);
	bytes_free(&piece.scratch);
	bytes_free(&piece.warnings);
	bytes_free(&scales);
	free(elements);
	free(piece.text);
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

/* --- What is compared */

static void require_same_notes(const struct bytes *a, const struct bytes *b, const char *what)
{
	REQUIRE(a->size == b->size, "%zu and %zu %s", a->size / sizeof(struct note), b->size / sizeof(struct note),
		what);
	for (size_t i = 0; i < a->size / sizeof(struct note); i++) {
		const struct note *m = (const struct note *)(const void *)a->data + i;
		const struct note *n = (const struct note *)(const void *)b->data + i;
		REQUIRE(m->record == n->record && m->is_names == n->is_names && m->is_absent == n->is_absent &&
				m->line == n->line && m->field == n->field && m->size == n->size &&
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
	for (size_t i = 0; i < got->scales.size; i++)
		REQUIRE(got->scales.data[i] == want->scales.data[i], "scale %zu is %d instead of %d", i,
			got->scales.data[i], want->scales.data[i]);
	REQUIRE(got->consumed == want->consumed, "%zu bytes instead of %zu", got->consumed, want->consumed);
	REQUIRE(got->lines == want->lines, "%ju lines instead of %ju", (uintmax_t)got->lines, (uintmax_t)want->lines);
	REQUIRE(got->problem_line == want->problem_line, "line %ju instead of %ju", (uintmax_t)got->problem_line,
		(uintmax_t)want->problem_line);
	if (want->stop == DECODE_LIMIT)
		REQUIRE(got->token_size == want->token_size && (got->token == want->token || got->token == SIZE_MAX),
			"stopped at %zu instead of %zu", got->token, want->token);
	REQUIRE(got->header_marks == want->header_marks, "%zu header marks", got->header_marks);
	require_same_notes(&got->marks, &want->marks, "marks");
	require_same_notes(&got->helds, &want->helds, "kept and held elements");
	require_same_notes(&got->warnings, &want->warnings, "warnings");
	REQUIRE(got->output.size == want->output.size &&
			(got->output.size == 0 || memcmp(got->output.data, want->output.data, got->output.size) == 0),
		"lines come out as \"%.*s\" instead of \"%.*s\"", (int)got->output.size, (char *)got->output.data,
		(int)want->output.size, (char *)want->output.data);
}

/* --- Where to cut */

/* Behind the last record that ends within limit bytes, or the first. */
static size_t plain_cut_at(const struct job *job, size_t limit, bool at_lines)
{
	size_t cut = 0;
	for (size_t i = 0; i < job->size;) {
		if (at_lines) {
			const struct span s = plain_span(job, i);
			if (!s.ended || !s.closed)
				break;
			i = s.next;
		} else if (!is_space(job->text[i++])) {
			continue;
		}
		if (i > limit)
			return cut > 0 ? cut : i;
		cut = i;
	}
	return cut;
}

static size_t plain_cut(const struct job *job, size_t limit)
{
	const bool by_field = job->field != 0;
	const bool by_lines = job->rules.comment != NULL || job->rules.header_lines > 0;
	const size_t cut = plain_cut_at(job, limit, by_field || by_lines);
	/* A long line of numbers is cut, a long comment is not. */
	if (by_field || !by_lines || (cut > 0 && cut <= limit) || plain_is_comment(job, 0))
		return cut;
	return job->size < limit ? cut : plain_cut_at(job, limit, false);
}

/* The end of the header; 0 if it is not whole. */
static size_t plain_header_end(const struct job *job)
{
	size_t at = 0;
	for (uint64_t count = 0; count < job->rules.header_lines;) {
		const bool is_comment = plain_is_comment(job, at);
		const struct span s = plain_span(job, at);
		if (!s.ended || !s.closed)
			return 0;
		count += !is_comment;
		at = s.next;
	}
	return at;
}

/* The cut at a limit, searched at once and in two steps. */
static size_t cut_at(const struct job *job, size_t limit, size_t step)
{
	const struct record_format format = {.input = FORMAT_TEXT, .text = job->rules};
	const unsigned char *text = (const unsigned char *)job->text;
	struct record_search search = {0}, again = {0};
	const size_t cut = record_cut(&format, &search, text, job->size, limit);
	REQUIRE(cut == plain_cut(job, limit), "the cut at %zu is %zu instead of %zu", limit, cut,
		plain_cut(job, limit));
	if (record_cut(&format, &again, text, step, limit) == 0)
		REQUIRE(record_cut(&format, &again, text, job->size, limit) == cut, "another cut after %zu bytes",
			step);
	return cut;
}

/* --- One input */

static void draw_rules(struct job *job, const uint8_t **data, size_t *size)
{
	static const char delimiters[] = {',', ':', ';', '\t', '|', ' ', 'e', '-'};
	static const char *const values[] = {"0", "-1.5", "7", "1e3"};
	static const char *const comments[] = {NULL, "#", "##", "1"};
	static const enum missing missing[] = {MISSING_FAIL, MISSING_SKIP, MISSING_KEEP, MISSING_VALUE};
	static const char *const marks[] = {NULL, NULL, "-7,x,NAN", ",na,1.5,--"};
	static const enum lines lines[] = {LINES_DROPPED, LINES_DROPPED, LINES_APPENDED, LINES_REPLACED};
	static const uint64_t headers[] = {0, 0, 1, 2};
	const unsigned field = fuzz_choose(data, size);
	static struct field_choice choice;
	const unsigned delimiter = fuzz_choose(data, size);
	enum cut cut = delimiter & 1 ? CUT_BLANKS : CUT_DELIMITER;
	if ((delimiter & 16) != 0 && field % 8 != 0)
		cut = delimiter & 1 ? CUT_LOG : CUT_CSV;
	const unsigned words = fuzz_choose(data, size);
	const unsigned line = fuzz_choose(data, size);
	job->field = field < 254 ? field % 8 : field;
	choice.number = job->field;
	job->rules = (struct text_rules){
		.fields = &choice,
		.field_count = job->field != 0,
		.numbers = &choice.number,
		.inputs = 1,
		.result_count = 1,
		.cut = cut,
		.delimiter = delimiters[delimiter / 2 % sizeof delimiters],
		.header_lines = headers[line / 4 % 4],
		.comment = comments[line / 16 % 4],
		.output.lines = field % 8 != 0 ? lines[line & 3] : LINES_DROPPED,
		.output.as = line & 64 ? "name" : NULL,
		.tokens.marks = marks[field / 8 % 4],
		.tokens.marks_have_digits = field / 16 % 2,
		.tokens.missing = {.how = (words & 131) == 130 ? MISSING_HOLD : missing[words & 3],
				   .value = values[words / 4 % 4]},
		.tokens.invalid = (enum invalid)(words / 16 % 4),
	};
	if (job->rules.comment != NULL)
		job->rules.comment_size = strlen(job->rules.comment);
	job->dropped_lines = line & 128 ? 1 + (words >> 6 & 1) : 0;
}

static void draw_reading(struct job *job, const uint8_t **data, size_t *size)
{
	const unsigned type = fuzz_choose(data, size) % (TYPE_I128 + 2);
	const unsigned how = fuzz_choose(data, size);
	static const enum missing nans[] = {MISSING_FAIL, MISSING_SKIP,      MISSING_KEEP,
					    MISSING_HOLD, MISSING_PROPAGATE, MISSING_VALUE};
	const bool is_decimal = type >= TYPE_I128;
	job->reading = (struct element_format){
		.type = &type_table[is_decimal ? TYPE_I128 : type], .decimal = is_decimal, .own_scale = is_decimal};
	job->rules.exact = is_decimal;
	job->rules.tokens.has_nan = how / 19 % 2;
	if (job->rules.tokens.has_nan)
		job->rules.tokens.nan = (struct missing_rule){.how = nans[how / 38 % 6], .value = "12"};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct job job = {.limit = SIZE_MAX};
	struct outcome plain, whole, parts;
	draw_rules(&job, &data, &size);
	draw_reading(&job, &data, &size);
	const unsigned limit = fuzz_choose(&data, &size);
	const unsigned place = fuzz_choose(&data, &size) | fuzz_choose(&data, &size) << 8;
	if (size > TEXT_MAX || size == 0)
		return 0;
	if (limit >= 128)
		job.limit = limit - 127;
	job.text = (const char *)data;
	job.size = size;

	const size_t header_end = plain_header_end(&job);
	struct header_search search = {0};
	(void)record_header_end(&job.rules, &search, data, size / 2);
	REQUIRE(record_header_end(&job.rules, &search, data, size) == header_end, "the header's end is not %zu",
		header_end);
	if (job.rules.header_lines > 0 && header_end == 0)
		return 0; /* nobody decodes a text whose header is not whole */
	const size_t cut = cut_at(&job, 1 + place % size, place / 7 % (size + 1));

	read_plainly(&job, &plain);
	decode_parts(&job, 0, &whole);
	require_same(&job, &whole, &plain);
	/* (The header is cut off with the first record, where there is one.) */
	const bool is_refused = plain.stop == DECODE_FAIL && plain.consumed < header_end;
	if (cut > 0 && cut >= header_end && !is_refused) {
		decode_parts(&job, cut, &parts);
		require_same(&job, &parts, &plain);
		outcome_free(&parts);
	}
	outcome_free(&plain);
	outcome_free(&whole);
	return 0;
}
