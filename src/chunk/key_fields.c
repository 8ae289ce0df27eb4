/* Writes keys and reset fields. Their texts are stored as the decoder found them: one field alone, or several fields
 * with their sizes. Fields of binary input are the bytes of columns. */
#include "chunk/key_fields.h"

#include <assert.h>
#include <string.h>

#include "number/write.h"
#include "text/decode.h"
#include "text/encode.h"
#include "text/result_writers.h"

/* Appends a number of binary input, whose bytes these are: as text with a delimiter after it, or as bytes. */
static enum status put_column(const struct record_format *format, const struct type *t, const unsigned char *bytes,
			      bool is_text, struct bytes *out)
{
	unsigned char *to;
	union value value = {0};
	TRY(bytes_reserve(out, NUMBER_TEXT_MAX + 1));
	to = out->data + out->size;
	memcpy(&value, bytes, t->size);
	if (format->in_swapped != (is_text ? false : format->out_swapped))
		decode_swap(&value, 1, t->size);
	if (!is_text)
		memcpy(to, &value, t->size);
	out->size += is_text ? number_format((char *)to, t, &value) : t->size;
	if (is_text)
		out->data[out->size++] = (unsigned char)text_delimiter(&format->text);
	return STATUS_OK;
}

/* Appends a text as a member of an object, with its label before it. An absent text is left out. */
static enum status put_member(const struct label *label, const unsigned char *bytes, size_t size, struct bytes *out)
{
	if (size == 0)
		return STATUS_OK;
	TRY(bytes_reserve(out, label->size));
	writer_put_label(label, out);
	return bytes_append(out, bytes, size);
}

enum status key_fields_put(const struct plan *plan, enum key_fields which, const void *texts, size_t size,
			   enum key_form form, struct bytes *out)
{
	const struct text_rules *rules = &plan->format.text;
	const size_t count = which == KEY_FIELDS ? rules->key_count : rules->reset_count;
	const size_t first = which == KEY_FIELDS ? 0 : rules->key_count;
	const bool are_members = form == KEY_IN_LINE && rules->cut == CUT_JSON;
	const unsigned char *bytes = texts;
	for (size_t i = 0; i < count; i++) {
		if (count > 1) {
			memcpy(&size, bytes, sizeof size);
			bytes += sizeof size;
		}
		if (plan->format.input == FORMAT_BINARY) {
			assert(rules->numbers != NULL); /* fields of bytes have no names */
			const uint64_t number = rules->numbers[rules->field_count + first + i];
			const struct type *t = packed_column_type(&plan->element, number);
			TRY(put_column(&plan->format, t, bytes, form != KEY_IN_BYTES, out));
			bytes += size;
			continue;
		}
		if (are_members) {
			const struct label *label = &plan->format.labels[plan->result_count + first + i];
			TRY(put_member(label, bytes, size, out));
			bytes += size;
			continue;
		}
		TRY(bytes_reserve(out, 2 * size + 4));
		TRY(bytes_append(out, bytes, size));
		out->size -= size;
		char *text = (char *)out->data + out->size;
		out->size += encode_quote_field(rules, text, size);
		out->data[out->size++] = (unsigned char)text_delimiter(rules);
		if (i + 1 < count)
			bytes += size;
	}
	return STATUS_OK;
}
