/* What the output may be compressed with: a format's blocks, made one by one and joined (blocks.c). */
#ifndef PSCAN_IO_COMPRESSOR_H
#define PSCAN_IO_COMPRESSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/status.h"

/* Some bytes of the output. */
struct plain_block {
	const unsigned char *data;
	size_t size;
	size_t window_size; /* bytes of the block before that stand in front of data, or 0 */
	bool first, last; /* of all */
};

/* Without open: not in this build. A state is for one thread at a time, and what is put does not depend on what was
 * put with it before. */
struct compressor {
	const char *name; /* of its tool, too */
	int level_default;
	size_t window_size; /* bytes of the block before that a block may refer to; 0: none */
	/* NULL after a message. */
	void *(*open)(int level);
	void (*close)(void *state);
	/* Appends a block, compressed; *crc is what the end needs of it. STATUS_SYSTEM after a message. */
	enum status (*put)(void *state, struct bytes *out, const struct plain_block *block, uint32_t *crc);
	/* The same of two pieces, the second of size bytes; and what is after the last block. NULL: nothing. */
	uint32_t (*join)(uint32_t before, uint32_t crc, size_t size);
	enum status (*put_end)(struct bytes *out, uint32_t crc, uint64_t length);
};

extern const struct compressor compressor_gzip, compressor_zstd;

#endif
