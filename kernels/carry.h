/* The types in which the totals of tiles are folded, as cursor.h wants them: a row's own states, but for sums of floats one that is
 * wider. CARRY_KIND is the row's. Pure functions; included after types.h. */
#ifndef PSCAN_KERNELS_CARRY_H
#define PSCAN_KERNELS_CARRY_H

#ifdef PSCAN_FP64
/* A sum of f64, unevaluated: hi + lo, |lo| <= ulp(hi) / 2. TwoSum (Knuth, TAOCP 2, 4.2.2) takes the total in, FastTwoSum
 * (Dekker 1971) brings the pair back in order. An infinity or NaN, or a low part of zero, leaves the high part alone. */
struct carry_pair {
	f64 hi, lo;
};

static inline struct carry_pair carry_pair_add(struct carry_pair carry, f64 total)
{
	const f64 s = carry.hi + total;
	const f64 part = s - carry.hi;
	const f64 e = (carry.hi - (s - part)) + (total - part);
	const f64 low = carry.lo + e;
	if (!isfinite(s) || !isfinite(e) || low == 0.0)
		return (struct carry_pair){.hi = s};
	const f64 hi = s + low;
	return (struct carry_pair){.hi = hi, .lo = low - (hi - s)};
}

#endif

#define CARRY_state STATE
#define CARRY_PREFIX_state(c) (c)
#define CARRY_FIRST_state(t) (t)
#define CARRY_ADD_state(c, t) ROW(combine)(c, t)

/* A sum of f32. */
#define CARRY_double f64
#define CARRY_PREFIX_double(c) ((f32)(c))
#define CARRY_FIRST_double(t) ((f64)(t))
#define CARRY_ADD_double(c, t) ((c) + (f64)(t))

#define CARRY_pair struct carry_pair
#define CARRY_PREFIX_pair(c) ((c).hi)
#define CARRY_FIRST_pair(t) ((struct carry_pair){.hi = (t)})
#define CARRY_ADD_pair(c, t) carry_pair_add(c, t)

/* A mean of floats: the carry of its sum, and the count. */
#ifdef PSCAN_FP64
struct carry_mean {
	struct carry_pair sum;
	u64 count;
};
#endif

#define CARRY_mean_f32 struct carry_mean
#define CARRY_PREFIX_mean_f32(c) ((STATE){.sum = (f32)(c).sum.hi, .count = (c).count})
#define CARRY_FIRST_mean_f32(t) ((struct carry_mean){{.hi = (f64)(t).sum}, (t).count})
#define CARRY_ADD_mean_f32(c, t) ((struct carry_mean){{.hi = (c).sum.hi + (f64)(t).sum}, (c).count + (t).count})
#define CARRY_mean_f64 struct carry_mean
#define CARRY_PREFIX_mean_f64(c) ((STATE){.sum = (c).sum.hi, .count = (c).count})
#define CARRY_FIRST_mean_f64(t) ((struct carry_mean){{.hi = (t).sum}, (t).count})
#define CARRY_ADD_mean_f64(c, t) ((struct carry_mean){carry_pair_add((c).sum, (t).sum), (c).count + (t).count})

/* Which one a sum, a mean or any other operator of the type has. */
#define CARRY_SUM_OF_i8 state
#define CARRY_SUM_OF_u8 state
#define CARRY_SUM_OF_i16 state
#define CARRY_SUM_OF_u16 state
#define CARRY_SUM_OF_i32 state
#define CARRY_SUM_OF_u32 state
#define CARRY_SUM_OF_i64 state
#define CARRY_SUM_OF_u64 state
#define CARRY_SUM_OF_i128 state
#define CARRY_SUM_OF_f32 double
#define CARRY_SUM_OF_f64 pair

#define CARRY_MEAN_OF_i8 state
#define CARRY_MEAN_OF_u8 state
#define CARRY_MEAN_OF_i16 state
#define CARRY_MEAN_OF_u16 state
#define CARRY_MEAN_OF_i32 state
#define CARRY_MEAN_OF_u32 state
#define CARRY_MEAN_OF_i64 state
#define CARRY_MEAN_OF_u64 state
#define CARRY_MEAN_OF_f32 mean_f32
#define CARRY_MEAN_OF_f64 mean_f64
#define CARRY_OWN_OF_i8 state
#define CARRY_OWN_OF_u8 state
#define CARRY_OWN_OF_i16 state
#define CARRY_OWN_OF_u16 state
#define CARRY_OWN_OF_i32 state
#define CARRY_OWN_OF_u32 state
#define CARRY_OWN_OF_i64 state
#define CARRY_OWN_OF_u64 state
#define CARRY_OWN_OF_i128 state
#define CARRY_OWN_OF_f32 state
#define CARRY_OWN_OF_f64 state

#define CARRY PASTE2(CARRY_, CARRY_KIND)
#define CARRY_PREFIX(c) PASTE2(CARRY_PREFIX_, CARRY_KIND)(c)
#define CARRY_FIRST(t) PASTE2(CARRY_FIRST_, CARRY_KIND)(t)
#define CARRY_ADD(c, t) PASTE2(CARRY_ADD_, CARRY_KIND)(c, t)

#endif
