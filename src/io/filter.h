/* The compressed formats of input. Each has a filter, which is recognised by the first bytes of a file. Only input.c
 * and its neighbours call filters. */
#ifndef PSCAN_IO_FILTER_H
#define PSCAN_IO_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/problem.h"
#include "io/flow.h"

enum filter_outcome {
	FILTER_MORE, /* out is full or in is used up */
	FILTER_END, /* the input ended where the format may end */
	/* as FILTER_END, but bytes follow that do not belong there: the data is sound, the file is not */
	FILTER_TRAILING,
	FILTER_DAMAGED, /* damaged or cut off; what was put out before is what could be read */
	FILTER_REFUSED, /* perhaps sound, but not readable here */
	FILTER_NO_MEMORY, /* after a message */
};

/* The first member of every filter's own struct, which is for one file and one thread at a time. */
struct filter_reader {
	const struct filter *filter;
};

struct codec;

struct filter {
	const char *name; /* of the tool, too */
	const char *magic; /* bytes, and classes of them (filter.c), that a file begins with: they are waited for */
	size_t magic_size;
	size_t least; /* bytes of the magic that suffice if the file ends there */
	size_t head; /* bytes that identify a frame after another one */
	const char *suffix; /* of its files' names; NULL: another filter of the format has it */
	/* Whether a file that begins with these bytes, which have the magic, may be readable. NULL: always. */
	bool (*is_readable)(const unsigned char *bytes, size_t size);
	/* Of formats that frames.c reads, else NULL. */
	const struct codec *codec;
	bool is_skippable; /* skippable frames, which several formats have */
	/* The filter of the frame that these bytes may begin after a frame of this one. NULL: they begin none. */
	const struct filter *(*after)(const struct filter *before, const unsigned char *bytes, size_t size);
	/* Returns a reader, which the caller ends with `close`. NULL after a message if memory is missing. */
	struct filter_reader *(*open)(void);
	void (*close)(struct filter_reader *r);
	/* Returns the bytes of the compressed input that were used up. */
	uint64_t (*used)(const struct filter_reader *r);
	/* Whether part of a member or frame was put out and its checksum is still to come. *begin becomes the member's
	 * offset in the compressed input. */
	bool (*is_within)(const struct filter_reader *r, uint64_t *begin);
	/* Inflates, and moves on in io. at_end: io->in is the last of the input. On FILTER_DAMAGED, FILTER_REFUSED
	 * and FILTER_TRAILING *offset is the place in the compressed input and *what says what is wrong. */
	enum filter_outcome (*read)(struct filter_reader *r, struct flow *io, bool at_end, uint64_t *offset,
				    const char **what);
};

/* Whether a filter may be found with more bytes than these. */
bool filter_may_begin(const unsigned char *bytes, size_t size);
/* The filter of a file that begins with these bytes; strict: only if it may be readable. NULL: not compressed. */
const struct filter *filter_find(const unsigned char *bytes, size_t size, bool strict);
/* Whether bytes that no filter recognises must be refused, with the reason in `text`. They are refused if they are not
 * text and either differ from a magic by one bit, or the file's name has a filter's suffix. (They would otherwise be
 * taken for binary numbers.) *more becomes whether more bytes could change the answer. */
bool filter_refuses(const unsigned char *bytes, size_t size, const char *name, bool *more,
		    char text[PROBLEM_TEXT_SIZE]);
/* Returns the filter whose suffix (.gz and so on) ends a file's name, or NULL. */
const struct filter *filter_of_name(const char *name);
/* Whether this build can read the filter's files. */
bool filter_is_built(const struct filter *filter);

/* Returns the names and versions of the codecs' libraries, for --version. */
const char *filter_libraries(void);

#endif
