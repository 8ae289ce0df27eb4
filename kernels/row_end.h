/* Stands after an operator's text: adds what every row has, and undoes what row_begin.h defines. It has no include
 * guard, on purpose. */
typedef R ROW(result);

/* The hardware's NaNs differ in sign and payload. A result that is NaN is always the one NaN that pscan writes. */
static inline R ROW(emit_row)(R r)
{
#if R_IS_FLOAT && !defined NEVER_NAN
	return r != r ? PASTE2(NAN_OF_, R) : r;
#else
	return r;
#endif
}
#undef NEVER_NAN

#if OP_EMITS_INPUTS
static inline R ROW(emit)(state s, T x WITH_PARAMETER)
{
	return ROW(emit_row)(emit(s, x));
}
#elif OP_PARAMETER
static inline R ROW(emit)(state s WITH_PARAMETER)
{
	return ROW(emit_row)(emit(s, PARAMETER));
}
#else
static inline R ROW(emit)(state s)
{
	return ROW(emit_row)(emit(s));
}
#endif

#ifdef HAS_OVERFLOW
#undef HAS_OVERFLOW
#else
static inline int overflow(state p, state x, state s)
{
	(void)p;
	(void)x;
	(void)s;
	return 0;
}
#endif

/* Unless the text has a carry of its own, the earlier tiles are carried as a state. */
#ifdef HAS_CARRY
#undef HAS_CARRY
/* Adds the total of a tile that comes before the carry's tiles. The order does not matter: sums commute. */
static inline carry carry_add_mirrored(carry after, state total)
{
	return carry_add(after, total);
}
#else
typedef state carry;

static inline carry carry_first(state total)
{
	return total;
}

static inline carry carry_add(carry before, state total)
{
	return combine(before, total);
}

static inline carry carry_add_mirrored(carry after, state total)
{
	return combine(total, after);
}

static inline state carry_prefix(carry before)
{
	return before;
}
#endif

#undef IS_ROW
#undef CARRIES_WIDE
#undef T_IS_FLOAT
#undef T_IS_F32
#undef T_IS_F64
#undef T_IS_SIGNED
#undef T_IS_WIDE
#undef T_IS_LONG
#undef T_IS_NARROW
#undef T_IS_PLAIN
#undef R_IS_FLOAT
#undef T
#undef R
#undef U
#undef KEY
#undef LONG_KEY
#undef FLAG
#undef BITS
#undef bits_of
#undef from_bits
#undef MAGNITUDE
#undef INFINITY_BITS
#undef SCALE_UP
#undef SCALE_DOWN
#undef SCALED_LEAST
#undef SCALED_RANGE
#undef NAN_ABOVE
#undef NAN_BELOW
#undef PARAMETER
#undef WITH_PARAMETER
#undef state
#undef lift
#undef combine
#undef emit
#undef overflow
#undef carry
#undef carry_first
#undef carry_add
#undef carry_add_mirrored
#undef carry_prefix
#undef key_of
#undef value_of
#undef greater_of
#undef lesser_of
#undef sum_of
#undef growth
#undef difference
#undef difference_wraps
#undef last_two
#undef last_two_of
#undef last_two_combine
#undef place
#undef place_of
#undef place_combine
#undef weighted
#undef scaled
