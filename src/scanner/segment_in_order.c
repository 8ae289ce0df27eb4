/* Keys' elements that were left in the records' order (slot_group): each goes to its key's cursor at once, and its
 * result is where it belongs. What cannot be taken so, decimals other than a key's so far or a sum beyond 64 bits, is
 * found before anything is changed. Where a record begins a segment, the elements up to it are taken in first. */
#include <string.h>

#include "scan/host_tiles.h"
#include "scanner/key_scans.h"
#include "scanner/key_slices.h"

/* Whether the segment can go on with elements of 64 bits and this scale. */
static bool has_scale(const struct lane *l, const struct segment *g, unsigned char scale)
{
	return g->width == WIDTH_NARROW && segment_has_scale(g, l->plan->op->written, scale);
}

/* A key took in count elements of the chunk. */
static void end(const struct lane *l, struct segment *g, const void *cursor, size_t count, unsigned char scale)
{
	const struct row *row = &l->rows[WIDTH_NARROW];
	static const union value any = {0};
	union value last = {0};
	unsigned char state[STATE_SIZE_MAX];
	row->code->state(cursor, state);
	row->code->emit(state, &any, row->parameter, &last);
	g->scale = scale;
	(void)segment_write_scale(g, row->op->written, scale, false);
	segment_took(l, g, &last, sizeof last, segment_form(g, row, scale), count);
}

/* The scan of a chunk in slices of its keys. */
struct in_order {
	const struct conductor *c;
	struct slot *s;
	size_t lane;
	unsigned char scale; /* the elements' */
	size_t saved[KEY_SLICES_MAX]; /* each slice: how many of its keys' segments were saved */
	bool failed[KEY_SLICES_MAX]; /* each slice: whether some key cannot go on so */
};

/* Saves the segments of a slice's keys and finds their cursors. False: one of them is not narrow, or has another
 * scale. */
static bool save_slice(struct in_order *o, size_t slice, size_t first, size_t end)
{
	struct key_scans *k = o->c->keys;
	struct lane *l = &o->c->lanes[o->lane];
	const uint32_t *numbers = (const uint32_t *)(const void *)k->numbers.data;
	void **cursors = (void **)(void *)k->work.in.data;
	for (size_t i = first; i < end; i++) {
		if (i + AHEAD < end)
			__builtin_prefetch(lane_segment(l, k->keys, numbers[i + AHEAD]), 1);
		struct segment *g = lane_segment(l, k->keys, numbers[i]);
		if (!has_scale(l, g, o->scale))
			return false;
		cursors[i] = segment_cursor(l, g);
		memcpy(k->work.before.data + i * l->size, g, l->size);
		o->saved[slice]++;
	}
	return true;
}

/* Takes in the elements of a slice's keys, from record `from` up to record `to`. False: a result does not fit. */
static bool push(const struct in_order *o, size_t first, size_t end_key, size_t from, size_t to)
{
	const struct row *row = &o->c->lanes[o->lane].rows[WIDTH_NARROW];
	const struct slot_lane *l = &o->s->lanes[o->lane];
	const uint32_t *of_records = (const uint32_t *)(const void *)o->s->keyed.keys.of_records.data;
	void *const *cursors = (void *const *)(const void *)o->c->keys->work.in.data;
	return row->code->push_each(cursors, of_records + from, (uint32_t)first, (uint32_t)end_key,
				    conductor_column(o->s, l)->elements + from * sizeof(int64_t), to - from,
				    row->parameter, l->results + from * sizeof(int64_t)) == SIZE_MAX;
}

/* The same for all records, where they may begin segments. counts: becomes how many elements of each key its last
 * segment has among them. */
