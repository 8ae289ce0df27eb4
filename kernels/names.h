/* The row (row_begin.h) that OP and ACC name, as the texts after this one call it.
 *
 * The includer defines, before the texts that use these names:
 *     OP, ACC          the row, for instance sum and f32
 *     INPUTS           how many numbers an element is, 1 to 8: so many arguments its lift has. They follow each other in memory
 *     EMITS_INPUTS     1 if its emit gets an element's numbers, too, or 0
 *     CONVERT(x)       a stored number as an ACC; FITS(x) whether that is possible
 *     PARAMETER_ARGUMENT   what lift and emit get besides: of a row with a parameter ", " and that, else nothing
 *     VARIANT          tells the host's several functions for a row apart; or nothing
 */
#ifndef PSCAN_KERNELS_NAMES_H
#define PSCAN_KERNELS_NAMES_H

#ifndef VARIANT
#define VARIANT
#endif
#define INDEX_PARAMETER
#define INDEX_ARGUMENT
/* 1 if INDEX_ARGUMENT has gaps, too (program.h), which this declares where there are none. */
#define HAS_GAPS 0
#define DECLARE_GAPS
#define GRID(name) PASTE2(ROW(name), VARIANT)
#define STATE ROW(state)
#define RESULT_TYPE ROW(result)
/* In what the tiles before are carried, as cursor.h wants it. */
#define CARRY ROW(carry)
#define CARRY_PREFIX(c) ROW(carry_prefix)(c)
#define CARRY_FIRST(t) ROW(carry_first)(t)
#define CARRY_ADD(c, t) ROW(carry_add)(c, t)
/* How many states the fold of the tiles gets of each, and gives for each: one, its total and the carry-in. Or three,
 * of exclusive results of a combine that need not be exactly associative: the total, what is before its last run in
 * the tile and that run's total, of which its last result is made; and the carry-in and the result before the tile. */
#define TILE_STATES 1
/* 1 if NOTHING_FROM(NUMBER, i) is what element i gives if there is nothing before it that an exclusive result could be
 * of. */
#define GIVES_NOTHING 0
/* Element i as a state, whether it can be one, and what a state gives in its place; NUMBER(n) is number n of all
 * elements. */
#define LIFT_FROM(NUMBER, i) ROW(lift)(PASTE2(ARGUMENTS_, INPUTS)(NUMBER, INPUTS *(i)) PARAMETER_ARGUMENT)
#define FITS_FROM(NUMBER, i) (PASTE2(FITS_, INPUTS)(NUMBER, INPUTS *(i)))
#define EMIT_FROM(NUMBER, i, s) EMIT_NAME(EMITS_INPUTS)(NUMBER, i, s)
#define EMIT_NAME(emits_inputs) EMIT_NAME_(emits_inputs)
#define EMIT_NAME_(emits_inputs) EMIT_##emits_inputs
#define EMIT_0(NUMBER, i, s) ROW(emit)(s PARAMETER_ARGUMENT)
#define EMIT_1(NUMBER, i, s) ROW(emit)(s, PASTE2(ARGUMENTS_, INPUTS)(NUMBER, INPUTS *(i)) PARAMETER_ARGUMENT)
#define ARGUMENTS_1(NUMBER, n) CONVERT(NUMBER(n))
#define ARGUMENTS_2(NUMBER, n) ARGUMENTS_1(NUMBER, n), CONVERT(NUMBER((n) + 1))
#define ARGUMENTS_3(NUMBER, n) ARGUMENTS_2(NUMBER, n), CONVERT(NUMBER((n) + 2))
#define ARGUMENTS_4(NUMBER, n) ARGUMENTS_3(NUMBER, n), CONVERT(NUMBER((n) + 3))
#define ARGUMENTS_5(NUMBER, n) ARGUMENTS_4(NUMBER, n), CONVERT(NUMBER((n) + 4))
#define ARGUMENTS_6(NUMBER, n) ARGUMENTS_5(NUMBER, n), CONVERT(NUMBER((n) + 5))
#define ARGUMENTS_7(NUMBER, n) ARGUMENTS_6(NUMBER, n), CONVERT(NUMBER((n) + 6))
#define ARGUMENTS_8(NUMBER, n) ARGUMENTS_7(NUMBER, n), CONVERT(NUMBER((n) + 7))
#define FITS_1(NUMBER, n) FITS(NUMBER(n))
#define FITS_2(NUMBER, n) FITS_1(NUMBER, n) && FITS(NUMBER((n) + 1))
#define FITS_3(NUMBER, n) FITS_2(NUMBER, n) && FITS(NUMBER((n) + 2))
#define FITS_4(NUMBER, n) FITS_3(NUMBER, n) && FITS(NUMBER((n) + 3))
#define FITS_5(NUMBER, n) FITS_4(NUMBER, n) && FITS(NUMBER((n) + 4))
#define FITS_6(NUMBER, n) FITS_5(NUMBER, n) && FITS(NUMBER((n) + 5))
#define FITS_7(NUMBER, n) FITS_6(NUMBER, n) && FITS(NUMBER((n) + 6))
#define FITS_8(NUMBER, n) FITS_7(NUMBER, n) && FITS(NUMBER((n) + 7))

#endif
