/* A lane, and its segments. A segment is one scan of a lane: of the elements of one key between two resets. A lane
 * without keys and resets has one segment. For the conductor's own files. */
#ifndef PSCAN_SCANNER_SEGMENT_H
#define PSCAN_SCANNER_SEGMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "scan/window.h"
#include "chunk/durations.h"
#include "chunk/element_format.h"
#include "scanner/keys.h"
#include "chunk/plan.h"
#include "scanner/saved_layout.h"
#include "text/result.h"

struct exact_scan;

/* How a key's elements are scanned: exact decimals of 64 or 128 bits, or f64; others all in the first way. */
enum width { WIDTH_NARROW, WIDTH_WIDE, WIDTH_FLOAT, WIDTH_COUNT };

/* A lane's scan of one key. Its cursor, or window, follows it in memory. */
struct segment {
	uint64_t begun; /* segments that its key's records had begun before it */
	uint64_t count; /* its records, including those that take no part (struct record_counts) */
	void *outside; /* exact decimals: the cursor of a rare width, or NULL. Owned by the keys */
	union value last; /* the last inclusive result, or the initial one */
	unsigned char last_form; /* enum result_form */
	unsigned char width;
	unsigned char scale; /* the scale of exact decimals */
	unsigned char shown_scale; /* for windows by time, exclusive: the scale when the last element was taken in */
	unsigned char own_scale; /* the own scale of the last element, or of the first if the operator needs that */
	bool has_last; /* there was a seed or an element */
	bool is_past; /* the last result does not fit, but counts only if an element follows (exclusive) */
	bool is_anew; /* it began within the stream for another reason than --reset-every, whatever comes before */
	bool is_short; /* the last result covers fewer numbers than plan->lacking.min_count */
};

/* Elements of a scan whose triples were tested (conductor_associative.c): how many, and the last two. */
struct tried {
	uint64_t count;
	unsigned char last[2 * INPUTS_MAX * sizeof(union value)];
};

/* The elements that are tried for a warning: of one scan (conductor_associative.c). */
struct associative_hint {
	struct tried tried;
	uint32_t key;
	uint64_t first; /* the index of the first one in the key's scan */
	unsigned runs; /* runs in which such a scan began */
	bool is_over; /* enough was tried, or a warning was given */
};

_Static_assert(sizeof(struct written_element) == sizeof(struct saved_element) &&
		       offsetof(struct written_element, own) == offsetof(struct saved_element, own),
	       "elements are saved as they lie");

/* The cursor, or the window, is aligned for any type. */
#define SEGMENT_SIZE \
	((sizeof(struct segment) + _Alignof(max_align_t) - 1) / _Alignof(max_align_t) * _Alignof(max_align_t))

/* A number that begins a segment: the type of the elements, or what an exact decimal is. */
struct reset_value {
	struct decimal decimal;
	union value value; /* of the type; for exact decimals an i128, the mantissa */
	double nearest; /* for exact decimals */
};

/* A lane: what is known of it before the first element, which all its segments have in common; and how far the stream
 * has come. More than 24 fields: most are offsets into a segment. */
struct lane {
	const struct plan_lane *plan;
	struct element_format reading; /* How its first elements are read. */
	struct row row; /* Its row, for elements that are read so. */
	struct row *rows; /* One a width. Owned if these are exact decimals; of other lanes there is one: &row. */
	struct element_format readings[WIDTH_COUNT]; /* Of exact decimals: how each width is read. */
	struct window_row windows[WIDTH_COUNT]; /* Of the rows, if there are windows. */
	/* Its windows, which are of exact decimals, begin narrow (segment_narrow_windows.c). Others never are. */
	bool has_narrow_windows;
	bool has_forms; /* Its results can have forms of their own. */
	struct exact_scan *exact; /* If a program scans exact decimals; otherwise NULL. Owned. */
	struct associative_hint *hint; /* If an expression or a file combines, to warn of it; otherwise NULL. Owned. */
	struct reset_value at; /* At this number segments begin, if at any. */
	/* What a segment begins with: */
	struct segment first;
	unsigned char *begins; /* its cursor. Owned. */
	unsigned char last[PACKED_MAX * sizeof(union value)]; /* of a program: the results before the first, packed */
	/* Where a segment lies in its key's block, and what lies in it: */
	size_t offset;
	size_t size; /* with the cursor */
	bool is_outside[WIDTH_COUNT]; /* The cursors of this width are outside of the segments, */
	size_t outside_size; /* and have this many bytes. */
	size_t last_offset; /* of a program's last results, packed; 0: it is no program */
	/* of the number of the segment among its key's, a uint64_t, if --emit has t or elements are texts; else 0 */
	size_t number_offset;
	size_t counts_offset; /* of struct record_counts (saved_layout.h), if plan->lacking.keeps_records; else 0 */
	size_t tried_offset; /* of a program's struct tried, if its triples are tried; else 0 */
	/* Bytes that a window keeps of an element: struct written_element, if results are found by their places; its
	 * index among all of the segment's, a uint64_t, if results are indices (kept_is_index); else 0. A narrow window
	 * keeps the element, an int64_t. */
	size_t kept_size;
	/* If the lane has but one segment (plan_is_one_scan): */
	struct segment *only; /* after the chunks that were finished, but */
	unsigned char *cursor; /* its cursor after those that were folded, */
	uint64_t submitted; /* and its elements after those that were submitted. */
	/* After the chunks that were finished: */
	uint64_t element_base; /* elements of the file, */
	uint64_t taken; /* and of the stream */
	struct duration_lane durations;
};

