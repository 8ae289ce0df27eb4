/* Helpers for the files encode*.c: the place in a part's records, and the texts of their fields. No other file includes
 * this. A function that returns a status returns STATUS_SYSTEM after a message if memory is missing. */
#ifndef PSCAN_TEXT_ENCODE_PARTS_H
#define PSCAN_TEXT_ENCODE_PARTS_H

#include <string.h>

#include "text/encode.h"
#include "text/result_writers.h"

/* Texts are copied in whole pieces of this size. */
#define ENCODE_PIECE 16

/* The place in the records of a part. */
struct records_cursor {
	size_t *next; /* The index of each field's next element. */
	struct result_texts *lanes; /* The texts of each lane's next results. */
	size_t block; /* Texts of a lane that are made at once. */
	size_t room; /* An upper bound on the bytes of a record's results. */
	size_t absence; /* The index of the next absence. */
	const char *text; /* The lines of the input that were not copied yet. */
};

/* Appends the text before a result of a record: its label, or a delimiter if `leads`. *out must have room for it. */
static inline void encode_put_lead(const struct record_format *format, size_t result, bool leads, struct bytes *out)
{
	if (format->labels != NULL)
		writer_put_label(&format->labels[result], out);
	else if (leads)
		out->data[out->size++] = (unsigned char)text_delimiter(&format->text);
}

/* Appends absent results of a record, from the result `first` on, each after its label or a delimiter, before the first
 * of them only if `leads`. *out must have room for them. */
static inline void encode_put_absent(const struct record_format *format, size_t first, size_t count, bool leads,
				     const char *text, struct bytes *out)
{
	const size_t size = strlen(text);
	for (size_t i = 0; i < count; i++) {
		encode_put_lead(format, first + i, i > 0 || leads, out);
		memcpy(out->data + out->size, text, size);
		out->size += size;
	}
}

/* Copies a text and returns where the copy ends. Up to ENCODE_PIECE bytes after the text are read, and as many after
 * the copy are written. */
static inline unsigned char *encode_put_text(unsigned char *to, const unsigned char *text, size_t size)
{
	memcpy(to, text, ENCODE_PIECE);
	for (size_t done = ENCODE_PIECE; done < size; done += ENCODE_PIECE)
		memcpy(to + done, text + done, ENCODE_PIECE);
	return to + size;
}

/* Returns the text for an absent result in a line that has other results (static). If results have labels: null in
 * JSON, otherwise an empty text. Without labels: "-" between blanks, otherwise an empty text. */
const char *encode_absent_text(const struct record_format *format);
/* Returns the text for an absent result in a line of the input (static): encode_absent_text, but an empty text if the
 * line has only this result and results have no labels. */
const char *encode_absent_in_line(const struct record_format *format, const struct part_to_encode *part);
/* Appends a missing number's own text (struct held), in place of a result. CSV: in quotes if it needs them. If it is
 * empty, and results have labels: encode_absent_text. */
enum status encode_put_mark(const struct record_format *format, const char *from, size_t size, struct bytes *out);
/* Appends a text that is a result, as encode_quote_field writes it. JSON: the text is a value, and is appended as it
 * is. */
enum status encode_put_text_result(const struct record_format *format, const void *text, size_t size,
				   struct bytes *out);
/* Sets *c to the beginning of the part. The arrays of *c lie in part->scratch, which must not be used otherwise as long
 * as *c is. */
enum status encode_begin_records(const struct record_format *format, const struct part_to_encode *part,
				 struct records_cursor *c);
/* Appends the results of a field's next element, with delimiters between them or with their labels, and moves *c past
 * the element. leads: a delimiter also comes before the first result. absent: the text for an absent result. *out need
 * not have room. */
enum status encode_next(const struct record_format *format, const struct part_to_encode *part, struct records_cursor *c,
			size_t field, bool leads, const char *absent, struct bytes *out);
/* Appends the part's lines with their results (encode_into_lines.c). */
enum status encode_lines(const struct record_format *format, const struct part_to_encode *part, struct bytes *out);

#endif
