/* --plot: the picture of a run's results. */
#ifndef PSCAN_CLI_PLOT_H
#define PSCAN_CLI_PLOT_H

#include "cli/args.h"
#include "stream/pipeline.h"

struct plot;

/* Prepares the picture that the options ask for, and opens its file, before anything is scanned: plan->plots. *plot is
 * NULL where none is asked for; all that follows does nothing then. Options and plan are borrowed. STATUS_USAGE (there
 * are more curves than can be told apart) and STATUS_SYSTEM after a message. */
enum status plot_open(const struct options *o, struct plan *plan, struct plot **plot) MUST_CHECK;
/* Where the results go, and the keys' names. */
void plot_take_part(struct plot *p, struct pipeline_parts *parts);
/* For the sandbox: what is to be renamed, or NULL. */
const char *plot_temporary(const struct plot *p);
/* Draws the picture if the results are complete, and frees it: whatever else stands on the terminal does already.
 * STATUS_SYSTEM after a message: there is none. */
enum status plot_close(struct plot *p, bool complete) MUST_CHECK;

#endif
