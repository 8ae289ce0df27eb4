/* What a token means: a number, a missing number, or an invalid token (--invalid). */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "number/decimal.h"
#include "number/parse.h"
#include "number/powers.h"
#include "number/read_text.h"
#include "text/decode_private.h"
#include "text/hint.h"
#include "text/json.h"
#include "text/marks.h"

static size_t records_taken(const struct decoder *c)
{
	return c->counts_records ? c->result->records : c->target->columns[0].count;
}

bool decode_add_mark(struct decoder *c, const char *text, size_t size)
{
	const struct mark mark = {.record = records_taken(c), .text = text, .size = size};
	return bytes_append(c->target->marks, &mark, sizeof mark) == STATUS_OK || decode_out_of_memory(c);
}

/* Notes, if c->counts_records, that the current field's lanes have no element in this record. */
static bool add_absence(struct decoder *c)
{
	if (!c->counts_records || c->faults.lacks_number || c->faults.is_held)
		return true;
	c->faults.lacks_number = true;
	const struct absence absence = {.record = c->result->records, .field = c->chosen.index / c->rules->inputs};
	if (c->rules->records.need_all && c->rules->field_count > c->rules->inputs) {
		const struct field *f = &c->chosen.fields[c->chosen.index];
		return decode_fail(c, "no number, and binary integers have no value for that", f->token, f->token_size,
				   " (see --missing)");
	}
	return bytes_append(c->target->absences, &absence, sizeof absence) == STATUS_OK || decode_out_of_memory(c);
}

/* Warns of something in the current line. */
static bool warn(struct decoder *c, const struct warning *warning)
{
	struct warning w = *warning;
	w.line = decode_lines_before(c, c->record) + 1;
	return bytes_append(c->target->warnings, &w, sizeof w) == STATUS_OK || decode_out_of_memory(c);
}

/* Whether another token is before it in its line (and chunk), where each is a record. */
static bool follows_another(const struct decoder *c, const char *token)
{
	while (token > c->begin && (token[-1] == ' ' || token[-1] == '\t'))
		token--;
	return c->rules->field_count == 0 && token > c->begin && token[-1] != '\n';
}

/* A token, and the number of parse.h that it stands for: itself, or what notation_read made of it (perhaps nothing). */
struct said {
	const char *token;
	size_t size;
	const char *number;
	size_t number_size;
	bool is_plain; /* The token itself is a number, but not a duration. */
	enum place_kind kind; /* If times are accepted and the token is a number; otherwise PLACE_NONE, or anything. */
};

/* Takes a token that is not a number. */
static bool treat_invalid(struct decoder *c, const struct said *s)
{
	const char *token = s->token;
	const size_t size = s->size;
	struct number_parts parts;
	if (c->rules->tokens.invalid == INVALID_IGNORE)
		return true;
	if (c->rules->tokens.invalid == INVALID_ABORT) {
		/* No number is before the current token, and no line but the header. */
		const bool is_first =
			decode_is_in_first(c, c->rules->header_lines + 1) && c->target->columns[0].count == 0;
		if (number_split(s->number, s->number_size, &parts))
			return decode_fail(c, "not an integer", token, size, text_type_hint(c->rules));
		return decode_fail(c, "not a number", token, size,
				   hint_of_token(c->rules, c->record, c->rules->field_count > 0 ? &c->line : NULL,
						 token, size, is_first, follows_another(c, token)));
	}
	return warn(c, &(struct warning){.field = decode_field_number(c), .token = token, .size = size});
}

/* Adds an element, zero for NULL. */
static inline bool add_element(struct decoder *c, struct column *k, const union value *value)
{
	static const union value zero = {0};
	const unsigned char scale = 0;
	if (k->reading.own_scale && bytes_append(k->scales, &scale, 1) != STATUS_OK)
		return decode_out_of_memory(c);
	memcpy(decode_next_element(k), value != NULL ? value : &zero, k->reading.type->size);
	k->count++;
	return true;
}

