/* Internal to source*.c. */
#ifndef PSCAN_SOURCE_PRIVATE_H
#define PSCAN_SOURCE_PRIVATE_H

#include "source/source.h"

/* The current file. */
struct source_current {
	struct input *input; /* or NULL between files */
	bool at_start; /* no bytes of it are in a chunk yet */
	bool mid_line; /* its bytes in chunks end within a line */
	bool ended; /* it was read to its end; bytes that are not in a chunk yet are in the tail */
	struct problem end_problem; /* the reason for its end, to be reported after the tail */
	struct bytes tail; /* bytes of it that belong to the next chunk. Owned */
	uint64_t passed; /* how many of its first bytes are skipped */
	struct source_ends inflated; /* its bytes in chunks, after inflating, if it is compressed and files are noted */
	uint64_t line_end; /* up to this offset all lines of a regular file are known to be complete */
	uint64_t place; /* of an uncompressed regular file: where reading began; otherwise 0 */
	int place_error; /* why it is not known (errno), or 0 */
	uint64_t bytes; /* its bytes in chunks */
	size_t open_windows; /* open windows that are not cut yet */
	uint64_t array_bytes; /* bytes of its array */
	uint64_t array_left; /* bytes of its array that are not in a chunk yet */
	struct problem open_problem; /* the reason why a file could not be opened */
	const char *open_name;
};

/* The header of text. */
struct source_header {
	struct header header;
	bool waits; /* all files so far ended within the header */
	uint64_t shown; /* if it waits: how many of its lines were written so far */
	bool has_names; /* the names for totals of keys are in a chunk */
	struct bytes names; /* the result of header_put_names in this run. Owned */
	struct bytes names_before; /* the result of header_put_names in earlier runs. Owned */
	struct bytes ahead; /* the beginning of the file that source_find_record has found. Owned */
};

/* What the chunks so far contain. */
struct source_counts {
	uint64_t chunks;
	uint64_t elements; /* records of binary input, including those of earlier runs */
	uint64_t compressed_bytes; /* of the files before the current one */
	uint64_t taken_bytes, sized_bytes; /* the slots' counts, for the files before the current one */
};

struct source {
	char *const *names;
	size_t name_count;
	size_t next_name;
	struct input_copies *copies; /* of the names, if they are read twice; or NULL */
	struct source_backwards *backwards; /* owned; or NULL: chunks are given in the order of the input */
	struct source_rules rules;
	const struct pool *pool; /* inflates, or NULL */
	const struct source_file *files; /* a file for each name, or NULL */
	struct bytes taken; /* struct source_taken: the files before the current one. Owned */
	struct source_slice slice; /* the slice; its beginning counts until the first file is open */
	uint64_t slice_left; /* bytes of the slice that are not in a chunk yet; UINT64_MAX: it has no end of its own */
	struct source_current file;
	struct source_header text;
	struct source_counts given;
};

/* Skips the bytes before the slice. Call it when the first file is open. */
void source_begin_slice(struct source *s, const struct plan *plan, struct slot *slot);
/* Subtracts the slot's bytes from those left of the slice. If none are left, sets s->file.ended and drops the tail. If
 * the slot has more than were left, sets s->file.end_problem: the file changed. Does nothing if the slice has no end of
 * its own. */
void source_end_chunk_of_slice(struct source *s, const struct slot *slot);

/* The beginning of a file. */
struct source_beginning {
	struct input *in; /* the file; or NULL: `bytes` bytes of a regular file from `offset` on */
	int fd;
	uint64_t offset, bytes;
	struct bytes text; /* what was read. Owned */
	size_t mark; /* bytes of the byte order mark there */
	size_t size; /* bytes after it up to the end of the header, or of the first record if the names depend on it */
};

/* Reads a file up to the end of its header or first record (b->size), or to its end. whole_lines: a last line of
 * uncompressed text without its newline does not count. STATUS_SYSTEM after a message: memory is missing. */
enum status source_read_beginning(struct source_beginning *b, const struct text_rules *rules,
				  bool whole_lines) MUST_CHECK;
/* If the first file, whose `size` bytes were peeked, has a header and no record: looks for the first record in regular
 * files after it, as source_find_record does. */
enum status source_find_later_record(struct source *s, const struct text_rules *rules, const unsigned char **beginning,
				     size_t *size) MUST_CHECK;
