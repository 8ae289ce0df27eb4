/* A chunk's results into curves of its own, whoever encodes them: before they are swapped, after they were put in their order. */
#include "stream/slot.h"

#include "text/decode.h"

/* Of exact decimals: how many times as great as they are their mantissas are. */
static double divisor_of(const struct result_format *f)
{
	double divisor = 1;
	for (unsigned i = 0; f->decimal && i < f->scale; i++)
		divisor *= 10; /* exact, up to 10^22 */
	return divisor;
}

static void put_result(struct curves *c, size_t curve, uint64_t record, const struct result *r)
{
	if (!r->absent)
		curves_put(c, curve, record, r->format.type, &r->value, r->format.type->size, 1,
			   divisor_of(&r->format));
}

/* A lane's results of the elements from first to end, which as many records have, one after the other. */
static void put_results(struct curves *c, size_t curve, uint64_t record, const struct lane_results *lane, size_t first,
			size_t end)
{
	const size_t shift = lane->before != NULL ? 1 : 0;
	const size_t special = lane->absent > shift ? lane->absent : shift;
	/* (Whatever decimals a result is written with, it is as great as with those of the lane.) */
	struct lane_results plain = *lane;
	plain.scales = NULL;
	for (; first < end && (first < special || lane->forms != NULL); first++, record++) {
		const struct result r = result_of(&plain, first);
		put_result(c, curve, record, &r);
	}
	if (first < end)
		curves_put(c, curve, record, lane->format.type,
			   (const unsigned char *)lane->results + (first - shift) * lane->step, lane->step, end - first,
			   divisor_of(&lane->format));
}

/* All of a lane's results. A record may lack its element, and then perhaps the result before stands again. */
static void put_lane(struct curves *c, size_t curve, uint64_t base, const struct slot *s, size_t field,
		     const struct lane_results *lane)
{
	const struct absence *absences = (const struct absence *)(const void *)s->absences.data;
	const size_t count = s->absences.size / sizeof *absences;
	size_t record = 0;
	size_t element = 0;
	for (size_t i = 0; i < count && absences[i].record < s->records; i++) {
		if (absences[i].field != field)
			continue;
		const size_t present = absences[i].record - record;
		put_results(c, curve, base + record, lane, element, element + present);
		element += present;
		record = absences[i].record + 1;
		if (absences[i].holds) {
			const struct result held = result_held(lane, element);
			put_result(c, curve, base + record - 1, &held);
		}
	}
	put_results(c, curve, base + record, lane, element, element + s->records - record);
}

void slot_plot(struct slot *s, const struct plan *plan, const struct lane_results *lanes)
{
	const uint64_t base = s->record_base + s->records_plotted;
	curves_reach(&s->curves, base + s->records);
	for (size_t i = 0; i < plan->result_count; i++)
		put_lane(&s->curves, i, base, s, i / plan->format.text.result_count, &lanes[i]);
	s->records_plotted += s->records;
}

void slot_plot_initial(struct slot *s, const struct plan *plan, const struct result *initial)
{
	curves_reach(&s->curves, s->record_base + 1);
	for (size_t i = 0; i < plan->result_count; i++)
		put_result(&s->curves, i, s->record_base, &initial[i]);
	s->records_plotted = 1;
}
