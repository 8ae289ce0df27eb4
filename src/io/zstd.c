/* zstd, by libzstd. */
#include "io/codec.h"

#ifdef PSCAN_ZSTD
#include <zstd.h>
#include <zstd_errors.h>

#define WINDOW_LOG_MAX 27
_Static_assert((size_t)1 << WINDOW_LOG_MAX == CODEC_WINDOW_MAX, "the same limit");
#define BLOCK_HEADER 3

struct zstd {
	ZSTD_DCtx *context;
	struct codec_step step;
};

static void zstd_close(void *state)
{
	struct zstd *z = state;
	(void)ZSTD_freeDCtx(z->context);
	memory_free(z);
}

static void *zstd_open(void)
{
	struct zstd *z = memory_new(sizeof *z);
	if (z == NULL)
		return NULL;
	*z = (struct zstd){.context = ZSTD_createDCtx()};
	if (z->context == NULL ||
	    ZSTD_isError(ZSTD_DCtx_setParameter(z->context, ZSTD_d_windowLogMax, WINDOW_LOG_MAX))) {
		memory_missing(0);
		zstd_close(z);
		return NULL;
	}
	return z;
}

static enum filter_outcome zstd_begin(void *state)
{
	struct zstd *z = state;
	(void)ZSTD_DCtx_reset(z->context, ZSTD_reset_session_only);
	z->step = (struct codec_step){0};
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

static enum filter_outcome zstd_decode(void *state, struct flow *io, const char **what)
{
	struct zstd *z = state;
	ZSTD_inBuffer in = {io->in, codec_step_size(&z->step, io->in_size, BLOCK_HEADER), 0};
	ZSTD_outBuffer out = {io->out, io->out_size, 0};
	const size_t code = ZSTD_decompressStream(z->context, &out, &in);
	if (ZSTD_isError(code))
		return zstd_failed(code, what);
	flow_move(io, in.pos, out.pos);
	z->step = (struct codec_step){.asked = code, .is_full = io->out_size == 0};
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
	.version = ZSTD_versionString,
#endif
};
