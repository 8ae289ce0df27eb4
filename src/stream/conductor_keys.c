/* Scans by key. Every key has a scan of its own for each lane: a cursor, and the last result. Its elements in a chunk
 * are brought together by a stable counting sort, go through the cursor at once, and their results go back to the
 * elements' places. (Sums of exact decimals need not be brought together: conductor_in_order.c.) */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "number/parse.h"
#include "stream/element_format.h"
#include "stream/key_scans.h"

static unsigned char form_of(const struct result *r, bool is_decimal_lane)
{
	if (r->absent)
		return RESULT_FORM_ABSENT;
	if (r->format.decimal)
		return (unsigned char)(r->format.scale | (r->format.type->id == TYPE_I128 ? RESULT_FORM_WIDE : 0));
	return is_decimal_lane && r->format.type->id == TYPE_F64 ? RESULT_FORM_FLOAT : RESULT_FORM_LANE;
}

/* False after a message. */
static bool parse_reset(const struct plan *plan, const struct plan_lane *lane, struct reset_value *at)
{
	const size_t size = strlen(plan->resets.at);
	const struct type *t = lane->decimal ? &type_table[TYPE_F64] : lane->in;
	char quoted[MESSAGE_QUOTED_SIZE];
	if (plan->resets.at_nan || plan->resets.after_missing)
		return true;
	if (number_parse(plan->resets.at, size, t, &at->value) != NUMBER_OK) {
		message_error("--reset-at: no value of %s: %s", lane->decimal ? "num" : t->name,
			      message_quote(quoted, plan->resets.at, size));
		return false;
	}
	if (!lane->decimal)
		return true;
	at->nearest = at->value.f64;
	(void)decimal_parse(plan->resets.at, size, &at->decimal);
	at->decimal.is_float = at->decimal.is_float ||
			       !decimal_mantissa(&at->decimal, at->decimal.scale, &type_table[TYPE_I128], &at->value);
	return true;
}

/* What a key begins with is what the lane begins with. */
static enum status begin_lane(const struct conductor *c, size_t lane, size_t offset)
{
	const struct lane *l = &c->lanes[lane];
	const struct result *initial = &c->initial[l->plan->first_result];
	struct key_lane *k = &c->keys->lanes[lane];
	const struct element_format *first = &c->reading.lanes[lane];
	const struct type *const types[] = {[WIDTH_NARROW] = first->type,
					    [WIDTH_WIDE] = &type_table[TYPE_I128],
					    [WIDTH_FLOAT] = &type_table[TYPE_F64]};
	const bool is_window = c->plan->window > 0;
	const struct plan_lane scanned = is_window ? key_scans_window_lane(l->plan) : *l->plan;
	*k = (struct key_lane){.rows = c->keys->rows + lane * c->keys->width_count,
			       .offset = offset,
			       .size = SEGMENT_SIZE +
				       (is_window ? window_size_max(scanned.op) : l->row.code->cursor_size),
			       .kept_size = scanned.op != l->plan->op ? sizeof(struct written_element) : 0,
			       .keeps_indices = key_scans_keep_indices(c->plan, l->plan)};
	if (k->keeps_indices)
		k->kept_size = sizeof(uint64_t);
	const size_t cursor_end = k->size; /* what comes after it is not the cursor's, whatever its width */
	if (l->plan->op->program != NULL) {
		k->last_offset = k->size;
		k->size += sizeof k->last;
	}
	if (c->plan->lacking.keeps_records) {
		k->counts_offset = key_lane_room(k);
		k->size = k->counts_offset + sizeof(struct record_counts);
	}
	if (l->plan->op->program != NULL && c->plan->device.check_associative) {
		k->tried_offset = key_lane_room(k);
		k->size = k->tried_offset + sizeof(struct tried);
	}
	for (size_t i = 0; i < l->row.results.count && k->last_offset > 0; i++) {
		const struct packed_number *n = &l->row.results.numbers[i];
		memcpy(k->last + n->offset, &initial[i].value, n->type->size);
	}
	for (int w = 0; w < (l->plan->decimal ? WIDTH_COUNT : 1); w++) {
		k->readings[w] = *first;
		k->readings[w].type = w == WIDTH_NARROW && l->plan->decimal ? &type_table[TYPE_I64] : types[w];
		k->readings[w].decimal = l->plan->decimal && w != WIDTH_FLOAT;
		/* Bit operators have no floats. */
		if (w == WIDTH_FLOAT && l->plan->op->bitwise)
			continue;
		const enum status status = conductor_find_row(c->plan, &scanned, &k->readings[w], &k->rows[w]);
		if (status != STATUS_OK)
			return status;
		if (is_window)
			k->windows[w] = window_row_of(&k->rows[w], c->plan->window);
		if (is_window && (c->plan->ends.is_saved || c->plan->lacking.keeps_records || l->plan->decimal))
			window_row_forget_vectors(&k->windows[w]);
		const size_t size = k->rows[w].code->cursor_size;
		k->is_outside[w] = l->plan->decimal && !is_window && SEGMENT_SIZE + size > cursor_end;
		if (k->is_outside[w] && size > k->outside_size)
			k->outside_size = size;
	}
	k->first = (struct segment){
		.last = initial->value,
		.last_form = form_of(initial, l->plan->decimal),
		.width = !l->plan->decimal                           ? WIDTH_NARROW
			 : first->type->id == TYPE_I64 && !is_window ? WIDTH_NARROW
			 : first->decimal                            ? WIDTH_WIDE
								     : WIDTH_FLOAT,
		.scale = (unsigned char)first->scale,
		.own_scale = (unsigned char)initial->format.scale,
		.has_last = l->plan->seed != NULL,
		.is_short = c->plan->lacking.min_count > 0,
	};
	if (c->plan->resets.at != NULL && !parse_reset(c->plan, l->plan, &k->at))
		return STATUS_USAGE;
	/* (An exclusive result is absent where the records before have left the window without a number.) */
	const bool may_be_empty = is_window && c->plan->lacking.keeps_records && l->plan->exclusive;
	k->has_forms = l->plan->decimal || l->row.op->lacks_first || initial->absent ||
		       c->plan->lacking.min_count > 0 || may_be_empty;
	return is_window ? key_scans_try_window(c, k) : STATUS_OK;
}

