/* The names of inputs: files, and - for standard input. */
#ifndef PSCAN_IO_INPUT_NAME_H
#define PSCAN_IO_INPUT_NAME_H

#include <stdbool.h>
#include <sys/stat.h>

/* Returns the name that messages show for the input `name`: for "-" a phrase, otherwise `name`. The caller must escape
 * it (message_name). */
const char *input_label(const char *name);
/* Opens the file `name` for reading, without waiting for a FIFO's writer, and returns its descriptor, which has
 * O_NONBLOCK set. For "-" returns STDIN_FILENO as it is. Returns -1 with errno if the file cannot be opened. The caller
 * closes the descriptor, unless it is STDIN_FILENO. */
int input_open_descriptor(const char *name);
/* Sets *st to what stat returns for the input `name`, or fstat for "-". Returns false with errno if that fails. May be
 * called by a signal handler. */
bool input_stat(const char *name, struct stat *st);

#endif
