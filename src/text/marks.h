/* Marks: words that stand for a missing number. A list of marks is joined by commas. Case is ignored. The empty token
 * is always a mark.
 *
 * Pure functions; any thread. */
#ifndef PSCAN_TEXT_MARKS_H
#define PSCAN_TEXT_MARKS_H

#include <stdbool.h>
#include <stddef.h>

/* The default list. nan, the last mark, is a number instead if numbers may be floats. */
#define MARKS_USUAL "-,NA,N/A,#N/A,null,none,nil,\\N,nan"
/* Bytes of the longest of these marks, and of the longest text of a NaN. */
#define MARKS_USUAL_SIZE 4

/* Whether a token of `size` bytes is a mark of the list. */
bool marks_have(const char *list, const char *token, size_t size);
/* Whether a token is a NaN. */
bool marks_is_nan(const char *token, size_t size);

#endif
