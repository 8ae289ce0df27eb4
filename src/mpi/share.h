/* Who scans what: the input, which every rank sees, in slices. */
#ifndef PSCAN_MPI_SHARE_H
#define PSCAN_MPI_SHARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/status.h"

struct bgzf_index;
struct options;
struct plan;

/* The options, and what they make of the input, that only one process can do. STATUS_USAGE after a message. */
enum status share_check_options(const struct options *o) MUST_CHECK;
/* is_empty: the input has no first bytes: whatever is to be said of it is what one process says. */
enum status share_check_plan(const struct plan *plan, bool is_empty) MUST_CHECK;

/* The input's files up to the first that ends within a record, or cannot be read to its end: from there on all is the
 * last slice's. */
struct share_inputs {
	struct bytes sizes; /* uint64_t: records of each; of text bytes. Owned */
	struct bytes headers; /* uint64_t: bytes before them, of arrays. Owned */
	struct bytes indexes; /* struct bgzf_index, of each: empty if it is not compressed. Owned, as they are */
	size_t count; /* of them */
	uint64_t records; /* of all */
};

/* Every rank calls this. STATUS_USAGE: one is no regular file, or compressed; STATUS_SYSTEM: the ranks see different
 * files. After a message. */
enum status share_measure(const struct options *o, const struct plan *plan, struct share_inputs *inputs) MUST_CHECK;
/* Whether they are still what they were: of the last one more may have come. */
enum status share_check_inputs(const struct options *o, const struct plan *plan,
			       const struct share_inputs *inputs) MUST_CHECK;
uint64_t share_records_of(const struct share_inputs *inputs, size_t file);
/* NULL: the file is not compressed. */
const struct bgzf_index *share_index_of(const struct share_inputs *inputs, size_t file);
void share_free_inputs(struct share_inputs *inputs);
/* The file in which a record lies, and how many of that file are before it. */
size_t share_find(const struct share_inputs *inputs, uint64_t record, uint64_t *before);

/* The records of a rank. */
struct share {
	uint64_t first, end;
	bool is_last; /* nobody has records after it: it goes on to the end of the input, whatever is there */
	bool is_idle; /* nor has it any */
};
/* Whole units, as many for each rank as for the others; the last one has what is left, and where there are few some
 * have none. */
struct share share_of(uint64_t records, uint64_t unit, int rank, int ranks);
/* The same of text: begins are those of each rank's records, and where the last one's end. */
struct share share_of_begins(const uint64_t *begins, int rank, int ranks);
/* Bytes of a record: of text 1. */
size_t share_record_size(const struct plan *plan);
/* Whether a slice may begin at any element of its lanes, so that those before must be counted: of text, and where NaNs
 * are no elements. */
bool share_is_counted(const struct plan *plan);
/* Whether the scan begins anew by count, and by nothing else. */
bool share_resets_by_count(const struct plan *plan);
/* Records that are not torn apart: a tile, or those after which all begins anew. */
uint64_t share_unit(const struct plan *plan);

#endif
