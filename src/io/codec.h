/* The interface to a library that decodes one compressed format, frame by frame (or stream by stream) and in pieces.
 * frames.c reads files of frames. pscan uses each format's own library and not libarchive, which loads a dozen others,
 * hides how far a library came before damage, and sets no limit to a window's memory. */
#ifndef PSCAN_IO_CODEC_H
#define PSCAN_IO_CODEC_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"
#include "io/filter.h"

/* The largest window of a frame, in bytes. Frames with a larger one are refused. (zstd's own default.) */
#define CODEC_WINDOW_MAX ((size_t)128 << 20)

/* Without open: not in this build. */
struct codec {
	const char *trailing; /* the message for bytes that begin no frame */
	bool skips; /* skippable frames may stand between others */
	bool pads; /* NUL bytes may, four or a multiple of that */
	/* NULL after a message if there is no memory. */
	void *(*open)(void);
	void (*close)(void *state);
	/* Begins a frame. Returns FILTER_MORE or FILTER_NO_MEMORY. */
	enum filter_outcome (*begin)(void *state);
	/* Decodes as much as io has room for, and moves on in it. FILTER_END: the frame ended. On FILTER_DAMAGED and
	 * FILTER_REFUSED *what says why. */
	enum filter_outcome (*decode)(void *state, struct flow *io, const char **what);
	const char *(*version)(void);
};

extern const struct codec codec_zstd, codec_xz, codec_bzip2, codec_lz4;

/* Reports that there is no memory. */
static inline enum filter_outcome codec_lacks_memory(void)
{
	memory_missing(0);
	return FILTER_NO_MEMORY;
}

/* For libraries that lose the output of a call in which an error occurs. Each call reads at most what the library asked
 * for, without the next block's header, and reads nothing while there may be output left. */
struct codec_step {
	size_t asked; /* bytes that the library asked for; 0: none yet */
	bool is_full; /* the output was filled, so there may be more */
};

/* Returns how many of in_size bytes the next call may read. block_header: bytes of a block's header. */
static inline size_t codec_step_size(const struct codec_step *s, size_t in_size, size_t block_header)
{
	const size_t size = s->asked > block_header ? s->asked - block_header : s->asked;
	if (s->is_full)
		return 0;
	return size > 0 && size < in_size ? size : in_size;
}

#endif
