/* A chunk's keys are looked up and scanned in slices, perhaps by several threads. */
#ifndef PSCAN_SCANNER_KEY_SLICES_H
#define PSCAN_SCANNER_KEY_SLICES_H

#include <stddef.h>

#include "scanner/keys.h"
#include "text/grouper.h"

/* The most keys of a slice, unless a chunk then has more than KEY_SLICES_MAX slices. (The keys' blocks fit the cache of
 * a core. Measured, with a million keys.) */
#define SLICE_KEYS 4096
/* The most slices of a chunk. */
#define KEY_SLICES_MAX 64

/* Returns into how many slices `count` keys of a chunk are divided. 0 for no keys. */
static inline size_t key_slice_count(size_t count)
{
	const size_t slices = (count + SLICE_KEYS - 1) / SLICE_KEYS;
	return slices < KEY_SLICES_MAX ? slices : KEY_SLICES_MAX;
}

/* Returns the index of the first of the slice's keys. count (at least 1): the chunk's keys. */
static inline size_t key_slice_first(size_t slice, size_t count)
{
	return slice * count / key_slice_count(count);
}

/* Returns the index after the last of the slice's keys. */
static inline size_t key_slice_end(size_t slice, size_t count)
{
	return key_slice_first(slice + 1, count);
}

/* How many records ahead a key's memory is prefetched. (Measured, with a million keys.) */
#define AHEAD 16

/* Call it before each key i of `count` is looked up, in order. Prefetches what later look-ups need. */
static inline void key_scans_fetch_ahead(const struct keys *k, const struct record_key *keys, size_t i, size_t count)
{
	if (i + 2 * AHEAD < count)
		keys_fetch_bucket(k, keys[i + 2 * AHEAD].hash);
	if (i + AHEAD < count)
		keys_fetch_block(k, keys[i + AHEAD].hash);
}

#endif
