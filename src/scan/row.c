/* The operator table and the choice of a row. Adding an operator: a block in kernels/operators.h, a row here and in
 * rows.h. */
#include "scan/row.h"

#include <math.h>
#include <string.h>

#include "scan/rows.h"

const struct scan_operator operator_table[] = {
	[OPERATOR_SUM] = {"sum", "+", OPERATOR_SUM, false, true},
	[OPERATOR_PROD] = {"prod", "*", OPERATOR_PROD, false, true},
	[OPERATOR_MAX] = {"max", "", OPERATOR_MAX, false, false},
	[OPERATOR_MIN] = {"min", "", OPERATOR_MIN, false, false},
	[OPERATOR_AND] = {"and", "&", OPERATOR_AND, true, false},
	[OPERATOR_OR] = {"or", "|", OPERATOR_OR, true, false},
	[OPERATOR_XOR] = {"xor", "^", OPERATOR_XOR, true, false},
};
_Static_assert(sizeof operator_table / sizeof operator_table[0] == OPERATOR_COUNT, "a row for every operator");

const struct scan_operator *operator_find(const char *name)
{
	for (int i = 0; i < OPERATOR_COUNT; i++) {
		const struct scan_operator *op = &operator_table[i];
		if (strcmp(name, op->name) == 0 || (op->symbol[0] != '\0' && strcmp(name, op->symbol) == 0))
			return op;
	}
	return NULL;
}

/* Whether a conversion from one type to the other can fail: all integer conversions that narrow or change sign, and all
 * from floats to integers. */
static bool conversion_can_fail(const struct type *in, const struct type *acc)
{
	if (in->id == acc->id || acc->kind == KIND_FLOAT)
		return false;
	if (in->kind == KIND_FLOAT)
		return true;
	if (in->kind == KIND_SIGNED)
		return acc->kind == KIND_UNSIGNED || acc->size < in->size;
	return acc->size < in->size || (acc->kind == KIND_SIGNED && acc->size == in->size);
}

bool row_find(struct row *row, const struct scan_operator *op, const struct type *in, const struct type *acc,
	      bool checked, enum algorithm algorithm)
{
	if (op->bitwise && acc->kind == KIND_FLOAT)
		return false;
	const bool overflows = op->overflows && acc->kind != KIND_FLOAT;
	const bool converts = conversion_can_fail(in, acc) && (checked || in->kind == KIND_FLOAT);
	*row = (struct row){
		.op = op,
		.operator_name = op->name,
		.in = in,
		.acc = acc,
		.checked = (overflows && checked) || converts,
		.overflow_checked = overflows && checked,
		.algorithm = algorithm,
	};
	row->code = host_rows_find(op->id, acc->id, overflows && checked, algorithm);
	return true;
}

/* The low bytes of bits as a value of an integer type. */
static void set_integer(const struct type *t, uint64_t bits, union value *v)
{
	if (t->size <= sizeof v->u64) {
		type_put_integer(t, bits, v);
		return;
	}
	v->i128.lo = bits;
	v->i128.hi = bits == UINT64_MAX ? UINT64_MAX : 0;
}

static void integer_identity(enum operator_id op, const struct type *t, union value *v)
{
	const uint64_t ones = t->size >= 8 ? UINT64_MAX : (UINT64_C(1) << (8 * t->size)) - 1;
	const uint64_t sign = t->kind == KIND_SIGNED ? ones ^ (ones >> 1) : 0;
	switch (op) {
	case OPERATOR_PROD:
		set_integer(t, 1, v);
		break;
	case OPERATOR_MAX:
		set_integer(t, sign, v);
		break;
	case OPERATOR_MIN:
		set_integer(t, ones & ~sign, v);
		break;
	case OPERATOR_AND:
		set_integer(t, ones, v);
		break;
	case OPERATOR_SUM:
	case OPERATOR_OR:
	case OPERATOR_XOR:
	case OPERATOR_COUNT:
		set_integer(t, 0, v);
		break;
	}
}

static double float_identity(enum operator_id op)
{
	if (op == OPERATOR_MAX)
		return -(double)INFINITY;
	if (op == OPERATOR_MIN)
		return (double)INFINITY;
	return op == OPERATOR_PROD ? 1.0 : 0.0;
}

bool row_identity(const struct scan_operator *op, const struct type *t, union value *identity)
{
	memset(identity, 0, sizeof *identity);
	if (t->id == TYPE_I128 && (op->id == OPERATOR_MAX || op->id == OPERATOR_MIN))
		return false;
	if (t->id == TYPE_F32)
		identity->f32 = (float)float_identity(op->id);
	else if (t->id == TYPE_F64)
		identity->f64 = float_identity(op->id);
	else
		integer_identity(op->id, t, identity);
	return true;
}
