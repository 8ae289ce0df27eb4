/* A stream of bytes, compressed in blocks that several threads can take. */
#ifndef PSCAN_IO_BLOCKS_H
#define PSCAN_IO_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/pool.h"
#include "base/status.h"
#include "io/compressor.h"

/* Bytes of a block, but for the stream's last one. */
#define BLOCKS_SIZE ((size_t)1 << 20)

struct blocks;

/* Where the compressed bytes go, in order. STATUS_SYSTEM after a message. */
typedef enum status blocks_write(void *context, const unsigned char *data, size_t size);

/* level: one that the compressor, which is of this build, has. NULL after a message. */
struct blocks *blocks_new(const struct compressor *compressor, int level, blocks_write *write, void *context);
/* To be called when no thread compresses. NULL is allowed. */
void blocks_free(struct blocks *b);

/* From now on blocks are compressed by a pool (borrowed) of at least 2 pieces, by blocks_compress; NULL: by the thread
 * that puts, also those that are still posted. The pool's count is the same each time. STATUS_SYSTEM after a
 * message. */
enum status blocks_share(struct blocks *b, const struct pool *pool) MUST_CHECK;

/* Appends size bytes to the stream. STATUS_SYSTEM after a message. One thread at a time, as for blocks_end. */
enum status blocks_put(struct blocks *b, const unsigned char *data, size_t size) MUST_CHECK;
/* Ends the stream: all of it is written. Once. */
enum status blocks_end(struct blocks *b) MUST_CHECK;

/* Compresses a posted block. Any thread; a failure is returned to the thread that puts. */
void blocks_compress(struct blocks *b, size_t block);

#endif
