/* Bytes into elements. */
#ifndef PSCAN_DECODE_H
#define PSCAN_DECODE_H

#include "memory.h"
#include "plan.h"
#include "problem.h"

/* A line that has no number but stands in the output as it is (--missing=keep): its text comes before the result of the
 * element with this index. */
struct mark {
	size_t element;
	const char *text;
	size_t size;
};

/* A token that was passed over with a warning. Lines count from 1 within the chunk. */
struct warning {
	uint64_t line;
	size_t element; /* so many elements of its part came before it */
	const char *token;
	size_t size;
};

enum decode_stop {
	DECODE_END, /* all bytes are consumed */
	DECODE_CHANGE, /* the token at *token cannot be read this way: exact decimals change scale or width */
	DECODE_LIMIT, /* the limit of elements is reached; *token is the next one */
	DECODE_FAIL, /* problem says why */
};

/* The outcome of decode_text for one part of a chunk. Pointers into the input's bytes. */
struct decoded {
	enum decode_stop stop;
	size_t count; /* elements written */
	size_t consumed; /* bytes before the token at which it stopped, or all */
	uint64_t lines; /* newlines among them */
	uint64_t field; /* of the line, so many fields lie behind (not told unless by field) */
	const char *token; /* at which it stopped */
	size_t token_size;
	struct problem problem;
};

/* Where elements and the rest go. */
struct decode_target {
	void *elements; /* in reading->type, room for as many as there are bytes, plus one */
	const union value *first; /* taken for the first token's element instead of reading it, or NULL */
	size_t limit; /* stop before this many elements */
	uint64_t lines_before; /* lines of the chunk before these bytes */
	struct bytes *marks; /* struct mark, appended; borrowed */
	struct bytes *warnings; /* struct warning, appended; borrowed */
};

/* Decodes size bytes of text that end where a record ends. Fails only for lack of memory (STATUS_SYSTEM, message printed);
 * all else is in *result. Any thread. */
enum status decode_text(const struct text_rules *rules, const struct reading *reading, const char *bytes, size_t size,
			const struct decode_target *target, struct decoded *result) MUST_CHECK;

/* Reverses the bytes of each of count elements of 1, 2, 4 or 8 bytes, in place. Any thread. */
void decode_swap(void *elements, size_t count, size_t size);

#endif
