/* A row whose combine is exactly associative: integers that wrap, and the sorting keys of floats. There the grid's order
 * gives the same bits as any other, so this scans straight on, one vector after the other. Included once for every OP and
 * ACC. No include guard, on purpose. The includer defines
 *
 *     LANE, LANE_SIZE  the type of a state, and its bytes
 *     IDENTITY         of the operator, as a LANE; it never shows: it stands where nothing is
 *     IDEMPOTENT       1 if combine(x, x) == x
 *     CAN_OVERFLOW     1 for a checked row beside the unchecked one
 *     VECTOR_LIFT(v), VECTOR_EMIT(v)   lift and emit, lane by lane
 */
#define VECTOR PASTE2(vector_, LANE)
#define VECTOR_COMBINE(a, b) PASTE4(vector_, OP, _, LANE)(a, b)
#define LANE_COUNT (VECTOR_BYTES / LANE_SIZE)

/* A group's last lane is combined into the group behind it; elsewhere an idempotent operator meets the lane itself. */
#if LANE_SIZE == 4
#define WIDE vector_u32
#define SPREAD(x, group) VECTOR_SPREAD(x, 4, group)
#define SPREAD_MASK(group) VECTOR_SPREAD_MASK_4(group)
#else
#define WIDE vector_u64
#define SPREAD(x, group) VECTOR_SPREAD(x, 8, group)
#define SPREAD_MASK(group) VECTOR_SPREAD_MASK_8(group)
#endif
#if IDEMPOTENT
#define STEP(x, group) x = VECTOR_COMBINE((VECTOR)SPREAD((WIDE)x, group), x);
#else
#define STEP(x, group) x = VECTOR_COMBINE((VECTOR)(SPREAD((WIDE)x, group) & SPREAD_MASK(group)), x);
#endif

/* The inclusive prefixes of x after carry, which then takes in all of x. */
static inline VECTOR ROW(vector_prefixes)(VECTOR x, VECTOR *carry)
{
#if LANE_SIZE >= 4
	STEP(x, 1)
	STEP(x, 2)
	STEP(x, 4)
	STEP(x, 8)
	const VECTOR before = *carry;
	*carry = VECTOR_COMBINE(before, (VECTOR)PASTE2(vector_last_, LANE_SIZE)((WIDE)x));
	return VECTOR_COMBINE(before, x);
#else
	/* Narrow lanes: first in the 64-bit words by shifts, then over the words' totals. */
	const u64 identities = UINT64_MAX / ((UINT64_C(1) << 8 * LANE_SIZE) - 1) * (PASTE2(u, LANE_BITS))(IDENTITY);
	for (unsigned bits = 8 * LANE_SIZE; bits < 64; bits *= 2) {
		const u64 fill = identities & ((UINT64_C(1) << bits) - 1);
		x = VECTOR_COMBINE((VECTOR)((vector_u64)x << bits | fill), x);
	}
	VECTOR totals = (VECTOR)PASTE2(vector_word_lasts_, LANE_SIZE)((vector_u64)x);
	STEP(totals, 1)
	STEP(totals, 2)
	STEP(totals, 4)
	const VECTOR nothing = PASTE2(vector_splat_, LANE)(IDENTITY);
	const VECTOR before =
		VECTOR_COMBINE(*carry, (VECTOR)vector_words_before((vector_u64)totals, (vector_u64)nothing));
	*carry = VECTOR_COMBINE(*carry, (VECTOR)vector_last_8((vector_u64)totals));
	return VECTOR_COMBINE(before, x);
#endif
}

/* The combination of the count elements, at least 1. */
static inline LANE ROW(exact_total)(const ACC *in, size_t count)
{
	LANE total = IDENTITY;
	size_t i = 0;
	if (count >= 4 * LANE_COUNT) {
		VECTOR part[4];
		for (size_t p = 0; p < 4; p++)
			part[p] = PASTE2(vector_splat_, LANE)(IDENTITY);
		for (; count - i >= 4 * LANE_COUNT; i += 4 * LANE_COUNT) {
			for (size_t p = 0; p < 4; p++) {
				const VECTOR x = VECTOR_LIFT(PASTE2(vector_load_, ACC)(in + i + p * LANE_COUNT));
				part[p] = VECTOR_COMBINE(part[p], x);
			}
		}
		part[0] = VECTOR_COMBINE(VECTOR_COMBINE(part[0], part[1]), VECTOR_COMBINE(part[2], part[3]));
		for (size_t l = 0; l < LANE_COUNT; l++)
			total = ROW(combine)(total, part[0][l]);
	}
	for (; i < count; i++)
		total = ROW(combine)(total, ROW(lift)(in[i]));
	return total;
}

