/* Writes results, and the texts in place of results and of missing numbers, field by field. */
#include "text/encode_parts.h"

#include "base/message.h"
#include "text/logfmt.h"

const char *encode_absent_text(const struct record_format *format)
{
	if (format->labels != NULL)
		return format->text.cut == CUT_JSON ? "null" : "";
	return text_by_blanks(&format->text) ? "-" : "";
}

size_t encode_quote_field(const struct text_rules *rules, char *text, size_t size)
{
	if (rules->cut == CUT_CSV)
		return line_quote_field(rules, text, size);
	if (rules->cut == CUT_LOGFMT && size > 0)
		return logfmt_quote(text, size);
	/* Between blanks an empty field is written as "-". */
	if (rules->cut == CUT_BLANKS && size == 0) {
		*text = '-';
		return 1;
	}
	const bool is_special =
		size == 0 || memchr(text, ' ', size) != NULL || line_is_comment(rules, text, text + size);
	if ((rules->cut != CUT_LOG && rules->cut != CUT_LOGFMT) || !is_special)
		return size;
	memmove(text + 1, text, size);
	text[0] = text[size + 1] = '"';
	return size + 2;
}

enum status encode_put_text_result(const struct record_format *format, const void *text, size_t size, struct bytes *out)
{
	if (format->text.cut == CUT_JSON)
		return bytes_append(out, text, size);
	TRY(bytes_reserve(out, 2 * size + 4));
	TRY(bytes_append(out, text, size));
	out->size -= size;
	out->size += encode_quote_field(&format->text, (char *)out->data + out->size, size);
	return STATUS_OK;
}

enum status encode_put_mark(const struct record_format *format, const char *from, size_t size, struct bytes *out)
{
	if (text_names_fields(&format->text) && format->labels != NULL && size == 0)
		return bytes_append(out, encode_absent_text(format), strlen(encode_absent_text(format)));
	TRY(bytes_reserve(out, 2 * size + 2));
	char *text = (char *)out->data + out->size;
	if (size > 0)
		memcpy(text, from, size);
	out->size += format->text.cut == CUT_CSV ? line_quote_field(&format->text, text, size) : size;
	return STATUS_OK;
}

/* Texts of a lane at once, and the bytes of all lanes, unless these are many. */
#define BLOCK_MAX 64
#define POOL_BYTES 262144

enum status encode_begin_records(const struct record_format *format, const struct part_to_encode *part,
				 struct records_cursor *c)
{
	const size_t lanes = part->field_count * part->result_count;
	const size_t fair = POOL_BYTES / result_size_max(format) / lanes;
	const size_t block = fair > BLOCK_MAX ? BLOCK_MAX : fair + 1;
	const size_t pool = block * result_size_max(format) + NUMBER_TEXT_MAX + ENCODE_PIECE;
	const size_t next_size = part->field_count * sizeof *c->next;
	const size_t texts_size = block * sizeof *c->lanes->texts;
	/* (Each result with a delimiter.) */
	const size_t room = lanes * (result_size_max(format) + 1) + ENCODE_PIECE + 2 * WRITER_END_MAX;
	*c = (struct records_cursor){.text = part->text, .block = block, .room = room};
	part->scratch->size = 0;
	TRY(bytes_reserve(part->scratch, next_size + lanes * (sizeof *c->lanes + texts_size + pool)));
	unsigned char *p = part->scratch->data;
	c->next = (size_t *)(void *)p;
	memset(c->next, 0, next_size);
	c->lanes = (struct result_texts *)(void *)(p + next_size);
	p += next_size + lanes * sizeof *c->lanes;
	for (size_t i = 0; i < lanes; i++) {
		c->lanes[i] = (struct result_texts){.texts = (struct number_text *)(void *)(p + i * texts_size),
						    .pool = p + lanes * texts_size + i * pool};
	}
	return STATUS_OK;
}

/* Appends result i of a lane that is not a number: a text, or what stands in place of an absent one. Leaves room for a
 * record's results. (Apart from the numbers, whose loop is faster so.) */
__attribute__((noinline)) static enum status put_other(const struct record_format *format,
						       const struct part_to_encode *part,
						       const struct records_cursor *c, size_t lane_index, size_t i,
						       const char *absent, struct bytes *out)
{
	const struct lane_results *lane = &part->lanes[lane_index];
	enum status status;
	size_t size;
	/* (Where fields stay, so does the mark.) */
	const bool may_stay = format->text.output.lines == LINES_REPLACED;
	if (!result_is_absent(lane, i)) {
		const void *text = result_text(lane, i, &size);
		status = encode_put_text_result(format, text, size, out);
	} else {
		const struct held *mark = may_stay ? NULL : result_mark(lane, i, &c->lanes[lane_index].held);
		/* (An empty mark that is alone in its line is empty there, too.) */
		const bool is_empty =
			mark != NULL && part->field_count * part->result_count == 1 && format->labels == NULL;
		status = mark != NULL && mark->size > 0 ? encode_put_mark(format, mark->text, mark->size, out)
			 : is_empty                     ? STATUS_OK
							: bytes_append(out, absent, strlen(absent));
	}
	return status == STATUS_OK ? bytes_reserve(out, c->room) : status;
}

/* The part ends with an error at a result that contains the delimiter. */
__attribute__((noinline)) static enum status end_at_split(const struct record_format *format,
							  const struct part_to_encode *part,
							  const struct records_cursor *c, const char *text)
{
	(void)problem_set(part->problem, STATUS_DATA, RESULT_SPLITS, message_quoted(text));
	if (format->text.output.lines == LINES_DROPPED)
		return STATUS_DATA;
	part->problem->line = 1;
	for (const char *p = part->text; p < c->text; p++)
		part->problem->line += *p == '\n';
	return STATUS_DATA;
}

enum status encode_next(const struct record_format *format, const struct part_to_encode *part, struct records_cursor *c,
			size_t field, bool leads, const char *absent, struct bytes *out)
{
	const size_t first_lane = field * part->result_count;
	const size_t i = c->next[field]++;
	TRY(bytes_reserve(out, c->room));
	unsigned char *to = out->data + out->size;
	for (size_t o = 0; o < part->result_count; o++) {
		struct result_texts *l = &c->lanes[first_lane + o];
		const struct lane_results *lane = &part->lanes[first_lane + o];
		const size_t lead = format->labels == NULL && (o > 0 || leads);
		if (format->labels != NULL) {
			out->size = (size_t)(to - out->data);
			writer_put_label(&format->labels[first_lane + o], out);
			to = out->data + out->size;
		}
		if (!result_is_absent(lane, i) && lane->texts == NULL) {
			if (i - l->first >= l->count)
				result_make_texts(format, lane, i, c->block, l);
			const struct number_text text = l->texts[i - l->first];
			if (text.size == RESULT_NONE)
				return end_at_split(format, part, c, (const char *)l->pool + text.at);
			to = encode_put_text(to, l->pool + text.at - lead, text.size + lead);
			continue;
		}
		if (lead > 0)
			*to++ = (unsigned char)text_delimiter(&format->text);
		out->size = (size_t)(to - out->data);
		TRY(put_other(format, part, c, first_lane + o, i, absent, out));
		to = out->data + out->size;
	}
	out->size = (size_t)(to - out->data);
	return STATUS_OK;
}

const char *encode_absent_in_line(const struct record_format *format, const struct part_to_encode *part)
{
	return part->field_count * part->result_count > 1 || format->labels != NULL ? encode_absent_text(format) : "";
}
