/* The bytes are inflated once, from one known file's end to the next one's, and compared by the hashes there. A file
 * that begins with other bytes than all of them is left after its first 4 KiB. */
#include "cli/state_inflated.h"

#include <string.h>
#include <unistd.h>

#include "io/input.h"
#include "stream/source.h"

/* What was inflated so far. */
struct inflated {
	struct input *input;
	struct source_ends ends;
	size_t header_size; /* of the first bytes, of the header */
	bool is_over; /* nothing more can be read */
	bool is_damaged; /* for the file is damaged there */
	bool lacks_memory; /* a message says so */
};

/* Whether a problem has no text, because missing memory was reported already. */
static bool is_of_memory(const struct problem *problem)
{
	return problem->status == STATUS_SYSTEM && problem->text[0] == '\0';
}

/* Inflates up to a size, or to the end. */
static void inflate(struct inflated *f, uint64_t size)
{
	unsigned char block[SOURCE_END_SIZE];
	struct problem problem = {0};
	while (f->ends.size < size && !f->is_over) {
		const uint64_t left = size - f->ends.size;
		const size_t wanted = left < sizeof block ? (size_t)left : sizeof block;
		size_t got = 0;
		f->is_damaged = input_read(f->input, block, wanted, &got, &problem) != STATUS_OK;
		f->lacks_memory = f->is_damaged && is_of_memory(&problem);
		f->is_over = f->is_damaged || got == 0;
		source_ends_add(&f->ends, block, got);
	}
}

static size_t end_size(const struct saved_input *k)
{
	return k->taken < SOURCE_END_SIZE ? (size_t)k->taken : SOURCE_END_SIZE;
}

/* Whether the file may go on after a known one, as its first bytes say. */
static bool begins_as(const struct inflated *f, const struct saved_input *k)
{
	return k->whole == 0 && k->header == 0 && k->taken > f->header_size && end_size(k) <= f->ends.size &&
	       k->first == source_hash_end(f->ends.first, end_size(k));
}

/* Of the known files that it may go on after the one that ends next. */
static const struct saved_input *next_end(const struct inflated *f, const struct state_known *known)
{
	const struct saved_input *next = NULL;
	for (size_t i = 0; i < known->count; i++) {
		const struct saved_input *k = &known->files[i];
		if (k->taken > f->ends.size && (next == NULL || k->taken < next->taken) && begins_as(f, k))
			next = k;
	}
	return next;
}

/* The known file whose bytes the inflated ones begin with, the most of them, or NULL. */
static const struct saved_input *find(struct inflated *f, const struct state_known *known, uint64_t header)
{
	const struct saved_input *found = NULL;
	const struct saved_input *next;
	inflate(f, SOURCE_END_SIZE);
	while (header > 0 && f->header_size < f->ends.size)
		header -= f->ends.first[f->header_size++] == '\n';
	for (size_t i = 0; i < known->count; i++) {
		const struct saved_input *k = &known->files[i];
		if (k->taken <= f->ends.size && (found == NULL || k->taken > found->taken) && begins_as(f, k))
			found = k;
	}
	while ((next = next_end(f, known)) != NULL) {
		inflate(f, next->taken);
		if (f->ends.size < next->taken)
			break;
		if (source_hash_end(f->ends.last, SOURCE_END_SIZE) == next->last)
			found = next;
	}
	return found;
}

enum status state_match_inflated(const struct state_known *known, const char *name, uint64_t header,
				 const struct saved_input **found, bool *has_more)
{
	struct inflated f = {0};
	struct problem problem = {0};
	const bool is_standard = strcmp(name, "-") == 0;
	const off_t place = is_standard ? lseek(STDIN_FILENO, 0, SEEK_CUR) : 0;
	*found = NULL;
	*has_more = false;
	if (known->count == 0 || place != 0)
		return STATUS_OK;
	if (input_open(name, -1, true, &f.input, &problem) != STATUS_OK)
		return is_of_memory(&problem) ? STATUS_SYSTEM : STATUS_OK;
	if (!input_is_plain(f.input))
		*found = find(&f, known, header);
	if (*found != NULL)
		inflate(&f, (*found)->taken + 1);
	*has_more = *found != NULL && (f.ends.size > (*found)->taken || f.is_damaged);
	input_close(f.input);
	(void)(is_standard && lseek(STDIN_FILENO, place, SEEK_SET) < 0);
	return f.lacks_memory ? STATUS_SYSTEM : STATUS_OK;
}
