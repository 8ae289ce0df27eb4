#include "slot.h"

#include <string.h>

size_t slot_element_max(const struct plan *plan)
{
	if (plan->decimal)
		return type_table[TYPE_I128].size;
	return plan->in->size > plan->acc->size ? plan->in->size : plan->acc->size;
}

/* Room for a tile before a chunk, in bytes: a whole number of cache lines for elements of any size. */
static size_t head_room(const struct plan *plan)
{
	return GRID_TILE * slot_element_max(plan);
}

enum status slot_need_elements(struct slot *s, const struct plan *plan)
{
	if (s->element_memory == NULL)
		s->element_memory = memory_new(head_room(plan) + (plan->slot_elements + 1) * slot_element_max(plan));
	return s->element_memory == NULL ? STATUS_SYSTEM : STATUS_OK;
}

enum status slot_need_results(struct slot *s, const struct plan *plan)
{
	const size_t elements = plan->slot_elements + GRID_TILE;
	if (s->result_memory == NULL)
		s->result_memory = memory_new(MEMORY_ALIGNMENT + elements * slot_element_max(plan));
	const size_t states_size = (elements / GRID_TILE + 1) * STATE_SIZE_MAX;
	if (s->totals == NULL)
		s->totals = memory_new(states_size);
	if (s->carry_ins == NULL)
		s->carry_ins = memory_new(states_size);
	if (s->result_memory == NULL || s->totals == NULL || s->carry_ins == NULL)
		return STATUS_SYSTEM;
	s->results = s->result_memory + MEMORY_ALIGNMENT;
	return STATUS_OK;
}

static enum status decode_binary_slot(struct slot *s, const struct plan *plan)
{
	const size_t size = plan->in->size;
	s->decoded = (struct decoded){.stop = DECODE_END, .count = s->size / size, .consumed = s->size};
	s->elements_borrowed = !plan->in_swapped && (uintptr_t)s->data % size == 0;
	if (s->elements_borrowed) {
		/* Only read: the conductor copies the elements if it needs room before them. */
		union {
			const unsigned char *bytes;
			unsigned char *elements;
		} borrowed = {.bytes = s->data};
		s->elements = borrowed.elements;
		return STATUS_OK;
	}
	if (slot_need_elements(s, plan) != STATUS_OK)
		return STATUS_SYSTEM;
	s->elements = s->element_memory + head_room(plan);
	decode_binary(s->data, s->decoded.count, size, plan->in_swapped, s->elements);
	return STATUS_OK;
}

enum status slot_decode(struct slot *s, const struct plan *plan, const struct reading *reading, size_t offset,
			const union value *first, size_t limit)
{
	if (plan->input_format == FORMAT_BINARY)
		return decode_binary_slot(s, plan);
	if (slot_need_elements(s, plan) != STATUS_OK)
		return STATUS_SYSTEM;
	s->elements = s->element_memory + head_room(plan);
	s->elements_borrowed = false;
	s->version = reading->version;
	s->marks.size = 0;
	if (offset == 0) {
		s->lines = 0;
		s->warnings.size = 0;
	}
	const struct decode_target target = {
		.elements = s->elements,
		.first = first,
		.limit = limit,
		.lines_before = s->lines,
		.marks = &s->marks,
		.warnings = &s->warnings,
	};
	return decode_text(&plan->text, reading, (const char *)s->data + offset, s->size - offset, &target,
			   &s->decoded);
}

void slot_own_elements(struct slot *s, const struct plan *plan)
{
	unsigned char *own = s->element_memory + head_room(plan);
	if (s->elements_borrowed)
		memcpy(own, s->elements, s->decoded.count * plan->in->size);
	s->elements = own;
	s->elements_borrowed = false;
}

enum status slot_encode(struct slot *s, const struct plan *plan)
{
	const size_t size = s->format.type->size;
	s->write_data = NULL;
	s->write_size = 0;
	if (plan->total || s->count == 0) {
		s->count = 0;
	} else if (plan->output_format == FORMAT_BINARY && !plan->out_swapped && s->out.size == 0) {
		/* Written from where they are; exclusive ones begin one place earlier. */
		unsigned char *first = s->results + s->head * size;
		if (plan->exclusive) {
			first -= size;
			memcpy(first, &s->before.value, size);
		}
		s->write_data = first;
		s->write_size = s->count * size;
		return STATUS_OK;
	}
	const struct encode_part part = {
		.format = s->format,
		.results = s->results + s->head * s->format.type->size,
		.count = s->count,
		.before = &s->before,
		.marks = (const struct mark *)(const void *)s->marks.data,
		.mark_count = plan->total ? 0 : s->marks.size / sizeof(struct mark),
	};
	if (encode_part(plan, &part, &s->out) != STATUS_OK)
		return STATUS_SYSTEM;
	s->write_data = s->out.data;
	s->write_size = s->out.size;
	return STATUS_OK;
}

void slot_free(struct slot *s)
{
	bytes_free(&s->buffer);
	bytes_free(&s->marks);
	bytes_free(&s->warnings);
	bytes_free(&s->out);
	memory_free(s->element_memory);
	memory_free(s->result_memory);
	memory_free(s->totals);
	memory_free(s->carry_ins);
}
