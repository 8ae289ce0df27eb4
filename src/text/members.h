/* The names of fields that each line says again, as JSON and logfmt do: a tree of them, by which they are found in the
 * order in which a line has them. */
#ifndef PSCAN_TEXT_MEMBERS_H
#define PSCAN_TEXT_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/status.h"

/* A name, or one of the names that lead to one. */
struct member {
	const char *name;
	size_t size;
	size_t first, count; /* those within it: so many, from this index on, in the order of their sizes and bytes */
	bool has_indices; /* some of them may be elements of an array */
	uint64_t number; /* of the field that it is, from 1; 0: it only leads to some */
	uint64_t begin, end; /* the numbers of the fields that it is or that are within it: from begin to before end */
};

struct members {
	struct member *members; /* the first one is the whole line */
	size_t count;
	uint64_t field_count; /* their numbers are 1 to this */
	char *text; /* the names' bytes */
};

/* What a name means. */
enum member_names {
	NAMES_WHOLE, /* itself */
	/* a.b: b within a; with a slash in front a pointer of RFC 6901, /a/b, in which ~0 is a ~ and ~1 a slash */
	NAMES_PATHS,
};

/* Whether a name is a good one: of a pointer each ~ is followed by 0 or 1. Pure. */
bool members_is_name(enum member_names kind, const char *name);

/* Makes the tree of good names, and tells each one's number: those that mean the same have the same. are_whole: which
 * of them mean themselves whatever the kind is; NULL: none. STATUS_SYSTEM after a message. The caller ends it with
 * members_free. */
enum status members_make(struct members *m, enum member_names kind, const char *const *names, const bool *are_whole,
			 size_t count, uint64_t *numbers) MUST_CHECK;
void members_free(struct members *m);

/* Of the names within a member the one that is these bytes, or NULL. Pure; any thread. */
static inline const struct member *members_find(const struct members *m, const struct member *within, const char *name,
						size_t size)
{
	const struct member *first = m->members + within->first;
	for (size_t count = within->count; count > 0;) {
		const struct member *middle = first + count / 2;
		const int order = size != middle->size ? (size > middle->size) - (size < middle->size)
				  : memory_is_same(name, middle->name, size) ? 0
									     : memcmp(name, middle->name, size);
		if (order == 0)
			return middle;
		first = order > 0 ? middle + 1 : first;
		count = order > 0 ? count - count / 2 - 1 : count / 2;
	}
	return NULL;
}

#endif
