/* The table of keys is compared with a plain list, and its hash function with SipHash written from the paper. */
#include "base/hash.h"
#include "scanner/keys.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "random.h"

/* SipHash-c-d as its paper says it, one step after the other. */
static uint64_t rotate(uint64_t x, int bits)
{
	return x << bits | x >> (64 - bits);
}

static void rounds(uint64_t *v, int count)
{
	for (int i = 0; i < count; i++) {
		v[0] += v[1];
		v[2] += v[3];
		v[1] = rotate(v[1], 13);
		v[3] = rotate(v[3], 16);
		v[1] ^= v[0];
		v[3] ^= v[2];
		v[0] = rotate(v[0], 32);
		v[2] += v[1];
		v[0] += v[3];
		v[1] = rotate(v[1], 17);
		v[3] = rotate(v[3], 21);
		v[1] ^= v[2];
		v[3] ^= v[0];
		v[2] = rotate(v[2], 32);
	}
}

static uint64_t siphash(int c, int d, uint64_t k0, uint64_t k1, const unsigned char *bytes, size_t size)
{
	uint64_t v[4] = {k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d, k0 ^ 0x6c7967656e657261,
			 k1 ^ 0x7465646279746573};
	for (size_t word = 0; word <= size / 8; word++) {
		uint64_t m = 0;
		for (size_t i = 0; i < 8; i++) {
			const size_t at = 8 * word + i;
			const uint64_t byte = at < size ? bytes[at] : i == 7 ? size & 0xff : 0;
			m |= byte << 8 * i;
		}
		v[3] ^= m;
		rounds(v, c);
		v[0] ^= m;
	}
	v[2] ^= 0xff;
	rounds(v, d);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

static void check_hash(void)
{
	unsigned char bytes[64];
	const struct hash_key key = {.k0 = 0x0706050403020100, .k1 = 0x0f0e0d0c0b0a0908};
	for (unsigned i = 0; i < sizeof bytes; i++)
		bytes[i] = (unsigned char)i;
	/* The paper's appendix. */
	CHECK(siphash(2, 4, key.k0, key.k1, bytes, 15) == 0xa129ca6149be45e5, "the test's own SipHash is the paper's");
	for (size_t size = 0; size <= sizeof bytes; size++)
		EXPECT(hash_bytes(&key, bytes, size) == siphash(1, 3, key.k0, key.k1, bytes, size), "%zu bytes", size);
	check_promise("the hash is SipHash-1-3, whatever the size");
	struct hash_key a, b;
	CHECK(hash_key_new(&a) == STATUS_OK && hash_key_new(&b) == STATUS_OK && (a.k0 != b.k0 || a.k1 != b.k1),
	      "no two runs have the same hash");
}

#define KEYS 30000

/* So many keys with hashes of that many bits at most, and blocks of so many bytes; each is asked for twice. */
static void check_table(unsigned count, unsigned bits, size_t block_size)
{
	static uint32_t hashes[KEYS];
	struct keys *k = keys_new(block_size);
	static char texts[KEYS][24];
	for (uint32_t i = 0; i < count; i++) {
		uint32_t number = UINT32_MAX;
		(void)snprintf(texts[i], sizeof texts[i], "%.*s%u", (int)(i % 7), "prefix", (unsigned)i);
		hashes[i] = (uint32_t)(random_u64() >> (64 - bits));
		const size_t size = strlen(texts[i]);
		for (int again = 0; again < 2; again++)
			EXPECT(keys_find(k, hashes[i], texts[i], size, &number) == STATUS_OK && number == i, "%s",
			       texts[i]);
		memset(keys_block(k, i), (int)(i % 251), block_size);
		memcpy(keys_block(k, i), &i, sizeof i);
	}
	for (uint32_t i = 0; i < count; i++) {
		size_t size;
		uint32_t written;
		const unsigned char *bytes = keys_bytes(k, i, &size);
		uint32_t number = UINT32_MAX;
		const unsigned char *block = keys_block(k, i);
		memcpy(&written, block, sizeof written);
		EXPECT(block_size == sizeof written || block[block_size - 1] == i % 251, "%s: its block", texts[i]);
		EXPECT(keys_find(k, hashes[i], texts[i], strlen(texts[i]), &number) == STATUS_OK && number == i, "%s",
		       texts[i]);
		EXPECT(size == strlen(texts[i]) && memcmp(bytes, texts[i], size) == 0 && written == i, "%s", texts[i]);
	}
	EXPECT(keys_count(k) == count, "%u keys", (unsigned)keys_count(k));
	keys_free(k);
	check_promise("keys are numbered as they come, and keep their bytes and blocks, with hashes of %u bits", bits);
}

/* Memory that lives with keys, whose own stays what it is. */
static void check_room(void)
{
	struct keys *k = keys_new(1);
	static unsigned char *rooms[400];
	uint32_t number;
	for (uint32_t i = 0; i < 400; i++) {
		char text[64];
		const size_t size = (size_t)i * 397 + 1;
		const int length =
			snprintf(text, sizeof text, "a key that is longer than a block has room for: %u", (unsigned)i);
		rooms[i] = keys_room(k, size);
		EXPECT(rooms[i] != NULL && (uintptr_t)rooms[i] % _Alignof(max_align_t) == 0, "%zu bytes", size);
		memset(rooms[i], (int)(i % 251), size);
		EXPECT(keys_find(k, i, text, (size_t)length, &number) == STATUS_OK && number == i, "%s", text);
	}
	for (uint32_t i = 0; i < 400; i++) {
		char text[64];
		size_t size;
		const int length =
			snprintf(text, sizeof text, "a key that is longer than a block has room for: %u", (unsigned)i);
		const unsigned char *bytes = keys_bytes(k, i, &size);
		EXPECT(size == (size_t)length && memcmp(bytes, text, size) == 0, "%s", text);
		for (size_t j = 0; j < (size_t)i * 397 + 1; j++)
			EXPECT(rooms[i][j] == i % 251, "room %u", (unsigned)i);
	}
	keys_free(k);
	check_promise("room beside keys is aligned and nobody else's");
}

static void check_sizes(void)
{
	struct keys *k = keys_new(1);
	static unsigned char bytes[200000];
	uint32_t number;
	for (uint32_t i = 0; i < 500; i++) {
		const size_t size = (size_t)i * 397;
		memset(bytes, (int)(i % 251), size);
		EXPECT(keys_find(k, 0, bytes, size, &number) == STATUS_OK && number == i, "%zu bytes", size);
	}
	for (uint32_t i = 0; i < 500; i += 7) {
		const size_t size = (size_t)i * 397;
		memset(bytes, (int)(i % 251), size);
		EXPECT(keys_find(k, 0, bytes, size, &number) == STATUS_OK && number == i, "%zu bytes", size);
	}
	keys_free(k);
	check_promise("keys of all sizes are found, though all have one hash");
}

int main(void)
{
	check_hash();
	check_table(KEYS, 32, 1000);
	check_table(3000, 8, sizeof(uint32_t));
	check_sizes();
	check_room();
	return check_done();
}
