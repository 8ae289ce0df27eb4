/* Reading: inflate does headers, bodies and checks of single members; what may follow a member (another one, padding, or
 * bytes that do not belong there) is decided here, from up to three bytes that may come in several pieces.
 *
 * Writing: a block ends with a sync flush, which leaves the stream at a byte's edge, so blocks can be joined as they are.
 * ISA-L deflates the default and levels 1 to 3 where the program was built with it, zlib the others. */
#include "gzip.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>
#ifdef PSCAN_ISAL
#include <isa-l.h>
#endif

#include "message.h"

#define MAGIC_SIZE 3
#ifdef PSCAN_ISAL
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define ISAL_VERSION_TEXT TEXT(ISAL_MAJOR_VERSION) "." TEXT(ISAL_MINOR_VERSION) "." TEXT(ISAL_PATCH_VERSION)
#endif

bool gzip_is_magic(const unsigned char *bytes, size_t size)
{
	return size >= MAGIC_SIZE && bytes[0] == 0x1f && bytes[1] == 0x8b && bytes[2] == 8 &&
	       (size < 4 || bytes[3] < 0x20);
}

enum reader_state {
	IN_MEMBER, /* inflating, or before the first member */
	AFTER_MEMBER, /* looking for what follows */
	IN_PADDING, /* NUL bytes to the end */
};

struct gzip_reader {
	z_stream stream;
	enum reader_state state;
	uint64_t offset; /* compressed bytes used up */
	unsigned char magic[MAGIC_SIZE]; /* what came after the member */
	size_t magic_size;
};

struct gzip_reader *gzip_reader_new(void)
{
	struct gzip_reader *r = memory_new(sizeof *r);
	if (r == NULL)
		return NULL;
	*r = (struct gzip_reader){.state = IN_MEMBER};
	if (inflateInit2(&r->stream, 15 + 16) != Z_OK) {
		message_error("out of memory for inflating");
		memory_free(r);
		return NULL;
	}
	return r;
}

void gzip_reader_free(struct gzip_reader *r)
{
	if (r == NULL)
		return;
	(void)inflateEnd(&r->stream);
	memory_free(r);
}

static uInt bounded(size_t size)
{
	return size > UINT_MAX ? UINT_MAX : (uInt)size;
}

/* Feeds the next member the magic bytes that were taken to recognise it. They are part of a header, so nothing comes out. */
static bool begin_member(struct gzip_reader *r)
{
	if (inflateReset(&r->stream) != Z_OK)
		return false;
	unsigned char nothing[1];
	r->stream.next_in = r->magic;
	r->stream.avail_in = MAGIC_SIZE;
	r->stream.next_out = nothing;
	r->stream.avail_out = 1;
	r->state = IN_MEMBER;
	r->magic_size = 0;
	return inflate(&r->stream, Z_NO_FLUSH) == Z_OK;
}

/* Between members. GZIP_MORE: a member begins, or more input is needed. */
static enum gzip_outcome after_member(struct gzip_reader *r, const unsigned char *in, size_t in_size, bool at_end,
				      size_t *in_used, const char **what)
{
	static const unsigned char magic[MAGIC_SIZE] = {0x1f, 0x8b, 8};
	while (*in_used < in_size) {
		const unsigned char byte = in[*in_used];
		if (r->state == AFTER_MEMBER && r->magic_size == 0 && byte == 0)
			r->state = IN_PADDING;
		if (r->state == IN_PADDING ? byte != 0 : byte != magic[r->magic_size]) {
			*what = "trailing bytes that are no gzip member";
			return GZIP_TRAILING;
		}
		(*in_used)++;
		r->offset++;
		if (r->state == IN_PADDING)
			continue;
		r->magic[r->magic_size++] = byte;
		if (r->magic_size == MAGIC_SIZE) {
			*what = "cannot begin a member";
			return begin_member(r) ? GZIP_MORE : GZIP_DAMAGED;
		}
	}
	if (!at_end)
		return GZIP_MORE;
	if (r->magic_size > 0) {
		*what = "unexpected end of file";
		return GZIP_DAMAGED;
	}
	return GZIP_END;
}

enum gzip_outcome gzip_read(struct gzip_reader *r, const unsigned char *in, size_t in_size, bool at_end,
			    size_t *in_used, unsigned char *out, size_t out_size, size_t *out_made, uint64_t *offset,
			    const char **what)
{
	z_stream *z = &r->stream;
	enum gzip_outcome outcome = GZIP_MORE;
	*in_used = 0;
	*out_made = 0;
	*what = "";
	while (outcome == GZIP_MORE && *out_made < out_size) {
		if (r->state != IN_MEMBER) {
			outcome = after_member(r, in, in_size, at_end, in_used, what);
			if (outcome == GZIP_MORE && r->state != IN_MEMBER)
				break; /* more input is needed */
			continue;
		}
		z->next_in = in + *in_used;
		z->avail_in = bounded(in_size - *in_used);
		z->next_out = out + *out_made;
		z->avail_out = bounded(out_size - *out_made);
		const uInt in_before = z->avail_in;
		const uInt out_before = z->avail_out;
		const int code = inflate(z, Z_NO_FLUSH);
		*in_used += in_before - z->avail_in;
		r->offset += in_before - z->avail_in;
		*out_made += out_before - z->avail_out;
		if (code == Z_STREAM_END) {
			r->state = AFTER_MEMBER;
		} else if (code == Z_BUF_ERROR ||
			   (code == Z_OK && in_before == z->avail_in && out_before == z->avail_out)) {
			if (*in_used < in_size || !at_end)
				break;
			*what = "unexpected end of file";
			outcome = GZIP_DAMAGED;
		} else if (code != Z_OK) {
			*what = z->msg != NULL ? z->msg : "cannot be inflated";
			outcome = GZIP_DAMAGED;
		} else if (*in_used == in_size && !at_end) {
			break;
		}
	}
	*offset = r->offset;
	return outcome;
}

