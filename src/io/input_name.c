/* Functions for names, without the state of an input, so that a signal handler can use them. */
#include "io/input_name.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

const char *input_label(const char *name)
{
	return strcmp(name, "-") == 0 ? "standard input" : name;
}

int input_open_descriptor(const char *name)
{
	return strcmp(name, "-") == 0 ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
}

bool input_stat(const char *name, struct stat *st)
{
	return (strcmp(name, "-") == 0 ? fstat(STDIN_FILENO, st) : stat(name, st)) == 0;
}
