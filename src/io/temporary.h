/* Temporary files without a name. */
#ifndef PSCAN_IO_TEMPORARY_H
#define PSCAN_IO_TEMPORARY_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Returns the directory of temporary files: TMPDIR, or /tmp if TMPDIR is not set or empty. */
const char *temporary_directory(void);
/* Opens a new file without a name in a directory, for reading and writing. It is gone when it is closed. Returns its
 * descriptor, or -1 with errno. Call it before the sandbox is entered. */
int temporary_open_in(const char *directory);
/* temporary_open_in for temporary_directory. */
int temporary_open(void);
/* Prints that a temporary file in temporary_directory failed, and why: `error`, an errno. Returns STATUS_SYSTEM. */
enum status temporary_failed(int error);

/* A temporary file to which bytes are appended. */
struct temporary {
	int fd; /* Owned. -1: there is no file. */
	int error; /* Why there is no file (errno). temporary_append reports it; temporary_read does not. */
	uint64_t size; /* Bytes that temporary_append wrote. No others count. */
};

/* Opens the file. If that fails, there is no file, and nothing is printed. The caller closes the file with
 * temporary_end. Call it before the sandbox is entered. */
void temporary_begin(struct temporary *t);
/* Closes the file, if there is one. Call it once. */
void temporary_end(struct temporary *t);
/* Appends `size` bytes. STATUS_SYSTEM after a message if there is no file or writing fails. */
enum status temporary_append(struct temporary *t, const void *data, size_t size) MUST_CHECK;
/* Reads `size` bytes from an offset on. There must be a file. STATUS_SYSTEM after a message. */
enum status temporary_read(const struct temporary *t, void *data, size_t size, uint64_t offset) MUST_CHECK;

#endif
