/* Where records and fields end: line_read, line_find_field, line_next_field, line_is_comment and line_count against a
 * machine that looks at one byte at a time; and quotes_pass_record, record_cut and record_header_end, which must say
 * the same however the bytes came.
 *
 * First bytes: the rules, the delimiter, the limit, the header and the sizes of what comes. */
#include <stdbool.h>

#include "fuzz.h"
#include "chunk/plan.h"
#include "text/line_parts.h"
#include "text/record.h"

#define TEXT_MAX 4096

struct job {
	struct plan plan;
	const char *text;
	size_t size, limit;
	uint32_t sizes; /* of the pieces that come one after the other */
};

/* What the machine saw, for every byte and behind the last one. */
enum place {
	PLACE_TEXT = 0,
	PLACE_FIELD_END = 1, /* the byte is a delimiter that ends a field */
	PLACE_RECORD_END = 2, /* the byte is a newline that ends a record */
};

struct plain_records {
	unsigned char places[TEXT_MAX];
	bool open; /* quotes are, at the end */
};

static bool is_comment_plainly(const struct job *job, size_t at)
{
	const struct text_rules *rules = &job->plan.format.text;
	if (rules->comment == NULL)
		return false;
	for (size_t i = 0; i < rules->comment_size; i++) {
		if (at + i >= job->size || job->text[at + i] != rules->comment[i])
			return false;
	}
	return true;
}

static void split_plainly(const struct job *job, struct plain_records *r)
{
	enum { FIELD_BEGINS, PLAIN, QUOTED, QUOTE_IN_QUOTED, COMMENT } state = FIELD_BEGINS;
	const struct text_rules *rules = &job->plan.format.text;
	bool line_begins = true;
	for (size_t i = 0; i < job->size; i++) {
		const char c = job->text[i];
		r->places[i] = PLACE_TEXT;
		if (line_begins && is_comment_plainly(job, i))
			state = COMMENT;
		line_begins = false;
		if (state == QUOTED) {
			state = c == '"' ? QUOTE_IN_QUOTED : QUOTED;
		} else if (state == QUOTE_IN_QUOTED && c == '"') {
			state = QUOTED;
		} else if (c == '\n') {
			r->places[i] = PLACE_RECORD_END;
			state = FIELD_BEGINS;
			line_begins = true;
		} else if (state != COMMENT && !text_by_blanks(rules) && c == rules->delimiter) {
			r->places[i] = PLACE_FIELD_END;
			state = FIELD_BEGINS;
		} else if (state == FIELD_BEGINS) {
			state = rules->cut == CUT_CSV && c == '"' ? QUOTED : PLAIN;
		} else if (state == QUOTE_IN_QUOTED) {
			state = PLAIN;
		}
	}
	r->open = state == QUOTED;
}

/* --- Lines and fields */

static bool is_blank_plainly(char c)
{
	return c == ' ' || c == '\t';
}

/* What the field's token is: a quoted field may have blanks behind its quotes. */
static void check_token(const struct text_rules *rules, const struct field *f)
{
	const char *begin = f->start, *end = f->start + f->size;
	const bool opened = rules->cut == CUT_CSV && begin < end && *begin == '"';
	while (opened && is_blank_plainly(end[-1]))
		end--;
	const bool quoted = opened && end - begin >= 2 && end[-1] == '"';
	const char *outer = begin, *outer_end = end, *trimmed;
	begin += quoted;
	end -= quoted;
	while (begin < end && is_blank_plainly(*begin))
		begin++;
	while (begin < end && is_blank_plainly(end[-1]))
		end--;
	REQUIRE(f->quoted == quoted && f->token == begin && f->token_size == (size_t)(end - begin),
		"the token of \"%.*s\" is \"%.*s\"", (int)f->size, f->start, (int)f->token_size, f->token);
	if (!quoted) {
		outer = begin;
		outer_end = end;
	}
	const size_t size = line_trim_field(f, &trimmed);
	REQUIRE(trimmed == outer && size == (size_t)(outer_end - outer), "\"%.*s\" without blanks is \"%.*s\"",
		(int)f->size, f->start, (int)size, trimmed);
}

