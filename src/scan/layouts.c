/* Each operator's members are listed here once, by their names in its text (kernels/library/). Their types and places are the compiler's; a member
 * that is not listed is an error when this is compiled. A program of the user's says itself what its state is (declarations.h), whose
 * members lie as C and OpenCL C lay them out; and so do those of a cursor (kernels/cursor.h). */
#include "scan/layouts.h"

#include "scan/algebra.h"
#include "scan/program.h"
#include "scan/rows.h"

/* M(S, member) of each member of S, the state or the carry; M_ALONE(S) if that is a number. */
#define MEMBERS_sum(M, S) M##_ALONE(S)
#define MEMBERS_prod(M, S) M##_ALONE(S)
#define MEMBERS_max(M, S) M##_ALONE(S)
#define MEMBERS_min(M, S) M##_ALONE(S)
#define MEMBERS_and(M, S) M##_ALONE(S)
#define MEMBERS_or(M, S) M##_ALONE(S)
#define MEMBERS_xor(M, S) M##_ALONE(S)
#define MEMBERS_count(M, S) M##_ALONE(S)
#define MEMBERS_first(M, S) M##_ALONE(S)
#define MEMBERS_last(M, S) M##_ALONE(S)
#define MEMBERS_drawdown(M, S) M##_ALONE(S)
#define MEMBERS_range(M, S) M(S, least) M(S, greatest)
#define MEMBERS_lag(M, S) M(S, before) M(S, last) M(S, has_before)
#define MEMBERS_delta MEMBERS_lag
#define MEMBERS_argmax(M, S) M(S, key) M(S, index) M(S, count)
#define MEMBERS_argmin MEMBERS_argmax
#define MEMBERS_mean(M, S) M(S, sum) M(S, count)
#define MEMBERS_mean_of_decimals MEMBERS_mean
#define MEMBERS_var(M, S) M(S, mean) M(S, mean_low) M(S, squares) M(S, count)
#define MEMBERS_std MEMBERS_var
#define MEMBERS_ema(M, S) M(S, first) M(S, weight) M(S, rest) M(S, factor)
#define MEMBERS_linrec(M, S) M(S, weight) M(S, rest)
/* Carries that are no states. */
#define CARRY_MEMBERS_sum_f32(M, S) M##_ALONE(S)
#define CARRY_MEMBERS_sum_f64(M, S) M(S, hi) M(S, lo)
#define CARRY_MEMBERS_mean_f32(M, S) M(S, sum) M(S, count)
#define CARRY_MEMBERS_mean_f64(M, S) M(S, sum.hi) M(S, sum.lo) M(S, count)

#define AS_MEMBER(S, member) {#member, sizeof #member - 1, 0, KIND_OF(((S *)0)->member), offsetof(S, member)},
#define AS_MEMBER_ALONE(S) {"value", 5, 0, KIND_OF(*(S *)0), 0},
#define AS_BYTES(S, member) +sizeof(((S *)0)->member)
#define AS_BYTES_ALONE(S) +sizeof(S)
/* Whether the bytes of the members, with a gap at the end, are all that the struct has. */
#define ALL_LISTED(MEMBERS, S) (sizeof(S) - (0 MEMBERS(AS_BYTES, S)) < _Alignof(S))
#define KIND_OF(x)                  \
	_Generic((x), i8            \
		 : MEMBER_I8, u8    \
		 : MEMBER_U8, i16   \
		 : MEMBER_I16, u16  \
		 : MEMBER_U16, i32  \
		 : MEMBER_I32, u32  \
		 : MEMBER_U32, i64  \
		 : MEMBER_I64, u64  \
		 : MEMBER_U64, f32  \
		 : MEMBER_F32, f64  \
		 : MEMBER_F64, i128 \
		 : MEMBER_I128)

_Static_assert((int)MEMBER_I8 == (int)TYPE_I8 && (int)MEMBER_U64 == (int)TYPE_U64 && (int)MEMBER_F64 == (int)TYPE_F64 &&
		       (int)MEMBER_I128 == (int)TYPE_I128,
	       "kinds of members are numbered as types are");

struct listed {
	const struct layout_member *members;
	size_t count;
	size_t size, alignment; /* of the struct */
};

#define ROW_TYPES OP_TYPES
#define ROW_TEMPLATE "scan/layouts.inc"
#include "scan/operators.inc"
#undef ROW_TEMPLATE

#define OPERATORS_AS_CODES
#define MEMBERS_OF(name, T)                                                                                           \
	{                                                                                                             \
		.members = name, .count = sizeof(name) / sizeof(name)[0], .size = sizeof(T), .alignment = _Alignof(T) \
	}