/* Reads the header of a file with header_take, and compares its names with those of earlier runs. text: the file's
 * beginning; is_over: all of the file. *problem: an error in the header. STATUS_SYSTEM after a message. */
enum status source_read_header(struct source *s, const struct plan *plan, const unsigned char *text, size_t size,
			       bool is_over, uint64_t *lines, uint64_t *dropped, struct problem *problem) MUST_CHECK;
/* Reads the header at the start of the chunk and sets slot->head. An error in it ends the file. STATUS_SYSTEM after a
 * message. */
enum status source_take_header(struct source *s, const struct plan *plan, struct slot *slot) MUST_CHECK;
/* Call it for the last chunk. If this run has seen no header, totals of keys get the names of earlier runs.
 * STATUS_SYSTEM after a message. */
enum status source_end_header(struct source *s, const struct plan *plan, struct slot *slot) MUST_CHECK;

/* source.c */

/* Opens the next file, if no file is open. A file that cannot be opened ends the stream. */
void source_open_next(struct source *s);
/* Begins a chunk without bytes, of no file. */
void source_begin_chunk(struct source *s, struct slot *slot);
/* Returns the most bytes of the next chunk of binary elements. (A chunk ends at a tile's edge, unless it has many
 * columns: less than a tile of records then.) */
size_t source_most_elements(const struct source *s, const struct plan *plan, size_t elements);
/* Whether the chunk begins with a header. */
static inline bool source_begins_with_header(const struct plan *plan, const struct slot *slot)
{
	return plan->format.input == FORMAT_TEXT && slot->in.file_start && plan->format.text.header_lines > 0;
}
/* source_fill in the order of the input. */
enum status source_fill_forwards(struct source *s, const struct plan *plan, struct slot *slot,
				 size_t elements) MUST_CHECK;

/* open_windows.c. limit: the most bytes of the chunk. */

/* Makes the next chunk a window of whole records. *filled becomes false if the chunk must be read instead.
 * STATUS_SYSTEM after a message. */
enum status source_fill_window(struct source *s, const struct plan *plan, struct slot *slot, size_t limit,
			       bool *filled) MUST_CHECK;
/* Makes the next chunk an open window. False if the chunk must be filled in another way; no open window then waits for
 * its source_cut. */
bool source_fill_open(struct source *s, const struct plan *plan, struct slot *slot, size_t limit);
/* source_cut, but for the slot's counts. */
enum status source_close_window(struct source *s, const struct plan *plan, struct slot *slot) MUST_CHECK;

/* files.c */

/* Skips the bytes before the numbers of the file that was opened. On failure open_problem has the reason. */
enum status source_skip(struct source *s) MUST_CHECK;

/* Adds to *lines the newlines among `bytes` bytes of a file from `begin` on. False: not all of them can be read. Only
 * one thread at a time may call this. */
bool source_count_newlines(int fd, uint64_t begin, uint64_t bytes, uint64_t *lines);

/* Skips what earlier runs have read of the file that begins. An error ends the file. STATUS_SYSTEM after a message:
 * memory is missing. */
enum status source_pass_taken(struct source *s, const struct plan *plan, struct slot *slot) MUST_CHECK;
/* Returns how many of the `size` bytes at an offset of the current file, which must be regular, come before the end of
 * the file's last complete line. A line is complete if it has its newline, which may come after these bytes. */
size_t source_whole_lines(struct source *s, uint64_t offset, size_t size);
/* Call this when a file ends. If it is the last one, and the input ended within a header that a chosen field needs,
 * that is an error. (With a state the file may continue in a later run.) */
void source_check_header(struct source *s, const struct text_rules *rules);
/* Call it at the current file's end: records for --state how much of it was read. If the file cannot be read again for
 * that, this becomes its end_problem (STATUS_OK). STATUS_SYSTEM after a message if memory is missing. */
enum status source_note_taken(struct source *s, const struct plan *plan) MUST_CHECK;

/* Begins the array of a file, after its header. An error in the header ends the array. */
void source_begin_array(struct source *s, const struct plan *plan);
/* Call this when a file of a stream of raw numbers begins. If it is an array or in another format, and no option says
 * that its bytes are numbers, ends the stream with an error. Returns whether it did. */
bool source_refuse_format(struct source *s);
/* Counts a chunk of an array. It may be the last one. */
void source_end_array(struct source *s, const struct slot *slot);

#endif
