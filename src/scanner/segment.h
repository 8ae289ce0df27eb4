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

struct exact_evaluator;

/* How a segment's elements are scanned: as exact decimals of 64 or of 128 bits, or as f64. A segment of a lane without
 * exact decimals always has WIDTH_NARROW, whatever its type. */
enum width { WIDTH_NARROW, WIDTH_WIDE, WIDTH_FLOAT, WIDTH_COUNT };

/* A segment. Its cursor, or its window, follows it in memory (SEGMENT_SIZE). */
struct segment {
	uint64_t begun; /* Segments that the key's records had begun up to this one (begun_at). */
	uint64_t count; /* Records so far, including those that take no part (struct record_counts). */
	/* The cursor, if it is that of a width with lane->is_outside. NULL: not needed so far. Owned by the keys. */
	void *outside;
	union value last; /* The last inclusive result, or the initial one. Not used if the lane has a last_offset. */
	unsigned char last_form; /* The form (enum result_form) of the last result. */
	unsigned char width; /* The width (enum width) of the cursor or window. */
	unsigned char scale; /* The scale of exact decimals. */
	unsigned char shown_scale; /* For exclusive windows by time: `scale` when the last element was taken in. */
	unsigned char own_scale; /* The own scale of the last element, or of the element that is the last result. */
	bool has_last; /* There was a seed or an element. */
	bool is_past; /* The last result does not fit. That is an error only if an element follows (exclusive). */
	bool is_anew; /* A segment began within this stream for another reason than --reset-every. */
	bool is_short; /* The last result covers fewer numbers than plan->lacking.min_count. */
};

/* The elements of a scan whose triples were tested (conductor_associative.c). */
struct tried {
	uint64_t count; /* Elements so far. */
	unsigned char last[2 * INPUTS_MAX * sizeof(union value)]; /* The last two elements, if there were two. */
};

/* The elements of one scan that are tried, to warn of a program that is not associative (conductor_associative.c). */
struct associative_hint {
	struct tried tried;
	uint32_t key; /* The number of the scan's key. */
	uint64_t first; /* The index of the first tried element in the scan. */
	unsigned runs; /* Runs in which a scan to try has begun. */
	bool is_over; /* Enough was tried, or the warning was printed. */
};

_Static_assert(sizeof(struct written_element) == sizeof(struct saved_element) &&
		       offsetof(struct written_element, own) == offsetof(struct saved_element, own),
	       "elements are saved as they lie");

/* Bytes from a segment to its cursor or window, which is then aligned for any type. */
#define SEGMENT_SIZE \
	((sizeof(struct segment) + _Alignof(max_align_t) - 1) / _Alignof(max_align_t) * _Alignof(max_align_t))

/* The number of --reset-at, in the form in which the lane's elements are compared with it. */
struct reset_value {
	union value value; /* The number, in the elements' type. For exact decimals: the mantissa, an i128. */
	struct decimal decimal; /* For exact decimals: the number's scale, and whether it is a float. */
	double nearest; /* For exact decimals: the nearest double. */
};

/* A lane: first what all its segments have in common, which does not change during the run; then how far the stream has
 * come. More than 24 fields: most are offsets into a segment. */
