/* The interface by which one thread has pieces of work done by a pool of other threads. */
#ifndef PSCAN_BASE_POOL_H
#define PSCAN_BASE_POOL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* A function that does the owner's piece number `piece`. Any thread may call it. */
typedef void pool_work(void *owner, size_t piece);

/* The pieces of one kind of work. Only one thread at a time may post pieces and wait for them. Pieces have the numbers
 * 0 .. count - 1. A number can be posted again when its piece is done or withdrawn. */
struct pool {
	void *context; /* Private to the functions below. */
	int kind; /* Private to the functions below. */
	size_t count; /* Number of pieces. */
	/* Returns at once. One of the pool's threads will call work(owner, piece), unless the piece is withdrawn or
	 * given out by `help` first. `work` and `owner` must be equal for all pieces that are posted at a time. */
	void (*post)(const struct pool *pool, size_t piece, pool_work *work, void *owner);
	/* Whether a posted piece is done. Also true for a piece that was withdrawn or never posted. */
	bool (*is_done)(const struct pool *pool, size_t piece);
	/* Waits for a posted piece. Returns false when the piece is done. Returns true to have the caller help: the
	 * caller then does the posted piece *other (perhaps the same piece) itself and calls `end` for it. */
	bool (*help)(const struct pool *pool, size_t piece, size_t *other);
	/* Reports that the caller has done a piece that `help` gave it. */
	void (*end)(const struct pool *pool, size_t piece);
	/* Takes a posted piece back, so that no thread begins it. If a thread has begun it, waits until it is done.
	 * Does nothing if the piece is done already. The caller does not learn whether the piece was done. */
	void (*withdraw)(const struct pool *pool, size_t piece);
};

/* Waits until a posted piece is done. Meanwhile the caller does pieces that no thread has begun, perhaps this one. work
 * and owner: those with which the pieces were posted. */
static inline void pool_await(const struct pool *pool, size_t piece, pool_work *work, void *owner)
{
	size_t other;
	while (pool->help(pool, piece, &other)) {
		work(owner, other);
		pool->end(pool, other);
	}
}

/* The work of one pool_do_all. Each of its threads takes the next part until none is left. */
struct pool_parts {
	atomic_size_t next; /* The first part that no thread has taken. */
	size_t count;
	pool_work *work;
	void *owner;
};

/* The pool_work of pool_do_all's pieces. owner: a struct pool_parts. All pieces are alike. */
static inline void pool_do_parts(void *owner, size_t piece)
{
	struct pool_parts *p = owner;
	(void)piece;
	for (size_t i; (i = atomic_fetch_add(&p->next, 1)) < p->count;)
		p->work(p->owner, i);
}

/* Calls work(owner, i) once for each i = 0 .. count - 1, and returns when all these calls have returned. The calling
 * thread and threads of the pool make the calls, several at once and in no particular order. pool NULL: the calling
 * thread makes all calls. When pool_do_all is called, no piece of the pool may be posted. */
static inline void pool_do_all(const struct pool *pool, size_t count, pool_work *work, void *owner)
{
	struct pool_parts parts = {.count = count, .work = work, .owner = owner};
	const size_t most = pool != NULL && count > 1 ? pool->count : 0;
	const size_t pieces = count < most ? count : most;
	for (size_t i = 0; i < pieces; i++)
		pool->post(pool, i, pool_do_parts, &parts);
	pool_do_parts(&parts, 0);
	for (size_t i = 0; i < pieces; i++)
		pool->withdraw(pool, i);
}

#endif
