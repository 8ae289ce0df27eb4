/* Arrays that grow by doubling, and the times of windows by time. Times are in order, so a window's beginning only
 * moves forward. */
#include "scan/window_span.h"

#include <string.h>

#include "base/memory.h"
#include "scan/window.h"

bool window_reserve_array(unsigned char **array, size_t *capacity, uint64_t count, uint64_t wanted, uint64_t most,
			  size_t size)
{
	const uint64_t room = *capacity / size;
	if (wanted < room)
		return true;
	/* It doubles, as far as there are elements for it. */
	if (wanted < 2 * room)
		wanted = 2 * room < most ? 2 * room : most;
	unsigned char *grown = wanted < SIZE_MAX / size - 1 ? memory_try((size_t)(wanted + 1) * size) : NULL;
	if (grown == NULL)
		return false;
	if (count > 0)
		memcpy(grown, *array, (size_t)count * size);
	memory_free(*array);
	*array = grown;
	*capacity = (size_t)(wanted + 1) * size;
	return true;
}

/* Drops the times, and what is kept, of numbers that no window will hold any more, where they are half of all. */
static void drop_early(struct window *w)
{
	struct window_span *span = &w->span;
	const uint64_t begin = w->taken - w->covered;
	const uint64_t held = w->taken - span->earliest;
	const uint64_t early = begin - span->earliest;
	const size_t left = (size_t)(held - early);
	if (early < held - early)
		return;
	memmove(span->times, span->times + early * sizeof(int128), left * sizeof(int128));
	if (w->kept_size > 0)
		memmove(w->kept, w->kept + early * w->kept_size, left * w->kept_size);
	span->earliest = begin;
}

bool window_reserve_span(struct window *w, size_t size, uint64_t count)
{
	struct window_span *span = &w->span;
	if (w->taken > span->earliest)
		drop_early(w);
	const uint64_t held = w->taken - span->earliest;
	/* (A block may end at any element: its states then become the suffixes.) */
	return window_reserve_array(&w->states, &w->states_bytes, w->place, w->place + count, UINT64_MAX, size) &&
	       window_reserve_array(&span->suffixes, &span->suffixes_bytes, span->suffix_count,
				    span->suffix_count + count, UINT64_MAX, size) &&
	       window_reserve_array(&span->times, &span->times_bytes, held, held + count, UINT64_MAX, sizeof(int128)) &&
	       (w->kept_size == 0 ||
		window_reserve_array(&w->kept, &w->kept_bytes, held, held + count, UINT64_MAX, w->kept_size));
}

size_t window_find_begins(struct window *w, const int128 *times, const uint32_t *order, size_t count, int128 length,
			  uint64_t *begins, uint64_t *covered)
{
	struct window_span *span = &w->span;
	int128 *const all = (int128 *)(void *)span->times; /* from the earliest number on */
	int128 *next = all + (w->taken - span->earliest);
	const int128 *begin = next - w->covered;
	span->begins = begins;
	span->begins_first = w->count;
	for (size_t i = 0; i < count; i++) {
		const int128 time = times[order != NULL ? order[i] : i];
		int128 edge; /* Numbers up to it leave the window. */
		if (next > all && time < next[-1])
			return i;
		*next++ = time;
		const bool has_edge = !__builtin_sub_overflow(time, length, &edge);
		while (has_edge && *begin <= edge)
			begin++;
		begins[i] = span->earliest + (uint64_t)(begin - all);
		covered[i] = (uint64_t)(next - begin);
	}
	return count;
}
