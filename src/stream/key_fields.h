/* Keys and the fields of resets, as they are written in lines of results. */
#ifndef PSCAN_STREAM_KEY_FIELDS_H
#define PSCAN_STREAM_KEY_FIELDS_H

#include "stream/plan.h"

/* Appends the texts of `count` fields as they are written in a line: with a delimiter after each, or as members of an
 * object if they have labels. key: their bytes as the decoder stores them; several fields have their size before each.
 * numbers: for binary input the numbers of their columns. is_text: false appends the columns' bytes. STATUS_SYSTEM
 * after a message. */
enum status key_fields_put(const struct plan *plan, const void *key, size_t size, size_t count, const uint64_t *numbers,
			   const struct label *labels, bool is_text, struct bytes *out) MUST_CHECK;

#endif
