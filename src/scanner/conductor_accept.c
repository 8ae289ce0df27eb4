/* Accepts a chunk's valid results: the slot outputs them, and the last ones become the stream's last results. At a
 * misfit (misfit_record.c) the stream ends, and the problem gets its place. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "scanner/key_scans.h"
#include "scanner/lane_texts.h"

void conductor_note_last(struct conductor *c, size_t lane, void *results, uint64_t count)
{
	const struct lane *l = &c->lanes[lane];
	struct segment *g = l->only;
	const bool lacks = conductor_lacks_result(c, l, g->has_last + count, results);
	segment_took(l, g, results, l->row.results.size, lacks ? RESULT_FORM_ABSENT : RESULT_FORM_LANE, count);
}

/* Gives the slot the lane's results, with the previous result before them. */
static void accept_lane(struct conductor *c, size_t lane, struct slot_lane *s, const struct slot_column *k,
			bool has_results)
{
	const struct lane *l = &c->lanes[lane];
	struct segment *g = l->only;
	const size_t step = conductor_result_step(&l->row, s);
	s->results_of = l->row.results;
	s->format = conductor_format(c, lane, 0);
	if (!has_results)
		return;
	unsigned char *results = s->results;
	conductor_put_before(l, g, &l->row, s);
	s->has_before = (c->plan->include_initial || g->count > 0) && g->last_form < RESULT_FORM_ABSENT;
	s->absent = l->plan->moves_results && g->last_form >= RESULT_FORM_ABSENT;
	if (k->count > 0) {
		s->absent += conductor_lacks_result(c, l, g->has_last + 1, results);
		conductor_note_last(c, lane, results + (k->count - 1) * step, k->count);
	}
}

/* Why exact decimals end at the token at which the slot's decoding stopped. */
static void explain(const struct conductor *c, const struct slot *s, const struct key_misfit *m, char *why, size_t size)
{
	const struct decoded *t = &s->decode.decoded;
	if (c->plan->map.field_count > 0)
		(void)snprintf(why, size, "%s%s", m->why != NULL ? m->why : "cannot stay exact",
			       text_type_hint(&c->plan->format.text));
	else
		(void)snprintf(why, size, "%s: %s%s", m->why != NULL ? m->why : "cannot stay exact",
			       message_quoted_part(t->token, t->token_size), text_type_hint(&c->plan->format.text));
}

/* How many elements of a column take part. */
static size_t count_parts(const struct slot_column *column)
{
	size_t count = column->count;
	for (size_t i = 0; i < column->count && column->roles.size > 0; i++)
		count -= column->roles.data[i] != ROLE_TAKES_PART;
	return count;
}

/* Decodes text again up to the record at which the stream ends, and notes the record's line. In a reversed scan these
 * records come after the stream's end, and the warnings of those before it are kept. */
static enum status decode_to(struct conductor *c, struct slot *s, struct decode_stop_at stop, uint64_t *line)
{
	struct bytes warnings = s->decode.warnings;
	if (c->plan->is_reversed)
		s->decode.warnings = (struct bytes){0};
	const enum status status = slot_decode(s, c->plan, c->are_floats, stop);
	*line = s->decode.decoded.lines + 1;
	if (!c->plan->is_reversed)
		return status;
	bytes_free(&s->decode.warnings);
	*line += s->in.dropped_lines;
	const struct warning *all = (const struct warning *)(const void *)warnings.data;
	const size_t count = warnings.size / sizeof *all;
	size_t first = 0;
	while (first < count && all[first].line <= *line)
		first++;
	if (first < count)
		memmove(warnings.data, all + first, (count - first) * sizeof *all);
	warnings.size = (count - first) * sizeof *all;
	s->decode.warnings = warnings;
	return status;
}

