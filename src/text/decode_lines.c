/* The fast path for lines that are cut at delimiters. It takes lines with plain numbers and their key, reset and gap
 * fields, none of which is quoted, absent or a mark. Everything such a line needs is done here, in one loop. Any other
 * line is left to decode.c. */
#include "text/decode_private.h"

#include "text/line_parts.h"

/* Fields of a key in plain lines. */
#define KEY_FIELDS_MAX 4

bool decode_may_read_lines(const struct decoder *c)
{
	const struct text_rules *r = c->rules;
	const bool has_one = r->field_count == 1;
	return text_by_delimiters(r) && c->target->column_count == r->field_count && c->target->left_out_count == 0 &&
	       (has_one || r->output.lines != LINES_REPLACED) && r->key_count <= KEY_FIELDS_MAX &&
	       r->reset_count <= 1 && r->gap.count <= 1 && r->span.count <= 1 &&
	       r->total_count == text_span_field(r) + r->span.count && r->checks.columns == 0 &&
	       !r->records.are_lines && !r->counts_from_end && !r->tokens.marks_have_digits;
}

/* Whether a plain line has as many fields as it should, and none in it says more than the names do. */
static inline bool lines_up(const struct decoder *c, const struct line *line)
{
	const struct names_shape *shape = c->shape;
	if (shape == NULL)
		return true;
	if (shape->most > SHORT_LINE_MAX + 1)
		return false;
	uint64_t last = 1; /* The last delimiters, of which one is too many. */
	uint64_t delimiters = line->delimiters;
	for (uint64_t count = 1; count < shape->most; count++) {
		last = delimiters;
		delimiters &= delimiters - 1;
	}
	bool fits = last != 0 && delimiters == 0;
	for (uint64_t i = 0; i < shape->ended && fits; i++)
		fits = line->end[-1 - (ptrdiff_t)i] == c->rules->delimiter;
	return fits;
}

/* Whether a field of `size` bytes that begins with a quote, at bit `at` of the line's quotes, has one more as its last
 * byte, and no others. */
static inline bool is_simply_quoted(uint64_t quotes, size_t at, size_t size)
{
	const uint64_t last = UINT64_C(1) << (size - 1);
	return size > 1 && (quotes >> at & (last | (last - 1))) == (last | 1);
}

/* Takes a line of more than SHORT_LINE_MAX bytes: as line_read_plain and lines_up, but its delimiters are in c->far. It
 * has at most FAR_MAX bytes, and as many follow before the end. */
static __attribute__((noinline)) bool read_far_line(struct decoder *c, struct line *line)
{
	const struct text_rules *rules = c->rules;
	const char delimiter = rules->delimiter;
	bool is_open = false;
	uint64_t may_open = 1; /* at the block's first byte */
	uint64_t count = 0;
	struct byte_bits b = {0};
	size_t size = 0;
	if (c->end - c->next < FAR_MAX || delimiter == '"' || delimiter == '\r')
		return false;
	for (; size < FAR_MAX && b.newlines == 0; size += SHORT_LINE_MAX) {
		uint64_t inside = 0;
		b = line_look_at_half(c->next + size, delimiter);
		line_look_at_rest(c->next + size, delimiter, &b);
		if (b.quotes != 0 && rules->output.lines == LINES_REPLACED)
			return false;
		if (rules->cut == CUT_CSV)
			line_find_quoted(&b, is_open, &inside);
		const uint64_t within = b.newlines != 0 ? (b.newlines & -b.newlines) - 1 : UINT64_MAX;
		const uint64_t before = b.delimiters | (b.quotes & ~inside);
		if ((b.quotes & inside & within & ~(before << 1 | may_open)) != 0)
			return false;
		is_open = inside >> 63 != 0;
		may_open = before >> 63;
		b.delimiters &= within;
		c->far[size / SHORT_LINE_MAX] = b.delimiters;
		count += (uint64_t)__builtin_popcountll(b.delimiters);
	}
	if (b.newlines == 0 || size == SHORT_LINE_MAX)
		return false;
	memset(&c->far[size / SHORT_LINE_MAX], 0, (FAR_MAX - size) / SHORT_LINE_MAX * sizeof *c->far);
	size -= SHORT_LINE_MAX - (size_t)__builtin_ctzll(b.newlines);
	*line = (struct line){.start = c->next, .end = c->next + size, .next = c->next + size + 1};
	line_leave_return(line);
	bool fits = c->shape == NULL || count + 1 == c->shape->most;
	for (uint64_t i = 0; fits && c->shape != NULL && i < c->shape->ended; i++)
		fits = line->end[-1 - (ptrdiff_t)i] == delimiter;
	return fits;
}

