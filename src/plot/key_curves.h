/* Curves for every key of a stream. In the end only the keys with most records are drawn. The index of a result is its
 * time, or without times the index of its record among the key's records. The ranges of all keys have 2^shift indices.
 * The shift grows when all keys together need more ranges than a budget allows, not counting one range for each key. So
 * memory is bounded, and a key's curves do not depend on the order of keys. (Wide ranges lose little, because a key
 * with few records is drawn on the axis of the key with most.) */
#ifndef PSCAN_PLOT_KEY_CURVES_H
#define PSCAN_PLOT_KEY_CURVES_H

#include "plot/curve.h"

/* The usual budget: ranges of all keys together, not counting one range for each key and column. */
#define KEY_CURVES_BUDGET ((size_t)1 << 19)

struct key_curves;

/* Returns curves without records, against times if are_times. columns: the results of a record, 1 to CURVES_MAX; each
 * column is a curve of each key. budget: the most ranges of all curves together, not counting one for each key and
 * column. The caller ends them with key_curves_free. NULL after a message if memory is missing. */
struct key_curves *key_curves_new(size_t columns, size_t budget, bool are_times);
/* Frees the curves. k may be NULL. */
void key_curves_free(struct key_curves *k);

/* Keys are numbers from 0; memory grows with the greatest one. */

/* Prefetches some of the memory that key_curves_add will need for a key. */
void key_curves_fetch(const struct key_curves *k, uint32_t key);
/* Returns the number of records that were added for a key. */
uint64_t key_curves_count(const struct key_curves *k, uint32_t key);
/* Adds a key's next record. results: one for each column; NaN stands for a missing one, and infinities are not allowed.
 * time: the record's time, or TIME_UNKNOWN if it has none; ignored if curves are not against times. STATUS_SYSTEM after
 * a message if memory is missing; only key_curves_free may follow. */
enum status key_curves_add(struct key_curves *k, uint32_t key, uint64_t time, const double *results) MUST_CHECK;

/* Returns the number of keys that have records. */
uint64_t key_curves_keys(const struct key_curves *k);
/* Sets the first elements of `keys` to the keys to draw, CURVES_MAX / columns of them or all that have records: those
 * with most records, in descending order. Of keys with equally many records the lowest number comes first. Returns how
 * many were chosen. */
size_t key_curves_choose(const struct key_curves *k, uint32_t keys[CURVES_MAX]);
/* Makes *c the curves of `count` of the keys: all columns of the first key, then all of the next, and so on. Against
 * times, *c has the times of all keys, drawn or not; otherwise as many indices as the longest of `keys` has records.
 * c->timeless is of all keys, too. *c must own nothing. The caller ends *c with curves_free. STATUS_SYSTEM after a
 * message if memory is missing. */
enum status key_curves_draw(const struct key_curves *k, const uint32_t *keys, size_t count,
			    struct curves *c) MUST_CHECK;

#endif
