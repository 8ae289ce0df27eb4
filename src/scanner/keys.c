/* An open-addressed table, at most three quarters full. A bucket holds a key's number and the half of its hash that
 * chooses the bucket, so growing needs no key. Keys and blocks lie in pages that never move. (With a million keys each
 * access to the table or a block is a cache miss, and with pages of ordinary size a TLB miss, too.) */
#include "scanner/keys.h"

#include <stdbool.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

/* Places of the first table. */
#define FIRST_BUCKETS 1024
/* Keys in a page. */
#define PAGE_KEYS 1024
/* The first pages are allocated one by one. Later ones are allocated this many bytes at a time: in large pages of
 * memory, if the system has them. */
#define SMALL_PAGES 16
#define SLAB_SIZE ((size_t)8 << 20)
/* A table of at least this many bytes is in large pages as well. */
#define LARGE_TABLE ((size_t)2 << 20)
/* The least bytes that are allocated for keys_room at a time. */
#define ROOM_SIZE ((size_t)1 << 16)
#define CACHE_LINE 64
/* How much of a block is prefetched. */
#define FETCH_SIZE 256

/* Keys up to this many bytes are stored in their blocks. */
#define NEAR_SIZE 24

/* What a key's block begins with. */
struct key {
	size_t size;
	union {
		unsigned char near[NEAR_SIZE];
		const unsigned char *far;
	};
};

#define KEY_SIZE sizeof(struct key)
_Static_assert(KEY_SIZE % _Alignof(max_align_t) == 0, "what follows is aligned for any type");

struct keys {
	size_t block_size;
	uint32_t count;
	struct hash_bucket *buckets;
	size_t bucket_count; /* a power of two, or 0 */
	struct bytes pages; /* unsigned char *: the pages of blocks */
	struct bytes owned; /* unsigned char *: all memory to be freed, which is slabs, single pages, room */
	unsigned char *slab, *room; /* free memory: for the next pages; for keys_room */
	size_t slab_left, room_left; /* bytes left in slab and in room */
};

static size_t aligned(size_t size)
{
	return (size + _Alignof(max_align_t) - 1) / _Alignof(max_align_t) * _Alignof(max_align_t);
}

struct keys *keys_new(size_t block_size)
{
	struct keys *k = memory_new(sizeof *k);
	if (k != NULL)
		*k = (struct keys){.block_size = KEY_SIZE + aligned(block_size)};
	return k;
}

void keys_free(struct keys *k)
{
	if (k == NULL)
		return;
	memory_free_each((void *const *)(const void *)k->owned.data, k->owned.size / sizeof(void *));
	bytes_free_all(&k->owned, &k->pages);
	memory_free_all(k->buckets, k);
}

uint32_t keys_count(const struct keys *k)
{
	return k->count;
}

static struct key *key_of(const struct keys *k, uint32_t number)
{
	unsigned char *const *pages = (unsigned char *const *)(const void *)k->pages.data;
	return (struct key *)(void *)(pages[number / PAGE_KEYS] + number % PAGE_KEYS * k->block_size);
}

static const unsigned char *bytes_of(const struct key *key)
{
	return key->size <= NEAR_SIZE ? key->near : key->far;
}

const unsigned char *keys_bytes(const struct keys *k, uint32_t number, size_t *size)
{
	const struct key *key = key_of(k, number);
	*size = key->size;
	return bytes_of(key);
}

void *keys_block(const struct keys *k, uint32_t number)
{
	return (unsigned char *)key_of(k, number) + KEY_SIZE;
}

void keys_fetch_bucket(const struct keys *k, uint32_t hash)
{
	if (k->bucket_count > 0)
		__builtin_prefetch(&k->buckets[hash & (k->bucket_count - 1)]);
}

void keys_fetch_block(const struct keys *k, uint32_t hash)
{
	if (k->bucket_count == 0)
		return;
	const struct hash_bucket *bucket = &k->buckets[hash & (k->bucket_count - 1)];
	if (bucket->number == 0 || bucket->hash != hash)
		return;
	const unsigned char *block = (const unsigned char *)key_of(k, bucket->number - 1);
	for (size_t i = 0; i < k->block_size && i < FETCH_SIZE; i += CACHE_LINE)
		__builtin_prefetch(block + i);
}

/* Allocates memory that the keys own. NULL if there is none. */
static unsigned char *own(struct keys *k, unsigned char *memory)
{
	if (memory != NULL && bytes_append(&k->owned, &memory, sizeof memory) == STATUS_OK)
		return memory;
	memory_free(memory);
	return NULL;
}

/* Adds a page. False if memory is missing. */
static bool add_page(struct keys *k)
{
	const size_t size = PAGE_KEYS * k->block_size;
	unsigned char *page;
	if (k->pages.size / sizeof page < SMALL_PAGES || size > SLAB_SIZE) {
		page = own(k, memory_try(size));
	} else {
		if (k->slab_left < size) {
			k->slab = own(k, memory_try_large(SLAB_SIZE));
			k->slab_left = k->slab != NULL ? SLAB_SIZE : 0;
		}
		page = k->slab;
		k->slab += page != NULL ? size : 0;
		k->slab_left -= page != NULL ? size : 0;
	}
	return page != NULL && bytes_append(&k->pages, &page, sizeof page) == STATUS_OK;
}