/* The hint for a number of which no type takes its size. */
#define ABOVE_F64 " (beyond 1.8e308)"

/* One decimal at its own scale, or what cannot be exact as a float. */
static bool add_own_decimal(struct decoder *c, struct column *k, const struct said *s)
{
	const struct type *wide = k->reading.type;
	union value value = {.i128 = {0}};
	struct decimal d = {0};
	int64_t narrow;
	const bool is_quick = s->number == s->token && decode_has_room(c, s->token) &&
			      decimal_scan_own(s->token, s->size, &d.scale, &narrow);
	if (!is_quick && !decimal_parse(s->number, s->number_size, &d))
		return treat_invalid(c, s);
	if (decode_is_at_limit(c, k))
		return decode_halt(c, DECODE_LIMIT, s->token, s->size);
	unsigned char scale = (unsigned char)d.scale;
	if (bytes_reserve(k->scales, 1) != STATUS_OK)
		return decode_out_of_memory(c);
	const bool is_exact = !is_quick && !d.is_float && decimal_mantissa(&d, d.scale, wide, &value);
	if (is_quick || (is_exact && decimal_fits_i64(&value))) {
		const int64_t m = is_quick ? narrow : (int64_t)value.i128.lo;
		decode_put_own(k, scale, m);
		if (d.negative && m == 0 && !is_quick)
			k->scales->data[k->scales->size - 1] |= OWN_SCALE_NEGATIVE_ZERO;
		return true;
	}
	if (!is_exact) {
		const enum number_result result =
			number_parse(s->number, s->number_size, &type_table[TYPE_F64], &value);
		if (result == NUMBER_MEMORY)
			return decode_out_of_memory(c);
		if (result != NUMBER_OK)
			return decode_fail(c, "too large for a float", s->token, s->size, ABOVE_F64);
		scale = OWN_SCALE_FLOAT;
	}
	decode_widen(k);
	memcpy(decode_next_element(k), &value, wide->size);
	k->scales->data[k->scales->size++] = scale;
	k->count++;
	return true;
}

static bool add_number(struct decoder *c, struct column *k, const struct said *s)
{
	const struct type *t = k->reading.type;
	union value value;
	const enum number_result result = number_parse(s->number, s->number_size, t, &value);
	if (decode_is_at_limit(c, k) && (result == NUMBER_OK || result == NUMBER_RANGE))
		return decode_halt(c, DECODE_LIMIT, s->token, s->size);
	switch (result) {
	case NUMBER_OK:
		return add_element(c, k, &value);
	case NUMBER_INVALID:
		return treat_invalid(c, s);
	case NUMBER_RANGE:
		/* (There is no wider type than f64.) */
		return decode_fail(c, t->kind == KIND_FLOAT ? "too large for a float" : "out of the type's range",
				   s->token, s->size, t->id == TYPE_F64 ? ABOVE_F64 : text_type_hint(c->rules));
	case NUMBER_MEMORY:
		break;
	}
	return decode_out_of_memory(c);
}

/* Whether there is a place for a result of the current field. Between runs of blanks an empty field cannot stand, so
 * that the result would be another one's; what lines do not name has no place at all. */
static bool has_place(struct decoder *c)
{
	if (c->rules->output.lines != LINES_REPLACED || !c->chosen.fields[c->chosen.index].absent)
		return true;
	/* (Nothing is so far from the line's end.) */
	if (!text_by_blanks(c->rules) && !text_names_fields(c->rules) &&
	    c->chosen.numbers[c->chosen.index] < FIELD_FROM_END)
		return true;
	return decode_fail(c, "not in the line, so nothing can be replaced", c->line.start,
			   (size_t)(c->line.end - c->line.start), " (see --missing=skip)");
}

/* Where lines name their fields a mark stands as the value that it is, quotes and all. */
static void use_mark_as_written(const struct decoder *c, const char **token, size_t *size)
{
	if (c->chosen.found == NULL)
		return;
	*token = c->chosen.fields[c->chosen.index].start;
	*size = c->chosen.fields[c->chosen.index].size;
}

