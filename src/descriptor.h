/* Names of files that mean a descriptor of the program. */
#ifndef PSCAN_DESCRIPTOR_H
#define PSCAN_DESCRIPTOR_H

/* The number of the descriptor that a path names (/dev/stdout, /dev/fd/3, /proc/self/fd/3), or -1. To open such a path
 * would begin its file anew. */
int descriptor_of_path(const char *path);

#endif
