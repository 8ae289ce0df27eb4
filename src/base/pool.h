/* Threads that do pieces of work for others. */
#ifndef PSCAN_BASE_POOL_H
#define PSCAN_BASE_POOL_H

#include <stdbool.h>
#include <stddef.h>

/* One kind of work. Its owner, who alone posts and waits, numbers the pieces 0 .. count - 1, and uses the numbers
 * again and again. */
struct pool {
	void *context;
	int kind; /* for the functions */
	size_t count;
	/* Some thread shall do the piece. */
	void (*post)(const struct pool *pool, size_t piece);
	/* Whether that was done. */
	bool (*is_done)(const struct pool *pool, size_t piece);
	/* Waits until the piece is done, then gives false; or true with *other, a posted piece (perhaps the same) that
	 * the caller does itself and then calls end for. */
	bool (*help)(const struct pool *pool, size_t piece, size_t *other);
	void (*end)(const struct pool *pool, size_t piece);
	/* Nobody shall do the piece any more: waits if somebody has begun. */
	void (*withdraw)(const struct pool *pool, size_t piece);
};

#endif
