/* The plan of a run. */
#ifndef PSCAN_CLI_MAKE_PLAN_H
#define PSCAN_CLI_MAKE_PLAN_H

#include <stddef.h>

#include "base/status.h"
#include "stream/plan.h"

struct options;

/* What is known of the input before it is read. */
struct plan_input {
	const unsigned char *block; /* its first bytes: all there are, or as many as are looked at */
	size_t size;
	size_t whole; /* how many of them are of lines that are looked at */
	const struct npy_array *array; /* that its files are, or NULL */
	bool is_unreadable; /* which is told when it is read */
	uint64_t line_fields; /* of the line 1 of what it goes on, or 0 */
	bool is_counted; /* its bytes, */
	uint64_t bytes;
};

/* The worker threads that the options ask for, and the slots that so many need. Asked for once in a run: how many
 * processors there are may change at any time. */
size_t plan_threads(const struct options *options);
size_t plan_slots(size_t threads);
/* Completes the plan for so many worker threads; plan_free is due afterwards, whatever the status. It borrows strings
 * of the options, and is made from them and what is known of the input. STATUS_USAGE after a message: the input or the
 * options do not go together. */
enum status plan_make(struct plan *plan, const struct options *options, size_t threads,
		      const struct plan_input *input) MUST_CHECK;

void plan_free(struct plan *plan);

#endif
