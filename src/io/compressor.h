/* The formats in which output can be compressed. Blocks are compressed one by one and joined to a file (blocks.c). */
#ifndef PSCAN_IO_COMPRESSOR_H
#define PSCAN_IO_COMPRESSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/status.h"

/* A block of the output before it is compressed. */
struct plain_block {
	const unsigned char *data; /* Borrowed. */
	size_t size;
	size_t window_size; /* Bytes of the previous block that lie in memory before `data`. */
	bool first, last; /* The block is the first, or the last, of the output. */
};

/* A compressor that is not in this build has no `open`. */
struct compressor {
	const char *name; /* The format's name, which is also its tool's. */
	int level_default; /* The level if the user names none. */
	size_t window_size; /* Bytes of the previous block that a block may refer to. */
	/* Returns a state, which the caller ends with `close`. NULL after a message if memory is missing. */
	void *(*open)(int level);
	/* Frees a state. */
	void (*close)(void *state);
	/* Appends a block, compressed, to *out and sets *crc to the checksum of the block's data, or 0 if `join` is
	 * NULL. The appended bytes do not depend on earlier blocks of this state. STATUS_SYSTEM after a message if
	 * memory is missing or the library fails. */
	enum status (*put)(void *state, struct bytes *out, const struct plain_block *block, uint32_t *crc);
	/* Returns the checksum of two joined pieces of data. before, crc: the checksums of the first piece and of the
	 * second, which has `size` bytes. NULL: the format needs no checksum. */
	uint32_t (*join)(uint32_t before, uint32_t crc, size_t size);
	/* Appends the format's end after the last block, for the checksum and the length of the whole output.
	 * STATUS_SYSTEM after a message if memory is missing. NULL: the format has no such end. */
	enum status (*put_end)(struct bytes *out, uint32_t crc, uint64_t length);
};

extern const struct compressor compressor_gzip, compressor_zstd;

#endif
