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

/* Bytes that bgzf_is_member needs. */
#define BGZF_HEADER_SIZE 18

/* Whether the `size` bytes begin with the header of a BGZF member. False if `size` is less than BGZF_HEADER_SIZE.
 * Pure. */
bool bgzf_is_member(const unsigned char *bytes, size_t size);

/* The places of a file's members. All zero: the file does not begin with a member. */
struct bgzf_index {
	struct bytes members; /* A struct bgzf_member for each member that is not empty. Owned. */
	uint64_t bytes; /* Inflated bytes of all these members. */
	uint64_t file_bytes; /* Bytes of the compressed file. */
};

struct bgzf_member {
	uint64_t offset; /* Bytes of the file before the member. */
	uint64_t before; /* Inflated bytes before the member. */
};

/* Finds all members of a regular file. *whole becomes true if the file consists of BGZF members only, or is empty. If
 * something else follows the members at the file's beginning, *whole becomes false, and the index lacks the last of
 * these members. If the file cannot be opened, *whole becomes false and the index is all zero. The caller frees
 * index->members with bytes_free. STATUS_SYSTEM after a message if memory is missing; the index is then all zero. */
enum status bgzf_find_members(const char *name, struct bgzf_index *index, bool *whole) MUST_CHECK;
/* Returns the offset of the member that contains the inflated byte number `byte` (from 0), which must exist. *skip
 * becomes the number of inflated bytes between the member's first byte and this byte. */
uint64_t bgzf_member_of(const struct bgzf_index *index, uint64_t byte, uint64_t *skip);

/* Returns a reader of the members of a regular file from `offset` on. fd and pool (not NULL) are borrowed. The caller
 * ends the reader with bgzf_free. NULL after a message if memory is missing. */
struct bgzf *bgzf_new(int fd, uint64_t offset, const struct pool *pool);
/* Waits for posted pieces and frees the reader. b may be NULL. */
void bgzf_free(struct bgzf *b);

/* Copies up to `size` of the next inflated bytes to out and returns their number. 0 if `size` is not 0: no sound member
 * follows, or memory is missing (bgzf_lacks_memory); later calls return 0, too. One thread at a time. */
size_t bgzf_read(struct bgzf *b, unsigned char *out, size_t size);
/* Whether bgzf_read returned 0 because memory is missing. A message was printed then. */
bool bgzf_lacks_memory(const struct bgzf *b);
/* Returns an offset in the file: bgzf_read has given out all bytes of the members before it. After bgzf_read has
 * returned 0, it has given out no later bytes, and another reader continues at this offset. */
uint64_t bgzf_offset(const struct bgzf *b);

#endif
