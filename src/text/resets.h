/* What the resets of a chunk's records go by: the same as those of the record before, or another text. */
#ifndef PSCAN_TEXT_RESETS_H
#define PSCAN_TEXT_RESETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "text/grouper.h"

/* All zero is one of no records. Records with one number have the same text; those with different ones may, if there
 * are others in between. */
struct resets {
	struct bytes texts; /* struct record_key: once for all records that follow each other with it */
	struct bytes of_records; /* uint32_t: the number of each record's, from 0 on */
};

/* What a record's resets go by. */
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

/* Takes the next record in, whose resets go by this text; copied: where such texts are that are not in the input.
 * *is_new: the record before has another one. STATUS_SYSTEM after a message. */
MUST_CHECK static inline enum status resets_add(struct resets *r, const struct record_key *text,
						const struct bytes *copied, bool *is_new)
{
	const size_t count = r->texts.size / sizeof *text;
	const struct record_key *texts = (const struct record_key *)(const void *)r->texts.data;
	*is_new = count == 0 || !record_key_is_same(&texts[count - 1], text, copied);
	if (*is_new) {
		if (bytes_reserve(&r->texts, sizeof *text) != STATUS_OK)
			return STATUS_SYSTEM;
		/* (One by one: what was just written is not to be read in other pieces, which takes a while.) */
		struct record_key *to = (struct record_key *)(void *)r->texts.data + count;
		to->hash = 0;
		to->bytes = text->bytes;
		to->at = text->at;
		to->size = text->size;
		r->texts.size += sizeof *to;
	}
	const uint32_t number = (uint32_t)(*is_new ? count : count - 1);
	return bytes_append(&r->of_records, &number, sizeof number);
}

#endif
