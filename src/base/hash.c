/* SipHash works on 64-bit words: each word of the input is mixed once into a state of four words, and the end three
 * times. */
#define _DEFAULT_SOURCE
#include "base/hash.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

#include "base/message.h"

enum status hash_key_new(struct hash_key *key)
{
	ssize_t got;
	do
		got = getrandom(key, sizeof *key, 0);
	while (got < 0 && errno == EINTR);
	if (got == (ssize_t)sizeof *key)
		return STATUS_OK;
	return message_fail("getrandom: %s", got < 0 ? strerror(errno) : "too few bytes");
}

static inline uint64_t rotated(uint64_t x, unsigned bits)
{
	return x << bits | x >> (64 - bits);
}

static inline void mix(uint64_t v[4])
{
	v[0] += v[1];
	v[1] = rotated(v[1], 13) ^ v[0];
	v[0] = rotated(v[0], 32);
	v[2] += v[3];
	v[3] = rotated(v[3], 16) ^ v[2];
	v[0] += v[3];
	v[3] = rotated(v[3], 21) ^ v[0];
	v[2] += v[1];
	v[1] = rotated(v[1], 17) ^ v[2];
	v[2] = rotated(v[2], 32);
}

/* Eight bytes as a little-endian number. Compilers turn this expression into a single load; a loop they do not. */
static inline uint64_t word_at(const unsigned char *p)
{
	return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 |
	       (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
}

uint64_t hash_bytes(const struct hash_key *key, const void *bytes, size_t size)
{
	const unsigned char *p = bytes;
	/* "somepseudorandomlygeneratedbytes" */
	uint64_t v[4] = {key->k0 ^ UINT64_C(0x736f6d6570736575), key->k1 ^ UINT64_C(0x646f72616e646f6d),
			 key->k0 ^ UINT64_C(0x6c7967656e657261), key->k1 ^ UINT64_C(0x7465646279746573)};
	uint64_t last = (uint64_t)size << 56;
	size_t left = size;
	for (; left >= sizeof(uint64_t); left -= sizeof(uint64_t), p += sizeof(uint64_t)) {
		const uint64_t word = word_at(p);
		v[3] ^= word;
		mix(v);
		v[0] ^= word;
	}
	if (left > 0 && size >= sizeof(uint64_t)) {
		/* Loads the word that ends at the last byte, and keeps the bytes that were not hashed yet. */
		last |= word_at(p + left - sizeof(uint64_t)) >> 8 * (sizeof(uint64_t) - left);
	} else {
		for (unsigned i = 0; i < left; i++)
			last |= (uint64_t)p[i] << 8 * i;
	}
	v[3] ^= last;
	mix(v);
	v[0] ^= last;
	v[2] ^= 0xff;
	mix(v);
	mix(v);
	mix(v);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}
