/* The mirror of decode.c. Most binary results in the machine's byte order do not come here: the sink writes them from
 * where the engine put them (slot_encode). */
#include "text/encode_parts.h"

#include "base/message.h"

enum status encode_rest(const struct record_format *format, const struct result *results, size_t count,
			const char *absent, struct problem *problem, struct bytes *out)
{
	const struct writer *writer = writer_of(format);
	const char *none = absent != NULL && format->labels == NULL ? absent : encode_absent_text(format);
	TRY(bytes_reserve(out, count * (result_size_max(format) + 1)));
	for (size_t i = 0; i < count; i++) {
		if (writer->makes_lines)
			encode_put_lead(format, i, i > 0, out);
		if (!results[i].absent && results[i].text != NULL) {
			TRY(encode_put_text_result(format, results[i].text, results[i].text_size, out));
			TRY(bytes_reserve(out, (count - i) * (result_size_max(format) + 1)));
			continue;
		}
		const unsigned char *text = out->data + out->size;
		const size_t size = writer->put(format, &results[i], none, out->data + out->size);
		if (result_splits(format, text, size))
			return problem_set(problem, STATUS_DATA, RESULT_SPLITS, message_quoted_part(text, size));
		out->size += size;
	}
	return bytes_append(out, writer->end, strlen(writer->end));
}

enum status encode_results(const struct record_format *format, const struct result *results, size_t count,
			   struct problem *problem, struct bytes *out)
{
	const char *begin = writer_of(format)->begin;
	TRY(bytes_append(out, begin, strlen(begin)));
	return encode_rest(format, results, count, NULL, problem, out);
}

/* Room for count results, of rest, after the done ones that took up made bytes: for all of the rest if they are no
 * longer, so that the buffer grows once. */
static enum status make_room(const struct record_format *format, struct bytes *out, size_t count, size_t rest,
			     size_t done, size_t made)
{
	const size_t needed = count * result_size_max(format);
	if (needed <= out->capacity - out->size)
		return STATUS_OK;
	const size_t foreseen = done == 0 ? 0 : (made / done + 2) * rest;
	return bytes_reserve(out, needed + foreseen);
}

/* The only lane's results first .. last-1 without marks between them, in blocks for which room is made once. */
static enum status put_results(const struct record_format *format, const struct lane_results *lane, size_t first,
			       size_t last, struct bytes *out)
{
	const struct writer *writer = writer_of(format);
	const size_t block = 1024;
	if (first < lane->absent)
		first = lane->absent < last ? lane->absent : last;
	const size_t begin = first;
	const size_t size_before = out->size;
	while (first < last) {
		const size_t count = last - first < block ? last - first : block;
		TRY(make_room(format, out, count, last - first, first - begin, out->size - size_before));
		out->size += writer->put_records(format, lane, first, count, out->data + out->size);
		first += count;
	}
	return STATUS_OK;
}

/* Whether a record lacks its element of a field; moves past that absence. */
static bool skip_absence(const struct part_to_encode *part, size_t record, size_t field, struct records_cursor *c)
{
	if (c->absence == part->absence_count)
		return false;
	const struct absence *a = &part->absences[c->absence];
	const bool lacks = a->record == record && a->field == field;
	c->absence += lacks;
	return lacks;
}

/* Whether one of the results of the field's next element is there. */
static bool next_has_any(const struct part_to_encode *part, struct records_cursor *c, size_t field)
{
	bool has_any = false;
	for (size_t o = 0; o < part->result_count; o++) {
		const size_t l = field * part->result_count + o;
		const struct lane_results *lane = &part->lanes[l];
		has_any = has_any || !result_is_absent(lane, c->next[field]) ||
			  result_mark(lane, c->next[field], &c->lanes[l].held) != NULL;
	}
	return has_any;
}

/* The bytes of the results of the field's next element, or of absent ones if the record lacks it. There is room for
 * them. */
static void put_next_bytes(const struct record_format *format, const struct part_to_encode *part,
			   struct records_cursor *c, size_t field, bool lacks, struct bytes *out)
{
	const struct writer *writer = writer_of(format);
	const size_t i = c->next[field];
	for (size_t o = 0; o < part->result_count; o++) {
		const struct lane_results *lane = &part->lanes[field * part->result_count + o];
		const struct result none = {.format = lane->format, .absent = true};
		const struct result r = lacks ? none : result_of(lane, i);
		out->size += writer->put(format, &r, "", out->data + out->size);
	}
	c->next[field] += !lacks;
}

/* The fields of an element that the record lacks. */
static enum status put_lacking(const struct record_format *format, const struct part_to_encode *part, size_t field,
			       struct bytes *out)
{
	const char *text = encode_absent_text(format);
	TRY(bytes_reserve(out, part->result_count * (format->label_max + 1 + strlen(text))));
	encode_put_absent(format, field * part->result_count, part->result_count, field > 0, text, out);
	return STATUS_OK;
}

/* What a record's line begins with. */
static enum status put_key(const struct part_to_encode *part, size_t record, struct bytes *out)
{
	const uint32_t key = part->keys[record];
	const size_t begin = key == 0 ? 0 : part->key_ends[key - 1];
	return bytes_append(out, part->key_texts + begin, part->key_ends[key] - begin);
}

