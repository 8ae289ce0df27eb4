/* Divides the input, which every rank sees, into a slice for each rank. */
#ifndef PSCAN_MPI_SHARE_H
#define PSCAN_MPI_SHARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/status.h"
#include "io/bgzf.h"

struct options;
struct plan;

/* Checks the options before the input is read. STATUS_USAGE after a message if they need a single process. */
enum status share_check_options(const struct options *o) MUST_CHECK;
/* Checks the plan. STATUS_USAGE after a message if the plan needs a single process. is_empty: the input is empty. Then
 * only plans with texts, and with an npy array of unknown length as output, are refused. */
enum status share_check_plan(const struct plan *plan, bool is_empty) MUST_CHECK;

/* One of the input's files. In text a "record" is a byte. */
struct share_file {
	uint64_t records; /* The file's whole records that can be read. */
	uint64_t header; /* Bytes before the first record (an npy header). */
	struct bgzf_index index; /* If the file is compressed; otherwise empty. Owned. */
};

/* The input's files, up to the first one that ends within a record or cannot be read to its end. The last slice
 * includes everything after that. */
struct share_inputs {
	struct share_file *files; /* Owned. */
	size_t count; /* Number of files, at least 1. */
	uint64_t records; /* Records of these files. */
};

/* Measures the input's files. Every rank must call it. The caller must call share_free_inputs, also after a failure.
 * Returns this rank's status, which may differ from that of other ranks. After a message: STATUS_USAGE if a file is
 * compressed other than by bgzip, or is a compressed npy file; STATUS_SYSTEM if this rank sees other sizes than rank 0,
 * or memory is missing. */
enum status share_measure(const struct options *o, const struct plan *plan, struct share_inputs *inputs) MUST_CHECK;
/* Checks that the files still have the sizes that were measured. If the last one is not compressed, it may have grown.
 * STATUS_SYSTEM after a message if not. */
enum status share_check_inputs(const struct options *o, const struct plan *plan,
			       const struct share_inputs *inputs) MUST_CHECK;
/* Returns the index of a compressed file (borrowed), or NULL if the file is not compressed. */
const struct bgzf_index *share_index_of(const struct share_inputs *inputs, size_t file);
/* Frees the memory of *inputs, which may be all zero. */
void share_free_inputs(struct share_inputs *inputs);
/* Returns the index of the file that contains record number `record` of all files, from 0. *before becomes the number
 * of the file's records before it. For inputs->records: returns the last file, and *before becomes all its records. If
 * there are no records: both are 0. */
size_t share_find(const struct share_inputs *inputs, uint64_t record, uint64_t *before);

/* The slice of one rank: records first .. end - 1 of all files. */
struct share {
	uint64_t first, end;
	/* The slice is the last one that has records; if no slice has any, rank 0's. It is read to the end of the
	 * input, even if the input has grown beyond `end`. */
	bool is_last;
	bool is_idle; /* The slice is empty, and is not the last one. */
};
/* Returns where a rank's slice begins, if slices are whole units of `unit` records (above 0). Each rank gets ceil(units
 * / ranks) units as long as there are any. So one rank may get fewer, and the later ones get none. With rank == ranks
 * it is the end of the last slice. */
uint64_t share_begin(uint64_t records, uint64_t unit, int rank, int ranks);
/* Returns the bytes of a record; 1 for text. */
size_t share_record_size(const struct plan *plan);
/* Whether a slice's place in its lanes is known only when the elements before it have been counted: true for text, and
 * for binary input without segments whose NaNs take no part in the scan. */
bool share_is_counted(const struct plan *plan);
/* Whether segments begin by count (--reset-every) and in no other way. */
bool share_resets_by_count(const struct plan *plan);

/* cut.c. Cuts text at beginnings of lines. Sets begins[2 * i] to where rank i's slice begins, for all ranks, begins[2 *
 * i + 1] to where its second part begins (segments.c), and begins[2 * number of ranks] to the end of the last slice, in
 * bytes of all files together. A rank's slice is empty if the next one begins at the same byte. Every rank must call
 * this. Returns one status for all ranks: STATUS_SYSTEM after a message if a file cannot be read or memory is
 * missing. */
enum status share_cut_text(const struct options *o, const struct plan *plan, const struct share_inputs *inputs,
			   uint64_t *begins) MUST_CHECK;

#endif
