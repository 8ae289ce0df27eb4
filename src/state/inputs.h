/* The files that earlier runs have read, and how much of them. A file is recognised by its device and inode together
 * with its bytes, or by its bytes alone (match.c). So a file that has grown, also under a new name, is read only
 * from the first new byte on. */
#ifndef PSCAN_STATE_INPUTS_H
#define PSCAN_STATE_INPUTS_H

#include "base/memory.h"
#include "base/pack.h"
#include "base/status.h"
#include "cli/args.h"
#include "state/where.h"
#include "source/source.h"

struct state_inputs {
	struct state_known known; /* The files of earlier runs. Their names are borrowed. */
	struct bytes known_files; /* The memory of known.files. Owned. */
	struct bytes names; /* Array of char *: new names of known files, if these were compressed. Owned. */
	struct source_file *files; /* One for each input of this run. Owned. */
	struct state_seen *seen; /* For each input of this run: which file it is (inputs.c). Owned. */
	bool are_regular; /* All inputs are regular files. */
	bool has_new; /* An input has bytes that no earlier run has read, or is not regular. */
	bool has_taken; /* An input has bytes that an earlier run has read. */
	bool has_changed; /* An input is not as it was when it was last seen. For example, it was renamed or cut. */
};

/* Reads the known files from *u, whose bytes must outlive *s. *s must be all zero. The caller ends it with
 * state_inputs_free, after a failure, too. If the bytes are not such files, u->failed becomes true without a message
 * (STATUS_OK). STATUS_SYSTEM after a message if memory is missing. */
enum status state_inputs_read(struct state_inputs *s, struct unpack *u) MUST_CHECK;
/* Finds out which known file each input of this run is, and sets all other members of *s. Only regular files are
 * opened. STATUS_USAGE after a message if a file that was read as a whole has grown, if a compressed file has more than
 * the bytes of a known file, if it is in doubt which file an input is, or if two inputs may be copies of each other.
 * STATUS_SYSTEM after a message if a file cannot be read or memory is missing. Warns if a file is taken for a copy.
 * Warns of the first regular file if earlier runs have read bytes from pipes only: it may have the same lines. state:
 * the state's name for messages. bytes: the bytes that earlier runs have read. */
enum status state_inputs_find(struct state_inputs *s, const struct options *o, const char *state,
			      uint64_t bytes) MUST_CHECK;
/* For text, after state_inputs_find: checks each file whose last line an earlier run has read without its newline. If
 * the newline comes next in the file, it will be skipped (files[i].passed). If the line goes on: STATUS_USAGE after a
 * message. STATUS_SYSTEM after a message if a file cannot be read. */
enum status state_inputs_check_lines(struct state_inputs *s, const struct options *o) MUST_CHECK;
/* Appends the files that the next run will know: the inputs of this run, as far as they were read or seen without an
 * error, and those known files of earlier runs that no input of this run replaces, unless another entry has the same
 * bytes and the inode is used again. Call it when the source is at its end. source NULL: this run has read nothing.
 * Failures are recorded in p->failed. */
void state_inputs_save(const struct state_inputs *s, struct pack *p, const struct options *o,
		       const struct source *source);
/* Whether earlier runs have read no more than a header of an input of this run. input: its index among the names. */
bool state_inputs_is_new(const struct state_inputs *s, const struct options *o, size_t input);
/* Warns of each new file of this run that has the same bytes as an earlier new one, after inflating: these bytes count
 * twice. With --alike=new, does nothing. Call it when the source is at its end. */
void state_inputs_warn_of_twins(const struct state_inputs *s, const struct options *o, const struct source *source);
/* Whether a known file is an array (.npy). */
bool state_inputs_have_array(const struct state_inputs *s);
/* Frees everything that *s owns. */
void state_inputs_free(struct state_inputs *s);

#endif
