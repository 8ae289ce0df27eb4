/* Tables of the operators' code, and the choice among the levels (rows/level.h). */
#include "rows/rows.h"

#include <float.h>

/* Each operation on floats must be rounded to its own type; otherwise the bits differ. That is not so on the 387 of
 * 32-bit x86, nor on s390x where gcc follows C11 to the letter (see the Makefile). 16 means all types except _Float16,
 * which is not used here. */
#if FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16
#error "floats are computed in a wider type"
#endif

#define OPERATORS_AS_EACH
#define EACH_OPERATOR(op, id) EACH(op, id)
#define EACH_VECTOR_OPERATOR(op, id) EACH_VECTOR(op, id)
#define EACH(op, id)                                          \
	extern const struct operator_grid operator_grid_##op; \
	extern const struct operator_loops operator_loops_##op;
#define EACH_VECTOR(op, id)                                              \
	extern const struct operator_level operator_level_baseline_##op; \
	extern const struct operator_level operator_level_v3_##op;       \
	extern const struct operator_level operator_level_v4_##op;
#include "operators/every.inc"
#undef EACH
#undef EACH_VECTOR

/* The rows of an operator. */
static const struct {
	const struct operator_grid *grid;
	const struct operator_loops *loops;
} rows[OPERATOR_ID_COUNT] = {
#define EACH(op, id) [id] = {&operator_grid_##op, &operator_loops_##op},
#define EACH_VECTOR(op, id)
#include "operators/every.inc"
#undef EACH
#undef EACH_VECTOR
};

const struct operator_level *const host_rows_levels[OPERATOR_ID_COUNT][LEVEL_COUNT] = {
#define EACH(op, id)
#define EACH_VECTOR(op, id) \
	[id] = {NULL, &operator_level_baseline_##op, &operator_level_v3_##op, &operator_level_v4_##op},
#include "operators/every.inc"
};

const struct operator_grid *host_rows_grid(enum operator_id op)
{
	return rows[op].grid;
}

const struct operator_loops *host_rows_loops(enum operator_id op)
{
	return rows[op].loops;
}

const struct row_code *host_rows_code(enum operator_id op, enum type_id acc, unsigned variant, enum algorithm algorithm)
{
	static const struct row_code none;
	if (algorithm == ALGORITHM_SEQUENTIAL)
		return &rows[op].loops->sequential[variant][acc];
	const struct row_code *codes =
		algorithm == ALGORITHM_HILLIS_STEELE ? rows[op].grid->hillis[variant] : rows[op].grid->grid[variant];
	return codes != NULL ? &codes[acc] : &none;
}

const struct tile_code *host_rows_tiles(enum operator_id op, enum type_id acc, unsigned variant,
					enum algorithm algorithm)
{
	const bool has_levels = algorithm == ALGORITHM_BLELLOCH && (variant & ROW_EXCLUSIVE) == 0;
	for (int l = (int)level_allowed(); has_levels && l > LEVEL_GRID; l--) {
		const struct operator_level *level = host_rows_levels[op][l];
		if (level != NULL && level->tiles[variant][acc].totals != NULL)
			return &level->tiles[variant][acc];
	}
	return &host_rows_code(op, acc, variant, algorithm)->tiles;
}

push_window *host_rows_push_window(enum operator_id op, enum type_id acc)
{
	for (int l = (int)level_allowed(); l > LEVEL_GRID; l--) {
		const struct operator_level *level = host_rows_levels[op][l];
		if (level != NULL && level->windows[acc] != NULL)
			return level->windows[acc];
	}
	return rows[op].grid->windows[0][acc].push;
}
