/* Bytes into elements. */
#ifndef PSCAN_TEXT_DECODE_H
#define PSCAN_TEXT_DECODE_H

#include "base/memory.h"
#include "base/problem.h"
#include "number/scan_text.h"
#include "text/line.h"
#include "text/rules.h"

/* Text of the input that stands in the output as it is, in a line of its own before the result of the element with this
 * index: a header, a comment, a mark of --missing=keep. Where whole lines come out (enum lines), the text of an
 * EDIT_MARK. */
struct mark {
	size_t element;
	const char *text;
	size_t size;
};

/* What stands in the output after the bytes that an edit copies. The results come one by one. */
enum edit_kind {
	EDIT_NOTHING,
	EDIT_RESULT,
	EDIT_DELIMITERS, /* skipped of them; nothing is skipped */
	EDIT_DELIMITER_RESULT,
	EDIT_DELIMITER_MARK, /* the next mark */
	EDIT_DELIMITER_NAME, /* what the header calls the results */
	EDIT_NAME,
};

/* Where whole lines come out they are the input, edited. */
struct edit {
	uint32_t copied; /* bytes of the input, after the edit before */
	uint32_t skipped; /* bytes after them that do not come out */
	enum edit_kind kind;
};

/* Bytes after a text that may be read, whatever they are. */
#define TEXT_PADDING 16
_Static_assert(TEXT_PADDING >= LINE_PADDING && TEXT_PADDING >= NUMBER_SCAN_SLACK, "whoever reads text may read so far");

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
	size_t header_marks; /* marks that stand before the first line after the header */
	size_t consumed; /* bytes before the token at which it stopped, or all */
	uint64_t lines; /* newlines among them */
	const char *token; /* at which it stopped */
	size_t token_size;
	struct problem problem;
};

/* Where elements and the rest go. */
struct decode_target {
	void *elements; /* in reading->type, room for as many as there are bytes, plus one */
	size_t limit; /* stop before more than so many elements */
	uint64_t lines_before; /* lines of the chunk before these bytes */
	uint64_t field; /* of the numbers, 0: every token is one */
	bool at_line_start; /* these bytes begin a line */
	uint64_t header_lines; /* at the start of these bytes */
	bool header_whole; /* the last of them names the fields */
	uint64_t dropped_lines; /* so many of them do not come out: an earlier file had them */
	struct bytes *scales; /* the elements' own decimals, a byte each, if decode_wants_scales; appended; borrowed */
	struct bytes *marks; /* struct mark, appended; borrowed */
	struct bytes *edits; /* struct edit, appended; borrowed */
	struct bytes *warnings; /* struct warning, appended; borrowed */
};

/* Whether the elements' own decimals are to be noted: at scale 0 they are known. */
static inline bool decode_wants_scales(const struct element_format *reading)
{
	return reading->written && reading->decimal && reading->scale > 0;
}

/* Decodes size bytes of text that begin and end where a record does; TEXT_PADDING more bytes can be read after them.
 * Fails only for lack of memory (STATUS_SYSTEM, message printed); all else is in *result. Any thread. */
enum status decode_text(const struct text_rules *rules, const struct element_format *reading, const char *bytes,
			size_t size, const struct decode_target *target, struct decoded *result) MUST_CHECK;

/* Reverses the bytes of each of count elements of 1, 2, 4 or 8 bytes, in place. Any thread. */
void decode_swap(void *elements, size_t count, size_t size);

#endif
