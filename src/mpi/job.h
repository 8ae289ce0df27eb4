/* One rank's view of a scan, shared by the files of mpi/. scan.c describes the steps. */
#ifndef PSCAN_MPI_JOB_H
#define PSCAN_MPI_JOB_H

#include <limits.h>

#include "base/pack.h"
#include "cli/args.h"
#include "mpi/share.h"
#include "stream/pipeline.h"

/* A part of the input that a rank scans as if nothing were before it (segments.c). */
struct piece {
	uint64_t first, end; /* Records `first` to end - 1 (text: bytes). */
	struct pack ahead; /* The packed scan at the piece's end, if is_scanned. Owned. */
	bool is_scanned; /* The scan of the piece has succeeded. */
	uint64_t *counted; /* The `counted` of job_end_slice. Owned. */
};

struct job {
	const struct options *o; /* Borrowed. */
	size_t threads; /* Worker threads of this rank. */
	struct plan plan; /* Owned. */
	struct share_inputs inputs; /* Owned. */
	/* 2 * number of ranks + 1 places (records; text: bytes): where each rank's slice and then the slice's second
	 * part begin, and last the end of the last slice. Without second parts (binary) the two places of a rank are
	 * equal. Owned. */
	uint64_t *begins;
	bool is_counted; /* share_is_counted */
	struct share share; /* This rank's slice. */
	struct sink *sink; /* Owned. Takes this rank's results. NULL: the rank writes none. */
	bool is_scratch; /* The sink is a file without a name. Its bytes are copied to `temporary` in the end. */
	char temporary[PATH_MAX]; /* The output's temporary file, which the owner has created. "": there is none. */
	struct tile_totals totals; /* The totals of the slice's tiles. Its arrays for each lane are owned, too. */
	/* For segments. tail: the second part of the slice before; may be empty. head: the first part of this slice;
	 * all of the slice if no slice has a second part. */
	struct piece tail, head;
	struct bytes came; /* The packed scan at the slice's beginning. Owned. Empty: no slice is before this one. */
	/* The places (scanner/scan_part.h) of the slice's beginning and end, if is_counted. Owned. */
	uint64_t *begin, *end;
	struct stats stats; /* Of the pass that writes the results. */
	enum status flaw; /* A failure that did not stop the scan: all results were written. */
};

/* One pass over a part of the input. Everything is borrowed. */
struct pass {
	const struct plan *plan;
	uint64_t first, count; /* Records (text: bytes). A count of UINT64_MAX: to the end of the input. */
	struct sink *sink; /* Takes the results. NULL: the pass writes none. */
	struct scan_part part; /* Without `saved`, which job_run sets. */
	bool goes_on; /* The pass continues the scan in job.came, or begins the scan if job.came is empty. */
};

/* job.c. Returns new zeroed memory of `size` bytes, which the caller frees with memory_free. Ends all ranks if memory
 * is missing. */
void *job_need(size_t size);
/* Runs a pass and sets *stats. *complete becomes whether everything was scanned. Returns the run's status, after a
 * message if it is a failure. Ends all ranks if a driver's call has not returned. */
enum status job_run(const struct job *w, const struct pass *pass, struct stats *stats, bool *complete) MUST_CHECK;
/* Returns a copy of a plan for a pass that writes nothing: without seeds, initial results and whole lines. lanes: room
 * for plan->lane_count lanes. The copy borrows from `plan` and from `lanes`; it is not freed. */
struct plan job_silent_plan(const struct plan *plan, struct plan_lane *lanes);
/* Runs a pass. Returns whether everything was scanned, even if the data had errors that do not stop a scan. False: a
 * failure, after a message if one is known. */
bool job_complete(const struct job *w, const struct pass *pass);
/* Returns a rank's slice. w->begins must be set, also for job_neighbour and job_owner. */
struct share job_share(const struct job *w, int rank);
/* Returns the nearest rank after (step 1) or before (step -1) this one that is not idle. -1: no such rank. */
int job_neighbour(const struct job *w, int step);
/* Whether the output is a single total, which the rank with the last slice writes. (Each segment has a total of its
 * own.) */
bool job_has_one_total(const struct job *w);
/* Returns the rank that creates the output: for a single total the rank with the last slice, otherwise rank 0. */
int job_owner(const struct job *w);

/* Sets `end` to the place (scanner/scan_part.h) at the end of slice *s. begin: the place at its beginning. counted: the
 * place that a pass over the slice reaches if it counts from 0. `end` and `begin` may be one array. */
void job_end_slice(const struct job *w, const struct share *s, const uint64_t *counted, const uint64_t *begin,
		   uint64_t *end);
/* Sets w->begin and w->end from what all ranks have counted of their slices. Every rank must call it, once. Before the
 * call w->begin must be the stream's beginning: all its counts are 0. counted: this rank's counts, as for
 * job_end_slice. Ends all ranks if memory is missing. */
void job_find_places(struct job *w, const uint64_t *counted);

/* totals.c. For scans without segments. Gathers the totals of the slice's tiles into w->totals, but not if the slice is
 * the last one or idle. If w->is_counted, all ranks must call it, also idle ones, because it first sets w->begin and
 * w->end from the counts of all ranks. False: this rank's slice could not be scanned. (Other ranks may have
 * succeeded.) */
bool totals_gather(struct job *w);
/* Continues the scan in w->came (empty: begins it) over the slice by means of its totals, and appends the packed scan
 * at the slice's end to *next, which must be empty. Call it after totals_gather has returned true, but not for the last
 * slice. False: a failure, after a message if one is known; *next is then of no use. */
bool totals_carry_on(const struct job *w, struct pack *next);

/* segments.c. For scans with segments. Finds w->tail and w->head, and scans each of them as if nothing were before it;
 * w->head only if the slice is neither the last one nor idle. If w->is_counted, all ranks must call it, also idle ones.
 * Returns whether w->head.ahead can be used: it does not depend on what is before the slice, or it can be joined to
 * that. */
bool segments_gather(struct job *w);
/* Continues the scan in w->came, and the place w->begin, over w->tail to the slice's beginning. Does nothing if w->tail
 * is empty. False: a failure, after a message if one is known; w->came is then of no use. */
bool segments_carry_tail(struct job *w);
/* Continues the scan in w->came over w->head, packs it into *next, which must be empty, and sets w->end if
 * w->is_counted. ahead: the result of segments_gather. Call it after segments_carry_tail, but not for the last slice.
 * False: a failure, after a message if one is known; *next is then of no use. */
bool segments_carry_on(struct job *w, bool ahead, struct pack *next);

/* output.c. Opens w->sink: on the owner (job_owner) the output itself, on every other rank the file that this rank
 * writes its part to. A rank that writes nothing gets no sink (NULL). Every rank must call it. Returns one status for
 * all ranks, after a message if it is a failure; STATUS_USAGE if several ranks write and the output is not a regular
 * file. After a failure, too, the caller must close a w->sink that is not NULL (sink_close). */
enum status output_open(struct job *w) MUST_CHECK;
/* output.c. Completes and closes all parts of the output, and gives it its name if the `status` of each rank and all
 * parts are OK. Otherwise removes the temporary file. Every rank must call it. w->sink is of no use afterwards. Returns
 * one status for all ranks, after a message if it is a failure. */
enum status output_close(struct job *w, enum status status) MUST_CHECK;

#endif
