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
 * anything was appended. Nothing is appended in two cases. First, if vectors would not be faster: the code has neither
 * loops nor calls, and divides nothing or only doubles. Second, if the code might compute something else with vectors.
 * The most common reasons (there are rarer ones, in side_by_side.c) are:
 *     types of less than 32 bits, which C widens; numbers of several sizes, or signed and unsigned ones, in one text
 *     a comparison, &&, || or ! outside of a condition (of ?:, if or a loop): for vectors "true" is -1, not 1
 *     a division of integers by a variable and a ?: in one text: vectors compute both sides, so ?: cannot prevent x / 0
 *     functions that may round differently
 *     anything that syntax.h does not parse, and texts of more than 4096 tokens
 * Code that is not valid with vectors (an if on a number of the state) is refused later by the device's compiler.
 * STATUS_SYSTEM after a message if memory is missing; *copy may then have a part, and *written is of no use. */
enum status side_by_side_write(const char *text, size_t size, struct bytes *copy, bool *written) MUST_CHECK;

#endif
