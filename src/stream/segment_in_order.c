/* Keys' elements that were left in the records' order (slot_group): each goes to its key's cursor at once, and its
 * result is where it belongs. What cannot be taken so, decimals other than a key's so far or a sum beyond 64 bits, is
 * found before anything is changed. */
#include <string.h>

#include "scan/host.h"
#include "stream/key_scans.h"

/* Whether the segment's elements and results so far have 64 bits and this scale. */
static bool has_scale(const struct segment *g, unsigned char scale)
{
	return g->width == WIDTH_NARROW && ((!g->has_last && g->count == 0) || g->scale == scale);
}

/* Finds the cursors of the chunk's keys and saves their state. *can: every key is narrow and has this scale. */
static enum status find_cursors(const struct conductor *c, const struct slot *s, unsigned char scale, bool *can)
{
	struct key_scans *k = c->keys;
	struct lane *l = &c->lanes[0];
	const uint32_t *numbers = (const uint32_t *)(const void *)k->numbers.data;
	const size_t count = grouper_count(&s->keyed.keys);
	const size_t size = l->rows[WIDTH_NARROW].code->cursor_size;
	if (bytes_make(&k->work.in, count, sizeof(void *)) != STATUS_OK ||
	    bytes_make(&k->work.before, count, size) != STATUS_OK)
		return STATUS_SYSTEM;
	void **cursors = (void **)(void *)k->work.in.data;
	*can = true;
	for (size_t i = 0; i < count && *can; i++) {
		if (i + AHEAD < count)
			__builtin_prefetch(key_segment(c, 0, numbers[i + AHEAD]), 1);
		struct segment *g = key_segment(c, 0, numbers[i]);
		*can = has_scale(g, scale);
		cursors[i] = segment_cursor(l, g);
		memcpy(k->work.before.data + i * size, cursors[i], size);
	}
	return STATUS_OK;
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
	g->scale = g->own_scale = scale;
	segment_took(l, g, &last, sizeof last, scale, count);
}

enum status key_scans_take_in_order(const struct conductor *c, struct slot *s, bool *taken)
{
	struct key_scans *k = c->keys;
	const struct slot_column *column = conductor_column(s, &s->lanes[0]);
	const struct row *row = &c->lanes[0].rows[WIDTH_NARROW];
	const unsigned char scale = column->scales.data[0];
	const size_t size = row->code->cursor_size;
	*taken = false;
	if (row->code->push_each == NULL || (scale > 0 && c->lanes[0].readings[WIDTH_NARROW].integers_only))
		return STATUS_OK;
	const enum status status = find_cursors(c, s, scale, taken);
	if (status != STATUS_OK || !*taken)
		return status;
	void *const *cursors = (void *const *)(const void *)k->work.in.data;
	const uint32_t *numbers = (const uint32_t *)(const void *)k->numbers.data;
	const uint32_t *counts = (const uint32_t *)(const void *)s->keyed.key_counts.data;
	const uint32_t *of_records = (const uint32_t *)(const void *)s->keyed.keys.of_records.data;
	*taken = row->code->push_each(cursors, of_records, column->elements, column->count, row->parameter,
				      s->lanes[0].results) == SIZE_MAX;
	for (size_t i = 0; i < grouper_count(&s->keyed.keys); i++) {
		if (!*taken)
			memcpy(cursors[i], k->work.before.data + i * size, size);
		else if (counts[i] > 0)
			end(&c->lanes[0], key_segment(c, 0, numbers[i]), cursors[i], counts[i], scale);
	}
	if (!*taken)
		return STATUS_OK;
	s->lanes[0].forms.size = 0;
	s->lanes[0].step = sizeof(int64_t);
	s->lanes[0].format = (struct result_format){.type = &type_table[TYPE_I64], .decimal = true, .scale = scale};
	return STATUS_OK;
}
