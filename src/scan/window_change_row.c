/* Moves a window from one row of exact decimals to another. States that wrapped in the old row are computed again from
 * their elements. */
#include <assert.h>
#include <string.h>

#include "scan/window.h"

/* A state of one row in another. False: it has none. */
static bool bring_state(const struct window_row *from, const struct window_row *to, window_bring *bring,
			const void *context, const unsigned char *state, unsigned char *brought)
{
	const struct state_parts before = state_split(from->row->op, from->type, state, from->code->state_size);
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
	(void)r->row->code->fold(w->prefix, state, 1, none);
	memset(w->prefix, 0, sizeof(uint64_t)); /* no elements: kernels/cursor.h */
}

/* Suffixes of the previous block that windows may still hold: from `from` to before `end` at `states`. */
struct suffixes {
	unsigned char *states;
	uint64_t from, end;
};

static struct suffixes suffixes_of(const struct window *w)
{
	const struct window_span *span = &w->span;
	if (!span->is_given)
		return (struct suffixes){w->states, w->place, w->has_block ? w->length : w->place};
	const uint64_t before = span->first - span->suffix_count; /* The block's first element. */
	const uint64_t begin = w->taken - w->covered;
	const uint64_t from = begin > before ? begin - before : 0;
	return (struct suffixes){span->suffixes, from < span->suffix_count ? from : span->suffix_count,
				 span->suffix_count};
}

/* Computes again, from the elements, the states that are not exact: suffixes of the block before, and the prefix, which
 * is *prefix. The elements are states of the new row by now. */
static void mend_spoilt(struct window *w, const struct window_row *row, unsigned char *prefix)
{
	_Alignas(max_align_t) unsigned char state[STATE_SIZE_MAX];
	const size_t size = row->code->state_size;
	const struct suffixes s = suffixes_of(w);
	for (uint64_t i = w->spoilt_to; i-- > w->spoilt_from && i >= s.from && s.from < s.end;) {
		unsigned char *at = s.states + i * size;
		memcpy(state, at, size);
		memcpy(at, at + size, size);
		if (window_has_number(w, i))
			row->code->combine(w, state, at);
	}
	bool is_first = true;
	for (uint64_t i = 0; i < w->place && w->is_spoilt; i++) {
		const unsigned char *at = w->states + i * size;
		if (!window_has_number(w, i))
			continue;
		memcpy(state, prefix, size);
		memcpy(prefix, at, size);
		if (!is_first)
			row->code->combine(w, state, prefix);
		is_first = false;
	}
	w->spoilt_from = w->spoilt_to = 0;
	w->is_spoilt = false;
}

/* Brings count states to another row, in place, or only sees whether all can be. */
static bool bring_states(const struct window_row *from, const struct window_row *to, window_bring *bring,
			 const void *context, unsigned char *states, uint64_t first, uint64_t end, bool is_trial)
{
	_Alignas(max_align_t) unsigned char unused[STATE_SIZE_MAX];
	bool can = true;
	for (uint64_t i = first; i < end && can; i++)
		can = bring_state(from, to, bring, context, states + i * from->code->state_size,
				  is_trial ? unused : states + i * to->code->state_size);
	return can;
}

bool window_change_row(struct window *w, const struct window_row *from, const struct window_row *to,
		       window_bring *bring, const void *context)
{
	const struct suffixes s = suffixes_of(w);
	const bool has_prefix = w->numbers > 0;
	_Alignas(max_align_t) unsigned char prefix[STATE_SIZE_MAX];
	_Alignas(max_align_t) unsigned char state[STATE_SIZE_MAX];
	assert(to->code->state_size <= from->code->state_size);
	if (has_prefix) {
		from->code->prefix(w, state);
		if (!bring_state(from, to, bring, context, state, prefix))
			return false;
	}
	/* First to see whether all can be. */
	for (int is_trial = 1; is_trial >= 0; is_trial--) {
		if (!bring_states(from, to, bring, context, w->states, 0, w->place, is_trial) ||
		    !bring_states(from, to, bring, context, s.states, s.from, s.end, is_trial))
			return false;
	}
	if (to->type->id == TYPE_F64)
		mend_spoilt(w, to, prefix);
	if (has_prefix)
		restart(w, to, prefix);
	return true;
}