/* Finds where a field of such a line begins and ends. False: there is no such field. */
static inline bool cut_far(const struct decoder *c, const struct line *line, uint64_t number, const char **start,
			   const char **stop)
{
	uint64_t left = number - 1; /* delimiters before the field */
	*start = line->start;
	*stop = NULL;
	for (size_t i = 0; i < FAR_MAX / SHORT_LINE_MAX && *stop == NULL; i++) {
		uint64_t delimiters = c->far[i];
		for (; left > 0 && delimiters != 0; left--, delimiters &= delimiters - 1)
			*start = line->start + i * SHORT_LINE_MAX + __builtin_ctzll(delimiters) + 1;
		if (left == 0 && delimiters != 0)
			*stop = line->start + i * SHORT_LINE_MAX + __builtin_ctzll(delimiters);
	}
	*stop = *stop != NULL ? *stop : line->end;
	return left == 0;
}

/* Finds the text of field `number` of a plain line. False: there is no such field, or it has quotes that need a closer
 * look. is_far: read_far_line has taken the line. (Known where it is inlined.) */
static inline __attribute__((always_inline)) bool find(const struct decoder *c, const struct line *line, bool is_far,
						       uint64_t number, const char **token, size_t *size)
{
	const char *stop = line->end;
	if (is_far ? !cut_far(c, line, number, token, &stop) : line_cut_plain(line, number, token, &stop) > 0)
		return false;
	if (is_far && c->rules->cut == CUT_CSV && *token < stop && **token == '"') {
		stop--;
		if (stop == *token || memchr(*token + 1, '"', (size_t)(stop - *token)) != stop)
			return false;
		++*token;
	}
	if (line->quotes != 0 && line_is_quoted(line, *token, stop)) {
		if (!is_simply_quoted(line->quotes, (size_t)(*token - line->start), (size_t)(stop - *token)))
			return false;
		++*token;
		stop--;
	}
	*token = line_trim(*token, stop, size);
	return true;
}

/* Whether a key or reset field has no unit of time, or its text begins with such a time. */
static __attribute__((noinline)) bool suits_unit(struct decoder *c, size_t index, const char *token, size_t *size)
{
	const enum calendar_unit unit = c->rules->fields[index].unit;
	return unit == UNIT_NONE || decode_begins_with_unit(c, unit, token, size);
}

/* Finds the text of a key or reset field of a plain line, whose chosen field has that index. False: as for find, or it
 * does not suit its unit. */
static inline __attribute__((always_inline)) bool find_text(struct decoder *c, const struct line *line, bool is_far,
							    size_t index, bool has_units, const char **token,
							    size_t *size)
{
	return find(c, line, is_far, c->chosen.numbers[index], token, size) &&
	       (!has_units || suits_unit(c, index, *token, size));
}

/* Sets *kinds to the kinds of places of lines that decode_read_plain_lines takes. False: some place is of another
 * kind. */
static bool find_kinds(const struct decoder *c, uint64_t *kinds)
{
	const struct text_rules *rules = c->rules;
	*kinds = 0;
	for (size_t i = rules->field_count; i < text_gap_field(rules); i++) {
		const struct field_choice *choice = &rules->fields[i];
		const enum place_kind kind = place_kind_of(c->result->place_kinds, choice->place);
		if (choice->unit == UNIT_NONE)
			continue;
		if (kind != PLACE_NONE && kind != PLACE_TIME)
			return false;
		*kinds |= place_kinds_with(PLACE_TIME, choice->place);
	}
	return true;
}

/* Reads a place of a plain line. which: its index. False: it is faulty, or of another kind than those before it. */
static __attribute__((noinline)) bool read_place(struct decoder *c, const struct place_rule *rule, size_t which,
						 const char *token, size_t size, struct text_place *place)
{
	const bool has_room = token - c->begin >= NUMBER_TOKEN_BEFORE;
	return (place_read_iso(&c->iso, rule, token, size, place) ||
		(has_room && place_read_plain(rule, token, size, place)) ||
		place_read(rule, token, size, place) == PLACE_GOOD) &&
	       place_kind_fits(place_kind_of(c->result->place_kinds, which), place->kind);
}

