/* The thread that puts copies into one block after the other. A full one is posted, whoever is free deflates it, and
 * the thread that puts writes those that are done, in order, before it needs their memory again: the blocks are all the
 * memory there is. It deflates itself what nobody has begun rather than wait for it. Without a pool there is one block.
 *
 * Each block has the end of the one before it in front, as the window. Where blocks are cut depends on the bytes alone,
 * so the member is the same whoever deflates. */
#include "io/gzip_blocks.h"

#include <string.h>

#include "base/memory.h"
#include "io/gzip.h"

struct block {
	/* By the thread that puts, while the block is not posted; then by the one that deflates. */
	unsigned char *memory; /* GZIP_WINDOW_SIZE bytes of window, then GZIP_BLOCK_SIZE of data */
	struct gzip_deflater *deflater;
	size_t window_size; /* all or nothing of the window */
	size_t size;
	bool first, last;
	struct bytes deflated;
	uint32_t crc; /* of the data */
	enum status status;
	bool done;
};

struct gzip_blocks {
	int level;
	gzip_blocks_write *write;
	void *context;
	const struct pool *pool;
	size_t count;
	struct block *blocks;
	/* Counted from the first; number % count is the block. */
	uint64_t filling; /* being filled */
	uint64_t writing; /* to be written next */
	uint32_t crc; /* of what was written */
	uint64_t length;
};

static enum status need_memory(struct block *block)
{
	if (block->memory == NULL)
		block->memory = memory_new(GZIP_WINDOW_SIZE + GZIP_BLOCK_SIZE);
	return block->memory == NULL ? STATUS_SYSTEM : STATUS_OK;
}

struct gzip_blocks *gzip_blocks_new(int level, gzip_blocks_write *write, void *context)
{
	struct gzip_blocks *b = memory_new(sizeof *b);
	if (b == NULL)
		return NULL;
	*b = (struct gzip_blocks){.level = level, .write = write, .context = context, .count = 1};
	b->blocks = memory_new(sizeof b->blocks[0]);
	if (b->blocks != NULL)
		b->blocks[0] = (struct block){.first = true};
	if (b->blocks == NULL || need_memory(&b->blocks[0]) != STATUS_OK) {
		memory_free(b->blocks);
		memory_free(b);
		return NULL;
	}
	return b;
}

void gzip_blocks_free(struct gzip_blocks *b)
{
	if (b == NULL)
		return;
	for (size_t i = 0; i < b->count; i++) {
		gzip_deflater_free(b->blocks[i].deflater);
		bytes_free(&b->blocks[i].deflated);
		memory_free(b->blocks[i].memory);
	}
	memory_free(b->blocks);
	memory_free(b);
}

enum status gzip_blocks_share(struct gzip_blocks *b, const struct pool *pool)
{
	if (pool == NULL || pool->count == b->count) {
		b->pool = pool;
		return STATUS_OK;
	}
	struct block *blocks = memory_new(pool->count * sizeof blocks[0]);
	if (blocks == NULL)
		return STATUS_SYSTEM;
	b->pool = pool;
	/* So far there was one block, and all before it is written. */
	blocks[0] = b->blocks[0];
	for (size_t i = 1; i < pool->count; i++)
		blocks[i] = (struct block){0};
	memory_free(b->blocks);
	b->blocks = blocks;
	b->count = pool->count;
	b->filling = 0;
	b->writing = 0;
	return STATUS_OK;
}

static size_t index_of(const struct gzip_blocks *b, uint64_t number)
{
	return (size_t)(number % b->count);
}

static struct block *block_of(struct gzip_blocks *b, uint64_t number)
{
	return &b->blocks[index_of(b, number)];
}

