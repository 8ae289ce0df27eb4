/* The keys of records, and what their resets go by. */
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "text/decode_private.h"

static enum status append_field(const struct text_rules *rules, const struct field *f, bool with_size,
				struct bytes *out)
{
	const size_t begin = out->size;
	size_t size = 0;
	TRY(bytes_append(out, &size, with_size ? sizeof size : 0));
	const size_t text = out->size;
	TRY(decode_append_text(rules, f, out));
	size = out->size - text;
	if (with_size)
		memcpy(out->data + begin, &size, sizeof size);
	return STATUS_OK;
}

/* Ends decoding at a line that lacks a field. option: that asks for it. Returns false. */
static bool fail_absent(struct decoder *c, uint64_t number, const char *option)
{
	char hint[32];
	(void)snprintf(hint, sizeof hint, " (see %s)", option);
	(void)decode_fail_absent(c, number, hint);
	c->result->problem.field = number < FIELD_FROM_END ? number : 0;
	return false;
}

/* A field that the first line lacks is a wrong one; of a later line it is empty. */
static bool find_key(struct decoder *c, uint64_t number, const char *option, struct field *f)
{
	line_find_field(c->rules, &c->line, number, f);
	return !f->absent || !decode_is_in_first(c, c->rules->header_lines + 1) || fail_absent(c, number, option);
}

/* Bytes of a date, a blank and a time of day. */
#define DATE_TIME_MAX 96

/* Appends a text of a place to `size` bytes, at most up to DATE_TIME_MAX bytes. */
static size_t append_place(const struct text_rules *rules, const struct field *f, char *joined, size_t size)
{
	const size_t left = DATE_TIME_MAX - size;
	if (line_has_escapes(rules, f) && f->token_size <= DATE_TIME_MAX)
		return size + line_unescape(rules, f, joined + size);
	const size_t taken = f->token_size < left - 1 ? f->token_size : left - 1;
	memcpy(joined + size, f->token, taken);
	return size + taken;
}

/* Finds the text of a place: of a field, or of two joined by a blank in the buffer, which has room for 2 *
 * DATE_TIME_MAX bytes. Returns 0, or the number of a field that the line lacks. */
static uint64_t find_text(const struct decoder *c, const uint64_t *numbers, size_t count, char *joined,
			  const char **token, size_t *size)
{
	*size = 0;
	for (size_t i = 0; i < count; i++) {
		struct field f;
		line_find_field(c->rules, &c->line, numbers[i], &f);
		if (f.absent)
			return numbers[i];
		*token = f.token;
		if (count == 1 && !line_has_escapes(c->rules, &f)) {
			*size = f.token_size;
			return 0;
		}
		if (i > 0)
			joined[(*size)++] = ' ';
		*size = append_place(c->rules, &f, joined, *size);
	}
	*token = joined;
	return 0;
}

/* find_text, but ends decoding if the line lacks a field (false). */
static bool find_place(struct decoder *c, const uint64_t *numbers, size_t count, const char *option, char *joined,
		       const char **token, size_t *size)
{
	const uint64_t lacking = find_text(c, numbers, count, joined, token, size);
	return lacking == 0 || fail_absent(c, lacking, option);
}

/* Whether a place is a number of JSON, which has no marks. (A string is not.) */
static bool is_json_number(const struct decoder *c, uint64_t number)
{
	struct field f;
	if (c->rules->cut != CUT_JSON)
		return false;
	line_find_field(c->rules, &c->line, number, &f);
	return !f.quoted;
}

/* place_read for a text of the current line. */
static enum place_fault read_text(struct decoder *c, const struct place_rule *rule, uint64_t number, const char *token,
				  size_t size, struct text_place *place)
{
	if (place_read_iso(&c->iso, rule, token, size, place))
		return PLACE_GOOD;
	if (!rule->marks.given || !is_json_number(c, number))
		return place_read(rule, token, size, place);
	struct place_rule unmarked = *rule;
	unmarked.marks = (struct notation){0};
	return place_read(&unmarked, token, size, place);
}

/* Reads a place whose text that is. which: its index. Ends decoding if it is faulty or of another kind than those
 * before it (false). */
static bool read_place(struct decoder *c, const struct place_rule *rule, size_t which, uint64_t number,
		       const char *token, size_t size, struct text_place *place)
{
	const enum place_fault fault = read_text(c, rule, number, token, size, place);
	struct decoded *result = c->result;
	struct problem *p = &result->problem;
	const enum place_kind decided = place_kind_of(result->place_kinds, which);
	if (fault == PLACE_GOOD && place_kind_fits(decided, place->kind)) {
		place_kinds_add(&result->place_kinds, place->kind, which);
		return true;
	}
	(void)decode_fail(c, "", token, size, "");
	p->field = number;
	if (fault != PLACE_GOOD)
		place_describe_fault(rule, fault, token, size, text_names_fields(c->rules) ? 0 : number, p->text,
				     sizeof p->text);
	else
		place_describe_kind(rule->option, place->kind, decided, message_quoted_part(token, size), p->text,
				    sizeof p->text);
	return false;
}

