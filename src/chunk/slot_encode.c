/* Encodes a slot's results. */
#include <string.h>

#include "number/interleave.h"
#include "chunk/durations.h"
#include "chunk/key_fields.h"
#include "chunk/slot.h"

/* Byte-swaps the results of the first `count` elements. */
static void swap(const struct slot_lane *l, unsigned char *results, size_t count)
{
	const struct packed *p = &l->results_of;
	if (p->count == 1) {
		decode_swap(results, count, p->size);
		return;
	}
	for (size_t i = 0; i < count * p->count; i++)
		decode_swap(results + i / p->count * p->size + p->numbers[i % p->count].offset, 1,
			    p->numbers[i % p->count].type->size);
}

/* Binary results of one lane are written from where they are. */
static void encode_in_place(struct slot *s, const struct plan *plan)
{
	const struct slot_lane *l = &s->lanes[0];
	if (plan->format.out_swapped)
		swap(l, l->results, s->scan.records);
	s->write.write_data = l->results;
	s->write.write_size = s->scan.records * l->results_of.size;
}

/* Results of plan->by_cursors are also written from where they are, unless bytes come before them. */
static enum status encode_records(struct slot *s, const struct plan *plan)
{
	const unsigned char *results = s->lanes[0].results;
	if (plan->format.out_swapped)
		decode_swap(s->lanes[0].results, s->scan.records * s->lane_count, s->lanes[0].format.type->size);
	s->write.write_data = results;
	s->write.write_size = s->scan.records * s->lanes[0].step;
	if (s->write.out.size == 0)
		return STATUS_OK;
	TRY(bytes_append(&s->write.out, results, s->write.write_size));
	s->write.write_data = s->write.out.data;
	s->write.write_size = s->write.out.size;
	return STATUS_OK;
}

/* Binary results of several lanes are joined. */
static enum status encode_joined(struct slot *s, const struct plan *plan)
{
	size_t record_size = 0;
	size_t count = 0; /* numbers so far */
	if (plan->by_cursors)
		return encode_records(s, plan);
	for (size_t i = 0; i < s->lane_count; i++) {
		const struct slot_lane *l = &s->lanes[i];
		const struct packed *results = &l->results_of;
		if (plan->format.out_swapped)
			swap(l, l->results, s->scan.records);
		for (size_t k = 0; k < results->count; k++)
			s->joining[count++] = (struct interleaved){.numbers = l->results + results->numbers[k].offset,
								   .step = results->size,
								   .size = results->numbers[k].type->size,
								   .offset = record_size + results->numbers[k].offset};
		record_size += results->size;
	}
	TRY(bytes_reserve(&s->write.out, s->scan.records * record_size));
	interleave_join(s->joining, count, s->scan.records, record_size, s->write.out.data + s->write.out.size);
	s->write.out.size += s->scan.records * record_size;
	s->write.write_data = s->write.out.data;
	s->write.write_size = s->write.out.size;
	return STATUS_OK;
}

/* Describes result k of lane i to the encoder. */
static struct lane_results describe_result(const struct slot *s, const struct plan *plan, size_t i, size_t k)
{
	const struct slot_lane *l = &s->lanes[i];
	const struct packed *results = &l->results_of;
	struct lane_results described = {
		.format = l->format,
		.results = l->results != NULL ? l->results + results->numbers[k].offset : NULL,
		.step = l->step > 0 ? l->step : results->size,
		.count = s->columns[l->column].count,
		.absent = l->absent,
		.durations = durations_are_results(plan, i) ? s->columns[l->column].durations : 0,
		.forms = l->forms.size > 0 ? l->forms.data : NULL,
		.in_place = (const struct held *)(const void *)s->columns[l->column].helds.data,
		.in_place_count = s->columns[l->column].helds.size / sizeof(struct held),
		.is_exclusive = plan->lanes[i].moves_results,
		.texts = plan->lanes[i].gives_text ? &s->columns[l->column].texts : NULL,
		.text_bytes = &s->keyed.key_bytes,
	};
	described.format.type = results->numbers[k].type;
	return described;
}

