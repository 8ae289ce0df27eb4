/* Operators of the elements' order, in the stream or by size: rows as operators.h has them. */
#ifndef PSCAN_KERNELS_OPERATORS_ORDER_H
#define PSCAN_KERNELS_OPERATORS_ORDER_H

/* Elements so far. */
#define COUNT_ROW(T)                                                                                                   \
	typedef u64 state_count_##T;                                                                                   \
	typedef u64 result_count_##T;                                                                                  \
	static inline u64 lift_count_##T(T x)                                                                          \
	{                                                                                                              \
		(void)x;                                                                                               \
		return 1;                                                                                              \
	}                                                                                                              \
	static inline u64 combine_count_##T(u64 a, u64 b)                                                              \
	{                                                                                                              \
		return a + b;                                                                                          \
	}                                                                                                              \
	static inline u64 emit_count_##T(u64 s)                                                                        \
	{                                                                                                              \
		return s;                                                                                              \
	}                                                                                                              \
	NEVER_OVERFLOWS(count, T)

EACH_TYPE(COUNT_ROW)

/* The greatest element minus the least. The members are the states of min and max; of integers the difference wraps, and the
 * exact one, which is not negative, fits if the wrapped one is not. */
#define RANGE_ROW(T)                                                                                                   \
	struct range_##T {                                                                                             \
		state_min_##T least;                                                                                   \
		state_max_##T greatest;                                                                                \
	};                                                                                                             \
	typedef struct range_##T state_range_##T;                                                                      \
	typedef T result_range_##T;                                                                                    \
	static inline struct range_##T lift_range_##T(T x)                                                             \
	{                                                                                                              \
		struct range_##T s;                                                                                    \
		s.least = lift_min_##T(x);                                                                             \
		s.greatest = lift_max_##T(x);                                                                          \
		return s;                                                                                              \
	}                                                                                                              \
	static inline struct range_##T combine_range_##T(struct range_##T a, struct range_##T b)                       \
	{                                                                                                              \
		a.least = combine_min_##T(a.least, b.least);                                                           \
		a.greatest = combine_max_##T(a.greatest, b.greatest);                                                  \
		return a;                                                                                              \
	}                                                                                                              \
	static inline T emit_range_##T(struct range_##T s)                                                             \
	{                                                                                                              \
		return DIFFERENCE_##T(emit_max_##T(s.greatest), emit_min_##T(s.least));                                \
	}                                                                                                              \
	static inline int overflow_range_##T(struct range_##T p, struct range_##T x, struct range_##T s)               \
	{                                                                                                              \
		(void)p;                                                                                               \
		(void)x;                                                                                               \
		return IS_NEGATIVE_##T(emit_range_##T(s));                                                             \
	}
#define DIFFERENCE_i8(a, b) ((i8)((u32)(a) - (u32)(b)))
#define DIFFERENCE_u8(a, b) ((u8)((u32)(a) - (u32)(b)))
#define DIFFERENCE_i16(a, b) ((i16)((u32)(a) - (u32)(b)))
#define DIFFERENCE_u16(a, b) ((u16)((u32)(a) - (u32)(b)))
#define DIFFERENCE_i32(a, b) ((i32)((u32)(a) - (u32)(b)))
#define DIFFERENCE_u32(a, b) ((a) - (b))
#define DIFFERENCE_i64(a, b) ((i64)((u64)(a) - (u64)(b)))
#define DIFFERENCE_u64(a, b) ((a) - (b))
#define DIFFERENCE_i128(a, b) i128_add(a, i128_negate(b))
#define DIFFERENCE_f32(a, b) emit_sum_f32((a) - (b))
#define DIFFERENCE_f64(a, b) emit_sum_f64((a) - (b))
#define IS_NEGATIVE_i8(d) ((d) < 0)
#define IS_NEGATIVE_u8(d) ((void)(d), 0)
#define IS_NEGATIVE_i16(d) ((d) < 0)
#define IS_NEGATIVE_u16(d) ((void)(d), 0)
#define IS_NEGATIVE_i32(d) ((d) < 0)
#define IS_NEGATIVE_u32(d) ((void)(d), 0)
#define IS_NEGATIVE_i64(d) ((d) < 0)
#define IS_NEGATIVE_u64(d) ((void)(d), 0)
#define IS_NEGATIVE_i128(d) ((i64)(d).hi < 0)
#define IS_NEGATIVE_f32(d) ((void)(d), 0)
#define IS_NEGATIVE_f64(d) ((void)(d), 0)

EACH_TYPE(RANGE_ROW)

/* The first element and the last one: of two the first or the second. */
#define CHOICE_ROW(OP, T, EXPRESSION)                                                                                  \
	ELEMENT_STATE(OP, T)                                                                                           \
	COMBINE(OP, T, EXPRESSION)                                                                                     \
	static inline T emit_##OP##_##T(T s)                                                                           \
	{                                                                                                              \
		return emit_sum_##T(s);                                                                                \
	}                                                                                                              \
	NEVER_OVERFLOWS(OP, T)
