/* Windows of exact decimals that all have 64 bits and were written with one scale. Results are then written with that
 * scale, too: maxima need no indices, and vector code finds them. Sums gain and lose a number at a time. (In place of
 * states of 128 bits this takes 0.72 to 0.85 of the instructions of whole runs of CSV.) At the first run of which this
 * is not true, the window becomes one of 128 bits. */
#include <string.h>

#include "scanner/segment_windows.h"

/* A push_window of sums. The states are the numbers themselves, and the prefix begins with their sum, as an int64_t. */
static size_t push_sums(struct window *w, const void *in, size_t count, double unused, void *out)
{
	const uint64_t *from = in;
	uint64_t *to = out;
	uint64_t *numbers = (uint64_t *)(void *)w->states;
	uint64_t place = w->place;
	uint64_t sum;
	(void)unused;
	memcpy(&sum, w->prefix, sizeof sum);
	for (size_t i = 0; i < count; i++) {
		to[i] = sum += from[i] - (w->has_block ? numbers[place] : 0);
		numbers[place] = from[i];
		if (++place < w->length)
			continue;
		place = 0;
		w->has_block = true;
	}
	memcpy(w->prefix, &sum, sizeof sum);
	w->place = place;
	w->count += count;
	return count;
}

/* Whether the lane's narrow windows have the numbers themselves as states. Others keep them besides. */
static bool has_sums(const struct lane *l)
{
	return l->windows[WIDTH_NARROW].push == push_sums;
}

void lane_find_narrow_window(const struct plan *plan, struct lane *l)
{
	struct row *row = &l->rows[WIDTH_NARROW];
	const struct type *t = &type_table[TYPE_I64];
	/* (A saved state is for other machines, too.) */
	l->has_narrow_windows = l->plan->window > 0 && !l->plan->by_time && !l->plan->lags && !plan->ends.is_saved &&
				!plan->lacking.keeps_records && plan_lane_is_any_order(l->plan) &&
				row_find(row, l->plan->op, t, t, false, false, ALGORITHM_BLELLOCH);
	if (!l->has_narrow_windows)
		return;
	l->windows[WIDTH_NARROW] = window_row_of(row, l->plan->window);
	if (l->plan->op->id == OPERATOR_SUM)
		l->windows[WIDTH_NARROW].push = push_sums;
}

void segment_begin_window(const struct lane *l, struct segment *g)
{
	struct window *w = segment_window(g);
	const bool is_narrow = l->has_narrow_windows && g->width == WIDTH_NARROW;
	w->kept_size = is_narrow && !has_sums(l) ? sizeof(int64_t) : l->kept_size;
	window_begin(w, &l->windows[g->width]);
}

/* Whether all sums of as many numbers as the window has fit in 64 bits. */
static bool are_small(const struct window *w, const int64_t *in, size_t count)
{
	const uint64_t most = INT64_MAX / w->length;
	bool are = true;
	for (size_t i = 0; i < count; i++)
		are &= (uint64_t)in[i] + most <= 2 * most;
	return are;
}

enum status segment_push_narrow_window(const struct run_scan *r, const int64_t *in, void *out, size_t *bad)
{
	struct window *w = segment_window(r->segment);
	const struct window_row *windows = &r->lane->windows[WIDTH_NARROW];
	*bad = has_sums(r->lane) && !are_small(w, in, r->count) ? 0 : SIZE_MAX;
	if (*bad == 0)
		return STATUS_OK;
	if (window_reserve(w, windows, plan_has_keys(r->c->plan) ? r->count : w->length) != STATUS_OK)
		return key_scans_lack_window(r->c, r->lane);
	for (size_t done = 0; done < r->count && w->kept_size > 0;) {
		const uint64_t at = window_kept(w, w->count + done);
		const uint64_t most = w->length - at;
		const size_t some = r->count - done < most ? r->count - done : (size_t)most;
		memcpy(w->kept + at * sizeof *in, in + done, some * sizeof *in);
		done += some;
	}
	return window_push(w, windows, in, r->count, NULL, out) == r->count ? STATUS_OK : STATUS_SYSTEM;
}

/* Takes the numbers from `first` to before `end` into an empty window of 128 bits. Blocks begin where they would have
 * begun: should the window go on in f64, its sums depend on that. */
static void push_again(const struct run_scan *r, struct window *w, const int64_t *numbers, uint64_t first, uint64_t end)
{
	const struct window_row *windows = &r->lane->windows[WIDTH_WIDE];
	size_t taken = 1;
	w->count = w->taken = first;
	w->numbers = w->place = first % w->length;
	if (w->place > 0)
		memset(w->states, 0, (size_t)w->place * windows->code->state_size);
	for (uint64_t i = first; i < end && taken == 1; i++) {
		union value unused;
		const struct written_element e = {.value = decimal_wide(numbers[i % w->length]),
						  .own = r->segment->scale};
		if (w->kept_size > 0)
			memcpy(w->kept + window_kept(w, i) * w->kept_size, &e, sizeof e);
		taken = window_push(w, windows, &e.value, 1, NULL, &unused); /* (Each fits.) */
	}
}

enum status segment_widen_window(const struct run_scan *r)
{
	const struct lane *l = r->lane;
	struct segment *g = r->segment;
	struct window *w = segment_window(g);
	const uint64_t end = w->count;
	const uint64_t held = end < w->length ? end : w->length;
	unsigned char *const states = w->states;
	unsigned char *const kept = w->kept;
	if (g->width != WIDTH_NARROW)
		return STATUS_OK;
	g->width = WIDTH_WIDE;
	segment_begin_window(l, g);
	if (held == 0)
		return STATUS_OK;
	w->states = w->kept = NULL;
	w->states_bytes = w->kept_bytes = 0;
	const bool has_room = window_reserve(w, &l->windows[WIDTH_WIDE], held) == STATUS_OK;
	if (has_room)
		push_again(r, w, (const int64_t *)(const void *)(has_sums(l) ? states : kept), end - held, end);
	memory_free(states);
	memory_free(kept);
	return has_room ? STATUS_OK : key_scans_lack_window(r->c, l);
}
