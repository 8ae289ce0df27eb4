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

/* Whether the `size` bytes begin a BGZF member. False if they are fewer than BGZF_HEADER_SIZE. Pure. */
bool bgzf_is_member(const unsigned char *bytes, size_t size);

/* The places of a file's members. */
struct bgzf_index {
	struct bytes places; /* A struct bgzf_place for each member that is not empty. Owned. */
	uint64_t bytes; /* Inflated bytes of all these members. */
	uint64_t file_bytes; /* Bytes of the compressed file. */
};

struct bgzf_place {
	uint64_t offset; /* Bytes of the file before the member. */
	uint64_t before; /* Inflated bytes before the member. */
};

/* Finds all members of a regular file. *whole becomes whether the file consists of BGZF members only. If not, the index
 * has the members at the file's beginning, without the last one of them; it is empty if the file does not begin with a
 * member. The caller frees index->places with bytes_free. STATUS_SYSTEM after a message if the file cannot be read or
 * memory is missing. */
enum status bgzf_find_members(const char *name, struct bgzf_index *index, bool *whole) MUST_CHECK;
/* Returns the offset of the member that contains an inflated byte, which must exist. *skip becomes the member's
 * inflated bytes before it. */
uint64_t bgzf_member_of(const struct bgzf_index *index, uint64_t byte, uint64_t *skip);

/* Returns a reader of the members of a regular file from `offset` on. fd and pool are borrowed. The caller ends the
 * reader with bgzf_free. NULL after a message if memory is missing. */
struct bgzf *bgzf_new(int fd, uint64_t offset, const struct pool *pool);
/* Waits for posted pieces and frees the reader. b may be NULL. */
void bgzf_free(struct bgzf *b);

/* Copies up to `size` of the next inflated bytes to out and returns their number. 0: no sound member follows, or memory
 * is missing (bgzf_lacks_memory). One thread at a time. */
size_t bgzf_read(struct bgzf *b, unsigned char *out, size_t size);
/* Whether bgzf_read returned 0 because memory is missing. A message was printed then. */
bool bgzf_lacks_memory(const struct bgzf *b);
/* The offset in the file where another reader must go on after bgzf_read has returned 0. */
uint64_t bgzf_offset(const struct bgzf *b);

#endif
