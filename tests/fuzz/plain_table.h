/* The plain reading of CSV files that csv_fuzz.c holds the program to: record by record, what should come out. */
#ifndef PSCAN_TESTS_FUZZ_PLAIN_TABLE_H
#define PSCAN_TESTS_FUZZ_PLAIN_TABLE_H

#include <limits.h>

#include "number/parse.h"
#include "plain_marks.h"
#include "program.h"

#define DATA_MAX ((size_t)1 << 16)

struct job {
	bool csv, exclusive;
	char delimiter;
	enum lines lines;
	unsigned field; /* from 1, or 0: by name */
	const char *name, *as, *comment; /* or NULL */
	unsigned header_lines;
	enum missing missing;
	enum invalid invalid;
	const struct scan_operator *op;
	char data[DATA_MAX];
	size_t size;
	struct program program;
};

struct extent {
	size_t begin, end;
};

/* One record of a file. */
struct record {
	struct extent text; /* without its line end */
	size_t next;
	bool comment, open; /* quotes are not closed */
	size_t field_count;
	const struct extent *fields; /* until the next record is read */
};

struct model {
	const struct job *job;
	struct bytes out;
	bool ended;
	enum status status;
	uint64_t last; /* result */
	bool present;
	unsigned header_count; /* lines that some file had, */
	struct bytes header; /* these */
	unsigned in_header; /* where the header names the field, from 1 */
	unsigned field; /* where records have it */
	bool has_name; /* the results have: */
	struct bytes name;
	struct bytes last_line; /* of the header */
	unsigned names; /* in it */
	bool begins_with_hash; /* so it does */
	unsigned most; /* fields of a record, where the field has a name and the first record was seen; else 0 */
	unsigned empty_count; /* so many of these, the last ones, are empty */
	bool is_ahead; /* it looks at files before their turn */
	bool one_column; /* of CSV: a blank line is a record */
};

static void put(struct bytes *out, const void *data, size_t size)
{
	REQUIRE(bytes_append(out, data, size) == STATUS_OK, "no memory");
}

static void stop(struct model *m)
{
	m->ended = true;
	m->status = STATUS_DATA;
}

/* --- Records */

static bool begins_with(const struct program_file *f, size_t at, const char *prefix)
{
	for (; prefix != NULL && *prefix != '\0'; prefix++, at++) {
		if (at >= f->size || f->data[at] != (unsigned char)*prefix)
			return false;
	}
	return prefix != NULL;
}

