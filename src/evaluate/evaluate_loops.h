/* The loops of the evaluator (evaluate.c): for each step code and type a loop over the elements of vectors. The loops
 * are compiled once for each level of instruction sets (evaluate_level.c). The results of all levels have equal bits,
 * except NaNs. */
#ifndef PSCAN_EVALUATE_EVALUATE_LOOPS_H
#define PSCAN_EVALUATE_EVALUATE_LOOPS_H

#include "language/expression.h"

/* A constant divisor of integers of n bits, where n is 32 or 64 (Granlund and Montgomery 1994, figure 4.1). With the
 * high half t of the product |a| * multiplier:
 *     |a| / magnitude = (t + ((|a| - t) >> first_shift)) >> second_shift */
struct divisor {
	uint64_t magnitude; /* |divisor|, at least 1. */
	uint64_t multiplier; /* The lowest n bits of floor(2^(n + first_shift + second_shift) / magnitude) + 1. */
	uint64_t first_shift; /* 0 or 1. */
	uint64_t second_shift; /* 0 .. n - 1. */
	uint64_t sign; /* All ones if the divisor is negative, otherwise 0. */
	double reciprocal; /* 1 / magnitude, rounded. */
	uint64_t fold; /* 2^32 modulo magnitude. */
};

/* The vectors of a loop, each aligned for its type. `to` may be one of the operands if a result has as many bytes as a
 * number of this operand. */
struct operands {
	const void *in[3]; /* a, b and c of the step. NULL: the step has no such operand. */
	void *to; /* The results. */
	const struct divisor *divisor; /* Read only by the loops of by_constant and by_power. */
};

/* Computes the first `count` elements. A bad element gets some number. */
typedef void step_loop(const struct operands *o, size_t count);
/* Returns whether one of the first `count` elements is bad, whether or not the step's mask leaves it out. */
typedef bool check_loop(const struct operands *o, size_t count);

/* The loops of a level. */
struct evaluate_loops {
	/* Indexed by the enum step_code and the enum type_id of the step. STEP_CONVERT: conversions from f64 to
	 * integers of 32 and 64 bits. NULL: another conversion, a type that the step cannot have, or a function that
	 * evaluate_math has. */
	step_loop *steps[STEP_CODES][TYPE_COUNT];
	/* Indexed like `steps`. NULL: `steps` has no loop for the step, or the step never makes an element bad. */
	check_loop *checks[STEP_CODES][TYPE_COUNT];
	/* Integers by a constant, operands.divisor: [0] STEP_DIVIDE, [1] STEP_REMAINDER. The constant is not 0. For
	 * STEP_DIVIDE of signed integers it is not -1 either. So no element is bad. */
	step_loop *by_constant[2][TYPE_COUNT];
	/* Unsigned integers by a power of two, operands.divisor: [0] STEP_DIVIDE, [1] STEP_REMAINDER. */
	step_loop *by_power[2][TYPE_COUNT];
	/* Converts integers of 64 bits to integers of 32 bits. */
	step_loop *low_half;
	step_loop *u64_to_f64; /* Converts u64 to f64. */
	step_loop *write_nans[TYPE_COUNT]; /* Copies floats, and makes each NaN the one that pscan writes. */
};

extern const struct evaluate_loops evaluate_loops_baseline, evaluate_loops_v3, evaluate_loops_v4;

/* Returns the loop of a function that the C library computes: STEP_EXP to STEP_HYPOT. id: TYPE_F32 or TYPE_F64. For any
 * other code, with any id, returns NULL. The loops of other codes are in struct evaluate_loops. */
step_loop *evaluate_math(enum step_code code, enum type_id id);

#endif
