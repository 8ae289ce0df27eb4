/* One scan as a rank sees it: what the files of its story share (scan.c tells it). */
#ifndef PSCAN_MPI_JOB_H
#define PSCAN_MPI_JOB_H

#include <limits.h>

#include "base/pack.h"
#include "cli/args.h"
#include "mpi/share.h"
#include "stream/pipeline.h"

struct job {
	const struct options *o;
	size_t threads;
	struct plan plan;
	struct share_inputs inputs;
	uint64_t *
		begins; /* of what is counted (share_is_counted): of each rank's slice, and the end of all; else NULL */
	struct share share;
	struct sink *sink; /* of this rank's results; NULL: it has none */
	bool is_scratch; /* they wait there until it is known where their place is, in */
	char temporary[PATH_MAX]; /* the owner's file; "": it has none */
	struct bytes *lanes; /* of totals */
	struct tile_ends *ends; /* of text: around them; else NULL */
	struct tile_totals totals; /* of the slice */
	struct pack decimals; /* of text: what the lanes of exact decimals come to in the slice */
	struct pack ahead; /* of segments: what the scan is at the slice's end, if what is before does not count */
	struct bytes came; /* the scan at the slice's beginning, packed; empty: nothing is before it */
	uint64_t *counted; /* of segments of text: what text_end_slice takes */
	struct place begin, end; /* of the slice of text; arrays of one owner, places */
	uint64_t *places;
	struct stats stats; /* of the last pass */
	enum status flaw; /* what was wrong with its input, though all results are there */
};

/* One pass over a part of the slice. */
struct pass {
	const struct plan *plan;
	uint64_t first, count; /* records; of text bytes. A count of UINT64_MAX: to the end */
	struct sink *sink; /* NULL: what it writes is nothing */
	struct scan_part part; /* saved is job_run's to fill */
	bool goes_on; /* from what came */
};

/* job.c. Runs a pass. *complete: all of it was scanned. */
enum status job_run(const struct job *w, const struct pass *pass, struct stats *stats, bool *complete) MUST_CHECK;
/* Whether all of it was scanned: then what was wrong was nothing that ends a scan. */
bool job_complete(const struct job *w, const struct pass *pass, struct stats *stats);
/* What a rank has. */
struct share job_share(const struct job *w, int rank);
/* The first rank after (step 1) or before (-1) this one that has something to scan, or -1. */
int job_neighbour(const struct job *w, int step);
/* Whether all there is to write is what the last rank has. (Segments have totals of their own.) */
bool job_has_one_total(const struct job *w);
/* The rank that creates the output: with --total the only one that has one. */
int job_owner(const struct job *w);

/* text.c. The ranks that have nothing call this as well. The slice's totals: false: they are not known. */
bool text_gather(struct job *w);
/* What came goes on over the slice. */
bool text_carry_on(const struct job *w, struct pack *next);

/* Where a slice ends that begins at a place: counted is what a pass over it has counted, lines and fields + fields
 * numbers. */
void text_end_slice(const struct job *w, const struct share *s, const uint64_t *counted, struct place *to);

/* segments.c. Of text the ranks that have nothing call this as well. The scan at the slice's end: false: what is
 * before it must be known. */
bool segments_gather(struct job *w);
/* What came goes on over the slice. ahead: what segments_gather says. */
bool segments_carry_on(struct job *w, bool ahead, struct pack *next);
/* Which lines and elements are before a slice of text goes from rank to rank beside the scan. */
void segments_receive_place(struct job *w, int from);
void segments_send_place(const struct job *w, int to);

/* output.c. All ranks call these. */

/* Opens what this rank writes to. */
enum status output_open(struct job *w) MUST_CHECK;
/* Ends the output: all parts, and then the file. */
enum status output_close(struct job *w, enum status status) MUST_CHECK;

#endif
