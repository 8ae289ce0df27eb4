/* The ranges of all keys lie in one array, in the order in which they began. A hash table finds the range that a key
 * has of some indices. If there are too many ranges, they all become twice as wide: then each is looked up again, and
 * added to an earlier one of its key or moved up. */
#include "plot/key_curves.h"

#include "number/time.h"

/* Places of the smallest table. */
#define TABLE_LEAST 4096

/* What is known of a key. */
struct key_count {
	uint64_t records;
	uint32_t last; /* The number of the range that its last record is in, from 1. It may be another key's now. */
};

/* The results of one key in one range of 2^shift indices. */
struct key_range {
	uint64_t number; /* The upper bits of its indices. */
	uint32_t key;
	struct range ranges[]; /* One for each column. */
};

struct key_curves {
	size_t columns;
	size_t range_size; /* Bytes of a struct key_range. */
	bool are_times;
	unsigned shift; /* A range has 2^shift indices. */
	uint64_t keys; /* Keys that have records. */
	uint64_t timeless; /* Records without a time. */
	uint64_t first, last; /* The earliest and the latest time, if first <= last. */
	size_t room; /* The most ranges: the budget, and one of each key that has some. */
	struct bytes counts; /* struct key_count, of each key and perhaps of more. Owned. */
	struct bytes ranges; /* Room for `used` struct key_range, numbered from 1. Owned. */
	uint32_t used;
	uint32_t *table; /* table_mask + 1 numbers of ranges; 0: an empty place. Owned. */
	size_t table_mask;
};

static size_t count_size(const struct key_curves *k)
{
	return k->counts.size / sizeof(struct key_count);
}

static struct key_count *count_of(const struct key_curves *k, size_t key)
{
	return (struct key_count *)(void *)k->counts.data + key;
}

/* Makes counts up to that of a key, and as many more as there is room for. */
static enum status reach_count(struct key_curves *k, size_t key)
{
	if (key < count_size(k))
		return STATUS_OK;
	TRY(bytes_reserve(&k->counts, (key + 1) * sizeof(struct key_count) - k->counts.size));
	memset(k->counts.data + k->counts.size, 0, k->counts.capacity - k->counts.size);
	k->counts.size = k->counts.capacity / sizeof(struct key_count) * sizeof(struct key_count);
	return STATUS_OK;
}

/* Returns a range by its number, from 1. */
static struct key_range *range_at(const struct key_curves *k, uint32_t number)
{
	return (struct key_range *)(void *)(k->ranges.data + (number - 1) * k->range_size);
}

struct key_curves *key_curves_new(size_t columns, size_t budget, bool are_times)
{
	struct key_curves *k = memory_new(sizeof *k);
	if (k == NULL)
		return NULL;
	*k = (struct key_curves){.columns = columns,
				 .range_size = sizeof(struct key_range) + columns * sizeof(struct range),
				 .are_times = are_times,
				 .first = UINT64_MAX,
				 .room = budget / columns};
	return k;
}

void key_curves_free(struct key_curves *k)
{
	if (k == NULL)
		return;
	bytes_free(&k->counts);
	bytes_free(&k->ranges);
	memory_free(k->table);
	memory_free(k);
}

void key_curves_fetch(const struct key_curves *k, uint32_t key)
{
	if (key < count_size(k))
		__builtin_prefetch(count_of(k, key), 1);
}

uint64_t key_curves_count(const struct key_curves *k, uint32_t key)
{
	return key < count_size(k) ? count_of(k, key)->records : 0;
}

uint64_t key_curves_keys(const struct key_curves *k)
{
	return k->keys;
}

/* Returns the place in the table of a key's range, or the empty place where it belongs. */
static uint32_t *find_place(const struct key_curves *k, uint32_t key, uint64_t number)
{
	uint64_t hash = (number ^ (uint64_t)key << 40) * UINT64_C(0x9e3779b97f4a7c15);
	hash = (hash ^ hash >> 32) * UINT64_C(0xd6e8feb86659fd93);
	for (size_t i = (size_t)(hash ^ hash >> 32);; i++) {
		uint32_t *place = &k->table[i & k->table_mask];
		if (*place == 0 || (range_at(k, *place)->key == key && range_at(k, *place)->number == number))
			return place;
	}
}

/* Puts all ranges into the table anew. With `wider` they become twice as wide first, and a key's ranges that have
 * become one are added. */
static void fill_table(struct key_curves *k, unsigned wider)
{
	const uint32_t used = k->used;
	memset(k->table, 0, (k->table_mask + 1) * sizeof *k->table);
	k->used = 0;
	for (uint32_t i = 1; i <= used; i++) {
		const struct key_range *from = range_at(k, i);
		const uint64_t number = from->number >> wider;
		uint32_t *place = find_place(k, from->key, number);
		if (*place == 0) {
			struct key_range *to = range_at(k, ++k->used);
			memmove(to, from, k->range_size);
			to->number = number;
			*place = k->used;
			continue;
		}
		for (size_t j = 0; j < k->columns; j++)
			range_add(&range_at(k, *place)->ranges[j], from->ranges[j]);
	}
	k->shift += wider;
}

