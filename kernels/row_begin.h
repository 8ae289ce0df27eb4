/* Stands before an operator's text, for the row of OP and ACC, and defines the words in which the text is written. The
 * text has the form of a user's program (struct declarations, src/language/declarations.h): state, lift, combine, emit
 * and perhaps a carry; and an identity only if the facts do not tell it (src/tools/shown_operators.awk). It may use
 *
 *     T                the accumulator
 *     R                the type of the results
 *     U                for integers, but not i128: an unsigned type at least as wide as T, and wide enough not to be
 *                      promoted to int
 *     KEY              a type whose values sort as those of T do: for floats a signed integer of their size (key_of),
 *                      otherwise T
 *     LONG_KEY         as KEY, but at least as wide as a count
 *     FLAG             an unsigned type of T's size, or of one word of T
 *     BITS, bits_of(x), from_bits(b), MAGNITUDE, INFINITY_BITS   a float's bits
 *     SCALE_UP, SCALE_DOWN, SCALED_LEAST, SCALED_RANGE   the powers of two that scale a float with an exponent, and the
 *                      bits that the scaled float may have (library/prod.h)
 *     NAN_ABOVE, NAN_BELOW   the key of a NaN that is greater than any number, and of one that is less
 *     WITH_PARAMETER   the last parameter of lift and emit, for operators that have a parameter: it is named PARAMETER
 *     #if T_IS_FLOAT, T_IS_F32, T_IS_F64, T_IS_SIGNED, T_IS_WIDE (i128), T_IS_LONG (integers of 64 bits),
 *                      T_IS_NARROW (less than 32 bits), T_IS_PLAIN (+ - * of two T are of type T, and wrap or round)
 *     #if CARRIES_WIDE where the carry may be wider than the state: not all devices have types for that
 *     #if IS_ROW       for what only a row has. Where it is 0, the operator is shown as a program
 *                      (src/tools/shown_operators.awk)
 *
 * A text may have overflow(p, x, s), and then defines HAS_OVERFLOW. p is the exact state before an element, x the
 * element as a state, and s the state of the element's result: p combined with x, or p itself if results are exclusive.
 * overflow returns whether s is not exact, or emit(s) is not. It is not called for an element with nothing before it:
 * the operator sees to it that the result of one element always fits. A text defines HAS_CARRY if it has a carry, and
 * NEVER_NAN if its float results are never NaN.
 *
 * Integers wrap modulo 2^n: signed values are combined as unsigned ones. max and min of floats are IEEE 754-2019's
 * maximum and minimum (a NaN wins, -0 < +0). Their states are integers that sort as the floats do, so they are exactly
 * associative and do not depend on how a device treats denormals.
 *
 * The includer includes row_types.h first, and defines OP, ACC, and these of the operator's facts
 * (src/operators/operators.inc): OP_INPUTS, OP_EMITS_INPUTS, OP_PARAMETER and OP_RESULT. (R_IS_FLOAT is for row_end.h.)
 * This file has no include guard, on purpose: row_end.h undoes it. */
#if defined PSCAN_FP64 || defined PSCAN_OF_TABLE
#define CARRIES_WIDE 1
#else
#define CARRIES_WIDE 0
#endif
#define IS_ROW 1
#define T_IS_FLOAT FACT(FACT_FLOAT, FACTS(ACC))
#define T_IS_F32 (T_IS_FLOAT && FACT(FACT_BITS, FACTS(ACC)) == 32)
#define T_IS_F64 (T_IS_FLOAT && FACT(FACT_BITS, FACTS(ACC)) == 64)
#define T_IS_LONG (!T_IS_FLOAT && FACT(FACT_BITS, FACTS(ACC)) == 64)
#define T_IS_NARROW (FACT(FACT_BITS, FACTS(ACC)) < 32)
#define T_IS_SIGNED FACT(FACT_SIGNED, FACTS(ACC))
#define T_IS_WIDE FACT(FACT_WIDE, FACTS(ACC))
#define T_IS_PLAIN FACT(FACT_PLAIN, FACTS(ACC))
#define R_IS_FLOAT PASTE2(REAL_RESULT_, OP_RESULT)

#define T ACC
#define R PASTE2(RESULT_OF_, OP_RESULT)
#define U FACT(FACT_U, FACTS(ACC))
#define KEY FACT(FACT_KEY, FACTS(ACC))
#define LONG_KEY FACT(FACT_LONG_KEY, FACTS(ACC))
#define FLAG FACT(FACT_FLAG, FACTS(ACC))
#define BITS PASTE2(BITS_OF_, ACC)
#define bits_of PASTE2(ACC, _bits)
#define from_bits PASTE2(ACC, _from_bits)
#define MAGNITUDE PASTE2(MAGNITUDE_OF_, ACC)
#define INFINITY_BITS PASTE2(INFINITY_BITS_OF_, ACC)
#define SCALE_UP PASTE2(SCALE_UP_OF_, ACC)
#define SCALE_DOWN PASTE2(SCALE_DOWN_OF_, ACC)
#define SCALED_LEAST PASTE2(SCALED_LEAST_OF_, ACC)
#define SCALED_RANGE PASTE2(SCALED_RANGE_OF_, ACC)
#define NAN_ABOVE ((KEY)PASTE2(NAN_ABOVE_OF_, ACC))
#define NAN_BELOW ((KEY)PASTE2(NAN_BELOW_OF_, ACC))
#define PARAMETER parameter
#if OP_PARAMETER
#define WITH_PARAMETER , PASTE2(PARAMETER_OF_, ACC) parameter __attribute__((unused))
#else
#define WITH_PARAMETER
#endif

#define state ROW(state)
#define lift ROW(lift)
#define combine ROW(combine)
#define emit ROW(emit_any)
#define overflow ROW(overflow)
#define carry ROW(carry)
#define carry_first ROW(carry_first)
#define carry_add ROW(carry_add)
#define carry_add_mirrored ROW(carry_add_mirrored)
#define carry_prefix ROW(carry_prefix)
#define key_of ROW(key_of)
#define value_of ROW(value_of)
#define greater_of ROW(greater_of)
#define lesser_of ROW(lesser_of)
#define sum_of ROW(sum_of)
#define growth ROW(growth)
#define difference ROW(difference)
#define difference_wraps ROW(difference_wraps)
#define last_two ROW(last_two)
#define last_two_of ROW(last_two_of)
#define last_two_combine ROW(last_two_combine)
#define place ROW(place)
#define place_of ROW(place_of)
#define place_combine ROW(place_combine)
#define weighted ROW(weighted)
#define scaled ROW(scaled)
