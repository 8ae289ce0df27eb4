/* The state of decode_text. Internal to decode*.c.
 *
 * Functions that are said to end decoding return false after setting the outcome: c->result->stop with its reason, or
 * c->status after a message. They return true if decoding goes on. */
#ifndef PSCAN_TEXT_DECODE_PRIVATE_H
#define PSCAN_TEXT_DECODE_PRIVATE_H

#include <stdbool.h>
#include <string.h>

#include "number/decimal.h"
#include "number/iso_time.h"
#include "number/read_text.h"
#include "text/decode.h"
#include "text/json.h"
#include "text/record.h"

/* The chosen fields of the current line, if lines are cut into fields. All arrays but `numbers` lie in
 * target->scratch. */
struct decoder_fields {
	const uint64_t *numbers; /* Each chosen field's number: the target's `fields`, or own_numbers. */
	uint64_t *own_numbers; /* rules->total_count numbers if some are counted from the line's end, otherwise NULL. */
	struct field *fields; /* rules->field_count fields. */
	enum field_outcome *outcomes; /* The outcome of each field. */
	size_t *order; /* The indices of the fields in the order of their numbers. */
	/* Blanks separate the fields, each field has one column, the fields are in the order of their numbers, their
	 * places in the line are not needed, and no elements are left out. */
	bool are_simple;
	size_t index; /* The index of the current field. */
	struct field *found; /* If lines name their fields: all fields of rules->members. Otherwise NULL. */
	struct json_names names; /* JSON: those of the line before. */
};

/* What is wrong with the current line. */
struct decoder_faults {
	bool is_unlike; /* The line is not in its format, or does not have the shape. It then has no number. */
	size_t lacking; /* The number of fields missing at the line's end, if the line has the shape. */
	struct line_fault fault; /* The reason for is_unlike, unless the decoder has a shape. */
	bool lacks_number; /* An earlier number of the current element is absent, so the element is. */
	bool is_held; /* An earlier number of the current element is held (struct held), so the element is. */
	bool is_invalid; /* A token of the line is neither a number nor a mark. */
};

/* Bytes of the longest token that is rewritten in decoder.rewritten. A longer one is rewritten in memory of its own. */
#define REWRITTEN_MAX 64

/* Bytes of the longest plain line, with its newline. */
#define FAR_MAX 256

struct decoder {
	const struct text_rules *rules;
	const struct decode_target *target;
	bool counts_records; /* What decode_counts_records has returned. */
	const char *begin, *end; /* The bytes to decode. */
	const char *next; /* The place after the current token or line. */
	const char *record; /* The place where the current record begins. Decoding can begin again there. */
	struct line line; /* The current line, if lines are cut into fields. */
	struct decoder_fields chosen;
	struct decoder_faults faults;
	bool reads_lines; /* What decode_may_read_lines has returned. */
	const struct names_shape *shape; /* The shape that lines must have. NULL: any. */
	uint64_t header_left; /* Header lines that were not decoded yet. */
	bool at_line_start; /* A line begins at `next`, and may be a comment or a repeated header. */
	struct odd_bytes odd; /* Which lines may repeat the header, or have a byte order mark. */
	struct iso_time iso; /* The last date that was read. */
	/* Of a long plain line: bit i of word n is set if byte 64 n + i is a delimiter outside quotes. */
	uint64_t far[FAR_MAX / SHORT_LINE_MAX];
	struct editor editor;
	size_t left_out; /* How many of the target's `left_out` are done. */
	const char *counted; /* `newlines` counts the newlines before this place. */
	uint64_t newlines;
	struct decoded *result;
	enum status status;
	/* Memory for a number that notation_read makes. decode_token.c writes it from byte 0 on, decode_plain.c from
	 * byte NUMBER_TOKEN_BEFORE on. */
	char rewritten[NUMBER_TOKEN_BEFORE + REWRITTEN_MAX + NOTATION_GROWTH + NUMBER_TOKEN_AFTER];
};

/* Removes the column's last element, of which there is at least one. Its text stays in k->texts, and kind and
 * plain_record stay as they are. */
static inline void decode_drop_element(struct column *k)
{
	k->count--;
	k->durations = k->durations < k->count ? k->durations : k->count;
	if (k->reading.own_scale)
		k->scales->size--;
	const size_t helds = k->helds->size / sizeof(struct held);
	if (helds > 0 && ((const struct held *)(const void *)k->helds->data)[helds - 1].element == k->count)
		k->helds->size -= sizeof(struct held);
}

/* Returns the place of the column's next element. */
static inline void *decode_next_element(const struct column *k)
{
	return k->elements + k->count * k->step;
}

/* Brings a narrow column's elements, and *mantissa (the next element, at `scale`, which is not k->scale), to one scale.
 * Returns false if they do not fit; *mantissa is then unchanged, and the column no longer narrow (decode_widen). */
