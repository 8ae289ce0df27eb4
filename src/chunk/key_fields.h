/* Keys and the fields of resets, as they are written in lines of results. */
#ifndef PSCAN_CHUNK_KEY_FIELDS_H
#define PSCAN_CHUNK_KEY_FIELDS_H

#include "chunk/plan.h"

/* Which fields are written. */
enum key_fields {
	KEY_FIELDS, /* The fields of the key (-g). */
	RESET_FIELDS, /* The fields of --reset-on. */
};

/* How fields are written. */
enum key_form {
	KEY_IN_LINE, /* In a line of results: with a delimiter after each field, or as members of a JSON object. */
	KEY_IN_WORDS, /* With a delimiter after each field, in JSON, too. */
	KEY_IN_BYTES, /* As the bytes of binary columns. */
};

/* Appends all key fields or all reset fields. texts: the fields as the decoder stores them, `size` bytes. If there are
 * several fields, a native size_t with the field's size comes before each field. STATUS_SYSTEM after a message. */
enum status key_fields_put(const struct plan *plan, enum key_fields which, const void *texts, size_t size,
			   enum key_form form, struct bytes *out) MUST_CHECK;

#endif
