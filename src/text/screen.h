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

/* What a header's line and a first record say of each other. */
struct screen_table {
	struct names_shape shape;
	uint64_t field_count; /* of the record */
	struct bytes names; /* struct names_item; their text is the line's */
	/* uint64_t: names_place's number of each name; empty if it says that there are too many fields */
	struct bytes numbers;
};

/* Fills in a table of zeros; screen_table_free it in any case. STATUS_SYSTEM after a message: no memory. */
enum status screen_place(const struct text_rules *rules, const struct line *header, const struct line *record,
			 struct screen_table *table) MUST_CHECK;

/* The number of the field that the name with an index belongs to, from 1; 0: it is not known, or the names end
 * before. */
uint64_t screen_number(const struct screen_table *table, size_t index);

void screen_table_free(struct screen_table *table);

#endif
