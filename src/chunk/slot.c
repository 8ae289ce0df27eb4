/* A slot's memory, and how the bytes of its chunk are read. Memory is allocated when it is first needed, and then used
 * for all later chunks. Memory that a lost device may still use is set aside until slot_free. */
#include "chunk/slot.h"

#include <string.h>

#include "text/record.h"

size_t slot_element_max(const struct plan *plan)
{
	size_t size = plan->element.size;
	for (size_t i = 0; i < plan->lane_count; i++) {
		const struct plan_lane *l = &plan->lanes[i];
		const size_t in = operator_element(l->op, l->in).size;
		const size_t out = l->decimal ? type_table[TYPE_I128].size : operator_results(l->op, l->acc).size;
		const size_t both = in > out ? in : out;
		const size_t all = l->acc->size > both ? l->acc->size : both;
		size = all > size ? all : size;
	}
	return size;
}

static struct engine_size channel_size(const struct slot *s, const struct plan *plan)
{
	return (struct engine_size){.channel_count = 1,
				    .lane_count = s->lane_count,
				    .elements = s->capacity,
				    .element_max = slot_element_max(plan)};
}

static enum status need_cursors(const struct slot *s, const struct plan *plan)
{
	for (size_t i = 0; i < s->lane_count; i++) {
		struct slot_lane *l = &s->lanes[i];
		if (l->cursor == NULL)
			l->cursor = memory_new(row_cursor_size_max(plan->lanes[i].op, plan->algorithm));
		if (l->cursor == NULL)
			return STATUS_SYSTEM;
	}
	return STATUS_OK;
}

enum status slot_prepare(struct slot *s, const struct plan *plan)
{
	const size_t count = plan->lane_count;
	const size_t number_count = count * plan->format.text.inputs;
	s->columns = memory_zeros(count, sizeof *s->columns);
	s->lanes = memory_zeros(count, sizeof *s->lanes);
	s->works = memory_zeros(count, sizeof *s->works);
	s->decoding = memory_new(number_count * sizeof *s->decoding);
	s->splitting = memory_new(number_count * sizeof *s->splitting);
	s->joining = memory_new(plan->result_count * sizeof *s->joining);
	if (s->columns == NULL || s->lanes == NULL || s->works == NULL || s->decoding == NULL || s->splitting == NULL ||
	    s->joining == NULL)
		return STATUS_SYSTEM;
	if (plan->map.field_count > 0) {
		s->map = slot_map_new(plan);
		if (s->map == NULL)
			return STATUS_SYSTEM;
	}
	if (plan->emit.is_late) {
		s->emit = slot_emit_new(plan);
		if (s->emit == NULL)
			return STATUS_SYSTEM;
	}
	if (plan->ends.plots && !plan_has_keys(plan) &&
	    curves_make(&s->picture.curves, plan->result_count, plan->format.text.along.given) != STATUS_OK)
		return STATUS_SYSTEM;
	s->lane_count = count;
	return need_cursors(s, plan);
}

void slot_borrow_memory(struct slot *s, const struct channel_memory *memory, size_t capacity)
{
	if (!s->borrowed) {
		memory_free(s->columns[0].memory);
		memory_free(s->lanes[0].memory);
	}
	s->borrowed = true;
	s->columns[0].memory = memory->in;
	s->lanes[0].memory = NULL;
	s->capacity = capacity;
}

bool slot_borrows_results(const struct slot *s)
{
	return s->borrowed && !s->abandoned;
}

void slot_abandon_results(struct slot *s)
{
	if (s->abandoned)
		return;
	s->abandoned = true;
	for (size_t i = 0; i < s->lane_count; i++) {
		struct slot_lane *l = &s->lanes[i];
		l->abandoned[0] = s->borrowed ? NULL : l->memory;
		l->abandoned[1] = l->totals;
		l->abandoned[2] = l->carry_ins;
		l->abandoned[3] = l->cursor;
		l->memory = l->totals = l->carry_ins = l->cursor = NULL;
		l->state_capacity = 0;
	}
	s->scan.totals_known = false;
}

