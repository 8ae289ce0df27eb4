/* Which fields are texts: all with -t text; without -t those whose value in the first record is not a number. Those
 * whose value there is a time (--accept=time) are texts for operators whose results are elements. */
#ifndef PSCAN_CLI_TEXTS_H
#define PSCAN_CLI_TEXTS_H

#include "base/pack.h"
#include "cli/make_plan.h"

struct options;

/* Whether -t is "text". */
bool texts_are_asked_for(const struct options *o);
/* Whether fields may be texts although -t does not say so: without -t and with operators of texts alone, where no
 * option is for numbers. */
bool texts_may_be_found(const struct options *o);
/* Whether results of fields of times may be texts, times as they were written. */
bool texts_may_be_times(const struct options *o);
/* Finds the lanes of texts and sets their is_text, text_kind and gives_text, and plan->has_texts. Call it before types
 * are chosen. STATUS_USAGE after a message if -t text does not fit the input or other options, STATUS_SYSTEM after a
 * message if memory is missing. */
enum status texts_choose(struct plan *plan, const struct options *o, const struct plan_input *input) MUST_CHECK;
/* Appends the line of a saved scan's options with the numbers, from 1, of the fields that are texts: "1,3t", field 3 of
 * times; "?": no record was read that would decide it. */
void texts_put_list(const struct plan *plan, struct pack *p);

#endif
