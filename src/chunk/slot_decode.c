/* Decodes a slot's bytes into the elements of its columns. */
#include <assert.h>
#include <string.h>

#include "number/interleave.h"
#include "chunk/element_format.h"
#include "chunk/slot_nans.h"
#include "chunk/slot.h"
#include "text/record.h"
#include "text/sniff.h"

/* Decodes binary elements. A single column was read in place. */
static enum status decode_binary_slot(struct slot *s, const struct plan *plan)
{
	const struct packed *element = &plan->element;
	const size_t inputs = element->count;
	const size_t count = s->in.size / plan->format.record_size;
	const bool direct = plan_is_direct(plan);
	const bool in_place = direct || plan->by_cursors;
	s->decode.decoded = (struct decoded){.stop = DECODE_END, .records = count, .consumed = s->in.size};
	s->decode.absences.size = 0;
	s->decode.column_count = plan->field_count;
	for (size_t i = 0; i < s->lane_count; i++)
		s->lanes[i].column = plan->lanes[i].field;
	if (count > 0 && !in_place && slot_need_elements(s, plan, s->decode.column_count) != STATUS_OK)
		return STATUS_SYSTEM;
	for (size_t i = 0; i < s->decode.column_count; i++) {
		struct slot_column *k = &s->columns[i];
		const uint64_t *numbers = direct ? NULL : &plan->format.text.numbers[i * inputs];
		k->field = i;
		k->count = count;
		k->step = plan->by_cursors ? plan->format.record_size : element->size;
		k->elements = k->memory;
		if (numbers != NULL && plan->by_cursors) /* elements of one number */
			k->elements = s->in.buffer.data + packed_column_offset(element, numbers[0]);
		for (size_t j = 0; j < inputs && count > 0; j++)
			s->splitting[i * inputs + j] =
				(struct interleaved){.numbers = k->elements + element->numbers[j].offset,
						     .step = k->step,
						     .size = element->numbers[j].type->size,
						     .offset = direct ? element->numbers[j].offset
								      : packed_column_offset(element, numbers[j])};
	}
	if (!in_place && count > 0)
		interleave_split(s->in.data, plan->format.record_size, count, s->splitting,
				 s->decode.column_count * inputs);
	/* Only elements whose numbers have one type can be byte-swapped. */
	const size_t size = element->numbers[0].type->size;
	if (plan->format.in_swapped && plan->by_cursors)
		decode_swap(s->in.buffer.data, s->in.size / size, size);
	for (size_t i = 0; i < s->decode.column_count && plan->format.in_swapped && !plan->by_cursors; i++)
		decode_swap(s->columns[i].elements, count * inputs, size);
	TRY(slot_apply_nan(s, plan));
	return plan->is_segmented ? slot_read_keys(s, plan) : STATUS_OK;
}

static bool is_same_format(const struct element_format *a, const struct element_format *b)
{
	return a->type == b->type && a->numbers == b->numbers && a->decimal == b->decimal && a->scale == b->scale &&
	       a->own_scale == b->own_scale && a->integers_only == b->integers_only && a->is_text == b->is_text &&
	       a->text_kind == b->text_kind;
}

/* Describes the columns to the decoder: for each field, and each of its numbers, the columns in order. */
static void describe_columns(struct slot *s, size_t inputs)
{
	size_t count = 0;
	for (size_t first = 0, end; first < s->decode.column_count; first = end) {
		for (end = first; end < s->decode.column_count && s->columns[end].field == s->columns[first].field;
		     end++)
			s->columns[end].decoder = count + end - first;
		for (size_t i = 0; i < inputs * (end - first); i++) {
			struct slot_column *k = &s->columns[first + i % (end - first)];
			const size_t input = i / (end - first);
			const struct packed *numbers = k->reading.numbers;
			s->decoding[count] = (struct column){
				.field = k->field * inputs + input,
				.reading = k->reading,
				.elements = k->elements + (numbers != NULL ? numbers->numbers[input].offset
									   : input * k->reading.type->size),
				.step = k->step,
				.is_narrow = k->reading.own_scale && inputs == 1,
				.scales = &k->scales,
				.texts = &k->texts,
				.helds = &k->helds,
			};
			if (s->decoding[count].is_narrow)
				s->decoding[count].step = sizeof(int64_t);
			if (numbers != NULL)
				s->decoding[count].reading.type = numbers->numbers[input].type;
			count++;
		}
	}
}

/* Returns the format in which the lane's tokens are read now. */
static struct element_format read_now(const struct plan *plan, const atomic_bool *are_floats, size_t lane)
{
	static const struct element_format floats = {.type = &type_table[TYPE_F64]};
	/* (Whether --map and --emit compute with decimals must not depend on when the scan has changed to floats.) */
	const bool is_used = plan->map.field_count > 0 || plan->emit.uses_element;
	const bool is_float = !is_used && atomic_load_explicit(&are_floats[lane], memory_order_relaxed);
	return is_float ? floats : element_format_own(plan, &plan->lanes[lane]);
}

