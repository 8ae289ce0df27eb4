/* Numbers and texts as bytes that do not depend on the machine: struct pack writes them, struct unpack reads them. Both
 * record a failure in `failed`, so callers check it once, after the last call. */
#ifndef PSCAN_BASE_PACK_H
#define PSCAN_BASE_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"

struct pack {
	struct bytes bytes; /* What was packed so far. Owned; the caller ends it with bytes_free. */
	bool failed; /* Memory ran out, and a message was printed. Later calls append nothing. */
};

struct unpack {
	const unsigned char *at; /* The next byte to read. Borrowed. */
	size_t left; /* Bytes that were not read yet. */
	bool failed; /* The bytes ended too early or held an impossible value. Later calls return 0 or NULL. */
};

/* Appends `size` bytes, which the caller must set, and returns a pointer to them, valid until the next call. NULL if
 * memory has run out (p->failed), and perhaps if `size` is 0. */
static inline unsigned char *pack_room(struct pack *p, size_t size)
{
	if (p->failed || bytes_reserve(&p->bytes, size) != STATUS_OK) {
		p->failed = true;
		return NULL;
	}
	p->bytes.size += size;
	return size > 0 ? p->bytes.data + p->bytes.size - size : p->bytes.data;
}

/* Reserves room for `size` bytes that the next calls will append, so that they are allocated once. */
static inline void pack_expect(struct pack *p, size_t size)
{
	p->failed = p->failed || bytes_reserve(&p->bytes, size) != STATUS_OK;
}

/* Appends `size` bytes unchanged. */
static inline void pack_raw(struct pack *p, const void *data, size_t size)
{
	unsigned char *to = pack_room(p, size);
	if (to != NULL && size > 0)
		memcpy(to, data, size);
}

/* Appends the lowest `size` bytes (at most 8) of a number, least significant byte first. */
static inline void pack_number(struct pack *p, uint64_t number, size_t size)
{
	unsigned char *to = pack_room(p, size);
	for (size_t i = 0; to != NULL && i < size; i++)
		to[i] = (unsigned char)(number >> 8 * i);
}

/* Appends a number in as few bytes as it needs (LEB128): 7 bits a byte, lowest bits first. The highest bit of a byte is
 * set if another byte follows. */
static inline void pack_count(struct pack *p, uint64_t number)
{
	unsigned char *to = pack_room(p, 10);
	if (to == NULL)
		return;
	size_t size = 0;
	for (; number >= 128; number >>= 7)
		to[size++] = (unsigned char)(number | 128);
	to[size++] = (unsigned char)number;
	p->bytes.size -= 10 - size;
}

/* Appends the number of bytes (pack_count), followed by the bytes. */
static inline void pack_text(struct pack *p, const void *text, size_t size)
{
	pack_count(p, size);
	pack_raw(p, text, size);
}

/* Returns the next `size` bytes and moves past them. Borrowed. NULL if fewer are left or an earlier call has failed
 * (u->failed). */
static inline const unsigned char *unpack_raw(struct unpack *u, size_t size)
{
	u->failed = u->failed || size > u->left;
	if (u->failed)
		return NULL;
	u->at += size;
	u->left -= size;
	return u->at - size;
}

/* Returns the next number of `size` bytes (at most 8), least significant byte first. 0 on failure (u->failed). */
static inline uint64_t unpack_number(struct unpack *u, size_t size)
{
	const unsigned char *from = unpack_raw(u, size);
	uint64_t number = 0;
	for (size_t i = 0; from != NULL && i < size; i++)
		number |= (uint64_t)from[i] << 8 * i;
	return number;
}

/* Returns the next number that pack_count wrote. 0 on failure (u->failed). */
static inline uint64_t unpack_count(struct unpack *u)
{
	uint64_t number = 0;
	for (unsigned shift = 0; shift < 64; shift += 7) {
		const uint64_t byte = unpack_number(u, 1);
		number |= (byte & 127) << shift;
		if (byte < 128)
			return u->failed ? 0 : number;
	}
	u->failed = true;
	return 0;
}

/* Returns the next bytes that pack_text wrote and sets *size to their number. Borrowed. On failure (u->failed) returns
 * NULL and sets *size to 0. */
static inline const unsigned char *unpack_text(struct unpack *u, size_t *size)
{
	const uint64_t count = unpack_count(u);
	const unsigned char *text = count <= u->left ? unpack_raw(u, (size_t)count) : NULL;
	u->failed = u->failed || text == NULL;
	*size = u->failed ? 0 : (size_t)count;
	return text;
}

#endif
