/* An open-addressed table, at most three quarters full, whose places hold a key's number and the half of its hash by which its
 * place is found, so that growing needs no key. Keys and blocks lie in pages that never move. */
#include "stream/keys.h"

#include <stdbool.h>
#include <string.h>

#include "base/memory.h"

/* Keys of a page. */
#define PAGE_KEYS 1024
/* Bytes of a page of texts, at least. */
#define TEXT_PAGE_SIZE ((size_t)1 << 16)
#define CACHE_LINE 64
/* So much of a block is fetched ahead. */
#define FETCH_SIZE 256

/* What a key's block begins with. */
struct key {
	const unsigned char *bytes; /* in a page of texts */
	size_t size;
};

#define KEY_SIZE sizeof(struct key)
_Static_assert(KEY_SIZE % _Alignof(max_align_t) == 0, "what follows is aligned for any type");

/* A place of the table; number 0: it is empty. */
struct place {
	uint32_t hash;
	uint32_t number; /* plus 1 */
};

/* Owned, as its pages are. */
struct pages {
	unsigned char **pages; /* room for capacity of them */
	size_t count, capacity;
};

struct keys {
	size_t block_size;
	uint32_t count;
	struct place *places;
	size_t place_count; /* a power of two, or 0 */
	struct pages blocks, texts;
	unsigned char *text; /* where the next text goes, */
	size_t text_left; /* and so many bytes */
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

static void free_pages(struct pages *p)
{
	for (size_t i = 0; i < p->count; i++)
		memory_free(p->pages[i]);
	memory_free(p->pages);
}

void keys_free(struct keys *k)
{
	if (k == NULL)
		return;
	free_pages(&k->blocks);
	free_pages(&k->texts);
	memory_free(k->places);
	memory_free(k);
}

uint32_t keys_count(const struct keys *k)
{
	return k->count;
}

static struct key *key_of(const struct keys *k, uint32_t number)
{
	return (struct key *)(void *)(k->blocks.pages[number / PAGE_KEYS] + number % PAGE_KEYS * k->block_size);
}

const unsigned char *keys_bytes(const struct keys *k, uint32_t number, size_t *size)
{
	const struct key *key = key_of(k, number);
	*size = key->size;
	return key->bytes;
}

void *keys_block(const struct keys *k, uint32_t number)
{
	return (unsigned char *)key_of(k, number) + KEY_SIZE;
}

void keys_fetch_place(const struct keys *k, uint64_t hash)
{
	if (k->place_count > 0)
		__builtin_prefetch(&k->places[(uint32_t)(hash >> 32) & (k->place_count - 1)]);
}

void keys_fetch_block(const struct keys *k, uint64_t hash)
{
	const uint32_t half = (uint32_t)(hash >> 32);
	if (k->place_count == 0)
		return;
	const struct place *place = &k->places[half & (k->place_count - 1)];
	if (place->number == 0 || place->hash != half)
		return;
	const unsigned char *block = (const unsigned char *)key_of(k, place->number - 1);
	for (size_t i = 0; i < k->block_size && i < FETCH_SIZE; i += CACHE_LINE)
		__builtin_prefetch(block + i);
}

void keys_fetch_bytes(const struct keys *k, uint64_t hash)
{
	const uint32_t half = (uint32_t)(hash >> 32);
	if (k->place_count == 0)
		return;
	const struct place *place = &k->places[half & (k->place_count - 1)];
	if (place->number != 0 && place->hash == half)
		__builtin_prefetch(key_of(k, place->number - 1)->bytes);
}

/* A new page of size bytes, or NULL. */
static unsigned char *add_page(struct pages *p, size_t size)
{
	if (p->count == p->capacity) {
		const size_t capacity = p->capacity > 0 ? 2 * p->capacity : 16;
		unsigned char **pages = memory_try(capacity * sizeof *pages);
		if (pages == NULL)
			return NULL;
		if (p->count > 0)
			memcpy(pages, p->pages, p->count * sizeof *pages);
		memory_free(p->pages);
		p->pages = pages;
		p->capacity = capacity;
	}
	unsigned char *page = memory_try(size);
	if (page != NULL)
		p->pages[p->count++] = page;
	return page;
}

/* Room for a key more. False: there is none. */
static bool need_room(struct keys *k, size_t text_size)
{
	if (k->count == UINT32_MAX - 1)
		return false;
	if (k->blocks.count == k->count / PAGE_KEYS && add_page(&k->blocks, PAGE_KEYS * k->block_size) == NULL)
		return false;
	if (k->text != NULL && text_size <= k->text_left)
		return true;
	const size_t page_size = text_size < TEXT_PAGE_SIZE ? TEXT_PAGE_SIZE : text_size;
	unsigned char *page = add_page(&k->texts, page_size);
	if (page == NULL)
		return false;
	k->text = page;
	k->text_left = page_size;
	return true;
}

static size_t next_place(const struct keys *k, size_t place)
{
	return (place + 1) & (k->place_count - 1);
}

/* Twice the places. */
static bool grow(struct keys *k)
{
	const size_t count = k->place_count > 0 ? 2 * k->place_count : 1024;
	struct place *const before = k->places;
	const size_t before_count = k->place_count;
	struct place *places = memory_try(count * sizeof *places);
	if (places == NULL)
		return false;
	memset(places, 0, count * sizeof *places);
	k->places = places;
	k->place_count = count;
	for (size_t i = 0; i < before_count; i++) {
		if (before[i].number == 0)
			continue;
		size_t at = before[i].hash & (count - 1);
		while (places[at].number != 0)
			at = next_place(k, at);
		places[at] = before[i];
	}
	memory_free(before);
	return true;
}

static enum status no_room(const struct keys *k)
{
	memory_missing_for(k->count, "keys");
	return STATUS_SYSTEM;
}

/* The place in a table that has some of the key with these bytes, or the empty one where it would be. */
static size_t find_place(const struct keys *k, uint64_t hash, const void *bytes, size_t size)
{
	const uint32_t half = (uint32_t)(hash >> 32);
	size_t at = half & (k->place_count - 1);
	for (; k->places[at].number != 0; at = next_place(k, at)) {
		if (k->places[at].hash != half)
			continue;
		const struct key *key = key_of(k, k->places[at].number - 1);
		if (key->size == size && memcmp(key->bytes, bytes, size) == 0)
			break;
	}
	return at;
}

bool keys_look_up(const struct keys *k, uint64_t hash, const void *bytes, size_t size, uint32_t *number)
{
	if (k->place_count == 0)
		return false;
	*number = k->places[find_place(k, hash, bytes, size)].number - 1;
	return *number != UINT32_MAX;
}

enum status keys_find(struct keys *k, uint64_t hash, const void *bytes, size_t size, uint32_t *number)
{
	if ((size_t)k->count + 1 > k->place_count / 4 * 3 && !grow(k))
		return no_room(k);
	const size_t at = find_place(k, hash, bytes, size);
	if (k->places[at].number != 0) {
		*number = k->places[at].number - 1;
		return STATUS_OK;
	}
	if (!need_room(k, size))
		return no_room(k);
	struct key *key = key_of(k, k->count);
	*key = (struct key){.bytes = k->text, .size = size};
	memcpy(k->text, bytes, size);
	k->text += size;
	k->text_left -= size;
	*number = k->count++;
	k->places[at] = (struct place){.hash = (uint32_t)(hash >> 32), .number = k->count};
	return STATUS_OK;
}
