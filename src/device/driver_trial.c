#define _GNU_SOURCE /* MSG_NOSIGNAL, SOCK_CLOEXEC */
/* The child is forked before the program has threads, and waits for a byte on a socket. It sends a PROGRESS byte after
 * each step. Last it sends an ANSWER byte, a struct answer and, for a list, the text. The child ends when the socket is
 * closed, and on Linux when its parent dies, so it never outlives the program. */
#include "device/driver_trial.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "base/memory.h"
#include "base/message.h"
#include "device/driver_memory.h"
#include "device/opencl_cache.h"
#include "process/inquiry.h"

/* The time between two looks at a waiting socket; the longest wait for the end of a killed child; its steps. */
#define LOOK_MS 50
#define GOING_NS 1000000000L
#define GOING_STEP_NS 100000L
#define PROGRESS 'p'
#define ANSWER 'a'

/* The child's answer. `size` bytes of text follow. */
struct answer {
	unsigned char status;
	bool found;
	uint32_t size;
};

struct driver_trial {
	/* Constant. */
	struct engine_need need;
	struct row row;
	bool is_list;
	struct bytes question; /* For driver_memory.h. Owned. Empty for a list. */
	bool is_known; /* The answer is remembered or trials are off: there is no child. */
	bool known_found; /* The remembered answer. */
	pid_t child;
	int fd; /* The program's end of the socket. Used by the thread that runs the trial. */
	atomic_bool is_cancelled;
};

/* --- The child --------------------------------------------------------------------------------------------------- */

static void send_all(int fd, const void *data, size_t size)
{
	const unsigned char *next = data;
	while (size > 0) {
		const ssize_t sent = send(fd, next, size, MSG_NOSIGNAL);
		if (sent <= 0 && errno != EINTR)
			_exit(STATUS_DEVICE); /* The program has closed its end. */
		next += sent > 0 ? sent : 0;
		size -= sent > 0 ? (size_t)sent : 0;
	}
}

static void send_progress(int fd)
{
	send_all(fd, &(char){PROGRESS}, 1);
}

static void send_answer(int fd, enum status status, bool found, const struct bytes *text)
{
	const struct answer answer = {.status = (unsigned char)status, .found = found, .size = (uint32_t)text->size};
	send_all(fd, &(char){ANSWER}, 1);
	send_all(fd, &answer, sizeof answer);
	send_all(fd, text->data, text->size);
}

/* Enough elements for a cursor to finish two runs and begin a third. */
#define TRIED_ELEMENTS (2 * GRID_RUN + 1)

/* Pushes elements into a cursor of a user's program. All are 1, because a program may divide by its elements. */
static enum status try_cursor(struct engine *engine, const struct row *row)
{
	static union cursor cursor;
	unsigned char elements[TRIED_ELEMENTS * PACKED_MAX * sizeof(union value)];
	unsigned char results[TRIED_ELEMENTS * PACKED_MAX * sizeof(union value)];
	struct cursor_work work = {
		.call = CURSOR_PUSH, .cursor = &cursor, .in = elements, .count = TRIED_ELEMENTS, .out = results};
	for (size_t i = 0; i < TRIED_ELEMENTS * row->element.count; i++) {
		const size_t k = i % row->element.count;
		const struct type *t = row->element.numbers[k].type;
		union value one = {.f32 = 1};
		if (t->id == TYPE_F64)
			one.f64 = 1;
		else if (t->kind != KIND_FLOAT)
			type_put_integer(t, 1, &one);
		memcpy(elements + i / row->element.count * row->element.size + row->element.numbers[k].offset, &one,
		       t->size);
	}
	return engine->class->run_cursor(engine, 0, &work);
}

/* Does everything that the program will do with the driver before the first chunk. *found: whether a device exists. */
static enum status try_device(const struct driver_trial *t, int fd, bool *found)
{
	struct engine_need need = t->need;
	struct engine *engine = NULL;
	void *memory;
	need.is_trial = true;
	need.channel_count = 1;
	need.lane_count = 1;
	need.chunk_elements = GRID_TILE;
	need.element_size = 0;
	enum status status = opencl_engine_open(&need, &engine);
	send_progress(fd);
	*found = engine != NULL;
	if (status != STATUS_OK || engine == NULL)
		return status;
	status = engine->class->set_row(engine, 0, &t->row);
	send_progress(fd);
	if (status != STATUS_OK)
		return status;
	/* The kernels of whole tiles are not tried for a user's program: compiling them takes time, and small input
	 * does not need them. If the driver crashes on them later, no more is lost, as the host cannot go on either. */
	if (t->row.op->program != NULL)
		return try_cursor(engine, &t->row);
	for (size_t i = 0; i < engine->size.channel_count && status == STATUS_OK; i++) {
		status = engine_first_scan(engine, i, &memory);
		send_progress(fd);
	}
	return status;
}

