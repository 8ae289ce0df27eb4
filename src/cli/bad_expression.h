/* Messages about expressions (--map, --emit, -op). */
#ifndef PSCAN_CLI_BAD_EXPRESSION_H
#define PSCAN_CLI_BAD_EXPRESSION_H

#include <stddef.h>

#include "base/status.h"

/* Prints why an option's expression, `text` of `size` bytes, is wrong: "OPTION: 'TEXT': WHY". On a terminal a line
 * follows that points to `length` bytes of the text from `place` on. A long text is shown around this place. Always
 * returns STATUS_USAGE. */
enum status bad_expression(const char *option, const char *text, size_t size, size_t place, size_t length,
			   const char *why) MUST_CHECK;

#endif
