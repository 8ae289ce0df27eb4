/* Writes the totals of keys and segments, and the names of keys in messages. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "chunk/key_fields.h"
#include "scanner/key_scans.h"
#include "scanner/key_slices.h"
#include "scanner/lane_texts.h"

static enum status put_key(const struct conductor *c, uint32_t key, enum key_form form, struct bytes *out)
{
	size_t size;
	const unsigned char *bytes = keys_bytes(c->keys->keys, key, &size);
	return key_fields_put(c->plan, KEY_FIELDS, bytes, size, form, out);
}

/* Whether one of the last results cannot be written: it is absent, and its bytes are an integer's. The problem is that
 * of the key, but for its place. */
static bool lacks_total(const struct conductor *c, const struct result *all, uint32_t key, struct key_misfit *m)
{
	const struct plan *plan = c->plan;
	for (size_t i = 0; i < c->lane_count && plan->format.output == FORMAT_BINARY; i++) {
		const struct lane *l = &c->lanes[i];
		const struct result *last = &all[l->plan->first_result];
		if (!last->absent || last->format.type->kind == KIND_FLOAT)
			continue;
		*m = (struct key_misfit){.lane = l, .key = key, .is_of_total = true};
		m->problem = (struct problem){.status = STATUS_DATA, .fatal = true};
		(void)snprintf(m->problem.text, sizeof m->problem.text, "%s%s: there is no %s",
			       plan_has_resets(plan) ? "a segment of " : "",
			       l->only != NULL && !l->only->has_last ? "no elements"
			       : l->plan->lags                       ? "too few elements"
								     : "one element",
			       l->plan->name);
		return true;
	}
	return false;
}

/* Writes a total's line: key, reset fields, and the last results. ends: gets the line's end in `out`, or NULL.
 * STATUS_DATA, with *m but for its record, if one of the results cannot be written. */
static enum status put_total(const struct conductor *c, struct result *last, uint32_t key, const void *text,
			     size_t text_size, struct bytes *out, struct bytes *ends, struct key_misfit *m)
{
	const size_t begin = out->size;
	struct problem problem;
	if (lacks_total(c, last, key, m))
		return STATUS_DATA;
	const struct record_format *format = &c->plan->format;
	/* (Texts have no place among bytes.) */
	const bool is_text = format->output == FORMAT_TEXT;
	const bool has_place = is_text || format->input == FORMAT_BINARY;
	const enum key_form form = is_text ? KEY_IN_LINE : KEY_IN_BYTES;
	if (is_text && format->text.cut == CUT_JSON && bytes_append(out, "{", 1) != STATUS_OK)
		return STATUS_SYSTEM;
	if (has_place && (put_key(c, key, form, out) != STATUS_OK ||
			  key_fields_put(c->plan, RESET_FIELDS, text, text_size, form, out) != STATUS_OK))
		return STATUS_SYSTEM;
	for (size_t i = 0; i < c->lane_count && c->plan->emit.is_late; i++)
		TRY(slot_emit_result(c->emit, c->plan, i, &last[c->plan->lanes[i].first_result]));
	/* An absent result alone in a line is written as "-". */
	const bool is_alone = format->text.key_count + format->text.reset_count == 0 && c->plan->result_count == 1;
	const enum status status =
		encode_rest(format, last, c->plan->result_count, is_alone ? "-" : NULL, &problem, out);
	if (status == STATUS_DATA) {
		out->size = begin;
		*m = (struct key_misfit){.lane = c->lanes, .key = key, .is_of_total = true, .problem = problem};
	}
	TRY(status);
	return ends != NULL ? bytes_append(ends, &out->size, sizeof out->size) : STATUS_OK;
}

/* Sets the lane's results among `all`. last: their values, packed if it is a program's lane. */
static void set_last(const struct conductor *c, struct result *all, size_t lane, const void *last, unsigned char form,
		     bool is_duration)
{
	struct result *to = &all[c->plan->lanes[lane].first_result];
	const struct packed *results = &c->lanes[lane].row.results;
	const struct lane_results given = {.format = conductor_format(c, lane, 0), .results = last, .forms = &form};
	if (c->lanes[lane].last_offset == 0)
		*to = result_of(&given, 0);
	if (c->plan->lanes[lane].gives_text && !to->absent)
		lane_texts_result(c, lane, to);
	to->format.is_duration = is_duration;
	for (size_t i = 0; i < results->count && c->lanes[lane].last_offset > 0; i++) {
		const struct packed_number *n = &results->numbers[i];
		to[i] = (struct result){.format = conductor_format(c, lane, i), .absent = form >= RESULT_FORM_ABSENT};
		memcpy(&to[i].value, (const unsigned char *)last + n->offset, n->type->size);
	}
}

static int compare_ended(const void *a, const void *b)
{
	const struct ended *x = a;
	const struct ended *y = b;
	return x->record != y->record ? (x->record > y->record) - (x->record < y->record)
				      : (x->order > y->order) - (x->order < y->order);
}

