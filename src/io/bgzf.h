/* BGZF: gzip whose members are short and say how long they are, so that several threads can inflate them. Only sound
 * members are read here; the rest of the file is left to the gzip reader, which reports what is wrong. */
#ifndef PSCAN_IO_BGZF_H
#define PSCAN_IO_BGZF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/pool.h"

struct bgzf;

/* Bytes that bgzf_is_member looks at. */
#define BGZF_HEADER_SIZE 18

/* Whether a member that says its size begins here. */
bool bgzf_is_member(const unsigned char *bytes, size_t size);

/* Where a file's members begin. */
struct bgzf_index {
	struct bytes places; /* struct bgzf_place, of each that is not empty. Owned */
	uint64_t bytes; /* that the file holds, inflated */
	uint64_t file_bytes; /* and as it is */
};

struct bgzf_place {
	uint64_t offset; /* in the file */
	uint64_t before; /* inflated bytes before it */
};

/* Looks for all members of a regular file. *whole: it is nothing but those; else the index has those that it begins
 * with, up to the last one that another one follows. The index of a file that does not begin as a member is empty.
 * STATUS_SYSTEM after a message. */
enum status bgzf_find_members(const char *name, struct bgzf_index *index, bool *whole) MUST_CHECK;
/* The member in which an inflated byte is, of which there are some; *skip: how many are before it there. */
uint64_t bgzf_member_of(const struct bgzf_index *index, uint64_t byte, uint64_t *skip);

/* Reads the members from offset of a regular file on. The pool (borrowed) inflates: its tasks are bgzf_inflate. NULL
 * after a message. */
struct bgzf *bgzf_new(int fd, uint64_t offset, const struct pool *pool);
/* Waits for what is being inflated. NULL is allowed. */
void bgzf_free(struct bgzf *b);

/* Gives out up to size of the next inflated bytes. 0: no faultless member follows. One thread at a time. */
size_t bgzf_read(struct bgzf *b, unsigned char *out, size_t size);
/* Then: whether that was for want of memory, which was reported. */
bool bgzf_lacks_memory(const struct bgzf *b);
/* Where the file is to be read on when bgzf_read gave 0. */
uint64_t bgzf_offset(const struct bgzf *b);

/* Inflates a posted group of members. Any thread. */
void bgzf_inflate(struct bgzf *b, size_t group);

#endif