enum status conductor_keys_begin(struct conductor *c)
{
	struct key_scans *k = memory_new(sizeof *k);
	if (k == NULL)
		return STATUS_SYSTEM;
	const bool by_records = text_resets_by_records(&c->plan->format.text);
	size_t width_count = 1;
	for (size_t i = 0; i < c->lane_count; i++)
		width_count = c->plan->lanes[i].decimal ? WIDTH_COUNT : width_count;
	const size_t rows_size = c->lane_count * width_count * sizeof *k->rows;
	*k = (struct key_scans){.head_size = by_records ? sizeof(struct key_resets) : 0,
				.lanes = memory_new(c->lane_count * sizeof *k->lanes),
				.lane_count = c->lane_count,
				.width_count = width_count,
				.rows = memory_new(rows_size),
				.first_rows = c->plan->is_segmented ? memory_new(rows_size) : NULL,
				.has_windows = c->plan->window > 0};
	k->block_size = k->head_size;
	c->keys = k;
	if (k->lanes == NULL || k->rows == NULL || (c->plan->is_segmented && k->first_rows == NULL))
		return STATUS_SYSTEM;
	for (size_t i = 0; i < c->lane_count; i++) {
		const enum status status = begin_lane(c, i, k->block_size);
		if (status != STATUS_OK)
			return status;
		k->block_size += key_lane_room(&k->lanes[i]);
	}
	if (k->first_rows != NULL)
		memcpy(k->first_rows, k->rows, rows_size);
	k->plain_total = key_scans_plain_total(c);
	k->keys = keys_new(k->block_size);
	return k->keys == NULL ? STATUS_SYSTEM : STATUS_OK;
}

void conductor_keys_free(struct key_scans *k)
{
	if (k == NULL)
		return;
	const bool has_resets = k->keys != NULL && k->head_size > 0;
	for (uint32_t i = 0; has_resets && i < keys_count(k->keys); i++) {
		struct key_resets *resets = key_resets_of(k, i);
		bytes_free(&resets->text);
		bytes_free(&resets->name);
	}
	for (uint32_t i = 0; k->has_windows && k->keys != NULL && i < keys_count(k->keys); i++) {
		for (size_t j = 0; j < k->lane_count; j++)
			window_free(segment_window(key_segment(k, j, i)));
	}
	keys_free(k->keys);
	memory_free(k->lanes);
	memory_free(k->rows);
	memory_free(k->first_rows);
	bytes_free(&k->numbers);
	bytes_free(&k->begun);
	bytes_free(&k->lines);
	segment_work_free(&k->work);
	bytes_free(&k->noted);
	bytes_free(&k->noted_cursors);
	bytes_free(&k->noted_before);
	bytes_free(&k->noted_gaps);
	bytes_free(&k->noted_ends);
	bytes_free(&k->ended_last);
	memory_free(k);
}

/* The only key begins, unless it was loaded. */
static enum status begin_only_key(const struct conductor *c)
{
	const bool is_there = keys_count(c->keys->keys) > 0;
	uint32_t key;
	const enum status status = keys_find(c->keys->keys, 0, "", 0, &key);
	if (status == STATUS_OK && !is_there)
		key_scans_begin_key(c, key);
	return status;
}

enum status conductor_keys_begin_only(struct conductor *c)
{
	const enum status status = begin_only_key(c);
	for (size_t i = 0; i < c->lane_count && status == STATUS_OK; i++) {
		struct lane *l = &c->lanes[i];
		l->only = key_segment(c->keys, i, 0);
		l->cursor = segment_cursor(&c->keys->lanes[i], l->only);
		l->submitted = l->only->count;
	}
	return status;
}

enum status conductor_keys_go_on(struct conductor *c, const uint64_t *taken)
{
	const enum status status = begin_only_key(c);
	for (size_t i = 0; i < c->lane_count && c->plan->resets.every > 0 && status == STATUS_OK; i++)
		key_segment(c->keys, i, 0)->count = taken[c->lanes[i].plan->field] % c->plan->resets.every;
	return status;
}

