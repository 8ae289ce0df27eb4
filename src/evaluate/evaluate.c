/* Each step becomes an operation at first: its loop for the level of instruction sets that is used, and what its loop
 * needs. An evaluation calls these loops in their order. */
#include "evaluate/evaluate.h"

#include <assert.h>
#include <string.h>

#include "number/convert.h"
#include "evaluate/evaluate_loops.h"
#include "rows/level.h"

/* The bytes of a vector of the widest type. */
#define VECTOR_SIZE (EVALUATE_LENGTH * sizeof(uint64_t))

struct operation {
	const struct step *step;
	size_t in[3]; /* The slots of the operands. SLOTS_NULL: no operand. */
	size_t operand_size[3]; /* Bytes of an operand's number. */
	size_t mask; /* A slot, or SLOTS_NULL. */
	step_loop *loop; /* NULL: a conversion by `convert`. */
	check_loop *check; /* NULL: the loop makes no element bad. */
	convert_function *convert; /* Without a loop. NULL: numbers are copied. */
	size_t result_size; /* Bytes of a result's number. */
	struct divisor divisor;
};

struct evaluator {
	const struct expression *expression;
	const struct evaluate_loops *loops;
	struct operation *operations; /* For each step. */
	/* The vector of each slot, then a NULL for operands that are missing. Those of inputs are set by each call. */
	const void **slots;
	unsigned char *own; /* The vectors of the slots after the inputs, VECTOR_SIZE bytes each. */
};

/* The index of the NULL in `slots`. */
#define SLOTS_NULL(e) ((e)->slot_count)

static size_t slot_index(const struct expression *e, uint16_t slot)
{
	return slot == SLOT_NONE ? SLOTS_NULL(e) : slot;
}

static unsigned char *own_vector(const struct evaluator *v, size_t slot)
{
	return v->own + (slot - v->expression->input_count) * VECTOR_SIZE;
}

static const struct expression_constant *constant_of(const struct expression *e, uint16_t slot)
{
	const bool is_constant = slot >= e->input_count && slot < e->input_count + e->constant_count;
	return is_constant ? &e->constants[slot - e->input_count] : NULL;
}

static void broadcast(const struct expression_constant *c, unsigned char *to)
{
	const size_t size = type_table[c->type].size;
	for (size_t i = 0; i < EVALUATE_LENGTH; i++)
		memcpy(to + i * size, &c->value, size);
}

static bool gives_truth(enum step_code code)
{
	return code == STEP_EQUAL || code == STEP_NOT_EQUAL || code == STEP_LESS || code == STEP_LESS_EQUAL ||
	       code == STEP_IS_NAN;
}

/* floor(2^bits * (2^l - d) / d) + 1, where 2^(l-1) < d <= 2^l, one bit of the quotient after the other. */
static uint64_t multiplier_of(uint64_t d, unsigned l, unsigned bits)
{
	uint64_t rest = l == 64 ? 0 - d : (UINT64_C(1) << l) - d;
	uint64_t quotient = 0;
	for (unsigned k = 0; k < bits; k++) {
		const bool is_over = rest >= d - rest;
		rest += is_over ? rest - d : rest;
		quotient = quotient << 1 | is_over;
	}
	return quotient + 1;
}

/* magnitude: not 0, of an integer type of `bits` bits. */
static struct divisor divisor_of(uint64_t magnitude, bool is_negative, unsigned bits)
{
	unsigned l = 0;
	assert(magnitude != 0);
	while (l < 64 && UINT64_C(1) << l < magnitude)
		l++;
	return (struct divisor){
		.magnitude = magnitude,
		.multiplier = multiplier_of(magnitude, l, bits),
		.first_shift = l > 0,
		.second_shift = l > 0 ? l - 1 : 0,
		.sign = is_negative ? UINT64_MAX : 0,
		.reciprocal = 1 / (double)magnitude,
		.fold = (UINT64_C(1) << 32) % magnitude,
	};
}

