/* --state: a scan that continues where another one ended. The file (io/state_file.h) holds two sections: what is known
 * before the scan (state_head.h), and the scan (stream/saved.h, scan/layouts.h). Each section begins with a text that
 * names the members after it and their types (base/layout.h). The text of the first section also has the pscan that
 * wrote the file, its grid, and the byte order:
 *
 *     pscan VERSION, grid NUMBER, least byte first: MEMBERS
 *
 * A file with another text is refused, because its layout or grid is another; only VERSION may differ. So any machine
 * can continue with a file, and no bytes are misread. */
#ifndef PSCAN_CLI_STATE_H
#define PSCAN_CLI_STATE_H

#include <stdbool.h>

#include "base/layout.h"
#include "base/pack.h"
#include "base/status.h"
#include "cli/args.h"
#include "stream/plan.h"
#include "stream/source.h"
#include "stream/stats.h"

struct state;

/* Opens the options' file, if one was named; else *state is NULL. The seed in the options becomes the one with which
 * the scan began. The caller ends the state with state_free. STATUS_USAGE after a message: the file is not a state,
 * damaged, newer, or in use. */
enum status state_open(struct options *o, struct state **state) MUST_CHECK;
void state_free(struct state *s);

/* Call this if the input is empty. If the scan to continue is of raw numbers or arrays, sets the options' types and
 * columns to its own, as far as they are not given. STATUS_SYSTEM after a message. */
enum status state_settle_empty(struct state *s, struct options *o) MUST_CHECK;
/* How many fields line 1 of the scan to continue had, or 0. */
uint64_t state_line_fields(const struct state *s);
/* Whether the inputs hold nothing new: they are regular files that were read in earlier runs. */
bool state_has_inputs(const struct state *s);
/* Whether all inputs are regular files. A run that is interrupted is then repeated as a whole. */
bool state_is_of_files(const struct state *s);
/* The name of the new file before it is renamed (borrowed), for the sandbox. */
const char *state_temporary(const struct state *s);

/* Compares the state with the plan, which must be complete. STATUS_USAGE after a message: the state belongs to a scan
 * with other options, or a line was read before it was complete. */
enum status state_begin(struct state *s, const struct options *o, const struct plan *plan) MUST_CHECK;
/* Then makes the source continue where earlier runs ended. STATUS_SYSTEM after a message. */
enum status state_begin_source(const struct state *s, struct source *source) MUST_CHECK;
/* The saved scan to continue, or NULL; and the buffer that receives the final state. */
const struct unpack *state_saved(const struct state *s);
struct pack *state_next(struct state *s);

/* Call this when the run is over, its output is complete and the source is at its end. Replaces the file by a new one
 * with the content of state_next. */
enum status state_keep(struct state *s, const struct stats *stats, const struct source *source) MUST_CHECK;

/* Saves the state of a run that has read nothing, after state_has_inputs: facts about the files may have changed. */
enum status state_keep_inputs(struct state *s) MUST_CHECK;

/* Appends a description of a file's content to *text. STATUS_USAGE after a message: it is not a state. */
enum status state_show(const char *path, struct bytes *text) MUST_CHECK;

#endif
