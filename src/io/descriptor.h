/* Names of files that mean a descriptor of the program. */
#ifndef PSCAN_IO_DESCRIPTOR_H
#define PSCAN_IO_DESCRIPTOR_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of the descriptor of this program that a path leads to (/dev/stdout, /dev/fd/3, /proc/self/fd/3, a link to
 * one of these), or -1. To open such a path would begin its file anew. */
int descriptor_of_path(const char *path);

/* What a path leads to by symbolic links, whether it exists or not, or where links come to a descriptor. False with
 * errno. */
bool descriptor_follow_links(char target[PATH_MAX], const char *path);

/* A path's part after its last slash. */
const char *descriptor_last_part(const char *path);
/* The directory that a path's file is in; and to open it, to be synced: *fd is -1 where nobody may read it. False with
 * errno. */
void descriptor_directory_of(const char *path, char directory[PATH_MAX]);
bool descriptor_open_directory_of(const char *path, int *fd);

/* Whether two paths lead to the same place, where a file may be or not. */
bool descriptor_same_place(const char *a, const char *b);

/* Makes a pipe larger, where we may: fewer switches between its two ends. */
void descriptor_widen_pipe(int fd);

/* Reads size bytes from offset on. Returns how many there were; fewer if the file ends there (*error is 0) or for that
 * error. Any thread. */
size_t descriptor_read_at(int fd, void *buffer, size_t size, uint64_t offset, int *error);

/* Waits until a file or a directory is on the disk. True if that is so, or if what it is on knows no such thing; else
 * errno is set. */
bool descriptor_sync(int fd);

#endif
