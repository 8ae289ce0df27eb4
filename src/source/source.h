/* The files as one stream of chunks. */
#ifndef PSCAN_SOURCE_SOURCE_H
#define PSCAN_SOURCE_SOURCE_H

#include "io/input.h"
#include "chunk/plan.h"
#include "chunk/slot.h"

struct source;

/* How all files of a source are read. */
struct source_rules {
	int stop_fd; /* This and the next one are as for input_open_of. */
	bool may_be_elements;
	bool whole_lines; /* A last line without its newline is left unread, in uncompressed text. */
	/* How many of each file's first bytes are skipped, counted after inflating: a header before raw numbers. */
	uint64_t skipped;
};

/* Returns the source for `count` (at least 1) names, which are borrowed. The caller ends it with source_free. NULL
 * after a message. */
struct source *source_new(char *const *names, size_t count, const struct source_rules *rules);
void source_free(struct source *s);
/* Makes the source read its inputs as one of two readings (io/input_copy.h). copies: of the same names; borrowed. Call
 * it after source_new. */
void source_read_twice(struct source *s, struct input_copies *copies);

/* Makes the source give its chunks from the end of the input to its beginning; each chunk is as it stands in the input.
 * The first source_fill then reads all input. Call it after source_new, and before the sandbox is entered.
 * STATUS_SYSTEM after a message. */
enum status source_read_backwards(struct source *s) MUST_CHECK;
/* Of such a source, after the first source_fill: all records of binary input. */
uint64_t source_all_records(const struct source *s);
/* Of such a source: the number of lines of the slot's file before the chunk; 0: they cannot be read. Only one thread at
 * a time may call this, which may not be the one that fills. */
uint64_t source_lines_before(struct source *s, const struct slot *slot);

/* Returns the number of records of binary input so far. Those of earlier runs (source_go_on), or those before the slice
 * (source_take_slice), count, too. */
uint64_t source_records(const struct source *s);

/* A slice of the input. Its files are regular, and uncompressed or BGZF. A slice of binary input consists of whole
 * records; a slice of text begins and ends between lines. */
struct source_slice {
	uint64_t records_before; /* binary: records of the input before the slice */
	uint64_t file_records; /* binary: records of the first file before the slice */
	uint64_t file_bytes; /* bytes of the first file before the slice */
	uint64_t bytes; /* bytes of the slice; UINT64_MAX: to the end of the input */
	/* Of the first file, if it is BGZF: its bytes are then counted after inflating. Else NULL. Borrowed. */
	const struct bgzf_index *index;
	bool goes_on; /* text: the slice does not begin the input */
};

/* Makes the stream this slice. Call it before any source_fill. If a file has become shorter than the slice, the last
 * slot's source_problem reports it. */
void source_take_slice(struct source *s, const struct source_slice *slice);
/* Reads these files one after the other until the header, and the place of its names, is known: for a slice that begins
 * after the header. Call it before the source's own header is read. A file that cannot be opened, or a wrong header,
 * ends this with STATUS_OK; reading that file reports it. STATUS_SYSTEM after a message if memory is missing. */
enum status source_know_header(struct source *s, const struct plan *plan, char *const *names, size_t count) MUST_CHECK;

/* A file that an earlier run has read in part (--state). */
struct source_file {
	bool is_regular; /* it is a regular file; the other members are set */
	bool is_taken; /* all of it was read: nothing more is read */
	uint64_t device, inode; /* the file must still be this one */
	uint64_t begin; /* the offset from which this run would read it */
	uint64_t passed; /* the offset from which it is read, if that is greater */
};

/* How many bytes at either end identify what was read of a file. */
#define SOURCE_END_SIZE 4096
/* How many of a stream's beginnings are hashed: those of 1 to 32 bytes, and then 16 from each power of two to the next
 * one, up to SOURCE_END_SIZE. */
