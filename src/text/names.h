/* Which field of the records each name of the header belongs to.
 *
 * Pure functions; any thread. */
#ifndef PSCAN_TEXT_NAMES_H
#define PSCAN_TEXT_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A name of the header, or a field of the first record. */
struct names_item {
	const char *text; /* what it says, without quotes and the blanks around */
	size_t size;
	bool quoted;
	uint64_t begin, end; /* its columns on the screen, from 0; end is the one after its last */
};

/* How the records of a file have to look where a field was chosen by its name. */
struct names_shape {
	uint64_t name_count; /* a leading "#" is no name */
	uint64_t field_count; /* of the first record */
	uint64_t
		least; /* between blanks: a record with fewer fields is invalid, and one with more is if a chosen name is
			 * not over its field; else 0 */
	/* between delimiters: a record with more fields is invalid, one with fewer lacks the last ones; else 0 */
	uint64_t most;
	uint64_t ended; /* how many delimiters end each record: its fields after those that have names are empty */
	/* each field that has a name is under it; else some names may be over a wrong field by accident */
	bool is_sure;
};

/* How well a name fits a field: 0 where they share no column on the screen; more the more columns they share, and most
 * if they begin or end together. */
uint64_t names_fit(const struct names_item *name, const struct names_item *field);

/* Compares the names with the fields of the first record. numbers has room for one number a name: that of its field,
 * from 1, or 0 where it has none: a leading "#", and names that no field can be told for. False: there are too many
 * fields for any of them to be told. */
bool names_place(const struct names_item *names, size_t name_count, const struct names_item *fields, size_t field_count,
		 bool delimited, uint64_t *numbers, struct names_shape *shape);

#endif