/* Describes every result of every lane: *lanes becomes struct lane_results. */
static enum status describe_lanes(struct slot *s, const struct plan *plan, struct bytes *lanes)
{
	lanes->size = 0;
	TRY(bytes_reserve(lanes, plan->result_count * sizeof(struct lane_results)));
	struct lane_results *described = (struct lane_results *)(void *)lanes->data;
	for (size_t i = 0; i < s->lane_count; i++) {
		for (size_t k = 0; k < s->lanes[i].results_of.count; k++)
			described[plan->lanes[i].first_result + k] = describe_result(s, plan, i, k);
		/* (Operators of the table have one result.) */
		if (plan->emit.is_late && !plan->total)
			TRY(slot_emit_lane(s->emit, plan, i, &described[plan->lanes[i].first_result]));
	}
	return STATUS_OK;
}

/* Makes the texts of the chunk's keys, in the form in which they begin a line. */
static enum status put_keys(struct slot *s, const struct plan *plan)
{
	const struct record_key *keys = (const struct record_key *)(const void *)s->keyed.keys.keys.data;
	const bool is_object = plan->format.text.cut == CUT_JSON;
	s->write.key_texts.size = 0;
	s->write.key_ends.size = 0;
	for (size_t i = 0; i < grouper_count(&s->keyed.keys); i++) {
		const size_t begin = s->write.key_texts.size;
		/* (The first member of an object has no comma before it.) */
		if (is_object)
			TRY(bytes_append(&s->write.key_texts, "{", 1));
		TRY(key_fields_put(plan, KEY_FIELDS, record_key_bytes(&keys[i], &s->keyed.key_bytes), keys[i].size,
				   KEY_IN_LINE, &s->write.key_texts));
		if (is_object)
			memmove(s->write.key_texts.data + begin, s->write.key_texts.data + begin + 1,
				--s->write.key_texts.size - begin);
		TRY(bytes_append(&s->write.key_ends, &s->write.key_texts.size, sizeof s->write.key_texts.size));
	}
	return STATUS_OK;
}

/* Puts the line of names before the totals, if this chunk has that line of the header, or if a continued file begins
 * with the chunk. Each run's totals are a complete table. */
static enum status put_names_first(struct slot *s)
{
	const struct mark *marks = (const struct mark *)(const void *)s->decode.marks.data;
	const struct bytes *names = &s->head.header->names;
	bool has_names = s->head.begins_names;
	for (size_t i = 0; i < s->decode.decoded.header_marks; i++)
		has_names = has_names || marks[i].text == NULL;
	if (!has_names)
		return STATUS_OK;
	TRY(bytes_reserve(&s->write.out, names->size + 1));
	memmove(s->write.out.data + names->size + 1, s->write.out.data, s->write.out.size);
	memcpy(s->write.out.data, names->data, names->size);
	s->write.out.data[names->size] = '\n';
	s->write.out.size += names->size + 1;
	return STATUS_OK;
}

/* The stream ends with this problem, after the whole lines that were written. */
static void end_at_problem(struct slot *s, const struct plan *plan, const struct problem *problem)
{
	struct bytes *out = &s->write.out;
	while (out->size > 0 && (plan->is_reversed || out->data[out->size - 1] != '\n'))
		out->size--;
	s->scan.problem = *problem;
	if (problem->line > 0)
		s->scan.problem.line += s->in.dropped_lines;
	s->in.last = true;
}

