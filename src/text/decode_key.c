/* The keys of records, and what their resets go by. */
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "text/decode_private.h"
#include "text/json.h"

enum status decode_append_text(const struct text_rules *rules, const struct field *f, struct bytes *out)
{
	const bool is_json = rules->cut == CUT_JSON;
	if (!line_has_escapes(rules, f))
		return is_json ? bytes_append(out, f->start, f->size) : bytes_append(out, f->token, f->token_size);
	/* The field's unescaped text is put after the room for the appended bytes. */
	const size_t room = JSON_STRING_SIZE(f->token_size);
	if (bytes_reserve(out, room + f->token_size) != STATUS_OK)
		return STATUS_SYSTEM;
	char *said = (char *)out->data + out->size + room;
	const size_t size = line_unescape(rules, f, said);
	return is_json ? json_append_string(out, said, size) : bytes_append(out, said, size);
}

static enum status append_field(const struct text_rules *rules, const struct field *f, bool with_size,
				struct bytes *out)
{
	const size_t begin = out->size;
	size_t size = 0;
	if (with_size && bytes_append(out, &size, sizeof size) != STATUS_OK)
		return STATUS_SYSTEM;
	const size_t text = out->size;
	if (decode_append_text(rules, f, out) != STATUS_OK)
		return STATUS_SYSTEM;
	size = out->size - text;
	if (with_size)
		memcpy(out->data + begin, &size, sizeof size);
	return STATUS_OK;
}

/* A field that the first line lacks is a wrong one; of a later line it is empty. */
static bool find_key(struct decoder *c, uint64_t number, const char *hint, struct field *f)
{
	line_find_field(c->rules, &c->line, number, f);
	if (!f->absent || !decode_is_in_first(c, c->rules->header_lines + 1))
		return true;
	(void)decode_fail_absent(c, number, hint);
	c->result->problem.field = number < FIELD_FROM_END ? number : 0;
	return false;
}

/* What count fields of the current line say, of those whose numbers these are; hint: the option that asks for them. */
static bool find_fields(struct decoder *c, const uint64_t *numbers, size_t count, const char *hint,
			struct record_key *key)
{
	struct bytes *copy = c->target->key_bytes;
	const size_t at = copy->size;
	struct field f;
	if (!find_key(c, numbers[0], hint, &f))
		return false;
	const bool is_plain = count == 1 && !line_has_escapes(c->rules, &f);
	const bool is_whole = c->rules->cut == CUT_JSON; /* with quotes: "1" is not 1 */
	for (size_t i = 0; !is_plain && i < count; i++) {
		if (!find_key(c, numbers[i], hint, &f))
			return false;
		if (append_field(c->rules, &f, count > 1, copy) != STATUS_OK)
			return decode_out_of_memory(c);
	}
	*key = is_plain ? (struct record_key){.bytes = is_whole ? f.start : f.token,
					      .size = is_whole ? f.size : f.token_size}
			: (struct record_key){.at = at, .size = copy->size - at};
	return true;
}

static bool add_key(struct decoder *c, const uint64_t *numbers)
{
	const struct text_rules *rules = c->rules;
	struct bytes *copy = c->target->key_bytes;
	const size_t copied = copy->size;
	struct record_key key = {0};
	bool is_new;
	if (!find_fields(c, numbers, rules->key_count, " (see -g)", &key))
		return false;
	if (key.bytes != NULL)
		return grouper_add_input(c->target->keys, rules->hash_key, key.bytes, key.size, copy) == STATUS_OK ||
		       decode_out_of_memory(c);
	if (grouper_add(c->target->keys, rules->hash_key, &key, copy, &is_new) != STATUS_OK)
		return decode_out_of_memory(c);
	copy->size = is_new ? copy->size : copied;
	return true;
}

static bool add_reset(struct decoder *c, const uint64_t *numbers)
{
	struct bytes *copy = c->target->key_bytes;
	const size_t copied = copy->size;
	struct record_key text = {0};
	bool is_new;
	if (!find_fields(c, numbers, c->rules->reset_count, " (see --reset-on)", &text))
		return false;
	if (resets_add(c->target->resets, &text, copy, &is_new) != STATUS_OK)
		return decode_out_of_memory(c);
	copy->size = is_new ? copy->size : copied;
	return true;
}

/* Bytes of a date, a blank and a time of day. */
#define DATE_TIME_MAX 96

/* What the gap's fields say, of two joined by a blank in the buffer. False: the line has no such field. */
static bool join_gap(struct decoder *c, const uint64_t *numbers, char *joined, const char **token, size_t *size)
{
	*size = 0;
	for (size_t i = 0; i < c->rules->gap.count; i++) {
		struct field f;
		line_find_field(c->rules, &c->line, numbers[i], &f);
		if (f.absent) {
			(void)decode_fail_absent(c, numbers[i], " (see --reset-gap)");
			c->result->problem.field = numbers[i] < FIELD_FROM_END ? numbers[i] : 0;
			return false;
		}
		*token = f.token;
		if (c->rules->gap.count == 1) {
			*size = f.token_size;
			return true;
		}
		const size_t left = DATE_TIME_MAX - *size;
		const size_t taken = f.token_size < left - 1 ? f.token_size : left - 1;
		if (i > 0)
			joined[(*size)++] = ' ';
		memcpy(joined + *size, f.token, taken);
		*size += taken;
	}
	*token = joined;
	return true;
}

static bool fail_gap(struct decoder *c, const char *text, const char *token, size_t size, uint64_t number)
{
	(void)decode_fail(c, "", token, size, "");
	struct problem *p = &c->result->problem;
	p->field = number;
	(void)snprintf(p->text, sizeof p->text, "%s", text);
	return false;
}

static bool add_gap(struct decoder *c, const uint64_t *numbers)
{
	char joined[2 * DATE_TIME_MAX];
	char text[PROBLEM_TEXT_SIZE];
	char quoted[MESSAGE_QUOTED_SIZE];
	const char *token;
	size_t size;
	struct gap_place place;
	if (!join_gap(c, numbers, joined, &token, &size))
		return false;
	const enum gap_fault fault = gap_read(c->rules, token, size, &place);
	if (fault != PLACE_GOOD) {
		gap_describe_fault(c->rules, fault, token, size, numbers[0], text, sizeof text);
		return fail_gap(c, text, token, size, numbers[0]);
	}
	struct decoded *result = c->result;
	if (result->gap_kind != PLACE_NONE && result->gap_kind != place.kind) {
		gap_describe_kind(place.kind, result->gap_kind, message_quote(quoted, token, size), text, sizeof text);
		return fail_gap(c, text, token, size, numbers[0]);
	}
	return decode_put_place(c, &place);
}

bool decode_add_keys(struct decoder *c)
{
	const struct text_rules *rules = c->rules;
	const uint64_t *numbers = c->chosen.numbers + rules->field_count;
	if (rules->key_count > 0 && !add_key(c, numbers))
		return false;
	numbers += rules->key_count;
	if (rules->reset_count > 0 && !add_reset(c, numbers))
		return false;
	return !rules->gap.given || add_gap(c, numbers + rules->reset_count);
}
