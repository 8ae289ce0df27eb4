/* Reads lines of key=value, the logfmt of many services.
 *
 * Pure functions; any thread. Returned pointers point into the caller's bytes. */
#ifndef PSCAN_TEXT_LOGFMT_H
#define PSCAN_TEXT_LOGFMT_H

#include <stdbool.h>
#include <stddef.h>

#include "text/line.h"
#include "text/members.h"

/* Finds the fields of a line by their keys. Field number n becomes found[n - 1]. A line consists of keys, each followed
 * by an equals sign and a value, with blanks between them. A value may be in quotes; a key without an equals sign has
 * an empty value. If a key occurs several times, the last one counts. A field that the line lacks becomes absent. False
 * if the line has another form; *fault is then the reason, and found holds nothing useful. */
bool logfmt_find(const struct members *members, const struct line *line, struct field *found, struct line_fault *fault);

/* Unescapes a value, `size` bytes without its quotes, to `to`, which has room for `size` bytes. Returns the bytes
 * written. */
size_t logfmt_unescape(const char *text, size_t size, char *to);
/* Puts a value in quotes, in place, with escapes, if it needs that. An empty value stays empty. `text` must have room
 * for 2 * size + 2 bytes in all. Returns the new size. */
size_t logfmt_quote(char *text, size_t size);

#endif
