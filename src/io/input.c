#define _GNU_SOURCE /* F_SETPIPE_SZ */
/* Three layers: the descriptor (read, poll), the bytes of the file (peeked ones first), and the inflated bytes with
 * their own peeked ones in front. */
#include "io/input_private.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/timeline.h"
#include "io/bgzf.h"
#include "io/descriptor.h"
#include "process/sandbox.h"
#include "text/line.h"

/* Milliseconds without input after which the input pauses, so results are written: short for a person, long for a
 * pipe. */
#define PAUSE_MS 10
const char input_shrunk_text[] = "the file became shorter while it was read";

/* Refuses what filter_refuses. */
static enum status refuse_damaged(struct input *in, struct problem *problem)
{
	char text[PROBLEM_TEXT_SIZE];
	bool more = in->raw_end > 0;
	enum status status = STATUS_OK;
	while (status == STATUS_OK && more) {
		if (filter_refuses(in->raw, in->raw_end, in->name, &more, text))
			return problem_set(problem, STATUS_DATA, "%s", text);
		more = more && !in->raw_ended && !in->stopped;
		if (more)
			status = input_fill_raw(in, in->raw_end + 1, problem);
	}
	return status;
}

/* Bytes that were peeked and not consumed. */
static size_t peeked_bytes(const struct input *in)
{
	return in->raw_end - in->raw_next + in->block.end - in->block.next;
}

static void forget_peeked(struct input *in)
{
	in->raw_next = in->raw_end;
	in->block.next = in->block.end;
}

/* Where the descriptor of a regular file that is not compressed stands, and how large the file is. False: it is
 * another one. */
static bool find_place(const struct input *in, off_t *at, off_t *size)
{
	struct stat st;
	*at = in->seekable ? lseek(in->fd, 0, SEEK_CUR) : -1;
	if (*at < 0 || fstat(in->fd, &st) != 0)
		return false;
	*size = st.st_size;
	return true;
}

/* Reads the first bytes and finds out whether they are compressed; if they may be elements, only what can be read
 * is. */
static enum status recognise(struct input *in, bool may_be_elements, struct problem *problem)
{
	enum status status = input_fill_raw(in, 1, problem);
	while (status == STATUS_OK && !in->raw_ended && !in->stopped && filter_may_begin(in->raw, in->raw_end))
		status = input_fill_raw(in, in->raw_end + 1, problem);
	const struct filter *filter = status == STATUS_OK ? filter_find(in->raw, in->raw_end, may_be_elements) : NULL;
	if (filter == NULL)
		return status == STATUS_OK && !may_be_elements ? refuse_damaged(in, problem) : status;
	if (!filter_is_built(filter))
		return problem_set(problem, STATUS_USAGE, "the input is %s: use %s -dc F | pscan", filter->name,
				   filter->name);
	in->may_be_bgzf = in->seekable && bgzf_is_member(in->raw, in->raw_end);
	in->seekable = false;
	in->filter = frames_new(filter);
	return in->filter != NULL ? STATUS_OK : input_fail_for_memory(problem);
}

/* The bytes that will be read from such a descriptor: from standard input's present offset on. False: not known. */
static bool size_of(int fd, const struct stat *st, uint64_t *size)
{
	const off_t at = fd == STDIN_FILENO ? lseek(fd, 0, SEEK_CUR) : 0;
	if (!S_ISREG(st->st_mode) || at < 0)
		return false;
	*size = st->st_size > at ? (uint64_t)(st->st_size - at) : 0;
	return true;
}

bool input_size_by_name(const char *name, uint64_t *size)
{
	struct stat st;
	return input_stat(name, &st) && size_of(strcmp(name, "-") == 0 ? STDIN_FILENO : -1, &st, size);
}

/* Opens the descriptor of an input, and sets *st to what fstat returns for it. copy: NULL unless the input is read
 * twice. */
