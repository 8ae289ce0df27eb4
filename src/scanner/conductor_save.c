/* Writes the state of the scan as bytes, in the layout of saved_layout.h. */
#include <string.h>

#include "scanner/conductor_save_private.h"
#include "scanner/lane_texts.h"

/* A value of a type of `size` bytes as one of 16, whatever the machine's order. */
static struct saved_value save_value(const union value *v, size_t size)
{
	struct saved_value saved = {v->i128.lo, v->i128.hi};
	if (size < 16)
		saved = (struct saved_value){size == 1 ? v->u8 : size == 2 ? v->u16 : size == 4 ? v->u32 : v->u64, 0};
	return saved;
}

/* A cursor as bytes, after how many they are; and the way back. */
static void pack_cursor(struct pack *p, const struct layout *layout, const void *cursor)
{
	pack_count(p, layout_packed_size(layout));
	layout_pack(p, layout, cursor);
}

/* Whether a segment of the lane may have the width. */
static bool has_width(const struct plan_lane *l, unsigned width)
{
	return width == WIDTH_NARROW || (l->decimal && (width != WIDTH_FLOAT || !l->op->bitwise));
}

struct lane_layouts *saved_find_layouts(const struct conductor *c)
{
	struct lane_layouts *all = memory_new((c->lane_count + 1) * sizeof *all);
	for (size_t i = 0; i < c->lane_count && all != NULL; i++) {
		const struct lane *k = &c->lanes[i];
		all[i] = (struct lane_layouts){0};
		all[i].results = layout_of_results(&c->lanes[i].row.results, all[i].result_members);
		all[i].results_size = layout_packed_size(&all[i].results);
		for (unsigned w = 0; w < WIDTH_COUNT; w++) {
			/* (Decimals that a program scans have no cursor.) */
			if (!has_width(c->lanes[i].plan, w) || k->rows[w].code->cursor_size == 0)
				continue;
			if (k->plan->window == 0) {
				all[i].cursor[w] = layout_of_cursor(&k->rows[w]);
			} else {
				all[i].prefix[w] = layout_of_prefix(&k->windows[w]);
				all[i].states[w] = layout_of_state(&k->windows[w]);
			}
		}
	}
	return all;
}

const struct layout *saved_kept_layout(const struct window *w)
{
	return w->kept_size == 0 ? NULL : kept_is_index(w->kept_size) ? &saved_index_layout : &saved_element_layout;
}

static void pack_window(struct pack *p, const struct window *w, const struct window_row *row)
{
	const uint64_t count = window_pack(p, w, row);
	const struct layout *kept = saved_kept_layout(w);
	if (kept == NULL)
		return;
	pack_count(p, count * layout_packed_size(kept));
	for (uint64_t i = 0; i < count; i++)
		layout_pack(p, kept, w->kept + i * w->kept_size);
}

size_t saved_last_size(const struct conductor *c, size_t lane, const struct segment *g)
{
	return g->last_form == RESULT_FORM_LANE ? c->lanes[lane].row.results.numbers[0].type->size : 16;
}

void saved_pack_segment(struct pack *p, const struct conductor *c, const struct lane_layouts *layouts, size_t lane,
			uint32_t key)
{
	const struct lane *l = &c->lanes[lane];
	struct segment *g = key_segment(c, lane, key);
	const struct record_counts *n = segment_counts(l, g);
	static const struct record_counts none = {0};
	const struct saved_segment saved = {.flags = (uint8_t)((g->has_last ? SEGMENT_HAS_LAST : 0) |
							       (g->is_past ? SEGMENT_IS_PAST : 0) |
							       (g->is_short ? SEGMENT_IS_SHORT : 0) |
							       (g->is_anew && c->part.is_part ? SEGMENT_IS_ANEW : 0)),
					    .width = g->width,
					    .scale = g->scale,
					    .own_scale = g->own_scale,
					    .last_form = g->last_form,
					    .last = save_value(&g->last, saved_last_size(c, lane, g)),
					    .begun = g->begun,
					    .count = g->count};
	layout_pack(p, &saved_segment_layout, &saved);
	layout_pack(p, &record_counts_layout, n != NULL ? n : &none);
	if (l->last_offset > 0) {
		pack_count(p, layouts->results_size);
		layout_pack(p, &layouts->results, segment_last(l, g));
	}
	if (l->plan->window > 0)
		pack_window(p, segment_window(g), &l->windows[g->width]);
	else
		pack_cursor(p, &layouts->cursor[g->width], segment_cursor(l, g));
}

static void pack_resets(struct pack *p, const struct key_resets *r)
{
	const struct saved_resets saved = {
		.begun = r->begun,
		.is_known = r->is_known,
		.place = {(uint64_t)r->place, (uint64_t)((uint128)r->place >> 64)},
		.text = {r->text.data, r->text.size},
		.name = {r->name.data, r->name.size},
	};
	layout_pack(p, &saved_resets_layout, &saved);
}

/* The number of keys by which the size of a key is estimated. */
#define FIRST_KEYS 64

