/* --state: a scan that begins where another one ended. The file (io/state_file.h) holds two sections: what stands
 * before the scan (state_head.h), and the scan (stream/saved.h, scan/layouts.h). Each begins with a text, the words
 * that say which members follow it and of what types they are (base/layout.h); those of the first say, too, which
 * pscan wrote the file, on which grid, and in which order of bytes:
 *
 *     pscan VERSION, grid NUMBER, least byte first: MEMBERS
 *
 * A file whose words are others, but for the version, is refused: another layout, another grid. So any machine goes
 * on with a file, and nobody takes bytes for what they are not. */
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

/* Takes the options' file, if one was named (else *state is NULL). From then on the seed is the one that the scan
 * began with. STATUS_USAGE after a message: it is no state, damaged, newer, or in use. */
enum status state_open(struct options *o, struct state **state) MUST_CHECK;
void state_free(struct state *s);

/* The input is empty. Where the scan that is gone on from is of raw numbers, or of arrays, it is of the same types and
 * columns, as far as the options do not say. STATUS_SYSTEM after a message. */
enum status state_settle_empty(struct state *s, struct options *o) MUST_CHECK;
/* Fields of line 1 of what it goes on from, or 0. */
uint64_t state_line_fields(const struct state *s);
/* Whether nothing of the inputs is new: regular files that were taken already. */
bool state_has_inputs(const struct state *s);
/* Whether all inputs are regular files: what is interrupted there is done again as a whole. */
bool state_is_of_files(const struct state *s);
/* For the sandbox: what is to be renamed. */
const char *state_temporary(const struct state *s);

/* The plan is made. STATUS_USAGE after a message: the file is of another scan, or a line was taken before it was
 * complete. */
enum status state_begin(struct state *s, const struct options *o, const struct plan *plan) MUST_CHECK;
/* Then the source goes on where the runs before ended. STATUS_SYSTEM after a message. */
enum status state_begin_source(const struct state *s, struct source *source) MUST_CHECK;
/* What the scan goes on from, or NULL; and where what it comes to goes. */
const struct unpack *state_saved(const struct state *s);
struct pack *state_next(struct state *s);

/* The run is over, its output complete, and the source at its end: the file is what state_next has. */
enum status state_keep(struct state *s, const struct stats *stats, const struct source *source) MUST_CHECK;

/* Saves the state of a run that has read nothing, after state_has_inputs: what is known of the files may have
 * changed. */
enum status state_keep_inputs(struct state *s) MUST_CHECK;

/* What a file holds, as text. STATUS_USAGE after a message: it is no state. */
enum status state_show(const char *path, struct bytes *text) MUST_CHECK;

#endif
