/* What the files of src/source share. Only they include this. */
#ifndef PSCAN_SOURCE_PRIVATE_H
#define PSCAN_SOURCE_PRIVATE_H

#include "source/source.h"

/* The current file. */
struct source_current {
	struct input *input; /* The open file. Owned. NULL: no file is open. */
	bool at_start; /* No chunk of the file was begun yet. */
	bool mid_line; /* The file's bytes in chunks end within a line. */
	bool ended; /* The file is read to its end. Bytes that are not in a chunk yet are in the tail. */
	struct problem end_problem; /* Why the file ended, if that is an error. Reported after the tail. */
	uint64_t unchecked; /* input_unchecked after what was read so far. */
	struct bytes tail; /* Bytes of the file that belong to the next chunk. Owned. */
	uint64_t passed; /* How many of the file's first bytes earlier runs have read. */
	/* The ends of the file's bytes in chunks, after inflating. Only for a compressed file, after source_go_on. */
	struct source_ends inflated;
	uint64_t line_end; /* Up to this offset, all lines of the regular file are known to be complete. */
	uint64_t place; /* For an uncompressed regular file: the offset where reading began. Otherwise 0. */
	int place_error; /* Why `place` is not known (errno), or 0. */
	uint64_t bytes; /* Bytes of the file in chunks, or skipped before them. */
	size_t open_windows; /* Open windows that are not cut yet. */
	uint64_t array_bytes; /* Bytes of the file's array. */
	uint64_t array_left; /* Bytes of the array that are not in a chunk yet. */
	struct problem open_problem; /* Why the file could not be opened. It ends the stream. */
	const char *open_name; /* The name of the file that was opened last, for messages. Borrowed. */
};

/* The header of text. */
struct source_header {
	struct header header;
	bool waits; /* All files so far have ended within the header, and a later file may settle the results' names. */
	uint64_t shown; /* If it waits: how many of the header's lines were written so far. */
	bool has_names; /* A chunk has the names for totals of keys. */
	struct bytes names; /* What header_put_names has appended in this run. Owned. */
	struct bytes names_before; /* What header_put_names has appended in earlier runs. Owned. */
	struct bytes ahead; /* The beginning of the file that source_find_record has found. Owned. */
};

/* What the chunks so far contain. */
struct source_counts {
	uint64_t chunks;
	uint64_t elements; /* Records of binary input, including those of earlier runs or before the slice. */
	uint64_t compressed_bytes; /* Compressed bytes of the files before the current one. */
	uint64_t taken_bytes, sized_bytes; /* As in struct slot_input, for the files before the current one. */
};

struct source {
	char *const *names; /* The files' names. Borrowed. */
	size_t name_count;
	size_t next_name; /* The index of the name that is opened next. */
	struct input_copies *copies; /* Copies of the inputs, if they are read twice. Otherwise NULL. Borrowed. */
	struct source_backwards *backwards; /* For chunks from the input's end. Otherwise NULL. Owned. */
	struct source_rules rules;
	const struct pool *pool; /* Helps to inflate. Borrowed, or NULL. */
	const struct source_file *files; /* What earlier runs have read, for each name. Borrowed, or NULL. */
	struct bytes taken; /* Array of struct source_taken: the files before the current one. Owned. */
	struct source_slice slice; /* The slice, until its beginning was skipped in the first file; then all zero. */
	uint64_t slice_left; /* Bytes of the slice that are not in a chunk yet. UINT64_MAX: up to the input's end. */
	struct source_current file;
	struct source_header text;
	struct source_counts given;
};

/* slice.c */

/* If the slice begins within the current file, which was just opened, skips the bytes before the slice. An error ends
 * the file. Later calls do nothing. */
void source_begin_slice(struct source *s, const struct plan *plan, struct slot *slot);
/* Subtracts the slot's bytes from those left of the slice. If none are left, sets s->file.ended and drops the tail. If
 * the slot has more than were left, sets s->file.end_problem: the file changed. Does nothing if the slice has no end of
 * its own. */
void source_end_chunk_of_slice(struct source *s, const struct slot *slot);