/* The fields of the line from begin to end (of its text), as the machine saw them; each by number and in turn. */
static uint64_t check_fields(const struct job *job, const struct plain_records *r, const char *text,
			     const struct line *line)
{
	const struct text_rules *rules = &job->plan.format.text;
	const size_t end = (size_t)(line->end - text);
	const char *at = NULL;
	struct field f, turn;
	uint64_t number = 0;
	for (size_t i = (size_t)(line->start - text);; i++) {
		size_t begin = i;
		while (text_by_blanks(rules) && begin < end && is_blank_plainly(text[begin]))
			begin++;
		if (text_by_blanks(rules) && begin == end)
			break;
		for (i = begin; i < end; i++) {
			if (text_by_blanks(rules) ? is_blank_plainly(text[i]) : r->places[i] == PLACE_FIELD_END)
				break;
		}
		number++;
		line_find_field(rules, line, number, &f);
		REQUIRE(!f.absent && f.start == text + begin && f.size == i - begin, "field %ju at %zu: %td, %zu bytes",
			(uintmax_t)number, begin, f.start - text, f.size);
		REQUIRE(line_next_field(rules, line, &at, &turn), "field %ju is not the next", (uintmax_t)number);
		REQUIRE(turn.start == f.start && turn.size == f.size && turn.token == f.token &&
				turn.token_size == f.token_size && turn.quoted == f.quoted,
			"field %ju in turn is another", (uintmax_t)number);
		check_token(rules, &f);
		if (i >= end)
			break;
	}
	REQUIRE(!line_next_field(rules, line, &at, &turn), "more than %ju fields", (uintmax_t)number);
	for (uint64_t more = 1; more < 4; more++) {
		line_find_field(rules, line, number + more, &f);
		REQUIRE(f.absent && f.absent_count == more && f.start == line->end && f.size == 0,
			"field %ju of %ju is there", (uintmax_t)(number + more), (uintmax_t)number);
	}
	return number;
}

static void check_lines(const struct job *job, const struct plain_records *r, const char *text)
{
	const char *end = text + job->size;
	for (size_t begin = 0; begin < job->size;) {
		struct line line;
		size_t next = begin;
		while (next < job->size && r->places[next] != PLACE_RECORD_END)
			next++;
		const bool ended = next < job->size;
		const size_t text_end = next - (next > begin && text[next - 1] == '\r');
		next += ended;
		const bool comment = line_is_comment(&job->plan.format.text, text + begin, end);
		REQUIRE(comment == is_comment_plainly(job, begin), "a comment at %zu", begin);
		const bool closed = line_read(&job->plan.format.text, text + begin, end, &line);
		REQUIRE(closed == (ended || !r->open), "the line at %zu is%s closed", begin, closed ? "" : " not");
		REQUIRE(line.start == text + begin && line.end == text + text_end && line.next == text + next,
			"the line at %zu ends at %td, %td instead of %zu, %zu", begin, line.end - text,
			line.next - text, text_end, next);
		if (!comment && closed)
			(void)check_fields(job, r, text, &line);
		struct line plain;
		const bool is_csv = job->plan.format.text.cut == CUT_CSV;
		const bool has_quotes = is_csv && memchr(text + begin, '"', next - begin - ended) != NULL;
		const bool is_plain =
			!text_by_blanks(&job->plan.format.text) && !has_quotes && next - begin <= SHORT_LINE_MAX;
		const bool is_taken = text_by_delimiters(&job->plan.format.text) &&
				      line_read_plain(&job->plan.format.text, text + begin, end, &plain);
		/* Some lines with quotes are taken. (Callers pass comments before.) */
		REQUIRE(is_taken == is_plain || (is_taken && has_quotes), "the line at %zu is%s plain", begin,
			is_plain ? " not" : "");
		REQUIRE(!is_taken || (comment && has_quotes) ||
				(plain.start == line.start && plain.end == line.end && plain.next == line.next),
			"the plain line at %zu ends at %td", begin, plain.end - text);
		if (!comment && closed && is_taken)
			(void)check_fields(job, r, text, &plain);
		begin = next;
	}
}

/* --- Cuts */

/* After the last record that ends within the limit, or if none does, after the first record. */
static size_t cut_plainly(const struct job *job, const struct plain_records *r,
			  bool (*ends)(const struct job *, size_t))
{
	size_t last = 0;
	for (size_t i = 0; i < job->size; i++) {
		if (ends != NULL ? !ends(job, i) : r->places[i] != PLACE_RECORD_END)
			continue;
		if (last == 0 || i < job->limit)
			last = i + 1;
	}
	return last;
}

