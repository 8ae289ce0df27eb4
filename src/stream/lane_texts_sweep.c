/* Gives a slot the texts that its results are, and forgets those that no scan has any more: whose numbers are not among
 * what would be saved of the scan. */
#include "stream/conductor_save_private.h"
#include "stream/lane_texts.h"

/* Forgets texts of the lanes that have many. all: of every lane. */
static enum status sweep(struct conductor *c, bool all)
{
	struct pack packed = {0};
	enum status status = STATUS_OK;
	for (size_t i = 0; i < c->lane_count && status == STATUS_OK; i++) {
		struct lane_texts *t = c->keys->kept[i];
		if (t == NULL || (!all && !lane_texts_is_full(t)))
			continue;
		packed.bytes.size = 0;
		saved_pack_segments(&packed, c, i);
		if (packed.failed) {
			status = STATUS_SYSTEM;
			continue;
		}
		lane_texts_mark(t, packed.bytes.data, packed.bytes.size);
		status = lane_texts_sweep(t);
	}
	bytes_free(&packed.bytes);
	return status;
}

enum status lane_texts_accept(struct conductor *c, struct slot *s)
{
	enum status status = STATUS_OK;
	for (size_t i = 0; i < c->lane_count && status == STATUS_OK; i++) {
		if (c->keys->kept[i] != NULL && !c->plan->total && s->decode.decoded.records > 0)
			status = lane_texts_show(c, s, i);
	}
	return status == STATUS_OK ? sweep(c, c->plan->ends.is_saved && s->in.last) : status;
}
