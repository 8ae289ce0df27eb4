/* The keys of a stream, numbered from 0 in the order in which they come, with a block of memory for each. One thread
 * at a time. */
#ifndef PSCAN_STREAM_KEYS_H
#define PSCAN_STREAM_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct keys;

/* Blocks of block_size bytes, aligned for any type. NULL after a message. */
struct keys *keys_new(size_t block_size);
void keys_free(struct keys *k);

/* Makes room in the table for `count` more keys. STATUS_SYSTEM after a message. */
enum status keys_expect(struct keys *k, uint32_t count) MUST_CHECK;

/* The number of the key with these bytes and that hash; a new one gets the next number, and a block, contents
 * undefined. STATUS_SYSTEM after a message: no memory, or more than 2^32 - 2 keys; then it is not there. */
enum status keys_find(struct keys *k, uint64_t hash, const void *bytes, size_t size, uint32_t *number) MUST_CHECK;

/* For many keys that are known to be different: the first gives a key the next number and a block, the second has it
 * found. Some time should lie between them, in which memory is fetched; and keys_expect comes before. Of keys_place
 * false: the same key was there. keys_append's STATUS_SYSTEM: as above. */
enum status keys_append(struct keys *k, uint64_t hash, const void *bytes, size_t size) MUST_CHECK;
bool keys_place(struct keys *k, uint64_t hash, uint32_t number) MUST_CHECK;

/* As keys_find, of a key that is there already; false: it is not. */
bool keys_look_up(const struct keys *k, uint64_t hash, const void *bytes, size_t size, uint32_t *number);

/* What keys_find will need, ahead of it: a key's place in the table; once that is there, its bytes and its block. */
void keys_fetch_place(const struct keys *k, uint64_t hash);
void keys_fetch_block(const struct keys *k, uint64_t hash);

/* Memory aligned for any type that is there as long as the keys are. NULL after a message. */
void *keys_room(struct keys *k, size_t size);

uint32_t keys_count(const struct keys *k);
/* A key's bytes, and its block. They stay where they are. */
const unsigned char *keys_bytes(const struct keys *k, uint32_t number, size_t *size);
void *keys_block(const struct keys *k, uint32_t number);

#endif