static enum status open_descriptor(const char *name, struct input_copy *copy, bool is_second, int *fd, struct stat *st,
				   struct problem *problem)
{
	/* A FIFO without a writer is not waited for here, but in input_read_raw, where a stop is seen. */
	*fd = is_second && copy != NULL ? input_copy_open(copy, name) : input_open_descriptor(name);
	if (*fd < 0 && sandbox_denied(name))
		return problem_set(problem, STATUS_SYSTEM,
				   "was created or replaced after pscan had started (see --no-sandbox)");
	if (*fd < 0 || fstat(*fd, st) != 0)
		return problem_set(problem, STATUS_SYSTEM, "%s", strerror(errno));
	if (is_second && !input_copy_is_same(copy, st))
		return problem_set(problem, STATUS_SYSTEM, "%s", input_changed_text);
	return copy != NULL && !is_second ? input_copy_begin(copy, *fd, st, problem) : STATUS_OK;
}

enum status input_open(const char *name, bool may_be_elements, struct input **input, struct problem *problem)
{
	return input_open_of(NULL, 0, name, -1, may_be_elements, input, problem);
}

enum status input_open_of(struct input_copies *copies, size_t number, const char *name, int stop_fd,
			  bool may_be_elements, struct input **input, struct problem *problem)
{
	struct stat st;
	int fd;
	const bool is_second = copies != NULL && copies->is_second;
	struct input_copy *copy = copies != NULL ? &copies->inputs[number] : NULL;
	enum status status = open_descriptor(name, copy, is_second, &fd, &st, problem);
	const bool standard = fd == STDIN_FILENO && strcmp(name, "-") == 0;
	const int flags = fd < 0 || standard ? -1 : fcntl(fd, F_GETFL);
	if (flags >= 0)
		(void)fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
	struct input *in = status == STATUS_OK ? memory_new(sizeof *in) : NULL;
	if (in == NULL) {
		if (fd >= 0 && !standard)
			(void)close(fd);
		return status != STATUS_OK ? status : input_fail_for_memory(problem);
	}
	*in = (struct input){.name = input_label(name), .fd = fd, .stop_fd = stop_fd};
	in->copy = is_second ? NULL : copy;
	in->regular = S_ISREG(st.st_mode) || S_ISBLK(st.st_mode) || S_ISDIR(st.st_mode);
	in->seekable = S_ISREG(st.st_mode) && st.st_size > 0;
	if (!size_of(fd, &st, &in->size))
		in->size = 0;
	atomic_init(&in->owners, 1);
	if (S_ISFIFO(st.st_mode))
		descriptor_widen_pipe(fd);
	in->raw = memory_new(RAW_SIZE);
	in->block.size = INPUT_BLOCK_SIZE;
	in->block.data = memory_new(in->block.size + LINE_PADDING);
	if (in->raw == NULL || in->block.data == NULL)
		status = input_fail_for_memory(problem);
	if (status == STATUS_OK)
		status = recognise(in, may_be_elements, problem);
	if (status != STATUS_OK) {
		input_close(in);
		return status;
	}
	*input = in;
	return STATUS_OK;
}

void input_close(struct input *in)
{
	if (in == NULL || atomic_fetch_sub(&in->owners, 1) > 1)
		return;
	/* What was peeked but not consumed goes back, where that is possible. */
	if (in->regular && in->filter == NULL && peeked_bytes(in) > 0)
		(void)lseek(in->fd, -(off_t)peeked_bytes(in), SEEK_CUR);
	if (in->fd != STDIN_FILENO)
		(void)close(in->fd);
	bgzf_free(in->bgzf);
	frames_free(in->filter);
	memory_free_all(in->raw, in->block.data, in);
}

struct input *input_hold(struct input *in)
{
	(void)atomic_fetch_add(&in->owners, 1);
	return in;
}

const char *input_name(const struct input *in)
{
	return in->name;
}

uint64_t input_size(const struct input *in)
{
	return in->size;
}

bool input_is_regular(const struct input *in, int *fd, struct stat *st)
{
	*fd = in->fd;
	return fstat(in->fd, st) == 0 && S_ISREG(st->st_mode);
}

const char *input_compression(const struct input *in)
{
	return in->filter != NULL ? in->filter->filter->name : NULL;
}

bool input_is_plain(const struct input *in)
{
	return in->filter == NULL;
}