struct lane {
	const struct plan_lane *plan; /* Borrowed. */
	struct element_format reading; /* How the lane's first elements are read. */
	struct row row; /* The row for elements that are read so. */
	/* The rows: one for each width (owned) if the lane has exact decimals, otherwise one: &row. */
	struct row *rows;
	struct element_format readings[WIDTH_COUNT]; /* For each of the rows: how its elements are read. */
	struct window_row windows[WIDTH_COUNT]; /* For each of the rows, if the lane has windows. */
	/* The lane's windows begin with WIDTH_NARROW (segment_narrow_windows.c). Only for exact decimals, whose windows
	 * otherwise never have this width. */
	bool has_narrow_windows;
	/* A result may have another form than the lane's others, even if all records take part. */
	bool has_forms;
	struct exact_evaluator *exact; /* For a program that scans exact decimals; otherwise NULL. Owned. */
	struct associative_hint *hint; /* For a program that a warning may concern; otherwise NULL. Owned. */
	struct reset_value at; /* Set if segments begin at a number (--reset-at). */
	/* What a segment begins with: */
	struct segment first; /* Its members. */
	unsigned char *begins; /* Its cursor. Owned. */
	/* For a program: its results before the first element, packed. */
	unsigned char last[PACKED_MAX * sizeof(union value)];
	/* Where a segment lies, and what lies in it. Offsets are in bytes from the segment. */
	size_t offset; /* The segment's offset in its key's block. */
	size_t size; /* Bytes of the segment, with its cursor or window and all that the offsets below name. */
	bool is_outside[WIDTH_COUNT]; /* Cursors of this width are not in the segment, but at segment->outside. */
	size_t outside_size; /* The bytes at segment->outside. 0: no width is outside. */
	/* Offset of the packed last results, for a program without windows and without exact decimals. Otherwise 0. */
	size_t last_offset;
	/* Offset of the segment's number (segment_number), if --emit uses t or distinct texts are counted. Otherwise
	 * 0. */
	size_t number_offset;
	size_t counts_offset; /* Offset of struct record_counts, if plan->lacking.keeps_records. Otherwise 0. */
	size_t tried_offset; /* Offset of struct tried, for a program whose triples are tested. Otherwise 0. */
	/* What a window keeps of each element, in bytes. 0: nothing.
	 *   struct written_element   if results are elements as they were written
	 *   uint64_t                 if results are indices, and records may take no part (kept_is_index): the index
	 *                            among all of the segment's records
	 * (A narrow window has its own kept_size: an int64_t, the element, or 0.) */
	size_t kept_size;
	/* If the lane has only one segment (plan_is_one_scan), otherwise NULL and not used: */
	struct segment *only; /* The segment after the finished chunks. */
	unsigned char *cursor; /* Its cursor, after the folded chunks. */
	uint64_t submitted; /* The segment's elements in the submitted chunks and before them. */
	/* How far the finished chunks have come: */
	uint64_t element_base; /* Records of the present file. */
	uint64_t taken; /* Elements of this run that take part. */
	struct duration_lane durations; /* Whether their elements are durations. */
};

/* Bytes that a segment of the lane takes up in its key's block: lane->size, rounded up so that the next is aligned. */
static inline size_t lane_room(const struct lane *l)
{
	return (l->size + _Alignof(max_align_t) - 1) / _Alignof(max_align_t) * _Alignof(max_align_t);
}

/* Whether segment_hint_triples must still be called for the lane's elements. */
static inline bool lane_tries(const struct lane *l)
{
	return l->hint != NULL && !l->hint->is_over;
}

/* Returns the cursor of a segment without windows. Outside cursors must exist (segment_need_cursor). */
static inline void *segment_cursor(const struct lane *l, struct segment *segment)
{
	return l->is_outside[segment->width] ? segment->outside : (unsigned char *)segment + SEGMENT_SIZE;
}

/* Whether windows that keep `kept_size` bytes of each element keep its index. Not for narrow windows. */
static inline bool kept_is_index(size_t kept_size)
{
	return kept_size == sizeof(uint64_t);
}

/* Returns the lane's segment of a key. */
static inline struct segment *lane_segment(const struct lane *l, const struct keys *keys, uint32_t key)
{
	unsigned char *block = keys_block(keys, key);
	return (struct segment *)(void *)(block + l->offset);
}

/* Returns the segment's record counts. NULL if the lane keeps none. */
static inline struct record_counts *segment_counts(const struct lane *l, struct segment *segment)
{
	return l->counts_offset > 0 ? (void *)((unsigned char *)segment + l->counts_offset) : NULL;
}

/* Returns how many of the segment's records took no part. 0 if the lane keeps no record counts. */
static inline uint64_t segment_passed(const struct lane *l, struct segment *segment)
{
	return l->counts_offset > 0 ? segment_counts(l, segment)->passed : 0;
}

/* Returns how many of the segment's records took part. */
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

/* Whether --total writes a result for the segment when it ends. */
static inline bool segment_has_total(const struct plan *plan, const struct lane *l, struct segment *segment)
{
	return (totals_need_numbers(plan) ? segment_numbers(l, segment) : segment->count) > 0;
}

