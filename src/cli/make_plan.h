/* The plan of a run. */
#ifndef PSCAN_CLI_MAKE_PLAN_H
#define PSCAN_CLI_MAKE_PLAN_H

#include <stddef.h>

#include "base/status.h"
#include "stream/plan.h"

struct options;

/* What is known of the input before it is read. */
struct plan_input {
	const unsigned char *block; /* its first bytes: all of them, or as many as are looked at */
	size_t size;
	size_t whole; /* how many of these bytes belong to complete lines */
	const struct npy_array *array; /* the array that its files are, or NULL */
	bool is_unreadable; /* it cannot be read; reading reports why */
	uint64_t line_fields; /* fields of line 1 of the scan that it continues, or 0 */
	bool is_counted; /* `bytes` is known */
	uint64_t bytes;
};

/* The number of worker threads that the options ask for, and of slots for that many threads. Call plan_threads once in
 * a run: the number of processors may change at any time. */
size_t plan_threads(const struct options *options);
size_t plan_slots(size_t threads);
/* Completes the plan from the options and the known facts of the input, for `threads` worker threads. The plan borrows
 * strings of the options. The caller ends it with plan_free, whatever the status. STATUS_USAGE after a message: the
 * options do not fit the input or each other. */
enum status plan_make(struct plan *plan, const struct options *options, size_t threads,
		      const struct plan_input *input) MUST_CHECK;

void plan_free(struct plan *plan);

#endif
