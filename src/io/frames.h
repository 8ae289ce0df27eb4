/* Reads files of frames (of gzip: members; of xz and bzip2: streams) with a codec. Like the format's own tool, accepts
 * several frames, skippable frames and padding. */
#ifndef PSCAN_IO_FRAMES_H
#define PSCAN_IO_FRAMES_H

#include "io/filter.h"

/* A reader of one file, for one thread at a time. */
struct frames {
	const struct filter *filter; /* The file's first one. After a skippable frame, that of the next other frame. */
	uint64_t offset; /* Bytes of the compressed input that were used up. */
	uint64_t begin; /* The offset of the frame that is being read. */
	/* The number of the frame (from 1) of which bytes were put out that no checksum has confirmed, or 0. Set by
	 * frames_read. */
	uint64_t unchecked;
	/* Whether frames_read also returns (FILTER_MORE) after the end of each frame. At first it does not. */
	bool pauses;
};

/* Returns a reader of a file that begins with a frame of this filter. The caller ends it with frames_free. NULL after a
 * message if memory is missing. */
struct frames *frames_new(const struct filter *filter);
void frames_free(struct frames *f);
/* Inflates until io's input is used up or its output is full, and moves io on. at_end: the file ends after io->in. For
 * FILTER_DAMAGED, FILTER_REFUSED and FILTER_TRAILING f->offset is the place in the compressed input, and *what becomes
 * the reason (static). */
enum filter_outcome frames_read(struct frames *f, struct flow *io, bool at_end, const char **what);
/* Whether the reader is between two frames and has read nothing of the second one. Its `offset` may then be changed: it
 * continues there. */
bool frames_is_between(const struct frames *f);

#endif
