/* Inflates raw deflate streams, one after the other, and reads the headers of gzip before them. The input may come in
 * pieces. */
#ifndef PSCAN_IO_INFLATER_H
#define PSCAN_IO_INFLATER_H

#include <stdbool.h>
#include <stddef.h>

#include "io/flow.h"

struct inflater;

enum inflater_outcome {
	INFLATER_MORE, /* The stream or the header goes on. */
	INFLATER_END, /* The stream or the header has ended. */
	INFLATER_DAMAGED, /* The stream or the header is damaged. */
};

/* Returns an inflater, which the caller ends with inflater_free. NULL after a message if memory is missing. */
struct inflater *inflater_new(void);
void inflater_free(struct inflater *i);

/* Begins the header of a gzip member. Call it before each header but the inflater's first. */
void inflater_begin_header(struct inflater *i);
/* Reads a header up to its end (INFLATER_END), or as much of the header as io has (INFLATER_MORE), and moves io past
 * the bytes that were used. For INFLATER_DAMAGED *what becomes the reason (static). */
enum inflater_outcome inflater_read_header(struct inflater *i, struct flow *io, const char **what);
/* Begins a stream. Call it before each stream. */
void inflater_begin(struct inflater *i);
/* Inflates a part of io's input, and moves io past the bytes that were used and made. INFLATER_MORE: call it again,
 * unless io has no input or no room. For INFLATER_DAMAGED *what becomes the reason (static). */
enum inflater_outcome inflater_run(struct inflater *i, struct flow *io, const char **what);
/* Call this after INFLATER_DAMAGED, or after inflater_take_over has returned false. Returns whether the cause is
 * missing memory, for which a message was printed. */
bool inflater_lacks_memory(const struct inflater *i);
/* Call this when inflater_run has returned INFLATER_END. Returns the last *size bytes of the used input, which do not
 * belong to the stream; *size may be 0. Borrowed; valid until inflater_begin. */
const unsigned char *inflater_excess(const struct inflater *i, size_t *size);

/* Call this when the stream is damaged, or when the input ends within the stream. Returns true if inflater_run will now
 * use a slower way, which puts out every byte before the damage. The slower way begins a little earlier in the stream,
 * but puts nothing out twice. So the caller must pass the *log_size bytes at *log to inflater_run before any other
 * input. They are the last bytes of the used input (without inflater_excess), and are valid until inflater_begin.
 * Returns false if the slower way is in use already or cannot be used. The damage is then final, and *log may be
 * unset. */
bool inflater_take_over(struct inflater *i, const unsigned char **log, size_t *log_size);

/* Inflates a whole stream at once, without inflater_begin. No stream may be under way. Returns true if the stream is
 * sound, has exactly in_size bytes, and inflates to exactly out_size bytes. Both sizes must be less than 2^32, and out
 * must not be NULL. */
bool inflater_run_whole(struct inflater *i, const unsigned char *in, size_t in_size, unsigned char *out,
			size_t out_size);

#endif
