/* The evaluator gives what plain arithmetic on single numbers gives (evaluate_oracle.h), for every step code and type,
 * on every level of instruction sets that this machine has. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evaluate/evaluate.h"
#include "rows/level.h"

#include "check.h"
#include "evaluate_oracle.h"
#include "random.h"

#define EDGES 16
#define RANDOM_ROUNDS 6
#define MASK_SLOT 3
#define INPUTS 4
#define GUARD 64
#define GUARD_BYTE 0xa5

static const enum type_id step_types[] = {TYPE_I32, TYPE_U32, TYPE_I64, TYPE_U64, TYPE_F32, TYPE_F64};
#define STEP_TYPES (sizeof step_types / sizeof step_types[0])
static const size_t counts[] = {1, 2, 15, 16, 255, 256};

/* Vectors a, b, c and a mask, which are aligned to their numbers only, and results. */
static _Alignas(64) unsigned char memory[INPUTS][(EVALUATE_LENGTH + 1) * sizeof(uint64_t)];
static _Alignas(64) unsigned char results[EVALUATE_LENGTH * sizeof(uint64_t) + GUARD];

static union value edge(const struct type *t, unsigned k)
{
	static const double floats[EDGES] = {0,
					     -0.0,
					     1,
					     -1,
					     0.5,
					     -0.5,
					     2.5,
					     -1.5,
					     HUGE_VAL,
					     -HUGE_VAL,
					     (double)NAN,
					     (double)FLT_MAX,
					     -(double)FLT_MIN,
					     0x1p-149,
					     0x1.fffffep-2,
					     8388609.5};
	static const double doubles[EDGES] = {0,
					      -0.0,
					      1,
					      -1,
					      0.5,
					      -0.5,
					      2.5,
					      -1.5,
					      HUGE_VAL,
					      -HUGE_VAL,
					      (double)NAN,
					      DBL_MAX,
					      DBL_MIN,
					      0x1p-1074,
					      0x1.fffffffffffffp-2,
					      0x1.0000000000001p52};
	const uint64_t top = UINT64_C(1) << (8 * t->size - 1);
	const uint64_t integers[EDGES] = {
		0,       1,       2,  3,  UINT64_MAX, UINT64_MAX - 1, UINT64_MAX - 2, 7, top, top - 1,
		top + 1, top - 2, 31, 32, 63,         1000003};
	if (t->kind == KIND_FLOAT)
		return floating(t, t->id == TYPE_F32 ? floats[k] : doubles[k]);
	return integer(t, integers[k]);
}

/* Any magnitude, and floats near the limits of integers. */
static union value any(const struct type *t)
{
	const unsigned kind = random_below(4);
	if (t->kind != KIND_FLOAT)
		return integer(t, random_u64() >> random_below(64));
	if (kind == 0)
		return t->id == TYPE_F32 ? (union value){.f32 = random_f32()} : (union value){.f64 = random_f64()};
	if (kind == 1) {
		const double limit = ldexp(random_below(2) ? 1 : -1, 8 << random_below(4)) / (random_below(2) ? 2 : 1);
		return floating(t, limit * (1 + (random_below(3) - 1.0) * (t->id == TYPE_F32 ? 0x1p-23 : 0x1p-52)));
	}
	return floating(t, ((double)(int64_t)random_u64() / 0x1p63) * (kind == 2 ? 1000 : 5e9));
}

/* Whether inputs are aligned to 8 bytes, or only to their numbers. */
static bool is_aligned;

static unsigned char *input(size_t k, const struct type *t)
{
	return memory[k] + (is_aligned ? sizeof(uint64_t) : t->size);
}

static const struct type *operand_type(const struct step *s, size_t k)
{
	if (k == MASK_SLOT || (s->code == STEP_CHOOSE && k == 0))
		return &type_table[TYPE_I32];
	return &type_table[s->code == STEP_CONVERT ? s->from : s->type];
}

