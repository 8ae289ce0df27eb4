/* Paths that name a descriptor of this program, and other helpers for paths and descriptors. */
#ifndef PSCAN_IO_DESCRIPTOR_H
#define PSCAN_IO_DESCRIPTOR_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Returns the number of the descriptor of this program that a path names (/dev/stdout, /dev/fd/3, /proc/self/fd/3, or a
 * link to one of these), or -1. Such a path must not be opened, because that would start its file from the
 * beginning. */
int descriptor_of_path(const char *path);

/* Sets `target` to the path that symbolic links lead to. There need not be a file. Links to a descriptor of this
 * program are not followed further. False with errno if there are too many links or the path is too long; `target` is
 * then undefined. */
bool descriptor_follow_links(char target[PATH_MAX], const char *path);

/* Returns the part of a path after its last slash. */
const char *descriptor_last_part(const char *path);
/* Sets `directory` to the part of a path up to its last slash, or "." if it has none. */
void descriptor_directory_of(const char *path, char directory[PATH_MAX]);
/* Opens the directory part of a path, for descriptor_sync. The caller owns *fd; it is -1 if the directory may not be
 * read. False with errno after any other failure. */
bool descriptor_open_directory_of(const char *path, int *fd);

/* Whether two paths lead to the same name in the same directory when links are followed. There need not be a file.
 * False if a directory does not exist. */
bool descriptor_same_place(const char *a, const char *b);

/* Makes a pipe's buffer larger if the system allows it, so that its two ends switch less often. */
void descriptor_widen_pipe(int fd);

/* Reads `size` bytes of a file from `offset` on and returns how many there were. If there are fewer, *error is the
 * errno, or 0 at the file's end. Any thread. */
size_t descriptor_read_at(int fd, void *buffer, size_t size, uint64_t offset, int *error);

/* In place of an offset: bytes are written where the descriptor stands. */
#define DESCRIPTOR_PLACE UINT64_MAX
/* Writes all of `size` bytes at an offset. Returns false with errno if not all could be written. */
bool descriptor_write(int fd, const void *data, size_t size, uint64_t offset);
/* Returns the permissions of a new file: 0666 without the bits of the umask. No other thread may make files during the
 * call, because it changes the umask for a moment. */
mode_t descriptor_new_mode(void);
/* Waits until a file or directory is on the disk. Returns false with errno if this fails, but true if its file system
 * cannot sync. */
bool descriptor_sync(int fd);

#endif
