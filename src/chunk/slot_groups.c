/* A chunk's elements in the order of their keys, and their results in the order of the chunk again: a stable counting
 * sort. */
#include <string.h>

#include "chunk/slot.h"
#include "text/marks.h"

/* Counts for each record how many elements are missing, kept or held. */
static enum status count_lacking(struct slot *s)
{
	const struct absence *absences = (const struct absence *)(const void *)s->decode.absences.data;
	const size_t absence_count = s->decode.absences.size / sizeof *absences;
	bool any = absence_count > 0;
	for (size_t i = 0; i < s->decode.column_count; i++)
		any = any || s->columns[i].helds.size > 0;
	any = any && s->decode.decoded.records > 0;
	TRY(bytes_make(&s->keyed.lacking, any ? s->decode.decoded.records : 0, sizeof(uint32_t)));
	if (!any)
		return STATUS_OK;
	s->keyed.lacking.size = s->decode.decoded.records * sizeof(uint32_t);
	uint32_t *lacking = (uint32_t *)(void *)s->keyed.lacking.data;
	memset(lacking, 0, s->keyed.lacking.size);
	for (size_t i = 0; i < absence_count && absences[i].record < s->decode.decoded.records; i++)
		lacking[absences[i].record]++;
	for (size_t i = 0; i < s->decode.column_count; i++) {
		const struct held *helds = (const struct held *)(const void *)s->columns[i].helds.data;
		const bool is_first = i == 0 || s->columns[i].field != s->columns[i - 1].field;
		for (size_t j = 0; is_first && j < s->columns[i].helds.size / sizeof *helds; j++) {
			if (helds[j].record < s->decode.decoded.records)
				lacking[helds[j].record] = (lacking[helds[j].record] + 1) | LACKS_HELD;
		}
	}
	return STATUS_OK;
}

/* Sets the record of each element of a column. Records without one are left out. */
static enum status find_records(const struct slot *s, struct slot_column *k)
{
	const struct absence *a = (const struct absence *)(const void *)s->decode.absences.data;
	const size_t absence_count = s->decode.absences.size / sizeof *a;
	size_t next = 0;
	size_t count = 0;
	TRY(bytes_make(&k->records, absence_count > 0 ? s->decode.decoded.records : 0, sizeof(uint32_t)));
	uint32_t *records = (uint32_t *)(void *)k->records.data;
	for (uint32_t i = 0; i < s->decode.decoded.records && absence_count > 0; i++) {
		bool lacks = false;
		for (; next < absence_count && a[next].record == i; next++)
			lacks = lacks || a[next].field == k->field;
		records[count] = i;
		count += !lacks;
	}
	k->records.size = count * sizeof *records;
	return STATUS_OK;
}

/* Whether a kept or held element is a NaN, by its text (perhaps quoted). */
static bool is_nan(const struct held *h)
{
	const bool is_quoted = h->size > 1 && h->text[0] == '"';
	return marks_is_nan(h->text + is_quoted, h->size - (is_quoted ? 2 : 0));
}

/* Which of a column's elements take no part. */
static enum status find_parts(struct slot_column *k)
{
	const struct held *helds = (const struct held *)(const void *)k->helds.data;
	const size_t count = k->helds.size / sizeof *helds;
	TRY(bytes_make(&k->roles, count > 0 ? k->count : 0, 1));
	if (count == 0)
		return STATUS_OK;
	k->roles.size = k->count;
	memset(k->roles.data, ROLE_TAKES_PART, k->count);
	for (size_t i = 0; i < count && helds[i].element < k->count; i++)
		k->roles.data[helds[i].element] = (unsigned char)((helds[i].is_absent ? ROLE_IS_ABSENT : ROLE_HOLDS) |
								  (is_nan(&helds[i]) ? ROLE_IS_NAN : 0));
	return STATUS_OK;
}

/* Things of size bytes, step bytes apart, to their places. (Of a size that is known where it is inlined.) */
static inline void scatter(const unsigned char *from, size_t step, size_t size, const uint32_t *places, size_t count,
			   unsigned char *to)
{
	for (size_t i = 0; i < count; i++)
		memcpy(to + places[i] * size, from + i * step, size);
}

static inline void gather(const unsigned char *from, size_t step, size_t size, const uint32_t *places, size_t count,
			  unsigned char *to)
{
	for (size_t i = 0; i < count; i++)
		memcpy(to + i * size, from + places[i] * step, size);
}

typedef void mover(const unsigned char *from, size_t step, size_t size, const uint32_t *places, size_t count,
		   unsigned char *to);