bool conductor_begins_anew(const struct conductor *c)
{
	bool begins = keys_count(c->keys->keys) > 0;
	for (size_t i = 0; i < c->lane_count && begins; i++)
		begins = key_segment(c->keys, i, 0)->is_anew;
	return begins;
}

static void fetch(const void *memory, size_t size)
{
	for (size_t i = 0; i < size; i += MEMORY_ALIGNMENT)
		__builtin_prefetch((const unsigned char *)memory + i, 1);
}

/* A key's elements of one lane. */
static enum status scan_run(struct conductor *c, struct slot *s, size_t lane, const struct slot_run *run)
{
	struct key_scans *k = c->keys;
	const uint32_t key = ((const uint32_t *)(const void *)k->numbers.data)[run->key];
	const uint64_t *begun = (const uint64_t *)(const void *)k->begun.data;
	const size_t ahead = conductor_ahead_from(s, lane);
	const struct run_scan all = {
		.c = c,
		.work = &k->work,
		.s = s,
		.lane = lane,
		.key_lane = &k->lanes[lane],
		.key = key,
		.begun = text_resets_by_records(&c->plan->format.text) ? begun[run->key] : 0,
		.segment = key_segment(k, lane, key),
		.first = run->first,
		.count = ahead != SIZE_MAX ? ahead : run->count,
	};
	enum status status = segment_scan_all(&all);
	if (status == STATUS_OK && ahead != SIZE_MAX)
		status = conductor_take_ahead(&all);
	return status == STATUS_OK ? segment_scan_noted(c, lane, false) : status;
}

/* The runs of a lane's column. */
static enum status scan_lane(struct conductor *c, struct slot *s, size_t lane)
{
	struct key_scans *k = c->keys;
	struct slot_column *column = &s->columns[s->lanes[lane].column];
	const uint32_t *numbers = (const uint32_t *)(const void *)k->numbers.data;
	bool taken = false;
	enum status status = segment_begin_results(c, s, lane);
	k->work.ended_count = 0;
	if (status == STATUS_OK && column->in_order)
		status = key_scans_take_in_order(c, s, &taken);
	else if (status == STATUS_OK && plan_is_one_scan(c->plan))
		status = key_scans_take_whole(c, s, lane, &taken);
	if (status != STATUS_OK || taken)
		return status;
	if (column->in_order)
		status = slot_group_after_all(s, column);
	const struct slot_run *runs = (const struct slot_run *)(const void *)column->runs.data;
	const size_t count = column->runs.size / sizeof *runs;
	for (size_t i = 0; i < count && status == STATUS_OK; i++) {
		if (i + AHEAD < count)
			fetch(key_segment(k, lane, numbers[runs[i + AHEAD].key]), k->lanes[lane].size);
		status = scan_run(c, s, lane, &runs[i]);
	}
	return status == STATUS_OK ? segment_scan_noted(c, lane, true) : status;
}

/* The stream ends before the slot's first record if that tells its place in another way than those before. */
static void check_gap_kind(struct key_scans *k, const struct slot *s)
{
	const enum gap_kind kind = s->decode.decoded.gap_kind;
	struct key_misfit *m = &k->work.misfit;
	if (kind == PLACE_NONE || k->gap_kind == PLACE_NONE || kind == k->gap_kind) {
		k->gap_kind = kind != PLACE_NONE ? kind : k->gap_kind;
		return;
	}
	*m = (struct key_misfit){.is_of_gap = true};
	m->problem = (struct problem){.status = STATUS_DATA, .fatal = true, .file_name = s->in.file_name};
	gap_describe_kind(kind, k->gap_kind, "it", m->problem.text, sizeof m->problem.text);
}

enum status conductor_keys_scan(struct conductor *c, struct slot *s)
{
	struct key_scans *k = c->keys;
	enum status status = STATUS_OK;
	k->work.misfit = (struct key_misfit){.record = SIZE_MAX};
	k->work.ended.size = 0;
	k->work.ended_records.size = 0;
	k->ended_last.size = 0;
	k->lines.size = 0;
	for (size_t i = 0; i < c->lane_count; i++) {
		s->lanes[i].results_of = c->lanes[i].row.results;
		s->lanes[i].format = conductor_format(c, i, 0);
		s->lanes[i].absent = 0;
	}
	if (s->decode.decoded.records == 0)
		return STATUS_OK;
	check_gap_kind(k, s);
	status = key_scans_number(c, s);
	for (size_t i = 0; i < c->lane_count && status == STATUS_OK; i++)
		status = scan_lane(c, s, i);
	for (size_t i = 0; i < c->lane_count && status == STATUS_OK && plan_is_one_scan(c->plan); i++)
		atomic_store(&c->reading.are_floats[i],
			     c->lanes[i].plan->decimal && key_segment(k, i, 0)->width == WIDTH_FLOAT);
	if (status == STATUS_OK)
		status = key_scans_write_ended(c);
	return status == STATUS_OK ? key_scans_keep(c, s) : status;
}
