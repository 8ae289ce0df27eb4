/* The CPU shape's whole tiles in vectors. LANES says how the row's are done, or 0: then tile.h does them, as it does the
 * partial tiles (and elements that must be converted, and products of integers).
 *
 *     LANES_STRAIGHT  combine is exactly associative (integers, sorting keys): the grid's order gives the same bits as any
 *                     other, so one vector of the tile follows the other, with a prefix scan in registers (Sklansky 1960)
 *     LANES_ACROSS    the order counts (sums of floats): lane l of a vector is run l of a block of runs, so
 *                     every run is combined left to right, and the tree over the runs is the grid's own
 *
 * Written with nothing but OpenCL C's vectors; compilers find the shuffles in the lists of components (of single ones:
 * Oclgrind 21.10 dies of lists of vectors).
 *
 * The prelude defines besides, for LANES_STRAIGHT:
 *     LANE             what a vector holds: an unsigned type where a sum may wrap, the type itself or its keys where they
 *                      are compared
 *     LANES_ARE_KEYS   1: they are the sorting keys of floats
 *     IDEMPOTENT       1: combine(x, x) is x
 */
#ifndef LANES
#error "LANES must be defined: LANES_STRAIGHT, LANES_ACROSS or 0"
#endif
#define LANES_STRAIGHT 1
#define LANES_ACROSS 2

#if LANES
#define VECTOR_TYPES(n)                                                                                                \
	typedef char##n i8x##n;                                                                                        \
	typedef uchar##n u8x##n;                                                                                       \
	typedef short##n i16x##n;                                                                                      \
	typedef ushort##n u16x##n;                                                                                     \
	typedef int##n i32x##n;                                                                                        \
	typedef uint##n u32x##n;                                                                                       \
	typedef long##n i64x##n;                                                                                       \
	typedef ulong##n u64x##n;                                                                                      \
	typedef float##n f32x##n;
VECTOR_TYPES(4)
VECTOR_TYPES(8)
VECTOR_TYPES(16)
#ifdef PSCAN_FP64
typedef double4 f64x4;
typedef double8 f64x8;
typedef double16 f64x16;
#endif

#ifdef __clang__
#define UNROLLED _Pragma("unroll")
#else
#define UNROLLED
#endif

#define VCOMBINE(a, b) PASTE2(COMBINE_, OP)(a, b)
#endif

#if LANES == LANES_STRAIGHT
#define VECTOR PASTE2(LANE, x16)
#define TOP_BIT ((u64)1 << (8u * sizeof(LANE) - 1u))
#define NOTHING PASTE2(NOTHING_, OP)(LANE)

/* At any address, as vload16 and vstore16 have it; PoCL makes those of several instructions. */
struct __attribute__((packed)) ROW(lanes_packed) {
	VECTOR v;
};
#define PACKED(p) (((GLOBAL struct ROW(lanes_packed) *)(p))->v)
#define PACKED_CONST(p) (((GLOBAL const struct ROW(lanes_packed) *)(p))->v)

#if LANES_ARE_KEYS
/* lift and emit of ORDERED_ROW (operators.h), lane by lane. */
#define BITS_i32 as_int
#define BITS_i64 as_long
#define AS_f32 as_float16
#define AS_f64 as_double16
#define MAGNITUDE (LANE)(TOP_BIT - 1u)
static inline VECTOR ROW(lanes_load)(GLOBAL const ACC *in)
{
	const VECTOR bits = PACKED_CONST(in);
	const PASTE2(ACC, x16) x = PASTE2(AS_, ACC)(bits);
	const VECTOR key = bits ^ ((bits >> (VECTOR)(8 * sizeof(LANE) - 1)) & (VECTOR)MAGNITUDE);
	return x != x ? (VECTOR)ROW(lift)((ACC)NAN) : key;
}

static inline void ROW(lanes_store)(GLOBAL ACC *out, VECTOR s)
{
	const ACC nan = ROW(emit)(ROW(lift)((ACC)NAN));
	const VECTOR bits = s ^ ((s >> (VECTOR)(8 * sizeof(LANE) - 1)) & (VECTOR)MAGNITUDE);
	PACKED(out) = s == (VECTOR)ROW(lift)(nan) ? (VECTOR)PASTE2(BITS_, LANE)(nan) : bits;
}
#else
static inline VECTOR ROW(lanes_load)(GLOBAL const ACC *in)
{
	return PACKED_CONST(in);
}