static bool are_in_order(const struct ended *ended, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		if (compare_ended(&ended[i - 1], &ended[i]) > 0)
			return false;
	}
	return true;
}

/* (Measured: without it, totals of binary segments of 3 elements take 7 times as long, and of 30 twice.) */
size_t key_scans_plain_total(const struct conductor *c)
{
	const struct record_format *f = &c->plan->format;
	const bool is_plain = f->output == FORMAT_BINARY && !f->out_swapped && c->lane_count == 1 &&
			      f->text.reset_count == 0 && f->text.key_count == 0 && c->lanes->last_offset == 0 &&
			      !c->lanes->has_forms;
	return is_plain ? c->lanes->row.results.size : 0;
}

/* Plain totals are already in output form. ends: as for put_total. */
static enum status put_plain(struct key_scans *k, struct bytes *ends)
{
	const uint32_t *records = (const uint32_t *)(const void *)k->work.ended_records.data;
	size_t count = k->work.ended_count;
	while (count > 0 && records[count - 1] > k->work.misfit.record)
		count--;
	for (size_t i = 1; i <= count && ends != NULL; i++) {
		const size_t end = k->lines.size + i * k->plain_total;
		TRY(bytes_append(ends, &end, sizeof end));
	}
	return bytes_append(&k->lines, k->work.ended.data, count * k->plain_total);
}

/* The totals of segments that ended, in the order of the records that ended them. (Up to the misfit the segments of all
 * lanes end together. After it a lane's may end elsewhere.) */
enum status key_scans_write_ended(struct conductor *c, struct slot *s)
{
	struct key_scans *k = c->keys;
	struct bytes *ends = c->plan->is_reversed ? &s->write.ends : NULL;
	if (k->plain_total > 0)
		return put_plain(k, ends);
	struct ended *ended = (struct ended *)(void *)k->work.ended.data;
	for (size_t i = 0; i < c->lane_count; i++) {
		const struct slot_lane *l = &s->lanes[i];
		if (l->ended_count > 0 && !are_in_order(ended + l->ended_first, l->ended_count))
			qsort(ended + l->ended_first, l->ended_count, sizeof *ended, compare_ended);
	}
	struct key_misfit *m = &k->work.misfit;
	const size_t count = s->lanes->ended_count;
	for (size_t j = 0; j < count && ended[j].record <= m->record && !m->is_of_total; j++) {
		for (size_t i = 0; i < c->lane_count; i++) {
			const struct ended *e = &ended[s->lanes[i].ended_first + j];
			const bool is_noted = c->lanes[i].last_offset > 0;
			set_last(c, c->last, i, is_noted ? (const void *)(k->ended_last.data + e->last.u64) : &e->last,
				 e->form, durations_of_total(c->plan, i, s, e->record, &c->lanes[i].durations));
		}
		const enum status status =
			put_total(c, c->last, ended[j].key, ended[j].text, ended[j].text_size, &k->lines, ends, m);
		if (status == STATUS_DATA)
			m->record = ended[j].record;
		else
			TRY(status);
	}
	return STATUS_OK;
}

/* Whether a total is written of a key's last segment. The only one of a stream has a total in any case: of no elements
 * it is what comes before them. */
static bool has_total(const struct conductor *c, uint32_t key)
{
	bool has = plan_is_one_scan(c->plan);
	for (size_t i = 0; i < c->lane_count; i++)
		has = has || segment_has_total(c->plan, &c->lanes[i], key_segment(c, i, key));
	return has;
}

/* A key, and its place among those with a total. */
struct ordered_key {
	uint64_t order;
	uint32_t key;
};

static int compare_ordered(const void *a, const void *b)
{
	const struct ordered_key *x = a;
	const struct ordered_key *y = b;
	return x->order != y->order ? (x->order > y->order) - (x->order < y->order)
				    : (x->key > y->key) - (x->key < y->key);
}

/* The keys in the order of their first numbers, where records without one begin keys, too: struct ordered_key. */
static enum status order_keys(const struct conductor *c, struct bytes *ordered)
{
	const struct key_scans *k = c->keys;
	const uint32_t count = totals_go_by_numbers(c->plan) ? keys_count(k->keys) : 0;
	TRY(bytes_make(ordered, count, sizeof(struct ordered_key)));
	struct ordered_key *keys = (struct ordered_key *)(void *)ordered->data;
	for (uint32_t key = 0; key < count; key++) {
		keys[key] = (struct ordered_key){.order = UINT64_MAX, .key = key};
		for (size_t i = 0; i < c->lane_count; i++) {
			const struct record_counts *n = segment_counts(&c->lanes[i], key_segment(c, i, key));
			const uint64_t order = n != NULL ? n->order : 0;
			keys[key].order = order > 0 && order < keys[key].order ? order : keys[key].order;
		}
	}
	if (count > 0)
		qsort(keys, count, sizeof *keys, compare_ordered);
	return STATUS_OK;
}

