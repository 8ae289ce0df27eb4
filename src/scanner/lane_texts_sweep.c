/* Gives a slot the texts that its results are, and forgets those that no scan has any more: whose numbers are not among
 * what would be saved of the scan. */
#include "scanner/conductor_save_private.h"
#include "scanner/lane_texts.h"

/* Forgets texts of a lane. */
static enum status sweep_lane(const struct conductor *c, size_t lane)
{
	struct lane_texts *t = c->keys->kept[lane];
	struct lane_layouts *layouts = saved_find_layouts(c);
	struct pack packed = {.failed = layouts == NULL};
	size_t looked = 0;
	for (uint32_t key = 0; key < keys_count(c->keys->keys) && !packed.failed; key++) {
		packed.bytes.size = 0;
		saved_pack_segment(&packed, c, &layouts[lane], lane, key);
		lane_texts_mark(t, packed.bytes.data, packed.bytes.size);
		looked += packed.bytes.size;
	}
	bytes_free(&packed.bytes);
	memory_free(layouts);
	return packed.failed ? STATUS_SYSTEM : lane_texts_sweep(t, looked);
}

enum status lane_texts_accept(struct conductor *c, struct slot *s)
{
	for (size_t i = 0; i < c->lane_count; i++) {
		if (c->keys->kept[i] != NULL && !c->plan->total && s->decode.decoded.records > 0)
			TRY(lane_texts_show(c, s, i));
	}
	/* (What is saved has no others.) */
	const bool all = c->plan->ends.is_saved && s->in.last;
	for (size_t i = 0; i < c->lane_count; i++) {
		if (c->keys->kept[i] != NULL && (all || lane_texts_is_full(c->keys->kept[i])))
			TRY(sweep_lane(c, i));
	}
	return STATUS_OK;
}
