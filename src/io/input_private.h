/* The state of an input (input.h), for the files input*.c. No other file includes this. */
#ifndef PSCAN_IO_INPUT_PRIVATE_H
#define PSCAN_IO_INPUT_PRIVATE_H

#include <stdatomic.h>

#include "io/frames.h"
#include "io/input.h"
#include "io/input_copy.h"

/* Compressed bytes that are read at once. */
#define RAW_SIZE ((size_t)256 << 10)

/* What input_peek has read, inflated. */
struct peeked_block {
	unsigned char *data; /* `size` bytes and LINE_PADDING. Owned. */
	size_t size; /* Bytes that it can hold. */
	size_t next, end; /* The part that is not consumed yet. */
};

struct input {
	const char *name; /* For messages. Borrowed. */
	int fd; /* Owned, unless it is standard input. */
	struct input_copy *copy; /* Receives the bytes that are read. Borrowed. NULL: they are not copied. */
	int stop_fd; /* Reading stops when this descriptor becomes readable. -1: never. */
	bool regular; /* A regular file, a block device or a directory, none of which ever pauses. */
	uint64_t size; /* What input_size returns. */
	bool seekable; /* The file is regular, not compressed, and was not empty when it was opened. */
	atomic_uint owners; /* References: one of input_open, and one of each input_hold. */
	bool stopped; /* stop_fd became readable. */
	bool raw_ended; /* read(2) has returned 0, or a failure that input_peek met was reported. */
	unsigned char *raw; /* RAW_SIZE bytes of the file: peeked ones, or compressed ones. Owned. */
	size_t raw_next, raw_end; /* The part of `raw` that is not consumed yet. */
	struct frames *filter; /* Owned. NULL: the file is not compressed. */
	bool filter_ended; /* The filter has reached the end or failed. */
	bool may_be_bgzf; /* The first bytes begin a BGZF member. */
	const struct pool *pool; /* Borrowed. Inflates bgzf. NULL: none. */
	struct bgzf *bgzf; /* Owned. The present reader of members. NULL: `filter` reads. */
	uint64_t bgzf_begin; /* The offset of bgzf's first byte in the file. */
	struct peeked_block block;
	/* A warning or failure that input_peek met. input_read returns late_status with late_problem once the peeked
	 * bytes are consumed, and then sets late_problem.status to STATUS_OK. */
	enum status late_status;
	struct problem late_problem;
};

/* Makes *problem a fatal one that prints nothing: memory is missing, and the failed allocation has printed so. Returns
 * STATUS_SYSTEM. */
enum status input_fail_for_memory(struct problem *problem);
/* Waits for the descriptor's next bytes and reads at most `size` of them. If the input is copied, adds these bytes to
 * in->copy. *got becomes their number: 0 at the end, or when reading is stopped. STATUS_SYSTEM with the reason in
 * *problem if reading fails or the copy cannot be written. */
enum status input_read_raw(struct input *in, unsigned char *buffer, size_t size, size_t *got,
			   struct problem *problem) MUST_CHECK;
/* Reads until `raw` has at least `size` (at most RAW_SIZE) unconsumed bytes, the file ends, or reading is stopped. Then
 * raw_next is 0, and raw_end is the number of unconsumed bytes. On failure returns the status with the reason in
 * *problem. */
enum status input_fill_raw(struct input *in, size_t size, struct problem *problem) MUST_CHECK;
/* input_read for a compressed file whose peeked bytes are consumed (input_inflated.c). */
enum status input_read_inflated(struct input *in, unsigned char *buffer, size_t size, size_t *got,
				struct problem *problem) MUST_CHECK;

#endif
