/* Finds the field of the records to which each name of the header belongs.
 *
 * Pure functions; any thread. */
#ifndef PSCAN_TEXT_NAMES_H
#define PSCAN_TEXT_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "text/line.h"

/* A name of the header, or a field of the first record. */
struct names_item {
	const char *text; /* The text without quotes and without blanks around it. */
	size_t size; /* Bytes of the text. */
	bool quoted;
	uint64_t begin, end; /* The columns begin .. end - 1 on the screen, counted from 0. */
};

/* The shape that records must have if a field was chosen by its name, or if numbers may contain the delimiter. */
struct names_shape {
	uint64_t name_count; /* The header's names. A leading "#" does not count. 0: there is no header. */
	uint64_t field_count; /* The fields of the first record. */
	/* If blanks separate the fields: a record with fewer fields is invalid, unless is_laid_out, each chosen name is
	 * aligned with its field, and results are not appended to lines (-a). A record with more fields is invalid if a
	 * chosen name is not above its field, or is rather above a later one. 0: delimiters separate the fields. */
	uint64_t least;
	bool is_laid_out; /* Blanks separate the fields, and some names are further apart than one blank. */
	/* Blanks separate the fields, and the first record shows its fields in columns under the names. A record with
	 * `least` fields is then invalid if a chosen name is over another field than its own (names_weigh). */
	bool is_lined_up;
	bool is_aligned; /* If is_lined_up: each name begins or ends together with its field. */
	/* If delimiters separate the fields: a record with more fields is invalid. In a record with fewer fields the
	 * last ones are missing. 0: blanks separate the fields. */
	uint64_t most;
	uint64_t ended; /* The last `ended` of the `most` fields must be empty. */
	uint64_t labels; /* Fields that stand before the first name, if blanks separate the fields. */
	bool is_sure; /* Every named field is below its name. False: a name may be above a wrong field by accident. */
};

/* What names_fit returns at least if the two begin or end together. */
#define NAMES_ALIGNED (UINT64_MAX / 2)

/* Returns how well a name fits a field: 0 if they share no column on the screen, more if they share more columns, and
 * most if they also begin or end together. */
uint64_t names_fit(const struct names_item *name, const struct names_item *field);

/* How well a name fits the fields of a record, as names_fit says. Before the first field is weighed, all but `labels`
 * is zero. */
struct names_weight {
	uint64_t labels; /* The labels of the record's shape. Set by the caller. */
	uint64_t own; /* How well the name fits its own field. */
	/* How well the name fits the best of the other fields. Fields before its own one do not count from is_pushed
	 * on. */
	uint64_t other;
	bool is_pushed; /* A label, or a field that is below its own name, reaches the next name. */
};

/* Weighs field number `number` of a record, from 1, for the name with the index `index`, from 0. own: the number of the
 * name's own field. names: all names of the header. The caller weighs the fields in their order, from the first
 * one on. A field that the caller leaves out does not count. */
void names_weigh(struct names_weight *w, const struct names_item *names, size_t index, uint64_t own, uint64_t number,
		 const struct names_item *field);

/* Whether a name, for which all fields were weighed, is over another field than its own. If it shares no column with
 * its own field, that is any other field with which it shares one. Otherwise only if are_aligned: it is aligned with
 * another field and not with its own. */
static inline bool names_is_elsewhere(const struct names_weight *w, bool are_aligned)
{
	return w->own == 0 ? w->other > 0 : are_aligned && w->own < NAMES_ALIGNED && w->other >= NAMES_ALIGNED;
}

/* Finds each name's field in the first record. numbers[i], of name_count entries, becomes the number of the field of
 * name i, from 1; the record may lack this field. numbers[i] becomes 0 if name i is a leading "#", or if blanks
 * separate the fields and no field is found for the name. delimited: delimiters separate the fields, not blanks. *shape
 * becomes the shape that records must have. False, only if delimited: there are too many fields; do not use `numbers`
 * then. */
bool names_place(const struct names_item *names, size_t name_count, const struct names_item *fields, size_t field_count,
		 bool delimited, uint64_t *numbers, struct names_shape *shape);

/* --- screen.c: the places of fields on the screen ----------------------------------------------------------------- */

/* Sets *item to the next field of a line: its text, which lies in the line, and the columns that it takes on the
 * screen. Before the first call *at must be NULL and *item all zero; between calls the caller must leave both as they
 * are. False after the last field. */
bool screen_next(const struct text_rules *rules, const struct line *line, const char **at, struct names_item *item);

/* The match of a header line and a first record. */
struct screen_table {
	struct names_shape shape;
	uint64_t field_count; /* Fields of the record. */
	struct bytes names; /* A struct names_item for each name, whose text lies in the header line. Owned. */
	struct bytes numbers; /* A uint64_t for each name: its field (names_place). Empty: too many fields. Owned. */
};

/* Fills a zeroed table. The caller must end it with screen_table_free, also after a failure. STATUS_SYSTEM after a
 * message if memory is missing. */
enum status screen_place(const struct text_rules *rules, const struct line *header, const struct line *record,
			 struct screen_table *table) MUST_CHECK;

/* Returns the number, from 1, of the field to which the name with the index `index`, from 0, belongs. 0: the field is
 * not known, or there is no such name. */
uint64_t screen_number(const struct screen_table *table, size_t index);

void screen_table_free(struct screen_table *table);

#endif