/* Chooses the columns that the lanes need: one for each format in which a field is read. */
static enum status choose_columns(struct slot *s, const struct plan *plan, const atomic_bool *are_floats)
{
	size_t count = 0;
	size_t of_field = 0; /* the first column of the lane's field */
	for (size_t i = 0; i < s->lane_count; i++) {
		if (i % plan->operator_count == 0)
			of_field = count;
		size_t k = of_field;
		const struct element_format reading = read_now(plan, are_floats, i);
		while (k < count &&
		       (!is_same_format(&s->columns[k].reading, &reading) || s->columns[k].form != plan->lanes[i].form))
			k++;
		s->lanes[i].column = k;
		if (k < count)
			continue;
		s->columns[k].field = plan->lanes[i].field;
		s->columns[k].reading = reading;
		s->columns[k].form = plan->lanes[i].form;
		count++;
	}
	s->decode.column_count = count;
	TRY(slot_need_elements(s, plan, count));
	for (size_t k = 0; k < count; k++) {
		s->columns[k].scales.size = 0;
		s->columns[k].helds.size = 0;
		if (s->columns[k].reading.is_text)
			grouper_clear(&s->columns[k].texts);
		s->columns[k].elements = s->columns[k].memory;
		s->columns[k].durations = 0;
		const struct element_format *r = &s->columns[k].reading;
		const size_t numbers = plan->map.field_count > 0 ? plan->map.value_count : plan->format.text.inputs;
		s->columns[k].step = r->numbers != NULL ? r->numbers->size : numbers * r->type->size;
	}
	if (plan->map.field_count > 0)
		return slot_map_describe(s, plan);
	describe_columns(s, plan->format.text.inputs);
	return STATUS_OK;
}

/* Decodes text into the columns of numbers, or with --map into those of fields. */
static enum status decode_columns(struct slot *s, const struct plan *plan, const atomic_bool *are_floats,
				  struct decode_stop_at stop)
{
	TRY(choose_columns(s, plan, are_floats));
	s->decode.marks.size = 0;
	s->decode.absences.size = 0;
	grouper_clear(&s->keyed.keys);
	resets_clear(&s->keyed.resets);
	s->keyed.gaps.size = s->keyed.times.size = s->keyed.along.size = 0;
	s->keyed.key_bytes.size = 0;
	s->decode.warnings.size = 0;
	s->decode.edits.size = 0;
	size_t left_out_count;
	const struct absence *left_out = slot_map_left_out(s->map, &left_out_count);
	const struct decode_target target = {
		.columns = s->decoding,
		.column_count = plan->map.field_count > 0 ? slot_map_column_count(plan)
							  : s->decode.column_count * plan->format.text.inputs,
		.limit = stop.records,
		.limit_field = stop.field * plan->format.text.inputs,
		.fields = s->head.fields,
		.table = &s->head.table,
		.at_line_start = !s->in.mid_line,
		.begins_file = s->in.file_start,
		.header_lines = s->head.header_lines,
		.header_whole = s->head.header_whole,
		.dropped_lines = s->head.dropped_lines,
		.marks = &s->decode.marks,
		.absences = &s->decode.absences,
		.edits = &s->decode.edits,
		.warnings = &s->decode.warnings,
		.keys = &s->keyed.keys,
		.resets = &s->keyed.resets,
		.gaps = &s->keyed.gaps,
		.times = &s->keyed.times,
		.along = &s->keyed.along,
		.key_bytes = &s->keyed.key_bytes,
		.scratch = &s->decode.scratch,
		.left_out = left_out,
		.left_out_count = left_out_count,
	};
	return decode_text(&plan->format.text, (const char *)s->in.data, s->in.size, &target, &s->decode.decoded);
}

/* Takes what decode_text says of the columns. */
static void copy_columns(struct slot *s, const struct plan *plan)
{
	for (size_t i = 0; i < s->decode.column_count; i++) {
		struct slot_column *k = &s->columns[i];
		const struct column *of_decoder = &s->decoding[k->decoder];
		k->count = of_decoder->count;
		k->is_narrow = of_decoder->is_narrow;
		k->scale = of_decoder->scale;
		k->durations = of_decoder->durations;
		k->plain_record = of_decoder->plain_record;
		if (k->reading.own_scale && plan->format.text.inputs == 1)
			k->step = of_decoder->step;
	}
}

