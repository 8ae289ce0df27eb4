#include "stream/slot.h"

#include <string.h>

#include "scan/host.h"
#include "text/record.h"

size_t slot_element_max(const struct plan *plan)
{
	if (plan->decimal)
		return type_table[TYPE_I128].size;
	const size_t out = operator_result(plan->op, plan->acc)->size;
	const size_t acc = plan->acc->size > out ? plan->acc->size : out;
	return plan->format.in->size > acc ? plan->format.in->size : acc;
}

static struct engine_size channel_size(const struct slot *s, const struct plan *plan)
{
	return (struct engine_size){.channel_count = 1, .elements = s->capacity, .element_max = slot_element_max(plan)};
}

static void free_memory(struct slot *s)
{
	if (!s->elements_borrowed)
		memory_free(s->element_memory);
	if (!s->results_borrowed)
		memory_free(s->result_memory);
}

void slot_borrow_memory(struct slot *s, const struct channel_memory *memory, size_t capacity)
{
	free_memory(s);
	s->elements_borrowed = true;
	s->results_borrowed = true;
	s->element_memory = memory->in;
	s->result_memory = memory->out;
	s->capacity = capacity;
}

void slot_abandon_results(struct slot *s)
{
	if (s->abandoned)
		return;
	s->abandoned = true;
	if (!s->results_borrowed)
		s->abandoned_memory[0] = s->result_memory;
	s->abandoned_memory[1] = s->totals;
	s->abandoned_memory[2] = s->carry_ins;
	s->result_memory = NULL;
	s->results_borrowed = false;
	s->totals = NULL;
	s->carry_ins = NULL;
	s->state_capacity = 0;
	s->totals_known = false;
}

/* A device that was given up may write back what it had mapped. */
static void leave_elements(struct slot *s)
{
	if (!s->abandoned || s->elements_left)
		return;
	s->elements_left = true;
	if (!s->elements_borrowed)
		s->abandoned_memory[3] = s->element_memory;
	s->element_memory = NULL;
	s->elements_borrowed = false;
}

enum status slot_need_elements(struct slot *s, const struct plan *plan)
{
	leave_elements(s);
	const struct engine_size size = channel_size(s, plan);
	if (s->element_memory == NULL)
		s->element_memory = memory_new(engine_in_bytes(&size));
	return s->element_memory == NULL ? STATUS_SYSTEM : STATUS_OK;
}

enum status slot_need_states(struct slot *s)
{
	const size_t tiles = s->capacity / GRID_TILE + 2;
	if (s->state_capacity >= tiles)
		return STATUS_OK;
	memory_free(s->totals);
	memory_free(s->carry_ins);
	s->state_capacity = 0;
	s->totals = memory_new(tiles * STATE_SIZE_MAX);
	s->carry_ins = memory_new(tiles * STATE_SIZE_MAX);
	if (s->totals == NULL || s->carry_ins == NULL)
		return STATUS_SYSTEM;
	s->state_capacity = tiles;
	return STATUS_OK;
}

enum status slot_need_results(struct slot *s, const struct plan *plan)
{
	const struct engine_size size = channel_size(s, plan);
	if (s->result_memory == NULL)
		s->result_memory = memory_new(engine_out_bytes(&size));
	if (s->result_memory == NULL || slot_need_states(s) != STATUS_OK)
		return STATUS_SYSTEM;
	s->results = s->result_memory + MEMORY_ALIGNMENT;
	return STATUS_OK;
}

/* A byte order mark at a file's start is no text. */
static void skip_byte_order_mark(const struct plan *plan, struct slot *s)
{
	s->has_byte_order_mark =
		plan->format.input == FORMAT_TEXT && s->file_start && record_byte_order_mark(s->data, s->size) > 0;
	if (s->has_byte_order_mark) {
		s->data += 3;
		s->size -= 3;
	}
}

/* Where the source's bytes are read to: binary elements to where they are scanned. */
static enum status load_target(struct slot *s, const struct plan *plan, unsigned char **to)
{
	if (plan->format.input == FORMAT_BINARY) {
		if (slot_need_elements(s, plan) != STATUS_OK)
			return STATUS_SYSTEM;
		*to = s->element_memory;
		return STATUS_OK;
	}
	s->buffer.size = 0;
	if (bytes_reserve(&s->buffer, s->size + TEXT_PADDING) != STATUS_OK)
		return STATUS_SYSTEM;
	memset(s->buffer.data + s->size, 0, TEXT_PADDING);
	*to = s->buffer.data;
	return STATUS_OK;
}

enum status slot_load(struct slot *s, const struct plan *plan)
{
	const uint64_t begin = timeline_now_ns();
	unsigned char *to;
	if (s->input != NULL) {
		if (load_target(s, plan, &to) != STATUS_OK)
			return STATUS_SYSTEM;
		const size_t wanted = s->size;
		s->data = to;
		s->size = input_read_at(s->input, to, wanted, s->offset, &s->source_problem);
		if (s->size < wanted) {
			/* What the failure cut off is no record. */
			struct record_search search = {0};
			s->size = record_cut(&plan->format, &search, to, s->size, s->size);
			s->last = true;
		}
		input_close(s->input);
		s->input = NULL;
		span_add(&s->spans[STAGE_READ], begin);
	}
	skip_byte_order_mark(plan, s);
	return STATUS_OK;
}

