/* The fast road: plain numbers as most inputs have them, in runs, in lines and one by one. What it does not take is
 * left to decode_token.c. */
#include "text/decode_private.h"

#include <string.h>

#include "number/read_text.h"
#include "text/marks.h"

/* Takes tokens up to end as long as they are plain numbers, each after white space. */
static bool read_run(struct decoder *c, struct column *k, const char *end)
{
	const bool is_narrow = k->is_narrow;
	struct number_run run;
	/* A token has a byte, and white space before the next one. */
	if (is_narrow && bytes_reserve(k->scales, (size_t)(end - c->next) / 2 + 1) != STATUS_OK)
		return decode_out_of_memory(c);
	do {
		const size_t left = c->target->limit - k->count;
		while (c->next < end && is_space(*c->next))
			c->next++;
		run = is_narrow
			      ? decimal_scan_run(c->begin, c->next, end, k->scale, decode_next_element(k),
						 k->scales->data + k->scales->size, left)
			      : number_scan_run(c->begin, c->next, end, k->reading.type, decode_next_element(k), left);
		c->next = run.next;
		k->count += run.count;
		if (is_narrow)
			k->scales->size += run.count;
	} while (run.count > 0);
	return true;
}

bool decode_passes_header_again(struct decoder *c)
{
	struct line line;
	const bool is_again = c->odd.first[(unsigned char)*c->next] != 0 &&
			      !line_is_comment(c->rules, c->next, c->end) &&
			      line_read(c->rules, c->next, c->end, &line) && decode_is_header_again(c, &line);
	c->next = is_again ? line.next : c->next;
	return is_again;
}

bool decode_read_plain_tokens(struct decoder *c)
{
	struct column *k = c->target->columns;
	const struct element_format *r = &k->reading;
	if (c->target->column_count > 1 || (!k->is_narrow && (r->own_scale || r->is_text)) || c->header_left > 0 ||
	    c->rules->tokens.marks_have_digits || !notation_has_plain(&c->rules->tokens.notation) ||
	    decode_accepts_durations(c))
		return true;
	if (c->rules->comment == NULL && c->rules->header_lines == 0)
		return read_run(c, k, c->end);
	while (c->next < c->end) {
		if (c->at_line_start && decode_passes_header_again(c))
			continue;
		if (c->at_line_start && line_is_comment(c->rules, c->next, c->end))
			break;
		const char *newline = memchr(c->next, '\n', (size_t)(c->end - c->next));
		const char *end = newline == NULL ? c->end : newline + 1;
		if (!read_run(c, k, end))
			return false;
		c->at_line_start = c->next == end && newline != NULL;
		if (c->next < end)
			break;
	}
	return true;
}

/* Appends a token that is a plain number of a type with one scale. before: the bytes before it that can be read. */
static inline bool put_plain(const struct decoder *c, struct column *k, const char *token, size_t size,
			     ptrdiff_t before)
{
	const struct type *t = k->reading.type;
	const char *stop;
	union value value;
	if (size == 0 || decode_is_at_limit(c, k))
		return false;
	if ((before < NUMBER_TOKEN_BEFORE || !number_scan_token(token, size, t, &value)) &&
	    (!number_scan(token, token + size, t, &value, &stop) || stop != token + size))
		return false;
	if (t->size == sizeof value.u64)
		memcpy(decode_next_element(k), &value, sizeof value.u64);
	else
		memcpy(decode_next_element(k), &value, t->size);
	k->count++;
	return true;
}

/* Appends a token that is a plain number. */
static inline __attribute__((always_inline)) bool add_plain(struct decoder *c, struct column *k, const char *token,
							    size_t size)
{
	const ptrdiff_t before = token - c->begin;
	if (k->reading.own_scale)
		return before >= NUMBER_TOKEN_BEFORE && decode_put_plain_own(c, k, token, size);
	return put_plain(c, k, token, size, before);
}

/* Notes that the column's last element was written as a token of the rules' notation. */
static void note_written(const struct decoder *c, struct column *k, const char *token, size_t size,
			 enum place_kind kind)
{
	if (decode_accepts_times(c))
		decode_note_kind(c, k, kind);
	if (decode_accepts_durations(c))
		decode_note_duration(c, k,
				     decode_is_json_number(c) ||
					     !notation_is_duration(&c->rules->tokens.notation, token, size));
}