/* What a plain line has beside its numbers. */
struct parts {
	struct key_field key[KEY_FIELDS_MAX];
	struct key_field reset;
	struct text_place gap, time;
};

/* Finds and reads a place. field: the index of its chosen field. */
static inline __attribute__((always_inline)) bool find_place(struct decoder *c, const struct line *line, bool is_far,
							     const struct place_rule *rule, size_t field, size_t which,
							     struct text_place *place)
{
	const char *token;
	size_t size;
	return find(c, line, is_far, c->chosen.numbers[field], &token, &size) &&
	       read_place(c, rule, which, token, size, place);
}

/* Finds the key's fields. */
static inline __attribute__((always_inline)) bool find_key(struct decoder *c, const struct line *line, bool is_far,
							   bool has_units, size_t count, struct key_field *key)
{
	for (size_t i = 0; i < count; i++)
		if (!find_text(c, line, is_far, c->rules->field_count + i, has_units, &key[i].bytes, &key[i].size))
			return false;
	return true;
}

/* Finds the field of resets, and finds and reads the places. */
static inline __attribute__((always_inline)) bool find_others(struct decoder *c, const struct line *line, bool is_far,
							      bool has_units, struct parts *parts)
{
	const struct text_rules *rules = c->rules;
	return (rules->reset_count == 0 || find_text(c, line, is_far, rules->field_count + rules->key_count, has_units,
						     &parts->reset.bytes, &parts->reset.size)) &&
	       (!rules->gap.given ||
		find_place(c, line, is_far, &rules->gap, text_gap_field(rules), PLACE_OF_GAP, &parts->gap)) &&
	       (!rules->span.given ||
		find_place(c, line, is_far, &rules->span, text_span_field(rules), PLACE_OF_SPAN, &parts->time));
}

/* Appends a place to an array. */
static inline bool put_place(struct decoder *c, const struct text_place *place, size_t which, struct bytes *places)
{
	place_kinds_add(&c->result->place_kinds, place->kind, which);
	return bytes_append(places, &place->at, sizeof place->at) == STATUS_OK || decode_out_of_memory(c);
}

/* Appends what find_others has found. */
static inline __attribute__((always_inline)) bool put_others(struct decoder *c, const struct parts *parts)
{
	const struct text_rules *rules = c->rules;
	if (rules->reset_count > 0) {
		const struct record_key text = {.bytes = parts->reset.bytes, .size = parts->reset.size};
		bool is_new;
		if (resets_add(c->target->resets, &text, c->target->key_bytes, &is_new) != STATUS_OK)
			return decode_out_of_memory(c);
	}
	return (!rules->gap.given || put_place(c, &parts->gap, PLACE_OF_GAP, c->target->gaps)) &&
	       (!rules->span.given || put_place(c, &parts->time, PLACE_OF_SPAN, c->target->times));
}

/* Appends the key. */
static inline __attribute__((always_inline)) bool put_key(struct decoder *c, const struct key_field *key, size_t fields)
{
	const struct hash_key *secret = c->rules->hash_key;
	struct grouper *keys = c->target->keys;
	struct bytes *copied = c->target->key_bytes;
	const enum status status = fields == 1 ? grouper_add_input(keys, secret, key->bytes, key->size, copied)
					       : grouper_add_fields(keys, secret, key, fields, copied);
	return status == STATUS_OK || decode_out_of_memory(c);
}

/* Notes where in its line the result has its place. */
static inline __attribute__((always_inline)) bool put_edit(struct decoder *c, const struct line *line,
							   const char *token, size_t size)
{
	struct editor *e = &c->editor;
	struct edit edit = {.kind = EDIT_DELIMITER_RESULTS};
	const char *place = line->end;
	if (c->rules->output.lines == LINES_REPLACED) {
		if (line->quotes != 0) {
			struct field f;
			line_find_in_plain(line, c->chosen.numbers[0], &f);
			size = line_trim_field(&f, &token);
		}
		place = token;
		edit.skipped = (uint32_t)size;
		edit.kind = EDIT_RESULT;
	}
	edit.copied = (uint32_t)(place - e->edited);
	e->edited = place + edit.skipped;
	return bytes_append(e->edits, &edit, sizeof edit) == STATUS_OK || decode_out_of_memory(c);
}