bool decode_bring_together(struct column *k, unsigned scale, int64_t *mantissa);
/* Makes a narrow column wide: each element is then at its own scale, in 128 bits. Does nothing if it is wide. */
void decode_widen(struct column *k);

/* Appends a decimal at its own scale to a column of such decimals. k->scales must have room for one byte more. */
static inline __attribute__((always_inline)) void decode_put_own(struct column *k, unsigned scale, int64_t mantissa)
{
	if (k->is_narrow && (scale == k->scale || decode_bring_together(k, scale, &mantissa))) {
		memcpy(decode_next_element(k), &mantissa, sizeof mantissa);
	} else {
		const union value value = decimal_wide(mantissa);
		memcpy(decode_next_element(k), &value, sizeof value.i128);
	}
	k->scales->data[k->scales->size++] = (unsigned char)scale;
	k->count++;
}

/* Whether the next element is one that is left out, for one field of numbers. */
bool decode_next_is_left_out(const struct decoder *c, const struct column *k);

/* Whether the limit of elements is reached, for one field of numbers. False if c->counts_records: decode_text then
 * checks the limit of records. */
static inline bool decode_is_at_limit(const struct decoder *c, const struct column *k)
{
	return !c->counts_records && k->count == c->target->limit && !decode_next_is_left_out(c, k);
}

/* Appends a token to a column of decimals at their own scales. Returns false and changes nothing if the limit is
 * reached, if there is no room, or if the token is not a plain decimal. The caller must know that it is no mark, and
 * that NUMBER_TOKEN_BEFORE bytes before it can be read. */
static inline __attribute__((always_inline)) bool decode_put_plain_own(const struct decoder *c, struct column *k,
								       const char *token, size_t size)
{
	unsigned scale;
	int64_t mantissa;
	if (size == 0 || decode_is_at_limit(c, k) || k->scales->size == k->scales->capacity ||
	    !decimal_scan_own(token, size, &scale, &mantissa))
		return false;
	decode_put_own(k, scale, mantissa);
	return true;
}

/* Whether results may depend on which tokens are durations. */
static inline bool decode_accepts_durations(const struct decoder *c)
{
	return (c->rules->tokens.notation.accept & ACCEPT_DURATION) != 0;
}

/* Notes what the column's last element is. is_plain: a number that is not a duration. False: a duration, or an element
 * that counts as neither. Call it only if durations are accepted. */
static inline void decode_note_duration(const struct decoder *c, struct column *k, bool is_plain)
{
	if (!is_plain && k->durations + 1 == k->count)
		k->durations = k->count;
	if (is_plain && k->plain_record == SIZE_MAX)
		k->plain_record = c->counts_records ? c->result->records : k->count - 1;
}

/* Whether elements may be times, whose kind the first one decides. */
static inline bool decode_accepts_times(const struct decoder *c)
{
	return (c->rules->tokens.notation.accept & ACCEPT_TIME) != 0;
}

/* Notes the kind of the column's last element, and its record, as the column's kind. Changes nothing if the column has
 * a kind already, or if `kind` is PLACE_NONE. */
static inline void decode_note_kind(const struct decoder *c, struct column *k, enum place_kind kind)
{
	if (k->kind != PLACE_NONE || kind == PLACE_NONE)
		return;
	k->kind = kind;
	k->kind_record = c->counts_records ? c->result->records : k->count - 1;
}

/* Whether an element of a kind fits the elements that the column has. */
static inline bool decode_kind_fits(const struct column *k, enum place_kind kind)
{
	return kind == PLACE_NONE || k->kind == PLACE_NONE || kind == k->kind;
}

/* Ends decoding with the problem that a token is of another kind than the elements of its column. Always false. */
bool decode_fail_kind(struct decoder *c, const struct column *k, enum place_kind kind, const char *token, size_t size);
/* Appends a token in the rules' notation to the column k of its field. The field must have only this column, of
 * numbers. The caller must know that the token is no mark. Returns false and adds nothing if the limit is reached, if
 * the token is not a number or not of the column's kind, or if it is left to decode_add_token, as most tokens of more
 * than REWRITTEN_MAX bytes are. Never sets the decoder's status. */
bool decode_add_written(struct decoder *c, struct column *k, const char *token, size_t size);

/* Whether a token is in the text, and NUMBER_TOKEN_BEFORE bytes before it are. Others are an option's value, or copies
 * without escapes: what is around them may not be readable. */
static inline bool decode_has_room(const struct decoder *c, const char *token)
{
	const uintptr_t at = (uintptr_t)token - (uintptr_t)c->begin;
	return at >= NUMBER_TOKEN_BEFORE && at < (uintptr_t)(c->end - c->begin);
}

