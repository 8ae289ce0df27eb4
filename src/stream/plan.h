/* What one run does, settled before it starts: the options together with the first block of the input (cli/make_plan.h). */
#ifndef PSCAN_STREAM_PLAN_H
#define PSCAN_STREAM_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scan/row.h"
#include "text/rules.h"

struct plan {
	struct record_format format;
	const struct scan_operator *op;
	double factor; /* the operator's, if it has one (PARAMETER_FACTOR) */
	/* The scan. */
	const struct type *acc; /* for decimals the first one, i64 */
	bool decimal; /* exact decimals: num or dec */
	bool decimal_strict; /* dec: what cannot be exact is an error */
	enum algorithm algorithm;
	bool verify; /* what a device returns */
	bool checked; /* --overflow=error */
	bool exclusive, include_initial, total;
	const char *seed; /* its text, or NULL */
	/* Running. */
	bool line_buffered; /* every line is read and written for itself */
	size_t chunk_elements; /* whole tiles; of text as many bytes */
	bool chunk_fixed; /* by the user: no device changes it */
	size_t slot_count; /* at most PLAN_SLOTS_MAX */
	size_t thread_count; /* workers */
};

#define PLAN_SLOTS_MAX 64
/* Elements of a chunk that a device can number, with the unfinished tile before them: its indices have 32 bits. */
#define PLAN_CHUNK_ELEMENTS_MAX ((UINT32_MAX - 2 * (size_t)GRID_TILE) / GRID_TILE * GRID_TILE)

#endif
