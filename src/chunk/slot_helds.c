/* Kept and held elements of a plan that is not segmented. Its lanes scan numbers only: such elements are taken out of
 * their columns before the scan, and their results are put between those of the numbers after it. (Segmented plans
 * leave them in place, and the scan passes over them.) */
#include <math.h>
#include <string.h>

#include "chunk/slot.h"

/* The column's kept and held elements. */
static const struct held *helds_of(const struct slot_column *k, size_t *count)
{
	*count = k->helds.size / sizeof(struct held);
	return (const struct held *)(const void *)k->helds.data;
}

void slot_compact(struct slot *s)
{
	for (size_t i = 0; i < s->decode.column_count; i++) {
		struct slot_column *k = &s->columns[i];
		size_t count;
		const struct held *helds = helds_of(k, &count);
		for (size_t h = 0; h < count; h++) {
			const size_t begin = helds[h].element + 1;
			const size_t end = h + 1 < count ? helds[h + 1].element : k->count;
			memmove(k->elements + (begin - h - 1) * k->step, k->elements + begin * k->step,
				(end - begin) * k->step);
		}
		k->count -= count;
	}
}

bool slot_result_is_absent(const struct plan *plan, const struct packed *results, void *result)
{
	const union value f32 = {.f32 = NAN};
	const union value f64 = {.f64 = (double)NAN};
	bool is_absent = plan->format.output == FORMAT_TEXT;
	for (size_t i = 0; i < results->count && !is_absent; i++)
		is_absent = results->numbers[i].type->kind != KIND_FLOAT;
	for (size_t i = 0; i < results->count && !is_absent; i++) {
		const struct packed_number *n = &results->numbers[i];
		memcpy((unsigned char *)result + n->offset, n->type->id == TYPE_F32 ? &f32 : &f64, n->type->size);
	}
	return is_absent;
}

/* Makes the forms of a lane's results with those of its kept and held elements: all present, but for the first
 * numbers' that are absent. */
static enum status make_forms(struct slot_lane *l, const struct slot_column *k)
{
	size_t count;
	const struct held *helds = helds_of(k, &count);
	TRY(bytes_make(&l->forms, k->count + count, 1));
	l->forms.size = k->count + count;
	memset(l->forms.data, RESULT_FORM_LANE, l->forms.size);
	for (size_t i = 0, h = 0; i < l->absent && i < k->count; i++) {
		while (h < count && helds[h].element <= i + h)
			h++;
		l->forms.data[i + h] = RESULT_FORM_ABSENT;
	}
	return STATUS_OK;
}

/* Puts a lane's results to all elements' places: a held element has the result of the number before it, or the one
 * that the next number would get. */
static enum status put_back(struct slot_lane *l, const struct slot_column *k, const struct plan *plan,
			    bool is_exclusive)
{
	const size_t step = l->step > 0 ? l->step : l->results_of.size;
	unsigned char none[PACKED_MAX * sizeof(union value)] = {0};
	const bool is_absent = slot_result_is_absent(plan, &l->results_of, none);
	size_t count;
	const struct held *helds = helds_of(k, &count);
	size_t end = k->count + count;
	l->forms.size = 0;
	if (count == 0)
		return STATUS_OK;
	if (plan->format.output == FORMAT_TEXT && make_forms(l, k) != STATUS_OK)
		return STATUS_SYSTEM;
	unsigned char *const results = l->results;
	const size_t absent = l->absent;
	for (size_t h = count; h-- > 0; end = helds[h].element) {
		const size_t at = helds[h].element;
		const size_t before = at - h; /* numbers */
		unsigned char *to = results + at * step;
		const unsigned char *next = results + before * step;
		const bool has_one = is_exclusive ? before >= absent : before > 0 ? before > absent : l->has_before;
		memmove(to + step, next, (end - at - 1) * step);
		if (has_one && !helds[h].is_absent)
			memmove(to, is_exclusive ? next : next - step, step);
		else if (is_absent)
			l->forms.data[at] = RESULT_FORM_ABSENT;
		else
			memcpy(to, none, l->results_of.size);
	}
	l->absent = 0;
	return STATUS_OK;
}

enum status slot_put_back(struct slot *s, const struct plan *plan)
{
	for (size_t i = 0; i < s->lane_count; i++)
		TRY(put_back(&s->lanes[i], &s->columns[s->lanes[i].column], plan, plan->lanes[i].moves_results));
	for (size_t i = 0; i < s->decode.column_count; i++)
		s->columns[i].count += s->columns[i].helds.size / sizeof(struct held);
	return STATUS_OK;
}

size_t slot_record_of(const struct slot *s, const struct slot_column *column, size_t element)
{
	const struct absence *a = (const struct absence *)(const void *)s->decode.absences.data;
	size_t count;
	const struct held *helds = helds_of(column, &count);
	size_t record = element;
	for (size_t i = 0; i < count && helds[i].element <= record; i++)
		record++;
	for (size_t i = 0; i < s->decode.absences.size / sizeof *a && a[i].record <= record; i++)
		record += a[i].field == column->field;
	return record;
}

void slot_keep_records(struct slot *s, const struct plan *plan, size_t records)
{
	s->decode.decoded.records = records;
	for (size_t i = 0; i < s->decode.column_count; i++) {
		struct slot_column *k = &s->columns[i];
		size_t count;
		const struct held *helds = helds_of(k, &count);
		while (count > 0 && helds[count - 1].record >= records)
			count--;
		k->helds.size = count * sizeof *helds;
		k->count = records - (plan->is_segmented ? 0 : count);
	}
}
