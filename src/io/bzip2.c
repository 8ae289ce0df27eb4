/* bzip2, by libbz2. */
#include "io/codec.h"

#ifdef PSCAN_BZIP2
#include <bzlib.h>
#include <limits.h>

static void bzip2_close(void *state)
{
	(void)BZ2_bzDecompressEnd(state);
	memory_free(state);
}

static void *bzip2_open(void)
{
	bz_stream *z = memory_new(sizeof *z);
	if (z != NULL)
		*z = (bz_stream){0};
	return z;
}

static enum filter_outcome bzip2_begin(void *state)
{
	bz_stream *z = state;
	(void)BZ2_bzDecompressEnd(z); /* of the stream before it */
	*z = (bz_stream){0};
	if (BZ2_bzDecompressInit(z, 0, 0) == BZ_OK)
		return FILTER_MORE;
	return codec_lacks_memory();
}

static enum filter_outcome bzip2_decode(void *state, struct flow *io, size_t *asked, const char **what)
{
	(void)asked;
	bz_stream *z = state;
	const unsigned in_size = io->in_size < UINT_MAX ? (unsigned)io->in_size : UINT_MAX;
	const unsigned out_size = io->out_size < UINT_MAX ? (unsigned)io->out_size : UINT_MAX;
	/* Whose type is char *. */
	z->next_in = (char *)bytes_plain(io->in);
	z->avail_in = in_size;
	z->next_out = (char *)io->out;
	z->avail_out = out_size;
	const int code = BZ2_bzDecompress(z);
	flow_move(io, in_size - z->avail_in, out_size - z->avail_out);
	if (code == BZ_OK || code == BZ_STREAM_END)
		return code == BZ_OK ? FILTER_MORE : FILTER_END;
	if (code == BZ_MEM_ERROR)
		return codec_lacks_memory();
	*what = "invalid code or incorrect check";
	return FILTER_DAMAGED;
}
#endif

const struct codec codec_bzip2 = {
	.trailing = "trailing bytes that are not a bzip2 stream",
#ifdef PSCAN_BZIP2
	.open = bzip2_open,
	.close = bzip2_close,
	.begin = bzip2_begin,
	.decode = bzip2_decode,
	.version = BZ2_bzlibVersion,
#endif
};