/* Replaces the element buffers that a lost device may still write to. */
static void leave_elements(struct slot *s)
{
	if (!s->abandoned || s->elements_left)
		return;
	s->elements_left = true;
	for (size_t i = 0; i < s->lane_count; i++) {
		s->columns[i].abandoned = s->borrowed ? NULL : s->columns[i].memory;
		s->columns[i].memory = NULL;
	}
	s->borrowed = false;
}

enum status slot_need_elements(struct slot *s, const struct plan *plan, size_t count)
{
	leave_elements(s);
	const struct engine_size size = channel_size(s, plan);
	for (size_t i = 0; i < count; i++) {
		if (s->columns[i].memory == NULL)
			s->columns[i].memory = memory_new(engine_in_bytes(&size));
		if (s->columns[i].memory == NULL)
			return STATUS_SYSTEM;
	}
	return STATUS_OK;
}

enum status slot_need_states(const struct slot *s, struct slot_lane *lane)
{
	const size_t tiles = s->capacity / GRID_TILE + 2;
	if (lane->state_capacity >= tiles)
		return STATUS_OK;
	memory_free(lane->totals);
	memory_free(lane->carry_ins);
	lane->state_capacity = 0;
	lane->totals = memory_new(tiles * TILE_SIZE_MAX);
	lane->carry_ins = memory_new(tiles * TILE_SIZE_MAX);
	if (lane->totals == NULL || lane->carry_ins == NULL)
		return STATUS_SYSTEM;
	lane->state_capacity = tiles;
	return STATUS_OK;
}

/* plan->by_cursors: allocates results as whole records, with room for one record before the first. */
static enum status need_joined(struct slot *s, const struct plan *plan)
{
	const size_t size = operator_result(plan->lanes[0].op, plan->lanes[0].acc)->size;
	const size_t record_size = size * s->lane_count;
	s->joined.size = 0;
	if (bytes_reserve(&s->joined, (s->decode.decoded.records + 1) * record_size) != STATUS_OK)
		return STATUS_SYSTEM;
	for (size_t i = 0; i < s->lane_count; i++) {
		s->lanes[i].results = s->joined.data + record_size + i * size;
		s->lanes[i].step = record_size;
	}
	return STATUS_OK;
}

/* Offset of the first result: a multiple of the result size, and at least one cache line. So there is room for one
 * result before it, and devices can count it in results. */
static size_t room_before(size_t size)
{
	return (MEMORY_ALIGNMENT + size - 1) / size * size;
}

enum status slot_need_results(struct slot *s, const struct plan *plan)
{
	const struct engine_size size = channel_size(s, plan);
	if (plan->by_cursors)
		return need_joined(s, plan);
	for (size_t i = 0; i < s->lane_count; i++) {
		struct slot_lane *l = &s->lanes[i];
		if (l->memory == NULL)
			l->memory = memory_new(engine_out_bytes(&size));
		if (l->memory == NULL || slot_need_states(s, l) != STATUS_OK)
			return STATUS_SYSTEM;
		l->results = l->memory + room_before(operator_results(plan->lanes[i].op, plan->lanes[i].acc).size);
		l->step = 0; /* the row decides, and may change */
	}
	return need_cursors(s, plan);
}

/* A byte order mark at a file's start is not part of the text. */
static void skip_byte_order_mark(const struct plan *plan, struct slot *s)
{
	s->decode.has_byte_order_mark = plan->format.input == FORMAT_TEXT && s->in.file_start &&
					record_byte_order_mark(s->in.data, s->in.size) > 0;
	if (s->decode.has_byte_order_mark) {
		s->in.data += 3;
		s->in.size -= 3;
	}
}