static inline void move(mover *moves, const unsigned char *from, size_t step, size_t size, const uint32_t *places,
			size_t count, unsigned char *to)
{
	switch (size) {
	case 1:
		moves(from, step, 1, places, count, to);
		break;
	case 4:
		moves(from, step, 4, places, count, to);
		break;
	case 8:
		moves(from, step, 8, places, count, to);
		break;
	case 16:
		moves(from, step, 16, places, count, to);
		break;
	default:
		moves(from, step, size, places, count, to);
		break;
	}
}

/* Reorders `count` items of `size` bytes into *spare, then swaps *b and *spare. */
static enum status move_all(mover *moves, struct bytes *b, size_t size, struct bytes *spare, const uint32_t *places,
			    size_t count)
{
	const struct bytes before = *b;
	if (before.size == 0)
		return STATUS_OK;
	TRY(bytes_make(spare, count, size));
	move(moves, before.data, size, size, places, count, spare->data);
	spare->size = count * size;
	*b = *spare;
	*spare = before;
	return STATUS_OK;
}

/* The records of elements that all have one, in the order of the runs. */
static enum status number_records(struct slot_column *k, const uint32_t *places)
{
	if (k->records.size > 0)
		return move_all(scatter, &k->records, sizeof(uint32_t), &k->spare, places, k->count);
	TRY(bytes_reserve(&k->records, k->count * sizeof(uint32_t)));
	k->records.size = k->count * sizeof(uint32_t);
	uint32_t *records = (uint32_t *)(void *)k->records.data;
	for (uint32_t i = 0; i < k->count; i++)
		records[places[i]] = i;
	return STATUS_OK;
}

/* The column's elements, and what belongs to them, to their places in the order of the runs. */
static enum status move_elements(struct slot_column *k, size_t size)
{
	const uint32_t *places = (const uint32_t *)(const void *)k->places.data;
	TRY(bytes_make(&k->grouped, k->count, size));
	TRY(move_all(scatter, &k->scales, 1, &k->spare, places, k->count));
	TRY(move_all(scatter, &k->roles, 1, &k->spare, places, k->count));
	TRY(number_records(k, places));
	move(scatter, k->elements, k->step, size, places, k->count, k->grouped.data);
	k->elements = k->grouped.data;
	k->step = size;
	return STATUS_OK;
}

/* Counts a column's elements of each key of the chunk. *is_sorted: whether they are in the order of the keys. */
static enum status count_keys(struct slot *s, const struct slot_column *k, bool *is_sorted)
{
	const uint32_t *keys = (const uint32_t *)(const void *)s->keyed.keys.of_records.data;
	const uint32_t *records = (const uint32_t *)(const void *)k->records.data;
	const bool has_records = k->records.size > 0;
	uint32_t before = 0;
	*is_sorted = true;
	TRY(bytes_make(&s->keyed.key_counts, grouper_count(&s->keyed.keys), sizeof(uint32_t)));
	uint32_t *counts = (uint32_t *)(void *)s->keyed.key_counts.data;
	if (k->count > 0)
		memset(counts, 0, grouper_count(&s->keyed.keys) * sizeof *counts);
	for (size_t i = 0; i < k->count; i++) {
		const uint32_t key = keys[has_records ? records[i] : i];
		counts[key]++;
		*is_sorted = *is_sorted && key >= before;
		before = key;
	}
	return STATUS_OK;
}

/* Where each of the elements is in the order of the runs; firsts: where each key's begin, which become their ends. */
static enum status find_places(const struct slot *s, struct slot_column *k, uint32_t *firsts)
{
	const uint32_t *keys = (const uint32_t *)(const void *)s->keyed.keys.of_records.data;
	const uint32_t *records = (const uint32_t *)(const void *)k->records.data;
	const bool has_records = k->records.size > 0;
	TRY(bytes_reserve(&k->places, k->count * sizeof(uint32_t)));
	k->places.size = k->count * sizeof(uint32_t);
	uint32_t *places = (uint32_t *)(void *)k->places.data;
	for (size_t i = 0; i < k->count; i++)
		places[i] = firsts[keys[has_records ? records[i] : i]]++;
	return STATUS_OK;
}

/* Makes a column's runs, as if its elements were in the order of the keys; *is_sorted: they are. */
static enum status make_runs(struct slot *s, struct slot_column *k, bool *is_sorted)
{
	const size_t key_count = grouper_count(&s->keyed.keys);
	TRY(count_keys(s, k, is_sorted));
	TRY(bytes_make(&k->runs, key_count, sizeof(struct slot_run)));
	uint32_t *counts = (uint32_t *)(void *)s->keyed.key_counts.data;
	struct slot_run *runs = (struct slot_run *)(void *)k->runs.data;
	size_t run_count = 0;
	uint32_t first = 0;
	for (uint32_t key = 0; key < key_count && k->count > 0; key++) {
		const uint32_t count = counts[key];
		runs[run_count] = (struct slot_run){.key = key, .first = first, .count = count};
		run_count += count > 0;
		counts[key] = first;
		first += count;
	}
	k->runs.size = run_count * sizeof *runs;
	return STATUS_OK;
}

