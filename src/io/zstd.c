/* zstd, by libzstd. */
#include "io/codec.h"

#ifdef PSCAN_ZSTD
#include <zstd.h>
#include <zstd_errors.h>

#define WINDOW_LOG_MAX 27
_Static_assert((size_t)1 << WINDOW_LOG_MAX == CODEC_WINDOW_MAX, "the same limit");

static void zstd_close(void *state)
{
	(void)ZSTD_freeDCtx(state);
}

static void *zstd_open(void)
{
	ZSTD_DCtx *context = ZSTD_createDCtx();
	if (context == NULL || ZSTD_isError(ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, WINDOW_LOG_MAX))) {
		memory_missing(0);
		zstd_close(context);
		return NULL;
	}
	return context;
}

static enum filter_outcome zstd_begin(void *state)
{
	(void)ZSTD_DCtx_reset(state, ZSTD_reset_session_only);
	return FILTER_MORE;
}

static enum filter_outcome zstd_failed(size_t code, const char **what)
{
	const ZSTD_ErrorCode error = ZSTD_getErrorCode(code);
	*what = ZSTD_getErrorName(code);
	if (error == ZSTD_error_memory_allocation)
		return codec_lacks_memory();
	if (error == ZSTD_error_frameParameter_windowTooLarge) {
		*what = "a window of more than 128 MiB: use zstd -dc --long=31 F | pscan";
		return FILTER_REFUSED;
	}
	if (error == ZSTD_error_dictionary_wrong) {
		*what = "made with a dictionary: use zstd -dc -D DICTIONARY F | pscan";
		return FILTER_REFUSED;
	}
	return FILTER_DAMAGED;
}

static enum filter_outcome zstd_decode(void *state, struct flow *io, size_t *asked, const char **what)
{
	ZSTD_inBuffer in = {io->in, io->in_size, 0};
	ZSTD_outBuffer out = {io->out, io->out_size, 0};
	const size_t code = ZSTD_decompressStream(state, &out, &in);
	if (ZSTD_isError(code))
		return zstd_failed(code, what);
	flow_move(io, in.pos, out.pos);
	*asked = code;
	return code == 0 ? FILTER_END : FILTER_MORE;
}
#endif

const struct codec codec_zstd = {
	.trailing = "trailing bytes that are not a zstd frame",
	.skips = true,
#ifdef PSCAN_ZSTD
	.open = zstd_open,
	.close = zstd_close,
	.begin = zstd_begin,
	.decode = zstd_decode,
	.block_header = 3,
	.version = ZSTD_versionString,
#endif
};