static bool fail_missing(struct decoder *c, const struct missing_rule *rule, const char *token, size_t size)
{
	if (rule == &c->rules->tokens.nan)
		return decode_fail(c, "a NaN", token, size, " (see --nan)");
	if (size == 0)
		return decode_fail(c, "empty or absent", token, size, " (see --missing)");
	return decode_fail(c, "missing", token, size,
			   marks_is_nan(token, size) ? " (see --missing=skip, --missing=0, --nan)"
						     : " (see --missing=skip, --missing=0)");
}

/* The columns of a field, of which k is the first, get an element that takes no part: it is kept or held. (Of several
 * numbers the first that is lacking says what becomes of all.) */
static bool leave_in_place(struct decoder *c, struct column *k, const char *token, size_t size, bool is_kept)
{
	struct column *const end = decode_columns_end(c, k);
	const bool is_new = !c->faults.lacks_number && !c->faults.is_held;
	use_mark_as_written(c, &token, &size);
	if (decode_is_at_limit(c, k))
		return decode_halt(c, DECODE_LIMIT, token, size);
	for (; k < end; k++) {
		const struct held held = {.element = k->count,
					  .record = records_taken(c),
					  .text = token,
					  .size = size,
					  .is_absent = is_kept};
		if (is_new && bytes_append(k->helds, &held, sizeof held) != STATUS_OK)
			return decode_out_of_memory(c);
		if (!add_element(c, k, NULL))
			return false;
		if (decode_accepts_durations(c))
			decode_note_duration(c, k, false);
	}
	c->faults.is_held = c->rules->inputs > 1 && (c->faults.is_held || is_new);
	return true;
}

/* Takes a missing number for which no other stands. k: the first column of its field. */
static bool treat_missing(struct decoder *c, struct column *k, const struct missing_rule *rule, const char *token,
			  size_t size, enum field_outcome *outcome)
{
	const bool is_kept = rule->how == MISSING_KEEP;
	if (rule->how == MISSING_FAIL)
		return fail_missing(c, rule, token, size);
	if (rule->how == MISSING_SKIP && !c->faults.is_held) {
		*outcome = TAKEN_SKIPPED;
		return add_absence(c);
	}
	if (rule->how == MISSING_HOLD && !has_place(c))
		return false;
	/* (What is kept and is not there is not made, either.) */
	if (is_kept && c->rules->output.lines == LINES_REPLACED && c->chosen.fields[c->chosen.index].absent)
		*outcome = TAKEN_KEPT;
	return leave_in_place(c, k, token, size, is_kept);
}

bool decode_add_text(struct decoder *c, struct column *k, const char *token, size_t size)
{
	const struct text_rules *rules = c->rules;
	const struct token_rules *t = &rules->tokens;
	struct bytes *copy = c->target->key_bytes;
	const size_t copied = copy->size;
	const bool is_stand_in = token == t->missing.value || token == t->nan.value;
	const struct field *f = c->target->fields != NULL ? &c->chosen.fields[c->chosen.index] : NULL;
	struct record_key text = {.bytes = token, .size = size};
	bool is_new;
	if (c->status != STATUS_OK)
		return false; /* The fast path had no memory. */
	if (decode_is_at_limit(c, k))
		return decode_halt(c, DECODE_LIMIT, token, size);
	if (k->reading.text_kind == TEXT_WORDS && !is_stand_in && notation_is_number(&t->notation, token, size))
		return decode_fail(c, "a number among texts", token, size,
				   hint_among_texts(rules, decode_is_in_first(c, 2)));
	if (rules->cut == CUT_JSON || (f != NULL && !is_stand_in && line_has_escapes(rules, f))) {
		if ((f == NULL || is_stand_in ? json_append_value(copy, token, size)
					      : decode_append_text(rules, f, copy)) != STATUS_OK)
			return decode_out_of_memory(c);
		text = (struct record_key){.is_copied = true, .at = copied, .size = copy->size - copied};
	}
	if (grouper_add(k->texts, rules->hash_key, &text, copy, &is_new) != STATUS_OK)
		return decode_out_of_memory(c);
	copy->size = is_new ? copy->size : copied;
	decode_put_text(k);
	return true;
}

