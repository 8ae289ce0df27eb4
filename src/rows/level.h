/* The levels of instruction sets for which code is compiled (ROWS_LEVELS in the Makefile). */
#ifndef PSCAN_ROWS_LEVEL_H
#define PSCAN_ROWS_LEVEL_H

/* From the lowest to the highest. LEVEL_GRID: code from the grid's own text only (kernels/tile.h), no vector code. */
enum level { LEVEL_GRID, LEVEL_BASELINE, LEVEL_V3, LEVEL_V4, LEVEL_COUNT };

/* Returns the level that is called "grid", "baseline", "v3" or "v4". LEVEL_COUNT: no level has that name. */
enum level level_find(const char *name);
/* Returns the highest level whose instructions this machine has. */
enum level level_of_machine(void);
/* Returns the highest level that may be used: that of the machine (level_of_machine), or the level that the environment
 * variable PSCAN_CPU names, whichever is lower. (Another value of PSCAN_CPU is ignored.) Before level_keep each call
 * reads the variable. After it no call does. */
enum level level_allowed(void);
/* Makes level_allowed return the present level from now on. Call it before threads begin: they must not read the
 * environment, which drivers change. */
void level_keep(void);

/* The address of the code of the highest level that may be used: name_baseline (also for LEVEL_GRID), name_v3 or
 * name_v4. */
#define LEVEL_CODE(name) \
	(level_allowed() >= LEVEL_V4 ? &name##_v4 : level_allowed() == LEVEL_V3 ? &name##_v3 : &name##_baseline)

#endif
