/* The interface to a library that decodes one compressed format, frame by frame (or stream by stream) and in pieces.
 * frames.c reads files of frames. pscan uses each format's own library and not libarchive, which loads a dozen others,
 * hides how far a library came before damage, and sets no limit to a window's memory. */
#ifndef PSCAN_IO_CODEC_H
#define PSCAN_IO_CODEC_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"
#include "io/filter.h"

/* The largest window of a frame, in bytes: zstd's own default. Frames with a larger window are refused. */
#define CODEC_WINDOW_MAX ((size_t)128 << 20)

/* A format. A codec that is not in this build has no `open`. */
struct codec {
	const char *trailing; /* The message for bytes after a frame that begin no other frame. */
	bool skips; /* Skippable frames may stand before, between and after frames. */
	bool pads; /* NUL bytes may stand after each frame, a multiple of four. */
	/* Returns a decoder's state, which the caller ends with `close`. NULL after a message if memory is missing. */
	void *(*open)(void);
	/* Frees a state. */
	void (*close)(void *state);
	/* Begins a frame. Call it before the first `decode` of each frame. Returns FILTER_MORE, or FILTER_NO_MEMORY
	 * after a message. */
	enum filter_outcome (*begin)(void *state);
	/* Decodes some of io's input, at most to the end of the frame, and moves io past the bytes that were used and
	 * made. Outcomes:
	 *   FILTER_MORE       The frame continues. io may still have input and room: call `decode` again.
	 *   FILTER_END        The frame has ended.
	 *   FILTER_DAMAGED    *what becomes the reason (static). io may not have moved.
	 *   FILTER_REFUSED    *what becomes the reason (static). io may not have moved.
	 *   FILTER_NO_MEMORY  After a message.
	 * *what is defined for FILTER_DAMAGED and FILTER_REFUSED only. After FILTER_DAMAGED, FILTER_REFUSED and
	 * FILTER_NO_MEMORY only `close` may follow. */
	enum filter_outcome (*decode)(void *state, struct flow *io, const char **what);
	/* Returns the library's version (static). */
	const char *(*version)(void);
};

extern const struct codec codec_zstd, codec_xz, codec_bzip2, codec_lz4;

/* Prints that memory is missing. Always returns FILTER_NO_MEMORY. */
static inline enum filter_outcome codec_lacks_memory(void)
{
	memory_missing(0);
	return FILTER_NO_MEMORY;
}

/* The last call of a library that loses the output of a call in which an error occurs. Each call of such a library gets
 * at most the bytes that the library asked for, without the next block's header. A call gets no bytes while the library
 * may hold output that found no room. */
struct codec_step {
	size_t asked; /* Bytes that the library asked for. 0: no call was made yet. */
	bool is_full; /* The last call has filled the output's room. */
};

/* Returns how many of the in_size bytes of input the next call may get. block_header: bytes of a block's header.
 * Pure. */
static inline size_t codec_step_size(const struct codec_step *s, size_t in_size, size_t block_header)
{
	const size_t size = s->asked > block_header ? s->asked - block_header : s->asked;
	if (s->is_full)
		return 0;
	return size > 0 && size < in_size ? size : in_size;
}

#endif
