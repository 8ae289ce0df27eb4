/* Folds of the wide carries, one value a tile. */
#include "scan/wide_carry.h"

#include <math.h>
#include <string.h>

/* The carry of a sum of f32, in double. */
void host_fold_wide(const void *totals, size_t count, struct carry *carry, void *prefixes)
{
	const float *total = totals;
	float *prefix = prefixes;
	for (size_t k = 0; k < count; k++) {
		prefix[k] = carry->present ? (float)carry->as.wide : 0.0f;
		carry->as.wide = carry->present ? carry->as.wide + (double)total[k] : (double)total[k];
		carry->present = true;
	}
}

void host_seed_wide(const void *value, struct carry *carry)
{
	float seed;
	memcpy(&seed, value, sizeof seed);
	*carry = (struct carry){.present = true, .as.wide = (double)seed};
}

/* The carry of a sum of f64, as an unevaluated sum of two: TwoSum (Knuth, TAOCP 2, 4.2.2) takes the total in,
 * FastTwoSum (Dekker 1971) brings the pair back in order. An infinity or NaN, or a low part of zero, leaves the high
 * part alone. */
static void pair_add(struct carry *carry, double total)
{
	const double hi = carry->as.pair.hi;
	const double s = hi + total;
	const double part = s - hi;
	const double e = (hi - (s - part)) + (total - part);
	const double low = carry->as.pair.lo + e;
	if (!isfinite(s) || !isfinite(e) || low == 0.0) {
		carry->as.pair.hi = s;
		carry->as.pair.lo = 0.0;
		return;
	}
	carry->as.pair.hi = s + low;
	carry->as.pair.lo = low - (carry->as.pair.hi - s);
}

void host_fold_pair(const void *totals, size_t count, struct carry *carry, void *prefixes)
{
	const double *total = totals;
	double *prefix = prefixes;
	for (size_t k = 0; k < count; k++) {
		prefix[k] = carry->present ? carry->as.pair.hi : 0.0;
		if (carry->present) {
			pair_add(carry, total[k]);
		} else {
			*carry = (struct carry){.present = true};
			carry->as.pair.hi = total[k];
		}
	}
}

void host_seed_pair(const void *value, struct carry *carry)
{
	*carry = (struct carry){.present = true};
	memcpy(&carry->as.pair.hi, value, sizeof carry->as.pair.hi);
}
