/* Numbers and texts as bytes that do not depend on the machine, and the way back. Whatever goes wrong is remembered,
 * so that it need be looked at only once, at the end. */
#ifndef PSCAN_BASE_PACK_H
#define PSCAN_BASE_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"

struct pack {
	struct bytes bytes; /* so far. Owned by whoever has the struct */
	bool failed; /* there was no memory, which was told */
};

struct unpack {
	const unsigned char *at; /* what is left: */
	size_t left;
	bool failed; /* there was too little, or something that cannot be: all that is given from there on is zero */
};

/* size bytes more, which the caller sets; NULL: there is no memory. */
static inline unsigned char *pack_room(struct pack *p, size_t size)
{
	if (p->failed || bytes_reserve(&p->bytes, size) != STATUS_OK) {
		p->failed = true;
		return NULL;
	}
	p->bytes.size += size;
	return size > 0 ? p->bytes.data + p->bytes.size - size : p->bytes.data;
}

/* So many bytes more are to be expected. */
static inline void pack_expect(struct pack *p, size_t size)
{
	p->failed = p->failed || bytes_reserve(&p->bytes, size) != STATUS_OK;
}

static inline void pack_raw(struct pack *p, const void *data, size_t size)
{
	unsigned char *to = pack_room(p, size);
	if (to != NULL && size > 0)
		memcpy(to, data, size);
}

/* The lowest size bytes of a number, at most 8, the least of them first. */
static inline void pack_number(struct pack *p, uint64_t number, size_t size)
{
	unsigned char *to = pack_room(p, size);
	for (size_t i = 0; to != NULL && i < size; i++)
		to[i] = (unsigned char)(number >> 8 * i);
}

/* A number in as few bytes as it needs: 7 bits in each, the least first; the highest bit says that there is one more
 * (LEB128). */
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

/* Bytes with their count (pack_count) before them. */
static inline void pack_text(struct pack *p, const void *text, size_t size)
{
	pack_count(p, size);
	pack_raw(p, text, size);
}

/* The next size bytes, or NULL. */
static inline const unsigned char *unpack_raw(struct unpack *u, size_t size)
{
	u->failed = u->failed || size > u->left;
	if (u->failed)
		return NULL;
	u->at += size;
	u->left -= size;
	return u->at - size;
}

/* They are copied; or zeros are. */
static inline void unpack_into(struct unpack *u, void *to, size_t size)
{
	const unsigned char *from = unpack_raw(u, size);
	if (from == NULL)
		memset(to, 0, size);
	else if (size > 0)
		memcpy(to, from, size);
}

static inline uint64_t unpack_number(struct unpack *u, size_t size)
{
	const unsigned char *from = unpack_raw(u, size);
	uint64_t number = 0;
	for (size_t i = 0; from != NULL && i < size; i++)
		number |= (uint64_t)from[i] << 8 * i;
	return number;
}

/* One that is not more than most. */
static inline uint64_t unpack_number_to(struct unpack *u, size_t size, uint64_t most)
{
	const uint64_t number = unpack_number(u, size);
	u->failed = u->failed || number > most;
	return u->failed ? 0 : number;
}

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

/* Bytes with their count before them, or NULL with *size 0. */
static inline const unsigned char *unpack_text(struct unpack *u, size_t *size)
{
	const uint64_t count = unpack_count(u);
	const unsigned char *text = count <= u->left ? unpack_raw(u, (size_t)count) : NULL;
	u->failed = u->failed || text == NULL;
	*size = u->failed ? 0 : (size_t)count;
	return text;
}

#endif
