/* In front of an operator's text, for the row of OP and ACC: what the text is written in. It has the form of a program of a user's
 * (struct declarations, src/language/declarations.h): state, lift, combine, emit and perhaps identity and a carry, and besides
 *
 *     T                the accumulator; R the results'
 *     U                an unsigned type at least as wide, wide enough not to be promoted to int
 *     KEY              a type that is compared: of floats a signed integer of their size (key_of), else T
 *     LONG_KEY         one no narrower than a count
 *     FLAG             an unsigned type of T's size, or a word of it
 *     BITS, bits_of(x), from_bits(b), MAGNITUDE, INFINITY_BITS   a float's bits
 *     SCALE_UP, SCALE_DOWN, SCALED_LEAST, SCALED_RANGE   what a float with an exponent is scaled by, and the bits that it has then
 *     NAN_ABOVE, NAN_BELOW   the keys of a NaN that is greater than anything, or less
 *     LEAST, GREATEST  of an integer type (in programs alone)
 *     WITH_PARAMETER   follows the parameters of lift and emit, of operators that have one: PARAMETER
 *     #if T_IS_FLOAT, T_IS_F32, T_IS_F64, T_IS_SIGNED, T_IS_WIDE (i128), T_IS_LONG (integers of 64 bits), T_IS_NARROW (less than 32),
 *                      T_IS_PLAIN (+ - * of two are of the type, and wrap or round)
 *     #if CARRIES_WIDE where a carry may be wider than the states, for which not all devices have types
 *     #if IS_ROW       a row; else it is shown as a program: src/tools/shown_operators.awk has a list of these words
 *
 * Of a row there may be overflow(p, x, s), true if s is not the exact value of "p combined with x", where p is exact, or if emit(s) is
 * not exact. It is not asked about one element alone, whose result must fit. The text defines HAS_OVERFLOW then, HAS_CARRY
 * with a carry, and NEVER_NAN if no result of floats is a NaN.
 *
 * Integers wrap modulo 2^n: signed values are combined as unsigned ones. max and min of floats are IEEE 754-2019's maximum and minimum
 * (a NaN wins, -0 < +0). Their states are integers that sort as the floats do, so they are exactly associative and do not depend on how
 * a device treats denormals.
 *
 * What it takes: row_types.h before it, OP, ACC, and of the operator's facts (src/scan/operators.inc) OP_INPUTS, OP_EMITS_INPUTS,
 * OP_PARAMETER and OP_RESULT. (R_IS_FLOAT is row_end.h's.) No include guard, on purpose: row_end.h undoes it. */
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
#define U PASTE2(U_OF_, ACC)
#define KEY PASTE2(KEY_OF_, ACC)
#define LONG_KEY PASTE2(LONG_KEY_OF_, ACC)
#define FLAG PASTE2(FLAG_OF_, ACC)
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
