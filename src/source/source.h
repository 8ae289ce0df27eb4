/* The files as one stream of chunks. */
#ifndef PSCAN_SOURCE_SOURCE_H
#define PSCAN_SOURCE_SOURCE_H

#include "io/input.h"
#include "chunk/plan.h"
#include "chunk/slot.h"

struct source;

/* How all files of a source are read. */
struct source_rules {
	int stop_fd; /* As for input_open_of. */
	bool may_be_elements; /* As for input_open_of. */
	bool whole_lines; /* A last line without its newline is left unread, in uncompressed text. */
	/* How many of each file's first bytes are skipped, counted after inflating: a header before raw numbers. */
	uint64_t skipped;
};

/* Returns the source for the files with these `count` (at least 1) names, which are borrowed. *rules is copied. No file
 * is opened yet. The caller ends the source with source_free. NULL after a message. */
struct source *source_new(char *const *names, size_t count, const struct source_rules *rules);
/* Closes the files and frees the source. NULL: does nothing. */
void source_free(struct source *s);
/* Makes the source read its inputs as one of two readings (io/input_copy.h). copies: of the same names; borrowed. Call
 * it after source_new. */
void source_read_twice(struct source *s, struct input_copies *copies);

/* Makes the source give its chunks from the end of the input to its beginning. Within a chunk, records are in the order
 * of the input. The first source_fill then reads all input. Call it after source_new, and before the sandbox is
 * entered. STATUS_SYSTEM after a message. */
enum status source_read_backwards(struct source *s) MUST_CHECK;
/* Returns how many records the whole binary input has. Call it after source_read_backwards and the first
 * source_fill. */
uint64_t source_all_records(const struct source *s);
/* Returns how many lines of the slot's file come before the chunk. 0 also if they cannot be read. Call it only after
 * source_read_backwards. One thread at a time, while another one may fill. */
uint64_t source_lines_before(struct source *s, const struct slot *slot);

/* Returns the number of records of binary input so far. Those of earlier runs (source_go_on), or those before the slice
 * (source_set_slice), count, too. */
uint64_t source_records(const struct source *s);

/* A slice of the input: what one of several processes scans. Its files are regular, and uncompressed or BGZF. A slice
 * of binary input consists of whole records; a slice of text begins and ends between lines. */
struct source_slice {
	uint64_t records_before; /* For binary input: records of the input before the slice. */
	uint64_t file_records; /* For binary input: records of the slice's first file before the slice. */
	uint64_t file_bytes; /* Bytes of the slice's first file before the slice. */
	uint64_t bytes; /* Bytes of the slice. UINT64_MAX: up to the end of the input. */
	/* The index of the slice's first file if the file is BGZF: all bytes are then counted after inflating.
	 * Otherwise NULL. Borrowed. */
	const struct bgzf_index *index;
	bool goes_on; /* The slice does not begin the input. */
};

/* Makes the source read only this slice. The source's names must be those of the slice's files. Call it before any
 * source_fill. If the files have become shorter than the slice, the last slot's source_problem reports it. */
void source_set_slice(struct source *s, const struct source_slice *slice);
/* For a slice that begins after the header: reads the beginnings of these files, one after the other, until the header
 * is known, and the fields to which its names belong. Call it before source_fill. At a file that cannot be opened, or a
 * wrong header, stops with STATUS_OK: reading that file later reports the error. STATUS_SYSTEM after a message if
 * memory is missing. */
enum status source_know_header(struct source *s, const struct plan *plan, char *const *names, size_t count) MUST_CHECK;

/* A file that an earlier run has read in part (--state). */
struct source_file {
	bool is_regular; /* The file is regular. False: the other members are not used. */
	bool is_taken; /* All of the file was read. This run reads at most its header. */
	uint64_t device, inode; /* The file. If another file has the name when it is read, that is an error. */
	uint64_t begin; /* The offset from which the file would be read without --state: 0, or standard input's. */
	uint64_t passed; /* The offset up to which earlier runs have read the file. May be less than `begin`. */
};

/* How many bytes at either end identify what was read of a file. */
#define SOURCE_END_SIZE 4096
/* How many of a stream's beginnings are hashed: those of 1 to 32 bytes, and then 16 from each power of two to the next
 * one, up to SOURCE_END_SIZE. */
#define SOURCE_STARTS_MAX (32 + 7 * 16)
/* Hashes of a stream's beginnings. */
struct source_starts {
	size_t count; /* The beginnings: those that are not longer than the stream. */
	unsigned char hashes[SOURCE_STARTS_MAX]; /* For each beginning the lowest byte of source_hash_end. */
};

