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

/* The NUL bytes that may stand after frames. */
enum padding {
	PADDING_NONE,
	PADDING_FOURS, /* A multiple of four, after any frame. */
	PADDING_LAST, /* Any number, after the last frame. */
};

/* A format. A codec that is not in this build has no `open`. */
struct codec {
	const char *trailing; /* The message for bytes after a frame that begin no other frame. */
	bool skips; /* Skippable frames may stand before, between and after frames. */
	enum padding pads;
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
	 * *what is defined for FILTER_DAMAGED and FILTER_REFUSED only. After FILTER_REFUSED and FILTER_NO_MEMORY only
	 * `close` may follow, after FILTER_DAMAGED also `end`. *asked: see block_header. */
	enum filter_outcome (*decode)(void *state, struct flow *io, size_t *asked, const char **what);
	/* For a library that loses the output of a call in which an error occurs: bytes of a block's header. `decode`
	 * sets *asked to the bytes that the library asks for. Its next call gets at most these, without the next
	 * block's header, and none while output may be left. 0: for other libraries. */
	size_t block_header;
	/* Call it where the input ends within a frame. FILTER_MORE: `decode` may put out more, without input.
	 * FILTER_DAMAGED: it cannot. FILTER_NO_MEMORY: after a message. NULL: it cannot. */
	enum filter_outcome (*end)(void *state);
	/* Whether a checksum has confirmed everything that `decode` has put out of the frame. NULL: not known before
	 * FILTER_END. */
	bool (*is_checked)(const void *state);
	/* Returns the bytes of the input that `decode` has taken but not used yet. NULL: none. */
	size_t (*held)(const void *state);
	/* Returns the library's version (static). */
	const char *(*version)(void);
};

extern const struct codec codec_gzip, codec_zstd, codec_xz, codec_bzip2, codec_lz4;

/* Prints that memory is missing. Always returns FILTER_NO_MEMORY. */
static inline enum filter_outcome codec_lacks_memory(void)
{
	memory_missing(0);
	return FILTER_NO_MEMORY;
}

#endif