static inline void ROW(lanes_store)(GLOBAL ACC *out, VECTOR s)
{
	PACKED(out) = s;
}
#endif

/* The total of a whole tile. */
static inline STATE ROW(lanes_total)(GLOBAL const ACC *in)
{
	VECTOR part[4];
	LANE lane[16];
	for (u32 p = 0; p < 4; p++)
		part[p] = ROW(lanes_load)(in + 16u * p);
	for (u32 i = 64; i < TILE; i += 64) {
		UNROLLED
		for (u32 p = 0; p < 4; p++)
			part[p] = VCOMBINE(part[p], ROW(lanes_load)(in + i + 16u * p));
	}
	part[0] = VCOMBINE(part[0], part[1]);
	part[2] = VCOMBINE(part[2], part[3]);
	vstore16(VCOMBINE(part[0], part[2]), 0, lane);
	STATE total = (STATE)lane[0];
	for (u32 l = 1; l < 16; l++)
		total = ROW(combine)(total, (STATE)lane[l]);
	return total;
}

/* The inclusive prefixes of x: the last lane of a group goes to the group after it. Where x combined with x is x the
 * other lanes may meet themselves; elsewhere (sum, xor) they meet 0. */
static inline VECTOR ROW(lanes_prefixes)(VECTOR x)
{
#if IDEMPOTENT
	x = VCOMBINE(x.s0022446688aaccee, x);
	x = VCOMBINE(x.s011145558999cddd, x);
	x = VCOMBINE(x.s0123333389abbbbb, x);
	return VCOMBINE(x.s0123456777777777, x);
#else
	const LANE m = (LANE)~(LANE)0;
	x = VCOMBINE(x.s0022446688aaccee & (VECTOR)(0, m, 0, m, 0, m, 0, m, 0, m, 0, m, 0, m, 0, m), x);
	x = VCOMBINE(x.s011145558999cddd & (VECTOR)(0, 0, m, m, 0, 0, m, m, 0, 0, m, m, 0, 0, m, m), x);
	x = VCOMBINE(x.s0123333389abbbbb & (VECTOR)(0, 0, 0, 0, m, m, m, m, 0, 0, 0, 0, m, m, m, m), x);
	return VCOMBINE(x.s0123456777777777 & (VECTOR)(0, 0, 0, 0, 0, 0, 0, 0, m, m, m, m, m, m, m, m), x);
#endif
}

/* Writes the results of a whole tile. Returns 0 if one may not fit. A sum p + x = s left its type if, signed, s has
 * the sign of neither; unsigned, if the addition carries out of the top bit. Sums wrap, so p is s - x whatever came
 * before. */
static inline int ROW(lanes_results)(GLOBAL const ACC *in, GLOBAL ACC *out, int has_carry_in, STATE carry_in)
{
	VECTOR before = (VECTOR)(has_carry_in ? (LANE)carry_in : NOTHING);
#if CHECK_OVERFLOW
	VECTOR bad = (VECTOR)((LANE)0);
#endif
	for (u32 i = 0; i < TILE; i += 16) {
		const VECTOR x = ROW(lanes_load)(in + i);
		const VECTOR local_prefix = ROW(lanes_prefixes)(x);
		const VECTOR s = VCOMBINE(before, local_prefix);
		before = VCOMBINE(before, (VECTOR)(local_prefix.sf));
		ROW(lanes_store)(out + i, s);
#if CHECK_OVERFLOW
		const VECTOR p = s - x;
		bad |= (ACC)-1 < 0 ? (p ^ s) & (x ^ s) : (p & x) | ((p | x) & ~s);
#endif
	}
#if CHECK_OVERFLOW
	return !any(bad >= (VECTOR)((LANE)TOP_BIT));
#else
	return 1;
#endif
}
#endif