static bool ends_token(const struct job *job, size_t at)
{
	const char c = job->text[at];
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Sizes of what comes. */
static size_t next_size(uint32_t *state, size_t most)
{
	if (*state == 0)
		return most;
	*state = *state * 1664525 + 1013904223;
	const size_t size = 1 + (*state >> 12) % ((size_t)1 << (*state >> 8 & 7));
	return size < most ? size : most;
}

/* The bytes come piece by piece, in a block that grows; the search goes on while there is no cut. */
static void check_cut(const struct job *job, const struct plain_records *r)
{
	const struct text_rules *rules = &job->plan.format.text;
	struct record_search whole = {0}, search = {0};
	char *text = fuzz_copy(job->text, job->size);
	const size_t cut = record_cut(&job->plan.format, &whole, (const unsigned char *)text, job->size, job->limit);
	free(text);
	const bool tokens = rules->field_count == 0 && rules->comment == NULL && rules->header_lines == 0;
	if (rules->cut == CUT_CSV || rules->field_count != 0 || tokens)
		REQUIRE(cut == cut_plainly(job, r, tokens ? ends_token : NULL), "a cut at %zu instead of %zu", cut,
			cut_plainly(job, r, tokens ? ends_token : NULL));
	REQUIRE(cut <= job->size && (cut == 0 || ends_token(job, cut - 1)), "a cut at %zu", cut);
	uint32_t sizes = job->sizes;
	for (size_t have = 0; have < job->size;) {
		have += next_size(&sizes, job->size - have);
		struct job part = *job;
		part.size = have;
		/* What a prefix of the bytes is cut at is what a plain look at it says: never somewhere else. */
		text = fuzz_copy(job->text, have);
		const size_t found =
			record_cut(&job->plan.format, &search, (const unsigned char *)text, have, job->limit);
		free(text);
		if (rules->cut == CUT_CSV || rules->field_count != 0 || tokens) {
			struct plain_records seen;
			split_plainly(&part, &seen);
			REQUIRE(found == cut_plainly(&part, &seen, tokens ? ends_token : NULL),
				"of %zu bytes a cut at %zu instead of %zu", have, found,
				cut_plainly(&part, &seen, tokens ? ends_token : NULL));
		}
		if (found > 0 && have >= job->limit && rules->cut != CUT_CSV)
			break; /* nobody goes on with a search that has found one */
	}
}

/* The machine of quotes stops after each newline that ends a record, in whatever pieces the text comes. */
static void check_quotes(const struct job *job, const struct plain_records *r)
{
	const struct text_rules *rules = &job->plan.format.text;
	struct quotes_state place = QUOTES_BEGIN;
	uint32_t sizes = job->sizes;
	size_t at = 0;
	for (size_t have = 0; have < job->size;) {
		have += next_size(&sizes, job->size - have);
		while (at < have) {
			const char *stop = quotes_pass_record(rules, &place, job->text + at, job->text + have,
							      job->text + job->size);
			size_t want = at;
			while (want < have && r->places[want] != PLACE_RECORD_END)
				want++;
			const size_t found = stop != NULL ? (size_t)(stop - job->text) : have;
			REQUIRE((stop != NULL) == (want < have) && found == want + (want < have),
				"of %zu bytes the record at %zu ends at %zu instead of %zu", have, at, found, want);
			at = found;
		}
	}
	REQUIRE((place.quotes == QUOTES_OPEN) == r->open, "the quotes at the end are%s open", r->open ? " not" : "");
}

static void check_header(const struct job *job, const struct plain_records *r)
{
	struct header_search search = {0};
	uint32_t sizes = job->sizes;
	size_t begin = 0;
	uint64_t left = job->plan.format.text.header_lines;
	for (size_t i = 0; i < job->size && left > 0; i++) {
		if (r->places[i] != PLACE_RECORD_END)
			continue;
		left -= !is_comment_plainly(job, begin);
		begin = i + 1;
	}
	const size_t want = left > 0 ? 0 : begin;
	for (size_t have = 0; have < job->size;) {
		have += next_size(&sizes, job->size - have);
		unsigned char *text = fuzz_copy(job->text, have);
		const size_t end = record_header_end(&job->plan.format.text, &search, text, have);
		free(text);
		REQUIRE(end == (have >= want ? want : 0), "of %zu bytes the header ends at %zu instead of %zu", have,
			end, want);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char delimiters[] = ",;:\t ,\r,";
	static const char *const comments[] = {NULL, "#", "##", "a,b"};
	static const struct field_choice field = {.number = 1};
	const unsigned rules = fuzz_choose(&data, &size);
	const unsigned delimiter = fuzz_choose(&data, &size);
	const unsigned limit = fuzz_choose(&data, &size) | fuzz_choose(&data, &size) << 8;
	const unsigned sizes = fuzz_choose(&data, &size);
	static struct plain_records r;
	if (size == 0 || size > TEXT_MAX)
		return 0;
	struct job job = {.text = (const char *)data, .size = size, .limit = 1 + limit % (size + 2), .sizes = sizes};
	job.plan.format.input = FORMAT_TEXT;
	job.plan.format.text = (struct text_rules){
		.fields = &field,
		.numbers = &field.number,
		.field_count = rules & 1,
		.result_count = 1,
		.cut = (rules & 3) == 3   ? CUT_CSV
		       : (rules & 6) == 4 ? CUT_BLANKS
					  : CUT_DELIMITER,
		.delimiter = delimiters[delimiter % (sizeof delimiters - 1)],
		.comment = comments[rules >> 3 & 3],
		.header_lines = rules >> 5 & 3,
	};
	if (job.plan.format.text.comment != NULL)
		job.plan.format.text.comment_size = strlen(job.plan.format.text.comment);
	split_plainly(&job, &r);
	/* line_find_field may look at bytes behind the line. */
	char *text = malloc(size + LINE_PADDING);
	REQUIRE(text != NULL, "no memory");
	memcpy(text, data, size);
	memset(text + size, ' ', LINE_PADDING);
	check_lines(&job, &r, text);
	uint64_t newlines = 0;
	for (size_t i = 0; i < size; i++)
		newlines += data[i] == '\n';
	REQUIRE(line_count(text, text + size) == newlines, "%ju lines", (uintmax_t)line_count(text, text + size));
	free(text);
	check_quotes(&job, &r);
	check_cut(&job, &r);
	check_header(&job, &r);
	return 0;
}