/* Sorts the elements of a column, of size bytes, by their keys. */
static enum status sort(struct slot *s, struct slot_column *k, size_t size)
{
	bool is_sorted;
	TRY(make_runs(s, k, &is_sorted));
	if (is_sorted)
		return STATUS_OK;
	uint32_t *firsts = (uint32_t *)(void *)s->keyed.key_counts.data;
	return find_places(s, k, firsts) == STATUS_OK ? move_elements(k, size) : STATUS_SYSTEM;
}

/* Without keys: one run with all elements. */
static enum status one_run(struct slot_column *k)
{
	const struct slot_run run = {.count = (uint32_t)k->count};
	k->runs.size = 0;
	return k->count == 0 ? STATUS_OK : bytes_append(&k->runs, &run, sizeof run);
}

/* Whether all lanes' elements can be scanned in the records' order, each key's on its own: they are exact decimals, of
 * which nothing but their sum, or the like, counts. */
static bool may_be_in_order(const struct slot *s, const struct plan *plan)
{
	const bool has_resets = plan->resets.every > 0 || plan->resets.at != NULL;
	const bool needs_counts = plan->lacking.keeps_records || plan_has_resets(plan);
	bool may = plan->format.text.key_count > 0 && !has_resets && !plan->has_windows &&
		   plan->lacking.min_count == 0 && !plan->emit.is_by_element && !plan->emit.uses_total &&
		   !(needs_counts && plan->total) && plan->format.output == FORMAT_TEXT;
	for (size_t i = 0; i < s->lane_count && may; i++)
		may = plan_lane_is_any_order(&plan->lanes[i]);
	return may;
}

/* Leaves a column's elements in the records' order, if they are such. */
static enum status leave_in_order(struct slot *s, struct slot_column *k)
{
	bool is_sorted;
	k->in_order = k->are_alike && k->records.size == 0 && k->roles.size == 0;
	if (k->in_order)
		TRY(make_runs(s, k, &is_sorted));
	/* (Each key then has a run.) */
	k->in_order = k->in_order && k->runs.size / sizeof(struct slot_run) == grouper_count(&s->keyed.keys);
	return STATUS_OK;
}

enum status slot_group_after_all(struct slot *s, struct slot_column *k)
{
	k->in_order = false;
	return sort(s, k, k->step);
}

enum status slot_group(struct slot *s, const struct plan *plan)
{
	const bool has_keys = plan->format.text.key_count > 0;
	TRY(count_lacking(s));
	s->keyed.is_grouped = true;
	TRY(slot_find_resets(s, plan));
	for (size_t i = 0; i < s->decode.column_count; i++) {
		struct slot_column *k = &s->columns[i];
		const size_t size = plan->format.input == FORMAT_BINARY ? plan->element.size : k->step;
		const unsigned char *scales = k->scales.data;
		k->are_alike = k->is_narrow && k->count > 0 && scales[0] == k->scale &&
			       memcmp(scales, scales + 1, k->count - 1) == 0;
		k->places.size = 0;
		k->in_order = false;
		k->lanes_in_order = 0;
		TRY(find_records(s, k));
		TRY(find_parts(k));
		if (may_be_in_order(s, plan))
			TRY(leave_in_order(s, k));
		if (!k->in_order)
			TRY(has_keys ? sort(s, k, size) : one_run(k));
	}
	return STATUS_OK;
}

static enum status ungroup_lane(struct slot_lane *l, size_t lane, const struct slot_column *k)
{
	const uint32_t *places = (const uint32_t *)(const void *)k->places.data;
	if (k->places.size == 0 || lane < k->lanes_in_order)
		return STATUS_OK;
	TRY(bytes_make(&l->placed, k->count, l->step));
	TRY(move_all(gather, &l->forms, 1, &l->spare, places, k->count));
	move(gather, l->results, l->step, l->step, places, k->count, l->placed.data);
	l->results = l->placed.data;
	return STATUS_OK;
}

enum status slot_ungroup(struct slot *s)
{
	for (size_t i = 0; i < s->lane_count && s->keyed.is_grouped; i++) {
		const struct slot_column *k = &s->columns[s->lanes[i].column];
		if (k->count > 0)
			TRY(ungroup_lane(&s->lanes[i], i, k));
	}
	s->keyed.is_grouped = false;
	return STATUS_OK;
}