#if LANES == LANES_ACROSS
#define NOTHING PASTE2(NOTHING_, OP)(ACC)
/* QUAD elements are 16 bytes: shuffles within so many are the cheap ones. A vector has twice that: runs in a block. */
#define QUAD_f32 4
#define QUAD_f64 2
#define QUAD PASTE2(QUAD_, ACC)
#define BLOCK_RUNS (2 * QUAD)
#define BLOCKS (RUNS / BLOCK_RUNS)
#if QUAD == 4
#define VECTOR f32x8
#define VLOAD vload8
#define VSTORE vstore8
#define QUAD_VECTOR float4
#define JOINED(a, b) (VECTOR)((a).s0, (a).s1, (a).s2, (a).s3, (b).s0, (b).s1, (b).s2, (b).s3)
#else
#define VECTOR f64x4
#define VLOAD vload4
#define VSTORE vstore4
#define QUAD_VECTOR double2
#define JOINED(a, b) (VECTOR)((a).s0, (a).s1, (b).s0, (b).s1)
#endif
/* At any address, as vload and vstore have it; PoCL makes those of several instructions. */
struct __attribute__((packed)) ROW(lanes_packed) {
	QUAD_VECTOR v;
};
#define PACKED(p) (((GLOBAL struct ROW(lanes_packed) *)(p))->v)
#define PACKED_CONST(p) (((GLOBAL const struct ROW(lanes_packed) *)(p))->v)

/* Transposes the QUAD times QUAD elements in either half of QUAD vectors. */
static inline void ROW(lanes_transpose)(VECTOR *v)
{
#if QUAD == 4
	const VECTOR a = (VECTOR)(v[0].s0, v[1].s0, v[0].s1, v[1].s1, v[0].s4, v[1].s4, v[0].s5, v[1].s5);
	const VECTOR b = (VECTOR)(v[0].s2, v[1].s2, v[0].s3, v[1].s3, v[0].s6, v[1].s6, v[0].s7, v[1].s7);
	const VECTOR c = (VECTOR)(v[2].s0, v[3].s0, v[2].s1, v[3].s1, v[2].s4, v[3].s4, v[2].s5, v[3].s5);
	const VECTOR d = (VECTOR)(v[2].s2, v[3].s2, v[2].s3, v[3].s3, v[2].s6, v[3].s6, v[2].s7, v[3].s7);
	v[0] = (VECTOR)(a.s0, a.s1, c.s0, c.s1, a.s4, a.s5, c.s4, c.s5);
	v[1] = (VECTOR)(a.s2, a.s3, c.s2, c.s3, a.s6, a.s7, c.s6, c.s7);
	v[2] = (VECTOR)(b.s0, b.s1, d.s0, d.s1, b.s4, b.s5, d.s4, d.s5);
	v[3] = (VECTOR)(b.s2, b.s3, d.s2, d.s3, b.s6, b.s7, d.s6, d.s7);
#else
	const VECTOR a = v[0];
	v[0] = (VECTOR)(a.s0, v[1].s0, a.s2, v[1].s2);
	v[1] = (VECTOR)(a.s1, v[1].s1, a.s3, v[1].s3);
#endif
}

/* Element j of BLOCK_RUNS runs becomes v[j], and back. */
static inline void ROW(lanes_load)(GLOBAL const ACC *in, VECTOR *v)
{
	UNROLLED
	for (u32 q = 0; q < RUN; q += QUAD) {
		UNROLLED
		for (u32 i = 0; i < QUAD; i++)
			v[q + i] = JOINED(PACKED_CONST(in + RUN * i + q), PACKED_CONST(in + RUN * (QUAD + i) + q));
		ROW(lanes_transpose)(v + q);
	}
}

static inline void ROW(lanes_store)(GLOBAL ACC *out, VECTOR *v)
{
	UNROLLED
	for (u32 q = 0; q < RUN; q += QUAD) {
		ROW(lanes_transpose)(v + q);
		UNROLLED
		for (u32 i = 0; i < QUAD; i++) {
			PACKED(out + RUN * i + q) = v[q + i].lo;
			PACKED(out + RUN * (QUAD + i) + q) = v[q + i].hi;
		}
	}
}

/* The tree lies as a heap does: the children of node m are 2m and 2m + 1, the run totals tree[RUNS] and on, the tile's
 * total is tree[1]. A level of less than eight nodes is done one by one. */
