/* A user's program as a row. Before everything else stands text from the user and text that the host adds to it
 * (src/scan/program_text.c). It declares
 *
 *     pscan_result                R, the type of the result of an element
 *     pscan_seed                  an element that begins a scan; PSCAN_SEED_ARGUMENTS(e) are its numbers, as arguments
 *     PSCAN_GIVES_NOTHING         0 or 1: GIVES_NOTHING of names.h
 * For a program that the user wrote:
 *     state                       S, the type that is combined
 *     combine(a, b)     S,S -> S  associative; a is the earlier one
 *     pscan_element               T, a stored element; PSCAN_ARGUMENTS(e) are its numbers, as arguments
 *     pscan_lift(T, i)    T -> S  element i as a state; pscan_begin(T) makes a state of a seed
 *     pscan_emit(s, T, i, n)      S -> R, a state of n elements as the result of element i
 *     pscan_nothing(T, i)         R, the result of element i where a state has no elements, if PSCAN_GIVES_NOTHING
 *     carry, carry_first(S), carry_add(C, S), carry_prefix(C)   if PSCAN_HAS_CARRY: C, the type that carries the tiles
 * For an operator of the table with --map before it or --emit after it (PSCAN_OF_TABLE), the operator's own text makes
 * the functions, of
 *     PSCAN_INPUTS                how many numbers an element has
 *     PSCAN_PARAMETERS, PSCAN_NAMES   these numbers as parameters, and their names
 *     PSCAN_MAPPED                the arguments of lift
 *     PSCAN_EMITTED               the arguments of emit after the state, with a comma before them; or nothing
 *     PSCAN_SHOWN(r)              R, made of the operator's result r
 *     PSCAN_NOTHING               the operator's result of no elements, if PSCAN_GIVES_NOTHING
 */
#undef INDEX_PARAMETER
#undef INDEX_ARGUMENT
#undef LIFT_FROM
#undef FITS_FROM
#undef EMIT_FROM
#undef RESULT_TYPE
#undef GIVES_NOTHING
#undef TILE_STATES
#define RESULT_TYPE pscan_result
#define GIVES_NOTHING PSCAN_GIVES_NOTHING
#if EXCLUSIVE
#define TILE_STATES 3
#else
#define TILE_STATES 1
#endif

#if PSCAN_OF_TABLE
#if PSCAN_INPUTS == 2
typedef ELEM pscan_number;
typedef struct {
	pscan_number x0, x1;
} pscan_element;
#undef ELEM
#define ELEM pscan_element
#define PSCAN_ARGUMENTS(e) CONVERT((e).x0), CONVERT((e).x1)
#define FITS_FROM(NUMBER, i) (FITS(NUMBER(i).x0) && FITS(NUMBER(i).x1))
#else
#define PSCAN_ARGUMENTS(e) CONVERT(e)
#endif

static inline STATE pscan_lift(PSCAN_PARAMETERS, u64 i)
{
	(void)i;
	return ROW(lift)(PSCAN_MAPPED PARAMETER_ARGUMENT);
}

static inline STATE pscan_begin(PSCAN_PARAMETERS)
{
	return ROW(lift)(PSCAN_NAMES PARAMETER_ARGUMENT);
}

static inline pscan_result pscan_emit(STATE s, PSCAN_PARAMETERS, u64 i, u64 n)
{
	(void)i;
	(void)n;
	return PSCAN_SHOWN(ROW(emit)(s PSCAN_EMITTED PARAMETER_ARGUMENT));
}

#if GIVES_NOTHING
static inline pscan_result pscan_nothing(PSCAN_PARAMETERS, u64 i)
{
	const u64 n = 0;
	(void)i;
	(void)n;
	return PSCAN_SHOWN(PSCAN_NOTHING);
}
#endif
#else
#undef STATE
#define STATE state

static inline STATE ROW(combine)(STATE a, STATE b)
{
	return combine(a, b);
}

/* A program has no check of overflow: its author decides what happens. */
static inline int ROW(overflow)(STATE p, STATE x, STATE s)
{
	(void)p;
	(void)x;
	(void)s;
	return 0;
}

#undef CARRY
#undef CARRY_PREFIX
#undef CARRY_FIRST
#undef CARRY_ADD
#if PSCAN_HAS_CARRY
typedef carry pscan_carry;
#define CARRY pscan_carry
#define CARRY_PREFIX(c) carry_prefix(c)
#define CARRY_FIRST(t) carry_first(t)
#define CARRY_ADD(c, t) carry_add(c, t)
#else
/* The earlier tiles are carried as a state. */
#define CARRY STATE
#define CARRY_PREFIX(c) (c)
#define CARRY_FIRST(t) (t)
#define CARRY_ADD(c, t) ROW(combine)(c, t)
#endif
#endif

/* Every phase gets first_index, the index in the scan of the tile's or cursor's first element. INDEX_OF(i): the index
 * of element i. */
#ifdef PSCAN_HAS_GAPS
/* Indices also count the scan's records without a number. gaps[i]: how many of these come before element i in the scan,
 * also before its first element. NULL: none. */
#undef HAS_GAPS
#undef DECLARE_GAPS
#define HAS_GAPS 1
#define DECLARE_GAPS __global const u64 *const gaps = 0;
#define INDEX_PARAMETER , u64 first_index __attribute__((unused)), __global const u64 *gaps __attribute__((unused))
#define INDEX_ARGUMENT , first_index, gaps
#define INDEX_OF(i) (first_index + (i) + (gaps != 0 ? gaps[i] : 0u))
#else
#define INDEX_PARAMETER , u64 first_index __attribute__((unused))
#define INDEX_ARGUMENT , first_index
#define INDEX_OF(i) (first_index + (i))
#endif
#define LIFT_FROM(NUMBER, i) pscan_lift(PSCAN_ARGUMENTS(NUMBER(i)), INDEX_OF(i))
/* The result of s, a state of n elements, for element i. */
#define EMIT_OF(NUMBER, i, s, n) pscan_emit(s, PSCAN_ARGUMENTS(NUMBER(i)), INDEX_OF(i), n)
#define EMIT_FROM(NUMBER, i, s) EMIT_OF(NUMBER, i, s, first_index + (i) + (EXCLUSIVE ? 0u : 1u))
#define NOTHING_FROM(NUMBER, i) pscan_nothing(PSCAN_ARGUMENTS(NUMBER(i)), INDEX_OF(i))
#ifndef FITS_FROM
#define FITS_FROM(NUMBER, i) (FITS(NUMBER(i)))
#endif