/* round 0: all pairs of edges. */
static void fill(const struct step *s, unsigned round)
{
	for (size_t k = 0; k < INPUTS; k++) {
		const struct type *t = operand_type(s, k);
		for (unsigned i = 0; i < EVALUATE_LENGTH; i++) {
			const bool is_edge = round == 0 || random_below(3) == 0;
			const unsigned number = round > 0 ? random_below(EDGES) : k == 0 ? i / EDGES : i % EDGES;
			union value v = is_edge ? edge(t, k == 2 ? random_below(EDGES) : number) : any(t);
			if (k == MASK_SLOT || (s->code == STEP_CHOOSE && k == 0))
				v = truth(random_below(2));
			memcpy(input(k, t) + i * t->size, &v, t->size);
		}
	}
}

static bool is_same(const struct type *t, const unsigned char *got, const union value *want)
{
	union value v = {0};
	memcpy(&v, got, t->size);
	if (t->kind == KIND_FLOAT && isnan(float_of(t, want)))
		return isnan(float_of(t, &v));
	return memcmp(got, want, t->size) == 0;
}

/* Evaluates step s of the inputs in memory. c: the constant that is operand number `constant`, or NULL. in_place: the
 * operand that becomes the result, or INPUTS. */
static void check_evaluation(struct evaluator *v, const struct step *s, size_t constant, const union value *c,
			     size_t count, size_t in_place)
{
	static struct expected wanted[EVALUATE_LENGTH];
	static unsigned char kept[sizeof memory[0]];
	const struct expression *e = evaluator_expression(v);
	const void *inputs[INPUTS];
	size_t bad = SIZE_MAX;
	for (size_t k = 0; k < INPUTS; k++)
		inputs[k] = input(k, operand_type(s, k));
	for (size_t i = 0; i < count; i++) {
		union value operands[3] = {{0}};
		int32_t mask = 1;
		for (size_t k = 0; k < 3; k++)
			memcpy(&operands[k], (const unsigned char *)inputs[k] + i * operand_type(s, k)->size,
			       operand_type(s, k)->size);
		if (c != NULL)
			operands[constant] = *c;
		if (s->mask != SLOT_NONE)
			memcpy(&mask, (const unsigned char *)inputs[MASK_SLOT] + i * sizeof mask, sizeof mask);
		wanted[i] = one(s, operands);
		if (wanted[i].bad && mask == 1 && bad == SIZE_MAX)
			bad = i;
	}
	unsigned char *out = in_place < INPUTS ? input(in_place, operand_type(s, in_place)) : results;
	if (in_place < INPUTS && !is_aligned && operand_type(s, in_place)->size < e->type->size)
		return;
	memset(results, GUARD_BYTE, sizeof results);
	if (in_place < INPUTS)
		memcpy(kept, memory[in_place], sizeof kept);
	const size_t found = evaluate(v, inputs, count, out);
	EXPECT(found == bad, "step %d of %s: bad %zu, not %zu", s->code, type_table[s->type].name, found, bad);
	for (size_t i = 0; i < count; i++)
		EXPECT(wanted[i].bad || is_same(e->type, out + i * e->type->size, &wanted[i].value),
		       "step %d of %s from %s, %zu elements, in place %zu, constant %zu: element %zu", s->code,
		       type_table[s->type].name, type_table[s->from].name, count, in_place, c != NULL ? constant : 9,
		       i);
	EXPECT(in_place < INPUTS || results[count * e->type->size] == GUARD_BYTE, "step %d: too many results", s->code);
	if (in_place < INPUTS)
		memcpy(memory[in_place], kept, sizeof kept);
}

/* The type of the results of a step. */
static const struct type *result_type(const struct step *s)
{
	const struct type *t = &type_table[s->type];
	if (gives_truth((enum step_code)s->code))
		return &type_table[TYPE_I32];
	if (s->code == STEP_ABS && t->kind == KIND_SIGNED)
		return &type_table[t->size == 4 ? TYPE_U32 : TYPE_U64];
	return t;
}