/* Encodes the results record by record, with the input's lines where they are written. */
static enum status encode_one_by_one(struct slot *s, const struct plan *plan)
{
	struct problem problem;
	const bool only_results = plan->total || plan->format.output == FORMAT_BINARY;
	TRY(describe_lanes(s, plan, &s->write.encoding));
	if (plan->total && plan->format.text.output.shown_keys > 0 && put_names_first(s) != STATUS_OK)
		return STATUS_SYSTEM;
	const bool shows_keys = plan->format.text.output.shown_keys > 0 && !plan->total && s->scan.records > 0;
	if (shows_keys && put_keys(s, plan) != STATUS_OK)
		return STATUS_SYSTEM;
	const struct part_to_encode part = {
		.keys = shows_keys ? (const uint32_t *)(const void *)s->keyed.keys.of_records.data : NULL,
		.key_texts = s->write.key_texts.data,
		.key_ends = (const size_t *)(const void *)s->write.key_ends.data,
		.byte_order_mark =
			s->decode.has_byte_order_mark && (plan->is_reversed ? s->in.last : s->in.number == 0),
		.text = (const char *)s->in.data,
		.text_size = s->decode.decoded.consumed,
		.edits = (const struct edit *)(const void *)s->decode.edits.data,
		.edit_count = s->decode.edits.size / sizeof(struct edit),
		.header = s->head.header,
		.header_marks = s->decode.decoded.header_marks,
		.initial = s->scan.initial,
		.lanes = (const struct lane_results *)(const void *)s->write.encoding.data,
		.field_count = plan->field_count,
		.result_count = plan->format.text.result_count,
		.records = s->scan.records,
		.absences = (const struct absence *)(const void *)s->decode.absences.data,
		.absence_count = s->decode.absences.size / sizeof(struct absence),
		.marks = (const struct mark *)(const void *)s->decode.marks.data,
		.mark_count = only_results ? 0 : s->decode.marks.size / sizeof(struct mark),
		.scratch = &s->decode.scratch,
		.problem = &problem,
	};
	const enum status status = encode_part(&plan->format, &part, &s->write.out);
	if (status == STATUS_DATA)
		end_at_problem(s, plan, &problem);
	else if (status != STATUS_OK)
		return status;
	s->write.write_data = s->write.out.data;
	s->write.write_size = s->write.out.size;
	return STATUS_OK;
}

/* Encodes the results, but for initial ones that come last. */
static enum status encode(struct slot *s, const struct plan *plan)
{
	s->write.write_data = NULL;
	s->write.write_size = 0;
	/* (After an error nothing comes out: all results before its record would be missing.) */
	if (plan->is_reversed && s->scan.problem.status != STATUS_OK)
		return STATUS_OK;
	if (plan->total)
		s->scan.records = 0;
	else
		TRY(slot_ungroup(s));
	if (s->scan.records > 0 && !plan->is_segmented)
		TRY(slot_put_back(s, plan));
	if (plan->is_reversed && s->scan.records > 0)
		TRY(slot_turn_back(s, plan));
	if (plan->is_reversed && plan->total)
		TRY(slot_turn_totals(s));
	if (plan->ends.plots && s->scan.records > 0) {
		TRY(describe_lanes(s, plan, &s->write.encoding));
		TRY(slot_plot(s, plan, (const struct lane_results *)(const void *)s->write.encoding.data));
	}
	if (s->scan.records == 0) {
		/* Only the header, or the totals, are written. */
	} else if (plan->format.output == FORMAT_BINARY && s->lane_count == 1 && s->write.out.size == 0 &&
		   s->decode.absences.size == 0) {
		encode_in_place(s, plan);
		return STATUS_OK;
	} else if (plan->format.output == FORMAT_BINARY && s->lane_count > 1 && s->decode.absences.size == 0) {
		return encode_joined(s, plan);
	}
	return encode_one_by_one(s, plan);
}

enum status slot_encode(struct slot *s, const struct plan *plan)
{
	const struct bytes *initial = &s->write.initial;
	struct bytes *out = &s->write.out;
	TRY(encode(s, plan));
	if (initial->size == 0)
		return STATUS_OK;
	if (s->write.write_data != out->data) {
		out->size = 0;
		TRY(bytes_append(out, s->write.write_data, s->write.write_size));
	}
	TRY(bytes_append(out, initial->data, initial->size));
	s->write.write_data = out->data;
	s->write.write_size = out->size;
	return STATUS_OK;
}
