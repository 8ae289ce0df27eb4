/* What -v prints about a plan: the facts that the options left open, as they were found out. */
#ifndef PSCAN_CLI_TELL_PLAN_H
#define PSCAN_CLI_TELL_PLAN_H

struct options;
struct plan;
struct plan_input;

/* Prints the format, the delimiter, the header and the types. compression: the name of the input's compressed format,
 * or NULL. Prints nothing without -v. */
void tell_plan(const struct plan *plan, const struct options *options, const struct plan_input *input,
	       const char *compression);

#endif
