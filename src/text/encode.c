/* The mirror of decode.c. Most binary results in the machine's byte order do not come here: the sink writes them from
 * where the engine put them (slot_encode). */
#include "text/encode_parts.h"

const char *encode_absent_text(const struct record_format *format)
{
	if (format->labels != NULL)
		return format->text.cut == CUT_JSON ? "null" : "";
	return text_by_blanks(&format->text) ? "-" : "";
}

enum status encode_rest(const struct record_format *format, const struct result *results, size_t count,
			const char *absent, struct bytes *out)
{
	const struct writer *writer = writer_of(format);
	const char *none = absent != NULL && format->labels == NULL ? absent : encode_absent_text(format);
	if (bytes_reserve(out, count * (result_size_max(format) + 1)) != STATUS_OK)
		return STATUS_SYSTEM;
	for (size_t i = 0; i < count; i++) {
		if (writer->makes_lines)
			encode_put_lead(format, i, i > 0, out);
		out->size += writer->put(format, &results[i], none, out->data + out->size);
	}
	return bytes_append(out, writer->end, strlen(writer->end));
}

enum status encode_results(const struct record_format *format, const struct result *results, size_t count,
			   const char *absent, struct bytes *out)
{
	const char *begin = writer_of(format)->begin;
	const enum status status = bytes_append(out, begin, strlen(begin));
	return status == STATUS_OK ? encode_rest(format, results, count, absent, out) : status;
}

/* A text of the input as one of the results. (A field that its line names is a value there, quotes and all.) */
static enum status put_text_field(const struct record_format *format, const char *from, size_t size, struct bytes *out)
{
	if (text_names_fields(&format->text) && format->labels != NULL && size == 0)
		return bytes_append(out, encode_absent_text(format), strlen(encode_absent_text(format)));
	if (bytes_reserve(out, 2 * size + 2) != STATUS_OK)
		return STATUS_SYSTEM;
	char *text = (char *)out->data + out->size;
	memcpy(text, from, size);
	out->size += format->text.cut == CUT_CSV ? line_quote_field(&format->text, text, size) : size;
	return STATUS_OK;
}