/* How much of a regular file was read, by this run and earlier ones. */
struct source_taken {
	size_t file; /* The file's index among the names. */
	uint64_t device, inode;
	uint64_t bytes; /* How many of its first bytes were read. May be 0. If is_whole: the file's size. */
	uint64_t header; /* How many of these bytes may be rewritten in place: an array's header, or --skip-bytes. */
	uint64_t first, last; /* source_hash_ends of the bytes after the header. */
	struct source_starts starts; /* source_read_starts of the bytes after the header. */
	bool is_array; /* The file is an array (.npy). */
	bool is_whole; /* The file was inflated, or is an array. */
	/* If the file was inflated: `bytes`, `header`, `first`, `last` and `starts` of the inflated bytes. Otherwise
	 * the first two are 0. */
	uint64_t inflated, inflated_header, inflated_first, inflated_last;
	struct source_starts inflated_starts;
};

/* For --state: continues the files after what earlier runs have read, and records what this run reads
 * (source_taken_files). files: one for each name, borrowed; the caller may change them up to the first source_fill.
 * records: how many records of binary input earlier runs have read. names: `size` bytes, what source_names returned in
 * the run before; copied. Call it after source_new. STATUS_SYSTEM after a message. */
enum status source_go_on(struct source *s, const struct source_file *files, uint64_t records,
			 const unsigned char *names, size_t size) MUST_CHECK;
/* Returns the names with which a later run compares its header (header_put_names). If this run has read no header,
 * those of earlier runs. Borrowed. */
const struct bytes *source_names(const struct source *s);
/* Returns how much was read of each regular file whose reading has ended without an error so far, and sets *count to
 * their number. Files that source_go_on was given with is_taken are left out. Without source_go_on none is left out.
 * Borrowed until the next source_fill. */
const struct source_taken *source_taken_files(const struct source *s, size_t *count);
/* The ends of a stream of bytes. */
struct source_ends {
	uint64_t size; /* Bytes of the stream. */
	unsigned char first[SOURCE_END_SIZE]; /* The first bytes: SOURCE_END_SIZE, or all if there are fewer. */
	unsigned char last[SOURCE_END_SIZE]; /* The last bytes: as many as in `first`. */
};
/* Adds the next `size` bytes of the stream. *e must be all zero before the first ones. */
void source_ends_add(struct source_ends *e, const unsigned char *bytes, size_t size);
/* Returns the hash of `size` bytes. The same in every run and on every machine. */
uint64_t source_hash_end(const unsigned char *bytes, size_t size);
/* Hashes the first and the last 4 KiB (or all, if there are fewer) of `bytes` bytes of a file from `begin` on. Returns
 * false if the file cannot be read (*error becomes the errno) or is shorter (*error becomes 0). */
bool source_hash_ends(int fd, uint64_t begin, uint64_t bytes, uint64_t *first, uint64_t *last, int *error);
/* Sets *starts to the hashes of a stream's beginnings. bytes: the stream's first `size` bytes, at least SOURCE_END_SIZE
 * or all. */
void source_hash_starts(const unsigned char *bytes, size_t size, struct source_starts *starts);
/* Sets *starts to the hashes of the beginnings of `bytes` bytes of a file from `begin` on. Returns false as
 * source_hash_ends does. */
bool source_read_starts(int fd, uint64_t begin, uint64_t bytes, struct source_starts *starts, int *error);
/* Returns how many hashes a stream of `size` bytes has. */
size_t source_count_starts(uint64_t size);
/* Returns the bytes of the header of an .npy file. 0: the file is not .npy, or cannot be read. */
uint64_t source_array_header(int fd);
/* Returns the number of newlines in a file's first `bytes` bytes, as far as these can be read. name: as for source_new,
 * or input_label of it. One thread at a time. */
uint64_t source_count_lines(const char *name, uint64_t bytes);

/* Sets *end to how many bytes (of a compressed file: inflated ones) a file has up to the end of the first record that
 * follows its header, or to the end of the header if no field is chosen; fewer if the file ends or cannot be read up to
 * there. 0: the rules have no header, or the file cannot be opened.
 * STATUS_SYSTEM after a message if memory is missing. */
enum status source_header_end(const char *name, const struct text_rules *rules, uint64_t *end) MUST_CHECK;

/* Sets *block and *size to the first bytes of the first file that is not empty (input_peek). Borrowed until the first
 * source_fill or source_find_record. Call it before any source_fill. If the rules have a header, the bytes include it
 * even if the input pauses within it; if text->records.decide, they also include the first record (in both cases, up to
 * INPUT_BLOCK_SIZE). *size becomes 0 if all files are empty or a file cannot be read; the first source_fill then
 * reports the reason. */
