/* xz, by liblzma. */
#include "io/codec.h"

#ifdef PSCAN_XZ
#include <lzma.h>

/* The dictionary, and what the decoder needs beside it. */
#define MEMORY_MAX ((uint64_t)CODEC_WINDOW_MAX + ((uint64_t)1 << 20))

static void xz_close(void *state)
{
	lzma_end(state);
	memory_free(state);
}

static void *xz_open(void)
{
	lzma_stream *z = memory_new(sizeof *z);
	if (z != NULL)
		*z = (lzma_stream)LZMA_STREAM_INIT;
	return z;
}

static enum filter_outcome xz_begin(void *state)
{
	if (lzma_stream_decoder(state, MEMORY_MAX, LZMA_TELL_UNSUPPORTED_CHECK) == LZMA_OK)
		return FILTER_MORE;
	return codec_lacks_memory();
}

static enum filter_outcome xz_outcome(lzma_ret code, const char **what)
{
	static const struct {
		lzma_ret code;
		enum filter_outcome outcome;
		const char *what;
	} outcomes[] = {
		{LZMA_OK, FILTER_MORE, ""},
		{LZMA_BUF_ERROR, FILTER_MORE, ""}, /* neither input nor output */
		{LZMA_STREAM_END, FILTER_END, ""},
		{LZMA_MEM_ERROR, FILTER_NO_MEMORY, ""},
		{LZMA_MEMLIMIT_ERROR, FILTER_REFUSED, "a dictionary of more than 128 MiB: use xz -dc F | pscan"},
		{LZMA_UNSUPPORTED_CHECK, FILTER_REFUSED, "a check that liblzma does not know"},
		{LZMA_OPTIONS_ERROR, FILTER_DAMAGED, "unknown options"},
		{LZMA_FORMAT_ERROR, FILTER_DAMAGED, "not an xz stream"},
	};
	for (size_t i = 0; i < sizeof outcomes / sizeof outcomes[0]; i++) {
		if (outcomes[i].code == code) {
			*what = outcomes[i].what;
			return outcomes[i].outcome;
		}
	}
	*what = "invalid code or incorrect check";
	return FILTER_DAMAGED;
}

static enum filter_outcome xz_decode(void *state, struct flow *io, size_t *asked, const char **what)
{
	(void)asked;
	lzma_stream *z = state;
	z->next_in = io->in;
	z->avail_in = io->in_size;
	z->next_out = io->out;
	z->avail_out = io->out_size;
	const enum filter_outcome outcome = xz_outcome(lzma_code(z, LZMA_RUN), what);
	flow_move(io, io->in_size - z->avail_in, io->out_size - z->avail_out);
	return outcome == FILTER_NO_MEMORY ? codec_lacks_memory() : outcome;
}
#endif

const struct codec codec_xz = {
	.trailing = "trailing bytes that are not an xz stream",
	.pads = PADDING_FOURS,
#ifdef PSCAN_XZ
	.open = xz_open,
	.close = xz_close,
	.begin = xz_begin,
	.decode = xz_decode,
	.version = lzma_version_string,
#endif
};