#define SOURCE_STARTS_MAX (32 + 7 * 16)
/* A byte of the hash of each of a stream's beginnings. The beginnings that are longer than the stream are left out. */
struct source_starts {
	size_t count;
	unsigned char hashes[SOURCE_STARTS_MAX];
};

/* How much of a regular file was read. */
struct source_taken {
	size_t file; /* its index among the names */
	uint64_t device, inode;
	uint64_t bytes; /* how many of its first bytes were read; may be 0 */
	uint64_t header; /* how many of these may be rewritten in place: an array's header, or --skip-bytes */
	uint64_t first, last; /* source_hash_ends of the bytes after the header */
	struct source_starts starts; /* of these */
	bool is_array;
	bool is_whole; /* it was inflated, or is an array */
	/* if it was inflated, the corresponding counts of inflated bytes; else 0: */
	uint64_t inflated, inflated_header, inflated_first, inflated_last;
	struct source_starts inflated_starts;
};

/* Continues the files after what earlier runs have read, and records what this run reads. files: one for each name,
 * borrowed; they may change up to the first source_fill. records: how many records of binary input those runs have
 * read. names: `size` bytes, the names of their header as source_names returned them. Call it after source_new.
 * STATUS_SYSTEM after a message. */
enum status source_go_on(struct source *s, const struct source_file *files, uint64_t records,
			 const unsigned char *names, size_t size) MUST_CHECK;
/* The names with which a later run compares its header (header_put_names). If this run has none, those of earlier
 * runs. */
const struct bytes *source_names(const struct source *s);
/* How much was read of each regular file whose reading has ended without an error, up to now (borrowed until the next
 * source_fill). *count becomes their number. Without source_go_on there are none, and files with is_taken are not among
 * them. */
const struct source_taken *source_taken_files(const struct source *s, size_t *count);
/* The ends of a stream of bytes. */
struct source_ends {
	uint64_t size; /* Bytes of the stream. */
	unsigned char first[SOURCE_END_SIZE], last[SOURCE_END_SIZE]; /* All bytes, if these are fewer. */
};
/* Adds the next bytes of the stream. */
void source_ends_add(struct source_ends *e, const unsigned char *bytes, size_t size);
/* The hash of `size` bytes at an end. */
uint64_t source_hash_end(const unsigned char *bytes, size_t size);
/* Hashes the first and the last 4 KiB of `bytes` bytes of a file from `begin` on. False: the file is shorter, or cannot
 * be read (*error is the errno). */
bool source_hash_ends(int fd, uint64_t begin, uint64_t bytes, uint64_t *first, uint64_t *last, int *error);
/* Hashes the beginnings of a stream, of which `size` bytes are given: its first SOURCE_END_SIZE ones, or all if these
 * are fewer. */
void source_hash_starts(const unsigned char *bytes, size_t size, struct source_starts *starts);
/* Hashes the beginnings of `bytes` bytes of a file from `begin` on. False: the file is shorter, or cannot be read
 * (*error is the errno). */
bool source_read_starts(int fd, uint64_t begin, uint64_t bytes, struct source_starts *starts, int *error);
/* Returns how many hashes a stream of `size` bytes has. */
size_t source_count_starts(uint64_t size);
/* Bytes of the header of an .npy file; 0: it is not such a file, or cannot be read. */
uint64_t source_array_header(int fd);
/* The number of newlines in a file's first `bytes` bytes; 0: they cannot be read. */
uint64_t source_count_lines(const char *name, uint64_t bytes);

/* Sets *end to the end of a file's header, or of the file if that is earlier; 0: it cannot be opened, or there is no
 * header. STATUS_SYSTEM after a message. */
enum status source_header_end(const char *name, const struct text_rules *rules, uint64_t *end) MUST_CHECK;

/* Sets *block to the first bytes of the first file (input_peek). Call it before any source_fill. If the rules have a
 * header, no pause cuts the bytes off within it; if they have an open range, none does before the end of the first
 * record. *size is 0 if the file cannot be read; the first source_fill then reports the reason. */