/* The beginning of a file. */
struct source_beginning {
	struct input *in; /* The file. NULL: the next three are used instead. */
	int fd; /* A regular file, of which `bytes` bytes from `offset` on are read. */
	uint64_t offset, bytes;
	struct bytes text; /* The bytes that were read. Owned. */
	size_t mark; /* Bytes of the byte order mark at the beginning of `text`. */
	size_t size; /* Bytes of `text` after the mark that belong to the beginning (source_read_beginning). */
};

/* Reads a file up to the end of the first record after its header, or of the header if rules->field_count is 0, or up
 * to the file's end, and sets b->text, b->mark and b->size. whole_lines: a last line of uncompressed text without its
 * newline does not count. A read error counts as the file's end. STATUS_SYSTEM after a message if memory is missing. */
enum status source_read_beginning(struct source_beginning *b, const struct text_rules *rules,
				  bool whole_lines) MUST_CHECK;
/* If the *size bytes at *beginning, all that the first file has, are a header and no record: reads the regular files
 * after it, up to the first one that has a record. *beginning and *size become the beginning of that file, borrowed
 * from s->text.ahead; without it they stay. STATUS_SYSTEM after a message if memory is missing. */
enum status source_find_later_record(struct source *s, const struct text_rules *rules, const unsigned char **beginning,
				     size_t *size) MUST_CHECK;
/* Reads the header of a file with header_read, and compares its names with those of earlier runs. text: the file's
 * first `size` bytes. is_over: these are all of the file. *lines becomes the header's lines, and *dropped how many of
 * them an earlier file has had. *problem becomes an error in the header. STATUS_SYSTEM after a message if memory is
 * missing. */
enum status source_read_header(struct source *s, const struct plan *plan, const unsigned char *text, size_t size,
			       bool is_over, uint64_t *lines, uint64_t *dropped, struct problem *problem) MUST_CHECK;
/* Reads the header at the start of the chunk and sets slot->head. An error in the header ends the file, and leaves the
 * chunk empty. STATUS_SYSTEM after a message. */
enum status source_parse_header(struct source *s, const struct plan *plan, struct slot *slot) MUST_CHECK;
/* Call it for the last chunk. If this run has seen no header, totals of keys get the names of earlier runs.
 * STATUS_SYSTEM after a message. */
enum status source_end_header(struct source *s, const struct plan *plan, struct slot *slot) MUST_CHECK;

/* source.c */

/* Opens the next file, if no file is open. A file that cannot be opened ends the stream. */
void source_open_next(struct source *s);
/* Begins a chunk without bytes, of no file. */
void source_begin_chunk(struct source *s, struct slot *slot);
/* Returns the most bytes that the next chunk of binary elements may have. elements: as for source_fill. If it is at
 * least a tile, it must be whole tiles, and the chunk then ends at a tile's edge. */
size_t source_most_elements(const struct source *s, const struct plan *plan, size_t elements);
/* Whether the chunk begins with a header. */
static inline bool source_begins_with_header(const struct plan *plan, const struct slot *slot)
{
	return plan->format.input == FORMAT_TEXT && slot->in.file_start && plan->format.text.header_lines > 0;
}
/* Does what source_fill does, in the order of the input, whatever s->backwards says. */
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
/* Does what source_cut does, except for the counts in the slot and the source. */
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
 * sets s->file.end_problem, unless it is set already. Not with a state: the file may continue in a later run. */
void source_check_header(struct source *s, const struct text_rules *rules);
/* Call it at the current file's end: records for --state how much of it was read. If the file cannot be read again for
 * that, this becomes its end_problem (STATUS_OK). STATUS_SYSTEM after a message if memory is missing. */
enum status source_note_taken(struct source *s, const struct plan *plan) MUST_CHECK;

/* array.c */

/* Begins the array of a file, after its header. An error in the header ends the array. */
void source_begin_array(struct source *s, const struct plan *plan);
/* Call this when a file of a stream of raw numbers begins. If it is an array or in another format, and no option says
 * that its bytes are numbers, ends the stream with an error. Returns whether it did. */
bool source_refuse_format(struct source *s);
/* Counts a chunk of an array. After the array's last byte, ends the file; other bytes after it, or a file that has
 * ended before it, become end_problem. */
void source_end_array(struct source *s, const struct slot *slot);

#endif
