/* Blocks come from aligned_alloc; a buffer grows by half, so appending costs amortised constant time.
 *
 * With PSCAN_GUARD_PAGES (make check-guards) each block lies between two pages that may not be touched:
 *
 *     | guard: its size | slack | block | slack of less than MEMORY_ALIGNMENT bytes | guard |
 *
 * An access to a guard page ends the program at once, also one by a device that works in the host's memory. A write to
 * the slack ends the program when the block is freed. */
#define _DEFAULT_SOURCE
#include "base/memory.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/message.h"

/* When memory runs out, several threads notice, each perhaps more than once; one message is enough. */
static bool is_first_report(void)
{
	static atomic_flag was_reported = ATOMIC_FLAG_INIT;
	return !atomic_flag_test_and_set(&was_reported);
}

void memory_missing_thread(int error)
{
	if (is_first_report())
		message_error("cannot start a thread: %s", strerror(error));
}

void memory_missing_for(size_t count, const char *things)
{
	if (!is_first_report())
		return;
	if (count > 0)
		message_error("out of memory: %zu %s", count, things);
	else
		message_error("out of memory");
}

void memory_missing(size_t size)
{
	memory_missing_for(size, "bytes");
}

static size_t rounded_up(size_t size, size_t unit)
{
	return (size + unit - 1) / unit * unit;
}

#ifndef PSCAN_GUARD_PAGES
static void *block_new(size_t size)
{
	return aligned_alloc(MEMORY_ALIGNMENT, rounded_up(size, MEMORY_ALIGNMENT));
}

/* A block in large pages, or in small ones where the system has no large ones. */
static void *block_new_large(size_t size)
{
	const size_t page = (size_t)2 << 20;
	void *block = aligned_alloc(page, rounded_up(size, page));
#ifdef MADV_HUGEPAGE
	if (block != NULL)
		(void)madvise(block, rounded_up(size, page), MADV_HUGEPAGE);
#endif
	return block;
}

void memory_free(void *block)
{
	free(block);
}
#else
#define block_new_large block_new

#include <unistd.h>

/* The byte that fills the slack and new blocks. */
#define GUARD_FILL 0xa5

static size_t page_bytes(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

static void *block_new(size_t size)
{
	const size_t page = page_bytes();
	const size_t inside = rounded_up(size, page);
	unsigned char *guard =
		mmap(NULL, inside + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (guard == MAP_FAILED)
		return NULL;
	unsigned char *begin = guard + page;
	memcpy(guard, &size, sizeof size);
	memset(begin, GUARD_FILL, inside);
	if (mprotect(guard, page, PROT_NONE) != 0 || mprotect(begin + inside, page, PROT_NONE) != 0)
		return NULL;
	return begin + inside - rounded_up(size, MEMORY_ALIGNMENT);
}

static void check_slack(const unsigned char *begin, const unsigned char *end)
{
	for (; begin < end; begin++) {
		if (*begin == GUARD_FILL)
			continue;
		message_error("the slack around a block was written to");
		__builtin_trap();
	}
}

void memory_free(void *block)
{
	const size_t page = page_bytes();
	size_t size;
	if (block == NULL)
		return;
	/* A block begins in the page after its first guard page. */
	unsigned char *begin = (unsigned char *)block - (uintptr_t)block % page;
	unsigned char *guard = begin - page;
	if (mprotect(guard, page, PROT_READ) != 0)
		__builtin_trap();
	memcpy(&size, guard, sizeof size);
	const size_t inside = rounded_up(size, page);
	check_slack(begin, block);
	check_slack((unsigned char *)block + size, begin + inside);
	(void)munmap(guard, inside + 2 * page);
}
#endif

void *memory_try(size_t size)
{
	return size <= SIZE_MAX / 2 ? block_new(size > 0 ? size : 1) : NULL;
}

void *memory_new(size_t size)
{
	void *block = memory_try(size);
	if (block == NULL)
		memory_missing(size);
	return block;
}

void *memory_zeros(size_t count, size_t size)
{
	void *block = memory_new(count * size);
	return block != NULL ? memset(block, 0, count * size) : NULL;
}

void memory_free_each(void *const *blocks, size_t count)
{
	for (size_t i = 0; i < count; i++)
		memory_free(blocks[i]);
}

void *memory_try_large(size_t size)
{
	return size <= SIZE_MAX / 2 ? block_new_large(size > 0 ? size : 1) : NULL;
}

void *memory_new_large(size_t size)
{
	void *block = memory_try_large(size);
	if (block == NULL)
		memory_missing(size);
	return block;
}

enum status bytes_grow(struct bytes *b, size_t extra)
{
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

enum status bytes_format(struct bytes *b, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	const int size = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	/* One byte more than the text, for the NUL that vsnprintf writes. */
	if (size < 0 || bytes_reserve(b, (size_t)size + 1) != STATUS_OK)
		return STATUS_SYSTEM;
	va_start(arguments, format);
	b->size += (size_t)vsnprintf((char *)b->data + b->size, (size_t)size + 1, format, arguments);
	va_end(arguments);
	return STATUS_OK;
}

void bytes_free(struct bytes *b)
{
	memory_free(b->data);
	*b = (struct bytes){0};
}

void bytes_free_each(struct bytes *const *all, size_t count)
{
	for (size_t i = 0; i < count; i++)
		bytes_free(all[i]);
}
