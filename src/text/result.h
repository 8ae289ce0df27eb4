/* Results of lanes, and their texts. */
#ifndef PSCAN_TEXT_RESULT_H
#define PSCAN_TEXT_RESULT_H

#include <stdbool.h>
#include <stddef.h>

#include "number/decimal.h"
#include "number/write.h"
#include "text/grouper.h"
#include "text/rules.h"

/* The type of a result. */
struct result_format {
	const struct type *type;
	bool decimal; /* The value is a mantissa with `scale` digits after the point. */
	unsigned scale;
	bool is_duration; /* The value is in seconds, and is written as a duration. */
};

/* A result with its format. */
struct result {
	struct result_format format;
	bool absent; /* There is no value. */
	union value value;
	const char *text; /* A text that is the result in place of `value`. NULL: it is a number. Borrowed. */
	size_t text_size; /* Bytes of `text`. */
};

/* The form of a single result: for an exact decimal its scale, plus RESULT_FORM_WIDE if the mantissa has 128 bits; or
 * one of the values from RESULT_FORM_LANE on. */
enum result_form {
	RESULT_FORM_SCALE = 31, /* The mask of the scale. */
	RESULT_FORM_WIDE = 32, /* The mantissa is an i128, otherwise an i64. */
	RESULT_FORM_LANE = 64, /* The result has the lane's format. */
	RESULT_FORM_FLOAT, /* The result is an f64. */
	RESULT_FORM_ABSENT, /* The result is absent. */
	RESULT_FORM_MARK, /* The result is absent, and its mark is written even if the scan is exclusive. */
};

/* The results of one lane. Everything is borrowed. */
struct lane_results {
	struct result_format format;
	const void *results; /* The results: each in format.type, or in the type of its form. */
	size_t step; /* The bytes from one result to the next. */
	size_t count; /* The number of results: one for each element. */
	size_t absent; /* The number of results at the beginning that are absent. */
	size_t durations; /* The number of results at the beginning that are written as durations. */
	const unsigned char *forms; /* Each result's form (enum result_form). NULL: all have `format`. */
	const struct held *in_place; /* The missing elements that have results, in the order of elements. */
	size_t in_place_count;
	bool is_exclusive; /* A result is of the elements before its own. */
	/* If the results are texts: these texts, of which each result is an index (u64). NULL: results are numbers. */
	const struct grouper *texts;
	const struct bytes *text_bytes; /* The copied bytes of `texts`. */
};

struct held;
/* Returns the entry of in_place for element i if its text is written when its result is absent, otherwise NULL. *next:
 * 0, or what a call for an earlier element has left. It becomes the index of the first entry that is not before element
 * i. */
const struct held *result_mark(const struct lane_results *lane, size_t i, size_t *next);

/* Whether the lane's result for element i is absent. */
static inline bool result_is_absent(const struct lane_results *lane, size_t i)
{
	return i < lane->absent || (lane->forms != NULL && lane->forms[i] >= RESULT_FORM_ABSENT);
}

/* Returns the result that is written for element i, of a lane whose results are numbers. */
struct result result_of(const struct lane_results *lane, size_t i);
/* Returns the text that is the lane's result for element i, which is not absent. *size becomes its bytes. Borrowed. */
const void *result_text(const struct lane_results *lane, size_t i, size_t *size);
/* Returns how many of the lane's results from `first` on are alike: at least 1 and at most `most`, which is above 0. *f
 * becomes their format. *is_fast becomes whether number_format_lines, decimal_format_lines and the like may write them.
 * It becomes false if they are absent, or need what these functions cannot do, such as a number format or quotes. */
size_t result_alike(const struct record_format *format, const struct lane_results *lane, size_t first, size_t most,
		    struct result_format *f, bool *is_fast);

/* Returns an upper bound on the bytes of a line with one result that is a number, with its label and newline. */
size_t result_size_max(const struct record_format *format);
/* Writes a number in the output's format, with the quotes that it needs. Returns its bytes, fewer than result_size_max.
 * `out` must have room for result_size_max bytes. */
size_t result_put_number(const struct record_format *format, const struct result_format *f, const union value *v,
			 unsigned char *out);

/* Whether a number's text of `size` bytes would be several fields: it contains the delimiter, and cannot be quoted. */
bool result_splits(const struct record_format *format, const void *text, size_t size);
/* What to say of such a text: a format for printf, for the quoted text. */
#define RESULT_SPLITS "a result contains the delimiter: %s (--csv has quotes)"

/* Replaces each point among `size` bytes of results by the output's decimal mark, if there is one. Not for JSON, where
 * nothing changes. */
void result_set_mark(const struct record_format *format, void *numbers, size_t size);

/* The texts of a block of one lane's results, each with a delimiter before it. */
struct result_texts {
	size_t first, count; /* The index of the block's first element, and the number of its elements. */
	size_t held; /* For result_mark. The caller's. */
	struct number_text *texts; /* The place of each text in the pool (RESULT_NONE). Owned by the caller. */
	unsigned char *pool; /* The texts. Owned by the caller. */
};

/* In place of the size of a text: the result is absent and has no text, or it contains the delimiter (may_split). In
 * the second case it is the block's last, and its text ends with a NUL. */
#define RESULT_NONE UINT32_MAX
/* Sets *made to the texts of the next results from element `first` on: at least one and at most `block`, all with one
 * format. The lane must have a result `first`. made->texts must have room for `block` entries, made->pool for
 * `block` * result_size_max + NUMBER_TEXT_MAX bytes. */
void result_make_texts(const struct record_format *format, const struct lane_results *lane, size_t first, size_t block,
		       struct result_texts *made);

#endif
