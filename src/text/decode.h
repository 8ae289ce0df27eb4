/* Bytes into elements. */
#ifndef PSCAN_TEXT_DECODE_H
#define PSCAN_TEXT_DECODE_H

#include "base/memory.h"
#include "base/problem.h"
#include "number/scan_text.h"
#include "text/edit.h"
#include "text/gap.h"
#include "text/grouper.h"
#include "text/header.h"
#include "text/line.h"
#include "text/resets.h"
#include "text/rules.h"

enum mark_kind {
	MARK_LINE,
	MARK_RESULT, /* it stands for each result of the record */
	MARK_HOLD, /* the results before stand again; it stands for those that there are not */
};

/* Text that stands in the output in a line of its own before the result of the record with this index, where records'
 * lines do not come out (enum lines): a header, a comment, a mark of --missing=keep or hold. Where they do, the text
 * of an EDIT_DELIMITER_MARK or EDIT_DELIMITER_HELD. */
struct mark {
	size_t record; /* of those with results, where only one field holds numbers */
	const char *text; /* of the input; NULL: the results' names */
	size_t size;
	enum mark_kind kind;
};

/* An element that a record lacks, where several fields hold numbers. */
struct absence {
	size_t record;
	size_t field; /* the index of its element among the record's */
	const char *text; /* stands for each of its results, or NULL */
	size_t size;
	bool holds; /* the results before stand again, and text for those that there are not */
};

/* An element of a column that is none, but has a result: one that is absent, or the lane's result before again, and
 * text where there is none. */
struct held {
	size_t element; /* its index in the column */
	size_t record;
	const char *text;
	size_t size;
	bool is_absent;
};

/* The scale of a decimal that has its own: a number up to DECIMAL_SCALE_MAX, with */
enum own_scale {
	OWN_SCALE_MASK = 31,
	OWN_SCALE_NEGATIVE_ZERO = 64, /* for when it becomes a float */
	OWN_SCALE_FLOAT = 128, /* it cannot be exact: the element is an f64 */
};

/* Bytes after a text that may be read, whatever they are. */
#define TEXT_PADDING 64
_Static_assert(TEXT_PADDING >= LINE_PADDING && TEXT_PADDING >= NUMBER_SCAN_SLACK, "whoever reads text may read so far");

/* A token that was passed over with a warning. Lines count from 1 within the chunk. */
/* Why a line does not line up with the header. */
struct decode_misfit {
	const char *name; /* chosen, with another field under it than in the first record; NULL: the counts differ. */
	uint64_t number; /* of the name's field in the first record */
	uint64_t field_count; /* of the line */
	uint64_t wanted; /* names of the header, or fields of the first record */
	bool is_of_header; /* wanted is the names */
};

struct warning {
	uint64_t line;
	uint64_t field; /* its number, or 0 */
	const char *token;
	size_t size;
	const char *what; /* it is not, or NULL: a number */
	uint64_t column; /* of the line, or 0 */
	struct decode_misfit misfit; /* of a line that does not line up with the header; else zeros */
};

/* One number of each record, in one format. */
struct column {
	size_t field; /* its index among the fields, or 0 */
	struct element_format reading;
	unsigned char *elements; /* in reading.type, room for as many as there are bytes, plus one, */
	size_t step; /* so many bytes apart: those of the type, but for elements of several numbers */
	struct bytes *scales; /* the elements' own decimals, a byte each, if they have such; appended; borrowed */
	struct bytes *helds; /* struct held, if rules->leaves_in_place; appended; borrowed */
	size_t count; /* elements that were written: decode_text sets it */
	/* Of decimals at their own scales; decode_text ends it where one of them does not fit, and changes the step: all
	 * elements are i64 at one scale, the greatest of their own. */
	bool is_narrow;
	unsigned scale;
};

enum decode_stop {
	DECODE_END, /* all bytes are consumed */
	DECODE_LIMIT, /* the limit of records is reached; *token is the next one in the limit's field */
	DECODE_FAIL, /* problem says why */
};

/* The outcome of decode_text for one part of a chunk. Pointers into the input's bytes. */
struct decoded {
	enum decode_stop stop;
	size_t records; /* with one field or none only those that have an element */
	size_t header_marks; /* marks that stand before the first line after the header */
	size_t consumed; /* bytes before the record at which it stopped, or all */
	uint64_t lines; /* newlines among them */
	const char *token; /* at which it stopped */
	size_t token_size;
	enum gap_kind gap_kind; /* of the records' gaps */
	struct problem problem;
};

/* Where elements and the rest go. */
struct decode_target {
	struct column *columns; /* in the order of their fields, of each at least one */
	size_t column_count;
	size_t limit; /* stop before more than so many records */
	size_t limit_field; /* the index of the field whose token is asked for then */
	uint64_t lines_before; /* lines of the chunk before these bytes */
	const uint64_t *fields; /* their numbers, rules->field_count of them; NULL: not known, and there are no lines */
	const struct header_table *table; /* of the lines' header, or NULL; borrowed */
	bool at_line_start; /* these bytes begin a line */
	bool begins_file; /* the chunk does */
	uint64_t header_lines; /* at the start of these bytes */
	bool header_whole; /* the last of them names the fields */
	uint64_t dropped_lines; /* so many of them do not come out: an earlier file had them */
	struct bytes *marks; /* struct mark, appended; borrowed */
	struct bytes *absences; /* struct absence, appended; borrowed */
	struct bytes *edits; /* struct edit, appended; borrowed */
	struct bytes *warnings; /* struct warning, appended; borrowed */
	struct grouper *keys; /* takes the records in, if there are such fields; borrowed */
	struct resets *resets; /* the same */
	struct bytes *gaps; /* int128, the numbers or times at DECIMAL_SCALE_MAX that rules->gap is of; as keys */
	struct bytes *key_bytes; /* of both keys and resets; appended; borrowed */
	struct bytes *scratch; /* borrowed */
};

/* Decodes size bytes of text that begin and end where a record does; TEXT_PADDING more bytes can be read after them.
 * Fails only for lack of memory (STATUS_SYSTEM, message printed); all else is in *result. Any thread. */
enum status decode_text(const struct text_rules *rules, const char *bytes, size_t size,
			const struct decode_target *target, struct decoded *result) MUST_CHECK;

/* Says what is wrong with a line that does not line up with the header, as snprintf does. */
int decode_say_misfit(const struct decode_misfit *misfit, char *text, size_t size);

/* Reverses the bytes of each of count elements of 1, 2, 4 or 8 bytes, in place. Any thread. */
void decode_swap(void *elements, size_t count, size_t size);

#endif
