/* The keys of a stream, numbered from 0 in the order of their first records, with a block of memory for each. Functions
 * that take a const struct keys may run in several threads if no other function runs. The other functions need one
 * thread at a time. */
#ifndef PSCAN_SCANNER_KEYS_H
#define PSCAN_SCANNER_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct keys;

/* Returns an empty table, whose blocks have block_size bytes and are aligned for any type. The caller ends it with
 * keys_free. NULL after a message. */
struct keys *keys_new(size_t block_size);
/* Frees all keys, blocks and rooms. NULL: does nothing. */
void keys_free(struct keys *k);

/* Makes room in the table for `count` more keys. STATUS_SYSTEM after a message: the keys are then unchanged. */
enum status keys_expect(struct keys *k, uint32_t count) MUST_CHECK;

/* Sets *number to the number of the key with these bytes and this hash. A new key gets the next number, and a block
 * with undefined contents. STATUS_SYSTEM after a message: there is no memory, or there are more than 2^32 - 2 keys; the
 * key is then not added. */
enum status keys_find(struct keys *k, uint32_t hash, const void *bytes, size_t size, uint32_t *number) MUST_CHECK;

/* The first of two steps that add a key. Call keys_expect before. This step gives the key the next number, and a block
 * with undefined contents, and prefetches the key's bucket in the table. Append some other keys before the second step,
 * so that the bucket has arrived in the cache by then. Until the second step no look-up finds the key. STATUS_SYSTEM as
 * for keys_find. */
enum status keys_append(struct keys *k, uint32_t hash, const void *bytes, size_t size) MUST_CHECK;
/* The second step: enters the key with this hash and number in the table. Returns false, and enters nothing, if another
 * key with the same bytes is in the table. */
bool keys_enter(struct keys *k, uint32_t hash, uint32_t number) MUST_CHECK;

/* Sets *number to the number of the key with these bytes and this hash. Returns false if there is none; *number is then
 * undefined. Adds nothing. */
bool keys_look_up(const struct keys *k, uint32_t hash, const void *bytes, size_t size, uint32_t *number);

/* Prefetches a key's bucket in the table, for keys_find. */
void keys_fetch_bucket(const struct keys *k, uint32_t hash);
/* Prefetches a key's bytes and block, once its bucket is in the cache. */
void keys_fetch_block(const struct keys *k, uint32_t hash);

/* Returns `size` bytes, aligned for any type, that live as long as the keys. NULL after a message. */
void *keys_room(struct keys *k, size_t size);

/* Returns how many keys there are. Their numbers are below this. */
uint32_t keys_count(const struct keys *k);
/* Returns a key's bytes, and sets *size to their number. They live as long as the keys, at the same address. */
const unsigned char *keys_bytes(const struct keys *k, uint32_t number, size_t *size);
/* Returns a key's block. It lives as long as the keys, at the same address. */
void *keys_block(const struct keys *k, uint32_t number);

#endif
