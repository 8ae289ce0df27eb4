/* Windows of a key's scan of one lane (scan/window.h). */
#include <string.h>

#include "stream/element_format.h"
#include "stream/key_scans.h"

/* Whether results are elements as they were written, which are found by their places. */
static bool finds_places(const struct plan_lane *lane)
{
	const enum operator_id id = lane->op->id;
	return lane->decimal && (id == OPERATOR_MAX || id == OPERATOR_MIN || id == OPERATOR_FIRST ||
				 id == OPERATOR_LAST || id == OPERATOR_LAG);
}

struct plan_lane key_scans_window_lane(const struct plan_lane *lane)
{
	struct plan_lane of_places = *lane;
	if (finds_places(lane))
		of_places.op = &operator_table[lane->op->id == OPERATOR_MAX   ? OPERATOR_ARGMAX
					       : lane->op->id == OPERATOR_MIN ? OPERATOR_ARGMIN
									      : OPERATOR_COUNT];
	return of_places;
}

bool key_scans_keep_indices(const struct plan *plan, const struct plan_lane *lane)
{
	const struct missing_rule *nan = &plan->format.text.nan;
	const bool is_index = lane->op->id == OPERATOR_ARGMAX || lane->op->id == OPERATOR_ARGMIN;
	return plan->window > 0 && plan->format.input == FORMAT_BINARY && plan->format.text.has_nan &&
	       (nan->how == MISSING_KEEP || nan->how == MISSING_HOLD) && is_index;
}

static enum status missing(const struct conductor *c)
{
	if (c->plan->format.text.key_count > 0)
		memory_missing_for(keys_count(c->keys->keys), "keys with windows");
	else
		memory_missing_for(c->plan->window, "elements of a window");
	return STATUS_SYSTEM;
}

enum status key_scans_try_window(const struct conductor *c, const struct key_lane *l)
{
	if (c->plan->format.text.key_count > 0)
		return STATUS_OK;
	struct window all = {.length = c->plan->window, .kept_size = l->kept_size};
	const enum status status = window_reserve(&all, &l->windows[l->first.width], c->plan->window);
	window_free(&all);
	return status == STATUS_OK ? STATUS_OK : missing(c);
}

enum status segment_push_window(const struct run_scan *r, const struct row *row, const void *in, size_t count,
				void *out, size_t *bad)
{
	const struct conductor *c = r->c;
	const struct key_lane *l = r->key_lane;
	struct window *w = segment_window(r->segment);
	const struct window_row *windows = &l->windows[row - l->rows];
	/* The only key's has room from the beginning, so that it is known then whether there is any. */
	const bool is_only = c->plan->format.text.key_count == 0;
	if (window_reserve(w, windows, is_only ? w->length : count) != STATUS_OK)
		return missing(c);
	const size_t taken = window_push(w, windows, in, count, out);
	*bad = taken < count ? taken : SIZE_MAX;
	return STATUS_OK;
}

/* From one reading of exact decimals to the next. */
struct bringing {
	const struct scan_operator *op;
	const struct element_format *now, *next;
};

static bool bring(const void *context, const union value *members, union value *brought)
{
	const struct bringing *b = context;
	return element_format_bring(b->op, members, b->now, b->next, brought);
}

bool segment_change_window(const struct run_scan *r, const struct element_format *now, bool overflowed,
			   const struct decimal *d, struct format_change *change)
{
	const struct conductor *c = r->c;
	const struct key_lane *l = r->key_lane;
	const struct plan_lane *lane = c->lanes[r->lane].plan;
	const struct scan_operator *op = l->rows[r->segment->width].op;
	const union value none[SCALED_MEMBERS_MAX] = {{0}};
	const struct bringing bringing = {.op = op, .now = now, .next = &change->reading};
	/* Where the token can be read and the window's other elements cannot, exactness ends. */
	for (int i = 0; i < 2; i++) {
		if (!element_format_next(now, c->plan, lane, none, overflowed || i > 0, d, change))
			return false;
		const struct window_row *from = &l->windows[r->segment->width];
		const struct window_row *to = &l->windows[change->reading.decimal ? WIDTH_WIDE : WIDTH_FLOAT];
		if (window_change(segment_window(r->segment), from, to, bring, &bringing))
			return true;
	}
	return false;
}

void segment_find_window_indices(const struct run_scan *r, size_t count)
{
	struct window *w = segment_window(r->segment);
	unsigned char *results = r->work->out.data;
	uint64_t *kept = (uint64_t *)(void *)w->kept;
	for (size_t i = 0; i < count; i++) {
		const uint64_t last = w->count - count + i;
		uint64_t index;
		memcpy(&index, results + i * sizeof index, sizeof index);
		if (index > last)
			index = last; /* (A state that was made up may say so.) */
		kept[last % w->length] = r->segment->count + i;
		memcpy(results + i * sizeof index, &kept[index % w->length], sizeof index);
	}
}

void segment_find_places(const struct run_scan *r, size_t first, size_t count, const unsigned char *indices,
			 unsigned char *forms)
{
	struct window *w = segment_window(r->segment);
	const enum operator_id id = r->c->plan->lanes[r->lane].op->id;
	const bool is_float = r->segment->width == WIDTH_FLOAT;
	union value *values = (union value *)(void *)r->work->in.data;
	struct written_element *kept = (struct written_element *)(void *)w->kept;
	for (size_t i = 0; i < count; i++) {
		const uint64_t last = w->count - count + i;
		const uint64_t earliest = last >= w->length ? last + 1 - w->length : 0;
		uint64_t index = id == OPERATOR_FIRST ? earliest : last;
		if (id == OPERATOR_MAX || id == OPERATOR_MIN)
			memcpy(&index, indices + i * sizeof index, sizeof index);
		kept[last % w->length] = segment_element(r, first + i);
		forms[i] = RESULT_FORM_ABSENT;
		values[i] = (union value){0};
		if (id == OPERATOR_LAG && index-- == earliest)
			continue;
		const struct written_element *k = &kept[index % w->length];
		const unsigned char scale = k->own & OWN_SCALE_MASK;
		forms[i] = is_float ? RESULT_FORM_FLOAT : (unsigned char)(scale | RESULT_FORM_WIDE);
		values[i] = k->value;
		if (is_float)
			values[i].f64 = written_element_f64(k);
	}
}
