/* Macros for numbers m 2^x, where m is of the accumulator's type ACC (f32 or f64): for products of floats (OP_EXPONENT,
 * kernels/library/prod.h). Only rows_exponents.inc and rows_columns.inc include this. */
#ifndef PSCAN_ROWS_EXPONENTS_H
#define PSCAN_ROWS_EXPONENTS_H

/* The type of x. */
#define EXPONENT FACT(FACT_KEY, FACTS(ACC))
/* The unsigned type of m's bits, and these bits. */
#define WORD PASTE2(BITS_OF_, ACC)
#define WORD_OF(m) PASTE2(ACC, _bits)(m)
/* How many bits ACC's mantissa has without the implicit one, and the bias of ACC's exponent. */
#define MANTISSA_BITS PASTE2(MANTISSA_BITS_OF_, ACC)
#define MANTISSA_BITS_OF_f32 23
#define MANTISSA_BITS_OF_f64 52
#define BIAS ((EXPONENT)((1 << (8 * sizeof(ACC) - 2 - MANTISSA_BITS)) - 1))
/* A product in a run is plain, and needs no x, if its magnitude is at least 2^-64 and less than 2^64 (f64: 2^-512 and
 * 2^512). Its bits minus PLAIN_LEAST then have no PLAIN_BIT. PLAIN_EXPONENT: 64, or 512. */
#define PLAIN_EXPONENT (1 << (8 * sizeof(ACC) - 3 - MANTISSA_BITS))
#define PLAIN_LEAST ((WORD)(BIAS - PLAIN_EXPONENT) << MANTISSA_BITS)
#define PLAIN_BIT ((WORD)1 << (8 * sizeof(ACC) - 2))
/* Bounds of |x|. Let m 2^x, with 1 <= |m| < 2, be the state before a run of plain products: a finite number, not 0. If
 * |x| <= NEAR, each result is one multiplication, of m 2^x by a product. If |x| > FAR, each result is infinite or 0.
 * Of the state before a tile: if |x| >= VERY_FAR, no elements of the tile can bring a result back into ACC's range. */
#define NEAR (PLAIN_EXPONENT - 8)
#define FAR (4 * PLAIN_EXPONENT)
#define VERY_FAR (1 << 26)
/* A row's state m, e (kernels/library/prod.h) is the number m 2^(RANGE e). */
#define RANGE ((i64)(PASTE2(SCALED_RANGE_OF_, ACC) >> MANTISSA_BITS))

#endif