#define FIRST_ROW(T) CHOICE_ROW(first, T, a)
#define LAST_ROW(T) CHOICE_ROW(last, T, b)

EACH_TYPE(FIRST_ROW)
EACH_TYPE(LAST_ROW)

/* The element before, and the difference to it. Of one element there is none. (No padding: states are compared byte by byte.) */
#define PAIR_ROWS(T)                                                                                                   \
	struct pair_##T {                                                                                              \
		T before;                                                                                              \
		T last;                                                                                                \
		FLAG_##T has_before;                                                                                   \
	};                                                                                                             \
	static inline struct pair_##T lift_pair_##T(T x)                                                               \
	{                                                                                                              \
		struct pair_##T s;                                                                                     \
		s.before = ZERO_##T;                                                                                   \
		s.last = x;                                                                                            \
		s.has_before = 0;                                                                                      \
		return s;                                                                                              \
	}                                                                                                              \
	static inline struct pair_##T combine_pair_##T(struct pair_##T a, struct pair_##T b)                           \
	{                                                                                                              \
		if (b.has_before == 0)                                                                                 \
			b.before = a.last;                                                                             \
		b.has_before = 1;                                                                                      \
		return b;                                                                                              \
	}                                                                                                              \
	PAIR_ROW(lag, T)                                                                                               \
	static inline T emit_lag_##T(struct pair_##T s)                                                                \
	{                                                                                                              \
		return emit_sum_##T(s.before);                                                                         \
	}                                                                                                              \
	NEVER_OVERFLOWS(lag, T)                                                                                        \
	PAIR_ROW(delta, T)                                                                                             \
	static inline T emit_delta_##T(struct pair_##T s)                                                              \
	{                                                                                                              \
		return DIFFERENCE_##T(s.last, s.before);                                                               \
	}                                                                                                              \
	static inline int overflow_delta_##T(struct pair_##T p, struct pair_##T x, struct pair_##T s)                  \
	{                                                                                                              \
		(void)p;                                                                                               \
		(void)x;                                                                                               \
		return s.has_before != 0 && DIFFERS_FROM_##T(DIFFERENCE_##T(s.last, s.before), s.last, s.before);      \
	}
#define PAIR_ROW(OP, T)                                                                                                \
	typedef struct pair_##T state_##OP##_##T;                                                                      \
	typedef T result_##OP##_##T;                                                                                   \
	static inline struct pair_##T lift_##OP##_##T(T x)                                                             \
	{                                                                                                              \
		return lift_pair_##T(x);                                                                               \
	}                                                                                                              \
	static inline struct pair_##T combine_##OP##_##T(struct pair_##T a, struct pair_##T b)                         \
	{                                                                                                              \
		return combine_pair_##T(a, b);                                                                         \
	}
#define FLAG_i8 u8
#define FLAG_u8 u8
#define FLAG_i16 u16
#define FLAG_u16 u16
#define FLAG_i32 u32
#define FLAG_u32 u32
#define FLAG_i64 u64
#define FLAG_u64 u64
#define FLAG_i128 u64
#define FLAG_f32 u32
#define FLAG_f64 u64
#define ZERO_i8 0
#define ZERO_u8 0
#define ZERO_i16 0
#define ZERO_u16 0
#define ZERO_i32 0
#define ZERO_u32 0
#define ZERO_i64 0
#define ZERO_u64 0
#define ZERO_i128 i128_make(0, 0)
#define ZERO_f32 0.0f
#define ZERO_f64 0.0
/* Whether the wrapped difference d of a and b is not the exact one. */
#define SIGNED_DIFFERS(d, a, b) (((a) < (b)) != ((d) < 0))
#define UNSIGNED_DIFFERS(d, a, b) ((void)(d), (a) < (b))
#define DIFFERS_FROM_i8(d, a, b) SIGNED_DIFFERS(d, a, b)
#define DIFFERS_FROM_u8(d, a, b) UNSIGNED_DIFFERS(d, a, b)
#define DIFFERS_FROM_i16(d, a, b) SIGNED_DIFFERS(d, a, b)
#define DIFFERS_FROM_u16(d, a, b) UNSIGNED_DIFFERS(d, a, b)
#define DIFFERS_FROM_i32(d, a, b) SIGNED_DIFFERS(d, a, b)
#define DIFFERS_FROM_u32(d, a, b) UNSIGNED_DIFFERS(d, a, b)
#define DIFFERS_FROM_i64(d, a, b) SIGNED_DIFFERS(d, a, b)
#define DIFFERS_FROM_u64(d, a, b) UNSIGNED_DIFFERS(d, a, b)
#define DIFFERS_FROM_i128(d, a, b) (i128_less(a, b) != ((i64)(d).hi < 0))
#define DIFFERS_FROM_f32(d, a, b) ((void)(d), (void)(a), (void)(b), 0)
#define DIFFERS_FROM_f64(d, a, b) ((void)(d), (void)(a), (void)(b), 0)

