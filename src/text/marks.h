/* Words that stand for a missing number, in any case of their letters, in a list joined by commas. Nothing at all is
 * always one.
 *
 * Pure functions; any thread. */
#ifndef PSCAN_TEXT_MARKS_H
#define PSCAN_TEXT_MARKS_H

#include <stdbool.h>
#include <stddef.h>

/* The list where none is given. The last of them is a number where that may be a float. */
#define MARKS_USUAL "-,NA,N/A,#N/A,null,none,nil,\\N,nan"
/* None of them, and no NaN, is longer. */
#define MARKS_USUAL_SIZE 4

/* Whether a token is one of the list. */
bool marks_have(const char *list, const char *token, size_t size);
/* Whether a token is a NaN. */
bool marks_is_nan(const char *token, size_t size);

#endif
