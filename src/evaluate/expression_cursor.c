/* The functions of kernels/cursor.h for states of any size. The results of a run are one evaluation; its prefixes are
 * one evaluation for each element. */
#include "evaluate/expression_cursor.h"

#include "base/least.h"

_Static_assert(EXPRESSION_CURSOR_SIZE_MAX == CURSOR_CARRY + (3 + CURSOR_NODES) * NUMBER_SIZE_MAX, "head and states");

unsigned cursor_highest_bit(unsigned x)
{
	unsigned k = 0;
	while (x >> k > 1)
		k++;
	return k;
}

bool cursor_begin_run(const struct combination *c, unsigned char *cursor)
{
	struct cursor_head head = cursor_head_of(cursor);
	const unsigned run = cursor_run(head);
	unsigned char *base = cursor + cursor_base(c->size);
	bool good = true;
	if (run > 0) {
		unsigned k = cursor_highest_bit(run);
		memcpy(base, cursor + cursor_node(c->size, k), c->size);
		for (unsigned left = run ^ 1U << k; left > 0; left ^= 1U << k) {
			k = cursor_highest_bit(left);
			good = combine(c, base, cursor + cursor_node(c->size, k), 1, base) && good;
		}
		if (head.has_carry != 0)
			good = combine(c, cursor + CURSOR_CARRY, base, 1, base) && good;
	} else if (head.has_carry != 0) {
		memcpy(base, cursor + CURSOR_CARRY, c->size);
	}
	head.has_base = head.has_carry != 0 || run > 0;
	cursor_put_head(cursor, head);
	return good;
}

bool expression_scan_add(const struct combination *c, void *cursor, const void *total)
{
	struct cursor_head head = cursor_head_of(cursor);
	unsigned char *to = (unsigned char *)cursor + CURSOR_CARRY;
	uint64_t carry;
	if (head.has_carry == 0)
		memcpy(&carry, total, c->size);
	else if (!combine(c, to, total, 1, &carry))
		return false;
	memcpy(to, &carry, c->size);
	head.has_carry = 1;
	cursor_put_head(cursor, head);
	return true;
}

size_t expression_scan_fold(const struct combination *c, void *cursor, const void *totals, size_t count, void *prefixes,
			    bool *first_has_carry)
{
	struct cursor_head head = cursor_head_of(cursor);
	const unsigned char *carry = (const unsigned char *)cursor + CURSOR_CARRY;
	size_t bad = SIZE_MAX;
	*first_has_carry = head.has_carry != 0;
	for (size_t k = 0; k < count; k++) {
		if (k > 0 || *first_has_carry)
			memcpy((unsigned char *)prefixes + k * c->size, carry, c->size);
		if (!expression_scan_add(c, cursor, (const unsigned char *)totals + k * c->size))
			bad = least(bad, k);
	}
	head = cursor_head_of(cursor);
	head.count += (uint64_t)count * GRID_TILE;
	cursor_put_head(cursor, head);
	return bad;
}

void expression_scan_state(const struct combination *c, const void *cursor, void *state)
{
	const struct cursor_head head = cursor_head_of(cursor);
	const unsigned char *states = cursor;
	const unsigned char *local_prefix = states + cursor_local_prefix(c->size);
	if (head.count % GRID_TILE == 0)
		memcpy(state, states + CURSOR_CARRY, c->size);
	else if (head.has_base != 0)
		(void)combine(c, states + cursor_base(c->size), local_prefix, 1, state);
	else
		memcpy(state, local_prefix, c->size);
}

bool cursor_end_run(const struct combination *c, unsigned char *cursor)
{
	struct cursor_head head = cursor_head_of(cursor);
	head.count--;
	const unsigned run = cursor_run(head);
	uint64_t total[EVALUATE_LENGTH];
	unsigned k = 0;
	bool good = true;
	memcpy(total, cursor + cursor_local_prefix(c->size), c->size);
	for (; (run >> k & 1) != 0; k++)
		good = combine(c, cursor + cursor_node(c->size, k), total, 1, total) && good;
	if (k < CURSOR_NODES)
		memcpy(cursor + cursor_node(c->size, k), total, c->size);
	return good && (run < GRID_RUNS - 1 || expression_scan_add(c, cursor, total));
}

size_t cursor_push_run(const struct combination *c, unsigned char *cursor, const unsigned char *in, size_t count,
		       unsigned char *out)
{
	const size_t size = c->size;
	uint64_t prefixes[GRID_RUN], bases[GRID_RUN];
	unsigned char *prefix = (unsigned char *)prefixes;
	unsigned char *base = (unsigned char *)bases;
	unsigned char *local_prefix = cursor + cursor_local_prefix(size);
	struct cursor_head head = cursor_head_of(cursor);
	const unsigned place = cursor_place(head);
	size_t bad = SIZE_MAX;
	if (place == 0 && !cursor_begin_run(c, cursor))
		return 0;
	head = cursor_head_of(cursor);
	if (place == 0)
		memcpy(prefix, in, size);
	else if (!combine(c, local_prefix, in, 1, prefix))
		return 0;
	size_t good = 1;
	for (; good < count && bad == SIZE_MAX; good += bad == SIZE_MAX) {
		if (!combine(c, prefix + (good - 1) * size, in + good * size, 1, prefix + good * size))
			bad = good;
	}
	memcpy(local_prefix, prefix + (good - 1) * size, size);
	if (head.has_base != 0) {
		for (size_t i = 0; i < good; i++)
			memcpy(base + i * size, cursor + cursor_base(size), size);
		const size_t here = combine_all(c, base, prefix, good, prefix);
		bad = here < bad ? here : bad;
	}
	memcpy(out, prefix, good * size);
	head.count += count;
	cursor_put_head(cursor, head);
	if (bad == SIZE_MAX && place + count == GRID_RUN && !cursor_end_run(c, cursor))
		bad = count - 1;
	return bad;
}
