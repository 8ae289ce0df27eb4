/* Moves a window from one row of exact decimals to another. States that wrapped in the old row are computed again from
 * their elements. */
#include <assert.h>
#include <string.h>

#include "scan/hillis.h"
#include "scan/layouts.h"
#include "scan/window.h"

/* A state of one row in another. False: it has none. */
static bool bring_state(const struct window_row *from, const struct window_row *to, window_bring *bring,
			const void *context, const unsigned char *state, unsigned char *brought)
{
	const struct state_parts before = state_take_apart(from->row->op, from->type, state, from->code->state_size);
	union value members[SCALED_MEMBERS_MAX] = {{0}};
	union cursor cursor;
	if (!bring(context, before.members, members))
		return false;
	row_restart(to->row, &cursor, members, before.rest);
	to->row->code->state(&cursor, brought);
	return true;
}

/* The prefix of the block becomes a state. */
static void restart(struct window *w, const struct window_row *r, const unsigned char *state)
{
	unsigned char none[STATE_SIZE_MAX];
	memset(w->prefix, 0, r->code->prefix_size);
	(void)r->code->row->fold(w->prefix, state, 1, none);
	memset(w->prefix, 0, sizeof(uint64_t)); /* no elements: kernels/cursor.h */
}

/* *combined may be one of both. */
static void combine(const struct hillis_row *row, const unsigned char *earlier, const unsigned char *later,
		    unsigned char *combined)
{
	_Alignas(max_align_t) unsigned char state[STATE_SIZE_MAX];
	memcpy(state, later, row->state_size);
	row->combine(earlier, true, state, 1);
	memcpy(combined, state, row->state_size);
}

/* Computes again, from the elements, the states that are not exact: suffixes of the block before, and the prefix, which
 * is *prefix. The elements are states of the new row by now. */
static void mend_spoilt(struct window *w, const struct window_row *row, unsigned char *prefix)
{
	const size_t size = row->code->state_size;
	for (uint64_t i = w->spoilt_to; i-- > w->spoilt_from && i >= w->place && w->has_block;) {
		unsigned char *at = w->states + i * size;
		if (window_has_number(w, i, true))
			combine(row->code->row, at, at + size, at);
		else
			memcpy(at, at + size, size);
	}
	bool is_first = true;
	for (uint64_t i = 0; i < w->place && w->is_spoilt; i++) {
		const unsigned char *at = w->states + i * size;
		if (!window_has_number(w, i, false))
			continue;
		if (is_first)
			memcpy(prefix, at, size);
		else
			combine(row->code->row, prefix, at, prefix);
		is_first = false;
	}
	w->spoilt_from = w->spoilt_to = 0;
	w->is_spoilt = false;
}

bool window_change(struct window *w, const struct window_row *from, const struct window_row *to, window_bring *bring,
		   const void *context)
{
	const uint64_t count = w->has_block ? w->length : w->place;
	const bool has_prefix = w->numbers > 0;
	_Alignas(max_align_t) unsigned char prefix[STATE_SIZE_MAX];
	_Alignas(max_align_t) unsigned char state[STATE_SIZE_MAX];
	assert(to->code->state_size <= from->code->state_size && from->push == from->code->push &&
	       to->push == to->code->push);
	if (has_prefix) {
		from->code->prefix(w, state);
		if (!bring_state(from, to, bring, context, state, prefix))
			return false;
	}
	/* First to see whether all can be. */
	for (uint64_t i = 0; i < count; i++) {
		if (!bring_state(from, to, bring, context, w->states + i * from->code->state_size, state))
			return false;
	}
	for (uint64_t i = 0; i < count; i++)
		(void)bring_state(from, to, bring, context, w->states + i * from->code->state_size,
				  w->states + i * to->code->state_size);
	if (to->type->id == TYPE_F64)
		mend_spoilt(w, to, prefix);
	if (has_prefix)
		restart(w, to, prefix);
	return true;
}
