/* The interface by which one thread has pieces of work done by a pool of other threads. */
#ifndef PSCAN_BASE_POOL_H
#define PSCAN_BASE_POOL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* A function that does the owner's piece number `piece`. Any thread may call it. */
typedef void pool_work(void *owner, size_t piece);

/* One kind of work. Only one thread, its owner, posts pieces and waits for them. Pieces have numbers 0 .. count - 1,
 * and a number can be posted again when its piece is done. */
struct pool {
	void *context; /* Private to the functions below. */
	int kind; /* Private to the functions below. */
	size_t count; /* Number of pieces. */
	/* Has one of the pool's threads call work(owner, piece). `work` and `owner` must be equal for all pieces that
	 * are posted at a time. */
	void (*post)(const struct pool *pool, size_t piece, pool_work *work, void *owner);
	/* Whether a posted piece is done. */
	bool (*is_done)(const struct pool *pool, size_t piece);
	/* Waits for a posted piece. Returns false when the piece is done. Returns true to have the caller help: the
	 * caller then does the posted piece *other (perhaps the same piece) itself and calls `end` for it. */
	bool (*help)(const struct pool *pool, size_t piece, size_t *other);
	/* Reports that the caller has done a piece that `help` gave it. */
	void (*end)(const struct pool *pool, size_t piece);
	/* Takes a posted piece back. If a thread has begun it, waits until that thread is done. */
	void (*withdraw)(const struct pool *pool, size_t piece);
};

/* Waits until a posted piece is done. Meanwhile does other pieces that `help` gives. work and owner: as for `post`. */
static inline void pool_await(const struct pool *pool, size_t piece, pool_work *work, void *owner)
{
	size_t other;
	while (pool->help(pool, piece, &other)) {
		work(owner, other);
		pool->end(pool, other);
	}
}

/* Parts of some work, of which each thread takes the next one until none is left. */
struct pool_parts {
	atomic_size_t next;
	size_t count;
	pool_work *work;
	void *owner;
};

static inline void pool_take_parts(void *owner, size_t piece)
{
	struct pool_parts *p = owner;
	(void)piece;
	for (size_t i; (i = atomic_fetch_add(&p->next, 1)) < p->count;)
		p->work(p->owner, i);
}

/* Has work(owner, i) called for i = 0 .. count - 1 and waits until all is done. pool: NULL if there are no other
 * threads. Otherwise no piece is posted. */
static inline void pool_do_all(const struct pool *pool, size_t count, pool_work *work, void *owner)
{
	struct pool_parts parts = {.count = count, .work = work, .owner = owner};
	const size_t most = pool != NULL && count > 1 ? pool->count : 0;
	const size_t pieces = count < most ? count : most;
	for (size_t i = 0; i < pieces; i++)
		pool->post(pool, i, pool_take_parts, &parts);
	pool_take_parts(&parts, 0);
	for (size_t i = 0; i < pieces; i++)
		pool->withdraw(pool, i);
}

#endif