uint64_t input_unchecked(const struct input *in)
{
	return in->filter != NULL && in->bgzf == NULL ? in->filter->unchecked : 0;
}

bool input_stopped(const struct input *in)
{
	return in->stopped;
}

bool input_pauses(struct input *in)
{
	struct pollfd p[] = {{.fd = in->fd, .events = POLLIN}, {.fd = in->stop_fd, .events = POLLIN}};
	if (in->regular || in->raw_ended || peeked_bytes(in) > 0)
		return false;
	int ready;
	/* A signal is not input: what was read must not wait for more, however often signals come. */
	const uint64_t end = timeline_now_ns() + (uint64_t)PAUSE_MS * 1000000;
	do {
		const uint64_t now = timeline_now_ns();
		ready = poll(p, 2, now < end ? (int)((end - now + 999999) / 1000000) : 0);
	} while (ready < 0 && errno == EINTR);
	return ready == 0;
}

/* The file's bytes as they are: peeked ones, then the descriptor's. */
static enum status read_plain(struct input *in, unsigned char *buffer, size_t size, size_t *got,
			      struct problem *problem)
{
	const size_t peeked = in->raw_end - in->raw_next;
	if (peeked == 0)
		return input_read_raw(in, buffer, size, got, problem);
	*got = peeked < size ? peeked : size;
	memcpy(buffer, in->raw + in->raw_next, *got);
	in->raw_next += *got;
	return STATUS_OK;
}

/* Bytes after the peeked block. */
static enum status read_on(struct input *in, unsigned char *buffer, size_t size, size_t *got, struct problem *problem)
{
	return in->filter != NULL ? input_read_inflated(in, buffer, size, got, problem)
				  : read_plain(in, buffer, size, got, problem);
}

void input_peek(struct input *in, bool lines, const unsigned char **block, size_t *size)
{
	bool ended = in->late_status != STATUS_OK;
	while (in->block.end < in->block.size && !ended) {
		size_t got = 0;
		in->late_status = read_on(in, in->block.data + in->block.end, in->block.size - in->block.end, &got,
					  &in->late_problem);
		in->block.end += got;
		ended = got == 0 || in->late_status != STATUS_OK;
		if (!ended && (!lines || in->block.data[in->block.end - 1] == '\n')) {
			in->block.next = in->block.end; /* the descriptor may pause, whatever the block holds */
			const bool pauses = input_pauses(in);
			in->block.next = 0;
			if (pauses)
				break;
		}
	}
	*block = in->block.data;
	*size = in->block.end;
}

bool input_fills_block(const struct input *in)
{
	return in->block.end == in->block.size;
}

enum status input_widen_block(struct input *in)
{
	unsigned char *wider = memory_new(2 * in->block.size + LINE_PADDING);
	if (wider == NULL)
		return STATUS_SYSTEM;
	memcpy(wider, in->block.data, in->block.end);
	memory_free(in->block.data);
	in->block.data = wider;
	in->block.size *= 2;
	return STATUS_OK;
}

void input_peeked(const struct input *in, const unsigned char **block, size_t *size)
{
	*block = in->block.data + in->block.next;
	*size = in->block.end - in->block.next;
}

bool input_late_problem(const struct input *in, struct problem *problem)
{
	if (in->late_problem.status != STATUS_OK)
		*problem = in->late_problem;
	return in->late_problem.status != STATUS_OK;
}

enum status input_read(struct input *in, void *buffer, size_t size, size_t *got, struct problem *problem)
{
	const size_t peeked = in->block.end - in->block.next;
	if (peeked > 0) {
		*got = peeked < size ? peeked : size;
		memcpy(buffer, in->block.data + in->block.next, *got);
		in->block.next += *got;
		return STATUS_OK;
	}
	if (in->late_problem.status != STATUS_OK) {
		*got = 0;
		*problem = in->late_problem;
		in->late_problem.status = STATUS_OK;
		in->raw_ended = true;
		in->filter_ended = true;
		return in->late_status;
	}
	return read_on(in, buffer, size, got, problem);
}

