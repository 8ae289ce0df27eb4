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

/* Returns a new block of `size` bytes (0 counts as 1), aligned to MEMORY_ALIGNMENT, contents undefined. The caller owns
 * the block and frees it with memory_free. NULL after memory_missing if there is no memory. Any thread. */
void *memory_new(size_t size) MUST_CHECK;
/* memory_new without a message on failure: the caller reports it with memory_missing_for. */
void *memory_try(size_t size) MUST_CHECK;
/* memory_new in large pages, where the system has them. For blocks of some MiB: sizes are rounded up to 2 MiB. */
void *memory_new_large(size_t size) MUST_CHECK;
/* memory_new_large without a message on failure: the caller reports it with memory_missing_for. */
void *memory_try_large(size_t size) MUST_CHECK;
/* memory_new for `count` things of `size` bytes each, all zero. count * size must fit size_t. */
void *memory_zeros(size_t count, size_t size) MUST_CHECK;
/* Frees a block of memory_new, memory_try, memory_zeros, memory_new_large or memory_try_large. block may be NULL. */
void memory_free(void *block);
/* memory_free for several blocks, in this order. */
#define memory_free_all(...) \
	memory_free_each((void *const[]){__VA_ARGS__}, sizeof((void *const[]){__VA_ARGS__}) / sizeof(void *))
void memory_free_each(void *const *blocks, size_t count);

/* Prints that there is no memory for `size` bytes. 0: the size is unknown. Of all calls of memory_missing,
 * memory_missing_for and memory_missing_thread only the first one prints. Any thread. */
void memory_missing(size_t size);
/* memory_missing for `count` things (0: unknown). things: their plural noun, such as "keys". */
void memory_missing_for(size_t count, const char *things);
/* Prints that a thread could not be started, unless memory_missing or its variants have printed. error: what
 * pthread_create returned. */
void memory_missing_thread(int error);

/* A growing array of bytes. The struct's owner owns the bytes and frees them with bytes_free. All zero: empty. */
struct bytes {
	unsigned char *data; /* `capacity` bytes, aligned to MEMORY_ALIGNMENT, or NULL. */
	size_t size; /* Bytes in use. */
	size_t capacity;
};

/* The part of bytes_reserve that allocates; callers use bytes_reserve. */
enum status bytes_grow(struct bytes *b, size_t extra) MUST_CHECK;
/* Frees the bytes and makes b empty. */
void bytes_free(struct bytes *b);
/* bytes_free for several: bytes_free_all(&a, &b). */
#define bytes_free_all(...)                                   \
	bytes_free_each((struct bytes *const[]){__VA_ARGS__}, \
			sizeof((struct bytes *const[]){__VA_ARGS__}) / sizeof(struct bytes *))
void bytes_free_each(struct bytes *const *all, size_t count);

/* Makes room for `extra` bytes after the bytes in use; b->data may move. STATUS_SYSTEM after memory_missing; *b is then
 * unchanged. */
MUST_CHECK static inline enum status bytes_reserve(struct bytes *b, size_t extra)
{
	return extra <= b->capacity - b->size ? STATUS_OK : bytes_grow(b, extra);
}

/* Appends `size` bytes, which must not be among b's own. STATUS_SYSTEM after memory_missing; *b is then unchanged. */
MUST_CHECK static inline enum status bytes_append(struct bytes *b, const void *data, size_t size)
{
	TRY(bytes_reserve(b, size));
	if (size > 0)
		memcpy(b->data + b->size, data, size);
	b->size += size;
	return STATUS_OK;
}

/* Appends formatted text as printf makes it, without a NUL. STATUS_SYSTEM after memory_missing. */
MUST_CHECK __attribute__((format(printf, 2, 3))) enum status bytes_format(struct bytes *b, const char *format, ...);
/* bytes_format for the struct bytes *text, whose status becomes w->status. w: a pointer to a struct with a member
 * `status`. If w->status is a failure already, appends nothing and w->status stays. */
#define FORMAT_INTO(w, text, ...) \
	((w)->status = (w)->status == STATUS_OK ? bytes_format(text, __VA_ARGS__) : (w)->status)

/* Empties b and makes room for `count` things of `size` bytes each. count * size must fit size_t. STATUS_SYSTEM after
 * memory_missing. */
MUST_CHECK static inline enum status bytes_make(struct bytes *b, size_t count, size_t size)
{
	b->size = 0;
	return bytes_reserve(b, count * size);
}

/* Whether `size` bytes are equal. Faster than memcmp for about ten bytes that are usually equal. */
static inline bool memory_is_same(const void *left, const void *right, size_t size)
{
	const unsigned char *a = left;
	const unsigned char *b = right;
	uint64_t x = 0;
	uint64_t y = 0;
	if (size < 4) {
		for (size_t i = 0; i < size; i++) {
			if (a[i] != b[i])
				return false;
		}
		return true;
	}
	if (size < sizeof x) { /* the first four and the last four, which may be some of the same */
		memcpy(&x, a, 4);
		memcpy(&y, b, 4);
		if (x != y)
			return false;
		memcpy(&x, a + size - 4, 4);
		memcpy(&y, b + size - 4, 4);
		return x == y;
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

/* Removes const from a pointer, for libraries whose parameters lack const though they only read the bytes. */
static inline unsigned char *bytes_plain(const unsigned char *constant)
{
	const union {
		const unsigned char *constant;
		unsigned char *plain;
	} pointer = {.constant = constant};
	return pointer.plain;
}

#endif