/* The totals of a slice of the keys. */
struct totals {
	const struct conductor *c;
	size_t first, end; /* places of its keys in their order */
	struct result *last; /* the results that are written next */
	struct bytes out, ends; /* the lines, and the end of each. Owned */
	enum status status;
	struct key_misfit misfit; /* the first total that cannot be written, if its problem has a status */
};

static void put_totals(void *owner, size_t slice)
{
	struct totals *t = (struct totals *)owner + slice;
	const struct conductor *c = t->c;
	const struct key_scans *k = c->keys;
	const struct ordered_key *ordered = (const struct ordered_key *)(const void *)k->numbers.data;
	static const struct bytes none;
	for (size_t j = t->first; j < t->end && t->status == STATUS_OK; j++) {
		const uint32_t key = totals_go_by_numbers(c->plan) ? ordered[j].key : (uint32_t)j;
		const bool has_name = c->plan->format.text.reset_count > 0;
		const struct bytes *text = has_name ? &key_resets_of(k, key)->name : &none;
		if (!has_total(c, key))
			continue;
		for (size_t i = 0; i < c->lane_count; i++) {
			struct segment *g = key_segment(c, i, key);
			set_last(c, t->last, i, segment_last(&c->lanes[i], g), segment_shown_form(g),
				 durations_of_total(c->plan, i, NULL, 0, &c->lanes[i].durations));
		}
		t->status = put_total(c, t->last, key, text->data, text->size, &t->out,
				      c->plan->is_reversed ? &t->ends : NULL, &t->misfit);
	}
}

/* Appends a slice's totals to the output. */
static enum status append_totals(const struct totals *t, struct slot *s)
{
	const size_t base = s->write.out.size;
	const size_t *ends = (const size_t *)(const void *)t->ends.data;
	enum status status = t->status == STATUS_DATA ? STATUS_OK : t->status; /* its problem is in the misfit */
	for (size_t i = 0; i < t->ends.size / sizeof *ends && status == STATUS_OK; i++) {
		const size_t end = base + ends[i];
		status = bytes_append(&s->write.ends, &end, sizeof end);
	}
	if (status == STATUS_OK)
		status = bytes_append(&s->write.out, t->out.data, t->out.size);
	if (status == STATUS_OK && t->misfit.problem.status != STATUS_OK) {
		s->scan.problem = t->misfit.problem;
		s->scan.problem.file_name = s->in.file_name;
		status = key_scans_name(t->c, t->misfit.key, t->misfit.problem.text, &s->scan.problem);
	}
	return status;
}

enum status key_totals_write(struct conductor *c, struct slot *s)
{
	const size_t count = keys_count(c->keys->keys);
	const bool is_whole = c->emit != NULL || count == 0; /* slot_emit is one thread's */
	const size_t slices = is_whole ? 1 : key_slice_count(count);
	const size_t row = c->plan->result_count;
	struct totals *t = memory_new(slices * sizeof *t);
	struct result *last = memory_new(slices * row * sizeof *last);
	enum status status = t != NULL && last != NULL ? order_keys(c, &c->keys->numbers) : STATUS_SYSTEM;
	for (size_t i = 0; i < slices && status == STATUS_OK; i++) {
		t[i] = (struct totals){.c = c, .end = count, .last = last + i * row};
		if (slices > 1) {
			t[i].first = key_slice_first(i, count);
			t[i].end = key_slice_end(i, count);
		}
	}
	if (status == STATUS_OK) {
		pool_do_all(c->keys_pool, slices, put_totals, t);
		for (size_t i = 0; i < slices; i++) {
			if (status == STATUS_OK && s->scan.problem.status == STATUS_OK)
				status = append_totals(&t[i], s);
			bytes_free(&t[i].out);
			bytes_free(&t[i].ends);
		}
	}
	memory_free(last);
	memory_free(t);
	return status;
}

enum status conductor_name_key(const struct conductor *c, uint32_t key, struct bytes *out)
{
	const size_t size = out->size;
	const enum status status = put_key(c, key, KEY_IN_WORDS, out);
	out->size -= out->size > size; /* the delimiter after it */
	return status;
}

/* Puts the key's name before the problem's text. */
enum status key_scans_name(const struct conductor *c, uint32_t key, const char *why, struct problem *p)
{
	char quoted[MESSAGE_QUOTED_SIZE];
	struct bytes text = {0};
	const enum status status = conductor_name_key(c, key, &text);
	if (status == STATUS_OK && c->plan->format.text.key_count > 0)
		(void)snprintf(p->text, sizeof p->text, "key %s: %s",
			       message_quote(quoted, (const char *)text.data, text.size), why);
	else
		(void)snprintf(p->text, sizeof p->text, "%s", why);
	bytes_free(&text);
	return status;
}
