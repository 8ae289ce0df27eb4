/* Reads (gzip_read.c) and writes (gzip_write.c) the gzip format, with zlib and ISA-L. Only the input and the sink use
 * it. */
#ifndef PSCAN_IO_GZIP_H
#define PSCAN_IO_GZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "io/filter.h"

/* Whether these bytes may begin a readable member: the magic, deflate, no reserved flag. False for less than 3
 * bytes. */
bool gzip_is_member(const unsigned char *bytes, size_t size);

/* The functions open (gzip_reader_new), close (gzip_reader_free; r may be NULL) and read (gzip_read) of struct filter
 * (filter.h), for gzip. The compressed input may end after any member. NUL bytes after the last member are padding. */
struct filter_reader *gzip_reader_new(void);
void gzip_reader_free(struct filter_reader *r);
enum filter_outcome gzip_read(struct filter_reader *r, struct flow *io, bool at_end, const char **what);

/* Sets whether gzip_read also returns (FILTER_MORE) after the end of each member. bgzf.c can then read the members that
 * follow. At first gzip_read does not. */
void gzip_reader_set_pauses(struct filter_reader *r, bool pauses);
/* Whether the reader is between two members and has read nothing of the second one. */
bool gzip_reader_is_between(const struct filter_reader *r);
/* Tells the reader that the next bytes which gzip_read gets are those at `offset` of the compressed input. The reader
 * must have read nothing yet, or gzip_reader_is_between must be true. */
void gzip_reader_go_to(struct filter_reader *r, uint64_t offset);

/* Bytes of earlier data to which compressor_gzip (compressor.h) may refer in a block. The blocks become one member,
 * whose bytes depend on the data and the level only. */
#define GZIP_WINDOW_SIZE ((size_t)32 << 10)
/* The default level is not one of zlib's. It is fast, and its output is nearly as small as that of level 6. */
#define GZIP_LEVEL_DEFAULT 10

/* Returns the CRC-32 of earlier data followed by the `size` bytes at `data`, which must not be NULL. crc: the CRC-32 of
 * the earlier data, 0 if there is none. Any thread. */
uint32_t gzip_crc(uint32_t crc, const unsigned char *data, size_t size);

/* Returns the names and versions of the libraries, for --version. */
const char *gzip_library(void);

#endif
