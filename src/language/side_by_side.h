/* A second version of a program's text, for states side by side in vectors. Compilers do not make vectors of code that
 * a user writes for one state. But OpenCL C's operators take vectors: with vectors of 16 in place of its numbers' types
 * the same text combines 16 pairs at once. */
#ifndef PSCAN_LANGUAGE_SIDE_BY_SIDE_H
#define PSCAN_LANGUAGE_SIDE_BY_SIDE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"
#include "base/status.h"

/* Appends to *copy what kernels/side_by_side.h needs of a program's text. The text is one that declarations_read
 * accepts, or only the state and combine of one. *written says whether anything was appended. Nothing is appended if
 * combine has no loop, no call and no division: then vectors would not pay. Nothing is appended if the text might mean
 * something else with vectors. Apart from rare cases these are:
 *     types of less than 32 bits, which C widens, and numbers of several sizes or of both signs in one text
 *     comparisons, && || and !, which give -1 instead of 1 for vectors, unless they are the condition of ?: or of a
 *     statement
 *     divisions of integers that a ?: may guard: with vectors both sides are computed
 *     functions that may round differently
 *     anything that syntax.h does not parse
 * Text that is not valid with vectors (an if on a number of the state) is refused by the device's compiler.
 * STATUS_SYSTEM after a message. Pure. */
enum status side_by_side_write(const char *text, size_t size, struct bytes *copy, bool *written) MUST_CHECK;

#endif
