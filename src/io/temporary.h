/* Temporary files without a name. */
#ifndef PSCAN_IO_TEMPORARY_H
#define PSCAN_IO_TEMPORARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the directory of temporary files: TMPDIR, or /tmp if TMPDIR is not set or empty. */
const char *temporary_directory(void);
/* Opens a new file without a name in that directory, for reading and writing. It is gone when it is closed. Returns its
 * descriptor, or -1 with errno. Call it before the sandbox is entered. */
int temporary_open(void);
/* Writes `size` bytes at an offset of the file. False with errno. */
bool temporary_write(int fd, const void *data, size_t size, uint64_t offset);

#endif
