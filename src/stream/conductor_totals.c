/* The totals that t of --emit is. A first reading of the stream adds the last result of each segment to a list when the
 * segment ends; the second one looks it up when the segment's elements are scanned. A segment's number is its place
 * among the segments of its lane and key, in the order in which they begin. */
#include "stream/key_scans.h"
#include "stream/last_results.h"

/* A segment that ended in the slot. */
struct ended_total {
	uint32_t key;
	size_t place; /* The offset of its last result in k->ended_last. */
};

const void *conductor_total(const struct conductor *c, size_t lane)
{
	return c->part.found != NULL ? last_results_only(c->part.found, lane) : NULL;
}

enum status segment_end_total(const struct run_scan *r)
{
	struct ended_total ended = {.key = r->key};
	if (r->c->part.finds == NULL)
		return STATUS_OK;
	if (segment_note_end(r, &ended.place) != STATUS_OK)
		return STATUS_SYSTEM;
	return bytes_append(&r->c->keys->ended_totals, &ended, sizeof ended);
}

enum status conductor_take_ended_totals(struct conductor *c, size_t lane)
{
	struct key_scans *k = c->keys;
	const struct ended_total *ended = (const struct ended_total *)(const void *)k->ended_totals.data;
	const size_t size = c->lanes[lane].row.results.size;
	enum status status = STATUS_OK;
	for (size_t i = 0; i < k->ended_totals.size / sizeof *ended && status == STATUS_OK; i++)
		status = last_results_add(c->part.finds, lane, ended[i].key, k->ended_last.data + ended[i].place, size);
	k->ended_totals.size = 0;
	return status;
}

enum status conductor_end_totals(struct conductor *c)
{
	const uint32_t count = keys_count(c->keys->keys);
	enum status status = STATUS_OK;
	for (size_t i = 0; i < c->lane_count; i++) {
		const struct lane *l = &c->lanes[i];
		for (uint32_t key = 0; key < count && status == STATUS_OK; key++)
			status = last_results_add(c->part.finds, i, key, segment_last(l, key_segment(c, i, key)),
						  l->row.results.size);
	}
	return status;
}
