/* Results of lanes, and their texts. */
#ifndef PSCAN_TEXT_RESULT_H
#define PSCAN_TEXT_RESULT_H

#include <stdbool.h>
#include <stddef.h>

#include "number/decimal.h"
#include "number/write.h"
#include "text/rules.h"

/* How a result is written as text. */
struct result_format {
	const struct type *type;
	bool decimal; /* a mantissa, scale digits after the point */
	unsigned scale;
};

/* A result with its format. */
struct result {
	struct result_format format;
	bool absent; /* there is none */
	union value value;
};

/* The form of a result that has its own: the decimals of an exact one, with */
enum result_form {
	RESULT_FORM_SCALE = 31,
	RESULT_FORM_WIDE = 32, /* of 128 bits, not of 64 */
	RESULT_FORM_LANE = 64, /* the lane's */
	RESULT_FORM_FLOAT, /* an f64 */
	RESULT_FORM_ABSENT,
	RESULT_FORM_MARK, /* it is absent, and the mark stands in any case */
};

/* What one lane gives. */
struct lane_results {
	struct result_format format;
	const void *results; /* inclusive ones, in format.type, */
	size_t step; /* so many bytes apart, */
	size_t count; /* one for each of so many elements */
	size_t absent; /* so many of what is given (with before, if there is that) is absent: at a stream's start */
	const unsigned char *forms; /* each result's (enum result_form), or NULL: format is */
	const struct result
		*before; /* the result before the first: what an exclusive scan begins with; NULL: inclusive */
	const struct result *held; /* the one before the first, if it was written, or NULL */
	const struct held *in_place; /* elements that are none (decode.h), in their order: in_place_count of them */
	size_t in_place_count;
	bool is_exclusive; /* its results stand at the elements after theirs already */
};

struct held;
/* Of an element that is none, what stands for the result that there is not, or NULL. */
const struct held *result_mark(const struct lane_results *lane, size_t i);

/* Whether the lane's result for its element i is absent. */
static inline bool result_is_absent(const struct lane_results *lane, size_t i)
{
	return i < lane->absent || (lane->forms != NULL && lane->forms[i] >= RESULT_FORM_ABSENT);
}

/* What the lane gives for its element i. */
struct result result_of(const struct lane_results *lane, size_t i);
/* Its inclusive result i. */
struct result result_take(const struct lane_results *lane, size_t i);
/* What it gives where --missing=hold stands after i elements: the result before, of an exclusive scan what the next
 * element would get. */
struct result result_held(const struct lane_results *lane, size_t i);
/* Whether each of its results is written in a way of its own. */
bool result_is_written_singly(const struct record_format *format, const struct lane_results *lane);

/* No line with one result is longer. */
size_t result_size_max(const struct record_format *format);
/* Writes a number as the format says and returns its bytes; fewer than result_size_max. */
size_t result_put_number(const struct record_format *format, const struct result_format *f, const union value *v,
			 unsigned char *out);

/* The texts of some results of one lane, a delimiter before each. They are made in blocks, for whose loops all that is
 * the same is known. */
struct result_texts {
	size_t first, count; /* the elements that they are the results of */
	struct number_text *texts;
	unsigned char *pool; /* where they are */
};

/* The size of a text that stands for no result. */
#define RESULT_ABSENT UINT32_MAX
/* Makes the texts of up to block of a lane's results, from first on. There is room for so many in *made. */
void result_make_texts(const struct record_format *format, const struct lane_results *lane, size_t first, size_t block,
		       struct result_texts *made);

#endif
