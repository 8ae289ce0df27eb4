/* What an input may be compressed with: a filter for each format, known by its first bytes. The input alone calls
 * filters. */
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

/* The head of every filter's own struct, which is for one file and one thread at a time. */
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
	/* NULL after a message if there is no memory. */
	struct filter_reader *(*open)(void);
	void (*close)(struct filter_reader *r);
	/* Bytes of the compressed input that were used up. */
	uint64_t (*used)(const struct filter_reader *r);
	/* Whether some of a member (or frame) was put out whose end, with its checksum, was not reached; *begin: where
	 * in the compressed input that member begins. */
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
/* Whether bytes that no filter reads are refused, for what *text says: neither text nor compressed they would be taken
 * for numbers, but their magic has one wrong bit, or is not there though the file's name says so. *more: more bytes
 * may tell. */
bool filter_refuses(const unsigned char *bytes, size_t size, const char *name, bool *more,
		    char text[PROBLEM_TEXT_SIZE]);
/* The filter that a file's name ends in the suffix of (.gz and so on). NULL: no filter's. */
const struct filter *filter_of_name(const char *name);
/* Whether this build reads its files. */
bool filter_is_built(const struct filter *filter);

/* Names the codecs' libraries, for --version. */
const char *filter_libraries(void);

#endif
