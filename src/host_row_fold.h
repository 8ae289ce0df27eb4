/* The fold of a row that carries its own state. Included once for every OP and ACC. No include guard, on purpose. sum_f32
 * and sum_f64 have wider ones (host_fold.c). */
static inline void ROW(row_fold)(const void *totals, size_t count, struct carry *carry, void *prefixes)
{
	const ROW(state) *total = totals;
	ROW(state) *prefix = prefixes;
	ROW(state) folded;
	_Static_assert(sizeof folded <= sizeof carry->as.state, "a state fits the carry");
	memcpy(&folded, carry->as.state, sizeof folded);
	for (size_t k = 0; k < count; k++) {
		if (!carry->present) {
			memset(&prefix[k], 0, sizeof prefix[k]);
			folded = total[k];
			carry->present = true;
			continue;
		}
		prefix[k] = folded;
		folded = ROW(combine)(folded, total[k]);
	}
	memcpy(carry->as.state, &folded, sizeof folded);
}

static inline void ROW(row_seed)(const void *value, struct carry *carry)
{
	ACC accumulated;
	memcpy(&accumulated, value, sizeof accumulated);
	const ROW(state) state = ROW(lift)(accumulated);
	memcpy(carry->as.state, &state, sizeof state);
	carry->present = true;
}
