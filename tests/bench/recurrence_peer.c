/* The recurrence y = a y + b of pairs a, b of f64 as one would write it by hand, to compare with: one loop on one
 * core, between read()s of 1 MiB and write()s of the results. Usage: recurrence_peer IN OUT. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_BYTES ((size_t)1 << 20)
#define PAIR_BYTES (2 * sizeof(double))

static bool write_all(int fd, const void *from, size_t size)
{
	const char *bytes = from;
	while (size > 0) {
		const ssize_t put = write(fd, bytes, size);
		if (put <= 0)
			return false;
		bytes += put;
		size -= (size_t)put;
	}
	return true;
}

/* The results of count pairs; y is the last one. */
static double scan(const double *pairs, size_t count, double y, double *results)
{
	for (size_t i = 0; i < count; i++) {
		y = pairs[2 * i] * y + pairs[2 * i + 1];
		results[i] = y;
	}
	return y;
}

static bool run(int in, int out)
{
	static double pairs[BUFFER_BYTES / sizeof(double)];
	static double results[BUFFER_BYTES / PAIR_BYTES];
	double y = 0;
	size_t kept = 0; /* bytes of a pair that is not whole yet */
	for (;;) {
		const ssize_t got = read(in, (char *)pairs + kept, BUFFER_BYTES - kept);
		if (got <= 0)
			return got == 0 && kept == 0;
		const size_t bytes = kept + (size_t)got;
		const size_t count = bytes / PAIR_BYTES;
		y = scan(pairs, count, y, results);
		if (!write_all(out, results, count * sizeof *results))
			return false;
		kept = bytes % PAIR_BYTES;
		memmove(pairs, (char *)pairs + count * PAIR_BYTES, kept);
	}
}

int main(int argc, char **argv)
{
	if (argc != 3) {
		(void)fputs("usage: recurrence_peer IN OUT\n", stderr);
		return 2;
	}
	const int in = open(argv[1], O_RDONLY);
	const int out = open(argv[2], O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (in < 0 || out < 0 || !run(in, out)) {
		perror("recurrence_peer");
		return 3;
	}
	return close(out) == 0 ? 0 : 3;
}
