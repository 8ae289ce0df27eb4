/* The lines of the input with their results: copied, but for edits. */
#include "text/encode_parts.h"

static void put_delimiters(const struct record_format *format, size_t count, struct bytes *out)
{
	memset(out->data + out->size, text_delimiter(&format->text), count);
	out->size += count;
}

/* Whether a field stays as it is: the result of its only operator that was to take its place is absent. */
static bool stays(const struct part_to_encode *part, const struct records_cursor *c, const struct edit *e)
{
	const struct lane_results *lane = &part->lanes[e->field * part->result_count];
	return e->kind == EDIT_RESULT && result_is_absent(lane, c->next[e->field]);
}

/* Whether what an edit puts in is the value of a key of logfmt that has none, not even an equals sign. */
static bool lacks_equals(const struct record_format *format, const struct part_to_encode *part,
			 const struct records_cursor *c, const struct edit *e)
{
	return format->text.cut == CUT_LOGFMT && e->kind == EDIT_RESULT && e->skipped == 0 && c->text[-1] != '=' &&
	       !stays(part, c, e);
}

/* New fields without a result, of a field or of those up to it. */
static void put_absent(const struct record_format *format, const struct part_to_encode *part, const struct edit *edit,
		       struct bytes *out)
{
	const char *text = encode_absent_in_line(format, part);
	if (*text == '\0' && format->labels == NULL)
		put_delimiters(format, edit->skipped, out);
	else
		encode_put_absent(format, edit->field * part->result_count, edit->skipped, true, text, out);
}

/* What an edit puts in. There is room for absent results, a newline and a delimiter. */
static enum status put_edit(const struct record_format *format, const struct part_to_encode *part,
			    const struct edit *edit, struct records_cursor *c, struct bytes *out)
{
	const char *name;
	size_t size;
	switch (edit->kind) {
	case EDIT_DELIMITERS:
		put_absent(format, part, edit, out);
		return STATUS_OK;
	case EDIT_DELIMITER_RESULT:
		return encode_next(format, part, c, edit->field, true, encode_absent_in_line(format, part), out);
	case EDIT_DELIMITER_RESULTS:
		for (size_t field = 0; field < part->field_count; field++)
			TRY(encode_next(format, part, c, field, true, encode_absent_in_line(format, part), out));
		return STATUS_OK;
	case EDIT_NO_RESULT:
		c->next[edit->field]++;
		return STATUS_OK;
	case EDIT_RESULT:
		return encode_next(format, part, c, edit->field, false, "", out);
	case EDIT_DELIMITER_NAMES:
		put_delimiters(format, 1, out);
		return bytes_append(out, part->header->names.data, part->header->names.size);
	case EDIT_NAME:
		name = header_name(part->header, edit->field, &size);
		return bytes_append(out, name, size);
	case EDIT_NEWLINE:
		out->data[out->size++] = '\n';
		return STATUS_OK;
	case EDIT_NOTHING:
		break;
	}
	return STATUS_OK;
}

/* Puts the results of a field's next element, perhaps each after a delimiter. NULL: one of them is absent or contains
 * the delimiter. */
static inline unsigned char *put_simple(const struct record_format *format, const struct part_to_encode *part,
					struct records_cursor *c, size_t field, size_t results, size_t lead,
					unsigned char *to)
{
	const size_t i = c->next[field];
	for (size_t lane = field * results; lane < (field + 1) * results; lane++) {
		struct result_texts *l = &c->lanes[lane];
		if (i - l->first >= l->count)
			result_make_texts(format, &part->lanes[lane], i, c->block, l);
		const struct number_text text = l->texts[i - l->first];
		if (text.size == RESULT_NONE)
			return NULL;
		to = encode_put_text(to, l->pool + text.at - lead, text.size + lead);
	}
	return to;
}

/* Lines that are followed by all their results, or whose only result takes a field's place, from edit *next up to
 * another kind of edit, or to a result that is absent. (fields and results are known where it is inlined.) */
static inline __attribute__((always_inline)) enum status put_simple_lines(const struct record_format *format,
									  const struct part_to_encode *part,
									  size_t fields, size_t results, size_t *next,
									  struct records_cursor *c, struct bytes *out)
{
	const size_t room = c->room + 2 * ENCODE_PIECE;
	for (size_t i = *next; i < part->edit_count; *next = ++i) {
		const struct edit *e = &part->edits[i];
		const size_t lead = e->kind == EDIT_DELIMITER_RESULTS;
		if (lead == 0 && (e->kind != EDIT_RESULT || fields * results > 1))
			break;
		TRY(bytes_reserve(out, e->copied + room));
		unsigned char *to = encode_put_text(out->data + out->size, (const unsigned char *)c->text, e->copied);
		for (size_t field = 0; field < fields && to != NULL; field++)
			to = put_simple(format, part, c, field, results, lead, to);
		if (to == NULL)
			break;
		out->size = (size_t)(to - out->data);
		c->text += e->copied + e->skipped;
		for (size_t field = 0; field < fields; field++)
			c->next[field]++;
	}
	return STATUS_OK;
}

static enum status put_all_simple_lines(const struct record_format *format, const struct part_to_encode *part,
					size_t *next, struct records_cursor *c, struct bytes *out)
{
	if (format->labels != NULL || format->text.cut == CUT_LOGFMT)
		return STATUS_OK;
	if (part->field_count * part->result_count == 1)
		return put_simple_lines(format, part, 1, 1, next, c, out);
	if (part->result_count == 1)
		return put_simple_lines(format, part, part->field_count, 1, next, c, out);
	return put_simple_lines(format, part, part->field_count, part->result_count, next, c, out);
}

/* The lines with their results. */
enum status encode_lines(const struct record_format *format, const struct part_to_encode *part, struct bytes *out)
{
	struct records_cursor c;
	const char *end = part->text + part->text_size;
	if (part->text_size == 0)
		return STATUS_OK;
	TRY(encode_begin_records(format, part, &c));
	const size_t pad = 2 + format->label_max + strlen(encode_absent_text(format)); /* an absent result */
	TRY(bytes_append(out, "\xef\xbb\xbf", part->byte_order_mark ? 3 : 0));
	bool has_texts = false;
	for (size_t i = 0; i < part->field_count * part->result_count; i++)
		has_texts = has_texts || part->lanes[i].texts != NULL;
	for (size_t i = 0; i < part->edit_count; i++) {
		if (!has_texts && put_all_simple_lines(format, part, &i, &c, out) != STATUS_OK)
			return STATUS_SYSTEM;
		if (i == part->edit_count)
			break;
		const struct edit *e = &part->edits[i];
		const bool pads = e->kind == EDIT_DELIMITERS;
		const size_t kept = stays(part, &c, e) ? e->skipped : 0;
		const size_t room = 2; /* an equals sign, and a newline or delimiter */
		TRY(bytes_reserve(out, e->copied + kept + room + (pads ? pad * (size_t)e->skipped : 0)));
		memcpy(out->data + out->size, c.text, e->copied + kept);
		out->size += e->copied + kept;
		c.text += e->copied + (pads ? 0 : e->skipped);
		if (lacks_equals(format, part, &c, e))
			out->data[out->size++] = '=';
		TRY(put_edit(format, part, e, &c, out));
	}
	TRY(bytes_append(out, c.text, (size_t)(end - c.text)));
	/* A file's end ends its last line. */
	if (out->size == 0 || out->data[out->size - 1] == '\n')
		return STATUS_OK; /* size 0: an equal header of a later file was left out */
	return bytes_append(out, "\n", 1);
}
