/* Reads what conductor_save.c wrote. The bytes are untrusted: everything is checked. */
#include <string.h>

#include "base/message.h"
#include "scanner/conductor_save_private.h"
#include "scanner/lane_texts.h"

static void unpack_cursor(struct unpack *u, const struct layout *layout, void *cursor)
{
	u->failed = u->failed || unpack_count(u) != layout_packed_size(layout);
	layout_unpack(u, layout, cursor);
}

static enum status unpack_window(struct unpack *u, struct window *w, const struct window_row *row)
{
	uint64_t count;
	const enum status status = window_unpack(u, w, row, &count);
	const struct layout *kept = saved_kept_layout(w);
	if (kept == NULL)
		return status;
	u->failed = u->failed || unpack_count(u) != count * layout_packed_size(kept);
	for (uint64_t i = 0; i < count && !u->failed; i++) {
		unsigned char *at = w->kept + i * w->kept_size;
		const struct written_element *e = (const void *)at;
		layout_unpack(u, kept, at);
		u->failed =
			u->failed || (!kept_is_index(w->kept_size) && (e->own & OWN_SCALE_MASK) > DECIMAL_SCALE_MAX);
	}
	return status;
}

/* Whether there is such a width of the lane's, and such a form of a result. */
static bool is_possible(const struct conductor *c, size_t lane, const struct segment *g)
{
	const struct plan_lane *l = c->lanes[lane].plan;
	const bool is_exact = g->last_form < RESULT_FORM_LANE;
	if (!l->decimal)
		return g->width == WIDTH_NARROW && g->last_form >= RESULT_FORM_LANE &&
		       g->last_form <= RESULT_FORM_ABSENT;
	return g->width < WIDTH_COUNT && (g->width != WIDTH_FLOAT || !l->op->bitwise) &&
	       g->scale <= DECIMAL_SCALE_MAX &&
	       g->own_scale <= (g->width == WIDTH_FLOAT ? DECIMAL_SCALE_MAX : g->scale) &&
	       (is_exact ? (g->last_form & RESULT_FORM_SCALE) <= DECIMAL_SCALE_MAX
			 : g->last_form <= RESULT_FORM_ABSENT);
}

/* The key has begun. */
static enum status unpack_segment(struct unpack *u, const struct conductor *c, const struct lane_layouts *layouts,
				  size_t lane, uint32_t key)
{
	const struct lane *l = &c->lanes[lane];
	struct segment *g = key_segment(c, lane, key);
	struct record_counts *n = segment_counts(l, g);
	struct record_counts none = {0};
	struct saved_segment saved;
	layout_unpack(u, &saved_segment_layout, &saved);
	n = n != NULL ? n : &none;
	layout_unpack(u, &record_counts_layout, n);
	g->has_last = (saved.flags & SEGMENT_HAS_LAST) != 0;
	g->is_past = (saved.flags & SEGMENT_IS_PAST) != 0;
	g->width = saved.width;
	g->scale = saved.scale;
	g->own_scale = saved.own_scale;
	g->last_form = saved.last_form;
	g->last = saved_value_load(&saved.last, saved_last_size(c, lane, g));
	g->begun = saved.begun;
	g->count = saved.count;
	g->is_short = (saved.flags & SEGMENT_IS_SHORT) != 0;
	g->is_anew = (saved.flags & SEGMENT_IS_ANEW) != 0;
	c->keys->records = n->order > c->keys->records ? n->order : c->keys->records;
	u->failed = u->failed || n->passed > saved.count || (n == &none && n->passed > 0);
	u->failed = u->failed || !is_possible(c, lane, g);
	if (u->failed) {
		g->width = WIDTH_NARROW; /* nothing goes on from here */
		return STATUS_OK;
	}
	TRY(segment_need_cursor(c, l, g));
	if (l->last_offset > 0) {
		u->failed = u->failed || unpack_count(u) != layouts->results_size;
		layout_unpack(u, &layouts->results, segment_last(l, g));
	}
	if (u->failed)
		return STATUS_OK;
	if (l->plan->window > 0)
		return unpack_window(u, segment_window(g), &l->windows[g->width]);
	unpack_cursor(u, &layouts->cursor[g->width], segment_cursor(l, g));
	return STATUS_OK;
}

static enum status unpack_resets(struct unpack *u, struct key_resets *r)
{
	struct saved_resets saved;
	layout_unpack(u, &saved_resets_layout, &saved);
	u->failed = u->failed || saved.is_known > 1;
	r->begun = saved.begun;
	r->is_known = saved.is_known != 0;
	r->place = (int128)((uint128)saved.place.hi << 64 | saved.place.lo);
	TRY(bytes_append(&r->text, saved.text.data, saved.text.size));
	return bytes_append(&r->name, saved.name.data, saved.name.size);
}

/* How many keys ahead a key's place in the table is fetched. */
#define FETCHED 16

