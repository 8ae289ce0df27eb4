/* The choice among the levels, by what the processor says it has. */
#include "rows/level.h"

#include <stdlib.h>
#include <string.h>

static const char *const level_names[LEVEL_COUNT] = {"grid", "baseline", "v3", "v4"};

enum level level_find(const char *name)
{
	int l = LEVEL_GRID;
	while (l < LEVEL_COUNT && strcmp(name, level_names[l]) != 0)
		l++;
	return (enum level)l;
}

/* The features are those that the Makefile compiles the levels for. */
enum level level_of_machine(void)
{
#ifdef __x86_64__
	if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi2") || !__builtin_cpu_supports("fma"))
		return LEVEL_BASELINE;
	if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
	    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
		return LEVEL_V4;
	return LEVEL_V3;
#else
	return LEVEL_BASELINE;
#endif
}

/* What level_keep kept. LEVEL_COUNT: nothing. */
static enum level kept = LEVEL_COUNT;

enum level level_allowed(void)
{
	if (kept < LEVEL_COUNT)
		return kept;
	const enum level machine = level_of_machine();
	const char *name = getenv("PSCAN_CPU");
	const enum level named = name != NULL ? level_find(name) : LEVEL_COUNT;
	return named < machine ? named : machine;
}

void level_keep(void)
{
	kept = level_allowed();
}
