/* A chunk's keys are looked up and scanned in slices, perhaps by several threads. */
#ifndef PSCAN_SCANNER_KEY_SLICES_H
#define PSCAN_SCANNER_KEY_SLICES_H

#include <stddef.h>

#include "scanner/keys.h"
#include "text/grouper.h"

/* Slices have at least this many keys. (Their blocks fit the cache of a core. Measured, with a million keys.) */
#define SLICE_KEYS 4096
/* The most slices of a chunk. */
#define KEY_SLICES_MAX 64

/* How many slices `count` keys of a chunk have. */
static inline size_t key_slice_count(size_t count)
{
	const size_t slices = (count + SLICE_KEYS - 1) / SLICE_KEYS;
	return slices < KEY_SLICES_MAX ? slices : KEY_SLICES_MAX;
}

/* The first key of a slice. */
static inline size_t key_slice_first(size_t slice, size_t count)
{
	return slice * count / key_slice_count(count);
}

/* The key after its last one. */
static inline size_t key_slice_end(size_t slice, size_t count)
{
	return key_slice_first(slice + 1, count);
}

/* How many records ahead a key's memory is prefetched. (Measured, with a million keys.) */
#define AHEAD 16

/* Prefetches what finding key i of `count` and those after it takes. */
static inline void key_scans_fetch_ahead(const struct keys *k, const struct record_key *keys, size_t i, size_t count)
{
	if (i + 2 * AHEAD < count)
		keys_fetch_place(k, keys[i + 2 * AHEAD].hash);
	if (i + AHEAD < count)
		keys_fetch_block(k, keys[i + AHEAD].hash);
}

#endif
