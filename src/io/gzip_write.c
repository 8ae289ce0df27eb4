/* A block ends with a sync flush, which leaves the stream at a byte's edge, so blocks can be joined as they are. ISA-L
 * deflates the default and levels 1 to 3 where the program was built with it, zlib the others. */
#include "io/gzip.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>
#ifdef PSCAN_ISAL
#include <isa-l.h>
#endif

#include "base/message.h"
#include "io/compressor.h"

#ifdef PSCAN_ISAL
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define ISAL_VERSION_TEXT TEXT(ISAL_MAJOR_VERSION) "." TEXT(ISAL_MINOR_VERSION) "." TEXT(ISAL_PATCH_VERSION)
/* What GZIP_LEVEL_DEFAULT means for ISA-L: its best. */
#define ISAL_LEVEL_BEST 3
#endif

/* What deflates one block after the other, for one thread at a time. */
struct deflater {
	int wanted; /* the level that was asked for */
	int level; /* of the library that deflates */
	bool is_isal;
	z_stream zlib;
#ifdef PSCAN_ISAL
	struct isal_zstream isal;
	unsigned char *work; /* of ISA-L: isal_work_sizes[level] bytes */
#endif
};

#ifdef PSCAN_ISAL
static const uint32_t isal_work_sizes[] = {0, ISAL_DEF_LVL1_DEFAULT, ISAL_DEF_LVL2_DEFAULT, ISAL_DEF_LVL3_DEFAULT};
#endif

static void *gzip_open(int level)
{
	struct deflater *d = memory_new(sizeof *d);
	if (d == NULL)
		return NULL;
	d->wanted = level;
#ifdef PSCAN_ISAL
	if (level == GZIP_LEVEL_DEFAULT || level <= ISAL_LEVEL_BEST) {
		d->is_isal = true;
		d->level = level == GZIP_LEVEL_DEFAULT ? ISAL_LEVEL_BEST : level;
		d->work = memory_new(isal_work_sizes[d->level]);
		if (d->work == NULL) {
			memory_free(d);
			return NULL;
		}
		/* At level 3 ISA-L looks past what it has written there. */
		memset(d->work, 0, isal_work_sizes[d->level]);
		return d;
	}
	d->work = NULL;
#endif
	d->is_isal = false;
	d->level = level == GZIP_LEVEL_DEFAULT ? 6 : level;
	d->zlib = (z_stream){0};
	if (deflateInit2(&d->zlib, d->level, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
		memory_missing(0);
		memory_free(d);
		return NULL;
	}
	return d;
}

static void gzip_close(void *state)
{
	struct deflater *d = state;
	if (!d->is_isal)
		(void)deflateEnd(&d->zlib);
#ifdef PSCAN_ISAL
	memory_free(d->work);
#endif
	memory_free(d);
}

#ifdef PSCAN_ISAL
static enum status put_block_isal(struct deflater *d, struct bytes *out, const struct plain_block *block)
{
	struct isal_zstream *z = &d->isal;
	/* Incompressible data is stored in blocks of at most 64 KiB with a header each. */
	const size_t bound = block->size + block->size / 1024 + 4096;
	TRY(bytes_reserve(out, bound));
	isal_deflate_init(z);
	z->level = (uint32_t)d->level;
	z->level_buf = d->work;
	z->level_buf_size = isal_work_sizes[d->level];
	z->end_of_stream = block->last;
	z->flush = SYNC_FLUSH;
	int code = COMP_OK;
	if (block->window_size > 0)
		code = isal_deflate_set_dict(z, bytes_plain(block->data - block->window_size),
					     (uint32_t)block->window_size);
	z->next_in = bytes_plain(block->data);
	z->avail_in = (uint32_t)block->size;
	z->next_out = out->data + out->size;
	z->avail_out = (uint32_t)bound;
	if (code == COMP_OK)
		code = isal_deflate(z);
	if (code != COMP_OK || z->avail_in != 0 || z->avail_out == 0)
		return message_fail("cannot compress: ISA-L failed");
	out->size += bound - z->avail_out;
	return STATUS_OK;
}
#endif

static enum status put_block_zlib(struct deflater *d, struct bytes *out, const struct plain_block *block)
{
	z_stream *z = &d->zlib;
	/* deflateBound is for a stream that is finished; a sync flush adds an empty stored block. */
	const size_t bound = deflateBound(z, (uLong)block->size) + 16;
	TRY(bytes_reserve(out, bound));
	int code = deflateReset(z);
	if (code == Z_OK && block->window_size > 0)
		code = deflateSetDictionary(z, block->data - block->window_size, (uInt)block->window_size);
	if (code == Z_OK) {
		z->next_in = block->data;
		z->avail_in = (uInt)block->size;
		z->next_out = out->data + out->size;
		z->avail_out = (uInt)bound;
		code = deflate(z, block->last ? Z_FINISH : Z_SYNC_FLUSH);
	}
	if (code != (block->last ? Z_STREAM_END : Z_OK) || z->avail_in != 0 || z->avail_out == 0)
		return message_fail("cannot compress: %s", z->msg != NULL ? z->msg : "zlib failed");
	out->size += bound - z->avail_out;
	return STATUS_OK;
}

/* The header of the member. */
static enum status put_header(struct bytes *out, int level)
{
	const unsigned char extra = level == 9 ? 2 : level == 1 ? 4 : 0;
	const unsigned char header[] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, extra, 255};
	return bytes_append(out, header, sizeof header);
}

/* The trailer of the member, whose data have this checksum and length. */
static enum status gzip_put_end(struct bytes *out, uint32_t crc, uint64_t length)
{
	unsigned char trailer[8];
	for (int i = 0; i < 4; i++) {
		trailer[i] = (unsigned char)(crc >> (8 * i));
		trailer[4 + i] = (unsigned char)(length >> (8 * i));
	}
	return bytes_append(out, trailer, sizeof trailer);
}

uint32_t gzip_crc(uint32_t crc, const unsigned char *data, size_t size)
{
#ifdef PSCAN_ISAL
	return crc32_gzip_refl(crc, data, size);
#else
	return (uint32_t)crc32_z(crc, data, size);
#endif
}

static uint32_t gzip_join(uint32_t before, uint32_t crc, size_t size)
{
	return (uint32_t)crc32_combine(before, crc, (z_off_t)size);
}

const char *gzip_library(void)
{
	static char name[64]; /* asked for once, by main */
#ifdef PSCAN_ISAL
	const char *isal = ", ISA-L " ISAL_VERSION_TEXT;
#else
	const char *isal = ", no ISA-L";
#endif
	(void)snprintf(name, sizeof name, "zlib %s%s", zlibVersion(), isal);
	return name;
}

static enum status gzip_put(void *state, struct bytes *out, const struct plain_block *block, uint32_t *crc)
{
	struct deflater *d = state;
	if (block->first)
		TRY(put_header(out, d->wanted));
	*crc = gzip_crc(0, block->data, block->size);
#ifdef PSCAN_ISAL
	if (d->is_isal)
		return put_block_isal(d, out, block);
#endif
	return put_block_zlib(d, out, block);
}

const struct compressor compressor_gzip = {
	.name = "gzip",
	.level_default = GZIP_LEVEL_DEFAULT,
	.window_size = GZIP_WINDOW_SIZE,
	.open = gzip_open,
	.close = gzip_close,
	.put = gzip_put,
	.join = gzip_join,
	.put_end = gzip_put_end,
};
