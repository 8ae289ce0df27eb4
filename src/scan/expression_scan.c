#include "scan/expression_scan.h"

#include "base/least.h"
#include "scan/expression_tile.h"

_Static_assert(EXPRESSION_CURSOR_SIZE_MAX == CURSOR_CARRY + (3 + CURSOR_NODES) * NUMBER_SIZE_MAX, "head and states");

bool expression_scan_totals(struct evaluator *evaluator, const void *in, size_t count, void *totals)
{
	const struct combination c = combination_of(evaluator, false);
	struct tile_memory memory;
	const unsigned char *elements = in;
	unsigned char *total = totals;
	bool good = true;
	for (size_t first = 0; first < count; first += GRID_TILE, total += c.size)
		good = tile_total(&c, &memory, elements + first * c.size, least(count - first, GRID_TILE), total) &&
		       good;
	return good;
}

size_t expression_scan_results(struct evaluator *evaluator, const void *in, size_t count, const void *carry_in,
			       bool first_has_carry, void *out)
{
	const struct combination c = combination_of(evaluator, false);
	struct tile_memory memory;
	const unsigned char *elements = in;
	const unsigned char *carry = carry_in;
	unsigned char *results = out;
	for (size_t first = 0; first < count; first += GRID_TILE, carry += c.size) {
		uint64_t cursor[EXPRESSION_CURSOR_SIZE_MAX / sizeof(uint64_t)] = {0};
		if (first > 0 || first_has_carry)
			expression_scan_seed(evaluator, cursor, carry);
		const size_t bad = push_elements(&c, &memory, (unsigned char *)cursor, elements + first * c.size,
						 least(count - first, GRID_TILE), results + first * c.size);
		if (bad != SIZE_MAX)
			return first + bad;
	}
	return SIZE_MAX;
}

bool expression_scan_fold(struct evaluator *evaluator, void *cursor, const void *totals, size_t count, void *prefixes,
			  bool *first_has_carry)
{
	const struct combination c = combination_of(evaluator, false);
	struct cursor_head head = cursor_head_of(cursor);
	unsigned char *states = cursor;
	bool good = true;
	*first_has_carry = head.has_carry != 0;
	for (size_t k = 0; k < count; k++) {
		if (k > 0 || head.has_carry != 0)
			memcpy((unsigned char *)prefixes + k * c.size, states + CURSOR_CARRY, c.size);
		good = cursor_fold_total(&c, cursor, (const unsigned char *)totals + k * c.size) && good;
	}
	head = cursor_head_of(cursor);
	head.count += (uint64_t)count * GRID_TILE;
	cursor_put_head(cursor, head);
	return good;
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
