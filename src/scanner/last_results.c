/* A list of results has one of three forms:
 *     one scan, or keys without resets    by the keys' numbers, in memory
 *     resets without keys                 by the segments' numbers, in a temporary file, a block of them in memory
 *     keys with resets                    a list in memory for each key
 * All lanes have one file: block 0 of each lane, then block 1 of each, and so on. */
#include "scanner/last_results.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "base/memory.h"
#include "base/message.h"
#include "io/descriptor.h"
#include "io/temporary.h"

/* Results of a block. */
#define BLOCK_RESULTS ((uint64_t)8192)

/* The results of a lane. */
struct lane_results_list {
	struct bytes values; /* All results, or with a file the block of `first`. Owned. */
	struct bytes keys; /* struct bytes for each key, with keys and resets. Owned, like them. */
	uint64_t first; /* The number of the first result in `values`. */
	uint64_t stored; /* Results of the lane in the file. */
	bool is_read; /* `values` was read from the file. */
};

struct last_results {
	size_t lane_count;
	size_t size; /* Bytes of a result. */
	bool has_keys, has_resets;
	struct temporary file; /* Only with resets and without keys. */
	struct lane_results_list lanes[];
};

struct last_results *last_results_new(size_t lane_count, size_t size, bool has_keys, bool has_resets)
{
	struct last_results *r = memory_zeros(1, sizeof *r + lane_count * sizeof r->lanes[0]);
	if (r == NULL)
		return NULL;
	*r = (struct last_results){.lane_count = lane_count,
				   .size = size,
				   .has_keys = has_keys,
				   .has_resets = has_resets,
				   .file = {.fd = -1}};
	if (has_resets && !has_keys)
		temporary_begin(&r->file);
	return r;
}

void last_results_free(struct last_results *r)
{
	for (size_t i = 0; r != NULL && i < r->lane_count; i++) {
		struct lane_results_list *l = &r->lanes[i];
		struct bytes *keys = (struct bytes *)(void *)l->keys.data;
		for (size_t k = 0; k < l->keys.size / sizeof *keys; k++)
			bytes_free(&keys[k]);
		bytes_free(&l->keys);
		bytes_free(&l->values);
	}
	if (r != NULL)
		temporary_end(&r->file);
	memory_free(r);
}

/* Returns where in the file the lane's block that begins with result `first` is, in bytes. */
static uint64_t place_of(const struct last_results *r, size_t lane, uint64_t first)
{
	return (first / BLOCK_RESULTS * r->lane_count + lane) * BLOCK_RESULTS * r->size;
}

/* Writes a lane's block to the file, and empties it. The block is full, unless it is the lane's last one. */
static enum status store(struct last_results *r, size_t lane)
{
	struct lane_results_list *l = &r->lanes[lane];
	if (r->file.error != 0)
		return temporary_failed(r->file.error);
	if (!descriptor_write(r->file.fd, l->values.data, l->values.size, place_of(r, lane, l->first)))
		return temporary_failed(errno);
	l->stored += l->values.size / r->size;
	l->first = l->stored;
	l->values.size = 0;
	return STATUS_OK;
}

/* The list of a key. NULL after a message if memory is missing. */
static struct bytes *list_of(struct lane_results_list *l, uint32_t key)
{
	static const struct bytes none = {0};
	while (l->keys.size / sizeof none <= key) {
		if (bytes_append(&l->keys, &none, sizeof none) != STATUS_OK)
			return NULL;
	}
	return (struct bytes *)(void *)l->keys.data + key;
}

enum status last_results_add(struct last_results *r, size_t lane, uint32_t key, const void *result, size_t size)
{
	struct lane_results_list *l = &r->lanes[lane];
	unsigned char value[sizeof(struct decimal_total)] = {0};
	struct bytes *list = r->has_keys && r->has_resets ? list_of(l, key) : &l->values;
	if (list == NULL)
		return STATUS_SYSTEM;
	const bool is_full = list->size == BLOCK_RESULTS * r->size;
	if (r->has_resets && !r->has_keys && is_full && store(r, lane) != STATUS_OK)
		return STATUS_SYSTEM;
	assert(size <= r->size && r->size <= sizeof value);
	memcpy(value, result, size);
	return bytes_append(list, value, r->size);
}

const void *last_results_only(const struct last_results *r, size_t lane)
{
	const struct bytes *list = &r->lanes[lane].values;
	return list->size >= r->size ? list->data : NULL;
}

static enum status not_there(void)
{
	return message_fail("the input changed while it was read twice");
}

/* Reads the lane's block with result `number` from the file. The results after the file's are stored first. */
static enum status read_block(struct last_results *r, size_t lane, uint64_t number)
{
	struct lane_results_list *l = &r->lanes[lane];
	if (!l->is_read && store(r, lane) != STATUS_OK)
		return STATUS_SYSTEM;
	l->is_read = true;
	l->first = number / BLOCK_RESULTS * BLOCK_RESULTS;
	l->values.size = 0;
	if (number >= l->stored)
		return STATUS_OK;
	const uint64_t left = l->stored - l->first;
	const size_t size = (size_t)(left < BLOCK_RESULTS ? left : BLOCK_RESULTS) * r->size;
	TRY(bytes_reserve(&l->values, size));
	l->values.size = size;
	return temporary_read(&r->file, l->values.data, size, place_of(r, lane, l->first));
}

enum status last_results_get(struct last_results *r, size_t lane, uint32_t key, uint64_t number, void *result)
{
	struct lane_results_list *l = &r->lanes[lane];
	const struct bytes *list = &l->values;
	uint64_t at = r->has_resets ? number : key;
	if (r->has_keys && r->has_resets) {
		if (l->keys.size / sizeof *list <= key)
			return not_there();
		list = (const struct bytes *)(const void *)l->keys.data + key;
	} else if (r->has_resets) {
		const bool is_here = at >= l->first && at - l->first < list->size / r->size;
		if (!is_here && read_block(r, lane, at) != STATUS_OK)
			return STATUS_SYSTEM;
		at -= l->first;
	}
	if (at >= list->size / r->size)
		return not_there();
	memcpy(result, list->data + at * r->size, r->size);
	return STATUS_OK;
}