EACH_TYPE(PAIR_ROWS)

/* The greatest element minus the element that it is emitted with. */
#define DRAWDOWN_ROW(T)                                                                                                \
	typedef state_max_##T state_drawdown_##T;                                                                      \
	typedef T result_drawdown_##T;                                                                                 \
	static inline state_max_##T lift_drawdown_##T(T x)                                                             \
	{                                                                                                              \
		return lift_max_##T(x);                                                                                \
	}                                                                                                              \
	static inline state_max_##T combine_drawdown_##T(state_max_##T a, state_max_##T b)                             \
	{                                                                                                              \
		return combine_max_##T(a, b);                                                                          \
	}                                                                                                              \
	static inline T emit_drawdown_##T(state_max_##T s, T x)                                                        \
	{                                                                                                              \
		return DIFFERENCE_##T(emit_max_##T(s), x);                                                             \
	}                                                                                                              \
	static inline int overflow_drawdown_##T(state_max_##T p, state_max_##T x, state_max_##T s)                     \
	{                                                                                                              \
		const T greatest = emit_max_##T(s);                                                                    \
		const T element = emit_max_##T(x);                                                                     \
		(void)p;                                                                                               \
		return DIFFERS_FROM_##T(DIFFERENCE_##T(greatest, element), greatest, element);                         \
	}

EACH_TYPE(DRAWDOWN_ROW)

/* The index, from 0, of the greatest or least element, of equal ones the earliest. Keys are the states of max or min, no narrower than
 * the counts (no padding). */
#define PLACE_ROWS(T)                                                                                                  \
	struct place_##T {                                                                                             \
		KEY_##T key;                                                                                           \
		u64 index;                                                                                             \
		u64 count;                                                                                             \
	};                                                                                                             \
	static inline struct place_##T combine_place_##T(struct place_##T a, struct place_##T b, int later)            \
	{                                                                                                              \
		if (later != 0) {                                                                                      \
			a.key = b.key;                                                                                 \
			a.index = a.count + b.index;                                                                   \
		}                                                                                                      \
		a.count += b.count;                                                                                    \
		return a;                                                                                              \
	}                                                                                                              \
	PLACE_ROW(argmax, max, T, KEY_IS_LESS_##T(a.key, b.key))                                                       \
	PLACE_ROW(argmin, min, T, KEY_IS_LESS_##T(b.key, a.key))
#define PLACE_ROW(OP, OF, T, LATER)                                                                                    \
	typedef struct place_##T state_##OP##_##T;                                                                     \
	typedef u64 result_##OP##_##T;                                                                                 \
	static inline struct place_##T lift_##OP##_##T(T x)                                                            \
	{                                                                                                              \
		struct place_##T s;                                                                                    \
		s.key = lift_##OF##_##T(x);                                                                            \
		s.index = 0;                                                                                           \
		s.count = 1;                                                                                           \
		return s;                                                                                              \
	}                                                                                                              \
	static inline struct place_##T combine_##OP##_##T(struct place_##T a, struct place_##T b)                      \
	{                                                                                                              \
		return combine_place_##T(a, b, LATER);                                                                 \
	}                                                                                                              \
	static inline u64 emit_##OP##_##T(struct place_##T s)                                                          \
	{                                                                                                              \
		return s.index;                                                                                        \
	}                                                                                                              \
	NEVER_OVERFLOWS(OP, T)
#define KEY_i8 i64
#define KEY_u8 u64
#define KEY_i16 i64
#define KEY_u16 u64
#define KEY_i32 i64
#define KEY_u32 u64
#define KEY_i64 i64
#define KEY_u64 u64
#define KEY_i128 i128
#define KEY_f32 i64
#define KEY_f64 i64
#define KEY_IS_LESS_i8(a, b) ((a) < (b))
#define KEY_IS_LESS_u8(a, b) ((a) < (b))
#define KEY_IS_LESS_i16(a, b) ((a) < (b))
#define KEY_IS_LESS_u16(a, b) ((a) < (b))
#define KEY_IS_LESS_i32(a, b) ((a) < (b))
#define KEY_IS_LESS_u32(a, b) ((a) < (b))
#define KEY_IS_LESS_i64(a, b) ((a) < (b))
#define KEY_IS_LESS_u64(a, b) ((a) < (b))
#define KEY_IS_LESS_i128(a, b) i128_less(a, b)
#define KEY_IS_LESS_f32(a, b) ((a) < (b))
#define KEY_IS_LESS_f64(a, b) ((a) < (b))

EACH_TYPE(PLACE_ROWS)

#endif
