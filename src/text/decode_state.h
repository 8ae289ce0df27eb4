/* The state of decode_text, and the meaning of tokens (decode_token.c). Internal to decode*.c. A function that returns
 * false has ended decoding: the result or the status has the reason. */
#ifndef PSCAN_TEXT_DECODE_STATE_H
#define PSCAN_TEXT_DECODE_STATE_H

#include <stdbool.h>
#include <string.h>

#include "number/decimal.h"
#include "number/scan_text.h"
#include "text/decode.h"

/* The chosen fields of the current line, if lines are cut into fields. The arrays are owned. */
struct decoder_fields {
	const uint64_t *numbers; /* of the fields: the target's, or own_numbers */
	uint64_t *own_numbers; /* rules->total_count numbers, if some are counted from the line's end; else NULL */
	struct field *fields; /* rules->field_count of them */
	enum field_outcome *outcomes; /* the outcome of each of the fields */
	size_t *order; /* the indices of the fields in the order of their numbers */
	/* Blanks separate the fields, each field has one column of plain numbers, they come in this order, and their
	 * outcomes are not needed. */
	bool are_simple;
	size_t index; /* of the current field */
	struct field *found; /* if lines name their fields: all fields that are looked for */
};

/* What the current line lacks. */
struct decoder_faults {
	bool is_unlike; /* it is not in its format, or does not have the decoder's shape: it has no number */
	size_t lacking; /* how many fields are missing at its end, if it has the shape */
	struct line_fault fault; /* the reason for is_unlike, if lines name their fields */
	bool lacks_number; /* the current field's element is absent, because an earlier one of its numbers is */
	bool is_held; /* the current field's element is held (struct held), because an earlier one of its numbers is */
	bool is_invalid; /* one of its tokens is neither a number nor a mark */
};

struct decoder {
	const struct text_rules *rules;
	const struct decode_target *target;
	bool by_records; /* several fields hold numbers: the limit counts records, and absent elements are noted */
	const char *begin, *end;
	const char *next; /* after the current token, or line */
	const char *record; /* where the current token's record begins; decoding can begin again there */
	struct line line; /* the current line, if lines are cut into fields */
	struct decoder_fields chosen;
	struct decoder_faults faults;
	bool takes_lines; /* decode_may_take_lines */
	const struct names_shape *shape; /* of the lines, or NULL */
	uint64_t header_left; /* how many header lines are still to come */
	bool at_line_start; /* a line begins at `next`, and lines may be passed over */
	struct editor editor;
	const char *counted; /* `newlines` is counted up to this place */
	uint64_t newlines;
	struct decoded *result;
	enum status status;
};

/* Removes the column's last element. */
static inline void decode_drop_element(struct column *k)
{
	k->count--;
	if (k->reading.own_scale)
		k->scales->size--;
	const size_t helds = k->helds != NULL ? k->helds->size / sizeof(struct held) : 0;
	if (helds > 0 && ((const struct held *)(const void *)k->helds->data)[helds - 1].element == k->count)
		k->helds->size -= sizeof(struct held);
}

static inline void *decode_next_element(const struct column *k)
{
	return k->elements + k->count * k->step;
}

/* Brings a narrow column's elements and *mantissa, the next element, to one scale. False: they do not fit, and the
 * column is no longer narrow. */
bool decode_bring_together(struct column *k, unsigned scale, int64_t *mantissa);
/* Makes a narrow column wide: each element has its own scale, in 128 bits. */
void decode_widen(struct column *k);

/* Appends a decimal at its own scale to a column of such decimals. There must be room for its scale. */
static inline void decode_put_own(struct column *k, unsigned scale, int64_t mantissa)
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

/* Whether the limit is reached. With several fields this was checked before. */
static inline bool decode_is_at_limit(const struct decoder *c, const struct column *k)
{
	return !c->by_records && k->count == c->target->limit;
}

/* decode_take_plain for a number that is read at its own scale and is not a mark. */
static inline bool decode_take_plain_own(const struct decoder *c, struct column *k, const char *token, size_t size)
{
	unsigned scale;
	int64_t mantissa;
	if (size == 0 || decode_is_at_limit(c, k) || token - c->begin < NUMBER_TOKEN_BEFORE ||
	    k->scales->size == k->scales->capacity || !decimal_scan_own(token, size, &scale, &mantissa))
		return false;
	decode_put_own(k, scale, mantissa);
	return true;
}