/* Binary elements were read to where they belong. */
static enum status decode_binary_slot(struct slot *s, const struct plan *plan)
{
	const size_t size = plan->format.in->size;
	s->decoded = (struct decoded){.stop = DECODE_END, .count = s->size / size, .consumed = s->size};
	s->elements = NULL;
	if (s->size == 0)
		return STATUS_OK;
	s->elements = s->element_memory;
	if (plan->format.in_swapped)
		decode_swap(s->elements, s->decoded.count, size);
	return STATUS_OK;
}

enum status slot_scan_ahead(struct slot *s, const struct row *row)
{
	const uint64_t begin = timeline_now_ns();
	const size_t whole = s->decoded.count / GRID_TILE * GRID_TILE;
	if (whole == 0 || row->tiles->totals == NULL)
		return STATUS_OK;
	if (slot_need_states(s) != STATUS_OK)
		return STATUS_SYSTEM;
	host_scan_totals(row, s->elements, whole, s->totals);
	s->totals_known = true;
	span_add(&s->spans[STAGE_UP_SWEEP], begin);
	return STATUS_OK;
}

enum status slot_decode(struct slot *s, const struct plan *plan, const struct element_format *reading, size_t offset,
			size_t limit)
{
	if (plan->format.input == FORMAT_BINARY)
		return decode_binary_slot(s, plan);
	if (slot_need_elements(s, plan) != STATUS_OK)
		return STATUS_SYSTEM;
	s->elements = s->element_memory;
	s->version = reading->version;
	s->scales.size = 0;
	s->marks.size = 0;
	if (offset == 0) {
		s->lines = 0;
		s->warnings.size = 0;
	}
	s->edits.size = 0;
	s->part_offset = offset;
	const struct decode_target target = {
		.elements = s->elements,
		.limit = limit,
		.lines_before = s->lines,
		.field = s->field,
		.at_line_start = offset == 0 ? !s->mid_line : s->data[offset - 1] == '\n',
		.header_lines = offset == 0 ? s->header_lines : 0,
		.header_whole = s->header_whole,
		.dropped_lines = offset == 0 ? s->dropped_lines : 0,
		.scales = &s->scales,
		.marks = &s->marks,
		.edits = &s->edits,
		.warnings = &s->warnings,
	};
	return decode_text(&plan->format.text, reading, (const char *)s->data + offset, s->size - offset, &target,
			   &s->decoded);
}

/* Binary results are written from where they are; exclusive ones begin one place earlier. */
static void encode_in_place(struct slot *s, const struct plan *plan)
{
	const size_t size = s->format.type->size;
	unsigned char *first = s->results;
	if (plan->exclusive) {
		first -= size;
		memcpy(first, &s->before.value, size);
	}
	if (plan->format.out_swapped)
		decode_swap(first, s->count, size);
	s->write_data = first;
	s->write_size = s->count * size;
}

enum status slot_encode(struct slot *s, const struct plan *plan)
{
	const bool only_results = plan->total || plan->format.output == FORMAT_BINARY;
	s->write_data = NULL;
	s->write_size = 0;
	if (plan->total || s->count == 0) {
		s->count = 0;
	} else if (plan->format.output == FORMAT_BINARY && s->out.size == 0) {
		encode_in_place(s, plan);
		return STATUS_OK;
	}
	const struct encode_part part = {
		.byte_order_mark = s->has_byte_order_mark && s->number == 0,
		.text = (const char *)s->data + s->part_offset,
		.text_size = s->decoded.consumed,
		.edits = (const struct edit *)(const void *)s->edits.data,
		.edit_count = s->edits.size / sizeof(struct edit),
		.header = s->header,
		.header_marks = s->decoded.header_marks,
		.initial = s->has_initial ? &s->initial : NULL,
		.format = s->format,
		.results = s->count > 0 ? s->results : NULL,
		.count = s->count,
		.absent = s->absent,
		.written = plan->op->written,
		.scales = s->scales.size > 0 ? s->scales.data : NULL,
		.scale_before = s->scale_before,
		.before = plan->exclusive ? &s->before : NULL,
		.marks = (const struct mark *)(const void *)s->marks.data,
		.mark_count = only_results ? 0 : s->marks.size / sizeof(struct mark),
	};
	if (encode_part(&plan->format, &part, &s->out) != STATUS_OK)
		return STATUS_SYSTEM;
	s->has_initial = false;
	s->has_byte_order_mark = s->has_byte_order_mark && part.text_size == 0;
	s->write_data = s->out.data;
	s->write_size = s->out.size;
	return STATUS_OK;
}

void slot_free(struct slot *s)
{
	input_close(s->input);
	bytes_free(&s->buffer);
	bytes_free(&s->scales);
	bytes_free(&s->marks);
	bytes_free(&s->edits);
	bytes_free(&s->warnings);
	bytes_free(&s->out);
	free_memory(s);
	memory_free(s->totals);
	memory_free(s->carry_ins);
	for (size_t i = 0; i < 4; i++)
		memory_free(s->abandoned_memory[i]);
}
