/* Adds a chunk's results to the chunk's own curves. The thread that encodes calls this, after results were put in
 * record order and before they are byte-swapped. With keys, a curve continues from chunk to chunk: there are only
 * points here, which the sink's thread adds to the curves (slot_plot_keys). */
#include "chunk/slot.h"

#include <math.h>

#include "number/time.h"
#include "plot/curve.h"
#include "text/decode.h"

/* How many records ahead the memory of a key's curve is prefetched. */
#define AHEAD 16

/* What values of this format are divided by to get the number: 10^scale for exact decimals, else 1. */
static double divisor_of(const struct result_format *f)
{
	double divisor = 1;
	for (unsigned i = 0; f->decimal && i < f->scale; i++)
		divisor *= 10; /* exact, up to 10^22 */
	return divisor;
}

/* The destination of results: curves, or points. */
struct target {
	struct curves *curves; /* or NULL */
	const uint64_t *times; /* of the records from `first` on, if curves are against times */
	uint64_t first; /* the first record that has a time */
	double *points; /* points of all records, from the first record on; or NULL */
	size_t stride; /* points of each record */
};

/* Plots `count` results against their times, as put does. */
static void put_at_times(const struct target *t, size_t curve, uint64_t record, const struct type *type,
			 const void *results, size_t step, size_t count, double divisor)
{
	for (size_t i = 0; i < count; i++) {
		const uint64_t time = t->times[record - t->first + i];
		if (time != TIME_UNKNOWN)
			curves_put(t->curves, curve, time, type, (const unsigned char *)results + i * step, step, 1,
				   divisor);
	}
}

/* Plots `count` results, `step` bytes apart, of consecutive records from `record` on. The value plotted is the result
 * divided by `divisor`. */
static void put(const struct target *t, size_t curve, uint64_t record, const struct type *type, const void *results,
		size_t step, size_t count, double divisor)
{
	if (t->curves != NULL && t->curves->are_times)
		put_at_times(t, curve, record, type, results, step, count, divisor);
	else if (t->curves != NULL)
		curves_put(t->curves, curve, record, type, results, step, count, divisor);
	else
		finite_doubles(type, results, step, count, divisor, t->points + record * t->stride + curve, t->stride);
}

static void put_result(const struct target *t, size_t curve, uint64_t record, const struct result *r)
{
	if (!r->absent)
		put(t, curve, record, r->format.type, &r->value, r->format.type->size, 1, divisor_of(&r->format));
}

/* Plots a lane's results of elements first to end - 1, which belong to consecutive records from `record` on. */
static void put_results(const struct target *t, size_t curve, uint64_t record, const struct lane_results *lane,
			size_t first, size_t end)
{
	for (; first < end && (first < lane->absent || lane->forms != NULL); first++, record++) {
		const struct result r = result_of(lane, first);
		put_result(t, curve, record, &r);
	}
	if (first < end)
		put(t, curve, record, lane->format.type, (const unsigned char *)lane->results + first * lane->step,
		    lane->step, end - first, divisor_of(&lane->format));
}

/* Plots all results of a lane. Records without an element have none. */
static void put_lane(const struct target *t, size_t curve, uint64_t base, const struct slot *s, size_t field,
		     const struct lane_results *lane)
{
	const struct absence *absences = (const struct absence *)(const void *)s->decode.absences.data;
	const size_t count = s->decode.absences.size / sizeof *absences;
	size_t record = 0;
	size_t element = 0;
	for (size_t i = 0; i < count && absences[i].record < s->scan.records; i++) {
		if (absences[i].field != field)
			continue;
		const size_t present = absences[i].record - record;
		put_results(t, curve, base + record, lane, element, element + present);
		element += present;
		record = absences[i].record + 1;
	}
	put_results(t, curve, base + record, lane, element, element + s->scan.records - record);
}

/* Makes `count` points, all NaN. */
static enum status make_points(struct slot *s, size_t count)
{
	TRY(bytes_make(&s->picture.points, count, sizeof(double)));
	double *points = (double *)(void *)s->picture.points.data;
	for (size_t i = 0; i < count; i++)
		points[i] = (double)NAN;
	s->picture.points.size = count * sizeof *points;
	return STATUS_OK;
}

static const uint64_t *times_of(const struct slot *s)
{
	return (const uint64_t *)(const void *)s->keyed.along.data;
}

/* Extends the slot's curves to the times of its records. */
static void reach_times(struct slot *s)
{
	struct curves *c = &s->picture.curves;
	const uint64_t *times = times_of(s);
	for (size_t i = 0; i < s->scan.records; i++) {
		if (times[i] == TIME_UNKNOWN)
			c->timeless++;
		else
			curves_reach_times(c, times[i], times[i] + 1);
	}
}

enum status slot_plot(struct slot *s, const struct plan *plan, const struct lane_results *lanes)
{
	const bool has_keys = plan_has_keys(plan);
	const uint64_t base = has_keys ? 0 : s->scan.record_base + s->picture.records_plotted;
	if (has_keys)
		TRY(make_points(s, s->scan.records * plan->result_count));
	if (!has_keys && plan->format.text.along.given)
		reach_times(s);
	else if (!has_keys)
		curves_reach(&s->picture.curves, base + s->scan.records);
	const struct target target = {.curves = has_keys ? NULL : &s->picture.curves,
				      .times = times_of(s),
				      .first = base,
				      .points = (double *)(void *)s->picture.points.data,
				      .stride = plan->result_count};
	for (size_t i = 0; i < plan->result_count; i++)
		put_lane(&target, i, base, s, i / plan->format.text.result_count, &lanes[i]);
	s->picture.records_plotted += s->scan.records;
	return STATUS_OK;
}

enum status slot_plot_keys(const struct slot *s, const struct plan *plan, struct key_curves *curves)
{
	const uint32_t *keys = (const uint32_t *)(const void *)s->keyed.keys.of_records.data;
	const uint32_t *numbers = (const uint32_t *)(const void *)s->picture.key_numbers.data;
	const uint32_t *lacking =
		s->keyed.lacking.size > 0 ? (const uint32_t *)(const void *)s->keyed.lacking.data : NULL;
	const double *points = (const double *)(const void *)s->picture.points.data;
	const uint64_t *times = plan->format.text.along.given ? times_of(s) : NULL;
	for (size_t i = 0; i < s->picture.records_plotted; i++) {
		const uint32_t key = numbers[keys[i]];
		/* (An element that is kept or held counts as one here.) */
		const bool has_element =
			lacking == NULL || lacking[i] < plan->field_count || (lacking[i] & LACKS_HELD) != 0;
		if (i + AHEAD < s->picture.records_plotted)
			key_curves_fetch(curves, numbers[keys[i + AHEAD]]);
		/* (A record without an element does not create a key.) */
		if (has_element || (key != NO_KEY && key_curves_count(curves, key) > 0))
			TRY(key_curves_add(curves, key, times != NULL ? times[i] : 0, points + i * plan->result_count));
	}
	return STATUS_OK;
}

void slot_plot_initial(struct slot *s, const struct plan *plan, const struct result *initial)
{
	const struct target target = {.curves = &s->picture.curves};
	if (plan->format.text.along.given)
		return; /* It has no time. */
	curves_reach(&s->picture.curves, s->scan.record_base + 1);
	for (size_t i = 0; i < plan->result_count; i++)
		put_result(&target, i, s->scan.record_base, &initial[i]);
	s->picture.records_plotted = 1;
}