/* Chooses the loop of a division of integers. */
static void choose_division(struct evaluator *v, struct operation *o)
{
	const struct step *s = o->step;
	const struct type *t = &type_table[s->type];
	const struct expression_constant *c = constant_of(v->expression, s->in[1]);
	const bool is_remainder = s->code == STEP_REMAINDER;
	const uint64_t number = c != NULL ? type_integer(t, &c->value) : 0;
	const bool is_negative = t->kind == KIND_SIGNED && number >> 63 != 0;
	if (number == 0 || (!is_remainder && is_negative && number == UINT64_MAX))
		return;
	o->check = NULL;
	const bool is_power = t->kind == KIND_UNSIGNED && (number & (number - 1)) == 0;
	o->loop = (is_power ? v->loops->by_power : v->loops->by_constant)[is_remainder][t->id];
	o->divisor = divisor_of(is_negative ? 0 - number : number, is_negative, 8 * (unsigned)t->size);
}

/* Most conversions are those of number/convert.h. Some have faster loops. */
static void choose_conversion(struct evaluator *v, struct operation *o)
{
	const struct type *from = &type_table[o->step->from];
	const struct type *t = &type_table[o->step->type];
	const bool is_of_integers = from->kind != KIND_FLOAT && t->kind != KIND_FLOAT;
	if (is_of_integers && from->size == t->size)
		return;
	if (is_of_integers && from->size == 8 && t->size == 4) {
		o->loop = v->loops->low_half;
	} else if (from->id == TYPE_U64 && t->id == TYPE_F64) {
		o->loop = v->loops->u64_to_f64;
	} else if (from->id == TYPE_F64) {
		o->loop = v->loops->steps[STEP_CONVERT][t->id];
		o->check = v->loops->checks[STEP_CONVERT][t->id];
	}
	o->convert = convert_find(from, t);
}

static void choose_loop(struct evaluator *v, struct operation *o, const struct step *s)
{
	const struct expression *e = v->expression;
	const enum step_code code = (enum step_code)s->code;
	const struct type *t = &type_table[s->type];
	const size_t operand_size = type_table[code == STEP_CONVERT ? s->from : s->type].size;
	*o = (struct operation){.step = s, .mask = slot_index(e, s->mask)};
	for (size_t k = 0; k < 3; k++) {
		o->in[k] = slot_index(e, s->in[k]);
		o->operand_size[k] = code == STEP_CHOOSE && k == 0 ? sizeof(int32_t) : operand_size;
	}
	o->result_size = gives_truth(code) ? sizeof(int32_t) : t->size;
	if (code == STEP_CONVERT) {
		choose_conversion(v, o);
		return;
	}
	o->loop = v->loops->steps[code][t->id];
	if (o->loop == NULL)
		o->loop = evaluate_math(code, t->id);
	o->check = v->loops->checks[code][t->id];
	if (o->check != NULL)
		choose_division(v, o);
}

/* Rounded up to whole lines of the cache. */
static size_t aligned(size_t size)
{
	return (size + MEMORY_ALIGNMENT - 1) / MEMORY_ALIGNMENT * MEMORY_ALIGNMENT;
}

struct evaluator *evaluator_new(const struct expression *e)
{
	const size_t operations_at = aligned(sizeof(struct evaluator));
	const size_t slots_at = operations_at + aligned(e->step_count * sizeof(struct operation));
	const size_t own_at = slots_at + aligned((e->slot_count + 1) * sizeof(void *));
	unsigned char *block = memory_new(own_at + (e->slot_count - e->input_count) * VECTOR_SIZE);
	if (block == NULL)
		return NULL;
	struct evaluator *v = (void *)block;
	*v = (struct evaluator){
		.expression = e,
		.loops = LEVEL_CODE(evaluate_loops),
		.operations = (void *)(block + operations_at),
		.slots = (void *)(block + slots_at),
		.own = block + own_at,
	};
	for (size_t slot = 0; slot <= e->slot_count; slot++)
		v->slots[slot] = slot >= e->input_count && slot < e->slot_count ? own_vector(v, slot) : NULL;
	for (size_t k = 0; k < e->constant_count; k++)
		broadcast(&e->constants[k], own_vector(v, e->input_count + k));
	for (size_t k = 0; k < e->step_count; k++)
		choose_loop(v, &v->operations[k], &e->steps[k]);
	return v;
}

