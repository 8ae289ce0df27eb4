/* Lines that are objects of JSON, as RFC 8259 has it, and the strings and numbers that are written into such.
 *
 * Pure functions but for memory; any thread. Pointers lead into the caller's bytes. */
#ifndef PSCAN_TEXT_JSON_H
#define PSCAN_TEXT_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"
#include "text/line.h"
#include "text/members.h"

/* Objects and arrays within each other, that of the line included. */
#define JSON_DEPTH_MAX 1024

/* Finds the fields of a line that is one object, with nothing but blanks around it: found[number - 1], and line->tail,
 * the end of its last member. Of members of one name the last one counts. False: the line is none; *fault says why.
 * LINE_PADDING bytes after the line can be read, whatever they are. */
bool json_find(const struct members *members, struct line *line, struct field *found, struct line_fault *fault);

/* Whether a string without fault, size bytes of it without its quotes, says a name. */
bool json_says(const char *text, size_t size, const char *name, size_t name_size);
/* What such a string says: to has room for size bytes. Returns how many it is; half a pair of surrogates is three, as
 * if it were a character. */
size_t json_unescape(const char *text, size_t size, char *to);
/* A string with quotes takes up so much at most. */
#define JSON_STRING_SIZE(size) (6 * (size) + 2)
/* Appends a text as a string with quotes: always the same bytes for what says the same. What is no UTF-8 becomes
 * U+FFFD. STATUS_SYSTEM after a message. */
enum status json_append_string(struct bytes *out, const char *text, size_t size) MUST_CHECK;

/* Where the number at p ends, or NULL: it is none, and *fault says why. */
const char *json_number_end(const char *p, const char *end, struct line_fault *fault);

/* A number that was formatted takes up so much at most once json_put_number was here. */
#define JSON_NUMBER_SIZE(size) (JSON_STRING_SIZE(size) + 2)
/* Makes a number that was formatted one that JSON has: what is not finite becomes null, and what is no number for
 * other reasons a string. There is room for JSON_NUMBER_SIZE. Returns its size. */
size_t json_put_number(char *text, size_t size);

#endif