/* Separates the child from the program's input and output, disables core dumps and follows the parent's death. */
static void leave_parent(pid_t parent)
{
	const struct rlimit none = {0};
	const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	(void)dup2(null, STDIN_FILENO);
	(void)dup2(null, STDOUT_FILENO);
	(void)setrlimit(RLIMIT_CORE, &none);
#ifdef __linux__
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
	if (getppid() != parent)
		_exit(STATUS_DEVICE);
}

static void run_child(const struct driver_trial *t, int fd, pid_t parent)
{
	struct bytes text = {0};
	bool found = false;
	char go;
	leave_parent(parent);
	inquiry_leave_alone();
	if (read(fd, &go, 1) != 1)
		_exit(STATUS_OK);
	const enum status status = t->is_list ? opencl_engine_list(&text) : try_device(t, fd, &found);
	if (status == STATUS_OK && !t->is_list)
		driver_memory_keep(&t->question, found);
	send_answer(fd, status, found, &text);
	_exit(STATUS_OK);
}

/* --- The program ------------------------------------------------------------------------------------------------- */

static enum status fork_child(struct driver_trial *t)
{
	int ends[2];
	const pid_t parent = getpid();
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
		return message_fail("cannot make a socket: %s", strerror(errno));
	t->child = fork();
	if (t->child == 0) {
		(void)close(ends[0]);
		run_child(t, ends[1], parent);
	}
	(void)close(ends[1]);
	if (t->child < 0) {
		message_error("cannot start a process: %s", strerror(errno));
		(void)close(ends[0]);
		return STATUS_SYSTEM;
	}
	t->fd = ends[0];
	return STATUS_OK;
}

/* Makes a trial with these settings and takes over their question. NULL after a message. */
static struct driver_trial *new_trial(struct driver_trial *settings)
{
	struct driver_trial *t = memory_new(sizeof *t);
	if (t == NULL) {
		bytes_free(&settings->question);
		return NULL;
	}
	*t = *settings;
	t->fd = -1;
	if (t->is_known || fork_child(t) == STATUS_OK)
		return t;
	driver_trial_free(t);
	return NULL;
}

struct driver_trial *driver_trial_new(const struct engine_need *need, const struct row *row)
{
	struct driver_trial settings = {.need = *need, .row = *row, .known_found = true};
	if (driver_memory_ask(need->spec, row, &settings.question) != STATUS_OK) {
		bytes_free(&settings.question);
		return NULL;
	}
	const char *wish = getenv("PSCAN_TRIAL");
	settings.is_known = (wish != NULL && strcmp(wish, "off") == 0) ||
			    driver_memory_has(&settings.question, &settings.known_found);
	return new_trial(&settings);
}

/* Waits at most GOING_NS for the child's end. Returns the status that waitpid reports, or -1. */
static int wait_for_end(const struct driver_trial *t)
{
	int status = -1;
	const struct timespec pause = {.tv_nsec = GOING_STEP_NS};
	for (long waited_ns = 0; waited_ns < GOING_NS; waited_ns += GOING_STEP_NS) {
		const pid_t ended = waitpid(t->child, &status, WNOHANG);
		if (ended == t->child)
			return status;
		if (ended < 0 && errno != EINTR)
			return -1;
		(void)nanosleep(&pause, NULL);
	}
	return -1;
}

/* Prints why the trial failed, unless it was cancelled. */
static void refuse(const struct driver_trial *t, const char *why)
{
	if (atomic_load(&t->is_cancelled))
		return;
	if (t->is_list)
		message_error("cannot list the devices: %s", why);
	else if (t->need.spec != NULL)
		message_error("device %s: %s", message_shown(t->need.spec), why);
	else
		message_warning("device auto: %s; the host goes on", why);
}

