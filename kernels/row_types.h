/* The types and constants that belong to each accumulator, under the names that operators' texts use (row_begin.h), and
 * facts of the accumulators. */
#ifndef PSCAN_KERNELS_ROW_TYPES_H
#define PSCAN_KERNELS_ROW_TYPES_H
#define BITS_OF_f32 u32
#define BITS_OF_f64 u64
#define MAGNITUDE_OF_f32 0x7fffffffu
#define MAGNITUDE_OF_f64 0x7ffffffffffffffful
#define INFINITY_BITS_OF_f32 0x7f800000u
#define INFINITY_BITS_OF_f64 0x7ff0000000000000ul
#define NAN_ABOVE_OF_f32 0x7fc00000u
#define NAN_ABOVE_OF_f64 0x7ff8000000000000ul
#define NAN_BELOW_OF_f32 0x803fffffu
#define NAN_BELOW_OF_f64 0x8007fffffffffffful
/* For a state with an exponent (library/prod.h): the powers of two that scale it, and the bits that |m| may have, from
 * SCALED_LEAST to before SCALED_LEAST + SCALED_RANGE. */
#define SCALE_UP_OF_f32 0x1p120f
#define SCALE_UP_OF_f64 0x1p1000
#define SCALE_DOWN_OF_f32 0x1p-120f
#define SCALE_DOWN_OF_f64 0x1p-1000
#define SCALED_LEAST_OF_f32 0x21800000u
#define SCALED_LEAST_OF_f64 0x20b0000000000000ul
#define SCALED_RANGE_OF_f32 0x3c000000u
#define SCALED_RANGE_OF_f64 0x3e80000000000000ul
#define NAN_OF_f32 f32_from_bits(F32_NAN_BITS)
#define NAN_OF_f64 f64_from_bits(F64_NAN_BITS)
#define PARAMETER_OF_i64 f64
#define PARAMETER_OF_i128 f64
#define PARAMETER_OF_f32 f32
#define PARAMETER_OF_f64 f64
/* Facts of an accumulator (row_begin.h explains them): whether it is float, signed, wide, plain; its size in bits; the
 * types U (none: it has no U), KEY, LONG_KEY and FLAG. FACT(FACT_BITS, FACTS(T)) is its size, and so on. */
#define FACTS_OF_i8 (0, 1, 0, 0, 8, u32, i8, i64, u8)
#define FACTS_OF_u8 (0, 0, 0, 0, 8, u32, u8, u64, u8)
#define FACTS_OF_i16 (0, 1, 0, 0, 16, u32, i16, i64, u16)
#define FACTS_OF_u16 (0, 0, 0, 0, 16, u32, u16, u64, u16)
#define FACTS_OF_i32 (0, 1, 0, 0, 32, u32, i32, i64, u32)
#define FACTS_OF_u32 (0, 0, 0, 1, 32, u32, u32, u64, u32)
#define FACTS_OF_i64 (0, 1, 0, 0, 64, u64, i64, i64, u64)
#define FACTS_OF_u64 (0, 0, 0, 1, 64, u64, u64, u64, u64)
#define FACTS_OF_i128 (0, 1, 1, 0, 128, none, i128, i128, u64)
#define FACTS_OF_f32 (1, 1, 0, 1, 32, none, i32, i64, u32)
#define FACTS_OF_f64 (1, 1, 0, 1, 64, none, i64, i64, u64)
#define FACT_FLOAT(is_float, is_signed, is_wide, is_plain, bits, u, key, long_key, flag) is_float
#define FACT_SIGNED(is_float, is_signed, is_wide, is_plain, bits, u, key, long_key, flag) is_signed
#define FACT_WIDE(is_float, is_signed, is_wide, is_plain, bits, u, key, long_key, flag) is_wide
#define FACT_PLAIN(is_float, is_signed, is_wide, is_plain, bits, u, key, long_key, flag) is_plain
#define FACT_BITS(is_float, is_signed, is_wide, is_plain, bits, u, key, long_key, flag) bits
#define FACT_U(is_float, is_signed, is_wide, is_plain, bits, u, key, long_key, flag) u
#define FACT_KEY(is_float, is_signed, is_wide, is_plain, bits, u, key, long_key, flag) key
#define FACT_LONG_KEY(is_float, is_signed, is_wide, is_plain, bits, u, key, long_key, flag) long_key
#define FACT_FLAG(is_float, is_signed, is_wide, is_plain, bits, u, key, long_key, flag) flag
#define FACTS(T) FACTS_(T)
#define FACTS_(T) FACTS_OF_##T
#define FACT_(FACT, facts) FACT facts
#define FACT(FACT, facts) FACT_(FACT, facts)
/* The type of the results with the accumulator ACC, and whether it is a float, for each OP_RESULT (operators.inc). */
#define RESULT_OF_SAME ACC
#define RESULT_OF_COUNT u64
#define RESULT_OF_FLOAT REAL(FACT(FACT_FLOAT, FACTS(ACC)))
#define REAL(is_float) REAL_(is_float)
#define REAL_(is_float) REAL_##is_float
#define REAL_0 f64
#define REAL_1 ACC
#define REAL_RESULT_SAME T_IS_FLOAT
#define REAL_RESULT_COUNT 0
#define REAL_RESULT_FLOAT 1

#endif
