/* Expressions of a and b that are made by hand, step by step. */
#ifndef PSCAN_TESTS_UNIT_EXPRESSION_MADE_H
#define PSCAN_TESTS_UNIT_EXPRESSION_MADE_H

#include <string.h>

#include "evaluate/evaluate.h"

#define MADE_STEPS 8

/* An expression with room for its parts. */
struct made {
	struct expression expression;
	struct expression_constant constants[2];
	struct step steps[MADE_STEPS];
	bool used[2];
};

/* Adds a step, whose result gets a slot of its own. */
static uint16_t made_step(struct made *m, enum step_code code, enum type_id type, uint16_t a, uint16_t b)
{
	const uint16_t to = (uint16_t)m->expression.slot_count++;
	m->steps[m->expression.step_count++] = (struct step){
		.code = (uint8_t)code, .type = (uint8_t)type, .to = to, .in = {a, b, SLOT_NONE}, .mask = SLOT_NONE};
	m->expression.result = to;
	return to;
}

static uint16_t made_convert(struct made *m, enum type_id from, enum type_id type, uint16_t a)
{
	const uint16_t to = made_step(m, STEP_CONVERT, type, a, SLOT_NONE);
	m->steps[m->expression.step_count - 1].from = (uint8_t)from;
	return to;
}

/* Begins an expression of a and b with constants of its type. */
static void made_begin(struct made *m, enum type_id type, size_t constant_count, const union value *constants)
{
	memset(m, 0, sizeof *m);
	m->used[0] = m->used[1] = true;
	for (size_t k = 0; k < constant_count; k++)
		m->constants[k] = (struct expression_constant){.type = type, .value = constants[k]};
	m->expression = (struct expression){.input_count = 2,
					    .constant_count = constant_count,
					    .slot_count = 2 + constant_count,
					    .type = &type_table[type],
					    .constants = m->constants,
					    .steps = m->steps,
					    .used = m->used};
}

/* `code` of a and b. Integers of less than 32 bits are promoted. */
static inline void made_of_two(struct made *m, enum step_code code, enum type_id type)
{
	const bool promotes = type_table[type].size < sizeof(int32_t);
	made_begin(m, type, 0, NULL);
	if (!promotes) {
		(void)made_step(m, code, type, 0, 1);
		return;
	}
	const uint16_t a = made_convert(m, type, TYPE_I32, 0);
	const uint16_t b = made_convert(m, type, TYPE_I32, 1);
	(void)made_convert(m, TYPE_I32, type, made_step(m, code, TYPE_I32, a, b));
}

/* a * b % 1000003 of u64. */
static inline void made_modular(struct made *m)
{
	const union value modulus = {.u64 = 1000003};
	made_begin(m, TYPE_U64, 1, &modulus);
	(void)made_step(m, STEP_REMAINDER, TYPE_U64, made_step(m, STEP_MULTIPLY, TYPE_U64, 0, 1), 2);
}

/* a - b + 1 / (b - bad) of i64, which has no value if b is `bad`. minus: a - b, else a + b. */
static inline void made_trap(struct made *m, int64_t bad, bool minus)
{
	const union value constants[2] = {{.i64 = bad}, {.i64 = 1}};
	made_begin(m, TYPE_I64, 2, constants);
	const uint16_t divisor = made_step(m, STEP_SUBTRACT, TYPE_I64, 1, 2);
	const uint16_t quotient = made_step(m, STEP_DIVIDE, TYPE_I64, 3, divisor);
	const uint16_t both = made_step(m, minus ? STEP_SUBTRACT : STEP_ADD, TYPE_I64, 0, 1);
	(void)made_step(m, STEP_ADD, TYPE_I64, both, quotient);
}

#endif
