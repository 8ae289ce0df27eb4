/* The keys of a chunk, against a plain list. */
#include "text/grouper.h"

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "random.h"

#define RECORDS 20000

/* So many records of at most that many keys, whose hashes have so many bits: in the input, or every third of them copied. */
static void check_records(unsigned key_max, unsigned bits)
{
	static char texts[RECORDS][24];
	static uint32_t first_of[RECORDS]; /* of each key by its number: the first record */
	static uint64_t hashes[RECORDS];
	static struct grouper g; /* used again: cleared */
	struct bytes copied = {0};
	uint32_t count = 0;
	grouper_clear(&g);
	for (uint32_t i = 0; i < key_max; i++)
		hashes[i] = (random_u64() >> (64 - bits)) << 32;
	for (uint32_t i = 0; i < RECORDS; i++) {
		const uint32_t name = (uint32_t)(random_u64() % key_max);
		struct record_key key = {.hash = hashes[name]};
		uint32_t number = 0;
		bool is_new = false;
		(void)snprintf(texts[i], sizeof texts[i], "%.*s%u", (int)(name % 13), "somewhatlong", (unsigned)name);
		key.size = strlen(texts[i]);
		key.at = copied.size;
		key.bytes = i % 3 > 0 ? texts[i] : NULL;
		EXPECT(i % 3 > 0 || bytes_append(&copied, texts[i], key.size) == STATUS_OK, "memory");
		while (number < count && strcmp(texts[first_of[number]], texts[i]) != 0)
			number++;
		EXPECT(grouper_add(&g, &key, &copied, &is_new) == STATUS_OK, "memory");
		EXPECT(is_new == (number == count), "record %u: %s is%s new", (unsigned)i, texts[i],
		       is_new ? "" : " not");
		if (number == count)
			first_of[count++] = i;
		const uint32_t *of_records = (const uint32_t *)(const void *)g.of_records.data;
		EXPECT(of_records[i] == number, "record %u: key %u, not %u", (unsigned)i, (unsigned)of_records[i],
		       (unsigned)number);
	}
	EXPECT(grouper_count(&g) == count, "%zu keys", grouper_count(&g));
	const struct record_key *keys = (const struct record_key *)(const void *)g.keys.data;
	for (uint32_t i = 0; i < count; i++)
		EXPECT(memcmp(record_key_bytes(&keys[i], &copied), texts[first_of[i]], keys[i].size) == 0, "key %u",
		       (unsigned)i);
	bytes_free(&copied);
	if (key_max == 1)
		grouper_free(&g);
	check_promise("records have their keys' numbers: up to %u keys, hashes of %u bits", key_max, bits);
}

int main(void)
{
	check_records(3000, 32);
	check_records(200, 4);
	check_records(700, 1);
	check_records(1, 32);
	return check_done();
}
