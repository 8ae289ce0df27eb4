/* Chunks of a scan from the last record to the first (--reverse). Raw numbers are turned when they are read. Text is
 * decoded as it stands; then what the scan reads of it is turned: record 0 becomes the last one. Before results are
 * encoded they are turned back, and with them what was decoded. So lines are never moved. */
#include <string.h>

#include "number/turn.h"
#include "chunk/slot.h"

/* What is listed of records or elements: their numbers change, too. */
static void turn_helds(struct slot_column *k, size_t records)
{
	struct held *helds = (struct held *)(void *)k->helds.data;
	const size_t count = k->helds.size / sizeof *helds;
	turn(helds, count, sizeof *helds);
	for (size_t i = 0; i < count; i++) {
		helds[i].element = k->count - 1 - helds[i].element;
		helds[i].record = records - 1 - helds[i].record;
	}
}

static void turn_absences(struct slot *s, size_t records)
{
	struct absence *absences = (struct absence *)(void *)s->decode.absences.data;
	const size_t count = s->decode.absences.size / sizeof *absences;
	turn(absences, count, sizeof *absences);
	for (size_t i = 0; i < count; i++)
		absences[i].record = records - 1 - absences[i].record;
}

/* The runs of equal texts are numbered from the end, too. */
static void turn_resets(struct resets *r)
{
	const size_t count = r->texts.size / sizeof(struct record_key);
	const size_t records = r->of_records.size / sizeof(uint32_t);
	uint32_t *numbers = (uint32_t *)(void *)r->of_records.data;
	turn(r->texts.data, count, sizeof(struct record_key));
	turn(numbers, records, sizeof *numbers);
	for (size_t i = 0; i < records; i++)
		numbers[i] = (uint32_t)count - 1 - numbers[i];
}

void slot_turn_records(struct slot *s, const struct plan *plan, unsigned char *records)
{
	turn(records, s->in.size / plan->format.record_size, plan->format.record_size);
}

void slot_turn(struct slot *s)
{
	const size_t records = s->decode.decoded.records;
	for (size_t i = 0; i < s->decode.column_count; i++) {
		struct slot_column *k = &s->columns[i];
		turn(k->elements, k->count, k->step);
		turn(k->scales.data, k->scales.size, 1);
		turn_helds(k, records);
	}
	turn_absences(s, records);
	turn(s->keyed.keys.of_records.data, s->keyed.keys.of_records.size / sizeof(uint32_t), sizeof(uint32_t));
	turn_resets(&s->keyed.resets);
	turn(s->keyed.gaps.data, s->keyed.gaps.size / sizeof(int128), sizeof(int128));
	turn(s->keyed.times.data, s->keyed.times.size / sizeof(int128), sizeof(int128));
}

/* Turns a lane's results. The first ones that are absent get forms that say so. */
static enum status turn_results(struct slot_lane *l, size_t count)
{
	const size_t step = l->step > 0 ? l->step : l->results_of.size;
	if (l->absent > 0 && l->forms.size == 0) {
		TRY(bytes_make(&l->forms, count, 1));
		l->forms.size = count;
		memset(l->forms.data, RESULT_FORM_LANE, count);
	}
	if (l->absent > 0)
		memset(l->forms.data, RESULT_FORM_ABSENT, l->absent < count ? l->absent : count);
	l->absent = 0;
	turn(l->results, count, step);
	turn(l->forms.data, l->forms.size, 1);
	return STATUS_OK;
}

enum status slot_turn_back(struct slot *s, const struct plan *plan)
{
	const size_t records = s->decode.decoded.records;
	if (plan->by_cursors)
		turn(s->lanes[0].results, s->scan.records, s->lanes[0].step);
	for (size_t i = 0; i < s->lane_count && !plan->by_cursors; i++)
		TRY(turn_results(&s->lanes[i], s->columns[s->lanes[i].column].count));
	for (size_t i = 0; i < s->decode.column_count; i++)
		turn_helds(&s->columns[i], records);
	turn_absences(s, records);
	turn(s->keyed.keys.of_records.data, s->keyed.keys.of_records.size / sizeof(uint32_t), sizeof(uint32_t));
	return STATUS_OK;
}

enum status slot_turn_totals(struct slot *s)
{
	const size_t *ends = (const size_t *)(const void *)s->write.ends.data;
	struct bytes before = s->write.out;
	TRY(bytes_make(&s->write.turned, 1, before.size));
	s->write.out = s->write.turned;
	for (size_t i = s->write.ends.size / sizeof *ends; i-- > 0;) {
		const size_t begin = i > 0 ? ends[i - 1] : 0;
		memcpy(s->write.out.data + s->write.out.size, before.data + begin, ends[i] - begin);
		s->write.out.size += ends[i] - begin;
	}
	s->write.turned = before;
	return STATUS_OK;
}
