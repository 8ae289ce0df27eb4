/* Slots are taken and released as results of steps are made and used. */
#include "language/expression_steps.h"

#include <string.h>

static bool claim_slot(struct compiler *c, const struct node *n, uint16_t *slot)
{
	size_t i = 0;
	while (i < c->results && c->taken[i])
		i++;
	if (i == SLOTS_MAX)
		return expression_refuse(c->error, c->text, n->token, "the expression is too long");
	c->taken[i] = true;
	c->results = i == c->results ? i + 1 : c->results;
	*slot = (uint16_t)(SLOTS_RESULTS + i);
	return true;
}

bool expression_put(struct compiler *c, const struct node *n, struct step step, const struct operand *operands,
		    size_t count, struct operand *o)
{
	if (!claim_slot(c, n, &step.to))
		return false;
	for (size_t i = 0; i < 3; i++)
		step.in[i] = i < count ? operands[i].slot : SLOT_NONE;
	for (size_t i = 0; i < count; i++)
		expression_release(c, &operands[i]);
	o->slot = step.to;
	c->lacks_memory = bytes_append(&c->steps, &step, sizeof step) != STATUS_OK;
	return !c->lacks_memory;
}

bool expression_put_constant(struct compiler *c, const struct node *n, const struct expression_constant *constant,
			     struct operand *o)
{
	const struct expression_constant *all = (const struct expression_constant *)(const void *)c->constants.data;
	const size_t count = c->constants.size / sizeof *all;
	size_t i = 0;
	while (i < count && (all[i].type != constant->type || all[i].scale != constant->scale ||
			     memcmp(&all[i].value, &constant->value, sizeof constant->value) != 0))
		i++;
	if (i == SLOTS_MAX)
		return expression_refuse(c->error, c->text, n->token, "the expression is too long");
	if (i == count && bytes_append(&c->constants, constant, sizeof *constant) != STATUS_OK) {
		c->lacks_memory = true;
		return false;
	}
	*o = (struct operand){.slot = (uint16_t)(SLOTS_CONSTANTS + i), .type = (uint8_t)constant->type};
	return true;
}

bool expression_put_small(struct compiler *c, const struct node *n, enum type_id type, int number, struct operand *o)
{
	struct expression_constant constant = {.type = type};
	memset(&constant.value, 0, sizeof constant.value);
	if (type == TYPE_F32)
		constant.value.f32 = (float)number;
	else if (type == TYPE_F64)
		constant.value.f64 = number;
	else if (type == TYPE_I128)
		constant.value.i128.lo = (uint64_t)number;
	else
		type_put_integer(&type_table[type], (uint64_t)number, &constant.value);
	return expression_put_constant(c, n, &constant, o);
}

/* --- Conversions ------------------------------------------------------------------------------------------------- */

/* A constant of an integer type, or f32, as another type of arithmetic. False: the conversion is left to a step. */
static bool convert_constant(const struct expression_constant *from, enum type_id to,
			     struct expression_constant *constant)
{
	const struct type *t = &type_table[from->type];
	*constant = (struct expression_constant){.type = to};
	memset(&constant->value, 0, sizeof constant->value);
	if (from->type == TYPE_F32 && to == TYPE_F64) {
		constant->value.f64 = (double)from->value.f32;
		return true;
	}
	if (t->kind == KIND_FLOAT)
		return false;
	const uint64_t bits = type_integer(t, &from->value);
	const bool is_negative = t->kind == KIND_SIGNED && (int64_t)bits < 0;
	if (to == TYPE_F64)
		constant->value.f64 = is_negative ? (double)(int64_t)bits : (double)bits;
	else if (to == TYPE_F32)
		constant->value.f32 = is_negative ? (float)(int64_t)bits : (float)bits;
	else
		type_put_integer(&type_table[to], bits, &constant->value);
	return true;
}

bool expression_convert(struct compiler *c, const struct node *n, enum type_id to, uint16_t mask, struct operand *o)
{
	if (o->type == to)
		return true;
	if (o->type == TYPE_I128 || to == TYPE_I128) {
		/* Truth as a decimal. */
		struct operand choice[3] = {*o};
		*o = (struct operand){.type = TYPE_I128};
		return expression_put_small(c, n, TYPE_I128, 1, &choice[1]) &&
		       expression_put_small(c, n, TYPE_I128, 0, &choice[2]) &&
		       expression_put(c, n, step_of(STEP_CHOOSE, TYPE_I128), choice, 3, o);
	}
	if (o->slot >= SLOTS_CONSTANTS && o->slot < SLOTS_RESULTS) {
		const struct expression_constant *all =
			(const struct expression_constant *)(const void *)c->constants.data;
		struct expression_constant constant;
		if (convert_constant(&all[o->slot - SLOTS_CONSTANTS], to, &constant))
			return expression_put_constant(c, n, &constant, o);
	}
	const struct operand from = *o;
	const bool may_be_bad = expression_is_float(from.type) && !expression_is_float((uint8_t)to);
	*o = (struct operand){.type = (uint8_t)to};
	return expression_put(c, n,
			      (struct step){.code = STEP_CONVERT,
					    .type = (uint8_t)to,
					    .from = from.type,
					    .mask = may_be_bad ? mask : SLOT_NONE},
			      &from, 1, o);
}

/* C's integer promotions, or those to 64 bits. */
bool expression_promote(struct compiler *c, const struct node *n, struct operand *o)
{
	const struct type *t = &type_table[o->type];
	const bool to_long = c->is_num && !c->is_exact;
	return t->kind == KIND_FLOAT || t->size >= (to_long ? 8 : 4) ||
	       expression_convert(c, n, to_long ? TYPE_I64 : TYPE_I32, SLOT_NONE, o);
}

/* C's usual arithmetic conversions: the type that two promoted types have in common. */
static enum type_id common_type(uint8_t a, uint8_t b)
{
	/* From the type that gives way to the one that does not. */
	static const enum type_id order[] = {TYPE_I32, TYPE_U32, TYPE_I64, TYPE_U64, TYPE_F32, TYPE_F64, TYPE_I128};
	enum type_id common = TYPE_I32;
	for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
		common = a == order[i] || b == order[i] ? order[i] : common;
	return common;
}

bool expression_bring_together(struct compiler *c, const struct node *n, bool floats, struct operand *operands,
			       size_t count)
{
	uint8_t type = TYPE_I32;
	for (size_t i = 0; i < count; i++)
		type = (uint8_t)common_type(type, floats && !expression_is_float(operands[i].type) ? TYPE_F64
												   : operands[i].type);
	if (c->is_exact)
		type = TYPE_I128;
	for (size_t i = 0; i < count; i++) {
		if (!expression_convert(c, n, (enum type_id)type, SLOT_NONE, &operands[i]))
			return false;
	}
	return true;
}
