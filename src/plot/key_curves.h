/* Curves for every key of a stream. In the end only the keys with most records are drawn. The index of a result is its
 * time, or that of its record among the key's records. The ranges of all keys have 2^shift indices; the shift grows
 * when all keys together need more ranges than a budget allows, not counting one range for each key. So memory is
 * bounded, and the curves depend only on each key's number of records and results, not on the order of keys. (Wide
 * ranges lose little, because a short key is drawn on the axis of the longest one.) */
#ifndef PSCAN_PLOT_KEY_CURVES_H
#define PSCAN_PLOT_KEY_CURVES_H

#include "plot/curve.h"

/* The usual budget: ranges of all keys together, not counting one range for each key and column. */
#define KEY_CURVES_BUDGET ((size_t)1 << 19)

struct key_curves;

/* Makes an empty struct for records of `columns` results (1 to CURVES_MAX), each of which gives a curve, against times
 * if are_times. budget: the most ranges of all curves. The caller ends it with key_curves_free. NULL after a message if
 * memory is missing. */
struct key_curves *key_curves_new(size_t columns, size_t budget, bool are_times);
/* k may be NULL. */
void key_curves_free(struct key_curves *k);

/* Prefetches the memory that key_curves_add will need for a key. */
void key_curves_fetch(const struct key_curves *k, uint32_t key);
/* Returns the number of records that were added for a key. */
uint64_t key_curves_count(const struct key_curves *k, uint32_t key);
/* Adds a key's next record, with a result for each column. time: TIME_UNKNOWN if the record has none, and anything if
 * curves are not against times. NaN stands for a missing result. Infinities are not allowed.
 * STATUS_SYSTEM after a message if memory is missing. */
enum status key_curves_add(struct key_curves *k, uint32_t key, uint64_t time, const double *results) MUST_CHECK;

/* Returns the number of keys that have records. */
uint64_t key_curves_keys(const struct key_curves *k);
/* Chooses the keys to draw, CURVES_MAX / columns of them or all: those with most records, in descending order. Of keys
 * with equally many records the lowest number comes first. Returns how many were chosen. */
size_t key_curves_choose(const struct key_curves *k, uint32_t keys[CURVES_MAX]);
/* Makes *c the curves of `count` keys: all columns of the first key, then all of the next. The caller ends *c with
 * curves_free. STATUS_SYSTEM after a message if memory is missing. */
enum status key_curves_draw(const struct key_curves *k, const uint32_t *keys, size_t count,
			    struct curves *c) MUST_CHECK;

#endif
