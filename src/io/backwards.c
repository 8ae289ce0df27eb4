/* Blocks go to the end of the file in their order. Their sizes stay in memory, so the file can be read from its end. */
#include "io/backwards.h"

#include "base/memory.h"
#include "io/temporary.h"

/* The most bytes of blocks that wait in memory. */
#define HELD_MAX ((size_t)4 << 20)

struct backwards {
	struct temporary file;
	struct bytes held; /* The blocks after those of the file. Owned. */
	struct bytes sizes; /* A size_t for each block. Owned. */
};

struct backwards *backwards_new(void)
{
	struct backwards *b = memory_new(sizeof *b);
	if (b == NULL)
		return NULL;
	*b = (struct backwards){.file = {.fd = -1}};
	temporary_begin(&b->file);
	return b;
}

void backwards_free(struct backwards *b)
{
	if (b == NULL)
		return;
	temporary_end(&b->file);
	bytes_free_all(&b->held, &b->sizes);
	memory_free(b);
}

enum status backwards_add(struct backwards *b, const void *data, size_t size)
{
	if (size == 0)
		return STATUS_OK;
	if (b->held.size > 0 && b->held.size + size > HELD_MAX) {
		TRY(temporary_append(&b->file, b->held.data, b->held.size));
		b->held.size = 0;
	}
	TRY(bytes_append(&b->sizes, &size, sizeof size));
	return bytes_append(&b->held, data, size);
}

enum status backwards_write(struct backwards *b, struct sink *sink)
{
	const size_t *sizes = (const size_t *)(const void *)b->sizes.data;
	size_t i = b->sizes.size / sizeof *sizes;
	enum status status = STATUS_OK;
	while (b->held.size > 0 && status == STATUS_OK) {
		b->held.size -= sizes[--i];
		status = sink_write(sink, b->held.data + b->held.size, sizes[i]);
	}
	for (uint64_t at = b->file.size; i > 0 && status == STATUS_OK;) {
		const size_t size = sizes[--i];
		at -= size;
		status = bytes_make(&b->held, 1, size);
		if (status == STATUS_OK)
			status = temporary_read(&b->file, b->held.data, size, at);
		if (status == STATUS_OK)
			status = sink_write(sink, b->held.data, size);
	}
	return status;
}