bool input_at_end(const struct input *in)
{
	struct stat st;
	if (in->filter != NULL || peeked_bytes(in) > 0 || in->late_problem.status != STATUS_OK ||
	    fstat(in->fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size == 0)
		return false;
	return lseek(in->fd, 0, SEEK_CUR) >= st.st_size;
}

bool input_is_peeked(const struct input *in)
{
	return in->raw_ended && in->filter == NULL && in->raw_next == in->raw_end &&
	       in->late_problem.status == STATUS_OK;
}

bool input_give_back(struct input *in, size_t rest)
{
	if (!in->seekable || peeked_bytes(in) > 0 || (rest > 0 && lseek(in->fd, -(off_t)rest, SEEK_CUR) < 0))
		return false;
	in->raw_ended = false;
	return true;
}

bool input_window(struct input *in, size_t size, uint64_t *offset, size_t *got)
{
	off_t at;
	off_t end;
	/* Peeked bytes are handed out again: the descriptor stands after them. */
	const off_t peeked = (off_t)peeked_bytes(in);
	if (in->late_problem.status != STATUS_OK || !find_place(in, &at, &end) || at < peeked || end <= at - peeked)
		return false;
	const off_t start = at - peeked;
	const off_t left = end - start;
	const off_t wanted = left < (off_t)size ? left : (off_t)size;
	if (lseek(in->fd, start + wanted, SEEK_SET) < 0)
		return false;
	forget_peeked(in);
	*offset = (uint64_t)start;
	*got = (size_t)wanted;
	return true;
}

void input_skip(struct input *in, uint64_t bytes)
{
	/* (Of a regular file that is there; one that has become shorter is noticed by where its descriptor stands.) */
	(void)lseek(in->fd, (off_t)bytes - (off_t)peeked_bytes(in), SEEK_CUR);
	forget_peeked(in);
}

bool input_place(const struct input *in, uint64_t *offset)
{
	off_t at;
	off_t size;
	if (!find_place(in, &at, &size))
		return false;
	*offset = (uint64_t)at - peeked_bytes(in);
	return true;
}

struct input *input_of_descriptor(int fd, const char *name)
{
	struct input *in = memory_new(sizeof *in);
	if (in == NULL) {
		(void)close(fd);
		return NULL;
	}
	*in = (struct input){.name = name, .fd = fd, .stop_fd = -1};
	atomic_init(&in->owners, 1);
	return in;
}

uint64_t input_bytes_left(const struct input *in)
{
	off_t at;
	off_t size;
	return find_place(in, &at, &size) && size > at ? (uint64_t)(size - at) : 0;
}

bool input_known_bytes(const struct input *in, uint64_t *bytes)
{
	off_t at;
	off_t size;
	if (!find_place(in, &at, &size) || size < at)
		return false;
	*bytes = (uint64_t)(size - at) + peeked_bytes(in);
	return true;
}

bool input_has_shrunk(const struct input *in)
{
	off_t at;
	off_t size;
	return find_place(in, &at, &size) && size < at;
}

size_t input_read_at(struct input *in, void *buffer, size_t size, uint64_t offset, struct problem *problem)
{
	int error;
	const size_t done = descriptor_read_at(in->fd, buffer, size, offset, &error);
	if (done < size)
		(void)problem_set(problem, STATUS_SYSTEM, "%s", error != 0 ? strerror(error) : input_shrunk_text);
	return done;
}

enum status input_pass(struct input *in, uint64_t bytes, uint64_t *passed, struct problem *problem)
{
	unsigned char block[INPUT_BLOCK_SIZE];
	enum status status = STATUS_OK;
	size_t got = 1;
	for (*passed = 0; *passed < bytes && got > 0 && status == STATUS_OK; *passed += got) {
		const uint64_t left = bytes - *passed;
		status = input_read(in, block, left < sizeof block ? (size_t)left : sizeof block, &got, problem);
	}
	return status;
}

enum status input_skip_members(struct input *in, const struct bgzf_index *index, uint64_t bytes,
			       struct problem *problem)
{
	uint64_t skip;
	uint64_t passed;
	input_go_to_member(in, bgzf_member_of(index, bytes, &skip));
	return input_pass(in, skip, &passed, problem);
}
