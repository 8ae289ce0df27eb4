/* The texts that scans have had. Each text of the stream has a number, and each pair of a key and a text has the number
 * of the key's segment that had it last. So no memory is cleared where a segment begins. */
#include <string.h>

#include "base/hash.h"
#include "scanner/key_scans.h"
#include "scanner/key_slices.h"

/* A key and a text, by their numbers. */
struct pair {
	uint32_t key, text;
};

struct key_texts {
	struct keys *texts; /* of the stream, each once */
	struct keys *pairs; /* of struct pair; a block is a uint64_t, the segment. NULL: there is one key. */
	struct bytes segments; /* uint64_t: the segment of each text, where there is one key; 0: none */
	struct bytes numbers; /* uint32_t: of each text of the chunk, its number in the stream */
};

void key_texts_free(struct key_texts *t)
{
	if (t == NULL)
		return;
	if (t->texts != NULL)
		keys_free(t->texts);
	if (t->pairs != NULL)
		keys_free(t->pairs);
	bytes_free_all(&t->segments, &t->numbers);
	memory_free(t);
}

/* Returns the texts of a lane, which begin empty. NULL after a message. */
static struct key_texts *texts_of(const struct conductor *c, size_t lane)
{
	struct key_scans *k = c->keys;
	if (k->texts[lane] != NULL)
		return k->texts[lane];
	struct key_texts *t = memory_new(sizeof *t);
	k->texts[lane] = t;
	if (t == NULL)
		return NULL;
	*t = (struct key_texts){.texts = keys_new(0)};
	t->pairs = plan_has_keys(c->plan) ? keys_new(sizeof(uint64_t)) : NULL;
	return t->texts != NULL && (t->pairs != NULL || !plan_has_keys(c->plan)) ? t : NULL;
}

enum status key_texts_number(const struct conductor *c, const struct slot *s, size_t lane)
{
	const struct slot_column *column = &s->columns[s->lanes[lane].column];
	const struct record_key *texts = (const struct record_key *)(const void *)column->texts.keys.data;
	const size_t count = grouper_count(&column->texts);
	struct key_texts *t = texts_of(c, lane);
	if (t == NULL || bytes_make(&t->numbers, count, sizeof(uint32_t)) != STATUS_OK)
		return STATUS_SYSTEM;
	uint32_t *numbers = (uint32_t *)(void *)t->numbers.data;
	for (size_t i = 0; i < count; i++) {
		key_scans_fetch_ahead(t->texts, texts, i, count);
		TRY(keys_find(t->texts, texts[i].hash, record_key_bytes(&texts[i], &s->keyed.key_bytes), texts[i].size,
			      &numbers[i]));
	}
	const size_t before = t->segments.size;
	const size_t size = keys_count(t->texts) * sizeof(uint64_t);
	if (t->pairs != NULL || size == before)
		return STATUS_OK;
	TRY(bytes_reserve(&t->segments, size - before));
	memset(t->segments.data + before, 0, size - before);
	t->segments.size = size;
	return STATUS_OK;
}

/* The segment of the run's key that had a text last. NULL after a message. */
static uint64_t *find_segment(const struct run_scan *r, struct key_texts *t, uint32_t text)
{
	if (t->pairs == NULL)
		return (uint64_t *)(void *)t->segments.data + text;
	const struct pair pair = {r->key, text};
	const uint32_t count = keys_count(t->pairs);
	const uint32_t hash = hash_half(r->c->plan->format.text.hash_key, &pair, sizeof pair);
	uint32_t number;
	if (keys_find(t->pairs, hash, &pair, sizeof pair, &number) != STATUS_OK)
		return NULL;
	uint64_t *segment = keys_block(t->pairs, number);
	if (keys_count(t->pairs) > count)
		*segment = 0;
	return segment;
}

enum status key_texts_add(const struct run_scan *r, uint64_t *news)
{
	struct key_texts *t = r->c->keys->texts[r->lane - r->c->lanes];
	const uint32_t *numbers = (const uint32_t *)(const void *)t->numbers.data;
	const uint64_t present = *segment_number(r->lane, r->segment);
	for (size_t i = 0; i < r->count; i++) {
		uint64_t of_chunk;
		memcpy(&of_chunk, segment_element_at(r, i), sizeof of_chunk);
		uint64_t *segment = find_segment(r, t, numbers[of_chunk]);
		if (segment == NULL)
			return STATUS_SYSTEM;
		news[i] = *segment != present;
		*segment = present;
	}
	return STATUS_OK;
}
