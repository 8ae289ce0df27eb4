/* A curve for every key of a stream, of which those with most records are drawn in the end. An index is that among the
 * records of the key. All keys' ranges have the same number of indices, a power of two, which doubles when there are
 * more ranges than a budget allows, besides one of each key: so memory is bounded, and a curve depends on nothing but
 * how many records each key has and what their results are. (A key that is drawn on an axis of the longest has no use
 * for narrower ranges, unless even the longest is a small part of all.) */
#ifndef PSCAN_PLOT_KEY_CURVES_H
#define PSCAN_PLOT_KEY_CURVES_H

#include "plot/curve.h"

/* Ranges of all keys' curves together, besides one of each. */
#define KEY_CURVES_BUDGET ((size_t)1 << 19)

struct key_curves;

/* Of so many results of a record, 1 to CURVES_MAX, and so many ranges; NULL after a message. */
struct key_curves *key_curves_new(size_t columns, size_t budget);
void key_curves_free(struct key_curves *k);

/* Memory that key_curves_add will need is asked for ahead of it. */
void key_curves_fetch(const struct key_curves *k, uint32_t key);
/* How many records of a key were added. */
uint64_t key_curves_count(const struct key_curves *k, uint32_t key);
/* The next record of a key has these results; a NaN is none, and there are no infinities. STATUS_SYSTEM after a
 * message. */
enum status key_curves_add(struct key_curves *k, uint32_t key, const double *results) MUST_CHECK;

/* How many keys have records. */
uint64_t key_curves_keys(const struct key_curves *k);
/* The keys that are drawn: those with most records, the greatest first and of equals the least number, as many of them
 * as have CURVES_MAX curves. Returns how many. */
size_t key_curves_choose(const struct key_curves *k, uint32_t keys[CURVES_MAX]);
/* Makes curves of these: all of the first key, then those of the next. STATUS_SYSTEM after a message. */
enum status key_curves_draw(const struct key_curves *k, const uint32_t *keys, size_t count,
			    struct curves *c) MUST_CHECK;

#endif
