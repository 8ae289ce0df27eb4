/* Reads and writes the headers of numpy's .npy files: a magic, a version, and a Python dictionary with the type and the
 * shape of the numbers that follow (NEP 1, and numpy/lib/format.py). Pure functions; any thread. */
#ifndef PSCAN_TEXT_NPY_H
#define PSCAN_TEXT_NPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/message.h"
#include "base/status.h"
#include "number/type.h"

/* The most axes of an array, which is numpy's limit. */
#define NPY_AXES_MAX 64
/* The most bytes of a header that is read. Only headers with long lists of fields are larger. */
#define NPY_HEADER_MAX ((size_t)4096)
/* The first axis's size in a header that is written before the numbers are counted. No array is so large, so the file
 * of an interrupted run is not taken for a complete one. */
#define NPY_SIZE_UNKNOWN ((uint64_t)INT64_MAX)

struct npy_shape {
	size_t count; /* Number of axes. 0: the array is a single number. */
	uint64_t sizes[NPY_AXES_MAX]; /* Each at most INT64_MAX. Numbers along the last axis are neighbours. */
};

struct npy_array {
	const struct type *type;
	bool swapped; /* The numbers are not in the machine's byte order. */
	struct npy_shape shape;
	uint64_t elements; /* Numbers of the array, together less than 2^63 bytes. */
};

/* Whether these bytes may begin a .npy file: they begin with its magic, or are the first bytes of the magic. */
bool npy_may_begin(const unsigned char *bytes, size_t size);
/* Whether these bytes begin with the whole magic of .npy files. */
bool npy_begins(const unsigned char *bytes, size_t size);

/* Returns the size of a file's header, magic included. bytes: the first `size` bytes of the file. A result greater than
 * `size` is the number of bytes that the next call needs: it may be less than the header's size. 0: the bytes do not
 * begin a header. For an unknown version the result ends after the version; npy_read_header refuses such a header. */
uint64_t npy_header_size(const unsigned char *bytes, size_t size);

#define NPY_PROBLEM_SIZE 256
/* Reads a whole header, the first npy_header_size bytes of a file, into *array. STATUS_DATA if the header is damaged,
 * STATUS_USAGE if the array's numbers cannot be scanned. `problem` is then the reason in words, and *array is
 * unchanged; nothing is printed. */
enum status npy_read_header(const unsigned char *bytes, size_t size, struct npy_array *array,
			    char problem[NPY_PROBLEM_SIZE]) MUST_CHECK;

/* Sets *count to the product of the sizes of the axes `first` to before `end`. Without axes it is 1, and if any size is
 * 0 it is 0. Otherwise the product must be less than `limit`: if not, returns false, and *count is unchanged. */
bool npy_count(const struct npy_shape *shape, size_t first, size_t end, uint64_t limit, uint64_t *count) MUST_CHECK;

/* Writes a shape to out as Python does. Returns out. */
#define NPY_SHAPE_SIZE (NPY_AXES_MAX * 22 + 4)
const char *npy_format_shape(char out[NPY_SHAPE_SIZE], const struct npy_shape *shape);

/* Appends a header as numpy writes it. The header's size does not depend on the size of the first axis. type: the
 * description of the numbers in Python, such as '<f4' with its quotes. STATUS_SYSTEM after a message if memory is
 * missing. */
enum status npy_put_header(struct bytes *out, const char *type, const struct npy_shape *shape) MUST_CHECK;

#endif
