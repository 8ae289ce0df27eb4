/* What encode.c and encode_lines.c share: where the records of a part are, and what stands for their fields. Only they
 * and encode_parts.c include this. */
#ifndef PSCAN_TEXT_ENCODE_PARTS_H
#define PSCAN_TEXT_ENCODE_PARTS_H

#include <string.h>

#include "text/encode.h"
#include "text/writer.h"

/* Texts are copied in whole pieces of this size. */
#define ENCODE_PIECE 16

/* The place in the records of a part. */
struct records_cursor {
	size_t *next; /* the index of each field's next element */
	struct result_texts *lanes;
	size_t block; /* texts of a lane that are made at once */
	size_t room; /* bytes of a record's results at most */
	size_t absence, mark; /* the indices of the next ones */
	const char *text; /* not yet copied */
};

static inline size_t encode_put_delimiter(const struct record_format *format, unsigned char *out)
{
	*out = (unsigned char)text_delimiter(&format->text);
	return 1;
}

/* Appends the text before a result of a record: its label, or a delimiter if `leads`. *out must have room for it. */
static inline void encode_put_lead(const struct record_format *format, size_t result, bool leads, struct bytes *out)
{
	if (format->labels != NULL)
		writer_put_label(&format->labels[result], out);
	else if (leads)
		out->size += encode_put_delimiter(format, out->data + out->size);
}

/* Copies a text and returns where the copy ends. Up to ENCODE_PIECE bytes after it are read and written, too. */
static inline unsigned char *encode_put_text(unsigned char *to, const unsigned char *text, size_t size)
{
	memcpy(to, text, ENCODE_PIECE);
	for (size_t done = ENCODE_PIECE; done < size; done += ENCODE_PIECE)
		memcpy(to + done, text + done, ENCODE_PIECE);
	return to + size;
}

/* The text for an absent result between others. */
const char *encode_absent_text(const struct record_format *format);
/* The text for an absent result in a line of the input. Between other fields and blanks it cannot be empty. */
const char *encode_absent_in_line(const struct record_format *format, const struct part_to_encode *part);
/* Writes a text of the input in place of each of a field's results. leads: with a delimiter before the first. */
enum status encode_text_fields(const struct record_format *format, const struct part_to_encode *part, size_t field,
			       bool leads, const char *from, size_t size, struct bytes *out);
enum status encode_begin_records(const struct record_format *format, const struct part_to_encode *part,
				 struct records_cursor *c);
/* Writes the field's next results, each with a delimiter before it; the first only if `leads`. `absent` is written for
 * an absent result. */
enum status encode_next(const struct record_format *format, const struct part_to_encode *part, struct records_cursor *c,
			size_t field, bool leads, const char *absent, struct bytes *out);
/* Whether anything is written for a field without an element: one of its previous results, or a mark. */
bool encode_holds_any(const struct part_to_encode *part, const struct records_cursor *c, size_t field);
/* Writes the previous results for a field without an element. Where there is no previous result it writes the mark, or
 * in an exclusive scan nothing. */
enum status encode_held(const struct record_format *format, const struct part_to_encode *part,
			const struct records_cursor *c, size_t field, bool leads, const char *mark, size_t size,
			struct bytes *out);

/* encode_lines.c: the part's lines with their results. */
enum status encode_lines(const struct record_format *format, const struct part_to_encode *part, struct bytes *out);

#endif