enum status gzip_put_header(struct bytes *out, int level)
{
	const unsigned char extra = level == 9 ? 2 : level == 1 ? 4 : 0;
	const unsigned char header[] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, extra, 255};
	return bytes_append(out, header, sizeof header);
}

#ifdef PSCAN_ISAL
/* What GZIP_LEVEL_DEFAULT means for ISA-L: its best. */
#define ISAL_LEVEL_BEST 3

static enum status put_block_isal(struct bytes *out, int level, const unsigned char *window, size_t window_size,
				  const unsigned char *block, size_t size, bool last)
{
	static const uint32_t work_sizes[] = {0, ISAL_DEF_LVL1_DEFAULT, ISAL_DEF_LVL2_DEFAULT, ISAL_DEF_LVL3_DEFAULT};
	struct isal_zstream *z = memory_new(sizeof *z);
	unsigned char *work = memory_new(work_sizes[level]);
	unsigned char *dictionary = memory_new(GZIP_WINDOW_SIZE);
	enum status status = STATUS_SYSTEM;
	/* Incompressible data is stored in blocks of at most 64 KiB with a header each. */
	const size_t bound = size + size / 1024 + 4096;
	if (z == NULL || work == NULL || dictionary == NULL || bytes_reserve(out, bound) != STATUS_OK)
		goto out;
	isal_deflate_init(z);
	z->level = (uint32_t)level;
	z->level_buf = work;
	z->level_buf_size = work_sizes[level];
	z->end_of_stream = last;
	z->flush = SYNC_FLUSH;
	if (window_size > 0) {
		memcpy(dictionary, window, window_size);
		if (isal_deflate_set_dict(z, dictionary, (uint32_t)window_size) != COMP_OK)
			goto failed;
	}
	/* ISA-L only reads from next_in, though its type does not say so. */
	union {
		const unsigned char *constant;
		unsigned char *plain;
	} input = {.constant = block};
	z->next_in = input.plain;
	z->avail_in = (uint32_t)size;
	z->next_out = out->data + out->size;
	z->avail_out = (uint32_t)bound;
	if (isal_deflate(z) != COMP_OK || z->avail_in != 0 || z->avail_out == 0)
		goto failed;
	out->size += bound - z->avail_out;
	status = STATUS_OK;
	goto out;
failed:
	message_error("cannot deflate: ISA-L failed");
out:
	memory_free(z);
	memory_free(work);
	memory_free(dictionary);
	return status;
}
#endif

static enum status put_block_zlib(struct bytes *out, int level, const unsigned char *window, size_t window_size,
				  const unsigned char *block, size_t size, bool last)
{
	z_stream z = {0};
	enum status status = STATUS_SYSTEM;
	if (deflateInit2(&z, level, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY) != Z_OK) {
		message_error("out of memory for deflating");
		return STATUS_SYSTEM;
	}
	if (window_size > 0 && deflateSetDictionary(&z, window, (uInt)window_size) != Z_OK)
		goto out;
	/* deflateBound is for a stream that is finished; a sync flush adds an empty stored block. */
	const size_t bound = deflateBound(&z, (uLong)size) + 16;
	if (bytes_reserve(out, bound) != STATUS_OK)
		goto out;
	z.next_in = block;
	z.avail_in = (uInt)size;
	z.next_out = out->data + out->size;
	z.avail_out = (uInt)bound;
	const int code = deflate(&z, last ? Z_FINISH : Z_SYNC_FLUSH);
	if (code != (last ? Z_STREAM_END : Z_OK) || z.avail_in != 0) {
		message_error("cannot deflate: %s", z.msg != NULL ? z.msg : "zlib failed");
		goto out;
	}
	out->size += bound - z.avail_out;
	status = STATUS_OK;
out:
	(void)deflateEnd(&z);
	return status;
}

enum status gzip_put_block(struct bytes *out, int level, const unsigned char *window, size_t window_size,
			   const unsigned char *block, size_t size, bool last)
{
#ifdef PSCAN_ISAL
	if (level == GZIP_LEVEL_DEFAULT || level <= ISAL_LEVEL_BEST)
		return put_block_isal(out, level == GZIP_LEVEL_DEFAULT ? ISAL_LEVEL_BEST : level, window, window_size,
				      block, size, last);
#endif
	return put_block_zlib(out, level == GZIP_LEVEL_DEFAULT ? 6 : level, window, window_size, block, size, last);
}

enum status gzip_put_trailer(struct bytes *out, uint32_t crc, uint64_t length)
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
	return (uint32_t)crc32_z(crc, data, size);
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
