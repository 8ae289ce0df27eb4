/* Makes a second version of a user's program, which combines 16 pairs of states at once. Compilers do not make vectors
 * of code that a user writes for one state. But OpenCL C's operators also work on vectors, so the code does if the
 * types of its numbers are replaced by vectors of 16. */
#ifndef PSCAN_LANGUAGE_SIDE_BY_SIDE_H
#define PSCAN_LANGUAGE_SIDE_BY_SIDE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"
#include "base/status.h"

/* Appends to *copy the parts of a program, rewritten for vectors, that kernels/side_by_side.h needs. text: `size` bytes
 * of OpenCL C that declarations_read accepts, or only the state and combine of such a program. *written becomes whether
 * anything was appended. Nothing is appended if combine has no loop, no call and no division, because vectors would
 * then not be faster. Nothing is appended either if the code might compute something else with vectors. Apart from rare
 * cases this is so for:
 *     types of less than 32 bits, which C widens, and numbers of several sizes or of both signs in one text
 *     comparisons, && || and !, which give -1 instead of 1 for vectors, unless they are the condition of ?: or of a
 *     statement
 *     divisions of integers that a ?: may guard: with vectors both sides are computed
 *     functions that may round differently
 *     anything that syntax.h does not parse
 * Code that is not valid with vectors (an if on a number of the state) is refused later by the device's compiler.
 * STATUS_SYSTEM after a message if memory is missing. */
enum status side_by_side_write(const char *text, size_t size, struct bytes *copy, bool *written) MUST_CHECK;

#endif