static inline bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Whether numbers can be read on the fast path, which takes numbers that fit 64 bits and does not keep their own
 * scale. */
bool decode_is_fast(const struct column *k);
/* Takes a token of a field of one column if it is a plain number. */
bool decode_take_plain(struct decoder *c, struct column *k, const char *token, size_t size);
/* Takes tokens of all lines except comments, up to a token that is not a plain number. */
bool decode_take_plain_tokens(struct decoder *c);
/* Takes the plain numbers of the current line, if it is short and its fields are simple. Returns the index of the first
 * field that is not a plain number. */
size_t decode_take_plain_fields(struct decoder *c);

/* Whether decode_take_plain_lines may take any of the lines. */
bool decode_may_take_lines(const struct decoder *c);
/* Takes plain lines, up to one that is not. */
bool decode_take_plain_lines(struct decoder *c);

/* The number of lines before a place. Places must not go backwards from call to call. */
uint64_t decode_lines_before(struct decoder *c, const char *place);
bool decode_out_of_memory(struct decoder *c);
/* Adds a text that is written in place of a result of the next record, or between results. */
bool decode_add_mark(struct decoder *c, const char *text, size_t size, enum mark_kind kind);
bool decode_halt(struct decoder *c, enum decode_stop stop, const char *token, size_t size);
/* The number of the current field, from 1, for messages. */
uint64_t decode_field_number(const struct decoder *c);
/* Stops with a problem at the current token. */
bool decode_fail(struct decoder *c, const char *what, const char *token, size_t size, const char *hint);
/* The column of a place in the current line, in characters from 1. */
uint64_t decode_column(const struct decoder *c, const char *at);
/* Replaces a value with escapes by its meaning, if that is a number or a mark. It stays valid until the next bytes are
 * decoded. */
bool decode_unescape(struct decoder *c, const char **token, size_t *size);
/* Stops with a problem of the current line, which is not in its format. fault: where and why, or NULL. */
bool decode_fail_line(struct decoder *c, const char *what, const struct line_fault *fault, const char *hint);
/* Whether the current line has as many fields as names need. Notes how many are missing at its end. */
bool decode_lines_up(struct decoder *c);
/* Stops with a problem of the current line, which does not line up with the header. */
bool decode_fail_shape(struct decoder *c);
/* Describes how it does not line up. */
struct decode_misfit decode_misfit(const struct decoder *c);
/* Whether the only record of a file has no newline, but carriage returns within: decoding fails. */
bool decode_ends_in_returns(struct decoder *c);
/* Whether a line repeats the last line of the header. */
static inline bool decode_is_header_again(const struct decoder *c, const struct line *line)
{
	const struct header_table *table = c->target->table;
	return table != NULL && line_is_text(line, table->last_line, table->last_size);
}
/* Passes over a repeated header line if one is next. */
bool decode_passes_header_again(struct decoder *c);
/* Whether the current token is in one of the first lines of its file. */
bool decode_is_in_first(struct decoder *c, uint64_t lines);
/* Stops with a problem: the line ends before field `number`. hint: the end of the message; NULL: the likeliest
 * remedy. */
bool decode_fail_absent(struct decoder *c, uint64_t number, const char *hint);
/* Notes the current line's key and its fields of resets. */
bool decode_add_keys(struct decoder *c);
/* The rule for a token that stands for a missing number or a NaN. NULL: it is a number, or an invalid token. k is the
 * first column of its field. */
const struct missing_rule *decode_missing_rule(const struct decoder *c, const struct column *k, const char *token,
					       size_t size);
/* The column after all columns of k's field. */
struct column *decode_columns_end(const struct decoder *c, struct column *k);
/* Takes one token: an element for each of its field's columns, of which k is the first. *outcome is the outcome. */
bool decode_take_token(struct decoder *c, struct column *k, const char *token, size_t size,
		       enum field_outcome *outcome);

#endif
