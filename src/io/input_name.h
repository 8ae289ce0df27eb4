/* The names of inputs: files, and - for standard input. */
#ifndef PSCAN_IO_INPUT_NAME_H
#define PSCAN_IO_INPUT_NAME_H

#include <stdbool.h>
#include <sys/stat.h>

/* Returns the name that messages show for the input `name`: for "-" a phrase, otherwise `name`. The caller must escape
 * it (message_name). */
const char *input_label(const char *name);
/* Opens the file `name` for reading, without waiting for a FIFO's writer, and returns its descriptor. For "-" returns
 * STDIN_FILENO. Returns -1 with errno if it cannot be opened. The caller closes a descriptor other than
 * STDIN_FILENO. */
int input_open_descriptor(const char *name);
/* Sets *st to what stat returns for the input `name`, or fstat for "-". Returns false with errno if it fails. May be
 * called by a signal handler. */
bool input_stat(const char *name, struct stat *st);

#endif
