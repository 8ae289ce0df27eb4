/* Lengths of time as people write them: h:mm:ss. Pure functions; any thread. */
#ifndef PSCAN_NUMBER_DURATION_H
#define PSCAN_NUMBER_DURATION_H

#include <stddef.h>

/* Reads a duration as notation.h says, whose decimal mark is `mark`, as a plain number of seconds: at most 8 bytes more
 * than the token's `size`. Returns the bytes written to `out`. 0: it is not one. */
size_t duration_read(char mark, const char *token, size_t size, char *out);

/* Makes a duration, h:mm:ss, of the text of a number of seconds, in place: up to 6 bytes longer. Returns its bytes. A
 * number with an exponent stays as it is. */
size_t duration_of_number(char *text, size_t size);

#endif
