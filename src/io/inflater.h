/* Inflates raw deflate streams, one after the other, from input that comes in pieces. */
#ifndef PSCAN_IO_INFLATER_H
#define PSCAN_IO_INFLATER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "io/flow.h"

struct inflater;

enum inflater_outcome {
	INFLATER_MORE, /* the output is full, or the input used up */
	INFLATER_END, /* of the stream */
	INFLATER_DAMAGED, /* what was put out is what could be read */
};

/* NULL after a message if there is no memory. */
struct inflater *inflater_new(void);
void inflater_free(struct inflater *i);

/* Begins a stream. */
void inflater_begin(struct inflater *i);
/* Inflates as much as io has room for, and moves on in it. On INFLATER_DAMAGED *what says what is wrong. */
enum inflater_outcome inflater_run(struct inflater *i, struct flow *io, const char **what);
/* After INFLATER_DAMAGED, or after inflater_take_over gave false: whether memory was lacking, which was reported. */
bool inflater_lacks_memory(const struct inflater *i);
/* After INFLATER_END: the last *size bytes that were used up do not belong to the stream. The pointer is good until
 * inflater_begin. */
const unsigned char *inflater_excess(const struct inflater *i, size_t *size);

/* Something is wrong, or the input ended: has the stream inflated again from a place not far before, with all care.
 * Then the last *log_size bytes that were used up, *log, are to be given once more before what follows them; nothing is
 * put out twice. log is valid until inflater_begin. False: there is no more careful way. */
bool inflater_take_over(struct inflater *i, const unsigned char **log, size_t *log_size);

/* Inflates a whole stream at once. False unless it is sound, in_size bytes long, and gives out_size bytes. */
bool inflater_run_whole(struct inflater *i, const unsigned char *in, size_t in_size, unsigned char *out,
			size_t out_size);

#endif