enum status encode_text_fields(const struct record_format *format, const struct part_to_encode *part, size_t field,
			       bool leads, const char *from, size_t size, struct bytes *out)
{
	enum status status = STATUS_OK;
	if (size == 0 && part->field_count * part->result_count > 1) {
		from = encode_absent_text(format);
		size = strlen(from);
	}
	for (size_t i = 0; i < part->result_count && status == STATUS_OK; i++) {
		if (bytes_reserve(out, format->label_max + 1) != STATUS_OK)
			return STATUS_SYSTEM;
		encode_put_lead(format, field * part->result_count + i, leads || i > 0, out);
		status = put_text_field(format, from, size, out);
	}
	return status;
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
	if (first == 0 && last > 0 && lane->before != NULL) {
		if (encode_results(format, lane->before, 1, NULL, out) != STATUS_OK)
			return STATUS_SYSTEM;
		first = 1;
	}
	const size_t shift = lane->before != NULL ? 1 : 0;
	const size_t begin = first;
	const size_t size_before = out->size;
	while (first < last) {
		const size_t count = last - first < block ? last - first : block;
		if (make_room(format, out, count, last - first, first - begin, out->size - size_before) != STATUS_OK)
			return STATUS_SYSTEM;
		out->size += writer->put_records(format, lane, first - shift, count, out->data + out->size);
		first += count;
	}
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
	*c = (struct records_cursor){.text = part->text, .block = block};
	part->scratch->size = 0;
	if (bytes_reserve(part->scratch, next_size + lanes * (sizeof *c->lanes + texts_size + pool)) != STATUS_OK)
		return STATUS_SYSTEM;
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

size_t encode_results_room(const struct record_format *format, size_t results)
{
	return results * (result_size_max(format) + 1) + ENCODE_PIECE + 2 * WRITER_END_MAX;
}

/* A text of the input in the place of a result; there is room for a line of results after it, too. */
static enum status put_mark_text(const struct record_format *format, const struct part_to_encode *part,
				 const struct held *mark, struct bytes *out)
{
	if (put_text_field(format, mark->text, mark->size, out) != STATUS_OK)
		return STATUS_SYSTEM;
	return bytes_reserve(out, encode_results_room(format, part->field_count * part->result_count));
}

enum status encode_next(const struct record_format *format, const struct part_to_encode *part, struct records_cursor *c,
			size_t field, bool leads, const char *absent, struct bytes *out)
{
	const size_t first_lane = field * part->result_count;
	const size_t i = c->next[field]++;
	unsigned char *to = out->data + out->size;
	for (size_t o = 0; o < part->result_count; o++) {
		struct result_texts *l = &c->lanes[first_lane + o];
		const size_t lead = format->labels == NULL && (o > 0 || leads);
		if (format->labels != NULL) {
			out->size = (size_t)(to - out->data);
			writer_put_label(&format->labels[first_lane + o], out);
			to = out->data + out->size;
		}
		if (i - l->first >= l->count)
			result_make_texts(format, &part->lanes[first_lane + o], i, c->block, l);
		const struct number_text text = l->texts[i - l->first];
		if (text.size != RESULT_ABSENT) {
			to = encode_put_text(to, l->pool + text.at - lead, text.size + lead);
			continue;
		}
		if (lead > 0)
			to += encode_put_delimiter(format, to);
		/* (Where fields stay, so does the mark.) */
		const bool may_stay = format->text.lines == LINES_REPLACED;
		const struct held *mark = may_stay ? NULL : result_mark(&part->lanes[first_lane + o], i);
		if (mark != NULL && mark->size > 0) {
			out->size = (size_t)(to - out->data);
			if (put_mark_text(format, part, mark, out) != STATUS_OK)
				return STATUS_SYSTEM;
			to = out->data + out->size;
			continue;
		}
		/* (An empty mark that is alone in its line is empty there, too.) */
		const bool is_empty =
			mark != NULL && part->field_count * part->result_count == 1 && format->labels == NULL;
		const size_t size = is_empty ? 0 : strlen(absent);
		memcpy(to, absent, size);
		to += size;
	}
	out->size = (size_t)(to - out->data);
	return STATUS_OK;
}

/* The number that a record lacks in a field, if it lacks it. */
static const struct absence *take_absence(const struct part_to_encode *part, size_t record, size_t field,
					  struct records_cursor *c)
{
	if (c->absence == part->absence_count)
		return NULL;
	const struct absence *a = &part->absences[c->absence];
	if (a->record != record || a->field != field)
		return NULL;
	c->absence++;
	return a;
}

/* Whether one of the results of the field's next element is there. */
static bool next_has_any(const struct part_to_encode *part, const struct records_cursor *c, size_t field)
{
	bool has_any = false;
	for (size_t o = 0; o < part->result_count; o++) {
		const struct lane_results *lane = &part->lanes[field * part->result_count + o];
		has_any =
			has_any || !result_is_absent(lane, c->next[field]) || result_mark(lane, c->next[field]) != NULL;
	}
	return has_any;
}

const char *encode_absent_in_line(const struct record_format *format, const struct part_to_encode *part)
{
	return part->field_count * part->result_count > 1 || format->labels != NULL ? encode_absent_text(format) : "";
}

/* Whether the results before stand for a field that has no element, or a mark does. */
static bool holds_any(const struct part_to_encode *part, const struct records_cursor *c, size_t field)
{
	bool has_any = false;
	for (size_t o = 0; o < part->result_count; o++) {
		const struct lane_results *lane = &part->lanes[field * part->result_count + o];
		has_any = has_any || lane->before == NULL || !result_held(lane, c->next[field]).absent;
	}
	return has_any;
}

enum status encode_held(const struct record_format *format, const struct part_to_encode *part,
			const struct records_cursor *c, size_t field, bool leads, const char *mark, size_t size,
			struct bytes *out)
{
	enum status status = STATUS_OK;
	for (size_t o = 0; o < part->result_count && status == STATUS_OK; o++) {
		const struct lane_results *lane = &part->lanes[field * part->result_count + o];
		const struct result r = result_held(lane, c->next[field]);
		if (bytes_reserve(out, encode_results_room(format, 1)) != STATUS_OK)
			return STATUS_SYSTEM;
		encode_put_lead(format, field * part->result_count + o, o > 0 || leads, out);
		if (!r.absent) {
			out->size += result_put_number(format, &r.format, &r.value, out->data + out->size);
			continue;
		}
		const bool has_mark = lane->before == NULL && size > 0;
		const char *text = has_mark ? mark : encode_absent_in_line(format, part);
		status = put_text_field(format, text, has_mark ? size : strlen(text), out);
	}
	return status;
}

/* The bytes of the results of the field's next element, or what stands for it if it is lacking. There is room for them. */
static void put_next_bytes(const struct record_format *format, const struct part_to_encode *part,
			   struct records_cursor *c, size_t field, const struct absence *lacks, struct bytes *out)
{
	const struct writer *writer = writer_of(format);
	const size_t i = c->next[field];
	for (size_t o = 0; o < part->result_count; o++) {
		const struct lane_results *lane = &part->lanes[field * part->result_count + o];
		const struct result none = {.format = lane->format, .absent = true};
		const struct result r = lacks == NULL ? result_of(lane, i) : lacks->holds ? result_held(lane, i) : none;
		out->size += writer->put(format, &r, "", out->data + out->size);
	}
	c->next[field] += lacks == NULL;
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
	const bool makes_lines = writer_of(format)->makes_lines;
	const size_t size_before = out->size;
	const size_t room = encode_results_room(format, part->field_count * part->result_count);
	bool has_any = false;
	const char *begin = writer_of(format)->begin;
	const char *end = writer_of(format)->end;
	enum status status = bytes_reserve(out, room);
	if (status == STATUS_OK)
		status = bytes_append(out, begin, strlen(begin));
	if (status == STATUS_OK && part->keys != NULL)
		status = put_key(part, record, out);
	if (status == STATUS_OK && part->keys != NULL)
		status = bytes_reserve(out, room);
	for (size_t field = 0; field < part->field_count && status == STATUS_OK; field++) {
		const struct absence *lacks = take_absence(part, record, field, c);
		has_any = has_any || (lacks == NULL  ? next_has_any(part, c, field)
				      : lacks->holds ? holds_any(part, c, field)
						     : lacks->text != NULL);
		if (!makes_lines) {
			put_next_bytes(format, part, c, field, lacks, out);
			continue;
		}
		if (lacks == NULL) {
			status = encode_next(format, part, c, field, field > 0, encode_absent_text(format), out);
			continue;
		}
		if (lacks->holds) {
			status = encode_held(format, part, c, field, field > 0, lacks->text, lacks->size, out);
			if (status == STATUS_OK)
				status = bytes_reserve(out, room);
			continue;
		}
		const char *text = lacks->text != NULL ? lacks->text : "";
		status = encode_text_fields(format, part, field, field > 0, text, lacks->text != NULL ? lacks->size : 0,
					    out);
		if (status == STATUS_OK)
			status = bytes_reserve(out, room);
	}
	if (!has_any) {
		out->size = size_before;
		return status;
	}
	return status == STATUS_OK ? bytes_append(out, end, strlen(end)) : status;
}

/* Records up to one, without marks between them: one by one, or as many as follow each other and have the only lane's result. */
static enum status put_records(const struct record_format *format, const struct part_to_encode *part, size_t first,
			       size_t last, struct records_cursor *c, struct bytes *out)
{
	const bool is_single =
		part->field_count * part->result_count == 1 && part->lanes->in_place_count == 0 && part->keys == NULL;
	enum status status = STATUS_OK;
	if (is_single && part->absence_count == 0)
		return put_results(format, part->lanes, first, last, out);
	for (size_t r = first; r < last && status == STATUS_OK;) {
		const size_t lacking = c->absence < part->absence_count ? part->absences[c->absence].record : last;
		const size_t count = !is_single ? 0 : lacking < last ? lacking - r : last - r;
		if (count == 0) {
			status = put_record(format, part, r++, c, out);
			continue;
		}
		status = put_results(format, part->lanes, c->next[0], c->next[0] + count, out);
		c->next[0] += count;
		r += count;
	}
	return status;
}

/* A line of the marks. */
static enum status put_mark(const struct record_format *format, const struct part_to_encode *part,
			    const struct mark *mark, const struct records_cursor *c, struct bytes *out)
{
	const bool is_record = mark->kind != MARK_LINE;
	const char *begin = is_record ? writer_of(format)->begin : "";
	const char *end = is_record ? writer_of(format)->end : "\n";
	if (mark->kind == MARK_HOLD && !holds_any(part, c, 0))
		return STATUS_OK;
	enum status status = bytes_append(out, begin, strlen(begin));
	if (status != STATUS_OK)
		return status;
	if (mark->text == NULL)
		status = bytes_append(out, part->header->names.data, part->header->names.size);
	else if (mark->kind == MARK_HOLD)
		status = encode_held(format, part, c, 0, false, mark->text, mark->size, out);
	else if (mark->kind == MARK_RESULT && (part->result_count > 1 || format->labels != NULL))
		status = encode_text_fields(format, part, 0, false, mark->text, mark->size, out);
	else
		status = bytes_append(out, mark->text, mark->size);
	if (status == STATUS_OK)
		status = bytes_append(out, end, strlen(end));
	return status;
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
	if (encode_begin_records(format, part, &c) != STATUS_OK)
		return STATUS_SYSTEM;
	for (size_t i = 0; i <= part->mark_count; i++) {
		if (i == part->header_marks && has_initial(part) &&
		    encode_results(format, part->initial, lanes, NULL, out) != STATUS_OK)
			return STATUS_SYSTEM;
		if (i == part->mark_count)
			break;
		const size_t at = part->marks[i].record < part->records ? part->marks[i].record : part->records;
		if (put_records(format, part, done, at, &c, out) != STATUS_OK)
			return STATUS_SYSTEM;
		if (part->marks[i].kind == MARK_HOLD)
			c.next[0] = at; /* there is one field, of which put_records need not count the elements */
		if (put_mark(format, part, &part->marks[i], &c, out) != STATUS_OK)
			return STATUS_SYSTEM;
		done = at;
	}
	return put_records(format, part, done, part->records, &c, out);
}

enum status encode_part(const struct record_format *format, const struct part_to_encode *part, struct bytes *out)
{
	if (format->text.lines != LINES_DROPPED && format->input == FORMAT_TEXT)
		return encode_lines(format, part, out);
	return put_plain(format, part, out);
}
