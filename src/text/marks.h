/* Marks: words that stand for a missing number. A list of marks is a text in which commas separate the marks. The case
 * of ASCII letters is ignored. An empty token is always a mark.
 *
 * Pure functions; any thread. */
#ifndef PSCAN_TEXT_MARKS_H
#define PSCAN_TEXT_MARKS_H

#include <stdbool.h>
#include <stddef.h>

/* The default list. It has nan, but callers decide whether nan is a mark or a number (decode_missing_rule). By default
 * nan is a number if numbers are floats. */
#define MARKS_USUAL "-,NA,N/A,#N/A,null,none,nil,\\N,nan"
/* Bytes of the longest mark of MARKS_USUAL. The texts of NaNs (marks_is_nan) are not longer. */
#define MARKS_USUAL_SIZE 4

/* Whether a token of `size` bytes is empty or a mark of the list. */
bool marks_have(const char *list, const char *token, size_t size);
/* Whether a token of `size` bytes is nan, +nan or -nan, in any case. */
bool marks_is_nan(const char *token, size_t size);

#endif
