/* A key's last range, which still grows, is kept with the key. Its earlier ranges are nodes of a pool, in a list from
 * the last to the first. Indices only grow, so no earlier range is ever searched for. */
#include "plot/key_curves.h"

#include <math.h>

/* Number of keys of a page. */
#define PAGE_KEYS 4096

/* One key's curves. */
struct key_curve {
	uint64_t count; /* Records of the key. */
	uint32_t top; /* The node of the range before the open one. 0: there is none. */
	struct range open[]; /* The last range, for each column. */
};

struct node {
	uint32_t below; /* The node of the range before this one, or the next free node. 0: there is none. */
	struct range ranges[]; /* One for each column. */
};

struct key_curves {
	size_t columns;
	unsigned shift; /* A range has 2^shift indices. */
	uint64_t keys; /* Keys that have records. */
	struct bytes pages; /* An array of unsigned char *. Each page has PAGE_KEYS struct key_curve. All owned. */
	size_t curve_size; /* Bytes of a struct key_curve with its ranges. */
	unsigned char *nodes; /* node_count nodes, numbered from 1. Owned. */
	size_t node_size; /* Bytes of a struct node with its ranges. */
	uint32_t node_count, used; /* Nodes 1 .. used are or were in use; later ones are new. */
	uint32_t free; /* The first node of the list of those that are free again. 0: the list is empty. */
};

struct key_curves *key_curves_new(size_t columns, size_t budget)
{
	struct key_curves *k = memory_new(sizeof *k);
	if (k == NULL)
		return NULL;
	*k = (struct key_curves){.columns = columns,
				 .curve_size = sizeof(struct key_curve) + columns * sizeof(struct range),
				 .node_size = sizeof(struct node) + columns * sizeof(struct range),
				 .node_count = (uint32_t)(budget / columns)};
	k->nodes = memory_new_large(k->node_count * k->node_size);
	if (k->nodes != NULL)
		return k;
	memory_free(k);
	return NULL;
}

static size_t page_count(const struct key_curves *k)
{
	return k->pages.size / sizeof(unsigned char *);
}

static unsigned char *page_of(const struct key_curves *k, size_t page)
{
	return ((unsigned char **)(void *)k->pages.data)[page];
}

void key_curves_free(struct key_curves *k)
{
	if (k == NULL)
		return;
	for (size_t i = 0; i < page_count(k); i++)
		memory_free(page_of(k, i));
	bytes_free(&k->pages);
	memory_free(k->nodes);
	memory_free(k);
}

static struct key_curve *curve_of(const struct key_curves *k, uint32_t key)
{
	return (struct key_curve *)(void *)(page_of(k, key / PAGE_KEYS) + key % PAGE_KEYS * k->curve_size);
}

static struct node *node_of(const struct key_curves *k, uint32_t number)
{
	return (struct node *)(void *)(k->nodes + (number - 1) * k->node_size);
}

static bool has_page(const struct key_curves *k, uint32_t key)
{
	return key / PAGE_KEYS < page_count(k);
}

void key_curves_fetch(const struct key_curves *k, uint32_t key)
{
	if (has_page(k, key))
		__builtin_prefetch(curve_of(k, key), 1);
}

uint64_t key_curves_count(const struct key_curves *k, uint32_t key)
{
	return has_page(k, key) ? curve_of(k, key)->count : 0;
}

uint64_t key_curves_keys(const struct key_curves *k)
{
	return k->keys;
}

static enum status add_pages(struct key_curves *k, uint32_t key)
{
	while (!has_page(k, key)) {
		unsigned char *page = memory_new(PAGE_KEYS * k->curve_size);
		if (page == NULL)
			return STATUS_SYSTEM;
		memset(page, 0, PAGE_KEYS * k->curve_size);
		if (bytes_append(&k->pages, &page, sizeof page) != STATUS_OK) {
			memory_free(page);
			return STATUS_SYSTEM;
		}
	}
	return STATUS_OK;
}

/* Adds the ranges of the node *link to `ranges`, removes the node from its list and frees it. */
static void absorb(struct key_curves *k, struct range *ranges, uint32_t *link)
{
	const uint32_t number = *link;
	struct node *node = node_of(k, number);
	for (size_t i = 0; i < k->columns; i++)
		range_add(&ranges[i], node->ranges[i]);
	*link = node->below;
	node->below = k->free;
	k->free = number;
}

