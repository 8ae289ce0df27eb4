/* The bytes of an input as its descriptor gives them. */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "io/input_private.h"

/* Read at once, so that a stop is seen in between. */
#define READ_SIZE_MAX ((size_t)64 << 20)

enum status input_fail_for_memory(struct problem *problem)
{
	return problem_set(problem, STATUS_SYSTEM, "%s", "");
}

enum status input_read_raw(struct input *in, unsigned char *buffer, size_t size, size_t *got, struct problem *problem)
{
	*got = 0;
	/* (A terminal would go on after its end.) */
	if (!in->regular && in->raw_ended)
		return STATUS_OK;
	for (;;) {
		if (!in->regular) {
			struct pollfd p[] = {{.fd = in->fd, .events = POLLIN}, {.fd = in->stop_fd, .events = POLLIN}};
			if (poll(p, 2, -1) < 0 && errno != EINTR)
				return problem_set(problem, STATUS_SYSTEM, "%s", strerror(errno));
			if (p[1].revents != 0) {
				in->stopped = true;
				return STATUS_OK;
			}
			if (p[0].revents == 0)
				continue;
		}
		const ssize_t n = read(in->fd, buffer, size < READ_SIZE_MAX ? size : READ_SIZE_MAX);
		if (n >= 0) {
			*got = (size_t)n;
			in->raw_ended = n == 0;
			return in->copy != NULL && n > 0 ? input_copy_add(in->copy, buffer, *got, problem) : STATUS_OK;
		}
		if (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK)
			return problem_set(problem, STATUS_SYSTEM, "%s", strerror(errno));
	}
}

enum status input_fill_raw(struct input *in, size_t size, struct problem *problem)
{
	memmove(in->raw, in->raw + in->raw_next, in->raw_end - in->raw_next);
	in->raw_end -= in->raw_next;
	in->raw_next = 0;
	while (in->raw_end < size && !in->raw_ended && !in->stopped) {
		size_t got;
		TRY(input_read_raw(in, in->raw + in->raw_end, RAW_SIZE - in->raw_end, &got, problem));
		in->raw_end += got;
	}
	return STATUS_OK;
}