/* Makes the table large enough for one more range: at most three quarters of it are in use. */
static enum status grow_table(struct key_curves *k)
{
	const size_t size = k->table != NULL ? k->table_mask + 1 : 0;
	if (k->used + 1 <= size / 4 * 3)
		return STATUS_OK;
	const size_t larger = size > 0 ? 2 * size : TABLE_LEAST;
	memory_free(k->table);
	k->table = memory_new_large(larger * sizeof *k->table);
	if (k->table == NULL)
		return STATUS_SYSTEM;
	k->table_mask = larger - 1;
	fill_table(k, 0);
	return STATUS_OK;
}

/* Sets *number to the number of a key's range of an index. Makes the range if the key does not have it, and all ranges
 * wider as long as there are too many. */
static enum status enter_range(struct key_curves *k, uint32_t key, uint64_t index, uint32_t *number)
{
	TRY(grow_table(k));
	uint32_t *place = find_place(k, key, index >> k->shift);
	while (*place == 0 && k->used == k->room) {
		fill_table(k, 1);
		place = find_place(k, key, index >> k->shift);
	}
	if (*place == 0) {
		k->ranges.size = k->used * k->range_size;
		TRY(bytes_reserve(&k->ranges, k->range_size));
		struct key_range *r = range_at(k, k->used + 1);
		*place = ++k->used;
		r->key = key;
		r->number = index >> k->shift;
		for (size_t i = 0; i < k->columns; i++)
			r->ranges[i] = range_gap;
	}
	*number = *place;
	return STATUS_OK;
}

enum status key_curves_add(struct key_curves *k, uint32_t key, uint64_t time, const double *results)
{
	TRY(reach_count(k, key));
	struct key_count *c = count_of(k, key);
	const uint64_t index = k->are_times ? time : c->records;
	k->keys += c->records++ == 0;
	if (k->are_times && time == TIME_UNKNOWN) {
		k->timeless++;
		return STATUS_OK;
	}
	k->first = index < k->first ? index : k->first;
	k->last = index > k->last ? index : k->last;
	struct key_range *r = c->last > 0 && c->last <= k->used ? range_at(k, c->last) : NULL;
	if (r == NULL || r->key != key || r->number != index >> k->shift) {
		k->room += c->last == 0;
		TRY(enter_range(k, key, index, &c->last));
		r = range_at(k, c->last);
	}
	/* Comparisons with a NaN are false, so it changes nothing. */
	for (size_t i = 0; i < k->columns; i++)
		range_add(&r->ranges[i], (struct range){.least = results[i], .greatest = results[i]});
	return STATUS_OK;
}

size_t key_curves_choose(const struct key_curves *k, uint32_t keys[CURVES_MAX])
{
	const size_t most = CURVES_MAX / k->columns;
	size_t count = 0;
	for (size_t i = 0; i < count_size(k); i++) {
		const uint64_t records = count_of(k, i)->records;
		size_t at = count;
		if (records == 0)
			continue;
		for (; at > 0 && key_curves_count(k, keys[at - 1]) < records; at--) {
			if (at < most)
				keys[at] = keys[at - 1];
		}
		if (at < most)
			keys[at] = (uint32_t)i;
		count += count < most;
	}
	return count;
}

/* Makes the ranges of the curves of keys, all of them gaps. */
static void reach_all(const struct key_curves *k, const uint32_t *keys, size_t count, struct curves *c)
{
	uint64_t end = 0;
	for (size_t i = 0; i < count; i++)
		end = key_curves_count(k, keys[i]) > end ? key_curves_count(k, keys[i]) : end;
	curves_begin(c, 0);
	c->shift = k->shift; /* They may become wider. */
	c->timeless = k->timeless;
	if (!k->are_times)
		curves_reach(c, end);
	else if (k->first <= k->last)
		curves_reach_times(c, k->first, k->last + 1);
}

enum status key_curves_draw(const struct key_curves *k, const uint32_t *keys, size_t count, struct curves *c)
{
	TRY(curves_make(c, count * k->columns, k->are_times));
	reach_all(k, keys, count, c);
	for (uint32_t number = 1; number <= k->used; number++) {
		const struct key_range *r = range_at(k, number);
		const uint64_t index = r->number << k->shift;
		for (size_t i = 0; i < count; i++) {
			for (size_t j = 0; j < k->columns && keys[i] == r->key; j++)
				curves_put_range(c, i * k->columns + j, index, r->ranges[j]);
		}
	}
	return STATUS_OK;
}