static enum status unpack_keys(struct unpack *u, struct conductor *c, const struct lane_layouts *layouts)
{
	struct key_scans *k = c->keys;
	const bool has_keys = c->plan->format.text.key_count > 0;
	const uint64_t most = has_keys ? NO_KEY - 1 : 1;
	const uint64_t found = unpack_count(u);
	const uint32_t count = found <= most ? (uint32_t)found : 0;
	u->failed = u->failed || found > most;
	/* Each key takes at least one byte, so the bytes left limit the count. */
	TRY(keys_expect(k->keys, count < u->left ? count : (uint32_t)u->left));
	uint32_t hashes[FETCHED];
	uint32_t placed = 0;
	for (uint32_t i = 0; i < count && !u->failed; i++) {
		size_t size;
		const unsigned char *bytes = unpack_text(u, &size);
		if (u->failed)
			break;
		hashes[i % FETCHED] = has_keys ? hash_half(&c->plan->memory.hash_key, bytes, size) : 0;
		TRY(keys_append(k->keys, hashes[i % FETCHED], bytes, size));
		key_scans_begin_key(c, i);
		if (k->head_size > 0)
			TRY(unpack_resets(u, key_resets_of(k, i)));
		for (size_t j = 0; j < c->lane_count && !u->failed; j++)
			TRY(unpack_segment(u, c, &layouts[j], j, i));
		while (placed <= i && (i == count - 1 || i - placed == FETCHED - 1)) {
			/* keys_enter fails for a duplicate key. */
			u->failed = u->failed || !keys_enter(k->keys, hashes[placed % FETCHED], placed);
			placed++;
		}
	}
	return STATUS_OK;
}

/* Whether the plan's records may have places of these kinds. */
static bool may_have_kinds(const struct plan *plan, uint64_t kinds)
{
	const struct text_rules *rules = &plan->format.text;
	size_t count = PLACE_OF_UNITS;
	bool are_good = (place_kind_of(kinds, PLACE_OF_GAP) == PLACE_NONE || rules->gap.given) &&
			(place_kind_of(kinds, PLACE_OF_SPAN) == PLACE_NONE || rules->span.given);
	for (size_t i = 0; i < rules->total_count; i++)
		count += rules->fields[i].unit != UNIT_NONE;
	for (size_t i = 0; i < PLACES_MAX; i++)
		are_good = are_good && place_kind_of(kinds, i) < (i < count ? PLACE_KINDS : 1);
	return are_good;
}

static enum status unpack_all(struct unpack *u, struct conductor *c, const struct lane_layouts *layouts)
{
	const struct saved_scan own = saved_scan_of(c);
	struct saved_scan scan;
	layout_unpack(u, &saved_scan_layout, &scan);
	c->started = scan.started != 0;
	u->failed = u->failed || scan.started > 1 || scan.lanes != own.lanes;
	for (size_t i = 0; i < c->lane_count && !u->failed; i++) {
		unsigned char types[PACKED_MAX];
		const struct saved_key_lane own_lane = saved_key_lane_of(c, i, types);
		struct saved_key_lane lane;
		layout_unpack(u, &saved_key_lane_layout, &lane);
		u->failed = u->failed || lane.is_packed != own_lane.is_packed || lane.keeps != own_lane.keeps ||
			    lane.has_window != own_lane.has_window || lane.has_texts != own_lane.has_texts ||
			    lane.result_types.size != own_lane.result_types.size;
		if (lane.has_texts != 0 && !u->failed)
			TRY(lane_texts_unpack(u, c->keys->kept[i]));
	}
	const struct saved_keys own_keys = saved_keys_of(c);
	struct saved_keys keys;
	layout_unpack(u, &saved_keys_layout, &keys);
	u->failed = u->failed || keys.is_one != own_keys.is_one || keys.has_resets != own_keys.has_resets ||
		    !may_have_kinds(c->plan, keys.place_kinds) || keys.number_kinds.size != own_keys.number_kinds.size;
	for (size_t i = 0; i < keys.number_kinds.size && !u->failed; i++) {
		c->keys->number_kinds.data[i] = keys.number_kinds.data[i];
		u->failed = keys.number_kinds.data[i] >= PLACE_KINDS;
	}
	c->keys->place_kinds = u->failed ? 0 : keys.place_kinds;
	return u->failed ? STATUS_OK : unpack_keys(u, c, layouts);
}

/* Whether the bytes are laid out as this program lays them out. */
static enum status compare_words(struct unpack *u, const struct pack *words)
{
	struct saved_text saved;
	saved.data = unpack_text(u, &saved.size);
	if (u->failed)
		return STATUS_OK;
	const struct saved_text own = {words->bytes.data, words->bytes.size};
	return layout_compare("--state: the scan is", &saved, &own);
}

enum status conductor_load(struct conductor *c, const struct unpack *saved)
{
	struct unpack u = *saved;
	struct pack words = {0};
	struct lane_layouts *layouts = saved_find_layouts(c);
	if (layouts != NULL)
		saved_describe_all(&words, c, layouts);
	enum status status = layouts != NULL && !words.failed ? STATUS_OK : STATUS_SYSTEM;
	if (status == STATUS_OK)
		status = compare_words(&u, &words);
	if (status == STATUS_OK)
		status = unpack_all(&u, c, layouts);
	bytes_free(&words.bytes);
	memory_free(layouts);
	if (status == STATUS_OK && (u.failed || u.left > 0)) {
		message_error("--state: the file does not hold a state of this scan");
		return STATUS_USAGE;
	}
	return status;
}