static void pack_keys(struct pack *p, const struct conductor *c, const struct lane_layouts *layouts)
{
	const struct key_scans *k = c->keys;
	pack_count(p, keys_count(k->keys));
	const uint32_t count = keys_count(k->keys);
	const size_t begun = p->bytes.size;
	for (uint32_t i = 0; i < count && !p->failed; i++) {
		size_t size;
		const unsigned char *bytes = keys_bytes(k->keys, i, &size);
		/* What others take is known by then, so that no growing copies all that is there over and over. */
		if (i == FIRST_KEYS)
			pack_expect(p, (p->bytes.size - begun) / FIRST_KEYS * (count - FIRST_KEYS));
		pack_text(p, bytes, size);
		if (k->head_size > 0)
			pack_resets(p, key_resets_of(k, i));
		for (size_t j = 0; j < c->lane_count; j++)
			saved_pack_segment(p, c, &layouts[j], j, i);
	}
}

static void describe_struct(struct pack *p, const struct layout *l)
{
	layout_say(p, "{");
	layout_describe(p, l);
	layout_say(p, "}");
}

/* What a segment has besides, most of it by its width. */
struct key_description {
	const struct conductor *c;
	const struct lane_layouts *layouts;
};

static bool describe_of_key(const void *context, struct pack *p, size_t lane, const char *what)
{
	const struct key_description *d = context;
	const struct lane_layouts *l = &d->layouts[lane];
	const struct window w = {.kept_size = d->c->lanes[lane].kept_size};
	if (what[0] == 't')
		return d->c->plan->lanes[lane].gives_text;
	if (what[0] != 'l' && (what[0] == 'c') != (d->c->lanes[lane].plan->window == 0))
		return false;
	if (what[0] == 'k' || what[0] == 'l') {
		const struct layout *kept = saved_kept_layout(&w);
		const struct layout *last = d->c->lanes[lane].last_offset > 0 ? &l->results : NULL;
		const struct layout *given = what[0] == 'k' ? kept : last;
		if (given == NULL)
			return false;
		describe_struct(p, given);
		layout_say(p, " ");
		return true;
	}
	const struct layout *by_width = what[0] == 'c' ? l->cursor : what[0] == 'p' ? l->prefix : l->states;
	layout_say(p, "(width");
	for (unsigned width = 0; width < WIDTH_COUNT; width++) {
		if (!has_width(d->c->lanes[lane].plan, width))
			continue;
		layout_say_number(p, " ", width, " ");
		describe_struct(p, &by_width[width]);
	}
	layout_say(p, ") ");
	return true;
}

void saved_describe_all(struct pack *p, const struct conductor *c, const struct lane_layouts *layouts)
{
	const struct key_description of_key = {c, layouts};
	saved_describe(p, c->lane_count, c->keys->head_size > 0, describe_of_key, &of_key);
}

/* What --show-state needs to know of a lane: how results without a form of their own are written. */
struct saved_key_lane saved_key_lane_of(const struct conductor *c, size_t lane, unsigned char types[PACKED_MAX])
{
	const struct packed *results = &c->lanes[lane].row.results;
	for (size_t k = 0; k < results->count; k++)
		types[k] = (unsigned char)results->numbers[k].type->id;
	return (struct saved_key_lane){.result_types = {types, results->count},
				       .is_packed = c->lanes[lane].last_offset > 0,
				       .has_texts = c->plan->lanes[lane].gives_text,
				       .has_window = c->plan->lanes[lane].window > 0,
				       .keeps = c->plan->lanes[lane].window > 0 && c->lanes[lane].kept_size > 0};
}

struct saved_scan saved_scan_of(const struct conductor *c)
{
	return (struct saved_scan){.started = c->started, .lanes = (uint32_t)c->lane_count};
}

struct saved_keys saved_keys_of(const struct conductor *c)
{
	return (struct saved_keys){.is_one = plan_is_one_scan(c->plan),
				   .has_resets = c->keys->head_size > 0,
				   .place_kinds = c->keys->place_kinds,
				   .number_kinds = {c->keys->number_kinds.data, c->keys->number_kinds.size}};
}

static void pack_all(struct pack *p, const struct conductor *c, const struct lane_layouts *layouts)
{
	const struct saved_scan scan = saved_scan_of(c);
	layout_pack(p, &saved_scan_layout, &scan);
	for (size_t i = 0; i < c->lane_count; i++) {
		unsigned char types[PACKED_MAX];
		const struct saved_key_lane lane = saved_key_lane_of(c, i, types);
		layout_pack(p, &saved_key_lane_layout, &lane);
		if (lane.has_texts != 0)
			lane_texts_pack(p, c->keys->kept[i]);
	}
	const struct saved_keys keys = saved_keys_of(c);
	layout_pack(p, &saved_keys_layout, &keys);
	pack_keys(p, c, layouts);
}

void conductor_save(const struct conductor *c, struct pack *p)
{
	struct pack words = {0};
	struct lane_layouts *layouts = saved_find_layouts(c);
	if (layouts != NULL)
		saved_describe_all(&words, c, layouts);
	p->failed = p->failed || layouts == NULL || words.failed;
	pack_text(p, words.bytes.data, words.bytes.size);
	if (!p->failed)
		pack_all(p, c, layouts);
	bytes_free(&words.bytes);
	memory_free(layouts);
}