void evaluator_free(struct evaluator *v)
{
	memory_free(v);
}

const struct expression *evaluator_expression(const struct evaluator *v)
{
	return v->expression;
}

/* The first bad element from element i on, or SIZE_MAX. */
static size_t find_bad(const struct evaluator *v, const struct operation *o, const struct operands *vectors, size_t i,
		       size_t count)
{
	const int32_t *mask = v->slots[o->mask];
	for (; i < count; i++) {
		uint64_t unused;
		struct operands one = {.to = &unused};
		for (size_t k = 0; k < 2 && vectors->in[k] != NULL; k++)
			one.in[k] = (const unsigned char *)vectors->in[k] + i * o->operand_size[k];
		if ((mask == NULL || mask[i] != 0) &&
		    (o->convert != NULL ? o->convert(one.in[0], 1, &unused) != SIZE_MAX : o->check(&one, 1)))
			return i;
	}
	return SIZE_MAX;
}

/* Returns the first bad element, or SIZE_MAX. */
static size_t convert(const struct evaluator *v, const struct operation *o, const struct operands *vectors,
		      size_t count)
{
	if (o->convert == NULL) {
		memmove(vectors->to, vectors->in[0], count * o->result_size);
		return SIZE_MAX;
	}
	const size_t misfit = o->convert(vectors->in[0], count, vectors->to);
	/* An integer that does not fit in an integer type loses its high bits, but it is not bad. */
	const bool can_be_bad = type_table[o->step->from].kind == KIND_FLOAT;
	return can_be_bad && misfit != SIZE_MAX ? find_bad(v, o, vectors, misfit, count) : SIZE_MAX;
}

/* Returns the first bad element, or SIZE_MAX. */
static size_t operate(const struct evaluator *v, const struct operation *o, void *to, size_t count)
{
	const struct operands vectors = {{v->slots[o->in[0]], v->slots[o->in[1]], v->slots[o->in[2]]}, to, &o->divisor};
	if (o->loop == NULL)
		return convert(v, o, &vectors, count);
	const bool has_bad = o->check != NULL && o->check(&vectors, count);
	const size_t bad = has_bad ? find_bad(v, o, &vectors, 0, count) : SIZE_MAX;
	o->loop(&vectors, count);
	return bad;
}

/* Whether an operation may write to `out`, which may be one of the inputs. Loops read an element before they write it.
 * Conversions, and elements of different sizes, need vectors that do not overlap. */
static bool may_write_to(const struct evaluator *v, const struct operation *o, const void *out)
{
	bool may = true;
	for (size_t k = 0; k < 3; k++) {
		if (v->slots[o->in[k]] == out)
			may = may && o->loop != NULL && o->operand_size[k] == o->result_size;
	}
	return may && v->slots[o->mask] != out;
}

size_t evaluate(struct evaluator *v, const void *const *inputs, size_t count, void *out)
{
	const struct expression *e = v->expression;
	size_t least_bad = SIZE_MAX;
	for (size_t j = 0; j < e->input_count; j++)
		v->slots[j] = inputs[j];
	for (size_t k = 0; k < e->step_count; k++) {
		const struct operation *o = &v->operations[k];
		const bool is_last = k + 1 == e->step_count && o->step->to == e->result && may_write_to(v, o, out);
		const size_t bad = operate(v, o, is_last ? out : own_vector(v, o->step->to), count);
		least_bad = bad < least_bad ? bad : least_bad;
		if (is_last)
			return least_bad;
	}
	if (v->slots[e->result] != out)
		memcpy(out, v->slots[e->result], count * e->type->size);
	return least_bad;
}

void evaluate_nans(const struct type *t, void *numbers, size_t count)
{
	const struct operands vectors = {.in = {numbers}, .to = numbers};
	if (t->kind == KIND_FLOAT)
		LEVEL_CODE(evaluate_loops)->write_nans[t->id](&vectors, count);
}