/* Takes `size` bytes, aligned for any type, from the room. NULL if memory is missing. */
static unsigned char *allocate(struct keys *k, size_t size)
{
	size = aligned(size);
	if (k->room_left < size) {
		const size_t room_size = size < ROOM_SIZE ? ROOM_SIZE : size;
		k->room = own(k, memory_try(room_size));
		k->room_left = k->room != NULL ? room_size : 0;
		if (k->room == NULL)
			return NULL;
	}
	unsigned char *room = k->room;
	k->room += size;
	k->room_left -= size;
	return room;
}

/* Grows the table to `count` buckets, a power of two. False if memory is missing; the table is then unchanged. */
static bool grow(struct keys *k, size_t count)
{
	struct hash_bucket *const before = k->buckets;
	const size_t before_count = k->bucket_count;
	const size_t size = count * sizeof(struct hash_bucket);
	struct hash_bucket *buckets = size < LARGE_TABLE ? memory_try(size) : memory_try_large(size);
	if (buckets == NULL)
		return false;
	memset(buckets, 0, size);
	k->buckets = buckets;
	k->bucket_count = count;
	for (size_t i = 0; i < before_count; i++) {
		if (before[i].number != 0)
			hash_enter(buckets, count, before[i]);
	}
	memory_free(before);
	return true;
}

static enum status no_room(const struct keys *k)
{
	memory_missing_for(k->count, "keys");
	return STATUS_SYSTEM;
}

/* Returns the bucket of the key with these bytes, or the empty bucket where it would go. The table must have
 * buckets. */
static size_t find_bucket(const struct keys *k, uint32_t hash, const void *bytes, size_t size)
{
	size_t at = hash & (k->bucket_count - 1);
	for (; k->buckets[at].number != 0; at = hash_next_bucket(at, k->bucket_count)) {
		if (k->buckets[at].hash != hash)
			continue;
		const struct key *key = key_of(k, k->buckets[at].number - 1);
		if (key->size == size && memory_is_same(bytes_of(key), bytes, size))
			break;
	}
	return at;
}

bool keys_look_up(const struct keys *k, uint32_t hash, const void *bytes, size_t size, uint32_t *number)
{
	if (k->bucket_count == 0)
		return false;
	*number = k->buckets[find_bucket(k, hash, bytes, size)].number - 1;
	return *number != UINT32_MAX;
}

enum status keys_expect(struct keys *k, uint32_t count)
{
	const uint64_t most = (uint64_t)k->count + count;
	size_t buckets = k->bucket_count > 0 ? k->bucket_count : FIRST_BUCKETS;
	while (buckets / 4 * 3 < most)
		buckets *= 2;
	return buckets == k->bucket_count || grow(k, buckets) ? STATUS_OK : no_room(k);
}

/* Appends a key without entering it in the table. */
static enum status append(struct keys *k, const void *bytes, size_t size)
{
	if (k->count == UINT32_MAX - 1 || (k->pages.size / sizeof(void *) == k->count / PAGE_KEYS && !add_page(k)))
		return no_room(k);
	struct key *key = key_of(k, k->count);
	unsigned char *to = key->near;
	if (size > NEAR_SIZE) {
		to = allocate(k, size);
		if (to == NULL)
			return no_room(k);
		key->far = to;
	}
	key->size = size;
	memcpy(to, bytes, size);
	k->count++;
	return STATUS_OK;
}

static void set_bucket(struct keys *k, size_t at, uint32_t hash, uint32_t number)
{
	k->buckets[at] = (struct hash_bucket){.hash = hash, .number = number + 1};
}

enum status keys_find(struct keys *k, uint32_t hash, const void *bytes, size_t size, uint32_t *number)
{
	if (keys_expect(k, 1) != STATUS_OK)
		return STATUS_SYSTEM;
	const size_t at = find_bucket(k, hash, bytes, size);
	if (k->buckets[at].number != 0) {
		*number = k->buckets[at].number - 1;
		return STATUS_OK;
	}
	if (append(k, bytes, size) != STATUS_OK)
		return STATUS_SYSTEM;
	*number = k->count - 1;
	set_bucket(k, at, hash, *number);
	return STATUS_OK;
}

enum status keys_append(struct keys *k, uint32_t hash, const void *bytes, size_t size)
{
	keys_fetch_bucket(k, hash);
	return append(k, bytes, size);
}

bool keys_enter(struct keys *k, uint32_t hash, uint32_t number)
{
	const struct key *key = key_of(k, number);
	const size_t at = find_bucket(k, hash, bytes_of(key), key->size);
	if (k->buckets[at].number != 0)
		return false;
	set_bucket(k, at, hash, number);
	return true;
}

void *keys_room(struct keys *k, size_t size)
{
	void *room = allocate(k, size);
	if (room == NULL)
		(void)no_room(k);
	return room;
}
