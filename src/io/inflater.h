/* Inflates raw deflate streams, one after the other, and reads the headers of gzip before them. The input may come in
 * pieces. */
#ifndef PSCAN_IO_INFLATER_H
#define PSCAN_IO_INFLATER_H

#include <stdbool.h>
#include <stddef.h>

#include "io/filter.h"

struct inflater;

/* Returns an inflater, which the caller ends with inflater_free. NULL after a message if memory is missing. */
struct inflater *inflater_new(void);
void inflater_free(struct inflater *i);

/* Begins the header of a gzip member. Call it before each header but the inflater's first. */
void inflater_begin_header(struct inflater *i);
/* Reads a header up to its end (FILTER_END), or the bytes of it that io has (FILTER_MORE), and moves io on. For
 * FILTER_DAMAGED *what becomes the reason (static). FILTER_NO_MEMORY: after a message. */
enum filter_outcome inflater_read_header(struct inflater *i, struct flow *io, const char **what);
/* Begins a stream. Call it before each stream. */
void inflater_begin(struct inflater *i);
/* Inflates a part of io's input, and moves io on. FILTER_MORE: call it again, unless io has no input or no room.
 * FILTER_END: the stream has ended. For FILTER_DAMAGED *what becomes the reason (static). FILTER_NO_MEMORY: after a
 * message. */
enum filter_outcome inflater_run(struct inflater *i, struct flow *io, const char **what);
/* Call this after FILTER_END. Sets `excess` to the last bytes of the used input, which do not belong to the stream.
 * Returns their number. */
size_t inflater_excess(const struct inflater *i, unsigned char excess[8]);

/* Call this when the stream is damaged, or when the input ends within the stream. FILTER_MORE: inflater_run will now
 * use a slower way, which puts out every byte before the damage. The slower way begins a little earlier in the stream,
 * but puts nothing out twice. So the caller must pass the *log_size bytes at *log to inflater_run before any other
 * input. after: the after_size bytes of input that follow the used ones, read already but not used. The log is the last
 * bytes of the used input (without inflater_excess) and then the bytes at `after`; it is valid until inflater_begin.
 * FILTER_DAMAGED: the slower way is in use already or cannot be used. The damage is then final. FILTER_NO_MEMORY: after
 * a message. */
enum filter_outcome inflater_fall_back(struct inflater *i, const unsigned char *after, size_t after_size,
				       const unsigned char **log, size_t *log_size);

/* Inflates a whole stream at once, without inflater_begin. No stream may be under way. Returns true if the stream is
 * sound, has exactly in_size bytes, and inflates to exactly out_size bytes. Both sizes must be less than 2^32, and out
 * must not be NULL. */
bool inflater_run_whole(struct inflater *i, const unsigned char *in, size_t in_size, unsigned char *out,
			size_t out_size);

#endif
