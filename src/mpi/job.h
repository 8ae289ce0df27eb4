/* One rank's view of a scan, shared by the files of mpi/. scan.c describes the steps. */
#ifndef PSCAN_MPI_JOB_H
#define PSCAN_MPI_JOB_H

#include <limits.h>

#include "base/pack.h"
#include "cli/args.h"
#include "mpi/share.h"
#include "stream/pipeline.h"

/* What a rank scans as if nothing were before it: so all that is before other slices is scanned once. */
struct piece {
	uint64_t first, end; /* Records (text: bytes). */
	struct pack ahead; /* The packed scan at its end. Owned. */
	bool is_scanned; /* There is one. */
	uint64_t *counted; /* The `counted` of job_end_slice. Owned. */
};

struct job {
	const struct options *o;
	size_t threads;
	struct plan plan;
	struct share_inputs inputs;
	/* Where each rank's slice and the slice's second part begin, followed by the end of the last slice. Owned. */
	uint64_t *begins;
	bool is_counted; /* share_is_counted */
	struct share share; /* This rank's slice. */
	struct sink *sink; /* Owned. Takes this rank's results. NULL: the rank writes none. */
	bool is_scratch; /* The sink is a file without a name. Its bytes are copied to `temporary` in the end. */
	char temporary[PATH_MAX]; /* The output's temporary file, which the owner has created. "": there is none. */
	struct tile_totals totals; /* The totals of the slice's tiles. Its arrays for each lane are owned, too. */
	struct piece tail,
		head; /* For segments: the second part of the slice before, and the first part of this one. */
	struct bytes came; /* The packed scan at the slice's beginning. Owned. Empty: no slice is before this one. */
	/* The places (scanner/scan_part.h) of the slice's beginning and end, if is_counted. Owned. */
	uint64_t *begin, *end;
	struct stats stats; /* Of the last pass. */
	enum status flaw; /* A failure that did not stop the scan: all results were written. */
};

/* One pass over a part of the slice. */
struct pass {
	const struct plan *plan;
	uint64_t first, count; /* Records (text: bytes). A count of UINT64_MAX: to the end of the input. */
	struct sink *sink; /* Takes the results. NULL: the pass writes none. */
	struct scan_part part; /* job_run sets `saved`. */
	bool goes_on; /* The pass continues the scan in job.came. */
};

/* job.c. Returns new zeroed memory of `size` bytes. Ends all ranks if memory is missing. */
void *job_need(size_t size);
/* Runs a pass. *complete becomes whether everything was scanned. Returns the run's status, after a message. */
enum status job_run(const struct job *w, const struct pass *pass, struct stats *stats, bool *complete) MUST_CHECK;
/* Returns the plan of a pass that writes nothing, without seeds. lanes: room for its lanes, borrowed by the plan. */
struct plan job_silent_plan(const struct plan *plan, struct plan_lane *lanes);
/* Runs a pass. Returns whether everything was scanned, even if the data had errors that do not stop a scan. */
bool job_complete(const struct job *w, const struct pass *pass);
/* Returns a rank's slice. */
struct share job_share(const struct job *w, int rank);
/* Returns the nearest rank after (step 1) or before (step -1) this one that is not idle, or -1. */
int job_neighbour(const struct job *w, int step);
/* Whether the output is a single total, which the last rank writes. (Each segment has a total of its own.) */
bool job_has_one_total(const struct job *w);
/* Returns the rank that creates the output: for a single total the rank with the last slice, otherwise rank 0. */
int job_owner(const struct job *w);

/* Sets `end` to the place at the end of slice *s. It may be `begin`, the one at its beginning. counted: the place that
 * a pass over the slice has reached if nothing was before it. */
void job_end_slice(const struct job *w, const struct share *s, const uint64_t *counted, const uint64_t *begin,
		   uint64_t *end);
/* Sets w->begin and w->end from what all ranks have counted of their slices. Every rank must call it, once. Before the
 * call w->begin must be the stream's beginning: all its counts are 0. counted: this rank's counts, as for
 * job_end_slice. Ends all ranks if memory is missing. */
void job_find_places(struct job *w, const uint64_t *counted);

/* totals.c. Gathers the totals of the slice's tiles into w->totals, but not if the slice is the last one or idle. If
 * w->is_counted, all ranks must call it, also idle ones, because it first sets w->begin and w->end from the counts of
 * all ranks. False: this rank's slice could not be scanned. (Other ranks may have succeeded.) */
bool totals_gather(struct job *w);
/* Continues the scan in w->came (empty: begins it) over the slice by means of its totals, and appends the packed scan
 * at the slice's end to *next, which must be empty. Call it after totals_gather has returned true, but not for the last
 * slice. False: a failure, after a message if one is known; *next is then of no use. */
bool totals_carry_on(const struct job *w, struct pack *next);

/* segments.c. Finds w->tail and w->head, and scans them as if nothing were before them. Idle ranks must call it, too,
 * if the input is text. Returns whether w->head.ahead does not depend on what is before, or can be joined to it. */
bool segments_gather(struct job *w);
/* Continues the scan in w->came over w->tail, to the slice's beginning. False: a failure. */
bool segments_take_tail(struct job *w);
/* Packs the scan at the end of w->head into *next. ahead: the result of segments_gather. False: a failure. */
bool segments_carry_on(struct job *w, bool ahead, struct pack *next);

/* output.c. Opens w->sink: on the owner (job_owner) the output itself, on every other rank the file that this rank
 * writes its part to. A rank that writes nothing gets no sink (NULL). Every rank must call it. Returns one status for
 * all ranks, after a message if it is a failure; STATUS_USAGE if several ranks write and the output is not a regular
 * file. After a failure, too, the caller must close a w->sink that is not NULL (sink_close). */
enum status output_open(struct job *w) MUST_CHECK;
/* output.c. Completes and closes all parts of the output, and gives it its name if `status` and all parts are OK. Every
 * rank must call it. Returns one status for all ranks, after a message if it is a failure. */
enum status output_close(struct job *w, enum status status) MUST_CHECK;

#endif
