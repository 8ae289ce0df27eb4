/* A stream of bytes as one gzip member, deflated in blocks that several threads can take. */
#ifndef PSCAN_IO_GZIP_BLOCKS_H
#define PSCAN_IO_GZIP_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

struct gzip_blocks;

/* Where the member goes, in order. STATUS_SYSTEM after a message. */
typedef enum status gzip_blocks_write(void *context, const unsigned char *data, size_t size);

/* Threads that work on blocks, numbered 0 .. block_count - 1 and used again and again. All calls come from the thread
 * that reads or puts the stream. */
struct gzip_pool {
	void *context;
	int kind; /* for the functions */
	size_t block_count; /* at least 2 */
	/* Some thread shall call gzip_blocks_deflate (or bgzf_inflate) for the block. */
	void (*post)(const struct gzip_pool *pool, size_t block);
	/* Whether that was done. */
	bool (*is_done)(const struct gzip_pool *pool, size_t block);
	/* Waits until the block is done, then gives false; or true with *other, a posted block (perhaps the same) that
	 * the caller works on itself and then calls end for. */
	bool (*help)(const struct gzip_pool *pool, size_t block, size_t *other);
	void (*end)(const struct gzip_pool *pool, size_t block);
};

/* level: 1 to 9 or GZIP_LEVEL_DEFAULT. NULL after a message. */
struct gzip_blocks *gzip_blocks_new(int level, gzip_blocks_write *write, void *context);
/* No thread deflates any more. NULL is allowed. */
void gzip_blocks_free(struct gzip_blocks *b);

/* From now on blocks are deflated by a pool (borrowed); NULL: by the thread that puts, also those that are still
 * posted. The pool's block_count is the same each time. STATUS_SYSTEM after a message. */
enum status gzip_blocks_share(struct gzip_blocks *b, const struct gzip_pool *pool) MUST_CHECK;

/* Appends size bytes to the stream. STATUS_SYSTEM after a message. One thread at a time, as for gzip_blocks_end. */
enum status gzip_blocks_put(struct gzip_blocks *b, const unsigned char *data, size_t size) MUST_CHECK;
/* Ends the member: all of it is written. Once. */
enum status gzip_blocks_end(struct gzip_blocks *b) MUST_CHECK;

/* Deflates a posted block. Any thread; what goes wrong is reported to the one that puts. */
void gzip_blocks_deflate(struct gzip_blocks *b, size_t block);

#endif
