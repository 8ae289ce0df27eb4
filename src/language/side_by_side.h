/* A program's text once more, for states side by side in vectors. No compiler makes vectors of what a user writes for
 * one state, but OpenCL C's operators take vectors: with vectors of 16 for its numbers' types the same text combines
 * 16 pairs at once. */
#ifndef PSCAN_LANGUAGE_SIDE_BY_SIDE_H
#define PSCAN_LANGUAGE_SIDE_BY_SIDE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"
#include "base/status.h"

/* Appends what kernels/side_by_side.h wants of a text that declarations_read understands, or that has nothing but the
 * state and combine of one, and says in *written whether. Nothing is appended where combine has neither a loop, a call
 * nor a division, which vectors would not pay for, nor where the text might mean something else with vectors. Apart
 * from what is rarely used, that is:
 *     types of less than 32 bits, which C widens, and numbers of several sizes or of both signs in one text
 *     comparisons, && || and !, of vectors -1 and not 1, where they are anything but the condition of ?: or of a
 *     statement
 *     divisions of integers that ?: may guard: of vectors both sides are computed
 *     functions that may round otherwise
 *     what has no tree (syntax.h)
 * What is no C with vectors (an if on a state's number) the device's compiler refuses. STATUS_SYSTEM after a message.
 * Pure. */
enum status side_by_side_write(const char *text, size_t size, struct bytes *copy, bool *written) MUST_CHECK;

#endif
