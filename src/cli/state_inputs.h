/* Which files a state knows, and how much of them was taken: a file by its device and inode, or else by what it
 * begins with, so that one that has grown goes on after what was taken, under whatever name it is now. */
#ifndef PSCAN_CLI_STATE_INPUTS_H
#define PSCAN_CLI_STATE_INPUTS_H

#include "base/memory.h"
#include "base/pack.h"
#include "base/status.h"
#include "cli/args.h"
#include "cli/state_head.h"
#include "stream/source.h"

struct state_inputs {
	struct bytes known; /* struct saved_input: of the runs before, their names borrowed */
	struct bytes files; /* struct source_file: of this run, one for each input */
	struct bytes seen; /* struct state_seen, in state_inputs.c: what each input is */
	bool are_regular; /* all of them */
	bool has_new; /* one has bytes that were not taken, or is not regular */
	bool has_taken; /* one has some that were */
	bool has_changed; /* one is not as it was seen last: it was cut, say, and nothing has been written since */
};

/* Reads the known ones. *u says whether they are such. STATUS_SYSTEM after a message. */
enum status state_inputs_read(struct state_inputs *s, struct unpack *u) MUST_CHECK;
/* Looks at the inputs of this run. STATUS_USAGE after a message: a compressed file that was taken has grown, or one
 * cannot know what one is; STATUS_SYSTEM: one cannot be read. */
enum status state_inputs_find(struct state_inputs *s, const struct options *o) MUST_CHECK;
/* Text is read: a line that was taken without its end goes on nowhere. STATUS_USAGE after a message. */
enum status state_inputs_check_lines(struct state_inputs *s, const struct options *o) MUST_CHECK;
/* Appends those that will be known, when the source is at its end; NULL: nothing was read. */
void state_inputs_save(const struct state_inputs *s, struct pack *p, const struct options *o,
		       const struct source *source);
/* Whether one that is known is an array. */
bool state_inputs_have_array(const struct state_inputs *s);
void state_inputs_free(struct state_inputs *s);

#endif