void source_peek(struct source *s, bool lines, const struct text_rules *text, const unsigned char **block,
		 size_t *size);
/* After source_peek: sets *beginning and *size to the beginning of the file that has the first record: to the record's
 * end, or farther. If the first file has a header and no record, regular files after it are looked at as well. Without
 * such a record it is the first file's beginning. The bytes are borrowed until the first source_fill. *block becomes
 * the new place of source_peek's block. STATUS_SYSTEM after a message. */
enum status source_find_record(struct source *s, const struct text_rules *text, const unsigned char **block,
			       const unsigned char **beginning, size_t *size) MUST_CHECK;
/* After source_peek: returns how many of the block's bytes may be looked at. With rules.whole_lines these are the
 * complete lines of an uncompressed file. But if the first line is longer than the block and may end later, they
 * are all bytes. */
size_t source_whole_peeked(const struct source *s, const struct text_rules *rules);
/* After source_peek: the name of the first file's compression, or NULL. */
const char *source_compression(const struct source *s);
/* After source_peek: whether the first file cannot be read. */
bool source_cannot_begin(const struct source *s);
/* After source_peek: sets *array to the array of the files, with their shapes joined. must: it is an error if they are
 * not .npy files. *found: whether the first file was read as .npy. STATUS_DATA, STATUS_USAGE or STATUS_SYSTEM after a
 * message. */
enum status source_peek_array(struct source *s, bool must, struct npy_array *array, bool *found) MUST_CHECK;
/* Reads and consumes the .npy header of a file of which nothing was consumed: *size bytes. The array must continue
 * `before`, the files so far. False: *problem has the reason. */
bool source_array_begin(struct input *in, const struct npy_array *before, struct npy_array *array, uint64_t *size,
			struct problem *problem);
/* After source_peek: sets *bytes to the number of bytes of the files, if they are uncompressed. False: it is known only
 * after reading. */
bool source_known_bytes(const struct source *s, uint64_t *bytes);

/* Fills a slot with the next chunk: bytes of one file that end between two elements or records. A chunk has at most
 * `elements` elements, or in text at most as many bytes, unless a header or a single record is longer (in an open
 * window the first record, which began before it, comes in addition). The bytes may still have to be read: by
 * slot_load, or, if the slot is an open window, by source_read_window. While open windows wait for source_cut, call
 * this only if the last of them has next_is_open. A chunk before a pause or at a file's end may be short or empty.
 * Sets slot->in.last in the last chunk. An error in the input becomes slot->in.source_problem. STATUS_SYSTEM after a
 * message if memory is missing or the file's offset cannot be moved. */
enum status source_fill(struct source *s, const struct plan *plan, struct slot *slot, size_t elements) MUST_CHECK;

/* Of a slot that source_fill has made an open window: reads it, and looks for its records. A read error becomes
 * slot->in.source_problem. Any thread. STATUS_SYSTEM after a message: memory is missing. */
enum status source_read_window(struct slot *slot, const struct plan *plan) MUST_CHECK;
/* Call it after that, for one slot after the other in the order of the stream: makes the chunk whole records. No other
 * thread may be filling. STATUS_SYSTEM after a message: memory is missing. */
enum status source_cut(struct source *s, const struct plan *plan, struct slot *slot) MUST_CHECK;

/* After the last source_fill: reads a little further in the compressed file of that name. True: it is damaged, and
 * *problem has the place. (A file that cannot be read twice, or may block, is not read.) */
bool source_find_damage(struct source *s, const char *file_name, struct problem *problem);

/* Sets the pool whose threads help to inflate (input_share); NULL: none do. pool: borrowed until the next call or
 * source_free. No thread may be filling or inflating. */
void source_share(struct source *s, const struct pool *pool);
/* The compressed bytes that were used up so far. No other thread may be filling. */
uint64_t source_compressed_bytes(const struct source *s);

#endif
