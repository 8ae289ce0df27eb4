/* Pieces of one kind of work, known by their numbers, that wait for somebody to do them. No locking. */
#ifndef PSCAN_STREAM_TASK_QUEUE_H
#define PSCAN_STREAM_TASK_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

/* Numbers are smaller. */
#define TASK_QUEUE_MAX 64

/* All zero is an empty one. */
struct task_queue {
	size_t waiting[TASK_QUEUE_MAX]; /* tasks that no thread has begun, in their order, in a circle */
	size_t first, count;
	bool busy[TASK_QUEUE_MAX]; /* each piece: it waits or is being done */
};

static inline void task_queue_post(struct task_queue *q, size_t piece)
{
	q->waiting[(q->first + q->count) % TASK_QUEUE_MAX] = piece;
	q->count++;
	q->busy[piece] = true;
}

/* There must be one. It stays busy. */
static inline size_t task_queue_take(struct task_queue *q)
{
	const size_t piece = q->waiting[q->first];
	q->first = (q->first + 1) % TASK_QUEUE_MAX;
	q->count--;
	return piece;
}

/* A piece that waits is not to be done: it is not busy any more. One that somebody has begun stays as it is. */
static inline void task_queue_withdraw(struct task_queue *q, size_t piece)
{
	const size_t count = q->count;
	for (size_t i = 0; i < count; i++) {
		const size_t next = task_queue_take(q);
		q->busy[next] = next != piece;
		if (next != piece)
			task_queue_post(q, next);
	}
}

#endif
