/* Which results are written as durations (--accept=duration): those of elements that were all written as durations, if
 * the operator gives a duration then. A result is one as long as all elements of the stream up to its place are, so it
 * does not matter where chunks end. (Numbers that stand in for missing ones do not count.) */
#ifndef PSCAN_CHUNK_DURATIONS_H
#define PSCAN_CHUNK_DURATIONS_H

#include "chunk/plan.h"
#include "chunk/slot.h"

/* What is known of the elements of one lane, in the chunks that were accepted. All zero at the stream's beginning. */
struct duration_lane {
	bool has_some; /* An element was written as a duration. */
	bool has_plain; /* An element was not. */
};

/* Whether a lane's results are durations where its elements are. */
bool durations_are_results(const struct plan *plan, size_t lane);
/* Takes a decoded chunk: clears its column's `durations` if an element before it was not one. Call it in the order of
 * the stream. */
void durations_accept(const struct plan *plan, size_t lane, struct slot *s, struct duration_lane *d);
/* Whether the total of elements before a record is written as a duration. s: the chunk after the accepted ones, whose
 * record it is. NULL: the total of all elements that were accepted. */
bool durations_of_total(const struct plan *plan, size_t lane, const struct slot *s, size_t record,
			const struct duration_lane *d);

#endif
