/* One row of the host strictly left to right: included once for every OP and ACC. No include guard, on purpose. OVERFLOWS is
 * 1 for a checked row beside the unchecked one. */
static inline __attribute__((always_inline)) size_t ROW(sequential)(const ACC *in, size_t count, const ROW(state) *carry_in,
                                                                    bool has_carry, ACC *out, int look)
{
	ROW(state) before = ROW(lift)(in[0]);
	size_t bad = SIZE_MAX;
	size_t i = 0;
	if (has_carry)
		before = carry_in[0];
	else
		out[i++] = ROW(emit)(before);
	for (; i < count; i++) {
		const ROW(state) x = ROW(lift)(in[i]);
		const ROW(state) result = ROW(combine)(before, x);
		if (look && bad == SIZE_MAX && ROW(overflow)(before, x, result))
			bad = i;
		out[i] = ROW(emit)(result);
		before = result;
	}
	return bad;
}

static size_t ROW(sequential_results)(const void *in, size_t count, const void *carry_in, bool first_has_carry, void *out)
{
	return ROW(sequential)(in, count, carry_in, first_has_carry, out, 0);
}

#if OVERFLOWS
static size_t ROW(sequential_results_checked)(const void *in, size_t count, const void *carry_in, bool first_has_carry,
                                              void *out)
{
	return ROW(sequential)(in, count, carry_in, first_has_carry, out, 1);
}
#endif

/* The carry comes with ROW(row_seed) from the last result; the totals are nothing. */
static void ROW(sequential_fold)(const void *totals, size_t count, struct carry *carry, void *prefixes)
{
	(void)totals;
	memset(prefixes, 0, count * sizeof(ROW(state)));
	if (carry->present)
		memcpy(prefixes, carry->as.state, sizeof(ROW(state)));
}

#include "host_row_fold.h"
