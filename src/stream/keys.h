/* The keys of a stream, numbered from 0 in the order of their first records, with a block of memory for each. One
 * thread at a time. */
#ifndef PSCAN_STREAM_KEYS_H
#define PSCAN_STREAM_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct keys;

/* Returns an empty table, whose blocks have block_size bytes and are aligned for any type. The caller ends it with
 * keys_free. NULL after a message. */
struct keys *keys_new(size_t block_size);
void keys_free(struct keys *k);

/* Makes room in the table for `count` more keys. STATUS_SYSTEM after a message. */
enum status keys_expect(struct keys *k, uint32_t count) MUST_CHECK;

/* Sets *number to the number of the key with these bytes and this hash. A new key gets the next number, and a block
 * with undefined contents. STATUS_SYSTEM after a message: there is no memory, or there are more than 2^32 - 2 keys; the
 * key is then not added. */
enum status keys_find(struct keys *k, uint64_t hash, const void *bytes, size_t size, uint32_t *number) MUST_CHECK;

/* Insert keys that are known to be different, in two steps. Call keys_expect first. keys_append gives a key the next
 * number and a block; its errors are those of keys_find. keys_place enters it in the table; false: the key was there
 * already. Other calls should lie between the two for one key, so that its memory is prefetched. */
enum status keys_append(struct keys *k, uint64_t hash, const void *bytes, size_t size) MUST_CHECK;
bool keys_place(struct keys *k, uint64_t hash, uint32_t number) MUST_CHECK;

/* As keys_find, for a key that exists. False: it does not. */
bool keys_look_up(const struct keys *k, uint64_t hash, const void *bytes, size_t size, uint32_t *number);

/* Prefetch what keys_find will need: first a key's place in the table; later, when that is in the cache, its bytes and
 * its block. */
void keys_fetch_place(const struct keys *k, uint64_t hash);
void keys_fetch_block(const struct keys *k, uint64_t hash);

/* Returns memory that is aligned for any type and stays as long as the keys. NULL after a message. */
void *keys_room(struct keys *k, size_t size);

uint32_t keys_count(const struct keys *k);
/* A key's bytes, and its block. Their addresses do not change. */
const unsigned char *keys_bytes(const struct keys *k, uint32_t number, size_t *size);
void *keys_block(const struct keys *k, uint32_t number);

#endif
