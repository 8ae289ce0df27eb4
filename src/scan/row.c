/* The operator table and the choice of a row. */
#include "scan/row.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "scan/program.h"
#include "rows/rows.h"

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define TEXT_(name) #name
#define TEXT(name) TEXT_(name)

const struct scan_operator operator_table[OPERATOR_ID_COUNT] = {
#define OPERATORS_AS_TABLE
#include "operators/every.inc"
};

const struct scan_operator *operator_find(const char *name)
{
	for (int i = 0; i < OPERATOR_ID_COUNT; i++) {
		const struct scan_operator *op = &operator_table[i];
		if (op->about[0] == '\0')
			continue;
		if (strcmp(name, op->name) == 0 || (op->symbol[0] != '\0' && strcmp(name, op->symbol) == 0))
			return op;
	}
	return NULL;
}

bool operator_has(const struct scan_operator *op, const struct type *acc)
{
	const unsigned set = acc->kind == KIND_FLOAT ? TYPES_FLOAT
			     : acc->id == TYPE_I128  ? TYPES_WIDE
			     : acc->id == TYPE_I64   ? TYPES_INTEGER | TYPES_I64
						     : TYPES_INTEGER;
	return (op->types & set) != 0;
}

bool operator_has_decimals(const struct scan_operator *op)
{
	return op->program != NULL ? program_scans_exactly(op->program)
				   : operator_has(&operator_table[op->decimals], &type_table[TYPE_I128]);
}

bool operator_is_any_order(const struct scan_operator *op, const struct type *acc)
{
	const unsigned set = acc->kind == KIND_FLOAT ? TYPES_FLOAT : TYPES_INTEGER; /* i128, too */
	return op->program == NULL && (op->any_order & set) != 0;
}

bool operator_rounds(const struct scan_operator *op, const struct type *acc)
{
	return (op->rounds & (acc->kind == KIND_FLOAT ? TYPES_FLOAT : TYPES_INTEGER)) != 0;
}

bool operator_takes_factor(const struct scan_operator *op, const struct type *acc, double factor)
{
	return op->parameter != PARAMETER_FACTOR || acc->id != TYPE_F32 || (float)factor > 0;
}

const struct type *operator_result(const struct scan_operator *op, const struct type *acc)
{
	if (program_has_types(op->program))
		return op->program->declared.results.numbers[0].type;
	if (op->result == RESULT_FLOAT && acc->kind != KIND_FLOAT)
		return &type_table[TYPE_F64];
	return op->result == RESULT_COUNT ? &type_table[TYPE_U64] : acc;
}

struct packed operator_element(const struct scan_operator *op, const struct type *in)
{
	return program_has_types(op->program) ? op->program->declared.element : packed_of(in, op->inputs);
}

size_t operator_seed_count(const struct scan_operator *op)
{
	return op->program != NULL ? op->program->operands : op->inputs;
}

struct packed operator_results(const struct scan_operator *op, const struct type *acc)
{
	return program_has_types(op->program) ? op->program->declared.results : packed_of(operator_result(op, acc), 1);
}

size_t operator_result_count(const struct scan_operator *op)
{
	return program_has_types(op->program) ? op->program->declared.results.count : 1;
}

const struct scan_operator *operator_of_decimals(const struct scan_operator *op)
{
	return op->program != NULL ? op : &operator_table[op->decimals];
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
	      bool checked, bool exclusive, enum algorithm algorithm)
{
	if (!operator_has(op, acc))
		return false;
	const bool overflows = op->overflows && acc->kind != KIND_FLOAT;
	checked = checked || acc->id == TYPE_I128; /* exact decimals do not wrap */
	const bool converts = conversion_can_fail(in, acc) && (checked || in->kind == KIND_FLOAT);
	*row = (struct row){
		.op = op,
		.in = in,
		.element = operator_element(op, in),
		.acc = acc,
		.code_type =
			op->program == NULL && op->has_long_states && type_long(acc) != acc ? type_long(acc) : NULL,
		.out = operator_result(op, acc),
		.results = operator_results(op, acc),
		.checked = (overflows && checked) || converts,
		.overflow_checked = overflows && checked,
		.exclusive = exclusive,
		.algorithm = algorithm,
	};
	const unsigned variant = (overflows && checked ? ROW_CHECKED : 0u) | (exclusive ? ROW_EXCLUSIVE : 0u);
	assert(!exclusive || op->emits_inputs);
	if (op->program != NULL) {
		row->code = &op->program->codes[algorithm][acc->id];
		return true;
	}
	row->code = host_rows_code(op->id, acc->id, variant, algorithm);
	row->tiles = host_rows_tiles(op->id, acc->id, variant, algorithm);
	row->push_records = algorithm == ALGORITHM_BLELLOCH && !exclusive
				    ? host_rows_loops(op->id)->columns[overflows && checked][acc->id]
				    : NULL;
	row->short_segments = exclusive || row->code_type != NULL
				      ? NULL
				      : host_rows_loops(op->id)->segments[overflows && checked][acc->id];
	return true;
}

