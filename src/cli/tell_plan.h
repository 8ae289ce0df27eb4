/* What -v says of a plan: what the options left open, as it was found. */
#ifndef PSCAN_CLI_TELL_PLAN_H
#define PSCAN_CLI_TELL_PLAN_H

struct options;
struct plan;
struct plan_input;

/* Says the format, the delimiter, the header and the types. compression: the input's, or NULL. */
void tell_plan(const struct plan *plan, const struct options *options, const struct plan_input *input,
	       const char *compression);

#endif
