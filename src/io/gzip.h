/* What is known of gzip beside its codec (gzip_read.c) and its compressor (gzip_write.c). */
#ifndef PSCAN_IO_GZIP_H
#define PSCAN_IO_GZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether these bytes may begin a readable member: the magic, deflate, no reserved flag. False for less than 3
 * bytes. */
bool gzip_is_member(const unsigned char *bytes, size_t size);

/* Bytes of earlier data to which compressor_gzip (compressor.h) may refer in a block. The blocks become one member,
 * whose bytes depend on the data and the level only. */
#define GZIP_WINDOW_SIZE ((size_t)32 << 10)
/* The default level is not one of zlib's. It is fast, and its output is nearly as small as that of level 6. */
#define GZIP_LEVEL_DEFAULT 10

/* Returns the CRC-32 of earlier data followed by the `size` bytes at `data`, which must not be NULL. crc: the CRC-32 of
 * the earlier data, 0 without earlier data. Any thread. */
uint32_t gzip_crc(uint32_t crc, const unsigned char *data, size_t size);

/* Returns the names and versions of the libraries, for --version. */
const char *gzip_library(void);

#endif
