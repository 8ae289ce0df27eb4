/* Chunks of .npy files contain the bytes after the header, as many as the shape has. */
#include <inttypes.h>

#include "stream/array_files.h"
#include "stream/source_private.h"
#include "text/sniff.h"

enum status source_peek_array(struct source *s, bool must, struct npy_array *array, bool *found)
{
	const unsigned char *block;
	size_t size;
	struct problem problem = {0};
	enum status status = STATUS_OK;
	*found = false;
	if (s->file.input == NULL)
		return STATUS_OK;
	input_peeked(s->file.input, &block, &size);
	if (!must && !npy_begins(block, size))
		return STATUS_OK;
	*found = array_peek(s->file.input, array, &problem);
	if (!*found) {
		problem_tell(&problem, input_name(s->file.input), 0);
		return problem.status;
	}
	for (size_t i = s->next_name; i < s->name_count && status == STATUS_OK; i++)
		status = array_join_file(s->names[i], s->may_be_elements, array);
	return status;
}

bool source_known_bytes(const struct source *s, uint64_t *bytes)
{
	return s->file.input != NULL && s->next_name == s->name_count && input_known_bytes(s->file.input, bytes);
}

void source_begin_array(struct source *s, const struct plan *plan)
{
	struct npy_array array;
	if (!array_begin(s->file.input, &plan->npy.array, &array, &s->file.bytes, &s->file.end_problem)) {
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
		s->file.ended = array_ends(s->file.input, slot->in.size == 0, s->file.bytes, &s->file.end_problem);
	if (s->file.array_left == 0 || !s->file.ended ||
	    (s->file.end_problem.status != STATUS_OK && s->file.end_problem.fatal))
		return;
	(void)problem_set(&s->file.end_problem, STATUS_DATA,
			  "byte %" PRIu64 ": the array is cut off: %" PRIu64 " of its %" PRIu64 " bytes are there",
			  s->file.bytes, s->file.array_bytes - s->file.array_left, s->file.array_bytes);
}