/* Reports that the child died without an answer, and marks the cache: the next run might die of the same file. */
static enum status report_death(const struct driver_trial *t, int status)
{
	char why[80];
	if (status != -1 && WIFSIGNALED(status))
		(void)snprintf(why, sizeof why, "a driver crashed (signal %d)", WTERMSIG(status));
	else
		(void)snprintf(why, sizeof why, "a driver ended the process that tried it");
	if (!atomic_load(&t->is_cancelled))
		opencl_cache_mark();
	refuse(t, why);
	return STATUS_DEVICE;
}

/* Reads the next `size` bytes. Returns 1 if they came, 0 if the child is gone, -1 if nothing came for too long. */
static int receive(const struct driver_trial *t, void *data, size_t size)
{
	const uint64_t limit_ms = (uint64_t)t->need.timeout_s * 1000;
	unsigned char *next = data;
	uint64_t waited_ms = 0;
	while (size > 0) {
		struct pollfd ready = {.fd = t->fd, .events = POLLIN};
		const int count = poll(&ready, 1, LOOK_MS);
		if (count == 0) {
			/* Counts waits and reads no clock: time in which the program was stopped must not count. */
			waited_ms += LOOK_MS;
			if (limit_ms > 0 && waited_ms >= limit_ms)
				return -1;
			continue;
		}
		const ssize_t got = count > 0 ? read(t->fd, next, size) : -1;
		if (got == 0 || (got < 0 && errno != EINTR))
			return 0;
		next += got > 0 ? got : 0;
		size -= got > 0 ? (size_t)got : 0;
	}
	return 1;
}

/* Reads the child's answer and appends the text that follows it. Returns what receive returns. */
static int receive_answer(const struct driver_trial *t, struct answer *answer, struct bytes *text)
{
	char kind = PROGRESS;
	int came = 1;
	while (came == 1 && kind == PROGRESS)
		came = receive(t, &kind, 1);
	if (came == 1)
		came = receive(t, answer, sizeof *answer);
	for (uint32_t left = came == 1 ? answer->size : 0; left > 0 && came == 1;) {
		char part[512];
		const size_t size = left < sizeof part ? left : sizeof part;
		came = receive(t, part, size);
		if (came == 1 && bytes_append(text, part, size) != STATUS_OK)
			answer->status = STATUS_SYSTEM;
		left -= (uint32_t)size;
	}
	return came;
}

static enum status run_trial(struct driver_trial *t, bool *found, struct bytes *text)
{
	struct answer answer = {0};
	char why[80];
	*found = t->known_found;
	if (t->is_known)
		return STATUS_OK;
	const bool begun = send(t->fd, "", 1, MSG_NOSIGNAL) == 1;
	const int came = begun ? receive_answer(t, &answer, text) : 0;
	if (came != 1) {
		/* A child that is dead already is not affected, and its own cause of death is reported. */
		(void)kill(t->child, SIGKILL);
		const int status = wait_for_end(t);
		t->child = 0;
		if (came == 0)
			return report_death(t, status);
		(void)snprintf(why, sizeof why, "no progress for %u s (see PSCAN_DEVICE_TIMEOUT)", t->need.timeout_s);
		refuse(t, why);
		return STATUS_DEVICE;
	}
	*found = answer.found;
	return (enum status)answer.status;
}

enum status driver_trial_run(struct driver_trial *t, bool *found)
{
	struct bytes nothing = {0};
	return run_trial(t, found, &nothing);
}

void driver_trial_cancel(struct driver_trial *t)
{
	if (t == NULL || t->is_known)
		return;
	atomic_store(&t->is_cancelled, true);
	(void)shutdown(t->fd, SHUT_RDWR);
}

void driver_trial_free(struct driver_trial *t)
{
	if (t == NULL)
		return;
	if (t->fd >= 0)
		(void)close(t->fd);
	if (t->child > 0) {
		(void)kill(t->child, SIGKILL);
		(void)wait_for_end(t);
	}
	bytes_free(&t->question);
	memory_free(t);
}

enum status driver_trial_list(unsigned timeout_s, struct bytes *text)
{
	struct driver_trial settings = {.need = {.timeout_s = timeout_s}, .is_list = true};
	struct driver_trial *t = new_trial(&settings);
	bool found;
	if (t == NULL)
		return STATUS_SYSTEM;
	const enum status status = run_trial(t, &found, text);
	driver_trial_free(t);
	return status;
}
