/* Lines of key=value, as many services log.
 *
 * Pure functions; any thread. Pointers lead into the caller's bytes. */
#ifndef PSCAN_TEXT_LOGFMT_H
#define PSCAN_TEXT_LOGFMT_H

#include <stdbool.h>
#include <stddef.h>

#include "text/line.h"
#include "text/members.h"

/* Finds the fields of a line by their keys: found[number - 1]. Between blanks are a key, an equals sign and a value,
 * which may be in quotes; a key alone has an empty value. Of the same keys the last one counts. False: the line is not
 * so; *fault says why. */
bool logfmt_find(const struct members *members, const struct line *line, struct field *found, struct line_fault *fault);

/* What a value with escapes says, size bytes of it without its quotes: to has room for size bytes. Returns how many it
 * is. */
size_t logfmt_unescape(const char *text, size_t size, char *to);
/* Puts a text that is to be a value into quotes if it needs them. There is room for twice its size and two bytes.
 * Returns its size. */
size_t logfmt_quote(char *text, size_t size);

#endif
