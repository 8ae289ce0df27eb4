/* lz4's frames, by liblz4. (Its legacy frames are for kernels.) */
#include "io/codec.h"

#ifdef PSCAN_LZ4
#include <lz4.h>
#include <lz4frame.h>
#include <string.h>

static void lz4_close(void *state)
{
	(void)LZ4F_freeDecompressionContext(state);
}

static void *lz4_open(void)
{
	LZ4F_dctx *context;
	if (!LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION)))
		return context;
	memory_missing(0);
	return NULL;
}

static enum filter_outcome lz4_begin(void *state)
{
	LZ4F_resetDecompressionContext(state);
	return FILTER_MORE;
}

/* The library has names for errors, and no numbers that a program may know. */
static enum filter_outcome lz4_failed(size_t code, const char **what)
{
	static const struct {
		const char *name, *what;
	} errors[] = {
		{"ERROR_contentChecksum_invalid", "incorrect data check"},
		{"ERROR_blockChecksum_invalid", "incorrect block check"},
		{"ERROR_headerChecksum_invalid", "incorrect header check"},
		{"ERROR_frameSize_wrong", "incorrect length"},
		{"ERROR_maxBlockSize_invalid", "invalid block size"},
	};
	const char *name = LZ4F_getErrorName(code);
	if (strcmp(name, "ERROR_allocation_failed") == 0)
		return codec_lacks_memory();
	*what = "invalid code";
	for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
		if (strcmp(name, errors[i].name) == 0)
			*what = errors[i].what;
	}
	return FILTER_DAMAGED;
}

static enum filter_outcome lz4_decode(void *state, struct flow *io, size_t *asked, const char **what)
{
	size_t used = io->in_size;
	size_t made = io->out_size;
	const size_t code = LZ4F_decompress(state, io->out, &made, io->in, &used, NULL);
	if (LZ4F_isError(code))
		return lz4_failed(code, what);
	flow_move(io, used, made);
	*asked = code;
	return code == 0 ? FILTER_END : FILTER_MORE;
}
#endif

const struct codec codec_lz4 = {
	.trailing = "trailing bytes that are not an lz4 frame",
	.skips = true,
#ifdef PSCAN_LZ4
	.open = lz4_open,
	.close = lz4_close,
	.begin = lz4_begin,
	.decode = lz4_decode,
	.block_header = 4,
	.version = LZ4_versionString,
#endif
};
