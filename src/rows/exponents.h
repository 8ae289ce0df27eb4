/* Macros for numbers m 2^x of the accumulator ACC (f32 or f64), for products of floats (OP_EXPONENT,
 * kernels/library/prod.h). Only rows_exponents.inc and rows_columns.inc include this. */
#ifndef PSCAN_ROWS_EXPONENTS_H
#define PSCAN_ROWS_EXPONENTS_H

#define EXPONENT FACT(FACT_KEY, FACTS(ACC))
/* The unsigned type of a number's bits. */
#define WORD PASTE2(BITS_OF_, ACC)
#define WORD_OF(m) PASTE2(ACC, _bits)(m)
/* The bits of ACC's mantissa without the implicit one, and the bias of its exponent. */
#define MANTISSA_BITS PASTE2(MANTISSA_BITS_OF_, ACC)
#define MANTISSA_BITS_OF_f32 23
#define MANTISSA_BITS_OF_f64 52
#define BIAS ((EXPONENT)((1 << (8 * sizeof(ACC) - 2 - MANTISSA_BITS)) - 1))
/* Products in a run from 2^-64 up to 2^64 (2^-512 up to 2^512) stay as they are: their bits minus PLAIN_LEAST have
 * no PLAIN_BIT. */
#define PLAIN_EXPONENT (1 << (8 * sizeof(ACC) - 3 - MANTISSA_BITS))
#define PLAIN_LEAST ((WORD)(BIAS - PLAIN_EXPONENT) << MANTISSA_BITS)
#define PLAIN_BIT ((WORD)1 << (8 * sizeof(ACC) - 2))
/* x is the exponent of the state before a run. If |x| <= NEAR, one multiplication by such a product gives each result.
 * If |x| > FAR, all results are infinite or 0. If |x| >= VERY_FAR, no product of a tile can bring the state back. */
#define NEAR (PLAIN_EXPONENT - 8)
#define FAR (4 * PLAIN_EXPONENT)
#define VERY_FAR (1 << 26)
/* The factor of one step of a state's exponent, as a power of two. */
#define RANGE ((i64)(PASTE2(SCALED_RANGE_OF_, ACC) >> MANTISSA_BITS))

#endif
