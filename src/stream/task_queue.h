/* Pieces of one kind of work that wait for a thread. A piece is known by its number. The caller locks. */
#ifndef PSCAN_STREAM_TASK_QUEUE_H
#define PSCAN_STREAM_TASK_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

/* The numbers of pieces are below this. */
#define TASK_QUEUE_MAX 64

/* All zero is an empty queue. */
struct task_queue {
	size_t waiting[TASK_QUEUE_MAX]; /* The pieces that no thread has begun, in their order, in a circle. */
	size_t first, count; /* The index of the first one, and how many there are. */
	bool busy[TASK_QUEUE_MAX]; /* For each piece: it waits or is being done. The caller sets false at its end. */
};

/* Appends a piece, which must not be busy. */
static inline void task_queue_post(struct task_queue *q, size_t piece)
{
	q->waiting[(q->first + q->count) % TASK_QUEUE_MAX] = piece;
	q->count++;
	q->busy[piece] = true;
}

/* Returns the next waiting piece, which must exist. It stays busy. */
static inline size_t task_queue_take(struct task_queue *q)
{
	const size_t piece = q->waiting[q->first];
	q->first = (q->first + 1) % TASK_QUEUE_MAX;
	q->count--;
	return piece;
}

/* Removes a waiting piece: it is no longer busy. A piece that a thread has begun stays as it is. */
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
