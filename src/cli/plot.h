/* --plot: the picture of a run's results. */
#ifndef PSCAN_CLI_PLOT_H
#define PSCAN_CLI_PLOT_H

#include "cli/args.h"
#include "stream/pipeline.h"

struct plot;

/* Prepares the picture of --plot: makes room for its curves and opens its file. Call it after plan_make and before the
 * scan. The plot borrows o->reports.plot_file. *plot becomes NULL without --plot, and after a failure; the other
 * functions here accept NULL and do nothing. The caller ends the plot with plot_close. STATUS_USAGE after a message if
 * there are too many curves, STATUS_SYSTEM after a message if memory is missing or the file cannot be made. */
enum status plot_open(const struct options *o, const struct plan *plan, struct plot **plot) MUST_CHECK;
/* Sets curves, key_curves and key_names of *parts, so that the pipeline sends results and the keys' names to the plot.
 * They are the plot's. */
void plot_set_parts(struct plot *p, struct pipeline_parts *parts);
/* Returns the name of the picture's temporary file (borrowed), for the sandbox. NULL: none. */
const char *plot_temporary(const struct plot *p);
/* complete: all results were written. Draws the picture if so; otherwise removes its temporary file. Frees the plot in
 * any case. Call it after the last result was written. STATUS_SYSTEM after a message if the picture could not be
 * written. */
enum status plot_close(struct plot *p, bool complete) MUST_CHECK;

#endif