static void ROW(exact_totals)(const void *in, size_t count, void *totals)
{
	const ACC *elements = in;
	LANE *total = totals;
	for (size_t first = 0; first < count; first += GRID_TILE) {
		const size_t left = count - first;
		*total++ = ROW(exact_total)(elements + first, left < GRID_TILE ? left : GRID_TILE);
	}
}

/* Where a sum may have left its type, if all wrapped results p, s and elements x are known. Signed: with p and s both in
 * the middle half of the type, only x = s - p exactly is in the type. Unsigned: p and x below half cannot reach 2^n. */
#if CAN_OVERFLOW
#define HALF ((LANE)((PASTE2(u, LANE_BITS))1 << (LANE_BITS - 2)))
#if LANE_IS_SIGNED
#define SUSPICION(x, s) VECTOR_COMBINE(s, PASTE2(vector_splat_, LANE)(HALF))
#define IS_WRONG(p, x, s) (((p ^ s) & (x ^ s)) >> (LANE_BITS - 1) != 0)
#else
#define SUSPICION(x, s) ((x) | (s))
#define IS_WRONG(p, x, s) (s < x)
#endif

/* The exact look: whether any of the count results is not the one before it plus its element. */
static inline int ROW(exact_overflows)(const ACC *in, size_t count, const ACC *out)
{
	int bad = 0;
	for (size_t i = 0; i < count; i++) {
		const PASTE2(u, LANE_BITS) s = (PASTE2(u, LANE_BITS))out[i];
		const PASTE2(u, LANE_BITS) x = (PASTE2(u, LANE_BITS))in[i];
		const PASTE2(u, LANE_BITS) p = (PASTE2(u, LANE_BITS))(s - x);
		(void)p;
		bad |= IS_WRONG(p, x, s);
	}
	return bad;
}
#else
#define SUSPICION(x, s) (s)
#endif

/* Writes the results of count elements after carry; returns whether a result may not fit, if look. */
static inline __attribute__((always_inline)) int ROW(exact_scan)(const ACC *in, size_t count, LANE carry, ACC *out, int look)
{
	VECTOR before = PASTE2(vector_splat_, LANE)(carry);
	VECTOR suspect = SUSPICION(before, before);
	size_t i = 0;
	for (; count - i >= LANE_COUNT; i += LANE_COUNT) {
		const VECTOR x = VECTOR_LIFT(PASTE2(vector_load_, ACC)(in + i));
		const VECTOR result = ROW(vector_prefixes)(x, &before);
		if (look)
			suspect |= SUSPICION(x, result);
		PASTE2(vector_store_, ACC)(out + i, VECTOR_EMIT(result));
	}
	LANE result = before[0];
	const size_t rest = i;
	for (; i < count; i++) {
		result = ROW(combine)(result, ROW(lift)(in[i]));
		out[i] = ROW(emit)(result);
	}
	/* The sign bits of the lanes. */
	const u64 signs = UINT64_MAX / (UINT64_MAX >> (64 - LANE_BITS)) << (LANE_BITS - 1);
	return look && (rest < count || vector_has_bits((vector_u64)suspect & signs));
}

static inline __attribute__((always_inline)) size_t ROW(exact_chunk)(const ACC *in, size_t count, const LANE *carry_in,
                                                                     bool first_has_carry, ACC *out, int look)
{
	size_t bad = SIZE_MAX;
	for (size_t first = 0; first < count; first += GRID_TILE) {
		const size_t left = count - first;
		const size_t length = left < GRID_TILE ? left : GRID_TILE;
		const bool has_carry = first > 0 || first_has_carry;
		const LANE carry = has_carry ? *carry_in : IDENTITY;
		const int suspect = ROW(exact_scan)(in + first, length, carry, out + first, look && bad == SIZE_MAX);
#if CAN_OVERFLOW
		if (suspect && bad == SIZE_MAX && ROW(exact_overflows)(in + first, length, out + first))
			bad = first + host_rows_checked[OPERATOR_SUM][PASTE2(TYPE_ID_, ACC)].results(
					      in + first, length, carry_in, has_carry, out + first);
#endif
		(void)suspect;
		carry_in++;
	}
	return bad;
}

static size_t ROW(exact_results)(const void *in, size_t count, const void *carry_in, bool first_has_carry, void *out)
{
	return ROW(exact_chunk)(in, count, carry_in, first_has_carry, out, 0);
}

#if CAN_OVERFLOW
static size_t ROW(exact_results_checked)(const void *in, size_t count, const void *carry_in, bool first_has_carry,
                                         void *out)
{
	return ROW(exact_chunk)(in, count, carry_in, first_has_carry, out, 1);
}
#endif

#include "host_row_fold.h"

#undef VECTOR
#undef VECTOR_COMBINE
#undef LANE_COUNT
#undef WIDE
#undef SPREAD
#undef SPREAD_MASK
#undef STEP
#undef HALF
#undef SUSPICION
#undef IS_WRONG
