/* The interface by which one thread has pieces of work done by a pool of other threads. */
#ifndef PSCAN_BASE_POOL_H
#define PSCAN_BASE_POOL_H

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

/* Has pieces 0 .. count - 1 done, at most pool->count, and waits for all of them. pool: NULL if there are no other
 * threads. */
static inline void pool_do_all(const struct pool *pool, size_t count, pool_work *work, void *owner)
{
	const bool is_alone = pool == NULL || count == 1;
	for (size_t i = 0; i < count; i++) {
		if (is_alone)
			work(owner, i);
		else
			pool->post(pool, i, work, owner);
	}
	for (size_t i = 0; i < count && !is_alone; i++)
		pool_await(pool, i, work, owner);
}

#endif