/* Sets *to to the memory for the bytes: that of the only column's elements, or the buffer. */
static enum status load_target(struct slot *s, const struct plan *plan, unsigned char **to)
{
	if (plan_is_direct(plan)) {
		if (slot_need_elements(s, plan, 1) != STATUS_OK)
			return STATUS_SYSTEM;
		*to = s->columns[0].memory;
		return STATUS_OK;
	}
	s->in.buffer.size = 0;
	if (bytes_reserve(&s->in.buffer, s->in.size + TEXT_PADDING) != STATUS_OK)
		return STATUS_SYSTEM;
	memset(s->in.buffer.data + s->in.size, 0, TEXT_PADDING);
	*to = s->in.buffer.data;
	return STATUS_OK;
}

enum status slot_load(struct slot *s, const struct plan *plan)
{
	const uint64_t begin = timeline_now_ns();
	unsigned char *to;
	if (s->in.input != NULL) {
		if (load_target(s, plan, &to) != STATUS_OK)
			return STATUS_SYSTEM;
		const size_t wanted = s->in.size;
		s->in.data = to;
		s->in.size = input_read_at(s->in.input, to, wanted, s->in.offset, &s->in.source_problem);
		if (s->in.size < wanted) {
			/* Drop the record that the read error cut off. */
			struct record_search search = {0};
			s->in.size = record_cut(&plan->format, &search, to, s->in.size, s->in.size);
			s->in.last = true;
		}
		input_close(s->in.input);
		s->in.input = NULL;
		if (plan->is_reversed && plan->format.input == FORMAT_BINARY)
			slot_turn_records(s, plan, to);
		span_add(&s->spans[STAGE_READ], begin);
	}
	skip_byte_order_mark(plan, s);
	s->in.dropped_lines = 0;
	s->decode.failed = (struct problem){0};
	return STATUS_OK;
}

static void free_column(struct slot_column *k, bool borrowed)
{
	if (!borrowed)
		memory_free(k->memory);
	memory_free(k->abandoned);
	bytes_free(&k->scales);
	grouper_free(&k->texts);
	bytes_free_all(&k->helds, &k->runs, &k->places, &k->records, &k->roles, &k->grouped, &k->spare);
}

static void free_lane(struct slot_lane *l, bool borrowed)
{
	if (!borrowed)
		memory_free(l->memory);
	bytes_free_all(&l->forms, &l->placed, &l->spare);
	memory_free_all(l->totals, l->carry_ins, l->cursor);
	for (size_t i = 0; i < sizeof l->abandoned / sizeof l->abandoned[0]; i++)
		memory_free(l->abandoned[i]);
}

void slot_free(struct slot *s)
{
	input_close(s->in.input);
	bytes_free_all(&s->in.buffer, &s->decode.marks, &s->decode.absences, &s->decode.edits, &s->decode.scratch,
		       &s->decode.warnings);
	grouper_free(&s->keyed.keys);
	resets_free(&s->keyed.resets);
	bytes_free_all(&s->keyed.gaps, &s->keyed.times, &s->keyed.along, &s->keyed.lacking, &s->keyed.key_counts,
		       &s->keyed.begun, &s->keyed.key_records);
	bytes_free_all(&s->keyed.key_bytes, &s->write.encoding, &s->joined, &s->write.out, &s->write.ends,
		       &s->write.turned, &s->write.initial, &s->write.key_texts, &s->write.key_ends);
	curves_free(&s->picture.curves);
	bytes_free(&s->picture.points);
	bytes_free(&s->picture.key_numbers);
	for (size_t i = 0; i < s->lane_count; i++) {
		free_column(&s->columns[i], s->borrowed);
		/* (Results that replaced abandoned ones belong to the slot.) */
		free_lane(&s->lanes[i], slot_borrows_results(s));
	}
	memory_free_all(s->columns, s->lanes, s->works, s->decoding);
	slot_map_free(s->map);
	slot_emit_free(s->emit);
	memory_free(s->splitting);
	memory_free(s->joining);
}
