/* Lengths of time as people write them: h:mm:ss. Pure functions; any thread. */
#ifndef PSCAN_NUMBER_DURATION_H
#define PSCAN_NUMBER_DURATION_H

#include <stddef.h>

/* Reads a token of `size` bytes as a duration (notation.h) with the decimal mark `mark`. Writes its seconds to `out` as
 * a plain number with a sign, without a NUL. `out` must have room for size + 8 bytes. Returns the bytes written. 0: the
 * token is not a duration. */
size_t duration_read(char mark, const char *token, size_t size, char *out);

/* Makes a duration, h:mm:ss, of the text of a number of seconds, in place. `text` must have room for size + 6 bytes.
 * Returns the duration's bytes. A number with an exponent, nan and inf stay as they are. */
size_t duration_of_number(char *text, size_t size);

#endif
