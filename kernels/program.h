/* A program's text as a row, ROW(...): it stands before everything else, with
 *
 *     state                    S, what is combined
 *     lift(x)        T -> S    an element as a state; of several inputs lift(x, y, ...)
 *     combine(a, b)  S,S -> S  associative; a is the earlier one
 *     result                   R, what it gives
 *     emit(s)        S -> R    a state as a result
 *
 * The tiles before are carried as states. */
typedef state STATE;
typedef result ROW(result);

static inline STATE ROW(lift)(ACC x)
{
	return lift(x);
}

static inline STATE ROW(combine)(STATE a, STATE b)
{
	return combine(a, b);
}

static inline ROW(result) ROW(emit)(STATE s)
{
	return emit(s);
}

/* Overflow is the author's. */
static inline int ROW(overflow)(STATE p, STATE x, STATE s)
{
	(void)p;
	(void)x;
	(void)s;
	return 0;
}

#define CARRY STATE
#define CARRY_PREFIX(c) (c)
#define CARRY_FIRST(t) (t)
#define CARRY_ADD(c, t) ROW(combine)(c, t)