/* Appends the text of the unit of a time, whose chosen field has that index. (Of JSON it is a string.) */
static bool append_unit(struct decoder *c, size_t index, bool with_size, const char *option)
{
	const struct field_choice *choice = &c->rules->fields[index];
	const uint64_t numbers[] = {c->chosen.numbers[index], c->chosen.numbers[choice->clock]};
	const bool is_json = c->rules->cut == CUT_JSON;
	char joined[2 * DATE_TIME_MAX];
	char text[CALENDAR_TEXT_MAX];
	const char *token;
	size_t size;
	struct text_place place;
	if (!find_place(c, numbers, choice->clock > 0 ? 2 : 1, option, joined, &token, &size))
		return false;
	const enum place_kind kind = place_kind_of(c->result->place_kinds, choice->place);
	const bool may_begin = kind == PLACE_NONE || kind == PLACE_TIME;
	struct place_rule rule = place_rule_of_unit(choice->unit, option, choice->clock > 0);
	rule.marks = notation_marks(&c->rules->tokens.notation);
	if (may_begin && decode_begins_with_unit(c, choice->unit, token, &size)) {
		c->result->place_kinds |= place_kinds_with(PLACE_TIME, choice->place);
	} else if (read_place(c, &rule, choice->place, numbers[0], token, size, &place)) {
		size = calendar_write(choice->unit, &place.parts, text);
		token = text;
	} else {
		return false;
	}
	const size_t whole = size + (is_json ? 2 : 0);
	struct bytes *out = c->target->key_bytes;
	return ((!with_size || bytes_append(out, &whole, sizeof whole) == STATUS_OK) &&
		(!is_json || bytes_append(out, "\"", 1) == STATUS_OK) && bytes_append(out, token, size) == STATUS_OK &&
		(!is_json || bytes_append(out, "\"", 1) == STATUS_OK)) ||
	       decode_out_of_memory(c);
}

/* Finds what `count` chosen fields of the current line say, from the field with the index `first` on. option: that asks
 * for them. */
static bool find_fields(struct decoder *c, size_t first, size_t count, const char *option, struct record_key *key)
{
	const uint64_t *numbers = c->chosen.numbers + first;
	const struct field_choice *choices = c->rules->fields + first;
	struct bytes *copy = c->target->key_bytes;
	const size_t at = copy->size;
	struct field f;
	if (choices[0].unit == UNIT_NONE && !find_key(c, numbers[0], option, &f))
		return false;
	const bool is_plain = count == 1 && choices[0].unit == UNIT_NONE && !line_has_escapes(c->rules, &f);
	const bool is_whole = c->rules->cut == CUT_JSON; /* with quotes: "1" is not 1 */
	for (size_t i = 0; !is_plain && i < count; i++) {
		if (choices[i].unit != UNIT_NONE) {
			if (!append_unit(c, first + i, count > 1, option))
				return false;
			continue;
		}
		if (!find_key(c, numbers[i], option, &f))
			return false;
		if (append_field(c->rules, &f, count > 1, copy) != STATUS_OK)
			return decode_out_of_memory(c);
	}
	*key = is_plain ? (struct record_key){.bytes = is_whole ? f.start : f.token,
					      .size = is_whole ? f.size : f.token_size}
			: (struct record_key){.is_copied = true, .at = at, .size = copy->size - at};
	return true;
}

/* Adds the current line's key, or the text of its resets. */
static bool add_text(struct decoder *c, bool is_key)
{
	const struct text_rules *rules = c->rules;
	struct bytes *copy = c->target->key_bytes;
	const size_t copied = copy->size;
	const size_t first = rules->field_count + (is_key ? 0 : rules->key_count);
	struct record_key text = {0};
	bool is_new = true;
	enum status status;
	if (!find_fields(c, first, is_key ? rules->key_count : rules->reset_count, is_key ? "-g" : "--reset-on", &text))
		return false;
	if (is_key && !text.is_copied)
		status = grouper_add_input(c->target->keys, rules->hash_key, text.bytes, text.size, copy);
	else if (is_key)
		status = grouper_add(c->target->keys, rules->hash_key, &text, copy, &is_new);
	else
		status = resets_add(c->target->resets, &text, copy, &is_new);
	copy->size = is_new ? copy->size : copied;
	return status == STATUS_OK || decode_out_of_memory(c);
}

/* Appends the place of the current line to an array. field: the index of its first chosen field; which: its index. */
static bool add_place(struct decoder *c, const struct place_rule *rule, size_t field, size_t which,
		      struct bytes *places)
{
	char joined[2 * DATE_TIME_MAX];
	const uint64_t *numbers = c->chosen.numbers + field;
	const char *token;
	size_t size;
	struct text_place place;
	return find_place(c, numbers, rule->count, rule->option, joined, &token, &size) &&
	       read_place(c, rule, which, numbers[0], token, size, &place) &&
	       (bytes_append(places, &place.at, sizeof place.at) == STATUS_OK || decode_out_of_memory(c));
}

bool decode_add_keys(struct decoder *c)
{
	const struct text_rules *rules = c->rules;
	return (rules->key_count == 0 || add_text(c, true)) && (rules->reset_count == 0 || add_text(c, false)) &&
	       (!rules->gap.given || add_place(c, &rules->gap, text_gap_field(rules), PLACE_OF_GAP, c->target->gaps)) &&
	       (!rules->span.given ||
		add_place(c, &rules->span, text_span_field(rules), PLACE_OF_SPAN, c->target->times));
}

bool decode_add_along(struct decoder *c)
{
	const struct place_rule *rule = &c->rules->along;
	char joined[2 * DATE_TIME_MAX];
	const char *token;
	size_t size;
	uint64_t written = TIME_UNKNOWN;
	struct text_place place = {0};
	const uint64_t *numbers = c->chosen.numbers + text_along_field(c->rules);
	if (find_text(c, numbers, rule->count, joined, &token, &size) == 0 &&
	    read_text(c, rule, numbers[0], token, size, &place) == PLACE_GOOD)
		written = place_written(&place);
	return bytes_append(c->target->along, &written, sizeof written) == STATUS_OK || decode_out_of_memory(c);
}
