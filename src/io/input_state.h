/* What the files of input.h share. Only they include this. */
#ifndef PSCAN_IO_INPUT_STATE_H
#define PSCAN_IO_INPUT_STATE_H

#include <stdatomic.h>

#include "io/filter.h"
#include "io/input.h"

/* Compressed bytes read at once. */
#define RAW_SIZE ((size_t)256 << 10)

struct input {
	const char *name;
	int fd;
	int stop_fd;
	bool regular; /* neither pipe, terminal nor socket: never pauses */
	uint64_t size; /* of a regular file, from the descriptor's place on, when it was opened */
	bool seekable; /* a regular file, and not compressed: windows of it can be handed out */
	atomic_uint owners;
	bool stopped;
	bool raw_ended; /* read gave 0 */
	unsigned char *raw; /* RAW_SIZE bytes: peeked or compressed ones */
	size_t raw_next, raw_end; /* those still to be consumed */
	struct filter_reader *filter; /* NULL: not compressed */
	bool filter_ended;
	bool may_be_bgzf; /* as far as was seen */
	const struct pool *pool; /* inflates bgzf, or NULL */
	struct bgzf *bgzf; /* members are read from there, or NULL */
	uint64_t bgzf_begin; /* its first byte in the file */
	unsigned char *block; /* INPUT_BLOCK_SIZE peeked bytes */
	size_t block_next, block_end;
	/* A warning or failure met while peeking, to be reported when its bytes are consumed. */
	enum status late_status;
	struct problem late_problem;
};

/* Sets a problem's text and gives its status back. */
enum status input_fail(struct problem *problem, enum status status, bool fatal, const char *text);
/* There is no memory, which was reported. */
enum status input_fail_for_memory(struct problem *problem);
/* One read(2) of the descriptor. *got is 0 at the end, or when stopped. */
enum status input_read_raw(struct input *in, unsigned char *buffer, size_t size, size_t *got,
			   struct problem *problem) MUST_CHECK;
/* Reads until raw holds size unconsumed bytes or the file ends. */
enum status input_fill_raw(struct input *in, size_t size, struct problem *problem) MUST_CHECK;
/* input_read of a compressed file, after what was peeked (input_inflated.c). */
enum status input_read_inflated(struct input *in, unsigned char *buffer, size_t size, size_t *got,
				struct problem *problem) MUST_CHECK;

#endif