/* Whether the current token is a number of JSON, which no notation changes. (A string is not.) */
static inline bool decode_is_json_number(const struct decoder *c)
{
	return c->rules->cut == CUT_JSON && !c->chosen.fields[c->chosen.index].quoted;
}

/* decode_add_plain for a column of decimals at their own scales. The caller must know that the token is no mark. */
static inline __attribute__((always_inline)) bool decode_add_plain_own(struct decoder *c, struct column *k,
								       const char *token, size_t size)
{
	if (c->rules->tokens.notation.given)
		return decode_add_written(c, k, token, size);
	return token - c->begin >= NUMBER_TOKEN_BEFORE && decode_put_plain_own(c, k, token, size);
}

static inline bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Appends a token to the column k of its field, which has only this column. Returns false and adds nothing if the token
 * is left to decode_add_token, as it is not a plain number (in a column of texts: not a plain text), if the limit is
 * reached, or if memory is missing. Only missing memory sets the decoder's status. */
bool decode_add_plain(struct decoder *c, struct column *k, const char *token, size_t size);
/* For text without fields: appends tokens to the only column and moves c->next on, up to a comment, to a token that is
 * not a plain number, or to the limit. Returns true also if it has taken nothing, as where the rules do not allow for
 * this fast way. Ends decoding if memory is missing (false). */
bool decode_read_plain_tokens(struct decoder *c);
/* Appends the plain numbers of the current line's fields, from the first field on, and sets their outcomes, if the line
 * is short and c->chosen.are_simple. Returns the index of the first field that was not taken; rules->field_count if all
 * were. */
size_t decode_read_plain_fields(struct decoder *c);

/* Whether the rules and columns are such that decode_read_plain_lines can take lines. The caller stores the answer in
 * c->reads_lines; if that is false, no lines are taken. */
bool decode_may_read_lines(const struct decoder *c);
/* Takes plain lines and moves c->next on, up to a line that is not plain, or to the limit. Ends decoding if memory is
 * missing (false). */
bool decode_read_plain_lines(struct decoder *c);

/* Returns the number of newlines before a place of the bytes. The place must not be before that of an earlier call. */
uint64_t decode_lines_before(struct decoder *c, const char *place);
/* Ends decoding for missing memory, for which a message was printed. Always false. */
bool decode_out_of_memory(struct decoder *c);
/* Appends a mark (struct mark) before the next record. Ends decoding if memory is missing (false). */
bool decode_add_mark(struct decoder *c, const char *text, size_t size);
/* Ends decoding with `stop` at a token. Always false. */
bool decode_halt(struct decoder *c, enum decode_stop stop, const char *token, size_t size);
/* Returns the number of the current field, from 1, for messages. 0: tokens are not fields, or the line lacks the field,
 * which is counted from its end. */
uint64_t decode_field_number(const struct decoder *c);
/* Ends decoding with a problem at the current token. what: what is wrong; hint: the message's end. Always false. */
bool decode_fail(struct decoder *c, const char *what, const char *token, size_t size, const char *hint);
/* Returns the column of a place in the current line, in characters from 1. */
uint64_t decode_column(const struct decoder *c, const char *at);
/* Sets *missing to the rule for the current field's token (decode_missing_rule), with escapes read. If the token has
 * escapes and its unescaped value is a number or missing, sets *token and *size to that value. The value lies in the
 * free memory of target->key_bytes and is valid until something is appended there. Ends decoding if memory is missing
 * (false). */
bool decode_find_missing(struct decoder *c, const struct column *k, const char **token, size_t *size,
			 const struct missing_rule **missing);
/* Ends decoding with a problem of the current line, which is not in its format. what: what is wrong. fault: only its
 * place is used. NULL: the place is not known. hint: the message's end. Always false. */
bool decode_fail_line(struct decoder *c, const char *what, const struct line_fault *fault, const char *hint);
/* If the field after one of the current line's numbers is that number's unit (checks.units): ends decoding with that
 * problem and returns true. (Here true means the end.) Otherwise returns false, and decoding goes on. */
bool decode_fails_at_unit(struct decoder *c);
/* Whether the current line has the decoder's shape (struct names_shape). Sets c->faults.lacking. Does not end
 * decoding. */
bool decode_lines_up(struct decoder *c);
/* Ends decoding with a problem of the current line, which does not have the decoder's shape. Always false. */
bool decode_fail_shape(struct decoder *c);
/* Returns why the current line does not have the decoder's shape. */
struct decode_misfit decode_misfit(const struct decoder *c);
/* If the bytes begin a file whose only line after the header has no newline, but carriage returns within it: ends
 * decoding with that problem, with no bytes consumed, and returns true. (Here true means the end.) Otherwise returns
 * false, and decoding goes on. Returns false also for JSON, for a comment, and if the line has an open quote. */
