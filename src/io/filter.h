/* The compressed formats of input. Each has a filter, which is recognised by the first bytes of a file. frames.c reads
 * such files. */
#ifndef PSCAN_IO_FILTER_H
#define PSCAN_IO_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/problem.h"
#include "io/flow.h"

/* How a call of a decoder (frames.h, or a codec of codec.h) ended. */
enum filter_outcome {
	FILTER_MORE, /* The data continues. */
	FILTER_END, /* Filter: the input has ended where the format may end. Codec: the frame has ended. */
	FILTER_TRAILING, /* The data has ended and is sound, but bytes follow that do not belong to the format. */
	FILTER_DAMAGED, /* The data is damaged or cut off. The output so far is what could be read before the damage. */
	FILTER_REFUSED, /* The data may be sound, but this program cannot read it. */
	FILTER_NO_MEMORY, /* Memory is missing. A message was printed. */
};

struct codec;

struct filter {
	const char *name; /* The format's name, which is also its tool's. */
	const char *magic; /* The bytes, or classes of bytes (filter.c), that every file of the format begins with. */
	size_t magic_size; /* Bytes of the magic. */
	size_t least; /* Bytes of the magic that suffice if the file ends after them. */
	size_t head; /* Bytes that identify a frame after another frame. */
	const char *suffix; /* The suffix of its files' names. NULL: another filter of the format has it. */
	/* Whether a file that begins with these `size` bytes may be readable. The bytes agree with the magic, but may
	 * be fewer. NULL: always. */
	bool (*is_readable)(const unsigned char *bytes, size_t size);
	const struct codec *codec; /* Reads a frame. A codec without `open`: this build cannot. */
	bool is_skippable; /* The filter is for skippable frames, which several formats have. */
};

/* Whether a file's first `size` bytes agree with some filter's magic but are fewer than the magic. Pure. */
bool filter_may_begin(const unsigned char *bytes, size_t size);
/* Returns the filter of a file that begins with these bytes. NULL: the file is not compressed, or, if `strict`, it is
 * not readable as compressed. Pure. */
const struct filter *filter_find(const unsigned char *bytes, size_t size, bool strict);
/* Returns the filter of the frame that these bytes may begin, after a frame of filter `before`. NULL: they begin no
 * frame. Pure. */
const struct filter *filter_after(const struct filter *before, const unsigned char *bytes, size_t size);
/* Whether a file must be refused whose first `size` bytes no filter recognises; if so, `text` becomes the reason. A
 * file is refused if these bytes are not text, and either they differ from a magic by one bit, or the file's name has a
 * filter's suffix. (The file would otherwise be taken for binary numbers.) *more becomes whether more bytes could
 * change the answer. */
bool filter_refuses(const unsigned char *bytes, size_t size, const char *name, bool *more,
		    char text[PROBLEM_TEXT_SIZE]);
/* Returns the filter whose suffix (.gz and so on) ends a file's name, or NULL. */
const struct filter *filter_of_name(const char *name);
/* Whether this build can read the filter's files. */
bool filter_is_built(const struct filter *filter);

/* Returns the names and versions of the codecs' libraries but gzip's (gzip_library), for --version. */
const char *filter_libraries(void);

#endif
