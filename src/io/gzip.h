/* Reads (gzip_read.c) and writes (gzip_write.c) the gzip format, with zlib and ISA-L. Only the input and the sink use
 * it. */
#ifndef PSCAN_IO_GZIP_H
#define PSCAN_IO_GZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/status.h"
#include "io/filter.h"

/* Whether these bytes may begin a readable member: the magic, deflate, no reserved flag. */
bool gzip_is_member(const unsigned char *bytes, size_t size);

/* The functions of struct filter for gzip. A file may end after any member, with NUL bytes as padding after it. */
struct filter_reader *gzip_reader_new(void);
void gzip_reader_free(struct filter_reader *r);
uint64_t gzip_reader_used(const struct filter_reader *r);
bool gzip_reader_is_within(const struct filter_reader *r, uint64_t *begin);
enum filter_outcome gzip_read(struct filter_reader *r, struct flow *io, bool at_end, uint64_t *offset,
			      const char **what);

/* These three let bgzf.c read some members. With `pauses` set, gzip_read returns after every member.
 * gzip_reader_is_between returns whether the reader is between two members and has used nothing after the first;
 * *offset becomes the place in the compressed input. gzip_reader_go_to continues there or at a later offset. */
void gzip_reader_set_pauses(struct filter_reader *r, bool pauses);
bool gzip_reader_is_between(const struct filter_reader *r, uint64_t *offset);
void gzip_reader_go_to(struct filter_reader *r, uint64_t offset);

/* compressor_gzip (compressor.h) deflates each block after the 32 KiB before it, and joins the blocks into one member:
 * the bytes depend on the data and the level only. */
#define GZIP_WINDOW_SIZE ((size_t)32 << 10)
/* The default level is not one of zlib's. It is fast, and its output is nearly as small as that of level 6. */
#define GZIP_LEVEL_DEFAULT 10

/* The checksum crc of some data (0 of none), continued. Any thread. */
uint32_t gzip_crc(uint32_t crc, const unsigned char *data, size_t size);

/* Returns the names and versions of the libraries, for --version. */
const char *gzip_library(void);

#endif