static bool add_to_column(struct decoder *c, struct column *k, const struct said *s)
{
	struct number_parts parts;
	const bool are_numbers = !k->reading.is_text || k->reading.text_kind == TEXT_NUMBERS;
	if (k->reading.is_text && are_numbers && !number_split(s->number, s->number_size, &parts))
		return treat_invalid(c, s);
	const size_t before = k->count;
	const bool goes_on = k->reading.is_text     ? decode_add_text(c, k, s->token, s->size)
			     : k->reading.own_scale ? add_own_decimal(c, k, s)
						    : add_number(c, k, s);
	if (k->count > before && are_numbers && !decode_kind_fits(k, s->kind)) {
		decode_drop_element(k);
		return decode_fail_kind(c, k, s->kind, s->token, s->size);
	}
	if (k->count > before && are_numbers)
		decode_note_kind(c, k, s->kind);
	if (k->count > before && !k->reading.is_text && decode_accepts_durations(c))
		decode_note_duration(c, k, s->is_plain);
	return goes_on;
}

bool decode_next_is_left_out(const struct decoder *c, const struct column *k)
{
	const struct decode_target *t = c->target;
	return c->left_out < t->left_out_count && t->left_out[c->left_out].record == k->count + c->left_out;
}

bool decode_leave_out(struct decoder *c, enum field_outcome *outcomes)
{
	const struct decode_target *t = c->target;
	struct column *k = t->columns;
	struct column *const end = k + t->column_count;
	for (size_t element = 0; k < end && c->left_out < t->left_out_count; element++) {
		const struct absence *next = &t->left_out[c->left_out];
		const size_t first = element * c->rules->inputs;
		const bool has_element = outcomes[first] == TAKEN_ELEMENT;
		const size_t record = c->counts_records ? c->result->records : k->count - has_element + c->left_out;
		const bool is_left_out = has_element && next->record == record && next->field == element;
		for (; k < end && k->field < first + c->rules->inputs; k++) {
			if (is_left_out)
				decode_drop_element(k);
		}
		if (!is_left_out)
			continue;
		c->left_out++;
		for (size_t i = 0; i < c->rules->inputs; i++)
			outcomes[first + i] = TAKEN_SKIPPED;
		if (c->counts_records && bytes_append(t->absences, next, sizeof *next) != STATUS_OK)
			return decode_out_of_memory(c);
	}
	return true;
}

struct column *decode_columns_end(const struct decoder *c, struct column *k)
{
	struct column *const end = c->target->columns + c->target->column_count;
	const size_t field = k->field;
	while (k < end && k->field == field)
		k++;
	return k;
}

/* Takes the current line as an element whose value does not matter. */
static bool add_line(struct decoder *c, struct column *k)
{
	struct column *const end = decode_columns_end(c, k);
	if (decode_is_at_limit(c, k))
		return decode_halt(c, DECODE_LIMIT, c->line.start, 0);
	bool goes_on = true;
	for (; k < end && goes_on; k++)
		goes_on = add_element(c, k, NULL);
	return goes_on;
}

/* Warns that the current line is not in its format. */
static bool warn_of_line(struct decoder *c)
{
	const struct line *line = &c->line;
	const struct line_fault *f = &c->faults.fault;
	if (c->shape != NULL)
		return warn(c, &(struct warning){.token = line->start,
						 .size = (size_t)(line->end - line->start),
						 .misfit = decode_misfit(c)});
	/* Of a line that is too short all is shown. */
	const char *shown = f->at < line->end ? f->at : line->start;
	return warn(c, &(struct warning){.token = shown,
					 .size = (size_t)(line->end - shown),
					 .what = f->what,
					 .column = decode_column(c, f->at)});
}

