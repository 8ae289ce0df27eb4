/* Keys and the fields of resets, as they are written in lines of results. */
#ifndef PSCAN_CHUNK_KEY_FIELDS_H
#define PSCAN_CHUNK_KEY_FIELDS_H

#include "chunk/plan.h"

enum key_fields { KEY_FIELDS, RESET_FIELDS };

/* How fields are written: in a line of results (with a delimiter after each, or as members of an object); with a
 * delimiter after each; or as the bytes of binary columns. */
enum key_form { KEY_IN_LINE, KEY_IN_WORDS, KEY_IN_BYTES };

/* Appends all key fields or all reset fields. texts: their `size` bytes as the decoder stores them; several fields have
 * their size before each. STATUS_SYSTEM after a message. */
enum status key_fields_put(const struct plan *plan, enum key_fields which, const void *texts, size_t size,
			   enum key_form form, struct bytes *out) MUST_CHECK;

#endif
