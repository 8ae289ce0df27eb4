/* Internal to source*.c. */
#ifndef PSCAN_STREAM_SOURCE_STATE_H
#define PSCAN_STREAM_SOURCE_STATE_H

#include "stream/source.h"

/* The current file. */
struct source_current {
	struct input *input; /* or NULL between files */
	bool at_start; /* nothing of it was given out */
	bool mid_line; /* what was given out of it ends within a line */
	bool ended; /* all of it is read; what is left is in the tail */
	struct problem end_problem; /* why it ended, to be reported after the tail */
	struct bytes tail; /* bytes of it that belong to the next chunk. Owned */
	uint64_t passed; /* bytes of it that are not read, from its first on */
	struct source_ends inflated; /* what was given out of it, if it is compressed and files are noted */
	uint64_t line_end; /* up to here all lines of a regular file are known to have ends */
	uint64_t bytes; /* given out */
	uint64_t array_bytes; /* of an array */
	uint64_t array_left; /* bytes of an array that were not given out */
	struct problem open_problem; /* it could not be opened */
	const char *open_name;
};

/* The header of text. */
struct source_header {
	struct header header;
	bool waits; /* the files ended within it so far */
	uint64_t shown; /* its lines that came out so far, if it waits */
	bool has_names; /* a chunk was made before which totals of keys are named */
	struct bytes names; /* header_put_names's of this run. Owned */
	struct bytes names_before; /* header_put_names's of the runs before. Owned */
};

/* What was given out so far. */
struct source_counts {
	uint64_t chunks;
	uint64_t elements; /* of binary input, also in runs before: of one record each */
	uint64_t compressed_bytes; /* of the files before the current one */
	uint64_t taken_bytes, sized_bytes; /* the slots', of the files before the current one */
};

struct source {
	char *const *names;
	size_t name_count;
	size_t next_name;
	int stop_fd;
	bool may_be_elements; /* bytes that are no compressed file which can be read */
	bool whole_lines; /* a last line without its end is left */
	uint64_t skipped; /* bytes of each file, before what is read of it */
	const struct pool *pool; /* inflates, or NULL */
	const struct source_file *files; /* of each name, or NULL */
	struct bytes taken; /* struct source_taken: the files before the current one. Owned */
	struct source_slice slice; /* its beginning, until the first file is open */
	uint64_t slice_left; /* bytes of the slice that were not given out; UINT64_MAX: it has no end of its own */
	struct source_current file;
	struct source_header text;
	struct source_counts given;
};

/* What is before the slice is passed over, once the first file is open. */
void source_begin_slice(struct source *s, const struct plan *plan, struct slot *slot);
/* A chunk was made, after which there is less of the slice. */
void source_end_chunk_of_slice(struct source *s, const struct slot *slot);

/* header_take of a file's beginning; is_over: the file has no more. */
enum status source_read_header(struct source *s, const struct plan *plan, const unsigned char *text, size_t size,
			       bool is_over, uint64_t *lines, uint64_t *dropped, struct problem *problem) MUST_CHECK;
/* The chunk begins with a file's header. */
enum status source_take_header(struct source *s, const struct plan *plan, struct slot *slot) MUST_CHECK;

/* source_files.c */

/* Passes over the bytes before the numbers of the file that was opened. On failure open_problem says why. */
enum status source_skip(struct source *s) MUST_CHECK;

/* Passes over what was taken of the file that begins. */
enum status source_pass_taken(struct source *s, const struct plan *plan, struct slot *slot) MUST_CHECK;
/* How many of the `size` bytes at an offset of a regular file are of lines that have ends. */
size_t source_whole_lines(struct source *s, uint64_t offset, size_t size);
/* A file ends: if it is the last one, and the input ended within the header, which was to tell where some field is,
 * that is an error. (A file that a state remembers may go on.) */
void source_check_header(struct source *s, const struct text_rules *rules);
/* Notes what was taken of the file that ends. */
enum status source_note_taken(struct source *s, const struct plan *plan) MUST_CHECK;

/* A file begins: its array does, after its header. What is wrong with that ends it. */
void source_begin_array(struct source *s, const struct plan *plan);
/* A file of a stream of raw numbers begins: an array, or what is of another format, is not one, if no option said
 * that its bytes are to be taken so, and ends the stream. Whether it is one. */
bool source_refuse_format(struct source *s);
/* A chunk of an array was made: perhaps that was the last one. */
void source_end_array(struct source *s, const struct slot *slot);

#endif