/* Joins each range of a key that has an even number with the range after it. */
static void widen(struct key_curves *k, struct key_curve *c)
{
	const uint64_t open = (c->count - 1) >> k->shift;
	if (open % 2 == 1)
		absorb(k, c->open, &c->top);
	for (uint32_t number = c->top; number != 0; number = node_of(k, number)->below)
		absorb(k, node_of(k, number)->ranges, &node_of(k, number)->below);
}

static void widen_all(struct key_curves *k)
{
	for (size_t i = 0; i < page_count(k) * PAGE_KEYS; i++) {
		struct key_curve *c = curve_of(k, (uint32_t)i);
		if (c->count > 0)
			widen(k, c);
	}
	k->shift++;
}

/* Returns a node for a key's open range, which is full. Widens all ranges as long as no node is free. Returns 0 if the
 * open range has become wider and is no longer full. */
static uint32_t take_node(struct key_curves *k, const struct key_curve *c)
{
	while (k->free == 0 && k->used == k->node_count)
		widen_all(k);
	const uint32_t number = k->free;
	if (c->count % ((uint64_t)1 << k->shift) != 0)
		return 0;
	if (number == 0)
		return ++k->used;
	k->free = node_of(k, number)->below;
	return number;
}

/* Begins a new open range for a key whose open range is full, or which has no records yet. */
static void begin_range(struct key_curves *k, struct key_curve *c)
{
	if (c->count > 0) {
		const uint32_t number = take_node(k, c);
		if (number == 0)
			return;
		struct node *node = node_of(k, number);
		node->below = c->top;
		memcpy(node->ranges, c->open, k->columns * sizeof *c->open);
		c->top = number;
	}
	k->keys += c->count == 0;
	for (size_t i = 0; i < k->columns; i++)
		c->open[i] = range_gap;
}

enum status key_curves_add(struct key_curves *k, uint32_t key, const double *results)
{
	if (!has_page(k, key) && add_pages(k, key) != STATUS_OK)
		return STATUS_SYSTEM;
	struct key_curve *c = curve_of(k, key);
	if (c->count % ((uint64_t)1 << k->shift) == 0)
		begin_range(k, c);
	/* Comparisons with a NaN are false, so it changes nothing. */
	for (size_t i = 0; i < k->columns; i++)
		range_add(&c->open[i], (struct range){.least = results[i], .greatest = results[i]});
	c->count++;
	return STATUS_OK;
}

size_t key_curves_choose(const struct key_curves *k, uint32_t keys[CURVES_MAX])
{
	const size_t most = CURVES_MAX / k->columns;
	size_t count = 0;
	for (size_t i = 0; i < page_count(k) * PAGE_KEYS; i++) {
		const uint64_t records = curve_of(k, (uint32_t)i)->count;
		size_t at = count;
		if (records == 0)
			continue;
		for (; at > 0 && curve_of(k, keys[at - 1])->count < records; at--) {
			if (at < most)
				keys[at] = keys[at - 1];
		}
		if (at < most)
			keys[at] = (uint32_t)i;
		count += count < most;
	}
	return count;
}

enum status key_curves_draw(const struct key_curves *k, const uint32_t *keys, size_t count, struct curves *c)
{
	uint64_t end = 0;
	if (curves_make(c, count * k->columns) != STATUS_OK)
		return STATUS_SYSTEM;
	for (size_t i = 0; i < count; i++)
		end = key_curves_count(k, keys[i]) > end ? key_curves_count(k, keys[i]) : end;
	curves_begin(c, 0);
	c->shift = k->shift; /* curves_reach may widen them further. */
	curves_reach(c, end);
	for (size_t i = 0; i < count; i++) {
		const struct key_curve *curve = curve_of(k, keys[i]);
		uint64_t index = (curve->count - 1) >> k->shift << k->shift;
		const struct range *ranges = curve->open;
		for (uint32_t number = curve->top; ranges != NULL; index -= (uint64_t)1 << k->shift) {
			for (size_t j = 0; j < k->columns; j++)
				curves_put_range(c, i * k->columns + j, index, ranges[j]);
			ranges = number != 0 ? node_of(k, number)->ranges : NULL;
			number = number != 0 ? node_of(k, number)->below : 0;
		}
	}
	return STATUS_OK;
}
