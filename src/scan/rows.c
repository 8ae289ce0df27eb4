/* The choice among the levels, by what the processor says it has. */
#include "scan/rows.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* Each operation on floats is rounded to its own type, or the bits are others: not so on the 387 of 32-bit x86, and not on s390x where gcc
 * follows C11 to the letter (see the Makefile). 16 says so of all types but _Float16, which nothing here has. */
#if FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16
#error "floats are computed in a wider type"
#endif

enum level { LEVEL_GRID, LEVEL_BASELINE, LEVEL_V3, LEVEL_V4, LEVEL_COUNT };

static const struct {
	const char *name;
	const struct tile_code (*rows)[OPERATOR_ID_COUNT][TYPE_COUNT];
	push_window *const (*windows)[TYPE_COUNT];
} levels[LEVEL_COUNT] = {
	[LEVEL_GRID] = {"grid", NULL, NULL},
	[LEVEL_BASELINE] = {"baseline", host_rows_baseline, host_rows_windows_baseline},
	[LEVEL_V3] = {"v3", host_rows_v3, host_rows_windows_v3},
	[LEVEL_V4] = {"v4", host_rows_v4, host_rows_windows_v4},
};

/* The features are those that the Makefile compiles the levels for. */
static enum level level_of_machine(void)
{
#ifdef __x86_64__
	if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi2"))
		return LEVEL_BASELINE;
	if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
	    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
		return LEVEL_V4;
	return LEVEL_V3;
#else
	return LEVEL_BASELINE;
#endif
}

bool host_rows_machine_has(const char *name)
{
	const enum level machine = level_of_machine();
	for (int l = 0; l <= (int)machine; l++) {
		if (strcmp(name, levels[l].name) == 0)
			return true;
	}
	return false;
}

static enum level level_allowed(void)
{
	const enum level machine = level_of_machine();
	const char *name = getenv("PSCAN_CPU");
	for (int l = 0; name != NULL && l < LEVEL_COUNT; l++) {
		if (strcmp(name, levels[l].name) == 0 && (enum level)l < machine)
			return (enum level)l;
	}
	return machine;
}

const struct row_code *host_rows_code(enum operator_id op, enum type_id acc, unsigned variant, enum algorithm algorithm)
{
	if (algorithm == ALGORITHM_SEQUENTIAL)
		return &host_rows_sequential[variant][op][acc];
	return algorithm == ALGORITHM_HILLIS_STEELE ? &host_rows_hillis[variant][op][acc]
						    : &host_rows_grid[variant][op][acc];
}

const struct tile_code *host_rows_tiles(enum operator_id op, enum type_id acc, unsigned variant,
					enum algorithm algorithm)
{
	const bool has_levels = algorithm == ALGORITHM_BLELLOCH && (variant & ROW_EXCLUSIVE) == 0;
	for (int l = (int)level_allowed(); has_levels && l > LEVEL_GRID; l--) {
		const struct tile_code *tiles = &levels[l].rows[variant][op][acc];
		if (tiles->totals != NULL)
			return tiles;
	}
	return &host_rows_code(op, acc, variant, algorithm)->tiles;
}

push_window *host_rows_push_window(enum operator_id op, enum type_id acc)
{
	for (int l = (int)level_allowed(); l > LEVEL_GRID; l--) {
		if (levels[l].windows[op][acc] != NULL)
			return levels[l].windows[op][acc];
	}
	return host_rows_window[0][op][acc].push;
}
