/* Blocks come from aligned_alloc; a buffer grows by half, so appending costs amortised constant time. */
#include "memory.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

/* When memory ends, several threads find out, each more than once. */
void memory_missing(size_t size)
{
	static atomic_flag told = ATOMIC_FLAG_INIT;
	if (atomic_flag_test_and_set(&told))
		return;
	if (size > 0)
		message_error("out of memory: %zu bytes", size);
	else
		message_error("out of memory");
}

static void *aligned_block(size_t size)
{
	if (size > SIZE_MAX - MEMORY_ALIGNMENT)
		return NULL;
	if (size == 0)
		size = 1;
	return aligned_alloc(MEMORY_ALIGNMENT, (size + MEMORY_ALIGNMENT - 1) / MEMORY_ALIGNMENT * MEMORY_ALIGNMENT);
}

void *memory_new(size_t size)
{
	void *block = aligned_block(size);
	if (block == NULL)
		memory_missing(size);
	return block;
}

void memory_free(void *block)
{
	free(block);
}

enum status bytes_reserve(struct bytes *b, size_t extra)
{
	if (extra <= b->capacity - b->size)
		return STATUS_OK;
	if (extra > SIZE_MAX / 4 - b->size) {
		memory_missing(extra);
		return STATUS_SYSTEM;
	}
	size_t capacity = b->size + extra;
	if (capacity < b->capacity + b->capacity / 2)
		capacity = b->capacity + b->capacity / 2;
	unsigned char *data = memory_new(capacity);
	if (data == NULL)
		return STATUS_SYSTEM;
	if (b->size > 0)
		memcpy(data, b->data, b->size);
	memory_free(b->data);
	b->data = data;
	b->capacity = capacity;
	return STATUS_OK;
}

enum status bytes_append(struct bytes *b, const void *data, size_t size)
{
	if (bytes_reserve(b, size) != STATUS_OK)
		return STATUS_SYSTEM;
	if (size > 0)
		memcpy(b->data + b->size, data, size);
	b->size += size;
	return STATUS_OK;
}

void bytes_free(struct bytes *b)
{
	memory_free(b->data);
	*b = (struct bytes){0};
}
