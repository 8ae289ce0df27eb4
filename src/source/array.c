/* Files of numpy's .npy format as parts of the stream: chunks contain the bytes after the header, as many as the shape
 * has. The result's header contains the shape of all files together, so it must be known before the first number is
 * scanned. Several files are therefore opened twice. If they change in between, this is noticed when they are read. */
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "source/private.h"
#include "text/sniff.h"

/* Peeks at the whole header. *header: its bytes. */
static bool peek_header(struct input *in, const unsigned char **block, size_t *header, struct problem *problem)
{
	size_t size;
	_Static_assert(NPY_HEADER_MAX <= INPUT_BLOCK_SIZE, "what can be peeked");
	/* Do not peek for more than is needed: it may come late. */
	input_peeked(in, block, &size);
	uint64_t wanted = npy_header_size(*block, size);
	for (bool more = true; more && wanted > size && wanted <= NPY_HEADER_MAX;) {
		const size_t before = size;
		input_peek(in, false, block, &size);
		wanted = npy_header_size(*block, size);
		more = size > before;
	}
	if (wanted > NPY_HEADER_MAX) {
		(void)problem_set(problem, STATUS_USAGE,
				  "the .npy header has %" PRIu64 " bytes, more than the %zu that are read", wanted,
				  NPY_HEADER_MAX);
		return false;
	}
	*header = wanted < size ? (size_t)wanted : size;
	return wanted <= size || !input_late_problem(in, problem);
}

/* Reads it. */
static bool read_header(struct input *in, struct npy_array *array, size_t *header, struct problem *problem)
{
	const unsigned char *block;
	char text[NPY_PROBLEM_SIZE];
	if (!peek_header(in, &block, header, problem))
		return false;
	const enum status status = npy_read_header(block, *header, array, text);
	return status == STATUS_OK || problem_set(problem, status, "%s", text) == STATUS_OK;
}

/* Whether an array continues another one along its first axis, as for numpy.concatenate. False: *problem has the
 * reason. */
static bool joins(const struct npy_array *before, const struct npy_array *array, struct problem *problem)
{
	char codes[2][TYPE_CODE_SIZE];
	char shape[NPY_SHAPE_SIZE];
	const struct npy_shape *a = &before->shape;
	const struct npy_shape *b = &array->shape;
	if (before->type != array->type || before->swapped != array->swapped) {
		type_format_code(codes[0], before->type, before->swapped);
		type_format_code(codes[1], array->type, array->swapped);
		(void)problem_set(problem, STATUS_DATA, "its type is %s, that of the files before it %s", codes[1],
				  codes[0]);
		return false;
	}
	bool same = a->count == b->count;
	for (size_t i = 1; same && i < a->count; i++)
		same = a->sizes[i] == b->sizes[i];
	if (!same)
		(void)problem_set(problem, STATUS_DATA,
				  "its shape %.400s does not continue that of the files before it",
				  npy_format_shape(shape, b));
	return same;
}

bool source_array_begin(struct input *in, const struct npy_array *before, struct npy_array *array, uint64_t *size,
			struct problem *problem)
{
	unsigned char consumed[NPY_HEADER_MAX];
	size_t header;
	size_t got;
	if (!read_header(in, array, &header, problem) || !joins(before, array, problem))
		return false;
	/* (Bytes that were peeked at come at once.) */
	if (input_read(in, consumed, header, &got, problem) != STATUS_OK)
		return false;
	*size = header;
	return true;
}

/* Checks that the file ends after the array's bytes, which were consumed. If the input pauses and !may_wait, later
 * bytes are not waited for. *problem: the error in bytes that follow. */
static bool ends(struct input *in, bool may_wait, uint64_t offset, struct problem *problem)
{
	unsigned char next;
	size_t got = 0;
	if (input_at_end(in))
		return true;
	if (input_bytes_left(in) == 0) {
		if (!may_wait && input_pauses(in))
			return false;
		struct problem late = {0};
		if (input_read(in, &next, 1, &got, &late) != STATUS_OK || got == 0) {
			*problem = late;
			return true;
		}
	}
	(void)problem_set(problem, STATUS_DATA, "byte %" PRIu64 ": trailing bytes after the array", offset);
	problem->fatal = false;
	return true;
}