/* Returns the form that the segment's last result has in the output: absent if it covers too few numbers. */
static inline unsigned char segment_shown_form(const struct segment *segment)
{
	return segment->is_short ? (unsigned char)RESULT_FORM_ABSENT : segment->last_form;
}

/* Returns the segment's last inclusive result: a union value, or for a lane with a last_offset its packed results. */
static inline void *segment_last(const struct lane *l, struct segment *segment)
{
	return l->last_offset > 0 ? (unsigned char *)segment + l->last_offset : (void *)&segment->last;
}

/* Returns whether a result of exact decimals is the same element as the segment's last result (WRITTEN_FIRST and
 * WRITTEN_EARLIEST): its mantissa at `scale`. */
static inline bool segment_repeats(const struct segment *segment, enum written written, int128 mantissa, unsigned scale)
{
	const struct type *type = &type_table[(segment->last_form & RESULT_FORM_WIDE) != 0 ? TYPE_I128 : TYPE_I64];
	if (!segment->has_last || written != WRITTEN_EARLIEST)
		return segment->has_last && written == WRITTEN_FIRST;
	return segment->last_form < RESULT_FORM_LANE &&
	       decimal_is_same(decimal_value(&segment->last, type), segment->last_form & RESULT_FORM_SCALE, mantissa,
			       scale);
}

/* Returns the scale that the segment's next result of exact decimals is written with, and keeps in the segment what the
 * result after it needs. own: the own scale of the result's element. repeats: as segment_repeats says. */
static inline unsigned char segment_write_scale(struct segment *segment, enum written written, unsigned char own,
						bool repeats)
{
	const unsigned char before = segment->own_scale;
	if (!repeats)
		segment->own_scale = segment->width == WIDTH_FLOAT ? 0 : own & OWN_SCALE_MASK;
	return written == WRITTEN_NONE ? segment->scale : written == WRITTEN_BEFORE ? before : segment->own_scale;
}

/* Whether all that decides how the segment's results are written has had this scale so far, as far as there is
 * anything. */
static inline bool segment_has_scale(const struct segment *segment, enum written written, unsigned scale)
{
	return (!segment->has_last && segment->count == 0) ||
	       (segment->scale == scale && (written == WRITTEN_NONE || segment->own_scale == scale));
}

/* Sets the segment's last inclusive result: `size` bytes, at most segment_last's. form: that result's form. */
static inline void segment_set_last(const struct lane *l, struct segment *segment, const void *last, size_t size,
				    unsigned char form)
{
	memcpy(segment_last(l, segment), last, size);
	segment->last_form = form;
}

/* Counts records that follow the segment's: `numbers` that take part, and `passed` that do not. */
static inline void segment_count(const struct lane *l, struct segment *segment, uint64_t numbers, uint64_t passed)
{
	segment->count += numbers + passed;
	segment->has_last = segment->has_last || numbers > 0;
	if (l->counts_offset > 0)
		segment_counts(l, segment)->passed += passed;
}

/* Notes that the segment took in `count` elements, which all take part. The others as in segment_set_last, of the last
 * element. */
static inline void segment_took(const struct lane *l, struct segment *segment, const void *last, size_t size,
				unsigned char form, uint64_t count)
{
	segment_set_last(l, segment, last, size, form);
	segment->has_last = true;
	segment->count += count;
	if (l->counts_offset > 0)
		segment_counts(l, segment)->in_row = 0;
}

/* Only if the lane has a tried_offset. */
static inline struct tried *segment_tried(const struct lane *l, struct segment *segment)
{
	return (struct tried *)(void *)((unsigned char *)segment + l->tried_offset);
}

/* Points to the segment's number among the lane's segments of its key, from 1. Only if the lane has a number_offset. */
static inline uint64_t *segment_number(const struct lane *l, struct segment *segment)
{
	return (uint64_t *)(void *)((unsigned char *)segment + l->number_offset);
}

/* Only if the lane has windows. */
static inline struct window *segment_window(struct segment *segment)
{
	return (void *)((unsigned char *)segment + SEGMENT_SIZE);
}

#endif