/* The bytes of a byte order mark. */
static size_t mark_size(const struct program_file *f)
{
	return f->size >= 3 && memcmp(f->data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

/* The record that begins at a place. */
static struct record read_record(const struct job *job, const struct program_file *f, size_t begin)
{
	static struct extent fields[DATA_MAX + 1];
	struct record r = {.fields = fields, .comment = begins_with(f, begin, job->comment)};
	const bool quotes = job->csv && !r.comment;
	size_t at = begin, field = begin;
	bool quoted = false;
	for (; at < f->size && (quoted || f->data[at] != '\n'); at++) {
		const char c = (char)f->data[at];
		if (c == '"' && quotes && (quoted || at == field)) {
			if (quoted && at + 1 < f->size && f->data[at + 1] == '"')
				at++;
			else
				quoted = !quoted;
		} else if (!quoted && c == job->delimiter) {
			fields[r.field_count++] = (struct extent){field, at};
			field = at + 1;
		}
	}
	const size_t end = at - (at > begin && f->data[at - 1] == '\r');
	r.text = (struct extent){begin, end};
	r.open = quoted;
	r.next = at + (at < f->size);
	fields[r.field_count++] = (struct extent){field, end > field ? end : field};
	return r;
}

static bool is_blank(unsigned char c)
{
	return c == ' ' || c == '\t';
}

/* What a field says, without blanks around and without quotes. *quoted: it had some. */
static struct extent token_of(const struct job *job, const struct program_file *f, struct extent field, bool *quoted)
{
	struct extent t = field;
	*quoted = false;
	if (job->csv && t.end > t.begin && f->data[t.begin] == '"') {
		while (is_blank(f->data[t.end - 1]))
			t.end--;
		*quoted = t.end - t.begin >= 2 && f->data[t.end - 1] == '"';
		t.begin += *quoted;
		t.end -= *quoted;
	}
	while (t.begin < t.end && is_blank(f->data[t.begin]))
		t.begin++;
	while (t.begin < t.end && is_blank(f->data[t.end - 1]))
		t.end--;
	return t;
}

/* The quote that closes a quoted field. */
static size_t last_quote(const struct program_file *f, struct extent field)
{
	size_t at = field.end - 1;
	while (f->data[at] != '"')
		at--;
	return at;
}

/* What a result takes the place of: the field with its quotes, without blanks around. */
static struct extent place_of(const struct job *job, const struct program_file *f, struct extent field)
{
	bool quoted;
	const struct extent t = token_of(job, f, field, &quoted);
	return quoted ? (struct extent){field.begin, last_quote(f, field) + 1} : t;
}

/* A record as it stands. Its line ends in any case. */
static void put_record(struct model *m, const struct program_file *f, const struct record *r)
{
	put(&m->out, f->data + r->text.begin, r->next - r->text.begin);
	if (f->data[r->next - 1] != '\n')
		put(&m->out, "\n", 1);
}

/* The same with something in a span's place. */
static void put_edited(struct model *m, const struct program_file *f, const struct record *r, struct extent place,
		       const void *text, size_t size)
{
	put(&m->out, f->data + r->text.begin, place.begin - r->text.begin);
	put(&m->out, text, size);
	put(&m->out, f->data + place.end, r->next - place.end);
	if (f->data[r->next - 1] != '\n' || r->next == place.end)
		put(&m->out, "\n", 1);
}

static void put_appended(struct model *m, const struct program_file *f, const struct record *r, size_t lacking,
			 const void *text, size_t size)
{
	struct bytes field = {0};
	for (size_t i = 0; i <= lacking; i++)
		put(&field, &m->job->delimiter, 1);
	put(&field, text, size);
	put_edited(m, f, r, (struct extent){r->text.end, r->text.end}, field.data, field.size);
	bytes_free(&field);
}

/* --- Headers */

/* Whether the field is called so, with the blanks around it (exact) or without: quotes that are doubled count once. */
static bool is_called(const struct job *job, const struct program_file *f, struct extent field, const char *name,
		      bool exact)
{
	bool quoted;
	struct extent t = token_of(job, f, field, &quoted);
	if (exact && quoted)
		t = (struct extent){field.begin + 1, last_quote(f, field)};
	else if (exact)
		t = field;
	size_t at = t.begin;
	for (; at < t.end && *name != '\0' && f->data[at] == (unsigned char)*name; name++)
		at += quoted && f->data[at] == '"' && at + 1 < t.end && f->data[at + 1] == '"' ? 2 : 1;
	return at == t.end && *name == '\0';
}

static unsigned count_called(struct model *m, const struct program_file *f, const struct record *r, bool exact)
{
	unsigned count = 0;
	for (size_t i = 0; i < r->field_count; i++) {
		if (is_called(m->job, f, r->fields[i], m->job->name, exact)) {
			count++;
			m->in_header = (unsigned)i + 1;
		}
	}
	return count;
}

static void name_results(struct model *m, const struct program_file *f, const struct record *r)
{
	const struct job *job = m->job;
	m->has_name = true;
	bool quoted = false;
	struct extent t = {0, 0};
	const char special[] = {'"', job->delimiter, '\0'};
	if (job->as != NULL) {
		quoted = job->csv && strpbrk(job->as, special) != NULL;
		put(&m->name, "\"", quoted);
		for (const char *p = job->as; *p != '\0'; p++)
			put(&m->name, *p == '"' && quoted ? "\"\"" : p, *p == '"' && quoted ? 2 : 1);
		put(&m->name, "\"", quoted);
		return;
	}
	if (m->in_header <= r->field_count)
		t = token_of(job, f, r->fields[m->in_header - 1], &quoted);
	if (quoted) { /* with its quotes and blanks */
		t = r->fields[m->in_header - 1];
		t.end = last_quote(f, t);
	}
	put(&m->name, f->data + t.begin, t.end - t.begin);
	if (t.end == t.begin) { /* A column without a name is called by its number. */
		const char digit = (char)('0' + job->field);
		put(&m->name, &digit, 1);
	}
	put(&m->name, "_", 1);
	put(&m->name, job->op->name, strlen(job->op->name));
	put(&m->name, "\"", quoted);
}

/* The last line of the first header. False: it does not tell the field. */
static bool learn_header(struct model *m, const struct program_file *f, const struct record *r)
{
	const struct job *job = m->job;
	bool quoted;
	const struct extent first = token_of(job, f, r->fields[0], &quoted);
	const char *text = (const char *)f->data + first.begin;
	const size_t size = first.end - first.begin;
	m->begins_with_hash =
		!quoted && ((size == 1 && text[0] == '#') || (size == 7 && memcmp(text, "#fields", 7) == 0) ||
			    (size == 8 && memcmp(text, "#Fields:", 8) == 0));
	m->names = (unsigned)r->field_count;
	put(&m->last_line, f->data + r->text.begin, r->text.end - r->text.begin);
	m->in_header = m->field = job->field;
	if (job->name != NULL) {
		unsigned found = count_called(m, f, r, true);
		if (found == 0)
			found = count_called(m, f, r, false);
		if (found != 1)
			return false;
		m->field = m->in_header; /* unless the first record says more */
	}
	return true;
}

/* Whether a line has nothing but blanks that are no delimiters, and is no record. */
static bool is_blank_line(const struct model *m, const struct program_file *f, const struct record *r)
{
	bool is = !r->open && !m->one_column;
	for (size_t i = r->text.begin; i < r->text.end; i++)
		is = is && is_blank(f->data[i]) && (char)f->data[i] != m->job->delimiter;
	return is;
}

static bool is_header_again(const struct model *m, const struct program_file *f, const struct record *r)
{
	const size_t size = r->text.end - r->text.begin;
	return size > 0 && size == m->last_line.size && memcmp(f->data + r->text.begin, m->last_line.data, size) == 0;
}

/* Whether there is a carriage return within the record, outside quotes, and something after it. */
static bool has_return(const struct job *job, const struct program_file *f, const struct record *r)
{
	bool has = false;
	for (size_t i = 0; i < r->field_count; i++) {
		const struct extent field = r->fields[i];
		const bool may_quote = job->csv && field.end > field.begin && f->data[field.begin] == '"';
		bool quoted = false;
		for (size_t at = field.begin; at < field.end; at++) {
			quoted = quoted != (may_quote && f->data[at] == '"');
			has = has || (f->data[at] == '\r' && !quoted && at + 1 < r->text.end);
		}
	}
	return has;
}

/* Whether a file has, after `lines` lines, only one line, which ends in carriage returns alone. */
static bool ends_in_returns(const struct job *job, const struct program_file *f, size_t at, unsigned lines)
{
	for (; lines > 0 && at < f->size; at++)
		lines -= f->data[at] == '\n';
	if (lines > 0 || at == f->size || memchr(f->data + at, '\n', f->size - at) != NULL)
		return false;
	const struct record r = read_record(job, f, at);
	return !r.open && !r.comment && has_return(job, f, &r);
}

/* The first record from a place on. False: no whole record follows. */
static bool find_record(const struct model *m, const struct program_file *f, size_t at, struct record *r)
{
	while (at < f->size) {
		*r = read_record(m->job, f, at);
		at = r->next;
		if (!r->comment && !is_blank_line(m, f, r) && !is_header_again(m, f, r))
			return !r->open;
	}
	return false;
}

/* What a first record says of the names. */
struct placed {
	unsigned most, empty_count;
	int shift; /* from a name's index to its field's number */
	bool has_hash, fits;
};

static struct placed place(const struct model *m, const struct program_file *f, const struct record *r)
{
	struct placed p = {.has_hash = m->begins_with_hash && m->names == r->field_count + 1};
	bool quoted;
	p.empty_count = r->field_count > m->names ? (unsigned)r->field_count - m->names : 0;
	for (size_t i = m->names; i < r->field_count; i++) {
		const struct extent t = token_of(m->job, f, r->fields[i], &quoted);
		p.empty_count = t.begin == t.end ? p.empty_count : 0;
	}
	const bool has_label = r->field_count == m->names + 1 && p.empty_count == 0;
	p.most = m->names - p.has_hash + p.empty_count + has_label;
	p.shift = (int)has_label - (int)p.has_hash;
	p.fits = r->field_count <= p.most;
	return p;
}

/* Whether a first record whose last cell is empty begins with a label, as those of the file before do. */
static bool is_labelled(const struct model *m, const struct program_file *f, const struct record *r,
			const struct placed *p)
{
	bool quoted;
	struct number_parts parts;
	const struct extent t = token_of(m->job, f, r->fields[0], &quoted);
	return m->empty_count == 0 && m->most == p->most && p->empty_count == 1 && t.begin < t.end &&
	       (quoted || !number_split((const char *)f->data + t.begin, t.end - t.begin, &parts));
}

/* The first record, of this file or of a later one that was looked at, tells where a named field is, and which name a
 * field by number has. False: it says that the names are over no fields, or over others than in the file before. */
static bool settle(struct model *m, const struct program_file *f, const struct record *r)
{
	const struct placed p = place(m, f, r);
	if (m->job->name != NULL) {
		const unsigned field = (unsigned)((int)m->in_header + p.shift);
		if (!p.fits || field == 0 || (m->most > 0 && field != m->field && !is_labelled(m, f, r, &p)))
			return false;
		if (m->most > 0)
			return true;
		m->most = p.most;
		m->empty_count = p.empty_count;
		m->field = field;
	} else if (p.fits && !m->has_name) {
		const int index = (int)m->field - p.shift;
		m->in_header = index <= (int)p.has_hash || index > (int)m->names ? UINT_MAX : (unsigned)index;
	}
	return true;
}

static bool look_at_header(struct model *m, const struct program_file *f, size_t at);

/* The first file has its header alone: later ones are looked at until one has a record, or for a field by number, the
 * header. What is wrong with them is said in their turn. */
static void look_ahead(struct model *m, const struct program_file *f)
{
	const struct program *p = &m->job->program;
	struct model later = {.job = m->job, .one_column = m->one_column, .is_ahead = true};
	later.in_header = later.field = m->job->field;
	bool is_good = true;
	for (f++; f < p->files + p->file_count && is_good; f++) {
		if (later.header_count == m->job->header_lines && (m->job->name == NULL || later.most > 0))
			break;
		is_good = f->size == 0 || look_at_header(&later, f, mark_size(f));
	}
	const bool is_same =
		later.header.size == m->header.size && memcmp(later.header.data, m->header.data, m->header.size) == 0;
	if (later.header_count == m->job->header_lines && is_same && later.has_name) {
		m->most = later.most;
		m->empty_count = later.empty_count;
		m->field = later.field;
		m->in_header = later.in_header;
	}
	bytes_free(&later.header);
	bytes_free(&later.name);
	bytes_free(&later.last_line);
}

/* Looks at a file's header before anything of it comes out. False: it is no good. */
static bool look_at_header(struct model *m, const struct program_file *f, size_t at)
{
	const struct job *job = m->job;
	const unsigned known = m->header_count;
	size_t same = 0, named_at = at;
	bool at_header_end = false;
	for (unsigned left = job->header_lines; left > 0 && at < f->size;) {
		const struct record r = read_record(job, f, at);
		const size_t size = r.text.end - r.text.begin;
		named_at = at;
		at = r.next;
		if (r.comment)
			continue;
		if (r.open || (f->data[r.next - 1] != '\n' && has_return(job, f, &r)))
			return false;
		left--;
		at_header_end = left == 0;
		if (job->header_lines - left > known) {
			m->header_count++;
			put(&m->header, f->data + r.text.begin, size);
			put(&m->header, "\n", 1);
			if (left == 0 && !learn_header(m, f, &r))
				return false;
			continue;
		}
		if (m->header.size - same <= size || memcmp(m->header.data + same, f->data + r.text.begin, size) != 0 ||
		    m->header.data[same + size] != '\n')
			return false;
		same += size + 1;
	}
	if (m->header_count < job->header_lines || !at_header_end)
		return true;
	struct record r;
	const bool has_record = find_record(m, f, at, &r);
	if (has_record && !settle(m, f, &r))
		return false;
	if (!has_record && known == 0 && !m->is_ahead)
		look_ahead(m, f);
	r = read_record(job, f, named_at);
	if (!m->has_name)
		name_results(m, f, &r);
	return true;
}

/* last: this line names the fields. */
static void read_header(struct model *m, const struct program_file *f, const struct record *r, bool last)
{
	const struct job *job = m->job;
	if (last && job->lines == LINES_APPENDED) {
		put_appended(m, f, r, m->empty_count, m->name.data, m->name.size);
	} else if (last && job->lines == LINES_DROPPED) {
		put(&m->out, m->name.data, m->name.size);
		put(&m->out, "\n", 1);
	} else if (last && job->lines == LINES_REPLACED && job->as != NULL && m->in_header <= r->field_count) {
		put_edited(m, f, r, place_of(job, f, r->fields[m->in_header - 1]), m->name.data, m->name.size);
	} else {
		put_record(m, f, r);
	}
}

/* --- Numbers */

/* The element's result as text. */
static size_t scan_element(struct model *m, int64_t x, char text[32])
{
	const enum operator_id op = m->job->op->id;
	const int64_t last = (int64_t)m->last;
	const int64_t identity = op == OPERATOR_MAX ? INT64_MIN : op == OPERATOR_MIN ? INT64_MAX : 0;
	const int64_t before = m->present ? last : identity;
	if (!m->present)
		m->last = (uint64_t)x;
	else if (op == OPERATOR_SUM)
		m->last += (uint64_t)x;
	else if ((op == OPERATOR_MAX) == (x > last))
		m->last = (uint64_t)x;
	m->present = true;
	return (size_t)snprintf(text, 32, "%lld", (long long)(m->job->exclusive ? before : (int64_t)m->last));
}

/* Fields that a record lacks before new ones. */
static size_t lacking(const struct model *m, const struct record *r)
{
	return m->most > r->field_count ? m->most - r->field_count : 0;
}

static void give_result(struct model *m, const struct program_file *f, const struct record *r, int64_t x)
{
	const struct job *job = m->job;
	char text[64];
	size_t size = scan_element(m, x, text);
	if (job->lines == LINES_DROPPED) {
		text[size++] = '\n';
		put(&m->out, text, size);
	} else if (job->lines == LINES_APPENDED) {
		put_appended(m, f, r, lacking(m, r), text, size);
	} else if (m->field <= r->field_count) {
		put_edited(m, f, r, place_of(job, f, r->fields[m->field - 1]), text, size);
	} else {
		struct bytes field = {0};
		for (size_t i = r->field_count; i < m->field; i++)
			put(&field, &job->delimiter, 1);
		put(&field, text, size);
		put_edited(m, f, r, (struct extent){r->text.end, r->text.end}, field.data, field.size);
		bytes_free(&field);
	}
}

/* The line has no result, but perhaps a mark. */
static void give_none(struct model *m, const struct program_file *f, const struct record *r, const struct extent *mark)
{
	const struct job *job = m->job;
	const size_t size = mark != NULL ? mark->end - mark->begin : 0;
	if (job->lines == LINES_APPENDED) {
		put_appended(m, f, r, lacking(m, r), size > 0 ? f->data + mark->begin : NULL, size);
	} else if (job->lines == LINES_REPLACED) {
		put_record(m, f, r);
	} else if (mark != NULL) {
		put(&m->out, f->data + mark->begin, size);
		put(&m->out, "\n", 1);
	}
}

/* Whether a record has no more fields than there are names for. */
static bool fits(const struct model *m, const struct program_file *f, const struct record *r)
{
	bool quoted;
	for (size_t i = m->most - m->empty_count; i < r->field_count && i < m->most; i++) {
		const struct extent t = token_of(m->job, f, r->fields[i], &quoted);
		if (t.begin != t.end)
			return false;
	}
	return m->most == 0 || r->field_count <= m->most;
}

static void read_data(struct model *m, const struct program_file *f, const struct record *r)
{
	const struct job *job = m->job;
	if (is_blank_line(m, f, r) || is_header_again(m, f, r)) {
		if (job->lines != LINES_DROPPED)
			put_record(m, f, r);
		return;
	}
	bool quoted;
	struct extent t = {r->text.end, r->text.end};
	union value v = {.i64 = 7};
	if (!r->open && !fits(m, f, r)) {
		if (job->invalid == INVALID_ABORT) {
			stop(m);
			return;
		}
		if (job->invalid == INVALID_FAIL)
			m->status = STATUS_DATA;
		give_none(m, f, r, NULL);
		return;
	}
	if (m->field <= r->field_count)
		t = token_of(job, f, r->fields[m->field - 1], &quoted);
	const unsigned char *token = f->data + t.begin;
	const size_t size = t.end - t.begin;
	const bool is_missing = is_mark((const char *)token, size, false, false);
	enum number_result result = NUMBER_OK;
	if (r->open || (is_missing && job->missing == MISSING_FAIL)) {
		stop(m);
		return;
	}
	if (is_missing && job->missing != MISSING_VALUE) {
		give_none(m, f, r, job->missing == MISSING_KEEP ? &t : NULL);
		return;
	}
	if (!is_missing)
		result = number_parse((const char *)token, size, &type_table[TYPE_I64], &v);
	if (result == NUMBER_OK) {
		give_result(m, f, r, v.i64);
	} else if (result == NUMBER_RANGE || job->invalid == INVALID_ABORT) {
		stop(m);
	} else {
		if (job->invalid == INVALID_FAIL)
			m->status = STATUS_DATA;
		give_none(m, f, r, NULL);
	}
}

static void scan_file(struct model *m, const struct program_file *f)
{
	const struct job *job = m->job;
	const unsigned known = m->header_count;
	size_t at = mark_size(f);
	if ((job->header_lines > 0 && !look_at_header(m, f, at)) || ends_in_returns(job, f, at, job->header_lines)) {
		stop(m);
		return;
	}
	for (unsigned left = job->header_lines; at < f->size && !m->ended;) {
		const struct record r = read_record(job, f, at);
		at = r.next;
		if (r.comment) {
			put_record(m, f, &r);
		} else if (left > 0) {
			left--;
			if (job->header_lines - left > known)
				read_header(m, f, &r, left == 0);
		} else {
			read_data(m, f, &r);
		}
	}
}

#endif