static void check_constant(const struct step *plain, size_t operand, const union value *c)
{
	struct step s = *plain;
	const struct expression_constant constants[] = {{.type = operand_type(plain, operand)->id, .value = *c}};
	const struct expression e = {.input_count = INPUTS,
				     .constant_count = 1,
				     .slot_count = INPUTS + 2,
				     .step_count = 1,
				     .result = INPUTS + 1,
				     .type = result_type(plain),
				     .constants = constants,
				     .steps = &s};
	s.in[operand] = INPUTS;
	s.to = INPUTS + 1;
	struct evaluator *v = evaluator_new(&e);
	for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k += 2)
		check_evaluation(v, &s, operand, c, counts[k + 1], INPUTS - k);
	evaluator_free(v);
}

static void check_step(enum step_code code, enum type_id id, enum type_id from)
{
	struct step s = {.code = (uint8_t)code,
			 .type = (uint8_t)id,
			 .from = (uint8_t)from,
			 .to = INPUTS,
			 .in = {SLOT_NONE, SLOT_NONE, SLOT_NONE},
			 .mask = SLOT_NONE};
	for (uint16_t k = 0; k < operands_of(code); k++)
		s.in[k] = k;
	const struct expression e = {.input_count = INPUTS,
				     .slot_count = INPUTS + 1,
				     .step_count = 1,
				     .result = INPUTS,
				     .type = result_type(&s),
				     .steps = &s};
	for (unsigned round = 0; round < RANDOM_ROUNDS; round++) {
		is_aligned = round % 2 == 0;
		fill(&s, round);
		for (unsigned masked = 0; masked < 2; masked++) {
			s.mask = masked ? MASK_SLOT : SLOT_NONE;
			struct evaluator *v = evaluator_new(&e);
			for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
				for (size_t in_place = 0; in_place <= INPUTS; in_place++)
					check_evaluation(v, &s, 0, NULL, counts[k], in_place);
			}
			evaluator_free(v);
			for (size_t operand = 0; code != STEP_CHOOSE && operand < operands_of(code); operand++) {
				const union value c = round == 0 ? any(operand_type(&s, operand))
								 : edge(operand_type(&s, operand), random_below(EDGES));
				check_constant(&s, operand, &c);
			}
		}
	}
}

/* Divides multiples of a divisor and their neighbours, and the greatest numbers. */
static void check_divisor(enum step_code code, const struct type *t, const union value *d)
{
	const struct step s = {.code = (uint8_t)code,
			       .type = (uint8_t)t->id,
			       .to = INPUTS + 1,
			       .in = {0, INPUTS, SLOT_NONE},
			       .mask = SLOT_NONE};
	const struct expression_constant constants[] = {{.type = t->id, .value = *d}};
	const struct expression e = {.input_count = INPUTS,
				     .constant_count = 1,
				     .slot_count = INPUTS + 2,
				     .step_count = 1,
				     .result = INPUTS + 1,
				     .type = t,
				     .constants = constants,
				     .steps = &s};
	struct evaluator *v = evaluator_new(&e);
	is_aligned = true;
	for (unsigned i = 0; i < EVALUATE_LENGTH; i++) {
		const uwide multiple = (uwide)whole_of(t, d) * (random_u64() >> random_below(64));
		const union value a = i < EDGES ? edge(t, i) : integer(t, multiple + random_below(3) - 1);
		memcpy(input(0, t) + i * t->size, &a, t->size);
	}
	check_evaluation(v, &s, 1, d, EVALUATE_LENGTH, INPUTS);
	evaluator_free(v);
}

static void check_divisors(void)
{
	for (size_t k = 0; k < 4; k++) {
		const struct type *t = &type_table[step_types[k]];
		for (unsigned i = 0; i < 8 * 6 * (unsigned)t->size; i++) {
			const uint64_t power = UINT64_C(1) << i / 6;
			const uint64_t numbers[] = {power,
						    power - 1,
						    power + 1,
						    0 - power,
						    random_u64() >> i / 6,
						    power | (random_u64() & (power - 1))};
			const union value d = integer(t, numbers[i % 6]);
			check_divisor(STEP_DIVIDE, t, &d);
			check_divisor(STEP_REMAINDER, t, &d);
		}
	}
}

