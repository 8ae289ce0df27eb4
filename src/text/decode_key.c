/* What a record's lanes are told apart by. */
#include <string.h>

#include "number/decimal.h"
#include "number/powers.h"
#include "number/time.h"

#include "text/decode_state.h"

/* Appends what a field says: of doubled quotes one each. */
static enum status append_text(const struct field *f, struct bytes *out)
{
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

static enum status append_field(const struct field *f, bool with_size, struct bytes *out)
{
	const size_t begin = out->size;
	size_t size = 0;
	if (with_size && bytes_append(out, &size, sizeof size) != STATUS_OK)
		return STATUS_SYSTEM;
	const size_t text = out->size;
	if (append_text(f, out) != STATUS_OK)
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

/* Appends what count fields say, of those whose numbers these are: keys, or what resets go by. */
static bool add_fields(struct decoder *c, const uint64_t *numbers, size_t count, bool are_keys, struct bytes *keys)
{
	const struct text_rules *rules = c->rules;
	struct bytes *copy = c->target->key_bytes;
	const size_t at = copy->size;
	struct field f;
	const char *hint = are_keys ? " (see -g)" : " (see --reset-on)";
	if (!find_key(c, numbers[0], hint, &f))
		return false;
	const bool is_plain = count == 1 && !(f.quoted && memchr(f.token, '"', f.token_size) != NULL);
	for (size_t i = 0; !is_plain && i < count; i++) {
		if (!find_key(c, numbers[i], hint, &f))
			return false;
		if (append_field(&f, count > 1, copy) != STATUS_OK)
			return decode_out_of_memory(c);
	}
	if (bytes_reserve(keys, sizeof(struct record_key)) != STATUS_OK)
		return decode_out_of_memory(c);
	/* Made where it stays: a copy at once would wait for the stores. */
	struct record_key *key = (struct record_key *)(void *)(keys->data + keys->size);
	key->bytes = is_plain ? f.token : NULL;
	key->at = at;
	key->size = is_plain ? f.token_size : copy->size - at;
	key->hash = are_keys
			    ? hash_bytes(rules->hash_key, is_plain ? f.token : (const char *)copy->data + at, key->size)
			    : 0;
	keys->size += sizeof *key;
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
	if (rules->key_count > 0 && !add_fields(c, numbers, rules->key_count, true, c->target->keys))
		return false;
	numbers += rules->key_count;
	if (rules->reset_count > 0 && !add_fields(c, numbers, rules->reset_count, false, c->target->resets))
		return false;
	return !rules->has_gap || add_gap(c, numbers[rules->reset_count]);
}
