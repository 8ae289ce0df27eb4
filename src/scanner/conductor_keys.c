/* Scans by key. Every key has a scan of its own for each lane: a cursor, and the last result. Its elements in a chunk
 * are brought together by a stable counting sort, go through the cursor at once, and their results go back to the
 * elements' places. (Those of exact decimals for a sum, or the like, need not be brought together:
 * segment_in_order.c.) */
#include <assert.h>
#include <string.h>

#include "base/message.h"
#include "scanner/key_scans.h"
#include "scanner/key_slices.h"
#include "scanner/lane_texts.h"

enum status conductor_keys_begin(struct conductor *c)
{
	const bool by_fields = text_resets_by_fields(&c->plan->format.text);
	struct key_scans *k = memory_zeros(1, sizeof *k);
	if (k == NULL)
		return STATUS_SYSTEM;
	k->block_size = k->head_size = by_fields ? sizeof(struct key_resets) : 0;
	c->keys = k;
	k->ahead = memory_zeros(c->channel_count, sizeof(struct segments_ahead *));
	if (k->ahead == NULL)
		return STATUS_SYSTEM;
	if (plan_accepts_times(c->plan)) {
		TRY(bytes_make(&k->number_kinds, c->plan->format.text.field_count + 1, 1));
		k->number_kinds.size = c->plan->format.text.field_count + 1;
		memset(k->number_kinds.data, PLACE_NONE, k->number_kinds.size);
	}
	if (c->plan->has_texts) {
		k->texts = memory_zeros(c->plan->lane_count, sizeof(struct key_texts *));
		k->kept = memory_zeros(c->plan->lane_count, sizeof(struct lane_texts *));
		if (k->texts == NULL || k->kept == NULL)
			return STATUS_SYSTEM;
	}
	while (c->lane_count < c->plan->lane_count)
		TRY(conductor_begin_lane(c, c->lane_count++));
	k->plain_total = key_scans_plain_total(c);
	k->keys = keys_new(k->block_size);
	return k->keys == NULL ? STATUS_SYSTEM : STATUS_OK;
}

void conductor_keys_free(const struct conductor *c)
{
	struct key_scans *k = c->keys;
	if (k == NULL)
		return;
	const bool has_resets = k->keys != NULL && k->head_size > 0;
	for (uint32_t i = 0; has_resets && i < keys_count(k->keys); i++) {
		struct key_resets *resets = key_resets_of(k, i);
		bytes_free(&resets->text);
		bytes_free(&resets->name);
	}
	for (uint32_t i = 0; c->plan->has_windows && k->keys != NULL && i < keys_count(k->keys); i++) {
		for (size_t j = 0; j < c->lane_count; j++) {
			if (c->plan->lanes[j].window > 0)
				window_free(segment_window(key_segment(c, j, i)));
		}
	}
	for (size_t i = 0; k->texts != NULL && k->kept != NULL && i < c->lane_count; i++) {
		key_texts_free(k->texts[i]);
		lane_texts_free(k->kept[i]);
	}
	for (size_t i = 0; k->ahead != NULL && i < c->channel_count; i++)
		segments_ahead_free(k->ahead[i]);
	memory_free_all(k->ahead, k->texts, k->kept);
	keys_free(k->keys);
	bytes_free_all(&k->number_kinds, &k->numbers, &k->begun, &k->lines);
	segment_work_free(&k->work);
	bytes_free_all(&k->noted, &k->noted_cursors, &k->noted_before, &k->noted_gaps, &k->noted_ends, &k->noted_totals,
		       &k->ended_totals, &k->ended_last);
	memory_free(k);
}

enum status conductor_keys_begin_first(struct conductor *c, const struct scan_part *part)
{
	const bool is_one = plan_is_one_scan(c->plan);
	const bool is_there = keys_count(c->keys->keys) > 0;
	uint32_t key;
	if (!is_one && (part->place == NULL || part->saved != NULL || plan_has_keys(c->plan)))
		return STATUS_OK;
	TRY(keys_find(c->keys->keys, 0, "", 0, &key));
	if (!is_there)
		key_scans_begin_key(c, key);
	for (size_t i = 0; i < c->lane_count; i++) {
		struct lane *l = &c->lanes[i];
		struct segment *g = key_segment(c, i, key);
		if (is_one) {
			l->only = g;
			l->cursor = segment_cursor(l, g);
			l->submitted = l->only->count;
		} else if (c->plan->resets.every > 0) {
			const uint64_t taken = part->place[1 + c->plan->field_count + l->plan->field];
			g->count = taken % c->plan->resets.every;
		}
	}
	return STATUS_OK;
}

bool conductor_begins_anew(const struct conductor *c)
{
	bool begins = keys_count(c->keys->keys) > 0;
	for (size_t i = 0; i < c->lane_count && begins; i++)
		begins = key_segment(c, i, 0)->is_anew;
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
	const size_t ahead = conductor_ahead_from(c, s, lane);
	struct run_scan all = run_of_lane(c, &k->work, s, lane);
	all.key = key;
	all.begun = text_resets_by_fields(&c->plan->format.text) ? begun[run->key] : 0;
	all.segment = key_segment(c, lane, key);
	all.first = run->first;
	all.count = ahead != SIZE_MAX ? ahead : run->count;
	TRY(segment_scan_all(&all));
	if (ahead != SIZE_MAX)
		TRY(conductor_add_ahead(&all));
	return segment_scan_noted(c, lane, false);
}

