/* The headers of numpy's .npy files: a magic, a version, and a Python dictionary that says what the numbers are and in
 * what shape they follow. (NEP 1, and numpy/lib/format.py.) Pure functions; any thread. */
#ifndef PSCAN_TEXT_NPY_H
#define PSCAN_TEXT_NPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/message.h"
#include "base/status.h"
#include "number/type.h"

/* numpy has no more axes than that. */
#define NPY_AXES_MAX 64
/* A header may have so many bytes: thousands of them have only lists of fields. */
#define NPY_HEADER_MAX ((size_t)4096)
/* What a first size is where numbers are written before they are counted: no array is as large, so what is left of a
 * run that was ended is not taken for a whole one. */
#define NPY_SIZE_UNKNOWN ((uint64_t)INT64_MAX)

struct npy_shape {
	size_t count; /* of axes; 0: there is one number */
	uint64_t sizes[NPY_AXES_MAX]; /* each at most INT64_MAX; the last axis's numbers follow each other */
};

struct npy_array {
	const struct type *type;
	bool swapped; /* its numbers are not in the machine's byte order */
	struct npy_shape shape;
	uint64_t elements; /* of the shape; less than 2^63 bytes */
};

/* Whether the bytes, as far as they go, are the magic that such files begin with; and whether they are at least
 * that. */
bool npy_may_begin(const unsigned char *bytes, size_t size);
bool npy_begins(const unsigned char *bytes, size_t size);

/* How many bytes the header has, magic and all; of what is too short to tell that, more than size. 0: it is none. */
uint64_t npy_header_size(const unsigned char *bytes, size_t size);

#define NPY_PROBLEM_SIZE 256
/* Reads a whole header: the first npy_header_size bytes of a file. STATUS_DATA: it is damaged, STATUS_USAGE: its
 * numbers are none that can be scanned; problem says why in words. */
enum status npy_read_header(const unsigned char *bytes, size_t size, struct npy_array *array,
			    char problem[NPY_PROBLEM_SIZE]) MUST_CHECK;

/* The product of the sizes of the axes first to end, less than limit; false if it is more. (Where one of all is 0, it
 * is 0.) */
bool npy_count(const struct npy_shape *shape, size_t first, size_t end, uint64_t limit, uint64_t *count) MUST_CHECK;

/* A shape as Python writes it. Returns out. */
#define NPY_SHAPE_SIZE (NPY_AXES_MAX * 22 + 4)
const char *npy_format_shape(char out[NPY_SHAPE_SIZE], const struct npy_shape *shape);

/* Appends a header, as numpy writes it: its size does not depend on the first axis's size. type: a dtype's
 * description, in Python. STATUS_SYSTEM after a message. */
enum status npy_put_header(struct bytes *out, const char *type, const struct npy_shape *shape) MUST_CHECK;

#endif
