/* The keys of a chunk, against a plain list. */
#include "text/grouper.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "random.h"

#define RECORDS 20000

/* Allocations fail from number fail_from on, as many as fail_count. (In place of the C library's function.) */
static unsigned allocations, fail_from, fail_count;
void *aligned_alloc(size_t alignment, size_t size)
{
	void *block = NULL;
	const bool fails = ++allocations >= fail_from && allocations - fail_from < fail_count;
	return fails || posix_memalign(&block, alignment, size) != 0 ? NULL : block;
}

/* A key's text: of the same bytes where the first, the middle and the last words are, if it is to be like all others
 * there. */
static size_t write_name(char *text, size_t size, uint32_t name, bool are_alike)
{
	if (are_alike)
		return (size_t)snprintf(text, size, "beginnin%04u in the middle %04ulast one", (unsigned)(name % 10000),
					(unsigned)(name / 10000));
	return (size_t)snprintf(text, size, "%.*s%u", (int)(name % 13), "somewhatlong", (unsigned)name);
}

/* So many records of at most that many keys, in the input, or every third of them copied. */
static void check_records(unsigned key_max, bool are_alike)
{
	static char texts[RECORDS][64];
	static uint32_t first_of[RECORDS]; /* of each key by its number: the first record */
	static struct grouper g; /* used again: cleared */
	static const struct hash_key secret = {.k0 = 1, .k1 = 2};
	struct bytes copied = {0};
	uint32_t count = 0;
	grouper_clear(&g);
	for (uint32_t i = 0; i < RECORDS; i++) {
		struct record_key key = {.is_copied = i % 3 == 0};
		if (key.is_copied)
			key.at = copied.size;
		else
			key.bytes = texts[i];
		uint32_t number = 0;
		bool is_new = false;
		key.size = write_name(texts[i], sizeof texts[i], (uint32_t)(random_u64() % key_max), are_alike);
		EXPECT(i % 3 > 0 || bytes_append(&copied, texts[i], key.size) == STATUS_OK, "memory");
		while (number < count && strcmp(texts[first_of[number]], texts[i]) != 0)
			number++;
		const uint32_t before = (uint32_t)grouper_count(&g);
		if (i % 3 == 1)
			EXPECT(grouper_add_input(&g, &secret, key.bytes, key.size, &copied) == STATUS_OK, "memory");
		else
			EXPECT(grouper_add(&g, &secret, &key, &copied, &is_new) == STATUS_OK, "memory");
		is_new = grouper_count(&g) > before;
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
	for (uint32_t i = 0; i < count; i++) {
		const char *text = texts[first_of[i]];
		EXPECT(memcmp(record_key_bytes(&keys[i], &copied), text, keys[i].size) == 0, "key %u", (unsigned)i);
		EXPECT(keys[i].hash == hash_half(&secret, text, strlen(text)), "key %u: its hash", (unsigned)i);
	}
	bytes_free(&copied);
	if (key_max == 1)
		grouper_free(&g);
	check_promise("records have their keys' numbers: of up to %u keys%s", key_max,
		      are_alike ? " that look alike" : "");
}

/* Keys of the same bytes but for zeros after them. */
static void check_zeros(void)
{
	static const char zeros[KEY_SHORT_MAX] = "key";
	static const struct hash_key secret = {.k0 = 3, .k1 = 4};
	struct grouper g = {0};
	const struct bytes none = {0};
	for (uint32_t i = 0; i < 10 * RECENT_AFTER; i++) {
		EXPECT(grouper_add_input(&g, &secret, zeros, i % 20, &none) == STATUS_OK, "memory");
		const uint32_t number = ((const uint32_t *)(const void *)g.of_records.data)[i];
		EXPECT(number == i % 20, "%u bytes: key %u", (unsigned)i % 20, (unsigned)number);
	}
	grouper_free(&g);
	check_promise("keys that differ by zeros at their ends are others");
}

/* Two keys with the same half of their hashes (found by trying numbers). */
static void check_equal_hashes(void)
{
	static const char texts[2][KEY_SHORT_MAX] = {"50325", "178863"};
	static const struct hash_key secret = {.k0 = 1, .k1 = 2};
	struct grouper g = {0};
	const struct bytes none = {0};
	EXPECT(hash_half(&secret, texts[0], 5) == hash_half(&secret, texts[1], 6), "other hashes");
	for (uint32_t i = 0; i < 4; i++) {
		EXPECT(grouper_add_input(&g, &secret, texts[i % 2], strlen(texts[i % 2]), &none) == STATUS_OK,
		       "memory");
		const uint32_t number = ((const uint32_t *)(const void *)g.of_records.data)[i];
		EXPECT(number == i % 2, "record %u: key %u", (unsigned)i, (unsigned)number);
	}
	grouper_free(&g);
	check_promise("keys with equal hashes are different keys");
}

/* Different keys while one allocation fails, and the `count` - 1 after it. What failed is tried again. Returns whether
 * any failed. */
static bool check_failing(unsigned from, unsigned count)
{
	static char texts[5000][KEY_SHORT_MAX + 8];
	static const struct hash_key secret = {.k0 = 5, .k1 = 6};
	struct grouper g = {0};
	const struct bytes copied = {0};
	unsigned failures = 0;
	allocations = 0;
	fail_from = from;
	fail_count = count;
	for (uint32_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		const size_t size = (size_t)snprintf(texts[i], sizeof texts[i], "key %u", (unsigned)i);
		while (grouper_add_input(&g, &secret, texts[i], size, &copied) != STATUS_OK)
			failures++;
		EXPECT(grouper_count(&g) == i + 1, "key %u: %zu keys", (unsigned)i, grouper_count(&g));
	}
	fail_count = 0;
	EXPECT(failures <= count, "%u failures of %u", failures, count);
	grouper_free(&g);
	return failures > 0;
}

/* (Blocks between guard pages do not come from aligned_alloc.) */
static void check_memory(void)
{
	unsigned from = 1;
	while (check_failing(from, 1) && check_failing(from, 9))
		from++;
#ifndef PSCAN_GUARD_PAGES
	EXPECT(from > 20, "%u allocations", from);
#endif
	check_promise("keys are as they were after any allocation failed, one or several in a row");
}

int main(void)
{
	check_memory();
	check_zeros();
	check_equal_hashes();
	check_records(3000, false);
	check_records(3000, true);
	check_records(50, true);
	check_records(200, false);
	check_records(200, false); /* what was there before is forgotten */
	check_records(1, false);
	return check_done();
}
