/* The texts on which a chunk's records reset (--reset-on). A segment begins where the text changes. */
#ifndef PSCAN_TEXT_RESETS_H
#define PSCAN_TEXT_RESETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "text/grouper.h"

/* All zero: no records. Records with equal numbers have equal texts. Records with different numbers may also have equal
 * texts, if a record with another text is between them. */
struct resets {
	struct bytes texts; /* A struct record_key for each run of records with equal texts. Owned. */
	struct bytes of_records; /* A uint32_t for each record: the number of its text, from 0. Owned. */
};

/* Returns the text of a record. Valid until the next call of resets_add, resets_clear or resets_free. */
static inline const struct record_key *resets_text(const struct resets *r, size_t record)
{
	const uint32_t *numbers = (const uint32_t *)(const void *)r->of_records.data;
	return (const struct record_key *)(const void *)r->texts.data + numbers[record];
}

static inline void resets_clear(struct resets *r)
{
	r->texts.size = 0;
	r->of_records.size = 0;
}

static inline void resets_free(struct resets *r)
{
	bytes_free(&r->texts);
	bytes_free(&r->of_records);
}

/* Adds the next record and its text. The text's bytes are not copied: they must stay valid until resets_clear or
 * resets_free. The text's `hash` is not used. copied: where the bytes of copied texts lie (struct record_key). *is_new
 * becomes whether the previous record has another text, or there is no previous record. If *is_new is false, the caller
 * may remove the bytes that it has copied for this text. STATUS_SYSTEM after a message if memory is missing. */
MUST_CHECK static inline __attribute__((always_inline)) enum status resets_add(struct resets *r,
									       const struct record_key *text,
									       const struct bytes *copied, bool *is_new)
{
	const size_t count = r->texts.size / sizeof *text;
	const struct record_key *texts = (const struct record_key *)(const void *)r->texts.data;
	*is_new = count == 0 || !record_key_is_same(&texts[count - 1], text, copied);
	if (*is_new) {
		TRY(bytes_reserve(&r->texts, sizeof *text));
		/* Member by member, because reading them soon in other pieces than they were written would stall. */
		struct record_key *to = (struct record_key *)(void *)r->texts.data + count;
		to->hash = 0;
		to->at = text->at;
		to->size = text->size;
		to->is_copied = text->is_copied;
		r->texts.size += sizeof *to;
	}
	const uint32_t number = (uint32_t)(*is_new ? count : count - 1);
	return bytes_append(&r->of_records, &number, sizeof number);
}

#endif
