/* Files of numpy's .npy format as parts of the stream: their headers are removed, and bytes after an array do not
 * belong to the stream. Used by the source and main. */
#ifndef PSCAN_STREAM_ARRAY_FILES_H
#define PSCAN_STREAM_ARRAY_FILES_H

#include "io/input.h"
#include "text/npy.h"

/* The array of a file of which nothing was consumed. False after a problem. */
bool array_peek(struct input *in, struct npy_array *array, struct problem *problem);
/* The same, and the header is consumed: *size bytes. The array must go on what is there so far (array_join). */
bool array_begin(struct input *in, const struct npy_array *before, struct npy_array *array, uint64_t *size,
		 struct problem *problem);
/* Whether the file ends now that the array's bytes were consumed; of what still may come nothing is known where the
 * input pauses and may_wait is not set. *problem: what is wrong with what follows. */
bool array_ends(struct input *in, bool may_wait, uint64_t offset, struct problem *problem);

/* Whether an array goes on another one's first axis: numpy.concatenate. False after a problem. */
bool array_joins(const struct npy_array *before, const struct npy_array *array, struct problem *problem);
/* Appends the array of a regular file to another one. STATUS_DATA or STATUS_USAGE after a message. */
enum status array_join_file(const char *name, bool may_be_elements, struct npy_array *array) MUST_CHECK;

#endif
