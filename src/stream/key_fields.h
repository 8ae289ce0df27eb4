/* Keys, and what resets go by, as they stand in lines of results. */
#ifndef PSCAN_STREAM_KEY_FIELDS_H
#define PSCAN_STREAM_KEY_FIELDS_H

#include "stream/plan.h"

/* Appends the texts of count fields as they would stand in a line, a delimiter after each, or as members of an
 * object if these have labels. key: what they say, as the decoder has it: of several each with its size before it.
 * numbers: of binary input, those of its columns. is_text: else the columns' bytes are appended. STATUS_SYSTEM after
 * a message. */
enum status key_fields_put(const struct plan *plan, const void *key, size_t size, size_t count, const uint64_t *numbers,
			   const struct label *labels, bool is_text, struct bytes *out) MUST_CHECK;

#endif
