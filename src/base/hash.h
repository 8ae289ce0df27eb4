/* A hash of bytes whose key nobody outside knows: who chooses the bytes cannot choose where they go.
 *
 * SipHash-1-3: J.-P. Aumasson and D. J. Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012, with the rounds
 * that hash tables take. */
#ifndef PSCAN_BASE_HASH_H
#define PSCAN_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct hash_key {
	uint64_t k0, k1;
};

/* A new key from the system's source of random numbers. STATUS_SYSTEM after a message. */
enum status hash_key_new(struct hash_key *key) MUST_CHECK;

/* Pure; any thread. */
uint64_t hash_bytes(const struct hash_key *key, const void *bytes, size_t size);

#endif