/* The stream ends before the record of the misfit: what is behind it is forgotten, and the problem gets its place. */
static enum status end_before(struct conductor *c, struct slot *s)
{
	const struct key_misfit *m = &c->keys->work.misfit;
	const struct text_rules *rules = &c->plan->format.text;
	const bool has_fields = c->plan->format.input == FORMAT_TEXT && rules->field_count > 0;
	const struct lane *l = m->lane;
	const bool is_reversed = c->plan->is_reversed;
	/* (The record's index in the order of the text.) */
	const size_t records = s->decode.decoded.records;
	const size_t index = !is_reversed ? m->record : m->record < records ? records - 1 - m->record : 0;
	const struct decode_stop_at stop = {.records = index, .field = l->plan->field};
	struct problem *problem = &s->scan.problem;
	char why[PROBLEM_TEXT_SIZE];
	uint64_t line = 0;
	/* Decoding again needs the elements in record order. */
	TRY(slot_ungroup(s));
	if (c->plan->format.input == FORMAT_BINARY)
		slot_keep_records(s, c->plan, m->record);
	else if (decode_to(c, s, stop, &line) != STATUS_OK)
		return STATUS_SYSTEM;
	s->decode.decoded.records = m->record;
	*problem = m->problem;
	memcpy(why, m->problem.text, sizeof why);
	/* (That a program is not associative is described already.) */
	const bool is_described = l->exact != NULL && m->why == NULL;
	const bool is_of_text = m->text_field > 0;
	const bool is_of_token = l->plan->decimal && !is_described && !m->is_of_total && !is_of_text;
	if (is_of_token) {
		*problem = (struct problem){.status = STATUS_DATA, .fatal = true};
		explain(c, s, m, why, sizeof why);
	}
	/* A segment's last element is the one before that record; where there are keys, lines or a file before, it may
	 * be anywhere. */
	const uint64_t number = conductor_number(c, s, l, m->record, m->is_of_total);
	const bool has_place = !m->is_of_total || (!has_fields && rules->key_count == 0 && number > 0);
	/* (Of text that is read from its end, elements before the chunk are not counted, but lines are.) */
	if (is_of_token || ((has_fields || (is_reversed && c->plan->format.input == FORMAT_TEXT)) && has_place)) {
		problem->line = line;
		const size_t field = is_of_text ? m->text_field - 1 : l->plan->field * rules->inputs;
		/* (What --map makes of several fields is in none of them.) */
		const bool has_field = s->head.fields != NULL && (c->plan->map.field_count <= 1 || is_of_text);
		problem->field = has_field ? s->head.fields[field] : 0;
	} else if (has_place) {
		char reason[PROBLEM_TEXT_SIZE];
		memcpy(reason, why, sizeof reason);
		(void)snprintf(why, sizeof why, "element %" PRIu64 ": %.*s", number, (int)sizeof why - 40, reason);
		problem->field = c->plan->field_count > 1 && !is_of_text ? conductor_field_number(c, s, l) : 0;
	}
	if (is_of_text)
		memcpy(problem->text, why, sizeof why);
	return is_of_text ? STATUS_OK : key_scans_name(c, m->key, why, problem);
}

enum status conductor_accept(struct conductor *c, struct slot *s)
{
	if (c->keys->work.misfit.record != SIZE_MAX && end_before(c, s) != STATUS_OK)
		return STATUS_SYSTEM;
	const size_t records = s->decode.decoded.records;
	const bool has_results = c->part.gathered == NULL;
	s->scan.records = has_results ? records : 0;
	c->keys->records += records;
	for (size_t i = 0; i < c->lane_count; i++) {
		struct slot_lane *l = &s->lanes[i];
		const struct slot_column *k = conductor_column(s, l);
		const size_t parts = count_parts(k);
		if (!c->plan->is_segmented)
			accept_lane(c, i, l, k, has_results && s->in.size > 0);
		durations_accept(c->plan, i, s, &c->lanes[i].durations);
		c->lanes[i].element_base += records;
		c->lanes[i].taken += parts;
		s->scan.element_count += i % c->plan->operator_count == 0 ? parts : 0;
		s->scan.result_bytes += k->count * l->results_of.size;
	}
	if (c->plan->has_texts && lane_texts_accept(c, s) != STATUS_OK)
		return STATUS_SYSTEM;
	if (c->keys->work.misfit.record == SIZE_MAX)
		conductor_copy_problem(c, s);
	s->picture.key_numbers.size = 0;
	if (c->plan->ends.plots && plan_has_keys(c->plan) && s->scan.records > 0 &&
	    bytes_append(&s->picture.key_numbers, c->keys->numbers.data,
			 grouper_count(&s->keyed.keys) * sizeof(uint32_t)) != STATUS_OK)
		return STATUS_SYSTEM;
	return bytes_append(&s->write.out, c->keys->lines.data, c->keys->lines.size);
}
