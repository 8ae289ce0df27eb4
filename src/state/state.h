/* --state: a run that continues the scan of an earlier run. The file (io/state_file.h) holds two sections: the head
 * (head.h), and the scan (scanner/saved_layout.h, scan/layouts.h). Each section begins with its description in
 * words: the members that follow, and their types (base/layout.h). The first description begins with
 *
 *     pscan VERSION, grid NUMBER, least byte first: MEMBERS
 *
 * VERSION is the pscan that wrote the file. A file is refused if a description differs from this program's own in
 * anything but VERSION, because its layout or its grid is then another. So no bytes are misread, and every machine can
 * read the files of any other. */
#ifndef PSCAN_STATE_STATE_H
#define PSCAN_STATE_STATE_H

#include <stdbool.h>

#include "base/status.h"
#include "cli/args.h"
#include "cli/make_plan.h"
#include "stream/pipeline.h"

struct state;

/* Opens and locks the file of --state, which need not exist, and identifies the inputs (inputs.h). Without --state,
 * *state becomes NULL. The other functions here accept this NULL and then do nothing, except state_keep_inputs, which
 * does not accept it. Sets o->state.goes_on and knows_header. If the file exists, o->scan.seed becomes the seed with
 * which the saved scan began. The state borrows *o. The caller ends it with state_free. STATUS_USAGE after a message in
 * three cases: the file is not a state, is damaged, newer, from another grid or layout, or in use; an input is in doubt
 * or has changed (state_inputs_find); --alike is given without --state. STATUS_SYSTEM after a message if a file cannot
 * be read or made, or memory is missing. */
enum status state_open(struct options *o, struct state **state) MUST_CHECK;
/* Unlocks the file and frees the state. */
void state_free(struct state *s);

/* Call this if the input is empty. If the saved scan is of raw numbers or arrays, completes the options from it: the
 * format, the type and the columns, where the user has not given them, and the axis. STATUS_SYSTEM after a message if
 * memory is missing. */
enum status state_settle_empty(struct state *s, struct options *o) MUST_CHECK;
/* Sets the members of *input that the saved scan knows: line_fields and texts. */
void state_tell(const struct state *s, struct plan_input *input);
/* Whether earlier runs have read everything, so that this run has nothing to read: all inputs are regular files, and
 * earlier runs have read all bytes of these files, at least one. Call it after state_begin. */
bool state_has_read_all(const struct state *s);
/* Whether all inputs are regular files, or there is no state. An interrupted run can then simply be repeated. */
bool state_is_of_files(const struct state *s);
/* Returns the name of the new state file before it is renamed (borrowed), for the sandbox. */
const char *state_temporary(const struct state *s);

/* Compares the options of the saved scan with those of this run, and makes the source continue where earlier runs
 * ended. The plan must be complete. STATUS_USAGE after a message if the saved scan has other options, or if an input
 * continues a line that an earlier run read without its end. STATUS_SYSTEM after a message if an input cannot be read
 * or memory is missing. */
enum status state_begin(struct state *s, const struct options *o, const struct plan *plan,
			struct source *source) MUST_CHECK;
/* Makes the pipeline continue the saved scan. If there is no saved scan, or if earlier runs read too little to settle
 * how this input is read, the pipeline begins a new scan. Also gives the pipeline the pack that receives the scan's
 * final state. state_keep checks whether this pack has failed. Call it after state_begin. */
void state_set_parts(struct state *s, struct pipeline_parts *parts);

/* Replaces the state file by one with the scan that the pipeline has packed, and the counters and places of this run.
 * Call it when the run is over, its output is complete, and the source is at its end. STATUS_SYSTEM after a message;
 * the file is then unchanged, unless only the sync of its directory failed. */
enum status state_keep(struct state *s, const struct stats *stats, const struct source *source) MUST_CHECK;

/* Saves what has changed about the inputs, such as a name. The saved scan stays as it is. Does nothing if nothing has
 * changed. Call it after state_begin, in place of a scan, if state_has_read_all is true. s must not be NULL.
 * STATUS_SYSTEM after a message; the file is then unchanged, unless only the sync of its directory failed. */
enum status state_keep_inputs(struct state *s) MUST_CHECK;

/* Sets *text, which must be empty, to a description of the state file `path` (--show-state). The caller frees it. After
 * a message: STATUS_USAGE if it is not a state that this program can read, STATUS_SYSTEM if it cannot be read or memory
 * is missing; *text is then unchanged. */
enum status state_show(const char *path, struct bytes *text) MUST_CHECK;

#endif