/* Takes a line that is not in its format: the whole line is an invalid token. */
static bool treat_unlike(struct decoder *c, enum field_outcome *outcome)
{
	*outcome = TAKEN_NOTHING;
	c->faults.is_invalid = true;
	if (c->rules->tokens.invalid != INVALID_IGNORE && c->chosen.index == 0 && !warn_of_line(c))
		return false;
	return add_absence(c);
}

/* Takes a token that is not missing for the columns of its field, of which k is the first: for all of them or none. */
static bool add_said(struct decoder *c, struct column *k, const struct said *s, enum field_outcome *outcome)
{
	struct column *const first = k;
	struct column *const end = decode_columns_end(c, first);
	bool goes_on = true;
	bool is_taken = true;
	for (; k < end && is_taken; k++) {
		const size_t before = k->count;
		goes_on = add_to_column(c, k, s);
		is_taken = goes_on && k->count > before;
	}
	if (is_taken)
		return true;
	for (struct column *taken = first; taken < k - 1; taken++)
		decode_drop_element(taken);
	if (!goes_on)
		return false;
	if (c->faults.is_held)
		return leave_in_place(c, first, s->token, s->size, false);
	*outcome = TAKEN_NOTHING; /* it is not a number */
	c->faults.is_invalid = true;
	return add_absence(c);
}

/* add_said for a token in the rules' notation. */
static bool add_written(struct decoder *c, struct column *k, const char *token, size_t size,
			enum field_outcome *outcome)
{
	char *number = c->rewritten;
	if (size > REWRITTEN_MAX)
		number = memory_new(size + NOTATION_GROWTH);
	if (number == NULL)
		return decode_out_of_memory(c);
	bool is_time;
	const size_t number_size = notation_read(&c->rules->tokens.notation, token, size, number, &is_time);
	const struct said s = {.token = token,
			       .size = size,
			       .number = number,
			       .number_size = number_size,
			       .is_plain = !notation_is_duration(&c->rules->tokens.notation, token, size),
			       .kind = decode_accepts_times(c) ? place_kind_of_number(is_time, token, size)
							       : PLACE_NONE};
	const bool goes_on = add_said(c, k, &s, outcome);
	if (number != c->rewritten)
		memory_free(number);
	return goes_on;
}

bool decode_add_token(struct decoder *c, struct column *k, const char *token, size_t size, enum field_outcome *outcome)
{
	*outcome = TAKEN_ELEMENT;
	if (c->faults.is_unlike)
		return treat_unlike(c, outcome);
	if (c->rules->records.are_lines)
		return add_line(c, k);
	const bool is_absent = c->target->fields != NULL && c->chosen.fields[c->chosen.index].absent;
	if (c->rules->tokens.missing.how == MISSING_FAIL && is_absent)
		return decode_fail_absent(c, c->chosen.numbers[c->chosen.index], NULL);
	const struct missing_rule *missing;
	if (!decode_find_missing(c, k, &token, &size, &missing))
		return false;
	if (missing != NULL && missing->how != MISSING_VALUE)
		return treat_missing(c, k, missing, token, size, outcome);
	if (missing != NULL && !has_place(c))
		return false;
	if (missing == NULL && c->rules->tokens.notation.given && !decode_is_json_number(c))
		return add_written(c, k, token, size, outcome);
	/* (A number that an option gives is plain.) */
	token = missing != NULL ? missing->value : token;
	size = missing != NULL ? strlen(token) : size;
	const bool has_kind = missing == NULL && decode_accepts_times(c);
	const struct said s = {.token = token,
			       .size = size,
			       .number = token,
			       .number_size = size,
			       .is_plain = missing == NULL,
			       .kind = has_kind ? place_kind_of_number(false, token, size) : PLACE_NONE};
	return add_said(c, k, &s, outcome);
}
