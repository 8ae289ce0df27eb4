/* A tree of field names, for formats whose lines name their fields (JSON, logfmt). It finds the fields in the order in
 * which a line has them. */
#ifndef PSCAN_TEXT_MEMBERS_H
#define PSCAN_TEXT_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/status.h"

/* A node of the tree: a member that is a wanted field, or that contains some. */
struct member {
	const char *name; /* Borrowed from struct members. */
	size_t size; /* Bytes of the name. */
	size_t first, count; /* The members within it: `count` from index `first` on, sorted by size, then by bytes. */
	bool has_indices; /* The names of some members within it may be indices of an array. */
	uint64_t number; /* The number of the field that this member is, from 1. 0: it only contains fields. */
	uint64_t begin, end; /* The member and those within it have the field numbers begin .. end - 1. */
};

struct members {
	struct member *members; /* The first one stands for the whole line. Owned. */
	size_t count; /* Number of members. */
	uint64_t field_count; /* Fields have the numbers 1 .. field_count. */
	char *text; /* The bytes of the names. Owned. */
};

/* How a name is understood. */
enum member_names {
	NAMES_WHOLE, /* As the name of a member of the line. */
	/* As a path: a.b is b within a. A name that begins with a slash is a pointer of RFC 6901, such as /a/b, in
	 * which ~0 stands for ~ and ~1 for a slash. */
	NAMES_PATHS,
};

/* Whether a name is valid: in a pointer each ~ must be followed by 0 or 1. Pure. */
bool members_is_name(enum member_names kind, const char *name);

/* Makes the tree of `count` valid names. numbers[i] becomes the field number of name i; names with equal meaning get
 * one number. If are_whole is not NULL and are_whole[i] is true, name i is understood as NAMES_WHOLE instead of `kind`.
 * The caller ends the tree with members_free, also after a failure. STATUS_SYSTEM after a message if memory is
 * missing. */
enum status members_make(struct members *m, enum member_names kind, const char *const *names, const bool *are_whole,
			 size_t count, uint64_t *numbers) MUST_CHECK;
void members_free(struct members *m);

/* Returns the member within `within` that has this name of `size` bytes, or NULL. Pure; any thread. */
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
