/* Running products modulo 1000003 of u64 as one would write them by hand, to compare with: a loop on one core,
 * between read()s of 1 MiB and write()s of the results. Usage: modular_peer IN; results go to standard output. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_BYTES ((size_t)1 << 20)
#define MODULUS 1000003

static bool write_all(const void *from, size_t size)
{
	const char *bytes = from;
	while (size > 0) {
		const ssize_t put = write(STDOUT_FILENO, bytes, size);
		if (put <= 0)
			return false;
		bytes += put;
		size -= (size_t)put;
	}
	return true;
}

static bool run(int in)
{
	static uint64_t numbers[BUFFER_BYTES / sizeof(uint64_t)];
	uint64_t y = 0;
	bool has_before = false; /* the first result is the first number as it is */
	size_t kept = 0; /* bytes of a number that is not whole yet */
	for (;;) {
		const ssize_t got = read(in, (char *)numbers + kept, BUFFER_BYTES - kept);
		if (got <= 0)
			return got == 0 && kept == 0;
		const size_t bytes = kept + (size_t)got;
		const size_t count = bytes / sizeof *numbers;
		kept = bytes % sizeof *numbers;
		uint64_t next = 0;
		if (kept > 0)
			memcpy(&next, numbers + count, kept);
		for (size_t i = 0; i < count; i++) {
			y = has_before ? y * numbers[i] % MODULUS : numbers[i];
			has_before = true;
			numbers[i] = y;
		}
		if (!write_all(numbers, count * sizeof *numbers))
			return false;
		memcpy(numbers, &next, kept);
	}
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		(void)fputs("usage: modular_peer IN\n", stderr);
		return 2;
	}
	const int in = open(argv[1], O_RDONLY);
	if (in < 0 || !run(in)) {
		perror("modular_peer");
		return 3;
	}
	return 0;
}
