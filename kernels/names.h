/* The names under which the texts after this one use the row (row_begin.h) of OP and ACC.
 *
 * The includer defines, before the texts that use these names:
 *     OP, ACC          the row, for instance sum and f32
 *     INPUTS           how many numbers one element has, 1 or 2. They follow each other in memory, and are the
 *                      arguments of the row's lift
 *     EMITS_INPUTS     1 if the row's emit takes the element's numbers after the state, or 0
 *     CONVERT(x)       a stored number as an ACC; FITS(x) is whether that is possible
 *     PARAMETER_ARGUMENT   the last argument of lift and emit: ", " and the parameter of a row that has one, or nothing
 *     VARIANT          a suffix that distinguishes the host's functions for one row, or nothing
 */
#ifndef PSCAN_KERNELS_NAMES_H
#define PSCAN_KERNELS_NAMES_H

#ifndef VARIANT
#define VARIANT
#endif
#define INDEX_PARAMETER
#define INDEX_ARGUMENT
/* 1 if INDEX_ARGUMENT includes gaps (program.h). DECLARE_GAPS declares empty ones where the caller has none. */
#define HAS_GAPS 0
#define DECLARE_GAPS
#define GRID(name) PASTE2(ROW(name), VARIANT)
#define STATE ROW(state)
#define RESULT_TYPE ROW(result)
/* The type in which the earlier tiles are carried, and its functions: cursor.h explains them. */
#define CARRY ROW(carry)
#define CARRY_PREFIX(c) ROW(carry_prefix)(c)
#define CARRY_FIRST(t) ROW(carry_first)(t)
#define CARRY_ADD(c, t) ROW(carry_add)(c, t)
/* How many states of each tile the fold reads, and how many it writes. 1: it reads the tile's total and writes the
 * tile's carry-in. 3, for exclusive results of a combine that need not be exactly associative: it reads the total, the
 * prefix of the tile's last run, and the total of that run; the last two make the tile's last result. It writes the
 * carry-in and the result before the tile, as a state. (The third state is unused.) */
#define TILE_STATES 1
/* 1: the exclusive result of the scan's first element i, which has no element before it, is NOTHING_FROM(NUMBER, i). 0:
 * that element gets its inclusive result. */
#define GIVES_NOTHING 0
/* LIFT_FROM: element i as a state. FITS_FROM: whether CONVERT can convert all numbers of element i. EMIT_FROM: the
 * result of state s, written for element i. The macro NUMBER gives the stored numbers: NUMBER(n) is number n of all,
 * not of one element. */
#define LIFT_FROM(NUMBER, i) ROW(lift)(PASTE2(ARGUMENTS_, INPUTS)(NUMBER, INPUTS *(i)) PARAMETER_ARGUMENT)
#define FITS_FROM(NUMBER, i) (PASTE2(FITS_, INPUTS)(NUMBER, INPUTS *(i)))
#define EMIT_FROM(NUMBER, i, s) EMIT_NAME(EMITS_INPUTS)(NUMBER, i, s)
#define EMIT_NAME(emits_inputs) EMIT_NAME_(emits_inputs)
#define EMIT_NAME_(emits_inputs) EMIT_##emits_inputs
#define EMIT_0(NUMBER, i, s) ROW(emit)(s PARAMETER_ARGUMENT)
#define EMIT_1(NUMBER, i, s) ROW(emit)(s, PASTE2(ARGUMENTS_, INPUTS)(NUMBER, INPUTS *(i)) PARAMETER_ARGUMENT)
#define ARGUMENTS_1(NUMBER, n) CONVERT(NUMBER(n))
#define ARGUMENTS_2(NUMBER, n) ARGUMENTS_1(NUMBER, n), CONVERT(NUMBER((n) + 1))
#define FITS_1(NUMBER, n) FITS(NUMBER(n))
#define FITS_2(NUMBER, n) FITS_1(NUMBER, n) && FITS(NUMBER((n) + 1))

#endif
