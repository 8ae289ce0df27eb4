/* The totals that t of --emit is. A first reading of the stream adds the last result of each segment to a list when the
 * segment ends; the second one looks it up when the segment's elements are scanned. A segment's number is its place
 * among the segments of its lane and key, in the order in which they begin. */
#include "scanner/key_scans.h"
#include "scanner/last_results.h"

/* A segment that ended in the slot. */
struct ended_total {
	uint32_t key;
	size_t place; /* The offset of its last result in k->ended_last. */
};

/* Appends the last result of a segment to k->ended_last, as the list has it. */
static enum status note_last(struct key_scans *k, const struct lane *l, struct segment *g, size_t *place)
{
	*place = k->ended_last.size;
	if (l->last_offset > 0)
		return bytes_append(&k->ended_last, segment_last(l, g), l->row.results.size);
	const struct decimal_total total = {.value = g->last,
					    .form = g->has_last ? g->last_form : (unsigned char)RESULT_FORM_ABSENT};
	return bytes_append(&k->ended_last, &total, sizeof total);
}

/* Bytes of a result in the list. */
static size_t total_size(const struct lane *l)
{
	return l->last_offset > 0 ? l->row.results.size : sizeof(struct decimal_total);
}

const void *conductor_total(const struct conductor *c, size_t lane)
{
	return c->part.found != NULL ? last_results_only(c->part.found, lane) : NULL;
}

enum status segment_end_total(const struct run_scan *r)
{
	struct ended_total ended = {.key = r->key};
	if (r->c->part.finds == NULL)
		return STATUS_OK;
	if (r->lane->last_offset > 0 ? segment_note_end(r, &ended.place) != STATUS_OK
				     : note_last(r->c->keys, r->lane, r->segment, &ended.place) != STATUS_OK)
		return STATUS_SYSTEM;
	return bytes_append(&r->c->keys->ended_totals, &ended, sizeof ended);
}

enum status conductor_add_ended_totals(struct conductor *c, size_t lane)
{
	struct key_scans *k = c->keys;
	const struct ended_total *ended = (const struct ended_total *)(const void *)k->ended_totals.data;
	const size_t size = total_size(&c->lanes[lane]);
	for (size_t i = 0; i < k->ended_totals.size / sizeof *ended; i++)
		TRY(last_results_add(c->part.finds, lane, ended[i].key, k->ended_last.data + ended[i].place, size));
	k->ended_totals.size = 0;
	return STATUS_OK;
}

enum status conductor_end_totals(struct conductor *c)
{
	const uint32_t count = keys_count(c->keys->keys);
	for (size_t i = 0; i < c->lane_count; i++) {
		const struct lane *l = &c->lanes[i];
		for (uint32_t key = 0; key < count; key++) {
			size_t place;
			c->keys->ended_last.size = 0;
			TRY(note_last(c->keys, l, key_segment(c, i, key), &place));
			TRY(last_results_add(c->part.finds, i, key, c->keys->ended_last.data, total_size(l)));
		}
	}
	return STATUS_OK;
}
