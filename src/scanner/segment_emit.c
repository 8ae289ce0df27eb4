/* --emit of exact decimals that has other names than s: each result is replaced as it is put to its place, where its
 * element, index, count and total are known. The segment keeps the operator's own result. */
#include <math.h>
#include <string.h>

#include "evaluate/exact_number.h"
#include "scanner/key_scans.h"
#include "scanner/last_results.h"
#include "chunk/slot_emit.h"

static struct exact_number number_of(uint64_t n)
{
	return (struct exact_number){.mantissa = n};
}

/* A result of the lane in some form. */
static struct exact_number result_number(const struct run_scan *r, const void *value, unsigned char form)
{
	union value v;
	if (form < RESULT_FORM_LANE) {
		const bool is_wide = (form & RESULT_FORM_WIDE) != 0;
		memcpy(&v, value, is_wide ? sizeof v.i128 : sizeof v.i64);
		return (struct exact_number){.mantissa = is_wide ? decimal_value(&v, &type_table[TYPE_I128]) : v.i64,
					     .own = form & RESULT_FORM_SCALE};
	}
	const struct lane_results given = {
		.format = conductor_format(r->c, (size_t)(r->lane - r->c->lanes), 0), .results = value, .forms = &form};
	const struct result result = result_of(&given, 0);
	return slot_emit_operand(&result);
}

/* Element i of the run. */
static struct exact_number element_number(const struct run_scan *r, size_t i)
{
	const unsigned char own = segment_scale_at(r, i);
	if ((own & OWN_SCALE_FLOAT) != 0)
		return (struct exact_number){.f64 = segment_f64_at(r, i), .own = own};
	return (struct exact_number){.mantissa = segment_mantissa_at(r, i), .own = own};
}

/* n of a result that covers `numbers` numbers: an exclusive one leaves its own element out. */
static uint64_t numbers_before(const struct run_scan *r, uint64_t numbers)
{
	const struct plan_lane *lane = r->lane->plan;
	return numbers - ((lane->moves_results || lane->row_is_exclusive) && numbers > 0);
}

enum status segment_total(const struct run_scan *r, struct segment *g, void *total)
{
	return last_results_get(r->c->part.found, (size_t)(r->lane - r->c->lanes), r->key,
				*segment_number(r->lane, g) - 1, total);
}

enum status segment_begin_emit(const struct run_scan *r)
{
	struct decimal_total total;
	struct exact_evaluator *v = r->c->emit_each;
	if (r->c->part.found == NULL)
		return STATUS_OK;
	TRY(segment_total(r, r->segment, &total));
	v->slots[EMIT_TOTAL] = result_number(r, &total.value, (unsigned char)total.form);
	return STATUS_OK;
}

void segment_emit(const struct run_scan *r, size_t i, size_t j, void *value, unsigned char *form)
{
	struct exact_evaluator *v = r->c->emit_each;
	exact_number_put(&v->slots[EMIT_RESULT], result_number(r, value, *form));
	if (v->expression->used[EMIT_ELEMENT])
		exact_number_put(&v->slots[EMIT_ELEMENT], element_number(r, i));
	exact_number_put(&v->slots[EMIT_INDEX], number_of(r->segment->count + j));
	exact_number_put(&v->slots[EMIT_COUNT], number_of(numbers_before(r, segment_covered(r, j))));
	const struct exact_number emitted = exact_evaluator_run(v);
	union value to = decimal_wide(emitted.mantissa);
	*form = emitted.own & OWN_SCALE_MASK;
	if ((emitted.own & OWN_SCALE_FLOAT) != 0) {
		to.f64 = emitted.f64 != emitted.f64 ? (double)NAN : emitted.f64;
		*form = RESULT_FORM_FLOAT;
	} else if (!decimal_fits_i64(&to)) {
		*form |= RESULT_FORM_WIDE;
	}
	memcpy(value, &to, sizeof to);
}
