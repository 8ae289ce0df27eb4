/* Which results are written as durations (--accept=duration). A result is written as a duration if the operator then
 * gives a duration (durations_are_results) and all elements of the lane's column up to the result's place were written
 * as durations, in whatever segment. So it does not matter where chunks end. Numbers that stand in for missing ones do
 * not count. */
#ifndef PSCAN_CHUNK_DURATIONS_H
#define PSCAN_CHUNK_DURATIONS_H

#include "chunk/plan.h"
#include "chunk/slot.h"

/* What is known of the elements of one lane, in the chunks that were accepted. All zero at the stream's beginning. */
struct duration_lane {
	bool has_some; /* An element was written as a duration. */
	bool has_plain; /* An element was not. */
};

/* Whether a lane's results are durations if its elements are. False without --accept=duration. */
bool durations_are_results(const struct plan *plan, size_t lane);
/* Adds a decoded chunk to *d. If an element of an earlier chunk was not written as a duration, sets `durations` of the
 * lane's column in *s to 0. Call it once for each chunk, in the order of the stream. */
void durations_accept(const struct plan *plan, size_t lane, struct slot *s, struct duration_lane *d);
/* Whether a total is written as a duration. s: the next chunk that durations_accept will add; the total is that of a
 * segment that ended before record `record` of this chunk. NULL: the total comes after all chunks that were added. */
bool durations_of_total(const struct plan *plan, size_t lane, const struct slot *s, size_t record,
			const struct duration_lane *d);

#endif
