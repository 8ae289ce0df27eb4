/* Files of numpy's .npy format as parts of the stream: their headers are removed, and bytes after an array do not
 * belong to the stream. Used by the source and main. */
#ifndef PSCAN_STREAM_ARRAY_FILES_H
#define PSCAN_STREAM_ARRAY_FILES_H

#include "io/input.h"
#include "text/npy.h"

/* Reads the header of a file of which nothing was consumed. False: *problem has the reason. */
bool array_peek(struct input *in, struct npy_array *array, struct problem *problem);
/* As array_peek, and consumes the header: *size bytes. The array must continue `before`, the files so far
 * (array_joins). */
bool array_begin(struct input *in, const struct npy_array *before, struct npy_array *array, uint64_t *size,
		 struct problem *problem);
/* Checks that the file ends after the array's bytes, which were consumed. If the input pauses and !may_wait, later
 * bytes are not waited for. *problem: the error in bytes that follow. */
bool array_ends(struct input *in, bool may_wait, uint64_t offset, struct problem *problem);

/* Whether an array continues another one along its first axis, as for numpy.concatenate. False: *problem has the
 * reason. */
bool array_joins(const struct npy_array *before, const struct npy_array *array, struct problem *problem);
/* Extends *array, which describes the arrays of the files so far, by the array in the regular file `name`. Reads only
 * the file's header. may_be_elements: as for input_open. On failure returns the status after a message: STATUS_DATA if
 * the array is damaged or does not continue *array, STATUS_USAGE if it cannot be joined, is too large or is not in a
 * regular file, otherwise that of input_open. *array is then undefined. */
enum status array_join_file(const char *name, bool may_be_elements, struct npy_array *array) MUST_CHECK;

#endif