/* Takes all numbers of a plain line but the first one, or none and that one neither. */
static inline __attribute__((always_inline)) bool add_others(struct decoder *c, const struct line *line, bool is_far)
{
	const char *token;
	size_t size;
	for (size_t i = 1; i < c->rules->field_count; i++) {
		struct column *k = &c->target->columns[i];
		if (find(c, line, is_far, c->chosen.numbers[i], &token, &size) &&
		    (k->reading.own_scale ? decode_add_plain_own(c, k, token, size)
					  : decode_add_plain(c, k, token, size)))
			continue;
		while (i-- > 0)
			decode_drop_element(&c->target->columns[i]);
		return false;
	}
	return true;
}

/* Whether a line for which record_may_be_odd is true repeats the header or has a byte order mark. */
static __attribute__((noinline)) bool is_odd(const struct decoder *c, const struct line *line)
{
	/* (Of some files all lines begin and end with a quote.) */
	if (*line->start == '"' && c->odd.first[(unsigned char)line->start[1]] == 0)
		return false;
	return decode_is_header_again(c, line) || decode_has_mark(c, line);
}

static __attribute__((noinline)) bool add_others_near(struct decoder *c, const struct line *line)
{
	return add_others(c, line, false);
}

static __attribute__((noinline)) bool add_others_far(struct decoder *c, const struct line *line)
{
	return add_others(c, line, true);
}

/* Takes plain lines up to one that is not such a line. is_far: those of more than SHORT_LINE_MAX bytes; otherwise the
 * others. has_one_key: the key is one field. (Both are known where it is inlined.) */
static inline __attribute__((always_inline)) bool read_lines(struct decoder *c, uint64_t kinds, bool is_far,
							     bool has_one_key)
{
	const struct text_rules *rules = c->rules;
	const uint64_t *numbers = c->chosen.numbers;
	struct column *k = c->target->columns;
	const bool is_own = k->reading.own_scale;
	const size_t fields = rules->field_count;
	const size_t key_count = has_one_key ? 1 : rules->key_count;
	const bool has_others = rules->reset_count > 0 || rules->gap.given || rules->span.given;
	const bool edits = rules->output.lines != LINES_DROPPED;
	const size_t edited_max = UINT32_MAX;
	const size_t limit = c->counts_records ? c->target->limit : SIZE_MAX;
	const size_t records = c->result->records;
	struct parts parts;
	const char *token;
	size_t size;
	struct line line;
	while (c->next < c->end && c->result->records < limit) {
		const bool may_be_comment = rules->comment != NULL && *c->next == *rules->comment;
		if (may_be_comment ||
		    (is_far ? !read_far_line(c, &line)
			    : !line_read_plain(rules, c->next, c->end, &line) || !lines_up(c, &line)) ||
		    (record_may_be_odd(&c->odd, &line) && is_odd(c, &line)) ||
		    !find(c, &line, is_far, numbers[0], &token, &size) ||
		    !find_key(c, &line, is_far, kinds != 0, key_count, parts.key) ||
		    (has_others && !find_others(c, &line, is_far, kinds != 0, &parts)) ||
		    (size_t)(line.end - c->editor.edited) > edited_max ||
		    !(is_own ? decode_add_plain_own(c, k, token, size) : decode_add_plain(c, k, token, size)) ||
		    (fields > 1 && !(is_far ? add_others_far(c, &line) : add_others_near(c, &line))))
			break;
		c->record = line.start;
		c->next = line.next;
		if ((key_count > 0 && !put_key(c, parts.key, key_count)) || (has_others && !put_others(c, &parts)) ||
		    (edits && !put_edit(c, &line, token, size)))
			return false;
		c->result->records++;
	}
	if (c->result->records > records)
		c->result->place_kinds |= kinds;
	return true;
}

static __attribute__((noinline)) bool read_far_lines(struct decoder *c, uint64_t kinds)
{
	return read_lines(c, kinds, true, false);
}

static __attribute__((noinline)) bool read_near_lines(struct decoder *c, uint64_t kinds)
{
	return read_lines(c, kinds, false, false);
}

bool decode_read_plain_lines(struct decoder *c)
{
	uint64_t kinds;
	const char *begin = NULL;
	const bool has_one_key = c->rules->key_count == 1;
	if (!c->reads_lines || c->header_left > 0 || !find_kinds(c, &kinds))
		return true;
	while (c->next != begin) {
		begin = c->next;
		if (!(has_one_key ? read_lines(c, kinds, false, true) : read_near_lines(c, kinds)) ||
		    !read_far_lines(c, kinds))
			return false;
	}
	return true;
}
