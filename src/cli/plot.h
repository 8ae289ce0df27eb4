/* --plot: the picture of a run's results. */
#ifndef PSCAN_CLI_PLOT_H
#define PSCAN_CLI_PLOT_H

#include "cli/args.h"
#include "stream/pipeline.h"

struct plot;

/* Prepares the picture that the options ask for, before anything is scanned: sets plan->plots and opens the picture's
 * file. *plot is NULL if the options ask for none; the functions below then do nothing. Options and plan are borrowed.
 * STATUS_USAGE (there are more curves than can be told apart) or STATUS_SYSTEM after a message. */
enum status plot_open(const struct options *o, struct plan *plan, struct plot **plot) MUST_CHECK;
/* Makes the pipeline send results and the keys' names to the picture. */
void plot_take_part(struct plot *p, struct pipeline_parts *parts);
/* The name of the picture's file before it is renamed (borrowed), or NULL; for the sandbox. */
const char *plot_temporary(const struct plot *p);
/* Draws the picture if the results are complete, and frees it. Call it after everything else was written to the
 * terminal. STATUS_SYSTEM after a message: there is no picture. */
enum status plot_close(struct plot *p, bool complete) MUST_CHECK;

#endif
