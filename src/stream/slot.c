#include "stream/slot.h"

#include <string.h>

#include "number/interleave.h"
#include "scan/host.h"
#include "text/record.h"

size_t slot_element_max(const struct plan *plan)
{
	size_t size = plan_element_size(plan);
	for (size_t i = 0; i < plan->lane_count; i++) {
		const struct plan_lane *l = &plan->lanes[i];
		const size_t out = l->decimal ? type_table[TYPE_I128].size : operator_result(l->op, l->acc)->size;
		const size_t both = l->acc->size > out ? l->acc->size : out;
		size = both > size ? both : size;
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

enum status slot_prepare(struct slot *s, const struct plan *plan)
{
	const size_t count = plan->lane_count;
	const size_t number_count = count * plan->format.text.inputs;
	s->columns = memory_new(count * sizeof *s->columns);
	s->lanes = memory_new(count * sizeof *s->lanes);
	s->works = memory_new(count * sizeof *s->works);
	s->decoding = memory_new(number_count * sizeof *s->decoding);
	s->readings = memory_new(count * sizeof *s->readings);
	s->splitting = memory_new(number_count * sizeof *s->splitting);
	s->joining = memory_new(count * sizeof *s->joining);
	if (s->columns == NULL || s->lanes == NULL || s->works == NULL || s->decoding == NULL || s->readings == NULL ||
	    s->splitting == NULL || s->joining == NULL)
		return STATUS_SYSTEM;
	memset(s->columns, 0, count * sizeof *s->columns);
	memset(s->lanes, 0, count * sizeof *s->lanes);
	memset(s->works, 0, count * sizeof *s->works);
	s->lane_count = count;
	for (size_t i = 0; i < count; i++) {
		s->lanes[i].cursor = memory_new(row_cursor_size_max(plan->lanes[i].op, plan->algorithm));
		if (s->lanes[i].cursor == NULL)
			return STATUS_SYSTEM;
	}
	return STATUS_OK;
}

void slot_borrow_memory(struct slot *s, const struct channel_memory *memory, size_t capacity)
{
	if (!s->borrowed) {
		memory_free(s->columns[0].memory);
		memory_free(s->lanes[0].memory);
	}
	s->borrowed = true;
	s->columns[0].memory = memory->in;
	s->lanes[0].memory = memory->out;
	s->capacity = capacity;
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
		l->memory = l->totals = l->carry_ins = NULL;
		l->state_capacity = 0;
	}
	s->totals_known = false;
}

/* A device that was given up may write back what it had mapped. */
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

enum status slot_need_states(struct slot *s, struct slot_lane *lane)
{
	const size_t tiles = s->capacity / GRID_TILE + 2;
	if (lane->state_capacity >= tiles)
		return STATUS_OK;
	memory_free(lane->totals);
	memory_free(lane->carry_ins);
	lane->state_capacity = 0;
	lane->totals = memory_new(tiles * STATE_SIZE_MAX);
	lane->carry_ins = memory_new(tiles * STATE_SIZE_MAX);
	if (lane->totals == NULL || lane->carry_ins == NULL)
		return STATUS_SYSTEM;
	lane->state_capacity = tiles;
	return STATUS_OK;
}

/* Between the tiles of columns, so that they do not lie on the same places of a cache. */
#define TILE_GAP 128

/* Of records that are scanned as they are: room for one tile of each column and of each lane. */
static enum status need_tiles(struct slot *s, const struct plan *plan, size_t out_size)
{
	const size_t in_size = plan->format.in->size;
	/* Of very many columns a chunk has few records. */
	const size_t room = s->decoded.records < GRID_TILE ? s->decoded.records : GRID_TILE;
	const size_t column = (room * in_size + TILE_GAP) / TILE_GAP * TILE_GAP + TILE_GAP;
	const size_t lane = (room * out_size + TILE_GAP) / TILE_GAP * TILE_GAP + TILE_GAP;
	s->tiles.size = 0;
	if (bytes_reserve(&s->tiles, s->column_count * column + s->lane_count * lane) != STATUS_OK)
		return STATUS_SYSTEM;
	unsigned char *p = s->tiles.data;
	for (size_t i = 0; i < s->column_count; i++, p += column) {
		s->columns[i].tile = p;
		s->splitting[i].numbers = p;
		s->splitting[i].step = in_size;
	}
	for (size_t i = 0; i < s->lane_count; i++, p += lane) {
		s->lanes[i].tile = p;
		s->joining[i] =
			(struct interleaved){.numbers = p, .step = out_size, .size = out_size, .offset = i * out_size};
		if (slot_need_states(s, &s->lanes[i]) != STATUS_OK)
			return STATUS_SYSTEM;
	}
	return STATUS_OK;
}

/* Their results: as records, with room for one before. */
static enum status need_joined(struct slot *s, const struct plan *plan)
{
	const size_t size = operator_result(plan->lanes[0].op, plan->lanes[0].acc)->size;
	const size_t record_size = size * s->lane_count;
	s->joined.size = 0;
	if (bytes_reserve(&s->joined, (s->decoded.records + 1) * record_size) != STATUS_OK)
		return STATUS_SYSTEM;
	for (size_t i = 0; i < s->lane_count; i++) {
		s->lanes[i].results = s->joined.data + record_size + i * size;
		s->lanes[i].step = record_size;
	}
	s->record_work = (struct record_work){
		.in = plan_is_direct(plan) ? s->columns[0].memory : s->buffer.data,
		.in_size = plan->format.record_size,
		.out = s->lanes[0].results,
		.out_size = record_size,
		.columns = s->splitting,
		.results = s->joining,
		.column_count = s->column_count,
	};
	return plan->by_cursors ? STATUS_OK : need_tiles(s, plan, size);
}

enum status slot_need_results(struct slot *s, const struct plan *plan)
{
	const struct engine_size size = channel_size(s, plan);
	if (plan->by_records)
		return need_joined(s, plan);
	for (size_t i = 0; i < s->lane_count; i++) {
		struct slot_lane *l = &s->lanes[i];
		if (l->memory == NULL)
			l->memory = memory_new(engine_out_bytes(&size));
		if (l->memory == NULL || slot_need_states(s, l) != STATUS_OK)
			return STATUS_SYSTEM;
		l->results = l->memory + MEMORY_ALIGNMENT;
		l->step = 0; /* by the row, which may change */
	}
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
	if (plan_is_direct(plan)) {
		if (slot_need_elements(s, plan, 1) != STATUS_OK)
			return STATUS_SYSTEM;
		*to = s->columns[0].memory;
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

/* Binary elements: of one column they were read to where they belong. */
static enum status decode_binary_slot(struct slot *s, const struct plan *plan)
{
	const size_t size = plan->format.in->size;
	const size_t inputs = plan->format.text.inputs;
	const size_t count = s->size / plan->format.record_size;
	const bool direct = plan_is_direct(plan);
	const bool in_place = direct || plan->by_records;
	s->decoded = (struct decoded){.stop = DECODE_END, .records = count, .consumed = s->size};
	s->column_count = plan->field_count;
	for (size_t i = 0; i < s->lane_count; i++)
		s->lanes[i].column = plan->lanes[i].field;
	if (count > 0 && !in_place && slot_need_elements(s, plan, s->column_count) != STATUS_OK)
		return STATUS_SYSTEM;
	for (size_t i = 0; i < s->column_count; i++) {
		struct slot_column *k = &s->columns[i];
		const uint64_t *numbers = direct ? NULL : &plan->format.text.numbers[i * inputs];
		k->field = i;
		k->count = count;
		k->step = plan->by_records ? plan->format.record_size : inputs * size; /* direct: the same */
		k->elements = k->memory;
		if (plan->by_records && !direct) /* elements of one number */
			k->elements = s->buffer.data + (size_t)(numbers[0] - 1) * size;
		for (size_t j = 0; j < inputs; j++)
			s->splitting[i * inputs + j] =
				(struct interleaved){.numbers = k->elements + j * size,
						     .step = k->step,
						     .size = size,
						     .offset = direct ? j * size : (size_t)(numbers[j] - 1) * size};
	}
	if (!in_place)
		interleave_split(s->data, plan->format.record_size, count, s->splitting, s->column_count * inputs);
	if (plan->format.in_swapped && plan->by_records && !direct)
		decode_swap(s->buffer.data, s->size / size, size);
	for (size_t i = 0; i < s->column_count && plan->format.in_swapped && (direct || !plan->by_records); i++)
		decode_swap(s->columns[i].elements, count * inputs, size);
	return STATUS_OK;
}

enum status slot_scan_ahead(struct slot *s, const struct row *row)
{
	const uint64_t begin = timeline_now_ns();
	const struct slot_column *k = &s->columns[0];
	const size_t whole = k->count / GRID_TILE * GRID_TILE;
	if (s->lane_count > 1 || whole == 0 || row->tiles->totals == NULL)
		return STATUS_OK;
	if (slot_need_states(s, &s->lanes[0]) != STATUS_OK)
		return STATUS_SYSTEM;
	host_scan_totals(row, k->elements, whole, s->lanes[0].totals);
	s->totals_known = true;
	span_add(&s->spans[STAGE_UP_SWEEP], begin);
	return STATUS_OK;
}

static bool is_same_format(const struct element_format *a, const struct element_format *b)
{
	return a->type == b->type && a->decimal == b->decimal && a->scale == b->scale &&
	       a->integers_only == b->integers_only && a->written == b->written;
}

/* What the decoder is to do: the columns of the same field one after the other for each of their numbers. */
static void describe_columns(struct slot *s, size_t inputs)
{
	size_t count = 0;
	for (size_t first = 0, end; first < s->column_count; first = end) {
		for (end = first; end < s->column_count && s->columns[end].field == s->columns[first].field; end++)
			s->columns[end].decoder = count + end - first;
		for (size_t i = 0; i < inputs * (end - first); i++) {
			struct slot_column *k = &s->columns[first + i % (end - first)];
			const size_t input = i / (end - first);
			s->decoding[count++] = (struct column){
				.field = k->field * inputs + input,
				.reading = k->reading,
				.elements = k->elements + input * k->reading.type->size,
				.step = k->step,
				.scales = &k->scales,
			};
		}
	}
}

/* Chooses the columns that the lanes need: one for each format in which a field is read. */
static enum status choose_columns(struct slot *s, const struct plan *plan, const struct readings *readings)
{
	size_t count = 0;
	size_t of_field = 0; /* the first column of the lane's field */
	for (size_t i = 0; i < s->lane_count; i++) {
		if (i % plan->operator_count == 0)
			of_field = count;
		size_t k = of_field;
		while (k < count && !is_same_format(&s->columns[k].reading, &readings->lanes[i]))
			k++;
		s->lanes[i].column = k;
		if (k < count)
			continue;
		s->columns[k].field = plan->lanes[i].field;
		s->columns[k].reading = readings->lanes[i];
		count++;
	}
	s->column_count = count;
	if (slot_need_elements(s, plan, count) != STATUS_OK)
		return STATUS_SYSTEM;
	for (size_t k = 0; k < count; k++) {
		s->columns[k].scales.size = 0;
		s->columns[k].elements = s->columns[k].memory;
		s->columns[k].step = plan->format.text.inputs * s->columns[k].reading.type->size;
	}
	describe_columns(s, plan->format.text.inputs);
	return STATUS_OK;
}

enum status slot_decode(struct slot *s, const struct plan *plan, const struct readings *readings, size_t offset,
			struct decode_stop_at stop)
{
	if (plan->format.input == FORMAT_BINARY)
		return decode_binary_slot(s, plan);
	if (choose_columns(s, plan, readings) != STATUS_OK)
		return STATUS_SYSTEM;
	s->version = readings->version;
	s->marks.size = 0;
	s->absences.size = 0;
	if (offset == 0) {
		s->lines = 0;
		s->warnings.size = 0;
	}
	s->edits.size = 0;
	s->part_offset = offset;
	const struct decode_target target = {
		.columns = s->decoding,
		.column_count = s->column_count * plan->format.text.inputs,
		.limit = stop.records,
		.limit_field = stop.field * plan->format.text.inputs,
		.lines_before = s->lines,
		.fields = s->fields,
		.at_line_start = offset == 0 ? !s->mid_line : s->data[offset - 1] == '\n',
		.header_lines = offset == 0 ? s->header_lines : 0,
		.header_whole = s->header_whole,
		.dropped_lines = offset == 0 ? s->dropped_lines : 0,
		.marks = &s->marks,
		.absences = &s->absences,
		.edits = &s->edits,
		.warnings = &s->warnings,
		.scratch = &s->scratch,
	};
	const enum status status =
		decode_text(&plan->format.text, (const char *)s->data + offset, s->size - offset, &target, &s->decoded);
	for (size_t k = 0; k < s->column_count; k++)
		s->columns[k].count = s->decoding[s->columns[k].decoder].count;
	return status;
}

size_t slot_record_of(const struct slot *s, const struct slot_column *column, size_t element)
{
	const struct absence *a = (const struct absence *)(const void *)s->absences.data;
	size_t record = element;
	for (size_t i = 0; i < s->absences.size / sizeof *a && a[i].record <= record; i++)
		record += a[i].field == column->field;
	return record;
}

/* Binary results of one lane are written from where they are; exclusive ones begin one place earlier. */
static void encode_in_place(struct slot *s, const struct plan *plan)
{
	const struct slot_lane *l = &s->lanes[0];
	const size_t size = l->format.type->size;
	unsigned char *first = l->results;
	if (plan->lanes[0].exclusive) {
		first -= size;
		memcpy(first, &l->before.value, size);
	}
	if (plan->format.out_swapped)
		decode_swap(first, s->records, size);
	s->write_data = first;
	s->write_size = s->records * size;
}

/* Results of records that were scanned as they are. */
static enum status encode_records(struct slot *s, const struct plan *plan)
{
	const size_t record_size = s->lanes[0].step;
	const size_t size = s->lanes[0].format.type->size;
	unsigned char *first = s->lanes[0].results;
	if (plan->lanes[0].exclusive) {
		first -= record_size;
		for (size_t i = 0; i < s->lane_count; i++)
			memcpy(first + i * size, &s->lanes[i].before.value, size);
	}
	if (plan->format.out_swapped)
		decode_swap(first, s->records * s->lane_count, size);
	s->write_data = first;
	s->write_size = s->records * record_size;
	if (s->out.size == 0)
		return STATUS_OK;
	const enum status status = bytes_append(&s->out, first, s->write_size);
	s->write_data = s->out.data;
	s->write_size = s->out.size;
	return status;
}

/* Binary results of several lanes are joined; exclusive ones begin one place earlier. */
static enum status encode_joined(struct slot *s, const struct plan *plan)
{
	size_t record_size = 0;
	if (plan->by_records)
		return encode_records(s, plan);
	for (size_t i = 0; i < s->lane_count; i++) {
		const struct slot_lane *l = &s->lanes[i];
		const size_t size = l->format.type->size;
		unsigned char *first = l->results;
		if (plan->lanes[i].exclusive) {
			first -= size;
			memcpy(first, &l->before.value, size);
		}
		if (plan->format.out_swapped)
			decode_swap(first, s->records, size);
		s->joining[i] =
			(struct interleaved){.numbers = first, .step = size, .size = size, .offset = record_size};
		record_size += size;
	}
	if (bytes_reserve(&s->out, s->records * record_size) != STATUS_OK)
		return STATUS_SYSTEM;
	interleave_join(s->joining, s->lane_count, s->records, record_size, s->out.data + s->out.size);
	s->out.size += s->records * record_size;
	s->write_data = s->out.data;
	s->write_size = s->out.size;
	return STATUS_OK;
}

/* What the encoder must know of the lanes. */
static enum status describe_lanes(const struct slot *s, const struct plan *plan, struct bytes *lanes)
{
	lanes->size = 0;
	if (bytes_reserve(lanes, s->lane_count * sizeof(struct lane_results)) != STATUS_OK)
		return STATUS_SYSTEM;
	for (size_t i = 0; i < s->lane_count; i++) {
		const struct slot_lane *l = &s->lanes[i];
		const struct bytes *scales = &s->columns[l->column].scales;
		((struct lane_results *)(void *)lanes->data)[i] = (struct lane_results){
			.format = l->format,
			.results = l->results,
			.count = s->columns[l->column].count,
			.absent = l->absent,
			.written = plan->lanes[i].op->written,
			.scales = scales->size > 0 ? scales->data : NULL,
			.scale_before = l->scale_before,
			.before = plan->lanes[i].exclusive ? &l->before : NULL,
		};
	}
	return STATUS_OK;
}

enum status slot_encode(struct slot *s, const struct plan *plan)
{
	const bool only_results = plan->total || plan->format.output == FORMAT_BINARY;
	s->write_data = NULL;
	s->write_size = 0;
	if (plan->total || s->records == 0) {
		s->records = 0;
	} else if (plan->format.output == FORMAT_BINARY && s->lane_count == 1 && s->out.size == 0 &&
		   s->absences.size == 0) {
		encode_in_place(s, plan);
		return STATUS_OK;
	} else if (plan->format.output == FORMAT_BINARY && s->lane_count > 1 && s->absences.size == 0) {
		return encode_joined(s, plan);
	}
	if (describe_lanes(s, plan, &s->encoding) != STATUS_OK)
		return STATUS_SYSTEM;
	const struct part_to_encode part = {
		.byte_order_mark = s->has_byte_order_mark && s->number == 0,
		.text = (const char *)s->data + s->part_offset,
		.text_size = s->decoded.consumed,
		.edits = (const struct edit *)(const void *)s->edits.data,
		.edit_count = s->edits.size / sizeof(struct edit),
		.header = s->header,
		.header_marks = s->decoded.header_marks,
		.initial = s->initial,
		.lanes = (const struct lane_results *)(const void *)s->encoding.data,
		.field_count = plan->field_count,
		.operator_count = plan->operator_count,
		.records = s->records,
		.absences = (const struct absence *)(const void *)s->absences.data,
		.absence_count = s->absences.size / sizeof(struct absence),
		.marks = (const struct mark *)(const void *)s->marks.data,
		.mark_count = only_results ? 0 : s->marks.size / sizeof(struct mark),
		.scratch = &s->scratch,
	};
	if (encode_part(&plan->format, &part, &s->out) != STATUS_OK)
		return STATUS_SYSTEM;
	s->initial = NULL;
	s->has_byte_order_mark = s->has_byte_order_mark && part.text_size == 0;
	s->write_data = s->out.data;
	s->write_size = s->out.size;
	return STATUS_OK;
}

static void free_lane(struct slot_lane *l, bool borrowed)
{
	if (!borrowed)
		memory_free(l->memory);
	memory_free(l->totals);
	memory_free(l->carry_ins);
	memory_free(l->cursor);
	for (size_t i = 0; i < 3; i++)
		memory_free(l->abandoned[i]);
}

void slot_free(struct slot *s)
{
	input_close(s->input);
	bytes_free(&s->buffer);
	bytes_free(&s->marks);
	bytes_free(&s->absences);
	bytes_free(&s->edits);
	bytes_free(&s->scratch);
	bytes_free(&s->warnings);
	bytes_free(&s->encoding);
	bytes_free(&s->joined);
	bytes_free(&s->tiles);
	bytes_free(&s->out);
	for (size_t i = 0; i < s->lane_count; i++) {
		if (!s->borrowed)
			memory_free(s->columns[i].memory);
		memory_free(s->columns[i].abandoned);
		bytes_free(&s->columns[i].scales);
		free_lane(&s->lanes[i], s->borrowed);
	}
	memory_free(s->columns);
	memory_free(s->lanes);
	memory_free(s->works);
	memory_free(s->decoding);
	memory_free(s->readings);
	memory_free(s->splitting);
	memory_free(s->joining);
}