static inline void ROW(lanes_tree_up)(ACC *tree)
{
	for (u32 n = RUNS / 2; n >= 8; n /= 2) {
		for (u32 m = n; m < 2 * n; m += 8) {
			const PASTE2(ACC, x16) children = vload16(0, tree + 2 * m);
			vstore8(VCOMBINE(children.even, children.odd), 0, tree + m);
		}
	}
	SERIAL_LOOP
	for (u32 m = 7; m > 0; m--)
		tree[m] = ROW(combine)(tree[2 * m], tree[2 * m + 1]);
}

/* From totals to what comes before every node. */
static inline void ROW(lanes_tree_down)(ACC *tree)
{
	tree[1] = NOTHING;
	SERIAL_LOOP
	for (u32 m = 1; m < 8; m++) {
		tree[2 * m + 1] = ROW(combine)(tree[m], tree[2 * m]);
		tree[2 * m] = tree[m];
	}
	for (u32 n = 8; n < RUNS; n *= 2) {
		for (u32 m = n; m < 2 * n; m += 8) {
			const PASTE2(ACC, x8) a = vload8(0, tree + m);
			const PASTE2(ACC, x16) children = vload16(0, tree + 2 * m);
			const PASTE2(ACC, x8) b = VCOMBINE(a, children.even);
			vstore8((PASTE2(ACC, x8))(a.s0, b.s0, a.s1, b.s1, a.s2, b.s2, a.s3, b.s3), 0, tree + 2 * m);
			vstore8((PASTE2(ACC, x8))(a.s4, b.s4, a.s5, b.s5, a.s6, b.s6, a.s7, b.s7), 1, tree + 2 * m);
		}
	}
}

/* The total of a whole tile. */
static inline STATE ROW(lanes_total)(GLOBAL const ACC *in)
{
	ACC tree[2 * RUNS];
	for (u32 b = 0; b < BLOCKS; b++) {
		VECTOR v[RUN];
		ROW(lanes_load)(in + b * BLOCK_RUNS * RUN, v);
		UNROLLED
		for (u32 j = 1; j < RUN; j++)
			v[0] = VCOMBINE(v[0], v[j]);
		VSTORE(v[0], b, tree + RUNS);
	}
	ROW(lanes_tree_up)(tree);
	return tree[1];
}

/* Writes the results of a whole tile and returns 1: all of them fit. A NaN stays one to the end of its run (and so
 * does what makes one of the prefix): if the runs' last results are not NaN, no result is. */
static inline int ROW(lanes_results)(GLOBAL const ACC *in, GLOBAL ACC *out, int has_carry_in, STATE carry_in)
{
	const VECTOR carry = (VECTOR)(has_carry_in ? carry_in : NOTHING);
	ACC tree[2 * RUNS];
	VECTOR local_prefix[BLOCKS][RUN];
	VECTOR last = carry;
	int has_nan = 0;
	for (u32 b = 0; b < BLOCKS; b++) {
		VECTOR v[RUN];
		ROW(lanes_load)(in + b * BLOCK_RUNS * RUN, v);
		local_prefix[b][0] = v[0];
		UNROLLED
		for (u32 j = 1; j < RUN; j++) {
			v[j] = VCOMBINE(v[j - 1], v[j]);
			local_prefix[b][j] = v[j];
		}
		VSTORE(v[RUN - 1], b, tree + RUNS);
	}
	ROW(lanes_tree_up)(tree);
	ROW(lanes_tree_down)(tree);
	for (u32 b = 0; b < BLOCKS; b++) {
		const VECTOR before = VCOMBINE(carry, VLOAD(b, tree + RUNS));
		VECTOR v[RUN];
		UNROLLED
		for (u32 j = 0; j < RUN; j++)
			v[j] = VCOMBINE(before, local_prefix[b][j]);
		last = v[RUN - 1] != v[RUN - 1] ? v[RUN - 1] : last;
		ROW(lanes_store)(out + b * BLOCK_RUNS * RUN, v);
	}
	has_nan = any(last != last);
	for (u32 i = 0; has_nan && i < TILE; i++)
		out[i] = ROW(emit)(out[i]);
	return 1;
}
#endif