/* Appends the array of the next file to that of the files so far. False if they do not fit: *problem has the reason. */
static bool append(struct npy_array *array, const struct npy_array *next, struct problem *problem)
{
	uint64_t *size = &array->shape.sizes[0];
	if (!joins(array, next, problem))
		return false;
	if (array->shape.count == 0) {
		(void)problem_set(problem, STATUS_USAGE, "numbers without an axis cannot be joined");
		return false;
	}
	*size += next->shape.sizes[0]; /* each is less than 2^63 */
	if (*size <= INT64_MAX &&
	    npy_count(&array->shape, 0, array->shape.count, INT64_MAX / array->type->size, &array->elements))
		return true;
	(void)problem_set(problem, STATUS_USAGE, "the files together have more than 2^63 bytes");
	return false;
}

/* Extends *array, which describes the arrays of the files so far, by the array in the regular file `name`. Reads only
 * the file's header. On failure returns the status after a message. */
static enum status join_file(const char *name, bool may_be_elements, struct npy_array *array)
{
	struct stat st;
	struct input *in = NULL;
	struct problem problem = {0};
	struct npy_array next;
	size_t header;
	bool good = false;
	if (strcmp(name, "-") == 0 || (stat(name, &st) == 0 && !S_ISREG(st.st_mode)))
		(void)problem_set(
			&problem, STATUS_USAGE,
			"each of several .npy files must be a regular file: the result's shape is written first");
	else if (input_open(name, may_be_elements, &in, &problem) == STATUS_OK)
		good = read_header(in, &next, &header, &problem) && append(array, &next, &problem);
	input_close(in);
	if (good)
		return STATUS_OK;
	problem_tell(&problem, input_label(name), 0);
	return problem.status;
}

enum status source_peek_array(struct source *s, bool must, struct npy_array *array, bool *found)
{
	const unsigned char *block;
	size_t size;
	size_t header;
	struct problem problem = {0};
	enum status status = STATUS_OK;
	*found = false;
	if (s->file.input == NULL)
		return STATUS_OK;
	input_peeked(s->file.input, &block, &size);
	if (!must && !npy_begins(block, size))
		return STATUS_OK;
	*found = read_header(s->file.input, array, &header, &problem);
	if (!*found) {
		problem_tell(&problem, input_name(s->file.input), 0);
		return problem.status;
	}
	for (size_t i = s->next_name; i < s->name_count && status == STATUS_OK; i++)
		status = join_file(s->names[i], s->rules.may_be_elements, array);
	return status;
}

bool source_known_bytes(const struct source *s, uint64_t *bytes)
{
	return s->file.input != NULL && s->next_name == s->name_count && input_known_bytes(s->file.input, bytes);
}

void source_begin_array(struct source *s, const struct plan *plan)
{
	struct npy_array array;
	if (!source_array_begin(s->file.input, &plan->npy.array, &array, &s->file.bytes, &s->file.end_problem)) {
		s->file.ended = true;
		s->file.array_left = 0;
		return;
	}
	s->file.array_bytes = array.elements * array.type->size;
	s->file.array_left = s->file.array_bytes;
}

bool source_refuse_format(struct source *s)
{
	const unsigned char *block;
	size_t size;
	/* The process that reads the file's beginning checks this. Do not peek for more bytes: they may come late. */
	if (s->slice.file_bytes > 0)
		return false;
	input_peeked(s->file.input, &block, &size);
	if (size == 0)
		input_peek(s->file.input, false, &block, &size);
	const char *format = npy_begins(block, size) ? "an array (.npy) after raw numbers (see --format=binary)"
						     : sniff_foreign(block, size);
	if (format == NULL)
		return false;
	(void)problem_set(&s->file.end_problem, STATUS_DATA, "it is %s", format);
	s->file.ended = true;
	return true;
}

void source_end_array(struct source *s, const struct slot *slot)
{
	s->file.array_left -= slot->in.size;
	if (!s->file.ended && s->file.array_left == 0)
		s->file.ended = ends(s->file.input, slot->in.size == 0, s->file.bytes, &s->file.end_problem);
	if (s->file.array_left == 0 || !s->file.ended ||
	    (s->file.end_problem.status != STATUS_OK && s->file.end_problem.fatal))
		return;
	(void)problem_set(&s->file.end_problem, STATUS_DATA,
			  "byte %" PRIu64 ": the array is cut off: %" PRIu64 " of its %" PRIu64 " bytes are there",
			  s->file.bytes, s->file.array_bytes - s->file.array_left, s->file.array_bytes);
}
