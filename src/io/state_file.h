/* The file that --state names: read at the start, written anew at the end. Around what others put into it there is
 *
 *     8 bytes   "pscan-st"
 *     u32       STATE_FILE_VERSION
 *     u64       how many bytes follow before the checksum
 *     ...
 *     u32       CRC-32 (gzip's) of all that stands before it
 *
 * all numbers least byte first. While a run has the file, .NAME.pscan-state lies beside it, locked: what will be the
 * new file. (Of a name that is too long for that NAME is a hash.) It is this user's, and no other user may open it
 * before it gets its name. A run that was killed leaves it, for the next one to take; what is not this user's is
 * refused. */
#ifndef PSCAN_IO_STATE_FILE_H
#define PSCAN_IO_STATE_FILE_H

#include <stdbool.h>

#include "base/pack.h"
#include "base/status.h"

#define STATE_FILE_VERSION 3

struct state_file;

/* Takes the file for this run and reads it. STATUS_USAGE after a message: it is damaged, newer, no such thing, or
 * another run has it; STATUS_SYSTEM: it could not be read, nor could one be made beside it. Nothing was changed
 * then. */
enum status state_file_open(const char *path, struct state_file **file) MUST_CHECK;
/* The same to look at it alone: it is not taken. It must be there. */
enum status state_file_read(const char *path, struct state_file **file) MUST_CHECK;

/* What was in it. False: there was no file. */
bool state_file_content(const struct state_file *f, struct unpack *content);
/* For the sandbox: what is to be renamed. */
const char *state_file_temporary(const struct state_file *f);
/* Where what will be in it goes; begun already. */
struct pack *state_file_next(struct state_file *f);
/* What is there becomes the file: it is on the disk when this returns. STATUS_SYSTEM after a message: the file is
 * what it was. */
enum status state_file_commit(struct state_file *f) MUST_CHECK;
/* Gives it back. NULL is allowed. */
void state_file_free(struct state_file *f);

#endif