/* (a * b + 1) % 1000003 / (a - 1) where b > a, in several steps that use slots again. is_last: the last step has the
 * result. */
static void check_chain(bool is_last, bool in_place)
{
	enum { A, B, ONE, PRIME, X, Y, LESS, SLOTS };
	static const struct expression_constant constants[] = {{.type = TYPE_U64, .value = {.u64 = 1}},
							       {.type = TYPE_U64, .value = {.u64 = 1000003}}};
	static const struct step steps[] = {
		{.code = STEP_MULTIPLY, .type = TYPE_U64, .to = X, .in = {A, B, SLOT_NONE}, .mask = SLOT_NONE},
		{.code = STEP_ADD, .type = TYPE_U64, .to = Y, .in = {X, ONE, SLOT_NONE}, .mask = SLOT_NONE},
		{.code = STEP_REMAINDER, .type = TYPE_U64, .to = X, .in = {Y, PRIME, SLOT_NONE}, .mask = SLOT_NONE},
		{.code = STEP_SUBTRACT, .type = TYPE_U64, .to = Y, .in = {A, ONE, SLOT_NONE}, .mask = SLOT_NONE},
		{.code = STEP_LESS, .type = TYPE_U64, .to = LESS, .in = {A, B, SLOT_NONE}, .mask = SLOT_NONE},
		{.code = STEP_DIVIDE, .type = TYPE_U64, .to = SLOTS, .in = {X, Y, SLOT_NONE}, .mask = LESS},
		{.code = STEP_ADD, .type = TYPE_U64, .to = X, .in = {A, ONE, SLOT_NONE}, .mask = SLOT_NONE},
	};
	const struct expression e = {.input_count = 2,
				     .constant_count = 2,
				     .slot_count = SLOTS + 1,
				     .step_count = is_last ? 6 : 7,
				     .result = SLOTS,
				     .type = &type_table[TYPE_U64],
				     .constants = constants,
				     .steps = steps};
	static uint64_t a[EVALUATE_LENGTH], b[EVALUATE_LENGTH], want[EVALUATE_LENGTH], out[EVALUATE_LENGTH];
	size_t bad = SIZE_MAX;
	for (size_t i = 0; i < EVALUATE_LENGTH; i++) {
		a[i] = i < 100 ? 2 + random_below(1000) : random_below(3);
		b[i] = random_below(3) == 0 ? random_u64() : random_below(3);
		if (a[i] == 1 && a[i] < b[i] && bad == SIZE_MAX)
			bad = i;
		want[i] = a[i] == 1 ? 0 : (a[i] * b[i] + 1) % 1000003 / (a[i] - 1);
	}
	struct evaluator *v = evaluator_new(&e);
	const uint64_t *got = in_place ? a : out;
	static uint64_t before[EVALUATE_LENGTH];
	memcpy(before, a, sizeof a);
	EXPECT(evaluate(v, (const void *const[]){a, b}, EVALUATE_LENGTH, in_place ? a : out) == bad, "chain: bad");
	for (size_t i = 0; i < EVALUATE_LENGTH; i++)
		EXPECT(before[i] == 1 || got[i] == want[i], "chain, in place %d: element %zu", in_place, i);
	evaluator_free(v);
}

/* The least of the bad elements of two steps is reported, whichever step comes first. */
static void check_least_bad(void)
{
	static const struct step steps[] = {
		{.code = STEP_DIVIDE, .type = TYPE_I32, .to = 2, .in = {0, 1, SLOT_NONE}, .mask = SLOT_NONE},
		{.code = STEP_REMAINDER, .type = TYPE_I32, .to = 3, .in = {1, 0, SLOT_NONE}, .mask = SLOT_NONE}};
	const struct expression e = {.input_count = 2,
				     .slot_count = 4,
				     .step_count = 2,
				     .result = 3,
				     .type = &type_table[TYPE_I32],
				     .steps = steps};
	static int32_t a[EVALUATE_LENGTH], b[EVALUATE_LENGTH], out[EVALUATE_LENGTH];
	struct evaluator *v = evaluator_new(&e);
	for (size_t i = 0; i < 2; i++) {
		for (size_t k = 0; k < EVALUATE_LENGTH; k++)
			a[k] = b[k] = 5;
		a[i == 0 ? 70 : 30] = 0;
		b[i == 0 ? 30 : 70] = 0;
		EXPECT(evaluate(v, (const void *const[]){a, b}, EVALUATE_LENGTH, out) == 30, "least bad element %zu",
		       i);
		EXPECT(evaluate(v, (const void *const[]){a, b}, 30, out) == SIZE_MAX, "a bad element after the last");
	}
	evaluator_free(v);
}