bool decode_ends_in_returns(struct decoder *c);
/* Whether a line repeats the last line of the header. */
static inline bool decode_is_header_again(const struct decoder *c, const struct line *line)
{
	const struct header_table *table = c->target->table;
	return record_may_be_odd(&c->odd, line) && table != NULL &&
	       record_repeats(c->rules, line, table->last_line, table->last_size);
}
/* Whether a byte order mark begins a line. */
static inline bool decode_has_mark(const struct decoder *c, const struct line *line)
{
	return record_may_be_odd(&c->odd, line) &&
	       record_byte_order_mark(line->start, (size_t)(line->end - line->start)) > 0;
}
/* If the line that begins at c->next repeats the last line of the header, moves c->next past it. Returns whether it
 * did. Never ends decoding. */
bool decode_passes_header_again(struct decoder *c);
/* Whether the current record begins in one of the first `lines` lines of its file. Does not end decoding. */
bool decode_is_in_first(struct decoder *c, uint64_t lines);
/* Ends decoding with the problem that the current line ends before field `number`. hint: the message's end; NULL: the
 * likeliest remedy. Always false. */
bool decode_fail_absent(struct decoder *c, uint64_t number, const char *hint);
/* Appends to the target, of what the plan has: the current line's key, the text of its reset fields, and its times or
 * numbers for --reset-gap and for --window by time. Ends
 * decoding if memory is missing or a field is wrong (false); some of them may then have been appended. */
bool decode_add_keys(struct decoder *c);
/* Appends the current line's time along a picture, or TIME_UNKNOWN. Ends decoding if memory is missing (false). */
bool decode_add_along(struct decoder *c);
/* If the text of a time in its unit is how the time itself begins (2024-05 of 2024-05-01T13:55:36): sets *size to that
 * text's size, 4 or more, and returns true. False, with *size unchanged: the time may still be a good one. */
static inline bool decode_begins_with_unit(struct decoder *c, enum calendar_unit unit, const char *text, size_t *size)
{
	/* (Between date and time there may be a blank. A week is written otherwise than its days.) */
	static const unsigned char sizes[UNIT_COUNT] = {[UNIT_SECOND] = 19, [UNIT_MINUTE] = 16, [UNIT_HOUR] = 13,
							[UNIT_DAY] = 10,    [UNIT_MONTH] = 7,   [UNIT_YEAR] = 4};
	if (unit == UNIT_WEEK || !iso_time_is_good(&c->iso, text, *size) ||
	    (unit < UNIT_DAY && (*size == ISO_DATE_SIZE || text[ISO_DATE_SIZE] != 'T')))
		return false;
	*size = sizes[unit];
	return true;
}
/* Appends what a field says. Of JSON that is a value, and equal strings become equal bytes. STATUS_SYSTEM after a
 * message if memory is missing. */
enum status decode_append_text(const struct text_rules *rules, const struct field *f, struct bytes *out) MUST_CHECK;
/* Appends to a column of texts the number of the text that the table has found last. */
static inline void decode_put_text(struct column *k)
{
	const struct bytes *numbers = &k->texts->of_records;
	uint32_t number;
	memcpy(&number, numbers->data + numbers->size - sizeof number, sizeof number);
	const uint64_t element = number;
	memcpy(decode_next_element(k), &element, sizeof element);
	k->count++;
}
/* Appends a token to a column of texts. Ends decoding at the limit, for a number in a column of words, and if memory is
 * missing (false). */
bool decode_add_text(struct decoder *c, struct column *k, const char *token, size_t size);
/* Appends a token of the input to a column of texts. Returns false and adds nothing if the token is left to
 * decode_add_text (it may be a mark, may have escapes, or may not suit the column's kind of texts), if the limit is
 * reached, or if memory is missing. Only missing memory sets the decoder's status. */
bool decode_add_plain_text(struct decoder *c, struct column *k, const char *token, size_t size);
/* Returns the rule for a token that stands for a missing number, or is a NaN that does not count as a number. NULL: the
 * token is a number, or is invalid. k: the first column of the token's field. */
const struct missing_rule *decode_missing_rule(const struct decoder *c, const struct column *k, const char *token,
					       size_t size);
/* Returns the column after the last column of k's field. */
struct column *decode_columns_end(const struct decoder *c, struct column *k);
/* Takes a token of the current field: appends an element to each column of the field (k is the first one), or does what
 * the rule for the token says. *outcome becomes what was done. Ends decoding at the limit, for an invalid token that is
 * an error, and if memory is missing (false). */
bool decode_add_token(struct decoder *c, struct column *k, const char *token, size_t size, enum field_outcome *outcome);
/* Leaves out the elements of the current record, or token, that target->left_out has. outcomes: those of the record's
 * fields, or of the token; they become TAKEN_SKIPPED for what is left out. Ends decoding if memory is missing
 * (false). */
bool decode_leave_out(struct decoder *c, enum field_outcome *outcomes);

#endif
