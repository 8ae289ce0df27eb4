/* The file of --state, which is read at the start of a run and replaced at its end. Its format is
 *
 *     8 bytes   "pscan-st"
 *     u32       STATE_FILE_VERSION
 *     u64       the number of bytes of the content
 *     ...       the content, which other modules define
 *     u32       CRC-32 (gzip's) of everything before it
 *
 * with the least significant byte of numbers first.
 *
 * While a run uses the file, a new file lies in its directory, locked, as .NAME.pscan-state. (If this is too long for a
 * file's name, NAME is replaced by a hash.) The new file belongs to this user, and no other user may open it before it
 * gets its final name. If a run is killed, the next run uses its new file. A new file of another user is refused. */
#ifndef PSCAN_IO_STATE_FILE_H
#define PSCAN_IO_STATE_FILE_H

#include <stdbool.h>

#include "base/pack.h"
#include "base/status.h"

#define STATE_FILE_VERSION 4

struct state_file;

/* Reads the file. takes: also makes and locks the new file, and the file need not exist. The caller ends *file with
 * state_file_free. STATUS_USAGE after a message if the file is damaged, not a state, of another version, in use by
 * another run, or possibly planted by another user, or if another user's new file is in the way. STATUS_SYSTEM after a
 * message if the file cannot be read, the new file cannot be made, or memory is missing. After a failure *file and the
 * file of --state are unchanged. */
enum status state_file_open(const char *path, bool takes, struct state_file **file) MUST_CHECK;

/* Sets *content to the file's content (borrowed). Returns false and makes *content empty if the file did not exist when
 * it was opened. */
bool state_file_content(const struct state_file *f, struct unpack *content);
/* Returns the name of the new file before it is renamed (borrowed), for the sandbox. */
const char *state_file_temporary(const struct state_file *f);
/* Writes the new content (the bytes of `content` and then those of `more`) to the new file, syncs it, and replaces the
 * file by it. The file must be opened with `takes`. Call it once. STATUS_SYSTEM after a message; the file is then
 * unchanged, unless only the sync of its directory failed. */
enum status state_file_commit(struct state_file *f, const struct bytes *content, const struct bytes *more) MUST_CHECK;
/* Unlocks and frees the file. Removes the new file, unless state_file_commit has renamed it. f may be NULL. */
void state_file_free(struct state_file *f);

#endif