/* decode_add_written for a token that is not one of the commonest. (Apart from these, as it needs more registers.) */
static __attribute__((noinline)) bool add_uncommon(struct decoder *c, struct column *k, const char *token, size_t size)
{
	char *number = c->rewritten + NUMBER_TOKEN_BEFORE;
	enum place_kind kind = PLACE_NUMBER;
	bool is_time;
	if (decode_is_json_number(c)) {
		if (!decode_kind_fits(k, kind) || !add_plain(c, k, token, size))
			return false;
		note_written(c, k, token, size, kind);
		return true;
	}
	if (size > REWRITTEN_MAX)
		return false;
	const size_t number_size = notation_read(&c->rules->tokens.notation, token, size, number, &is_time);
	if (decode_accepts_times(c)) {
		kind = place_kind_of_number(is_time, token, size);
		if (!decode_kind_fits(k, kind))
			return false;
	}
	if (!(k->reading.own_scale ? decode_put_plain_own(c, k, number, number_size)
				   : put_plain(c, k, number, number_size, NUMBER_TOKEN_BEFORE)))
		return false;
	note_written(c, k, token, size, kind);
	return true;
}

bool decode_add_written(struct decoder *c, struct column *k, const char *token, size_t size)
{
	const struct notation *notation = &c->rules->tokens.notation;
	const struct element_format *r = &k->reading;
	union value value;
	unsigned scale;
	int64_t mantissa;
	if (decode_is_at_limit(c, k) || size == 0)
		return false;
	if (token - c->begin < NUMBER_TOKEN_BEFORE || decode_is_json_number(c))
		return add_uncommon(c, k, token, size);
	if (!r->own_scale) {
		if (!notation_scan_token(notation, token, size, r->type, &value))
			return add_uncommon(c, k, token, size);
		memcpy(decode_next_element(k), &value, r->type->size);
		k->count++;
	} else {
		if (k->scales->size == k->scales->capacity ||
		    !notation_scan_own(notation, token, size, &scale, &mantissa))
			return add_uncommon(c, k, token, size);
		decode_put_own(k, scale, mantissa);
	}
	if (decode_accepts_durations(c))
		note_written(c, k, token, size, PLACE_NUMBER);
	return true;
}

/* Whether a token that is not empty may be a number. */
static bool may_be_number(const struct text_rules *rules, const char *token)
{
	return rules->tokens.notation.given || strchr("0123456789+-.iInN", *token) != NULL;
}

bool decode_add_plain_text(struct decoder *c, struct column *k, const char *token, size_t size)
{
	const struct text_rules *rules = c->rules;
	if (size == 0 || decode_is_at_limit(c, k) || k->reading.text_kind == TEXT_NUMBERS ||
	    (k->reading.text_kind == TEXT_WORDS && may_be_number(rules, token)) || rules->cut == CUT_JSON ||
	    rules->cut == CUT_LOGFMT || (rules->cut == CUT_CSV && memchr(token, '"', size) != NULL) ||
	    decode_missing_rule(c, k, token, size) != NULL)
		return false;
	if (grouper_add_input(k->texts, rules->hash_key, token, size, c->target->key_bytes) != STATUS_OK)
		return decode_out_of_memory(c);
	decode_put_text(k);
	return true;
}

bool decode_add_plain(struct decoder *c, struct column *k, const char *token, size_t size)
{
	if (c->rules->tokens.marks_have_digits && marks_have(c->rules->tokens.marks, token, size))
		return false;
	if (k->reading.is_text)
		return decode_add_plain_text(c, k, token, size);
	return c->rules->tokens.notation.given ? decode_add_written(c, k, token, size) : add_plain(c, k, token, size);
}

size_t decode_read_plain_fields(struct decoder *c)
{
	const size_t count = c->rules->field_count;
	struct short_line s;
	size_t i = 0;
	if (!c->chosen.are_simple || c->faults.is_unlike || !line_look(&c->line, &s))
		return 0;
	for (; i < count; i++) {
		const char *token = NULL;
		const size_t size = line_pass_to(&s, c->chosen.numbers[i], &token);
		if (!decode_add_plain(c, &c->target->columns[i], token, size))
			break;
		c->chosen.outcomes[i] = TAKEN_ELEMENT;
	}
	return i;
}