static bool push_segments(const struct in_order *o, size_t first, size_t end_key, uint32_t *counts)
{
	const struct key_scans *k = o->c->keys;
	const struct lane *l = &o->c->lanes[o->lane];
	const uint32_t *numbers = (const uint32_t *)(const void *)k->numbers.data;
	const uint64_t *begun_before = (const uint64_t *)(const void *)k->begun.data;
	const uint32_t *begun = (const uint32_t *)(const void *)o->s->keyed.begun.data;
	const uint32_t *of_records = (const uint32_t *)(const void *)o->s->keyed.keys.of_records.data;
	const size_t records = conductor_column(o->s, &o->s->lanes[o->lane])->count;
	size_t done = 0;
	memset(counts + first, 0, (end_key - first) * sizeof *counts);
	for (size_t i = 0; i < records; i++) {
		const uint32_t key = of_records[i];
		if (key < first || key >= end_key)
			continue;
		struct segment *g = lane_segment(l, k->keys, numbers[key]);
		counts[key]++;
		if (begun_before[key] + begun[i] == g->begun)
			continue;
		if (!push(o, first, end_key, done, i))
			return false;
		segment_clear(l, g);
		g->is_anew = true;
		g->begun = begun_before[key] + begun[i];
		counts[key] = 1;
		done = i;
	}
	return push(o, first, end_key, done, records);
}

static void push_slice(void *owner, size_t slice)
{
	struct in_order *o = owner;
	const struct key_scans *k = o->c->keys;
	const struct lane *l = &o->c->lanes[o->lane];
	const struct slot_column *column = conductor_column(o->s, &o->s->lanes[o->lane]);
	const size_t count = grouper_count(&o->s->keyed.keys);
	const size_t first = key_slice_first(slice, count);
	const size_t end_key = key_slice_end(slice, count);
	const bool has_resets = plan_has_resets(o->c->plan);
	void *const *cursors = (void *const *)(const void *)k->work.in.data;
	const uint32_t *numbers = (const uint32_t *)(const void *)k->numbers.data;
	const struct slot_run *runs = (const struct slot_run *)(const void *)column->runs.data;
	uint32_t *counts = (uint32_t *)(void *)k->work.out.data;
	o->failed[slice] =
		!save_slice(o, slice, first, end_key) ||
		!(has_resets ? push_segments(o, first, end_key, counts) : push(o, first, end_key, 0, column->count));
	for (size_t i = first; i < end_key && !o->failed[slice]; i++)
		end(l, lane_segment(l, k->keys, numbers[i]), cursors[i], has_resets ? counts[i] : runs[i].count,
		    o->scale);
}

/* Makes the segments what they were. */
static void restore(const struct in_order *o, size_t count)
{
	const struct key_scans *k = o->c->keys;
	const uint32_t *numbers = (const uint32_t *)(const void *)k->numbers.data;
	const size_t size = o->c->lanes[o->lane].size;
	for (size_t slice = 0; slice < key_slice_count(count); slice++) {
		const size_t first = key_slice_first(slice, count);
		for (size_t i = first; i < first + o->saved[slice]; i++)
			memcpy(key_segment(o->c, o->lane, numbers[i]), k->work.before.data + i * size, size);
	}
}

enum status key_scans_push_in_order(const struct conductor *c, struct slot *s, size_t lane, bool *taken)
{
	struct key_scans *k = c->keys;
	struct slot_lane *to = &s->lanes[lane];
	const struct lane *l = &c->lanes[lane];
	const unsigned char scale = conductor_column(s, to)->scales.data[0];
	const size_t count = grouper_count(&s->keyed.keys);
	struct in_order o = {.c = c, .s = s, .lane = lane, .scale = scale};
	*taken = l->rows[WIDTH_NARROW].code->push_each != NULL && has_scale(l, &l->first, scale) &&
		 (scale == 0 || !l->readings[WIDTH_NARROW].integers_only);
	if (!*taken)
		return STATUS_OK;
	TRY(bytes_make(&k->work.in, count, sizeof(void *)));
	TRY(bytes_make(&k->work.out, count, sizeof(uint32_t)));
	TRY(bytes_make(&k->work.before, count, l->size));
	pool_do_all(c->keys_pool, key_slice_count(count), push_slice, &o);
	for (size_t slice = 0; slice < key_slice_count(count); slice++)
		*taken = *taken && !o.failed[slice];
	if (!*taken) {
		restore(&o, count);
		return STATUS_OK;
	}
	to->forms.size = 0;
	to->step = sizeof(int64_t);
	to->format = (struct result_format){.type = &type_table[TYPE_I64], .decimal = true, .scale = scale};
	return STATUS_OK;
}
