/* A change depends only on the elements up to the token, so it comes at the same element however the stream is cut into
 * chunks. A format keeps 64 bits while everything fits, and then 128 bits; f64 stays to the end. */
#include "chunk/element_format.h"

#include <string.h>

#include "base/message.h"
#include "number/decimal.h"
#include "number/parse.h"
#include "number/powers.h"

/* Whether -F shows the lane's exact results as integers. */
static bool shows_integers(const struct plan *plan, const struct plan_lane *lane)
{
	return plan->format.number_format != NULL && number_spec_is_integer(plan->format.number_format) &&
	       lane->op->result == RESULT_SAME;
}

struct element_format element_format_first(const struct plan *plan, const struct plan_lane *lane)
{
	return (struct element_format){
		.type = lane->in,
		.numbers = lane->numbers,
		.decimal = lane->decimal,
		.is_text = lane->is_text,
		.text_kind = lane->text_kind,
		.integers_only = lane->decimal &&
				 (lane->op->bitwise || lane->op->id == OPERATOR_PROD || shows_integers(plan, lane)),
	};
}

struct element_format element_format_own(const struct plan *plan, const struct plan_lane *lane)
{
	if (!lane->decimal)
		return element_format_first(plan, lane);
	return (struct element_format){.type = &type_table[TYPE_I128], .decimal = true, .own_scale = true};
}

/* Converts a mantissa of 128 bits to the reading's type: i64 if it is narrow. */
static union value in_width(union value m, bool narrow)
{
	if (narrow)
		m.i64 = (int64_t)m.i128.lo;
	return m;
}

static bool bad_seed(const struct plan_lane *lane, const char *why)
{
	message_error("--seed: %s: %s (see --help=seed)", why, message_quoted(lane->seed));
	return false;
}

bool element_format_seed(struct element_format *r, const struct plan *plan, const struct plan_lane *lane,
			 union value *seed)
{
	const struct type *wide = &type_table[TYPE_I128];
	const size_t size = strlen(lane->seed);
	struct decimal d;
	union value m;
	if (!decimal_parse(lane->seed, size, &d))
		return bad_seed(lane, "not a number");
	if (shows_integers(plan, lane) && (d.is_float || d.scale > 0))
		return bad_seed(lane, "not an integer, which -F %d needs");
	if (!d.is_float && (d.scale == 0 || !r->integers_only) && decimal_mantissa(&d, d.scale, wide, &m)) {
		const bool narrow = decimal_fits_i64(&m);
		r->type = &type_table[narrow ? TYPE_I64 : TYPE_I128];
		r->scale = d.scale;
		*seed = in_width(m, narrow);
		return true;
	}
	if (lane->op->bitwise)
		return bad_seed(lane, "not an integer of 128 bits");
	if (plan->decimal_strict)
		return bad_seed(lane, "not an exact decimal");
	r->decimal = false;
	r->type = &type_table[TYPE_F64];
	return number_parse(lane->seed, size, r->type, seed) == NUMBER_OK || bad_seed(lane, "too large for f64");
}

static bool cannot(struct format_change *change, const char *why)
{
	change->why = why;
	return false;
}

/* Converts an exact decimal to another format of exact decimals, whose scale is not less. False if it does not fit. */
static bool bring(int128 mantissa, unsigned scale, const struct element_format *to, union value *brought)
{
	if (__builtin_mul_overflow(mantissa, (int128)power_of_ten_u64[to->scale - scale], &mantissa))
		return false;
	*brought = decimal_wide(mantissa);
	if (to->type->id == TYPE_I64 && !decimal_fits_i64(brought))
		return false;
	*brought = in_width(*brought, to->type->id == TYPE_I64);
	return true;
}

bool element_format_bring(const struct scan_operator *op, const union value *from, const struct element_format *now,
			  const struct element_format *to, union value *members)
{
	for (unsigned m = 0; m < op->scaled_members; m++) {
		if (!to->decimal)
			members[m] = (union value){.f64 = decimal_to_f64(&from[m], now->type, now->scale)};
		else if (!bring(decimal_value(&from[m], now->type), now->scale, to, &members[m]))
			return false;
	}
	return true;
}

bool element_format_next(const struct element_format *now, const struct plan *plan, const struct plan_lane *lane,
			 const union value *state, bool overflowed, const struct written_element *e,
			 struct format_change *change)
{
	struct element_format *next = &change->reading;
	const unsigned scale = e->own & OWN_SCALE_MASK;
	const bool is_float = (e->own & OWN_SCALE_FLOAT) != 0;
	const bool exact = !is_float && !(scale > 0 && now->integers_only);
	union value brought;
	if (shows_integers(plan, lane) && (is_float || scale > 0))
		return cannot(change, "not an integer, which -F %d needs");
	*change = (struct format_change){.reading = *now};
	next->scale = exact && scale > now->scale ? scale : now->scale;
	if (overflowed)
		next->type = &type_table[now->type->id == TYPE_I64 ? TYPE_I128 : TYPE_F64];
	for (; exact && next->type->id != TYPE_F64;
	     next->type = &type_table[next->type->id == TYPE_I64 ? TYPE_I128 : TYPE_F64]) {
		if (bring(decimal_value(&e->value, &type_table[TYPE_I128]), scale, next, &brought) &&
		    element_format_bring(lane->op, state, now, next, change->members))
			return true;
	}
	if (lane->op->bitwise)
		return cannot(change, "not an integer of 128 bits");
	if (plan->decimal_strict || shows_integers(plan, lane))
		return cannot(change, "cannot stay exact");
	next->decimal = false;
	next->scale = 0;
	next->type = &type_table[TYPE_F64];
	return element_format_bring(lane->op, state, now, next, change->members);
}
