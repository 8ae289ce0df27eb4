/* The files as one stream of chunks. */
#ifndef PSCAN_STREAM_SOURCE_H
#define PSCAN_STREAM_SOURCE_H

#include "io/input.h"
#include "stream/plan.h"
#include "stream/slot.h"

struct source;

/* names: count of them (at least 1), borrowed. stop_fd and may_be_elements as for input_open. NULL after a message. */
struct source *source_new(char *const *names, size_t count, int stop_fd, bool may_be_elements);
void source_free(struct source *s);

/* The first `bytes` bytes of each file, counted after inflating, are passed over: a header before raw numbers. Call it
 * after source_new. */
void source_skip_bytes(struct source *s, uint64_t bytes);

/* How many records of binary input there were up to now, those of earlier runs included. */
uint64_t source_records(const struct source *s);

/* The stream is a slice of the input, of files that are regular, and not compressed but as BGZF. Of binary input it
 * consists of records, of text it begins and ends where a line does. */
struct source_slice {
	uint64_t records_before; /* of the whole input, binary: source_go_on's */
	uint64_t file_records; /* binary: of the first file that are not the slice's, before it */
	uint64_t file_bytes; /* the same in bytes */
	uint64_t bytes; /* of the slice; UINT64_MAX: all that follow */
	const struct bgzf_index
		*index; /* of the first file, if it is one of BGZF: its bytes are those inflated; else NULL. Borrowed */
	bool goes_on; /* text: something of it is before the slice */
};

/* Before any source_fill. If there are fewer bytes than the slice's, a file has become shorter, and the last slot's
 * source_problem says so. */
void source_take_slice(struct source *s, const struct source_slice *slice);
/* Before any source_fill: the header of the text that begins with these files, where the slice is behind it.
 * STATUS_SYSTEM after a message. What is wrong with it is for whoever has it in his slice. */
enum status source_know_header(struct source *s, const struct plan *plan, char *const *names, size_t count) MUST_CHECK;

/* A file of which a run before this one has taken some (--state). */
struct source_file {
	bool is_regular; /* a regular file: */
	bool is_taken; /* all of it was: nothing is read of it */
	uint64_t device, inode; /* what it must still be */
	uint64_t begin; /* where it would be read from, */
	uint64_t passed; /* and where it is read from, if that is more */
};

/* What was taken of a regular file. */
struct source_taken {
	size_t file; /* among the names */
	uint64_t device, inode;
	uint64_t bytes; /* from its first on; these may be none */
	uint64_t header; /* how many of these may be rewritten in place: an array's header, or --skip-bytes */
	uint64_t first, last; /* source_hash_ends of the others */
	bool is_whole; /* it was inflated, or is an array */
	/* if it was inflated, the corresponding counts of inflated bytes; else 0: */
	uint64_t inflated, inflated_first, inflated_last;
};

/* The files go on after what runs before have taken, and what is taken of them now is noted. files: one for each name,
 * borrowed; they may change up to the first source_fill. records: of binary input, that came in those runs. names: of
 * their header, `size` bytes, as source_names gave them. After source_new. STATUS_SYSTEM after a message. */
enum status source_go_on(struct source *s, const struct source_file *files, uint64_t records,
			 const unsigned char *names, size_t size) MUST_CHECK;
/* What a later run will compare its header with (header_put_names); those before if none are known. */
const struct bytes *source_names(const struct source *s);
/* Those that were read to their end. */
const struct source_taken *source_taken_files(const struct source *s, size_t *count);
/* Bytes at either end of what was taken that tell files apart. */
#define SOURCE_END_SIZE 4096
/* The ends of a stream of bytes. */
struct source_ends {
	uint64_t size; /* Bytes of the stream. */
	unsigned char first[SOURCE_END_SIZE], last[SOURCE_END_SIZE]; /* All bytes, if these are fewer. */
};
/* Adds the next bytes of the stream. */
void source_ends_add(struct source_ends *e, const unsigned char *bytes, size_t size);
/* The hash of size bytes at an end. */
uint64_t source_hash_end(const unsigned char *bytes, size_t size);
/* Hashes of the first and of the last 4 KiB of a file's `bytes` bytes from `begin` on. False: it is shorter, or cannot
 * be read for that *error. */
bool source_hash_ends(int fd, uint64_t begin, uint64_t bytes, uint64_t *first, uint64_t *last, int *error);
/* Bytes of the header of an .npy file; 0: it is not such a file, or cannot be read. */
uint64_t source_array_header(int fd);
/* How many newlines a file's first `bytes` bytes have; 0: they cannot be read. */
uint64_t source_count_lines(const char *name, uint64_t bytes);
/* Of text that is not compressed: a last line without its end is left unread. After source_new. */
void source_leave_unfinished(struct source *s);

/* Where a file's header ends, or the file if that is earlier; 0: it cannot be opened, or there is no header.
 * STATUS_SYSTEM after a message. */
enum status source_header_end(const char *name, const struct text_rules *rules, uint64_t *end) MUST_CHECK;

/* The first bytes of the first file (see input_peek), before any source_fill; if the rules have a header no pause ends
 * them within it, nor, if they have an open range, before the end of the first record. *size is 0 if the file cannot be
 * read; the first source_fill then reports why. */
enum status source_peek(struct source *s, bool lines, const struct text_rules *text, const unsigned char **block,
			size_t *size) MUST_CHECK;
/* After that: how many of these bytes are of lines that may be looked at: not those of a last line without its end, if
 * source_leave_unfinished says that this is not read. */
size_t source_whole_peeked(const struct source *s, const struct text_rules *rules);
/* After that: what the first file is compressed with, or NULL. */
const char *source_compression(const struct source *s);
/* After that: whether it cannot be read. */
bool source_cannot_begin(const struct source *s);
/* After that: the array of the files, if they are .npy files, their shapes joined. must: they are to be. False in
 * *found: they are none, or the first one cannot be read. STATUS_DATA or STATUS_USAGE after a message. */
enum status source_peek_array(struct source *s, bool must, struct npy_array *array, bool *found) MUST_CHECK;
/* The same for plain bytes: how many there are; false where nobody knows before they are read. */
bool source_known_bytes(const struct source *s, uint64_t *bytes);

/* Fills a slot with the next chunk: bytes of one file that end where an element or record does, at most so many as
 * elements fit (for text as many bytes) unless one record is longer; they may still have to be read (slot_load). A
 * chunk that ends a pause or a file may be short or empty. Sets slot->last on the last. What is wrong with the input
 * becomes slot->source_problem. Fails for lack of memory only. */
enum status source_fill(struct source *s, const struct plan *plan, struct slot *slot, size_t elements) MUST_CHECK;

/* After the last source_fill: reads on, not far, in the compressed file of that name. True: it is damaged, and *problem
 * says where. (One that cannot be read twice, or may be waited for, is not read.) */
bool source_find_damage(struct source *s, const char *file_name, struct problem *problem);

/* Threads help with inflating (input_share); NULL: no longer. The threads that fill and inflate do not run. */
void source_share(struct source *s, const struct pool *pool);
/* Compressed bytes of the compressed files, as far as they were used up. No other thread may fill. */
uint64_t source_compressed_bytes(const struct source *s);

#endif
