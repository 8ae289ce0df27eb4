/* Where the fields of a line stand on the screen.
 *
 * Pure functions; any thread. */
#ifndef PSCAN_TEXT_SCREEN_H
#define PSCAN_TEXT_SCREEN_H

#include "base/memory.h"
#include "text/line.h"
#include "text/names.h"

/* Advances to the next field of a line, as line_next_field does. *at is NULL and *item zero at first; afterwards *item
 * is the field, with its columns. False after the last field. */
bool screen_next(const struct text_rules *rules, const struct line *line, const char **at, struct names_item *item);

/* Appends the fields of a line to *items, as struct names_item. STATUS_SYSTEM after a message: no memory. */
enum status screen_list(const struct text_rules *rules, const struct line *line, struct bytes *items) MUST_CHECK;

#endif
