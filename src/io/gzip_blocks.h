/* A stream of bytes as one gzip member, deflated in blocks that several threads can take. */
#ifndef PSCAN_IO_GZIP_BLOCKS_H
#define PSCAN_IO_GZIP_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/pool.h"
#include "base/status.h"

struct gzip_blocks;

/* Where the member goes, in order. STATUS_SYSTEM after a message. */
typedef enum status gzip_blocks_write(void *context, const unsigned char *data, size_t size);

/* level: 1 to 9 or GZIP_LEVEL_DEFAULT. NULL after a message. */
struct gzip_blocks *gzip_blocks_new(int level, gzip_blocks_write *write, void *context);
/* No thread deflates any more. NULL is allowed. */
void gzip_blocks_free(struct gzip_blocks *b);

/* From now on blocks are deflated by a pool (borrowed) of at least 2 pieces, by gzip_blocks_deflate; NULL: by the thread that puts,
 * also those that are still posted. The pool's count is the same each time. STATUS_SYSTEM after a message. */
enum status gzip_blocks_share(struct gzip_blocks *b, const struct pool *pool) MUST_CHECK;

/* Appends size bytes to the stream. STATUS_SYSTEM after a message. One thread at a time, as for gzip_blocks_end. */
enum status gzip_blocks_put(struct gzip_blocks *b, const unsigned char *data, size_t size) MUST_CHECK;
/* Ends the member: all of it is written. Once. */
enum status gzip_blocks_end(struct gzip_blocks *b) MUST_CHECK;

/* Deflates a posted block. Any thread; what goes wrong is reported to the one that puts. */
void gzip_blocks_deflate(struct gzip_blocks *b, size_t block);

#endif
