/* The functions of kernels/cursor.h for states of any size. The results of a run are one evaluation; its prefixes are
 * one evaluation for each element. */
#include "evaluate/expression_cursor.h"

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

bool cursor_fold_total(const struct combination *c, unsigned char *cursor, const void *total)
{
	struct cursor_head head = cursor_head_of(cursor);
	uint64_t carry;
	if (head.has_carry == 0)
		memcpy(&carry, total, c->size);
	else if (!combine(c, cursor + CURSOR_CARRY, total, 1, &carry))
		return false;
	memcpy(cursor + CURSOR_CARRY, &carry, c->size);
	head.has_carry = 1;
	cursor_put_head(cursor, head);
	return true;
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
	return good && (run < GRID_RUNS - 1 || cursor_fold_total(c, cursor, total));
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

size_t cursor_push_runs(const struct combination *c, unsigned char *cursor, const unsigned char *in, size_t count,
			unsigned char *out)
{
	for (size_t first = 0; first < count;) {
		const size_t left = GRID_RUN - cursor_place(cursor_head_of(cursor));
		const size_t here = count - first < left ? count - first : left;
		const size_t bad = cursor_push_run(c, cursor, in + first * c->size, here, out + first * c->size);
		if (bad != SIZE_MAX)
			return first + bad;
		first += here;
	}
	return SIZE_MAX;
}
