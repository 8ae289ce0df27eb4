/* Reading: inflate does headers, bodies and checks of single members; what may follow a member (another one, padding, or
 * bytes that do not belong there) is decided here, from up to three bytes that may come in several pieces. */
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