/* Bytes that a lane's segment takes up in a block, so that the next lane's is aligned, too. */
static inline size_t lane_room(const struct lane *l)
{
	return (l->size + _Alignof(max_align_t) - 1) / _Alignof(max_align_t) * _Alignof(max_align_t);
}

/* Whether elements of the lane are still tried for a warning. */
static inline bool lane_tries(const struct lane *l)
{
	return l->hint != NULL && !l->hint->is_over;
}

static inline void *segment_cursor(const struct lane *l, struct segment *segment)
{
	return l->is_outside[segment->width] ? segment->outside : (unsigned char *)segment + SEGMENT_SIZE;
}

static inline bool kept_is_index(size_t kept_size)
{
	return kept_size == sizeof(uint64_t);
}

static inline struct segment *lane_segment(const struct lane *l, const struct keys *keys, uint32_t key)
{
	unsigned char *block = keys_block(keys, key);
	return (struct segment *)(void *)(block + l->offset);
}

/* The segment's record counts, or NULL. */
static inline struct record_counts *segment_counts(const struct lane *l, struct segment *segment)
{
	return l->counts_offset > 0 ? (void *)((unsigned char *)segment + l->counts_offset) : NULL;
}

/* How many of the segment's records took no part. 0 if the lane keeps no record counts. */
static inline uint64_t segment_passed(const struct lane *l, struct segment *segment)
{
	return l->counts_offset > 0 ? segment_counts(l, segment)->passed : 0;
}

/* How many numbers the segment has. */
static inline uint64_t segment_numbers(const struct lane *l, struct segment *segment)
{
	return segment->count - segment_passed(l, segment);
}

/* Whether a segment needs a number to have a total. With --reset-every and --reset-at a kept or held record is
 * enough. */
static inline bool totals_need_numbers(const struct plan *plan)
{
	return plan->resets.every == 0 && plan->resets.at == NULL;
}

/* Whether --total writes a result for the segment. */
static inline bool segment_has_total(const struct plan *plan, const struct lane *l, struct segment *segment)
{
	return (totals_need_numbers(plan) ? segment_numbers(l, segment) : segment->count) > 0;
}

/* The form of the segment's last result where it is shown. */
static inline unsigned char segment_shown_form(const struct segment *segment)
{
	return segment->is_short ? (unsigned char)RESULT_FORM_ABSENT : segment->last_form;
}

/* The last inclusive result of a lane's segment. */
static inline void *segment_last(const struct lane *l, struct segment *segment)
{
	return l->last_offset > 0 ? (unsigned char *)segment + l->last_offset : (void *)&segment->last;
}

/* Notes that the segment took in `count` elements. last: the inclusive result of the last of them, `size` bytes. form:
 * that result's form. */
static inline void segment_took(const struct lane *l, struct segment *segment, const void *last, size_t size,
				unsigned char form, uint64_t count)
{
	memcpy(segment_last(l, segment), last, size);
	segment->last_form = form;
	segment->has_last = true;
	segment->count += count;
	if (l->counts_offset > 0)
		segment_counts(l, segment)->in_row = 0;
}

static inline struct tried *segment_tried(const struct lane *l, struct segment *segment)
{
	return (struct tried *)(void *)((unsigned char *)segment + l->tried_offset);
}

/* The number of a segment among those of its key, from 1. Only if the lane has a number_offset. */
static inline uint64_t *segment_number(const struct lane *l, struct segment *segment)
{
	return (uint64_t *)(void *)((unsigned char *)segment + l->number_offset);
}

static inline struct window *segment_window(struct segment *segment)
{
	return (void *)((unsigned char *)segment + SEGMENT_SIZE);
}

#endif