void source_peek(struct source *s, bool lines, const struct text_rules *text, const unsigned char **block,
		 size_t *size);
/* After source_peek: sets *beginning and *size to the beginning of the file that has the first record: to the record's
 * end, or farther. If the first file has a header and no record, regular files after it are looked at as well. Without
 * such a record it is the first file's beginning. The bytes are borrowed until the first source_fill. *block becomes
 * the new place of source_peek's block. STATUS_SYSTEM after a message. */
enum status source_find_record(struct source *s, const struct text_rules *text, const unsigned char **block,
			       const unsigned char **beginning, size_t *size) MUST_CHECK;
/* After source_peek: returns how many of the block's bytes this run will read, as far as the block shows. With
 * whole_lines (struct source_rules) and an uncompressed file: its complete lines; but all bytes if the first line is
 * longer than the block and may end later. Otherwise: all bytes. */
size_t source_whole_peeked(const struct source *s, const struct text_rules *rules);
/* After source_peek: returns the name of the peeked file's compression. NULL: it is not compressed. */
const char *source_compression(const struct source *s);
/* After source_peek: whether the peeked file cannot be opened, or none of its bytes can be read. */
bool source_cannot_begin(const struct source *s);
/* After source_peek: sets *array to the array of all files, whose shapes are joined along the first axis. *found
 * becomes whether the first file was read as .npy. must: if it is not .npy, that is an error; otherwise *array is
 * unchanged. The later files are opened, and must be regular. STATUS_DATA, STATUS_USAGE or STATUS_SYSTEM after a
 * message. */
enum status source_peek_array(struct source *s, bool must, struct npy_array *array, bool *found) MUST_CHECK;
/* Reads the .npy header of a file of which nothing was consumed, and consumes it. *array becomes the file's array, and
 * *size the header's bytes. The array must have the type of *before, and its sizes except the first one. Returns false,
 * without a message, if there is an error: *problem has the reason. */
bool source_array_begin(struct input *in, const struct npy_array *before, struct npy_array *array, uint64_t *size,
			struct problem *problem);
/* After source_peek: sets *bytes to the bytes of the input, and returns true, if the input is one uncompressed regular
 * file. Returns false otherwise: the number is known only after reading. */
bool source_known_bytes(const struct source *s, uint64_t *bytes);

/* Fills a slot with the next chunk: bytes of one file that end between two elements or records. A chunk has at most
 * `elements` elements, or in text at most as many bytes, unless a header or a single record is longer (in an open
 * window the first record, which began before it, comes in addition). The bytes may still have to be read: by
 * slot_load, or, if the slot is an open window, by source_read_window. While open windows wait for source_cut, call
 * this only if the last of them has next_is_open. A chunk before a pause or at a file's end may be short or empty.
 * Sets slot->in.last in the last chunk. An error in the input becomes slot->in.source_problem. STATUS_SYSTEM after a
 * message if memory is missing or the file's offset cannot be moved. */
enum status source_fill(struct source *s, const struct plan *plan, struct slot *slot, size_t elements) MUST_CHECK;

/* Reads the bytes of a slot that source_fill has made an open window, and looks for their records. A read error is not
 * a failure: it becomes slot->in.source_problem, and sets slot->in.last. Any thread. STATUS_SYSTEM after a message if
 * memory is missing. */
enum status source_read_window(struct slot *slot, const struct plan *plan) MUST_CHECK;
/* Makes an open window, which source_read_window has read, a chunk of whole records. Call it for the open windows in
 * the order of the stream. No other thread may call source_fill meanwhile. STATUS_SYSTEM after a message if memory is
 * missing. */
enum status source_cut(struct source *s, const struct plan *plan, struct slot *slot) MUST_CHECK;

/* After the last source_fill: looks for damage in a frame of the compressed file of that name (in.file_name and
 * in.unchecked of a slot). Reads at most 4 MiB further in the file that is open, if it is regular. Returns true if the
 * file is damaged before the frame's checksum: *problem has the place. Otherwise returns false. */
bool source_find_damage(struct source *s, const char *file_name, uint64_t frame, struct problem *problem);

/* Sets the pool whose threads help to inflate (input_share); NULL: none do. pool: borrowed until the next call or
 * source_free. No thread may be filling or inflating. */
void source_share(struct source *s, const struct pool *pool);
/* Returns how many compressed bytes were consumed so far. No other thread may be filling. */
uint64_t source_compressed_bytes(const struct source *s);

#endif