#define CODE_(op, T) MEMBERS_OF(state_members_##op##_##T, state_##op##_##T)
#define CODE__(op, T) CODE_(op, T)
#define CODE(T) CODE__(OP, T)
static const struct listed states[OPERATOR_ID_COUNT][TYPE_COUNT] = {
#include "scan/operators.inc"
};
/* Those that are no states. */
#define CARRY(op, T)                                                     \
	static const struct layout_member carry_members_##op##_##T[] = { \
		CARRY_MEMBERS_##op##_##T(AS_MEMBER, carry_##op##_##T)};  \
	_Static_assert(ALL_LISTED(CARRY_MEMBERS_##op##_##T, carry_##op##_##T), "every member is listed");
CARRY(sum, f32)
CARRY(sum, f64)
CARRY(mean, f32)
CARRY(mean, f64)
static const struct listed carries[OPERATOR_ID_COUNT][TYPE_COUNT] = {
	[OPERATOR_SUM] = {[TYPE_F32] = MEMBERS_OF(carry_members_sum_f32, carry_sum_f32),
			  [TYPE_F64] = MEMBERS_OF(carry_members_sum_f64, carry_sum_f64)},
	[OPERATOR_MEAN] = {[TYPE_F32] = MEMBERS_OF(carry_members_mean_f32, carry_mean_f32),
			   [TYPE_F64] = MEMBERS_OF(carry_members_mean_f64, carry_mean_f64)},
};

/* A number alone, of each type. */
#define ALONE(id) [TYPE_##id] = {"value", 5, 0, MEMBER_##id, 0}
static const struct layout_member alone[TYPE_COUNT] = {ALONE(I8),  ALONE(U8),  ALONE(I16), ALONE(U16),
						       ALONE(I32), ALONE(U32), ALONE(I64), ALONE(U64),
						       ALONE(F32), ALONE(F64), ALONE(I128)};

static struct listed number_alone(const struct type *t)
{
	return (struct listed){&alone[t->id], 1, t->size, t->size < 8 ? t->size : 8};
}

static struct listed declared(const struct declared_members *d)
{
	return (struct listed){d->members, d->count, d->size, d->alignment};
}

static struct listed state_of(const struct scan_operator *op, const struct type *acc)
{
	const struct program *p = op->program;
	if (p == NULL)
		return states[op->id][acc->id];
	return p->base != NULL   ? states[p->base->id][acc->id]
	       : p->file != NULL ? declared(&p->declared.state)
				 : number_alone(acc);
}

static struct listed carry_of(const struct scan_operator *op, const struct type *acc)
{
	const struct program *p = op->program;
	const enum operator_id id = p == NULL ? op->id : p->base != NULL ? p->base->id : OPERATOR_ID_COUNT;
	if (id < OPERATOR_ID_COUNT && carries[id][acc->id].count > 0)
		return carries[id][acc->id];
	if (p != NULL && p->file != NULL && p->declared.carry.count > 0)
		return declared(&p->declared.carry);
	return state_of(op, acc);
}

/* What stands before the states. */
#define RECORD_NAME struct grid_head
#define GRID_HEAD(M) M(U64, count) M(U32, has_carry) M(U32, has_base)
struct grid_head {
	GRID_HEAD(RECORD_FIELD)
};
static const struct layout_member grid_head_members[] = {GRID_HEAD(RECORD_MEMBER)};
#undef RECORD_NAME
#define RECORD_NAME struct sequential_head
#define SEQUENTIAL_HEAD(M) M(U32, has_carry)
struct sequential_head {
	SEQUENTIAL_HEAD(RECORD_FIELD)
};
static const struct layout_member sequential_head_members[] = {SEQUENTIAL_HEAD(RECORD_MEMBER)};

/* Structs follow what is there up to *end, in memory. */
static void add(struct layout *l, size_t *end, const char *name, const struct listed *m, size_t count)
{
	const size_t offset = (*end + m->alignment - 1) / m->alignment * m->alignment;
	l->parts[l->part_count++] = (struct layout_part){.name = name,
							 .members = m->members,
							 .member_count = m->count,
							 .offset = offset,
							 .count = count,
							 .step = m->size};
	*end = offset + count * m->size;
}

static struct layout sequential_cursor(const struct listed *state)
{
	struct layout l = {.parts = {{.members = sequential_head_members, .member_count = 1, .count = 1}},
			   .part_count = 1};
	size_t end = sizeof(struct sequential_head);
	add(&l, &end, "carry", state, 1);
	return l;
}

static struct layout grid_cursor(const struct listed *state, const struct listed *carry, size_t nodes)
{
	struct layout l = {.parts = {{.members = grid_head_members, .member_count = 3, .count = 1}}, .part_count = 1};
	size_t end = sizeof(struct grid_head);
	add(&l, &end, "carry", carry, 1);
	add(&l, &end, "base", state, 1);
	add(&l, &end, "local_prefix", state, 1);
	add(&l, &end, "node", state, nodes);
	return l;
}

/* Of Blelloch's tree. */
#define NODES 8

struct layout layout_of_cursor(const struct row *row)
{
	const struct listed state = state_of(row->op, row->acc);
	const struct listed carry = carry_of(row->op, row->acc);
	bool is_sequential = row->algorithm == ALGORITHM_SEQUENTIAL;
	for (unsigned v = 0; v < ROW_VARIANTS && row->op->program == NULL; v++)
		is_sequential = is_sequential ||
				row->code == host_rows_code(row->op->id, row->acc->id, v, ALGORITHM_SEQUENTIAL);
	if (is_sequential)
		return sequential_cursor(&state);
	return grid_cursor(&state, &carry, row->algorithm == ALGORITHM_HILLIS_STEELE ? GRID_TILE / GRID_RUN : NODES);
}

struct layout layout_of_prefix(const struct window_row *row)
{
	const struct listed state = state_of(row->row->op, row->type);
	const struct listed carry = carry_of(row->row->op, row->type);
	return grid_cursor(&state, &carry, NODES);
}

struct layout layout_of_state(const struct window_row *row)
{
	const struct listed state = state_of(row->row->op, row->type);
	return (struct layout){
		.parts = {{.members = state.members, .member_count = state.count, .count = 1, .step = state.size}},
		.part_count = 1};
}

struct layout layout_of_results(const struct packed *results, struct layout_member *members)
{
	for (size_t i = 0; i < results->count; i++)
		members[i] = (struct layout_member){.name = "result",
						    .name_size = 6,
						    .number = i + 1,
						    .kind = (enum member_kind)results->numbers[i].type->id,
						    .offset = results->numbers[i].offset};
	return (struct layout){
		.parts = {{.members = members, .member_count = results->count, .count = 1, .step = results->size}},
		.part_count = 1};
}