/* The runs of a lane's column. */
static enum status scan_runs(struct conductor *c, struct slot *s, size_t lane)
{
	struct key_scans *k = c->keys;
	struct slot_column *column = &s->columns[s->lanes[lane].column];
	const uint32_t *numbers = (const uint32_t *)(const void *)k->numbers.data;
	bool taken = false;
	TRY(segment_begin_results(c, s, lane));
	if (c->plan->lanes[lane].op->of_texts)
		TRY(key_texts_number(c, s, lane));
	if (c->plan->lanes[lane].gives_text)
		TRY(lane_texts_number(c, s, lane));
	if (column->in_order)
		TRY(key_scans_push_in_order(c, s, lane, &taken));
	if (taken) {
		column->lanes_in_order = lane + 1;
		return STATUS_OK;
	}
	if (column->in_order)
		TRY(slot_group_after_all(s, column));
	const struct slot_run *runs = (const struct slot_run *)(const void *)column->runs.data;
	const size_t count = column->runs.size / sizeof *runs;
	for (size_t i = 0; i < count; i++) {
		if (i + AHEAD < count)
			fetch(key_segment(c, lane, numbers[runs[i + AHEAD].key]), c->lanes[lane].size);
		TRY(scan_run(c, s, lane, &runs[i]));
	}
	TRY(segment_scan_noted(c, lane, true));
	return c->part.finds != NULL ? conductor_add_ended_totals(c, lane) : STATUS_OK;
}

static enum status scan_lane(struct conductor *c, struct slot *s, size_t lane)
{
	struct segment_work *w = &c->keys->work;
	struct slot_lane *l = &s->lanes[lane];
	l->ended_first = w->ended.size / sizeof(struct ended);
	w->ended_count = 0;
	const enum status status = scan_runs(c, s, lane);
	l->ended_count = w->ended_count;
	return status;
}

/* Ends the stream before a record, where a chosen field has a text of another kind than those before. */
static void end_at_kind(const struct conductor *c, const struct slot *s, size_t record, size_t field,
			const char *option, enum place_kind kind, enum place_kind decided)
{
	struct key_misfit *m = &c->keys->work.misfit;
	*m = (struct key_misfit){.record = record, .lane = c->lanes, .text_field = field + 1};
	m->problem = (struct problem){.status = STATUS_DATA, .fatal = true, .file_name = s->in.file_name};
	place_describe_kind(option, kind, decided, "the value", m->problem.text, sizeof m->problem.text);
}

/* Ends the stream before the slot's first record if a place of the record is of another kind than those before. */
static void check_place_kinds(const struct conductor *c, const struct slot *s)
{
	const struct text_rules *rules = &c->plan->format.text;
	const uint64_t kinds = s->decode.decoded.place_kinds;
	struct key_scans *k = c->keys;
	for (size_t i = rules->field_count; kinds != 0 && i < rules->total_count; i++) {
		const bool is_gap = i == text_gap_field(rules) && rules->gap.given;
		const struct field_choice *choice = &rules->fields[i];
		const bool is_span = i == text_span_field(rules) && rules->span.given;
		const bool is_unit = choice->unit != UNIT_NONE;
		const size_t which = is_gap ? PLACE_OF_GAP : is_span ? PLACE_OF_SPAN : choice->place;
		const enum place_kind kind = place_kind_of(kinds, which);
		const enum place_kind decided = place_kind_of(k->place_kinds, which);
		const char *option = i < rules->field_count + rules->key_count ? "-g" : "--reset-on";
		const struct place_rule rule = is_gap    ? rules->gap
					       : is_span ? rules->span
							 : place_rule_of_unit(choice->unit, option, false);
		const bool is_doubtful = decided == PLACE_NONE && kind >= PLACE_KINDS;
		if ((!is_gap && !is_span && !is_unit) || kind == PLACE_NONE ||
		    (place_kind_fits(decided, kind) && !is_doubtful))
			continue;
		end_at_kind(c, s, 0, i, rule.option, kind, decided);
		return;
	}
	for (size_t i = 0; i < PLACES_MAX; i++)
		place_kinds_add(&k->place_kinds, place_kind_of(kinds, i), i);
}

/* Ends the stream before the first record with a number of another kind than those before in its field, where numbers
 * may be times. */
static void check_number_kinds(const struct conductor *c, const struct slot *s)
{
	const struct plan *plan = c->plan;
	const struct key_scans *k = c->keys;
	const size_t count = k->number_kinds.size == 0   ? 0
			     : plan->map.field_count > 0 ? slot_map_column_count(plan)
							 : s->decode.column_count * plan->format.text.inputs;
	for (size_t i = 0; i < count; i++) {
		const struct column *column = &s->decoding[i];
		unsigned char *decided = &k->number_kinds.data[column->field];
		assert(column->field < k->number_kinds.size);
		const size_t record = plan->is_reversed ? 0 : column->kind_record;
		if (*decided == PLACE_NONE)
			*decided = (unsigned char)column->kind;
		else if (column->kind != PLACE_NONE && column->kind != *decided && record < k->work.misfit.record)
			end_at_kind(c, s, record, column->field, "--accept=time", column->kind, *decided);
	}
}

enum status conductor_keys_scan(struct conductor *c, struct slot *s)
{
	struct key_scans *k = c->keys;
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
	check_place_kinds(c, s);
	check_number_kinds(c, s);
	TRY(key_scans_number(c, s));
	TRY(segments_number(c, s));
	for (size_t i = 0; i < c->lane_count; i++)
		TRY(scan_lane(c, s, i));
	for (size_t i = 0; i < c->lane_count && plan_is_one_scan(c->plan); i++)
		atomic_store(&c->are_floats[i],
			     c->lanes[i].plan->decimal && key_segment(c, i, 0)->width == WIDTH_FLOAT);
	TRY(key_scans_write_ended(c, s));
	return segments_keep_last(c, s);
}