/* A record's results in a line, or their bytes; if it has none, nothing. */
static enum status put_record(const struct record_format *format, const struct part_to_encode *part, size_t record,
			      struct records_cursor *c, struct bytes *out)
{
	const struct writer *writer = writer_of(format);
	const bool makes_lines = writer->makes_lines;
	const size_t size_before = out->size;
	bool has_any = false;
	const char *begin = writer->begin;
	const char *end = writer->end;
	TRY(bytes_append(out, begin, strlen(begin)));
	if (part->keys != NULL)
		TRY(put_key(part, record, out));
	if (!makes_lines)
		TRY(bytes_reserve(out, c->room));
	for (size_t field = 0; field < part->field_count; field++) {
		const bool lacks = skip_absence(part, record, field, c);
		has_any = has_any || (!lacks && next_has_any(part, c, field));
		if (!makes_lines)
			put_next_bytes(format, part, c, field, lacks, out);
		else if (lacks)
			TRY(put_lacking(format, part, field, out));
		else
			TRY(encode_next(format, part, c, field, field > 0, encode_absent_text(format), out));
	}
	if (has_any)
		return bytes_append(out, end, strlen(end));
	out->size = size_before;
	return STATUS_OK;
}

/* The first of the only lane's next `most` results whose mark is written; NULL if there is none. *count: the results
 * before it. */
static const struct held *next_mark(const struct part_to_encode *part, struct records_cursor *c, size_t most,
				    size_t *count)
{
	const struct lane_results *lane = part->lanes;
	size_t *held = &c->lanes->held;
	const struct held *mark = NULL;
	*count = most;
	for (; mark == NULL && *held < lane->in_place_count; ++*held) {
		const size_t i = lane->in_place[*held].element;
		if (i >= c->next[0] + most)
			break;
		mark = result_is_absent(lane, i) ? result_mark(lane, i, held) : NULL;
		*count = mark != NULL ? i - c->next[0] : most;
	}
	return mark;
}

/* A record that has only a mark. */
static enum status put_only_mark(const struct record_format *format, const struct held *mark, struct bytes *out)
{
	const struct writer *writer = writer_of(format);
	TRY(bytes_reserve(out, WRITER_END_MAX + format->label_max));
	for (const char *p = writer->begin; *p != '\0'; p++)
		out->data[out->size++] = (unsigned char)*p;
	encode_put_lead(format, 0, false, out);
	TRY(encode_put_mark(format, mark->text, mark->size, out));
	return bytes_append(out, writer->end, strlen(writer->end));
}

/* Records that have the only lane's result, its mark, or nothing, and no key. */
static enum status put_single(const struct record_format *format, const struct part_to_encode *part, size_t first,
			      size_t last, struct records_cursor *c, struct bytes *out)
{
	for (size_t count; first < last; first += count + 1) {
		const size_t lacking = c->absence < part->absence_count ? part->absences[c->absence].record : last;
		const size_t most = (lacking < last ? lacking : last) - first;
		const struct held *mark = next_mark(part, c, most, &count);
		TRY(put_results(format, part->lanes, c->next[0], c->next[0] + count, out));
		c->next[0] += count + (mark != NULL);
		if (mark != NULL)
			TRY(put_only_mark(format, mark, out));
		c->absence += mark == NULL && lacking < last;
	}
	return STATUS_OK;
}

/* Records up to one, without marks between them. */
static enum status put_records(const struct record_format *format, const struct part_to_encode *part, size_t first,
			       size_t last, struct records_cursor *c, struct bytes *out)
{
	if (part->field_count * part->result_count == 1 && part->keys == NULL && part->lanes->texts == NULL)
		return put_single(format, part, first, last, c, out);
	for (size_t r = first; r < last; r++)
		TRY(put_record(format, part, r, c, out));
	return STATUS_OK;
}

/* A line of the marks. */
static enum status put_mark(const struct part_to_encode *part, const struct mark *mark, struct bytes *out)
{
	const struct bytes *names = &part->header->names;
	TRY(mark->text == NULL ? bytes_append(out, names->data, names->size)
			       : bytes_append(out, mark->text, mark->size));
	return bytes_append(out, "\n", 1);
}

/* Whether the initial results are a line. */
static bool has_initial(const struct part_to_encode *part)
{
	bool has_any = false;
	for (size_t i = 0; part->initial != NULL && i < part->field_count * part->result_count; i++)
		has_any = has_any || !part->initial[i].absent;
	return has_any;
}

/* Each record's results as a line. */
static enum status put_plain(const struct record_format *format, const struct part_to_encode *part, struct bytes *out)
{
	const size_t lanes = part->field_count * part->result_count;
	size_t done = 0;
	struct records_cursor c;
	TRY(encode_begin_records(format, part, &c));
	for (size_t i = 0; i <= part->mark_count; i++) {
		if (i == part->header_marks && has_initial(part))
			TRY(encode_results(format, part->initial, lanes, part->problem, out));
		if (i == part->mark_count)
			break;
		const size_t at = part->marks[i].record < part->records ? part->marks[i].record : part->records;
		TRY(put_records(format, part, done, at, &c, out));
		TRY(put_mark(part, &part->marks[i], out));
		done = at;
	}
	return put_records(format, part, done, part->records, &c, out);
}

enum status encode_part(const struct record_format *format, const struct part_to_encode *part, struct bytes *out)
{
	if (format->text.output.lines != LINES_DROPPED && format->input == FORMAT_TEXT)
		return encode_lines(format, part, out);
	return put_plain(format, part, out);
}
