/* Memory whose size the input decides: aligned blocks, growing byte buffers. */
#ifndef PSCAN_BASE_MEMORY_H
#define PSCAN_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/status.h"

/* Every block is aligned to this many bytes: a cache line, and the widest vector. */
#define MEMORY_ALIGNMENT 64

/* A new block of size bytes (at least 1), aligned to MEMORY_ALIGNMENT, contents undefined; the caller owns it and ends
 * it with memory_free. NULL after memory_missing if there is no memory. Any thread. */
void *memory_new(size_t size) MUST_CHECK;
/* The same without a message: the caller says what there is too little memory for. */
void *memory_try(size_t size) MUST_CHECK;
/* The same in large pages, where there are some, for megabytes that a device copies from and to. */
void *memory_new_large(size_t size) MUST_CHECK;
void *memory_try_large(size_t size) MUST_CHECK;
void memory_free(void *block);

/* Prints that there is no memory for size bytes (0: for a library's purposes), the first time that it is called. Any
 * thread. */
void memory_missing(size_t size);
/* The same of so many things. */
void memory_missing_for(size_t count, const char *things);

/* A growing run of bytes, owned by whoever owns the struct. All zero is an empty one. */
struct bytes {
	unsigned char *data; /* capacity bytes, or NULL */
	size_t size; /* bytes in use */
	size_t capacity;
};

/* bytes_reserve where there is no room. */
enum status bytes_grow(struct bytes *b, size_t extra) MUST_CHECK;
void bytes_free(struct bytes *b);

/* Makes room for extra more bytes after the size bytes in use. STATUS_SYSTEM after memory_missing. */
MUST_CHECK static inline enum status bytes_reserve(struct bytes *b, size_t extra)
{
	return extra <= b->capacity - b->size ? STATUS_OK : bytes_grow(b, extra);
}

/* Appends size bytes. STATUS_SYSTEM after memory_missing. */
MUST_CHECK static inline enum status bytes_append(struct bytes *b, const void *data, size_t size)
{
	if (bytes_reserve(b, size) != STATUS_OK)
		return STATUS_SYSTEM;
	if (size > 0)
		memcpy(b->data + b->size, data, size);
	b->size += size;
	return STATUS_OK;
}

/* Appends as printf writes. STATUS_SYSTEM after memory_missing. */
MUST_CHECK __attribute__((format(printf, 2, 3))) enum status bytes_format(struct bytes *b, const char *format, ...);
/* The same for a struct with a text and a status: after a failure nothing is appended any more. */
#define FORMAT_INTO(w, text, ...) \
	((w)->status = (w)->status == STATUS_OK ? bytes_format(text, __VA_ARGS__) : (w)->status)

/* Makes b an empty array with room for count things of so many bytes. */
MUST_CHECK static inline enum status bytes_make(struct bytes *b, size_t count, size_t size)
{
	b->size = 0;
	return bytes_reserve(b, count * size);
}

/* Whether size bytes are the same: faster than memcmp for some ten of them that mostly are. */
static inline bool memory_is_same(const void *left, const void *right, size_t size)
{
	const unsigned char *a = left;
	const unsigned char *b = right;
	uint64_t x = 0;
	uint64_t y = 0;
	if (size < sizeof x) {
		for (size_t i = 0; i < size; i++) {
			if (a[i] != b[i])
				return false;
		}
		return true;
	}
	for (size_t i = 0; i < size - sizeof x; i += sizeof x) {
		memcpy(&x, a + i, sizeof x);
		memcpy(&y, b + i, sizeof y);
		if (x != y)
			return false;
	}
	memcpy(&x, a + size - sizeof x, sizeof x);
	memcpy(&y, b + size - sizeof y, sizeof y);
	return x == y;
}

/* For libraries that only read from what they are given, though their types do not say so. */
static inline unsigned char *bytes_plain(const unsigned char *constant)
{
	const union {
		const unsigned char *constant;
		unsigned char *plain;
	} pointer = {.constant = constant};
	return pointer.plain;
}

#endif
