/* What a record's lanes are told apart by. */
#include <string.h>

#include "number/decimal.h"
#include "number/powers.h"
#include "number/time.h"

#include "text/decode_state.h"
#include "text/json.h"

/* Appends what a field of a line that names them says. Of JSON that is a value: a string always as the same one. */
static enum status append_named(const struct text_rules *rules, const struct field *f, struct bytes *out)
{
	const bool is_json = rules->cut == CUT_JSON;
	if (!f->escaped)
		return is_json ? bytes_append(out, f->start, f->size) : bytes_append(out, f->token, f->token_size);
	/* After the room for what is made of it. */
	const size_t room = JSON_STRING_SIZE(f->token_size);
	if (bytes_reserve(out, room + f->token_size) != STATUS_OK)
		return STATUS_SYSTEM;
	char *said = (char *)out->data + out->size + room;
	const size_t size = line_unescape(rules, f, said);
	return is_json ? json_append_string(out, said, size) : bytes_append(out, said, size);
}

/* Appends what a field says: of doubled quotes one each. */
static enum status append_text(const struct text_rules *rules, const struct field *f, struct bytes *out)
{
	if (text_names_fields(rules))
		return append_named(rules, f, out);
	const char *p = f->token;
	const char *const end = p + f->token_size;
	enum status status = STATUS_OK;
	while (p < end && status == STATUS_OK) {
		const char *quote = f->quoted ? memchr(p, '"', (size_t)(end - p)) : NULL;
		const char *stop = quote != NULL ? quote + 1 : end;
		status = bytes_append(out, p, (size_t)(stop - p));
		p = quote != NULL && stop < end && *stop == '"' ? stop + 1 : stop;
	}
	return status;
}

static enum status append_field(const struct text_rules *rules, const struct field *f, bool with_size,
				struct bytes *out)
{
	const size_t begin = out->size;
	size_t size = 0;
	if (with_size && bytes_append(out, &size, sizeof size) != STATUS_OK)
		return STATUS_SYSTEM;
	const size_t text = out->size;
	if (append_text(rules, f, out) != STATUS_OK)
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
	c->result->problem.field = number;
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
	const bool named = text_names_fields(c->rules);
	const bool is_plain =
		count == 1 && !(named ? f.escaped : f.quoted && memchr(f.token, '"', f.token_size) != NULL);
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

bool decode_place(const char *token, size_t size, int128 *place)
{
	const int128 second = (int128)power_of_ten_u64[DECIMAL_SCALE_MAX];
	const struct type *wide = &type_table[TYPE_I128];
	struct decimal d;
	struct time_place time;
	union value m;
	if (decimal_parse(token, size, &d)) {
		if (d.is_float || !decimal_mantissa(&d, DECIMAL_SCALE_MAX, wide, &m))
			return false;
		*place = decimal_value(&m, wide);
		return true;
	}
	if (!time_parse(token, size, &time))
		return false;
	*place = time.seconds * second + time.nanoseconds * (second / 1000000000);
	return true;
}

static bool add_gap(struct decoder *c, uint64_t number)
{
	struct field f;
	int128 place;
	line_find_field(c->rules, &c->line, number, &f);
	if (f.absent) {
		(void)decode_fail_absent(c, number, " (see --reset-gap)");
		c->result->problem.field = number;
		return false;
	}
	if (!decode_place(f.token, f.token_size, &place)) {
		(void)decode_fail(c, "neither a number nor a time", f.token, f.token_size, " (see --reset-gap)");
		c->result->problem.field = number;
		return false;
	}
	return bytes_append(c->target->gaps, &place, sizeof place) == STATUS_OK || decode_out_of_memory(c);
}

bool decode_add_keys(struct decoder *c)
{
	const struct text_rules *rules = c->rules;
	const uint64_t *numbers = c->target->fields + rules->field_count;
	if (rules->key_count > 0 && !add_key(c, numbers))
		return false;
	numbers += rules->key_count;
	if (rules->reset_count > 0 && !add_reset(c, numbers))
		return false;
	return !rules->has_gap || add_gap(c, numbers[rules->reset_count]);
}
