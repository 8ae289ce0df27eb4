/* A segment: one scan of a lane, of the elements of one key between two resets. A scan without keys and resets is one
 * segment. For conductor_*.c alone. */
#ifndef PSCAN_STREAM_SEGMENT_H
#define PSCAN_STREAM_SEGMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scan/window.h"
#include "stream/plan.h"
#include "text/result.h"

/* How a key's elements are scanned: exact decimals of 64 or 128 bits, or f64; others all in the first way. */
enum width { WIDTH_NARROW, WIDTH_WIDE, WIDTH_FLOAT, WIDTH_COUNT };

/* A lane's scan of one key; its cursor, or window, follows. */
struct segment {
	uint64_t begun; /* how many of its key's segments were begun by records before it */
	uint64_t count; /* records, of which some may take no part (struct record_counts) */
	void *outside; /* of exact decimals: the cursor of widths that are seldom, or NULL */
	union value last; /* the last inclusive result, or what comes before the first */
	unsigned char last_form; /* enum result_form */
	unsigned char width;
	unsigned char scale; /* of exact decimals */
	unsigned char own_scale; /* that of the last element, or of the first if that is asked for */
	bool has_last; /* there was a seed or an element */
	bool is_past; /* the last result does not fit, but counts only if an element follows (exclusive) */
	bool is_anew; /* it began within the stream, whatever was before: not by count alone */
	bool is_short; /* the last result is of fewer numbers than plan->min_count */
};

/* Of a segment, where records without a number take indices (plan->keeps_records). */
struct record_counts {
	uint64_t passed; /* records that took no part */
	uint64_t in_row; /* of these, those since the last number */
	/* For totals, whose order is that of the numbers: */
	uint64_t order; /* the key's place: that of its first number in the stream, from 1; 0: it has none */
	uint64_t early; /* records that belong to the next segment, which begins with its first number: */
	uint64_t early_begun; /* and what that one's begun will be */
};

/* Elements of a scan whose triples were tried (conductor_associative.c), and the last two of them. */
struct tried {
	uint64_t count;
	unsigned char last[2 * INPUTS_MAX * sizeof(union value)];
};

/* An element of exact decimals, as it was written. */
struct written_element {
	union value value; /* of 128 bits; or an f64 */
	unsigned char own; /* enum own_scale */
};

/* The cursor, or the window, is aligned for any type. */
#define SEGMENT_SIZE \
	((sizeof(struct segment) + _Alignof(max_align_t) - 1) / _Alignof(max_align_t) * _Alignof(max_align_t))

/* A number that begins a segment: the type of the elements, or what an exact decimal is. */
struct reset_value {
	struct decimal decimal;
	union value value; /* of the type; of decimals an i128, the mantissa */
	double nearest; /* of decimals */
};

/* What the scans of a lane have in common, and where in a segment is what. */
struct key_lane {
	size_t offset; /* of its segment in a block */
	size_t size; /* with the cursor */
	bool is_outside[WIDTH_COUNT]; /* the cursors of this width are outside of the segments, */
	size_t outside_size; /* which have so many bytes */
	struct row *rows; /* One a width; of lanes other than exact decimals only the first. */
	struct window_row windows[WIDTH_COUNT]; /* of the rows, if there are windows */
	size_t last_offset; /* in a segment, of the last result of a lane that is a program's, packed; of others 0 */
	unsigned char last[PACKED_MAX * sizeof(union value)]; /* before the first element, packed, of a program */
	size_t counts_offset; /* in a segment, of its struct record_counts; 0: it has none */
	size_t tried_offset; /* in a segment, of a program's struct tried, if its triples are tried; else 0 */
	/* of what a window keeps of an element, or 0: results are not found by their places. Of struct
	 * written_element, or */
	size_t kept_size;
	bool keeps_indices; /* of its index among all of the segment's, a uint64_t */
	struct element_format readings[WIDTH_COUNT];
	struct segment first; /* with which a key begins, and the lane's cursor */
	bool has_forms; /* its results can have forms of their own */
	struct reset_value at; /* at which its scans begin anew, if at any */
};

/* Bytes that a lane's segment takes up in a block, so that the next lane's is aligned, too. */
static inline size_t key_lane_room(const struct key_lane *l)
{
	return (l->size + _Alignof(max_align_t) - 1) / _Alignof(max_align_t) * _Alignof(max_align_t);
}

static inline void *segment_cursor(const struct key_lane *l, struct segment *segment)
{
	return l->is_outside[segment->width] ? segment->outside : (unsigned char *)segment + SEGMENT_SIZE;
}

/* NULL: it has none. */
static inline struct record_counts *segment_counts(const struct key_lane *l, struct segment *segment)
{
	return l->counts_offset > 0 ? (void *)((unsigned char *)segment + l->counts_offset) : NULL;
}

/* How many of the segment's records took no part. */
static inline uint64_t segment_passed(const struct key_lane *l, struct segment *segment)
{
	return l->counts_offset > 0 ? segment_counts(l, segment)->passed : 0;
}

/* How many numbers the segment has. */
static inline uint64_t segment_numbers(const struct key_lane *l, struct segment *segment)
{
	return segment->count - segment_passed(l, segment);
}

/* Whether a total is written of the segment: it has a number; or a record, if it is begun by a count or a number,
 * not by a record's other fields. */
static inline bool segment_has_total(const struct plan *plan, const struct key_lane *l, struct segment *segment)
{
	const bool by_numbers =
		text_resets_by_records(&plan->format.text) || (plan->resets.every == 0 && plan->resets.at == NULL);
	return (by_numbers ? segment_numbers(l, segment) : segment->count) > 0;
}

/* The form of the segment's last result where it is shown. */
static inline unsigned char segment_shown_form(const struct segment *segment)
{
	return segment->is_short ? (unsigned char)RESULT_FORM_ABSENT : segment->last_form;
}

/* The last inclusive result of a lane's segment. */
static inline void *segment_last(const struct key_lane *l, struct segment *segment)
{
	return l->last_offset > 0 ? (unsigned char *)segment + l->last_offset : (void *)&segment->last;
}

static inline struct tried *segment_tried(const struct key_lane *l, struct segment *segment)
{
	return (struct tried *)(void *)((unsigned char *)segment + l->tried_offset);
}

static inline struct window *segment_window(struct segment *segment)
{
	return (void *)((unsigned char *)segment + SEGMENT_SIZE);
}

#endif