/* An expression of no step is an input or a constant. */
static void check_no_steps(void)
{
	static const struct expression_constant constants[] = {{.type = TYPE_U8, .value = {.u8 = 77}}};
	static const bool used[2] = {false, true};
	uint8_t in[EVALUATE_LENGTH], out[EVALUATE_LENGTH];
	for (size_t i = 0; i < EVALUATE_LENGTH; i++)
		in[i] = (uint8_t)i;
	for (uint16_t result = 1; result <= 2; result++) {
		const struct expression e = {.input_count = 2,
					     .constant_count = 1,
					     .slot_count = 3,
					     .result = result,
					     .type = &type_table[TYPE_U8],
					     .constants = constants,
					     .used = used};
		struct evaluator *v = evaluator_new(&e);
		EXPECT(evaluator_expression(v) == &e, "the expression of an evaluator");
		memset(out, 1, sizeof out);
		EXPECT(evaluate(v, (const void *const[]){NULL, in}, 200, out) == SIZE_MAX, "no steps: bad");
		for (size_t i = 0; i < EVALUATE_LENGTH; i++)
			EXPECT(out[i] == (i >= 200 ? 1 : result == 1 ? i : 77), "no steps: element %zu", i);
		EXPECT(evaluate(v, (const void *const[]){NULL, in}, 200, in) == SIZE_MAX, "no steps, in place: bad");
		for (size_t i = 0; i < EVALUATE_LENGTH; i++) {
			EXPECT(in[i] == (result == 1 || i >= 200 ? i : 77), "no steps, in place: element %zu", i);
			in[i] = (uint8_t)i;
		}
		evaluator_free(v);
	}
}

static void check_level(const char *name)
{
	char promise[3][100];
	(void)snprintf(promise[0], sizeof promise[0], "level %s: every step of every type is that of single numbers",
		       name);
	(void)snprintf(promise[1], sizeof promise[1], "level %s: conversions between all types", name);
	(void)snprintf(promise[2], sizeof promise[2], "level %s: division by constants of every kind", name);
	if (level_find(name) > level_of_machine()) {
		for (size_t k = 0; k < 3; k++)
			check_skip(promise[k], "the processor lacks the instructions");
		return;
	}
	(void)setenv("PSCAN_CPU", name, 1);
	for (int code = STEP_MINUS; code < STEP_CODES; code++) {
		for (size_t k = 0; k < STEP_TYPES; k++) {
			if (step_has((enum step_code)code, &type_table[step_types[k]]))
				check_step((enum step_code)code, step_types[k], step_types[k]);
		}
	}
	check_promise("%s", promise[0]);
	for (int from = 0; from < TYPE_I128; from++) {
		for (int to = 0; to < TYPE_I128; to++)
			check_step(STEP_CONVERT, (enum type_id)to, (enum type_id)from);
	}
	check_promise("%s", promise[1]);
	check_divisors();
	check_promise("%s", promise[2]);
}

int main(void)
{
	check_level("baseline");
	check_level("v3");
	check_level("v4");
	(void)unsetenv("PSCAN_CPU");
	for (unsigned k = 0; k < 4; k++)
		check_chain(k % 2 == 0, k / 2 == 0);
	check_promise("steps use slots again, and the result may lie where an input lay");
	check_least_bad();
	check_promise("the first bad element of all steps is reported");
	check_no_steps();
	check_promise("an expression without steps is an input or a constant");
	return check_done();
}
