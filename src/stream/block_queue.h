/* Blocks, known by their numbers, that wait for somebody to work on them. No locking. */
#ifndef PSCAN_STREAM_BLOCK_QUEUE_H
#define PSCAN_STREAM_BLOCK_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

/* Numbers are smaller. */
#define BLOCK_QUEUE_MAX 64

/* All zero is an empty one. */
struct block_queue {
	size_t blocks[BLOCK_QUEUE_MAX]; /* those that nobody has begun, in their order, in a circle */
	size_t first, count;
	bool busy[BLOCK_QUEUE_MAX]; /* each block: it waits or is worked on */
};

static inline void block_queue_post(struct block_queue *q, size_t block)
{
	q->blocks[(q->first + q->count) % BLOCK_QUEUE_MAX] = block;
	q->count++;
	q->busy[block] = true;
}

/* There must be one. It stays busy. */
static inline size_t block_queue_take(struct block_queue *q)
{
	const size_t block = q->blocks[q->first];
	q->first = (q->first + 1) % BLOCK_QUEUE_MAX;
	q->count--;
	return block;
}

#endif
