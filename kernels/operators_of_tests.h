/* Rows for tests alone: operators whose results show the order of combination. */
#ifndef PSCAN_KERNELS_OPERATORS_OF_TESTS_H
#define PSCAN_KERNELS_OPERATORS_OF_TESTS_H

/* A row (row_begin.h) with states of type u64, which never overflows. Earlier tiles are carried as a state. */
#define STATE_ROW(OP)                                                                                                  \
	typedef u64 state_##OP##_u64;                                                                                  \
	typedef u64 carry_##OP##_u64;                                                                                  \
	static inline u64 combine_##OP##_u64(u64 a, u64 b);                                                            \
	static inline int overflow_##OP##_u64(u64 p, u64 x, u64 s)                                                     \
	{                                                                                                              \
		(void)p;                                                                                               \
		(void)x;                                                                                               \
		(void)s;                                                                                               \
		return 0;                                                                                              \
	}                                                                                                              \
	static inline u64 carry_first_##OP##_u64(u64 total)                                                            \
	{                                                                                                              \
		return total;                                                                                          \
	}                                                                                                              \
	static inline u64 carry_add_##OP##_u64(u64 before, u64 total)                                                  \
	{                                                                                                              \
		return combine_##OP##_u64(before, total);                                                              \
	}                                                                                                              \
	static inline u64 carry_prefix_##OP##_u64(u64 before)                                                          \
	{                                                                                                              \
		return before;                                                                                         \
	}

/* "interval" (the interval monoid) takes element i as the interval (i, i). It joins (a, b) and (c, d) to (a, d) only if
 * b + 1 == c; anything else gives the poison (1, 0). One scan of 0, 1, 2, ... proves the order of combination for every
 * associative operator. "recent" is b ? b : a, which is not commutative. */
STATE_ROW(interval)
typedef u64 result_interval_u64;
static inline u64 lift_interval_u64(u64 x)
{
	return (x << 32) | x;
}
static inline u64 combine_interval_u64(u64 a, u64 b)
{
	const u64 poison = (u64)1 << 32;
	if (a == poison || b == poison || (a & 0xfffffffful) + 1 != b >> 32)
		return poison;
	return (a & 0xffffffff00000000ul) | (b & 0xfffffffful);
}
static inline u64 emit_interval_u64(u64 s)
{
	return s;
}

/* "interval" for elements of several numbers: element i is 3i, 3i + 1, 3i + 2, or 8i, ... 8i + 7. */
#define INTERVAL_ROW(OP)                                                                                               \
	STATE_ROW(OP)                                                                                                  \
	typedef u64 result_##OP##_u64;                                                                                 \
	static inline u64 combine_##OP##_u64(u64 a, u64 b)                                                             \
	{                                                                                                              \
		return combine_interval_u64(a, b);                                                                     \
	}                                                                                                              \
	static inline u64 emit_##OP##_u64(u64 s)                                                                       \
	{                                                                                                              \
		return s;                                                                                              \
	}
static inline u64 lift_triples_u64(u64 a, u64 b, u64 c)
{
	return b == a + 1 && c == a + 2 && a % 3 == 0 ? lift_interval_u64(a / 3) : (u64)1 << 32;
}
INTERVAL_ROW(triples)
static inline u64 lift_octets_u64(u64 a, u64 b, u64 c, u64 d, u64 e, u64 f, u64 g, u64 h)
{
	const u64 rises =
	        b == a + 1 && c == a + 2 && d == a + 3 && e == a + 4 && f == a + 5 && g == a + 6 && h == a + 7;
	return rises && a % 8 == 0 ? lift_interval_u64(a / 8) : (u64)1 << 32;
}
INTERVAL_ROW(octets)

/* "interval" with several results an element: two that fill a word, two that do not, and eight of all sizes. */
#define RESULTS_ROW(OP)                                                                                                \
	STATE_ROW(OP)                                                                                                  \
	typedef struct result_##OP result_##OP##_u64;                                                                  \
	static inline u64 lift_##OP##_u64(u64 x)                                                                       \
	{                                                                                                              \
		return lift_interval_u64(x);                                                                           \
	}                                                                                                              \
	static inline u64 combine_##OP##_u64(u64 a, u64 b)                                                             \
	{                                                                                                              \
		return combine_interval_u64(a, b);                                                                     \
	}
struct __attribute__((packed)) result_ends {
	u32 first;
	u32 last;
};
struct __attribute__((packed)) result_edges {
	u32 last;
	u16 first;
};
struct __attribute__((packed)) result_views {
	u8 low;
	u64 all;
	i16 length;
	u32 first;
	f32 last;
	i8 is_poison;
	u16 high;
	i64 opposite;
};
RESULTS_ROW(ends)
static inline struct result_ends emit_ends_u64(u64 s)
{
	const struct result_ends r = {(u32)(s >> 32), (u32)s};
	return r;
}
RESULTS_ROW(edges)
static inline struct result_edges emit_edges_u64(u64 s)
{
	const struct result_edges r = {(u32)s, (u16)(s >> 32)};
	return r;
}
RESULTS_ROW(views)
static inline struct result_views emit_views_u64(u64 s)
{
	const u32 first = (u32)(s >> 32);
	const u32 last = (u32)s;
	const struct result_views r = {(u8)last,  s,                    (i16)(last - first), first,
	                               (f32)last, (i8)-(last < first), (u16)(last >> 16),   -(i64)last};
	return r;
}

STATE_ROW(recent)
typedef u64 result_recent_u64;
static inline u64 lift_recent_u64(u64 x)
{
	return x;
}
static inline u64 combine_recent_u64(u64 a, u64 b)
{
	return b != 0 ? b : a;
}
static inline u64 emit_recent_u64(u64 s)
{
	return s;
}

#endif