void row_of_decimals(struct row *row, const struct scan_operator *op, const struct type *type)
{
	static const struct row_code no_code = {.cursor_size = 0};
	const struct packed number = packed_of(type, 1);
	*row = (struct row){
		.op = op, .in = type, .element = number, .acc = type, .out = type, .results = number, .code = &no_code};
}

size_t row_tile_size(const struct row *row)
{
	const bool has_more = row->exclusive && row->op->program != NULL;
	return (has_more ? 3 : 1) * row->code->state_size;
}

size_t row_cursor_size_max(const struct scan_operator *op, enum algorithm algorithm)
{
	size_t size = 1;
	for (int i = 0; i < TYPE_COUNT && op->program != NULL; i++) {
		const size_t own = op->program->codes[algorithm][i].cursor_size;
		size = own > size ? own : size;
	}
	for (int i = 0; i < 4 * TYPE_COUNT && op->program == NULL; i++) {
		const enum operator_id id = i / TYPE_COUNT % 2 == 0 ? op->id : op->decimals;
		const struct row_code *code =
			host_rows_code(id, (enum type_id)(i % TYPE_COUNT), i >= 2 * TYPE_COUNT, algorithm);
		size = code->cursor_size > size ? code->cursor_size : size;
	}
	return size;
}

struct state_parts state_split(const struct scan_operator *op, const struct type *type, const void *state, size_t size)
{
	const unsigned char *rest = state;
	struct state_parts parts = {0};
	for (size_t m = 0; m < op->scaled_members; m++, rest += type->size)
		memcpy(&parts.members[m], rest, type->size);
	memcpy(parts.rest, rest, size - op->scaled_members * type->size);
	return parts;
}

struct state_parts row_split_state(const struct row *row, const void *cursor)
{
	_Alignas(max_align_t) unsigned char state[STATE_SIZE_MAX];
	if (cursor == NULL)
		return (struct state_parts){0};
	row->code->state(cursor, state);
	return state_split(row->op, row->acc, state, row->code->state_size);
}

void row_restart(const struct row *row, void *cursor, const union value *members, const void *rest)
{
	memset(cursor, 0, row->code->cursor_size);
	if (members != NULL)
		row->code->restart(cursor, members, rest, row->parameter);
}

bool row_has_carry(const void *cursor)
{
	return cursor_head_of(cursor).has_carry != 0;
}

void row_forget_grid(struct row *row)
{
	const struct scan_operator *op = row->op;
	const unsigned variant = (row->overflow_checked ? ROW_CHECKED : 0u) | (row->exclusive ? ROW_EXCLUSIVE : 0u);
	if (operator_is_any_order(op, row->acc))
		row->code = host_rows_code(op->id, row->acc->id, variant, ALGORITHM_SEQUENTIAL);
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

static void integer_identity(enum identity identity, const struct type *t, union value *v)
{
	const uint64_t ones = t->size >= 8 ? UINT64_MAX : (UINT64_C(1) << (8 * t->size)) - 1;
	const uint64_t sign = t->kind == KIND_SIGNED ? ones ^ (ones >> 1) : 0;
	const uint64_t bits[] = {[IDENTITY_ZERO] = 0,     [IDENTITY_ONE] = 1,
				 [IDENTITY_LEAST] = sign, [IDENTITY_GREATEST] = ones & ~sign,
				 [IDENTITY_ONES] = ones,  [IDENTITY_NOT_A_NUMBER] = 0, /* no integer has it */
				 [IDENTITY_ABSENT] = 0};
	set_integer(t, bits[identity], v);
}

static const double float_identity[] = {[IDENTITY_ZERO] = 0.0,
					[IDENTITY_ONE] = 1.0,
					[IDENTITY_LEAST] = -(double)INFINITY,
					[IDENTITY_GREATEST] = (double)INFINITY,
					[IDENTITY_ONES] = 0.0, /* no float has it */
					[IDENTITY_NOT_A_NUMBER] = (double)NAN,
					[IDENTITY_ABSENT] = 0.0};

bool row_identity(const struct scan_operator *op, const struct type *t, union value *identity)
{
	memset(identity, 0, sizeof *identity);
	const bool is_end = op->identity == IDENTITY_LEAST || op->identity == IDENTITY_GREATEST;
	if (op->identity == IDENTITY_NONE || op->identity == IDENTITY_OWN || (t->id == TYPE_I128 && is_end))
		return false;
	if (t->id == TYPE_F32)
		identity->f32 = (float)float_identity[op->identity];
	else if (t->id == TYPE_F64)
		identity->f64 = float_identity[op->identity];
	else
		integer_identity(op->identity, t, identity);
	return true;
}
