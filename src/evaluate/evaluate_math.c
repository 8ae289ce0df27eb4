/* Loops that call the C library's functions of floats. They gain nothing from vector instructions, so they are compiled
 * once. */
#include <math.h>

#include "evaluate/evaluate_loops.h"

#define MATH_LOOP(name, T, E)                                          \
	static void name##_##T(const struct operands *o, size_t count) \
	{                                                              \
		const T *a = o->in[0];                                 \
		const T *b = o->in[1];                                 \
		T *to = o->to;                                         \
		for (size_t i = 0; i < count; i++)                     \
			to[i] = (E);                                   \
		(void)b;                                               \
	}
#define MATH_LOOPS(name, E32, E64)  \
	MATH_LOOP(name, float, E32) \
	MATH_LOOP(name, double, E64)

#define EACH_FUNCTION(EACH_1, EACH_2) \
	EACH_1(EXP, exp)              \
	EACH_1(LOG, log)              \
	EACH_1(LOG2, log2)            \
	EACH_1(LOG10, log10)          \
	EACH_2(POW, pow)              \
	EACH_1(SIN, sin)              \
	EACH_1(COS, cos)              \
	EACH_1(TAN, tan)              \
	EACH_2(ATAN2, atan2)          \
	EACH_2(HYPOT, hypot)

#define DEFINE_1(code, name) MATH_LOOPS(loop_##name, name##f(a[i]), name(a[i]))
#define DEFINE_2(code, name) MATH_LOOPS(loop_##name, name##f(a[i], b[i]), name(a[i], b[i]))
EACH_FUNCTION(DEFINE_1, DEFINE_2)

step_loop *evaluate_math(enum step_code code, enum type_id id)
{
#define LIST(code, name) [STEP_##code] = {loop_##name##_float, loop_##name##_double},
	static step_loop *const loops[STEP_CODES][2] = {EACH_FUNCTION(LIST, LIST)};
	return loops[code][id == TYPE_F64];
}
