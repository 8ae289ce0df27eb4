/* Finds the field of the records to which each name of the header belongs.
 *
 * Pure functions; any thread. */
#ifndef PSCAN_TEXT_NAMES_H
#define PSCAN_TEXT_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A name of the header, or a field of the first record. */
struct names_item {
	const char *text; /* The text without quotes and without blanks around it. */
	size_t size; /* Bytes of the text. */
	bool quoted;
	uint64_t begin, end; /* The columns begin .. end - 1 on the screen, counted from 0. */
};

/* The shape that records must have if a field was chosen by its name. */
struct names_shape {
	uint64_t name_count; /* a leading "#" is no name */
	uint64_t field_count; /* of the first record */
	/* Between blanks: a record with fewer fields is invalid, and one with more is if a chosen name is not over its
	 * field. Else 0. */
	uint64_t least;
	/* Between delimiters: a record with more fields is invalid; one with fewer lacks the last ones. Else 0. */
	uint64_t most;
	uint64_t ended; /* Delimiters at the end of each record, after which only empty fields follow. */
	bool is_sure; /* Every named field is below its name. False: a name may be above a wrong field by accident. */
};

/* Returns how well a name fits a field: 0 if they share no column on the screen, more if they share more columns, and
 * most if they also begin or end together. */
uint64_t names_fit(const struct names_item *name, const struct names_item *field);

/* Matches the names with the fields of the first record. numbers[i] becomes the number of name i's field, from 1, or 0
 * if it has none: it is a leading "#", or its field cannot be determined. delimited: delimiters separate the fields,
 * not blanks. False: there are too many fields, so no name's field can be determined. */
bool names_place(const struct names_item *names, size_t name_count, const struct names_item *fields, size_t field_count,
		 bool delimited, uint64_t *numbers, struct names_shape *shape);

#endif
