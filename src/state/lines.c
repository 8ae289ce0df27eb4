/* A last line that an earlier run has read without its end: whether a file goes on in it. */
#include <inttypes.h>

#include "base/message.h"
#include "state/inputs.h"
#include "io/descriptor.h"
#include "io/input.h"

/* A last line that was taken without its end is shown up to here. */
#define LINE_SHOWN 256

/* Says which line was taken without its end. */
static enum status refuse_line(const char *name, int fd, uint64_t end)
{
	unsigned char text[LINE_SHOWN];
	int error;
	const size_t wanted = end < sizeof text ? (size_t)end : sizeof text;
	const size_t size = descriptor_read_at(fd, text, wanted, end - wanted, &error);
	size_t begin = size;
	while (begin > 0 && text[begin - 1] != '\n')
		begin--;
	return message_refuse("%s: line %" PRIu64 " was read as %s before it was complete "
			      "(--whole-lines leaves such a line for later)",
			      message_shown(input_label(name)), source_count_lines(name, end) + 1,
			      message_quoted_part(text + begin, size - begin));
}

/* What ends the line of which the last byte was taken, if that is not its end, is passed over. */
static enum status check_line(const char *name, int fd, struct source_file *file)
{
	unsigned char last;
	unsigned char next[2] = {0};
	int error = 0;
	if (descriptor_read_at(fd, &last, 1, file->passed - 1, &error) < 1)
		return state_input_failed(name, error);
	if (last == '\n')
		return STATUS_OK;
	const size_t size = descriptor_read_at(fd, next, sizeof next, file->passed, &error);
	if (error != 0)
		return state_input_failed(name, error);
	if (size > 0 && next[0] == '\n')
		file->passed += 1;
	else if (size > 1 && next[0] == '\r' && next[1] == '\n')
		file->passed += 2;
	else if (size > 0)
		return refuse_line(name, fd, file->passed);
	return STATUS_OK;
}

enum status state_inputs_check_lines(struct state_inputs *s, const struct options *o)
{
	struct source_file *files = s->files;
	enum status status = STATUS_OK;
	for (size_t i = 0; i < o->files.count && status == STATUS_OK; i++) {
		if (files[i].is_taken || files[i].passed <= files[i].begin)
			continue;
		struct stat st;
		int fd;
		status = state_open_input(o->files.names[i], &fd, &st);
		if (status == STATUS_OK && fd >= 0)
			status = check_line(o->files.names[i], fd, &files[i]);
		state_close_input(fd);
	}
	return status;
}
