/* --plot: the picture of a run's results. */
#ifndef PSCAN_CLI_PLOT_H
#define PSCAN_CLI_PLOT_H

#include "cli/args.h"
#include "stream/pipeline.h"

struct plot;

/* Prepares the picture of --plot: sets plan->plots and opens the picture's file. Call it before the scan. Options and
 * plan are borrowed. *plot becomes NULL without --plot; the other functions here accept NULL and do nothing. The caller
 * ends the plot with plot_close. STATUS_USAGE after a message if there are too many curves, STATUS_SYSTEM after a
 * message if memory or the file is missing. */
enum status plot_open(const struct options *o, struct plan *plan, struct plot **plot) MUST_CHECK;
/* Makes the pipeline send results and the keys' names to the picture. */
void plot_take_part(struct plot *p, struct pipeline_parts *parts);
/* Returns the name of the picture's temporary file (borrowed), for the sandbox. NULL: none. */
const char *plot_temporary(const struct plot *p);
/* Draws the picture if `complete` (the results are complete), and frees the plot in any case. Call it after everything
 * else was written to the terminal. STATUS_SYSTEM after a message if the picture could not be written. */
enum status plot_close(struct plot *p, bool complete) MUST_CHECK;

#endif
