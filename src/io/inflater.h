/* Inflates raw deflate streams, one after the other, and reads the headers of gzip before them. The input may come in
 * pieces. */
#ifndef PSCAN_IO_INFLATER_H
#define PSCAN_IO_INFLATER_H

#include <stdbool.h>
#include <stddef.h>

#include "io/flow.h"

struct inflater;

enum inflater_outcome {
	INFLATER_MORE, /* The output is full, or the input is used up. */
	INFLATER_END, /* The stream has ended. */
	INFLATER_DAMAGED, /* The stream is damaged. */
};

/* Returns an inflater, which the caller ends with inflater_free. NULL after a message if memory is missing. */
struct inflater *inflater_new(void);
void inflater_free(struct inflater *i);

/* Begins the header of a gzip member. Call it before each header but the first. */
void inflater_begin_header(struct inflater *i);
/* Reads a header up to its end (INFLATER_END), or the bytes of it that io has, and moves io on. For INFLATER_DAMAGED
 * *what becomes the reason (static). */
enum inflater_outcome inflater_read_header(struct inflater *i, struct flow *io, const char **what);
/* Begins a stream. Call it before each stream. */
void inflater_begin(struct inflater *i);
/* Inflates until io's input is used up or its output is full, and moves io on. For INFLATER_DAMAGED *what becomes the
 * reason (static). */
enum inflater_outcome inflater_run(struct inflater *i, struct flow *io, const char **what);
/* Call this after INFLATER_DAMAGED, or after inflater_take_over has returned false. Returns whether the cause is
 * missing memory, for which a message was printed. */
bool inflater_lacks_memory(const struct inflater *i);
/* Call this after INFLATER_END. Returns the last *size bytes of the used input, which do not belong to the stream.
 * Borrowed; valid until inflater_begin. */
const unsigned char *inflater_excess(const struct inflater *i, size_t *size);

/* Call this when the stream is damaged, or when the input ends within it. Switches to a slower way, which puts out
 * every byte before the damage. That way begins a little earlier in the stream: the caller must pass the last *log_size
 * bytes of the used input (without inflater_excess) to inflater_run again, before any other input. They are at *log,
 * which is valid until inflater_begin. Nothing is put out twice. Returns false if the slower way is in use already or
 * cannot be used; the damage is then final, and *log may be unset. */
bool inflater_take_over(struct inflater *i, const unsigned char **log, size_t *log_size);

/* Inflates a whole stream at once, without inflater_begin. Returns true if the stream is sound, has exactly in_size
 * bytes, and inflates to exactly out_size bytes. Both sizes must be less than 2^32, and out must not be NULL. */
bool inflater_run_whole(struct inflater *i, const unsigned char *in, size_t in_size, unsigned char *out,
			size_t out_size);

#endif
