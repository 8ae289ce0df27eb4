/* The thread that puts copies the data into one block after the other. It posts a full block, and any thread of the
 * pool compresses it. The thread that puts writes the finished blocks, in order, before it uses their memory again. A
 * posted block that no thread has begun it compresses itself rather than wait. Without a pool there is one block.
 *
 * Where the format wants a window, the end of the block before stands in front of each block. Where blocks are cut
 * depends on the bytes alone, so the output does not depend on the threads. */
#include "io/blocks.h"

#include <string.h>

#include "base/memory.h"

struct block {
	/* By the thread that puts, while the block is not posted; then by the one that compresses. */
	unsigned char *memory; /* the window, then BLOCKS_SIZE bytes of data */
	void *state; /* the compressor's */
	size_t window_size; /* all or nothing of the window */
	size_t size;
	bool first, last;
	struct bytes compressed;
	uint32_t crc; /* of the data */
	enum status status;
	bool done;
};

struct blocks {
	const struct compressor *compressor;
	int level;
	blocks_write *write;
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

static enum status need_memory(const struct blocks *b, struct block *block)
{
	if (block->memory == NULL)
		block->memory = memory_new(b->compressor->window_size + BLOCKS_SIZE);
	return block->memory == NULL ? STATUS_SYSTEM : STATUS_OK;
}

struct blocks *blocks_new(const struct compressor *compressor, int level, blocks_write *write, void *context)
{
	struct blocks *b = memory_new(sizeof *b);
	if (b == NULL)
		return NULL;
	*b = (struct blocks){.compressor = compressor, .level = level, .write = write, .context = context, .count = 1};
	b->blocks = memory_new(sizeof b->blocks[0]);
	if (b->blocks != NULL)
		b->blocks[0] = (struct block){.first = true};
	if (b->blocks == NULL || need_memory(b, &b->blocks[0]) != STATUS_OK) {
		memory_free(b->blocks);
		memory_free(b);
		return NULL;
	}
	return b;
}

void blocks_free(struct blocks *b)
{
	if (b == NULL)
		return;
	for (size_t i = 0; i < b->count; i++) {
		if (b->blocks[i].state != NULL)
			b->compressor->close(b->blocks[i].state);
		bytes_free(&b->blocks[i].compressed);
		memory_free(b->blocks[i].memory);
	}
	memory_free(b->blocks);
	memory_free(b);
}

enum status blocks_share(struct blocks *b, const struct pool *pool)
{
	if (pool == NULL || pool->count == b->count) {
		b->pool = pool;
		return STATUS_OK;
	}
	struct block *blocks = memory_zeros(pool->count, sizeof blocks[0]);
	if (blocks == NULL)
		return STATUS_SYSTEM;
	b->pool = pool;
	/* There was one block until now, and all before it is written. */
	blocks[0] = b->blocks[0];
	memory_free(b->blocks);
	b->blocks = blocks;
	b->count = pool->count;
	b->filling = b->writing = 0;
	return STATUS_OK;
}

static size_t index_of(const struct blocks *b, uint64_t number)
{
	return (size_t)(number % b->count);
}

static struct block *block_of(struct blocks *b, uint64_t number)
{
	return &b->blocks[index_of(b, number)];
}

static enum status compress_block(const struct blocks *b, struct block *block)
{
	const struct plain_block plain = {.data = block->memory + b->compressor->window_size,
					  .size = block->size,
					  .window_size = block->window_size,
					  .first = block->first,
					  .last = block->last};
	if (block->state == NULL && (block->state = b->compressor->open(b->level)) == NULL)
		return STATUS_SYSTEM;
	block->compressed.size = 0;
	return b->compressor->put(block->state, &block->compressed, &plain, &block->crc);
}

static void compress_posted(void *blocks, size_t index)
{
	const struct blocks *b = blocks;
	struct block *block = &b->blocks[index];
	block->status = compress_block(b, block);
	block->done = true;
}

/* Has the oldest block compressed, and some of the others perhaps. */
static void compress_oldest(struct blocks *b)
{
	const size_t oldest = index_of(b, b->writing);
	if (b->pool != NULL)
		pool_await(b->pool, oldest, compress_posted, b);
	else if (!b->blocks[oldest].done)
		compress_posted(b, oldest);
}

/* The oldest block must be done. Its memory is free then. */
static enum status write_oldest(struct blocks *b)
{
	struct block *block = block_of(b, b->writing);
	enum status status = block->status;
	if (b->compressor->join != NULL)
		b->crc = b->compressor->join(b->crc, block->crc, block->size);
	b->length += block->size;
	b->writing++;
	if (status == STATUS_OK && block->last && b->compressor->put_end != NULL)
		status = b->compressor->put_end(&block->compressed, b->crc, b->length);
	return status == STATUS_OK ? b->write(b->context, block->compressed.data, block->compressed.size) : status;
}

/* Posts the block that is being filled, and writes the finished ones among the others. */
static enum status post(struct blocks *b)
{
	const size_t index = index_of(b, b->filling);
	enum status status = STATUS_OK;
	b->blocks[index].done = false;
	b->filling++;
	if (b->pool != NULL)
		b->pool->post(b->pool, index, compress_posted, b);
	while (status == STATUS_OK && b->pool != NULL && b->writing < b->filling &&
	       b->pool->is_done(b->pool, index_of(b, b->writing)))
		status = write_oldest(b);
	return status;
}

/* Has all but max of the posted blocks compressed and written. */
static enum status write_all_but(struct blocks *b, size_t max)
{
	enum status status = STATUS_OK;
	while (status == STATUS_OK && b->filling - b->writing > max) {
		compress_oldest(b);
		status = write_oldest(b);
	}
	return status;
}

/* Begins the next block: the end of the full one before it is its window. */
static enum status next_block(struct blocks *b)
{
	const struct block *before = block_of(b, b->filling - 1);
	struct block *block = block_of(b, b->filling);
	if (write_all_but(b, b->count - 1) != STATUS_OK || need_memory(b, block) != STATUS_OK)
		return STATUS_SYSTEM;
	block->window_size = b->compressor->window_size;
	memmove(block->memory, before->memory + BLOCKS_SIZE, block->window_size);
	block->size = 0;
	block->first = false;
	return STATUS_OK;
}

enum status blocks_put(struct blocks *b, const unsigned char *data, size_t size)
{
	while (size > 0) {
		struct block *block = block_of(b, b->filling);
		const size_t room = BLOCKS_SIZE - block->size;
		const size_t part = size < room ? size : room;
		memcpy(block->memory + b->compressor->window_size + block->size, data, part);
		block->size += part;
		data += part;
		size -= part;
		if (block->size == BLOCKS_SIZE && (post(b) != STATUS_OK || next_block(b) != STATUS_OK))
			return STATUS_SYSTEM;
	}
	return STATUS_OK;
}

enum status blocks_end(struct blocks *b)
{
	block_of(b, b->filling)->last = true;
	return post(b) != STATUS_OK ? STATUS_SYSTEM : write_all_but(b, 0);
}
