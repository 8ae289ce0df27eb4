/* The state of decode_text, and what a token means (decode_token.c). Internal to decode*.c. Functions
 * that return false have ended decoding: the result or the status says why. */
#ifndef PSCAN_TEXT_DECODE_STATE_H
#define PSCAN_TEXT_DECODE_STATE_H

#include <stdbool.h>
#include <string.h>

#include "number/decimal.h"
#include "number/scan_text.h"
#include "text/decode.h"

/* The fields of the current line that are chosen, where lines are cut into fields. The arrays are owned. */
struct decoder_fields {
	const uint64_t *numbers; /* of the fields: the target's, or own_numbers */
	uint64_t *own_numbers; /* where some are counted from the line's end: rules->total_count of them */
	struct field *fields; /* rules->field_count of them */
	enum field_outcome *outcomes; /* what became of each of the fields */
	size_t *order; /* the indices of the fields in the order of their numbers */
	/* Blanks separate the fields, each has one column of plain numbers, they come in this order, and what became of
	 * them is not asked for. */
	bool are_simple;
	size_t index; /* of the current field */
	struct field *found; /* where the lines name their fields: all that are looked for */
};

/* What the current line lacks. */
struct decoder_faults {
	bool is_unlike; /* it is not of its format, or has not the decoder's shape: it has no number */
	size_t lacking; /* fields that it lacks at its end, where it has the shape */
	struct line_fault fault; /* why it is unlike, where lines name their fields */
	bool lacks_number; /* the current field's element is absent: of several numbers an earlier one is */
	bool is_held; /* the current field's element is held (struct held), for the same reason */
	bool is_invalid; /* one of its tokens is neither a number nor a mark */
};

struct decoder {
	const struct text_rules *rules;
	const struct decode_target *target;
	bool by_records; /* several fields hold numbers: the limit counts records, and what is absent is noted */
	const char *begin, *end;
	const char *next; /* after the current token, or line */
	const char *record; /* where the current token's record begins: there decoding can begin again */
	struct line line; /* the current one, where lines are cut into fields */
	struct decoder_fields chosen;
	struct decoder_faults faults;
	bool takes_lines; /* decode_may_take_lines */
	const struct names_shape *shape; /* of the lines, or NULL */
	uint64_t header_left; /* header lines that are still to come */
	bool at_line_start; /* next is one, and lines may pass */
	struct editor editor;
	const char *counted; /* newlines are the lines' ends before this place */
	uint64_t newlines;
	struct decoded *result;
	enum status status;
};

/* Takes back the column's last element. */
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

/* Brings a narrow column's elements and *mantissa, the next one, to one scale. False: they do not fit, and the column
 * is not narrow any more. */
bool decode_bring_together(struct column *k, unsigned scale, int64_t *mantissa);
/* The column is not narrow any more: each element is at its own scale, in 128 bits. */
void decode_widen(struct column *k);

/* A decimal at its own scale, of a column that has these, and in whose scales there is room. */
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

/* Whether no record may follow; with several fields that was seen before. */
static inline bool decode_is_at_limit(const struct decoder *c, const struct column *k)
{
	return !c->by_records && k->count == c->target->limit;
}

/* decode_take_plain of a number that is read at its own scale and is no mark. */
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

/* Whether numbers can be read on the fast road, which is for what fits 64 bits and forgets how it was written. */
bool decode_is_fast(const struct column *k);
/* Takes a token of a field of one column if it is a plain number. */
bool decode_take_plain(struct decoder *c, struct column *k, const char *token, size_t size);
/* Takes tokens of all lines that are no comments, up to one that is no plain number. */
bool decode_take_plain_tokens(struct decoder *c);
/* Takes the plain numbers of the current line up to a field that is none, if it is a short one with simple fields.
 * Returns that field's index. */
size_t decode_take_plain_fields(struct decoder *c);

/* Whether decode_take_plain_lines may take any of the lines. */
bool decode_may_take_lines(const struct decoder *c);
/* Takes lines up to one that is not as most are. */
bool decode_take_plain_lines(struct decoder *c);

/* Lines before a place, which is no earlier than the last one asked for. */
uint64_t decode_lines_before(struct decoder *c, const char *place);
bool decode_out_of_memory(struct decoder *c);
/* What stands for a result, or between results, of the next record. */
bool decode_add_mark(struct decoder *c, const char *text, size_t size, enum mark_kind kind);
bool decode_halt(struct decoder *c, enum decode_stop stop, const char *token, size_t size);
/* The number of the current field, for messages. */
uint64_t decode_field_number(const struct decoder *c);
/* Stops with a problem at the current token. */
bool decode_fail(struct decoder *c, const char *what, const char *token, size_t size, const char *hint);
/* Where in the current line a place is, in characters from 1. */
uint64_t decode_column(const struct decoder *c, const char *at);
/* A value with escapes becomes what it says, if that is a number or a mark. (There it stays until the next bytes are
 * decoded.) */
bool decode_unescape(struct decoder *c, const char **token, size_t *size);
/* Stops with a problem of the current line, which is not what it should be. fault: NULL, or where and why. */
bool decode_fail_line(struct decoder *c, const char *what, const struct line_fault *fault, const char *hint);
/* Whether the current line has as many fields as those that go by their names need; notes how many it lacks at its
 * end. */
bool decode_lines_up(struct decoder *c);
/* Stops with a problem of the current line, which does not line up with the header. */
bool decode_fail_shape(struct decoder *c);
/* Why it does not. */
struct decode_misfit decode_misfit(const struct decoder *c);
/* Whether the only record of a file has no newline, but carriage returns within: decoding fails. */
bool decode_ends_in_returns(struct decoder *c);
/* Whether a line is the last one of the header again. */
static inline bool decode_is_header_again(const struct decoder *c, const struct line *line)
{
	const struct header_table *table = c->target->table;
	return table != NULL && line_is_text(line, table->last_line, table->last_size);
}
/* Passes over such a line if one is next. */
bool decode_passes_header_again(struct decoder *c);
/* Whether the current token is in one of the first lines of its file. */
bool decode_is_in_first(struct decoder *c, uint64_t lines);
/* The line ends before a field; hint: NULL: what may mend that. */
bool decode_fail_absent(struct decoder *c, uint64_t number, const char *hint);
/* Notes the current line's key, and what its resets go by. */
bool decode_add_keys(struct decoder *c);
/* What a token is that stands for no number; NULL: it is a number, or no mark of any kind. k is the first column of
 * its field. */
const struct missing_rule *decode_missing_rule(const struct decoder *c, const struct column *k, const char *token,
					       size_t size);
/* The column after those of the same field as k. */
struct column *decode_columns_end(const struct decoder *c, struct column *k);
/* Takes one token as what it is: an element of each of its field's columns, of which k is the first. *outcome is what
 * became of it. */
bool decode_take_token(struct decoder *c, struct column *k, const char *token, size_t size,
		       enum field_outcome *outcome);

#endif
