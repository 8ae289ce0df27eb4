/* Whether a regular file has changed is decided by its device, inode, size and time of modification. */
#include "io/input_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/message.h"
#include "io/descriptor.h"
#include "io/input_name.h"
#include "io/temporary.h"

const char input_changed_text[] = "the file changed while it was read twice";

enum status input_copies_new(char *const *names, size_t count, struct input_copies **copies)
{
	struct input_copies *c = memory_new(sizeof *c + count * sizeof c->inputs[0]);
	if (c == NULL)
		return STATUS_SYSTEM;
	*c = (struct input_copies){.names = names, .count = count};
	for (size_t i = 0; i < count; i++)
		c->inputs[i] = (struct input_copy){.fd = -1};
	for (size_t i = 0; i < count; i++) {
		struct stat st;
		/* (Reading reports what is wrong with a file that is not there, or is a directory.) */
		if (!input_stat(names[i], &st)) {
			c->inputs[i].error = errno;
			continue;
		}
		if (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))
			continue;
		c->inputs[i].fd = temporary_open();
		if (c->inputs[i].fd < 0) {
			message_error("%s: cannot create a temporary file: %s (see TMPDIR)",
				      message_shown(temporary_directory()), strerror(errno));
			input_copies_free(c);
			return STATUS_SYSTEM;
		}
	}
	*copies = c;
	return STATUS_OK;
}

void input_copies_free(struct input_copies *copies)
{
	for (size_t i = 0; copies != NULL && i < copies->count; i++) {
		if (copies->inputs[i].fd >= 0)
			(void)close(copies->inputs[i].fd);
	}
	memory_free(copies);
}

enum status input_copy_begin(struct input_copy *copy, int fd, const struct stat *st, struct problem *problem)
{
	const bool needs_copy = !S_ISREG(st->st_mode) && !S_ISDIR(st->st_mode);
	if (needs_copy != (copy->fd >= 0))
		return problem_set(problem, STATUS_SYSTEM, "%s",
				   copy->error != 0 ? strerror(copy->error) : input_changed_text);
	if (needs_copy)
		return STATUS_OK;
	const off_t at = fd == STDIN_FILENO ? lseek(fd, 0, SEEK_CUR) : 0;
	*copy = (struct input_copy){.fd = -1, .is_known = true, .seen = *st, .begin = at > 0 ? at : 0};
	return STATUS_OK;
}

enum status input_copy_add(struct input_copy *copy, const void *data, size_t size, struct problem *problem)
{
	if (copy->fd < 0)
		return STATUS_OK;
	if (!descriptor_write(copy->fd, data, size, copy->size))
		return problem_set(problem, STATUS_SYSTEM, "its temporary copy in %s: %s",
				   message_shown(temporary_directory()), strerror(errno));
	copy->size += size;
	return STATUS_OK;
}

int input_copy_open(const struct input_copy *copy, const char *name)
{
	const int fd = copy->fd >= 0 ? fcntl(copy->fd, F_DUPFD_CLOEXEC, 3) : input_open_descriptor(name);
	const bool is_standard = fd == STDIN_FILENO && strcmp(name, "-") == 0;
	if (fd < 0 || (copy->fd < 0 && !is_standard) || lseek(fd, copy->begin, SEEK_SET) >= 0)
		return fd;
	if (!is_standard)
		(void)close(fd);
	return -1;
}

bool input_copy_is_same(const struct input_copy *copy, const struct stat *st)
{
	const struct stat *seen = &copy->seen;
	return !copy->is_known ||
	       (st->st_dev == seen->st_dev && st->st_ino == seen->st_ino && st->st_size == seen->st_size &&
		st->st_mtim.tv_sec == seen->st_mtim.tv_sec && st->st_mtim.tv_nsec == seen->st_mtim.tv_nsec);
}

enum status input_copies_check(const struct input_copies *copies)
{
	for (size_t i = 0; i < copies->count; i++) {
		struct stat st;
		if (!copies->inputs[i].is_known)
			continue;
		const bool is_there = input_stat(copies->names[i], &st);
		const int error = errno;
		if (!is_there || !input_copy_is_same(&copies->inputs[i], &st))
			return message_fail("%s: %s", message_shown(input_label(copies->names[i])),
					    is_there ? input_changed_text : strerror(error));
	}
	return STATUS_OK;
}
