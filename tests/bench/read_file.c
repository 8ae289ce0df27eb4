/*
 * read_file FILE: reads FILE from beginning to end with read()s of 1 MiB on one thread and does nothing with the bytes.
 *
 * The benchmarks' measure of how fast a file's bytes can be had at all.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { BUFFER_BYTES = 1 << 20 };

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: read_file FILE\n");
		return 2;
	}
	int status = 3;
	int fd = open(argv[1], O_RDONLY | O_CLOEXEC);
	char *buffer = malloc(BUFFER_BYTES);
	ssize_t got = -1;
	if (fd >= 0 && buffer) {
		do
			got = read(fd, buffer, BUFFER_BYTES);
		while (got > 0);
	}
	if (got == 0)
		status = 0;
	else
		perror(argv[1]);
	free(buffer);
	if (fd >= 0)
		close(fd);
	return status;
}
