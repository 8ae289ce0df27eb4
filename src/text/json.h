/* Reads lines that are JSON objects (RFC 8259), and writes JSON strings and numbers.
 *
 * Pure functions, except that some allocate; any thread. Returned pointers point into the caller's bytes. */
#ifndef PSCAN_TEXT_JSON_H
#define PSCAN_TEXT_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"
#include "text/line.h"
#include "text/members.h"

/* The most objects and arrays within each other, the line's own object included. */
#define JSON_DEPTH_MAX 1024

/* The names of the first members of the line that was read last, with their colons, in their order there. Lines of one
 * program have the same, so that those of the next line need not be looked for. All 0: no line was read. */
struct json_names {
	struct json_name {
		char text[32];
		size_t size; /* Bytes of the text. 0: not known. */
		const struct member *member; /* The member with this name that is looked for, or NULL. */
	} names[16];
};

/* Finds the fields of a line that is one object with only blanks around it. Field number n becomes found[n - 1]; a
 * field that is not in the line becomes absent. line->tail becomes the end of the last member; without members, the
 * place after the opening brace. If several members have one name, the last one counts. False if the line is not an
 * object; *fault is then the reason, and found and line->tail hold nothing useful. LINE_PADDING bytes after the line
 * must be readable; they may be any bytes. names: of the line before with these members, or NULL; they become those of
 * this line. */
bool json_find(const struct members *members, struct line *line, struct field *found, struct json_names *names,
	       struct line_fault *fault);

/* Whether a valid JSON string, `size` bytes without its quotes, equals `name` after unescaping. */
bool json_says(const char *text, size_t size, const char *name, size_t name_size);
/* Unescapes a valid JSON string, `size` bytes without its quotes, to `to`, which has room for `size` bytes. Returns the
 * bytes written. A lone surrogate becomes three bytes, as if it were a character. */
size_t json_unescape(const char *text, size_t size, char *to);
/* Upper bound on the bytes of a text of `size` bytes as a JSON string with quotes. */
#define JSON_STRING_SIZE(size) (6 * (size) + 2)
/* Appends a text as a JSON string with quotes. Equal texts give equal bytes. Bytes that are not UTF-8 become U+FFFD.
 * STATUS_SYSTEM after a message if memory is missing. */
enum status json_append_string(struct bytes *out, const char *text, size_t size) MUST_CHECK;

/* Appends a text as a JSON value: a JSON number as it is, any other text as a string. STATUS_SYSTEM after a message if
 * memory is missing. */
enum status json_append_value(struct bytes *out, const char *text, size_t size) MUST_CHECK;

/* Returns where the JSON number at p ends. NULL if there is no such number; *fault is then the reason. LINE_PADDING
 * bytes after `end` must be readable. */
const char *json_number_end(const char *p, const char *end, struct line_fault *fault);

/* Upper bound on the bytes of a formatted number of `size` bytes after json_put_number. */
#define JSON_NUMBER_SIZE(size) (JSON_STRING_SIZE(size) + 2)
/* Rewrites a formatted number in place as valid JSON. A number that is not finite becomes null, and any other text that
 * is not a JSON number becomes a string. (Blanks around the number are passed over.) `text` must have room for
 * JSON_NUMBER_SIZE(size) bytes in all, and LINE_PADDING bytes after its `size` bytes must be readable. Returns the new
 * size. */
size_t json_put_number(char *text, size_t size);

#endif