/* Decodes text and evaluates --map, again as long as that leaves out more elements. */
static enum status decode_mapped(struct slot *s, const struct plan *plan, const atomic_bool *are_floats,
				 struct decode_stop_at stop, struct map_fault *fault)
{
	bool more = true;
	while (more) {
		TRY(decode_columns(s, plan, are_floats, stop));
		TRY(slot_map_evaluate(s, plan, fault, &more));
	}
	return STATUS_OK;
}

/* Ends decoding before the first element for which --map has no number. */
static enum status end_at_fault(struct slot *s, const struct plan *plan, const atomic_bool *are_floats,
				const struct map_fault *fault)
{
	const struct decode_stop_at stop = {.records = fault->record, .field = fault->element};
	struct decoded *d = &s->decode.decoded;
	struct map_fault none;
	TRY(decode_mapped(s, plan, are_floats, stop, &none));
	assert(none.record == SIZE_MAX);
	const char *type = fault->type != NULL ? fault->type->name : "";
	const char *hint = fault->type != NULL ? text_type_hint(&plan->format.text) : "";
	d->stop = DECODE_FAIL;
	(void)problem_set(&d->problem, STATUS_DATA, "%s%s%s", fault->why, type, hint);
	d->problem.line = d->lines + 1;
	if (plan->map.field_count == 1 && s->head.fields != NULL)
		d->problem.field = s->head.fields[fault->element];
	return STATUS_OK;
}

static enum status decode_text_slot(struct slot *s, const struct plan *plan, const atomic_bool *are_floats,
				    struct decode_stop_at stop)
{
	struct map_fault fault = {.record = SIZE_MAX};
	if (plan->map.field_count > 0) {
		/* (The same bytes leave out the same elements when they are decoded again.) */
		if (stop.records == SIZE_MAX)
			slot_map_begin(s->map);
		TRY(decode_mapped(s, plan, are_floats, stop, &fault));
	} else {
		TRY(decode_columns(s, plan, are_floats, stop));
		copy_columns(s, plan);
	}
	if (fault.record != SIZE_MAX)
		TRY(end_at_fault(s, plan, are_floats, &fault));
	if (s->in.file_start && s->decode.decoded.stop == DECODE_FAIL)
		sniff_explain(s->in.data, s->in.size, &s->decode.decoded.problem);
	return STATUS_OK;
}

/* Leaves out the bytes up to the end of the record at which decoding failed. */
static void leave_out_failed(struct slot *s, const struct plan *plan)
{
	struct header_search search = {0};
	struct line line;
	const unsigned char *rest = s->in.data + s->decode.decoded.consumed;
	const size_t size = s->in.size - s->decode.decoded.consumed;
	const bool is_line = record_next_line(&plan->format.text, &search, rest, size, false, &line);
	const unsigned char *next = is_line ? (const unsigned char *)line.next : rest + size;
	s->in.dropped_lines += line_count((const char *)s->in.data, (const char *)next);
	s->in.size -= (size_t)(next - s->in.data);
	s->in.data = next;
	s->in.file_start = s->in.mid_line = false;
	s->head.header_lines = s->head.dropped_lines = 0;
}

/* Decodes text that is scanned from its end: what comes after the last record that cannot be decoded, and turns it. */
static enum status decode_from_end(struct slot *s, const struct plan *plan, const atomic_bool *are_floats)
{
	const struct decode_stop_at nowhere = {.records = SIZE_MAX};
	struct decoded *d = &s->decode.decoded;
	TRY(decode_text_slot(s, plan, are_floats, nowhere));
	while (d->stop == DECODE_FAIL) {
		s->decode.failed = d->problem;
		s->decode.failed.line += d->problem.line > 0 ? s->in.dropped_lines : 0;
		leave_out_failed(s, plan);
		TRY(decode_text_slot(s, plan, are_floats, nowhere));
	}
	struct warning *warnings = (struct warning *)(void *)s->decode.warnings.data;
	for (size_t i = 0; i < s->decode.warnings.size / sizeof *warnings; i++)
		warnings[i].line += s->in.dropped_lines;
	if (s->decode.failed.status != STATUS_OK) {
		d->stop = DECODE_FAIL;
		d->problem = s->decode.failed;
	}
	slot_turn(s);
	return STATUS_OK;
}

enum status slot_decode(struct slot *s, const struct plan *plan, const atomic_bool *are_floats,
			struct decode_stop_at stop)
{
	const bool is_all = stop.records == SIZE_MAX;
	TRY(plan->format.input == FORMAT_BINARY ? decode_binary_slot(s, plan)
	    : plan->is_reversed && is_all       ? decode_from_end(s, plan, are_floats)
						: decode_text_slot(s, plan, are_floats, stop));
	if (!plan->is_segmented)
		slot_compact(s);
	return is_all && plan->is_segmented ? slot_group(s, plan) : STATUS_OK;
}
