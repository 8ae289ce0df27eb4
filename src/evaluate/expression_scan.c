/* The functions of the scan that take an evaluator: the work is done by expression_cursor.c and expression_tile.c.
 * (expression_scan_push_all is in expression_lanes.c.) */
#include "evaluate/expression_scan.h"

#include "base/least.h"
#include "evaluate/expression_tile.h"

_Static_assert(EXPRESSION_CURSOR_SIZE_MAX == CURSOR_CARRY + (3 + CURSOR_NODES) * NUMBER_SIZE_MAX, "head and states");

bool expression_scan_total(struct evaluator *evaluator, const void *in, size_t count, void *total)
{
	const struct combination c = combination_of(evaluator, false);
	struct tile_memory memory;
	return tile_total(&c, &memory, in, count, total);
}

size_t expression_scan_fold(struct evaluator *evaluator, void *cursor, const void *totals, size_t count, void *prefixes,
			    bool *first_has_carry)
{
	const struct combination c = combination_of(evaluator, false);
	struct cursor_head head = cursor_head_of(cursor);
	const unsigned char *carry = (const unsigned char *)cursor + CURSOR_CARRY;
	size_t bad = SIZE_MAX;
	*first_has_carry = head.has_carry != 0;
	for (size_t k = 0; k < count; k++) {
		if (k > 0 || *first_has_carry)
			memcpy((unsigned char *)prefixes + k * c.size, carry, c.size);
		if (!cursor_fold_total(&c, cursor, (const unsigned char *)totals + k * c.size))
			bad = least(bad, k);
	}
	head = cursor_head_of(cursor);
	head.count += (uint64_t)count * GRID_TILE;
	cursor_put_head(cursor, head);
	return bad;
}

void expression_scan_seed(struct evaluator *evaluator, void *cursor, const void *state)
{
	const struct combination c = combination_of(evaluator, false);
	(void)cursor_fold_total(&c, cursor, state);
}

size_t expression_scan_push(struct evaluator *evaluator, void *cursor, const void *in, size_t count, void *out)
{
	const struct combination c = combination_of(evaluator, false);
	struct tile_memory memory;
	return push_elements(&c, &memory, cursor, in, count, out);
}

void expression_scan_state(struct evaluator *evaluator, const void *cursor, void *state)
{
	const struct combination c = combination_of(evaluator, false);
	const struct cursor_head head = cursor_head_of(cursor);
	const unsigned char *states = cursor;
	const unsigned char *local_prefix = states + cursor_local_prefix(c.size);
	if (head.count % GRID_TILE == 0)
		memcpy(state, states + CURSOR_CARRY, c.size);
	else if (head.has_base != 0)
		(void)combine(&c, states + cursor_base(c.size), local_prefix, 1, state);
	else
		memcpy(state, local_prefix, c.size);
}
