/* Evaluates --emit over the results of a lane: exactly (evaluate/evaluate_exact.h) if the expression is exact,
 * otherwise in f64, some results at a time. */
#include "chunk/slot_emit.h"

#include <math.h>
#include <string.h>

#include "evaluate/evaluate.h"
#include "evaluate/evaluate_exact.h"
#include "evaluate/exact_number.h"

/* The results of a lane after evaluation. */
struct emitted {
	struct bytes values; /* union value, one for each result. Owned. */
	struct bytes forms; /* A form for each result. Owned. */
};

struct slot_emit {
	struct evaluator *floats; /* Owned. NULL: the expression is exact. */
	struct bytes memory;
	struct bytes scales; /* Of the operands of an exact expression. Owned. */
	size_t lane_count;
	struct emitted lanes[];
};

struct slot_emit *slot_emit_new(const struct plan *plan)
{
	struct slot_emit *e = memory_zeros(1, sizeof *e + plan->lane_count * sizeof e->lanes[0]);
	if (e == NULL)
		return NULL;
	e->lane_count = plan->lane_count;
	if (plan->emit.floats == NULL)
		return e;
	e->floats = evaluator_new(plan->emit.floats);
	if (e->floats != NULL)
		return e;
	slot_emit_free(e);
	return NULL;
}

void slot_emit_free(struct slot_emit *e)
{
	if (e == NULL)
		return;
	evaluator_free(e->floats);
	bytes_free(&e->memory);
	bytes_free(&e->scales);
	for (size_t i = 0; i < e->lane_count; i++) {
		bytes_free(&e->lanes[i].values);
		bytes_free(&e->lanes[i].forms);
	}
	memory_free(e);
}

static double f64_of(const struct result *r)
{
	const struct type *t = r->format.type;
	if (r->format.decimal)
		return decimal_to_f64(&r->value, t, r->format.scale);
	if (t->kind == KIND_FLOAT)
		return t->id == TYPE_F32 ? (double)r->value.f32 : r->value.f64;
	const uint64_t bits = type_integer(t, &r->value);
	return t->kind == KIND_SIGNED ? (double)(int64_t)bits : (double)bits;
}

/* Evaluates in f64. Results that are absent are 0 meanwhile. */
static void emit_floats(struct slot_emit *e, const struct lane_results *described, struct emitted *to)
{
	double in[EVALUATE_LENGTH];
	double out[EVALUATE_LENGTH];
	union value *values = (union value *)(void *)to->values.data;
	for (size_t first = 0, count; first < described->count; first += count) {
		const void *inputs[] = {in};
		count = described->count - first < EVALUATE_LENGTH ? described->count - first : EVALUATE_LENGTH;
		for (size_t i = 0; i < count; i++) {
			const struct result r = result_of(described, first + i);
			in[i] = r.absent ? 0 : f64_of(&r);
		}
		(void)evaluate(e->floats, inputs, count, out);
		for (size_t i = 0; i < count; i++) {
			values[first + i].f64 = out[i] != out[i] ? (double)NAN : out[i];
			to->forms.data[first + i] = RESULT_FORM_FLOAT;
		}
	}
}

struct exact_number slot_emit_operand(const struct result *r)
{
	if (r->absent)
		return (struct exact_number){.mantissa = 0};
	if (r->format.decimal)
		return (struct exact_number){.mantissa = decimal_value(&r->value, r->format.type),
					     .own = (unsigned char)r->format.scale};
	if (r->format.type->kind == KIND_FLOAT)
		return (struct exact_number){.f64 = f64_of(r), .own = OWN_SCALE_FLOAT};
	const uint64_t bits = type_integer(r->format.type, &r->value);
	const bool is_signed = r->format.type->kind == KIND_SIGNED;
	return (struct exact_number){.mantissa = is_signed ? (int128)(int64_t)bits : (int128)bits};
}

/* Sets *value to a result as an operand. Returns its own scale. */
static unsigned char put_operand(const struct result *r, union value *value)
{
	const struct exact_number x = slot_emit_operand(r);
	*value = decimal_wide(x.mantissa);
	if ((x.own & OWN_SCALE_FLOAT) != 0)
		value->f64 = x.f64;
	return x.own;
}

/* Sets a value's form, and brings it to its own scale. */
static unsigned char load_value(const struct exact_column *column, size_t i, union value *value)
{
	const unsigned char own = column->scales[i];
	union value v;
	memset(&v, 0, sizeof v);
	memcpy(&v, column->numbers + i * column->step, column->step);
	*value = v;
	if ((own & OWN_SCALE_FLOAT) != 0)
		return RESULT_FORM_FLOAT;
	if (!column->is_narrow)
		return (unsigned char)((own & OWN_SCALE_MASK) | RESULT_FORM_WIDE);
	if ((own & OWN_SCALE_MASK) < column->scale)
		decimal_reduce(value, &type_table[TYPE_I64], column->scale, own & OWN_SCALE_MASK);
	return own & OWN_SCALE_MASK;
}

/* Evaluates exactly. */
static enum status emit_exact(struct slot_emit *e, const struct plan *plan, const struct lane_results *described,
			      struct emitted *to)
{
	const size_t count = described->count;
	union value *values = (union value *)(void *)to->values.data;
	TRY(bytes_make(&e->scales, count, 1));
	for (size_t i = 0; i < count; i++) {
		const struct result r = result_of(described, i);
		e->scales.data[i] = put_operand(&r, &values[i]);
	}
	const struct exact_column in = {.numbers = to->values.data, .step = sizeof *values, .scales = e->scales.data};
	struct exact_column out = in;
	TRY(evaluate_exact(plan->emit.exact, &in, count, &e->memory, &out));
	/* (From the last one on, since narrow numbers are nearer to the beginning than their values.) */
	for (size_t i = count; i-- > 0;)
		to->forms.data[i] = load_value(&out, i, &values[i]);
	return STATUS_OK;
}

enum status slot_emit_lane(struct slot_emit *e, const struct plan *plan, size_t lane, struct lane_results *described)
{
	struct emitted *to = &e->lanes[lane];
	TRY(bytes_make(&to->values, described->count, sizeof(union value)));
	TRY(bytes_make(&to->forms, described->count, 1));
	if (e->floats != NULL)
		emit_floats(e, described, to);
	else if (described->count > 0 && emit_exact(e, plan, described, to) != STATUS_OK)
		return STATUS_SYSTEM;
	for (size_t i = 0; i < described->count; i++) {
		const bool is_marked = described->forms != NULL && described->forms[i] == RESULT_FORM_MARK;
		if (result_is_absent(described, i))
			to->forms.data[i] = is_marked ? RESULT_FORM_MARK : RESULT_FORM_ABSENT;
	}
	described->results = to->values.data;
	described->step = sizeof(union value);
	described->forms = to->forms.data;
	described->absent = 0;
	return STATUS_OK;
}

enum status slot_emit_result(struct slot_emit *e, const struct plan *plan, size_t lane, struct result *r)
{
	const struct result given = *r;
	struct lane_results described = {
		.format = given.format, .results = &given.value, .step = sizeof given.value, .count = 1};
	if (given.absent)
		return STATUS_OK;
	TRY(slot_emit_lane(e, plan, lane, &described));
	*r = result_of(&described, 0);
	return STATUS_OK;
}
