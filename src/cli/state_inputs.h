/* The files that a state knows, and how much of them was read. A file is recognised by its device and inode, or else by
 * its first bytes. So a file that has grown continues after what was read, also under a new name. */
#ifndef PSCAN_CLI_STATE_INPUTS_H
#define PSCAN_CLI_STATE_INPUTS_H

#include "base/memory.h"
#include "base/pack.h"
#include "base/status.h"
#include "cli/args.h"
#include "cli/state_head.h"
#include "stream/source.h"

struct state_inputs {
	struct bytes known; /* struct saved_input: the files of earlier runs. Their names are borrowed */
	struct bytes files; /* struct source_file: one for each input of this run */
	struct bytes seen; /* struct state_seen (state_inputs.c): which file each input is */
	bool are_regular; /* all inputs are regular files */
	bool has_new; /* an input has bytes that were not read before, or is not regular */
	bool has_taken; /* an input has bytes that were read before */
	bool has_changed; /* an input is not as it was when last seen: for example, it was cut */
};

/* Reads the known files. u->failed becomes true if the bytes are not such files. STATUS_SYSTEM after a message. */
enum status state_inputs_read(struct state_inputs *s, struct unpack *u) MUST_CHECK;
/* Looks at the inputs of this run. STATUS_USAGE after a message: a compressed file that was read has grown, or a file
 * cannot be identified. STATUS_SYSTEM after a message: a file cannot be read. */
enum status state_inputs_find(struct state_inputs *s, const struct options *o) MUST_CHECK;
/* For text: refuses a file that continues a line which was read without its newline. STATUS_USAGE after a message. */
enum status state_inputs_check_lines(struct state_inputs *s, const struct options *o) MUST_CHECK;
/* Appends the files that the next run will know. Call it when the source is at its end. source NULL: nothing was
 * read. */
void state_inputs_save(const struct state_inputs *s, struct pack *p, const struct options *o,
		       const struct source *source);
/* Whether a known file is an array. */
bool state_inputs_have_array(const struct state_inputs *s);
void state_inputs_free(struct state_inputs *s);

#endif
