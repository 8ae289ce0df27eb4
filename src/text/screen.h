/* Compares the places of fields on the screen, to match a header's names with the fields of records.
 *
 * Pure functions; any thread. */
#ifndef PSCAN_TEXT_SCREEN_H
#define PSCAN_TEXT_SCREEN_H

#include "base/memory.h"
#include "text/line.h"
#include "text/names.h"

/* Advances to the next field of a line, as line_next_field does. Sets *item to the field's text (in the line) and to
 * the columns that the field takes on the screen. Before the first call *at must be NULL and *item all zero; between
 * calls the caller must leave both as they are. False after the last field. */
bool screen_next(const struct text_rules *rules, const struct line *line, const char **at, struct names_item *item);

/* The match of a header line and a first record. */
struct screen_table {
	struct names_shape shape;
	uint64_t field_count; /* Fields of the record. */
	struct bytes names; /* A struct names_item for each name, whose text is in the line. Owned. */
	struct bytes numbers; /* A uint64_t for each name: its field. Empty if names_place returns false. Owned. */
};

/* Fills a zeroed table. The caller must end it with screen_table_free, also after a failure. STATUS_SYSTEM after a
 * message if memory is missing. */
enum status screen_place(const struct text_rules *rules, const struct line *header, const struct line *record,
			 struct screen_table *table) MUST_CHECK;

/* Returns the number, from 1, of the field to which name number `index` (from 0) belongs. 0: it is not known, or there
 * is no such name. */
uint64_t screen_number(const struct screen_table *table, size_t index);

void screen_table_free(struct screen_table *table);

#endif