static enum status deflate_block(const struct gzip_blocks *b, struct block *block)
{
	const unsigned char *data = block->memory + GZIP_WINDOW_SIZE;
	if (block->deflater == NULL && (block->deflater = gzip_deflater_new(b->level)) == NULL)
		return STATUS_SYSTEM;
	block->deflated.size = 0;
	if (block->first && gzip_put_header(&block->deflated, b->level) != STATUS_OK)
		return STATUS_SYSTEM;
	block->crc = gzip_crc(0, data, block->size);
	return gzip_put_block(block->deflater, &block->deflated, data - block->window_size, block->window_size, data,
			      block->size, block->last);
}

void gzip_blocks_deflate(struct gzip_blocks *b, size_t index)
{
	struct block *block = &b->blocks[index];
	block->status = deflate_block(b, block);
	block->done = true;
}

/* Has the oldest block deflated, and some of the others perhaps. */
static void deflate_oldest(struct gzip_blocks *b)
{
	const size_t oldest = index_of(b, b->writing);
	size_t other;
	while (b->pool != NULL && b->pool->help(b->pool, oldest, &other)) {
		gzip_blocks_deflate(b, other);
		b->pool->end(b->pool, other);
	}
	if (b->pool == NULL && !b->blocks[oldest].done)
		gzip_blocks_deflate(b, oldest);
}

/* The oldest block must be done. Its memory is free then. */
static enum status write_oldest(struct gzip_blocks *b)
{
	struct block *block = block_of(b, b->writing);
	enum status status = block->status;
	b->crc = gzip_crc_join(b->crc, block->crc, block->size);
	b->length += block->size;
	b->writing++;
	if (status == STATUS_OK && block->last)
		status = gzip_put_trailer(&block->deflated, b->crc, b->length);
	return status == STATUS_OK ? b->write(b->context, block->deflated.data, block->deflated.size) : status;
}

/* Posts the block that is being filled, and writes what is done of the others. */
static enum status post(struct gzip_blocks *b)
{
	const size_t index = index_of(b, b->filling);
	enum status status = STATUS_OK;
	b->blocks[index].done = false;
	b->filling++;
	if (b->pool != NULL)
		b->pool->post(b->pool, index);
	while (status == STATUS_OK && b->pool != NULL && b->writing < b->filling &&
	       b->pool->is_done(b->pool, index_of(b, b->writing)))
		status = write_oldest(b);
	return status;
}

/* Has all but max of the posted blocks deflated and written. */
static enum status write_all_but(struct gzip_blocks *b, size_t max)
{
	enum status status = STATUS_OK;
	while (status == STATUS_OK && b->filling - b->writing > max) {
		deflate_oldest(b);
		status = write_oldest(b);
	}
	return status;
}

/* Begins the next block: the end of the full one before it is its window. */
static enum status next_block(struct gzip_blocks *b)
{
	const struct block *before = block_of(b, b->filling - 1);
	struct block *block = block_of(b, b->filling);
	if (write_all_but(b, b->count - 1) != STATUS_OK || need_memory(block) != STATUS_OK)
		return STATUS_SYSTEM;
	memmove(block->memory, before->memory + GZIP_BLOCK_SIZE, GZIP_WINDOW_SIZE);
	block->window_size = GZIP_WINDOW_SIZE;
	block->size = 0;
	block->first = false;
	return STATUS_OK;
}

enum status gzip_blocks_put(struct gzip_blocks *b, const unsigned char *data, size_t size)
{
	while (size > 0) {
		struct block *block = block_of(b, b->filling);
		const size_t room = GZIP_BLOCK_SIZE - block->size;
		const size_t part = size < room ? size : room;
		memcpy(block->memory + GZIP_WINDOW_SIZE + block->size, data, part);
		block->size += part;
		data += part;
		size -= part;
		if (block->size == GZIP_BLOCK_SIZE && (post(b) != STATUS_OK || next_block(b) != STATUS_OK))
			return STATUS_SYSTEM;
	}
	return STATUS_OK;
}

enum status gzip_blocks_end(struct gzip_blocks *b)
{
	block_of(b, b->filling)->last = true;
	return post(b) != STATUS_OK ? STATUS_SYSTEM : write_all_but(b, 0);
}
