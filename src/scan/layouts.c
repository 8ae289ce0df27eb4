/* An operator's members are listed once, among its facts (operators.inc). Their types and places are the compiler's; a
 * member that is not listed is an error when its rows are compiled (rows_layout.inc). A program of the user's says
 * itself what its state is (declarations.h), whose members lie as C and OpenCL C lay them out; and so do those of a
 * cursor (kernels/cursor.h). */
#include "scan/layouts.h"

#include "scan/program.h"
#include "rows/rows.h"

_Static_assert((int)MEMBER_I8 == (int)TYPE_I8 && (int)MEMBER_U64 == (int)TYPE_U64 && (int)MEMBER_F64 == (int)TYPE_F64 &&
		       (int)MEMBER_I128 == (int)TYPE_I128,
	       "kinds of members are numbered as types are");

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
		return host_rows_loops(op->id)->states[acc->id];
	return p->base != NULL   ? host_rows_loops(p->base->id)->states[acc->id]
	       : p->file != NULL ? declared(&p->declared.state)
				 : number_alone(acc);
}

static struct listed carry_of(const struct scan_operator *op, const struct type *acc)
{
	const struct program *p = op->program;
	const enum operator_id id = p == NULL ? op->id : p->base != NULL ? p->base->id : OPERATOR_ID_COUNT;
	if (id < OPERATOR_ID_COUNT && host_rows_loops(id)->carries[acc->id].count > 0)
		return host_rows_loops(id)->carries[acc->id];
	if (p != NULL && p->file != NULL && p->declared.carry.count > 0)
		return declared(&p->declared.carry);
	return state_of(op, acc);
}

/* What stands before the states. */
#define GRID_HEAD(M, R) M(R, U64, count) M(R, U32, has_carry) M(R, U32, has_base)
RECORD(grid_head, GRID_HEAD)
#define SEQUENTIAL_HEAD(M, R) M(R, U32, has_carry)
RECORD(sequential_head, SEQUENTIAL_HEAD)

/* Appends structs in memory, after *end. */
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
	struct layout l = sequential_head_layout;
	size_t end = sizeof(struct sequential_head);
	add(&l, &end, "carry", state, 1);
	return l;
}

static struct layout grid_cursor(const struct listed *state, const struct listed *carry, size_t nodes)
{
	struct layout l = grid_head_layout;
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
