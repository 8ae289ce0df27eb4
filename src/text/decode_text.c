/* Columns of texts: each element is the number that a chunk's table of texts (grouper.h) has given to its text. */
#include <string.h>

#include "text/decode_private.h"

/* Appends the number of the text that the table has found last. */
static void put_number(struct column *k)
{
	const struct bytes *numbers = &k->texts->of_records;
	uint32_t number;
	memcpy(&number, numbers->data + numbers->size - sizeof number, sizeof number);
	const uint64_t element = number;
	memcpy(decode_next_element(k), &element, sizeof element);
	k->count++;
}

bool decode_take_text(struct decoder *c, struct column *k, const char *token, size_t size)
{
	const struct text_rules *rules = c->rules;
	const struct token_rules *t = &rules->tokens;
	struct bytes *copy = c->target->key_bytes;
	const size_t copied = copy->size;
	const bool is_stand_in = token == t->missing.value || token == t->nan.value;
	const struct field *f = c->target->fields != NULL ? &c->chosen.fields[c->chosen.index] : NULL;
	struct record_key text = {.bytes = token, .size = size};
	bool is_new;
	if (decode_is_at_limit(c, k))
		return decode_halt(c, DECODE_LIMIT, token, size);
	if (f != NULL && !is_stand_in && (rules->cut == CUT_JSON || line_has_escapes(rules, f))) {
		if (decode_append_text(rules, f, copy) != STATUS_OK)
			return decode_out_of_memory(c);
		text = (struct record_key){.at = copied, .size = copy->size - copied};
	}
	if (grouper_add(k->texts, rules->hash_key, &text, copy, &is_new) != STATUS_OK)
		return decode_out_of_memory(c);
	copy->size = is_new ? copy->size : copied;
	put_number(k);
	return true;
}

bool decode_take_plain_text(struct decoder *c, struct column *k, const char *token, size_t size)
{
	const struct text_rules *rules = c->rules;
	if (size == 0 || decode_is_at_limit(c, k) || rules->cut == CUT_JSON || rules->cut == CUT_LOGFMT ||
	    (rules->cut == CUT_CSV && memchr(token, '"', size) != NULL) ||
	    decode_missing_rule(c, k, token, size) != NULL ||
	    grouper_add_input(k->texts, rules->hash_key, token, size, c->target->key_bytes) != STATUS_OK)
		return false;
	put_number(k);
	return true;
}
