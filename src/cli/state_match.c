/* A known file *fits* if a file begins with the bytes that were taken of it, as far as their number and the hashes of
 * the first and last 4 KiB tell. "Its own": the one with the file's inode that fits with most bytes. "Another": the one
 * with another inode that does.
 *
 *   own fits   another fits             the file                                       is taken to be
 *   --------   ----------------------   --------------------------------------------   -----------------------------
 *   yes        no, or with fewer bytes  was renamed, has grown, or is as it was        its own
 *   no         no                       was cut and written anew, or is new            a new one
 *   no         yes                      was moved, or copied before the other one was  the other
 *                                       cut (copytruncate), or is copied
 *   no         yes, and is there,       is a copy to which somebody appended, or a     refused (but after a header alone
 *              without more bytes       new log that began as the other did            it goes on: that is no record)
 *   yes        yes, and the file has    was overwritten by a copy (cp log log.1)       the other: all of it was taken
 *              no bytes more
 *   yes        yes, and is there,       began as the other did, and has grown: its     its own
 *              without more bytes       new bytes are no copy
 *   yes        yes, otherwise           one of the last two: nobody knows              refused
 *
 * A file that goes on after another one's bytes makes both known up to where it ends (state_inputs_save), so if the
 * other has the same bytes they do not count again. */
#include "cli/state_match.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "io/input.h"
#include "stream/source.h"

static bool is_standard(const char *name)
{
	return strcmp(name, "-") == 0;
}

const char *state_match_name(char shown[], const char *name)
{
	return is_standard(name) ? "standard input" : message_name(shown, name);
}

enum status state_match_fail(const char *name, int error)
{
	char shown[MESSAGE_NAME_SIZE];
	message_error("%s: %s", state_match_name(shown, name), error != 0 ? strerror(error) : input_shrunk_text);
	return STATUS_SYSTEM;
}

bool state_match_inode(const struct saved_input *known, const struct stat *st)
{
	return known->device == (uint64_t)st->st_dev && known->inode == (uint64_t)st->st_ino;
}

/* Whether a file begins with what was taken of a known one; *error: it cannot be read. */
static bool fits(const struct saved_input *known, int fd, const struct stat *st, int *error)
{
	uint64_t first;
	uint64_t last;
	*error = 0;
	return (uint64_t)st->st_size >= known->taken && source_hash_ends(fd, known->taken, &first, &last, error) &&
	       first == known->first && last == known->last;
}

/* The known file that fits with most bytes: of those with the file's inode, or of the others. */
static enum status find(const struct state_known *known, bool own, const char *name, int fd, const struct stat *st,
			size_t *found)
{
	*found = SIZE_MAX;
	for (size_t i = 0; i < known->count; i++) {
		const struct saved_input *k = &known->files[i];
		const bool is_less = *found != SIZE_MAX && k->taken <= known->files[*found].taken;
		int error = 0;
		if (state_match_inode(k, st) == own && !is_less && fits(k, fd, st, &error))
			*found = i;
		if (error != 0)
			return state_match_fail(name, error);
	}
	return STATUS_OK;
}

/* How many bytes a known file has now, where it is found by one of the inputs' names or by its own; 0: it is not, or has
 * other bytes than those that were taken. */
static uint64_t present_size(const struct saved_input *known, const struct options *o)
{
	char own_name[PATH_MAX];
	uint64_t size = 0;
	(void)snprintf(own_name, sizeof own_name, "%.*s", (int)(known->name.size < PATH_MAX ? known->name.size : 0),
		       (const char *)known->name.data);
	for (size_t i = 0; i <= o->file_count && size == 0; i++) {
		const char *name = i < o->file_count ? o->files[i] : own_name;
		struct stat st;
		int error;
		if (is_standard(name) || stat(name, &st) != 0 || !S_ISREG(st.st_mode) || !state_match_inode(known, &st))
			continue;
		const int fd = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
		if (fd >= 0 && fits(known, fd, &st, &error))
			size = (uint64_t)st.st_size;
		if (fd >= 0)
			(void)close(fd);
	}
	return size;
}

uint64_t state_match_header(const struct options *o)
{
	return o->finds_header || o->no_header ? 0 : o->text.header_lines;
}

/* Whether what was taken is a header alone. */
static bool is_header(const struct saved_input *known, const struct options *o, const char *name)
{
	return known->taken <= INPUT_BLOCK_SIZE && source_count_lines(name, known->taken) <= state_match_header(o);
}

static enum status refuse(const struct saved_input *known, const char *name)
{
	char shown[MESSAGE_NAME_SIZE];
	char quoted[MESSAGE_QUOTED_SIZE];
	message_error("%s: it begins with the %" PRIu64
		      " bytes that were taken of %s: a copy, or a log that began alike? "
		      "(leave it out, or read all of it, or what is after byte %" PRIu64 ", through a pipe)",
		      state_match_name(shown, name), known->taken,
		      message_quote(quoted, known->name.data, known->name.size), known->taken);
	return STATUS_USAGE;
}

enum status state_match(const struct state_known *known, const struct options *o, const char *name, int fd,
			const struct stat *st, size_t *found)
{
	size_t own;
	size_t other;
	if (find(known, true, name, fd, st, &own) != STATUS_OK || find(known, false, name, fd, st, &other) != STATUS_OK)
		return STATUS_SYSTEM;
	*found = own;
	if (other == SIZE_MAX || (own != SIZE_MAX && known->files[own].taken >= known->files[other].taken))
		return STATUS_OK;
	*found = other;
	const struct saved_input *k = &known->files[other];
	if (k->taken == (uint64_t)st->st_size || k->whole != 0)
		return STATUS_OK;
	const bool is_other_over = present_size(k, o) == k->taken;
	if (own != SIZE_MAX && is_other_over)
		*found = own;
	else if (own != SIZE_MAX || (is_other_over && !is_header(k, o, name)))
		return refuse(k, name);
	return STATUS_OK;
}
