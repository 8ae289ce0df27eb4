/* Compresses a stream of bytes in blocks, which several threads can do at once. */
#ifndef PSCAN_IO_BLOCKS_H
#define PSCAN_IO_BLOCKS_H

#include <stddef.h>

#include "base/pool.h"
#include "base/status.h"
#include "io/compressor.h"

/* Bytes of a block, but for the stream's last one. */
#define BLOCKS_SIZE ((size_t)1 << 20)

struct blocks;

/* A function that takes the compressed bytes in order. Returns STATUS_SYSTEM after a message if it fails. */
typedef enum status blocks_write(void *context, const unsigned char *data, size_t size);

/* Begins a stream. The compressor must be in this build and must have this level. write(context, ...) receives the
 * compressed bytes, during blocks_put and blocks_end. The caller ends the stream with blocks_free. NULL after a message
 * if memory is missing. */
struct blocks *blocks_new(const struct compressor *compressor, int level, blocks_write *write, void *context);
/* Frees the stream. No thread may be compressing its blocks. b may be NULL. */
void blocks_free(struct blocks *b);

/* Sets the pool whose threads compress from now on. pool: borrowed until the next call or blocks_free, with at least 2
 * pieces; all pools of a stream must have equally many. NULL: from now on blocks_put and blocks_end compress, also
 * blocks that were posted and not begun. No thread may be compressing or in blocks_put. STATUS_SYSTEM after a message
 * if memory is missing; the old pool then stays. */
enum status blocks_share(struct blocks *b, const struct pool *pool) MUST_CHECK;

/* Appends `size` bytes to the stream; they are copied. STATUS_SYSTEM after a message if these or earlier bytes could
 * not be compressed or written; only blocks_free may follow. Only one thread at a time may call blocks_put or
 * blocks_end. */
enum status blocks_put(struct blocks *b, const unsigned char *data, size_t size) MUST_CHECK;
/* Compresses and writes the rest of the stream and ends it. Call it once, and not after a failure. STATUS_SYSTEM after
 * a message if the rest, or earlier bytes that were not written yet, could not be compressed or written. */
enum status blocks_end(struct blocks *b) MUST_CHECK;

#endif
