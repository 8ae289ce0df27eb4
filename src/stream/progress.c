/* The thread sleeps in poll on a pipe. A byte in the pipe wakes it; a handler may write one. If the pipe is full, the
 * thread is awake anyway. The rate is that of the last seconds, so that it falls when the input waits. The last line,
 * and a line without a thread, have the rate of the whole run. */
#include "stream/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "process/ending.h"
#include "process/inquiry.h"
#include "stream/progress_line.h"

/* How often the thread looks. */
#define LOOK_MS 250
/* The rate is the mean of this many looks: 5 s. */
#define LOOKS 20
/* If two looks are further apart than this, the program was stopped in between. */
#define STOPPED_NS UINT64_C(2000000000)
/* Looks from one line to the next in PROGRESS_LINES: 10 s. */
#define LINE_LOOKS 40

#define SECOND_NS UINT64_C(1000000000)

/* The bytes done at a time. */
struct look {
	uint64_t ns, bytes;
};

struct progress {
	/* Constant while the handler or the thread may use it. */
	enum progress_form form;
	char *const *names;
	size_t name_count;
	uint64_t begin_ns;
	uint64_t standard_size; /* bytes of standard input, if has_standard_size */
	bool has_standard_size;
	uint64_t total_bytes; /* bytes of all files, for the thread; 0: not known */
	int pipe[2]; /* wakes the thread; -1: no thread */
	pthread_t thread;
	/* Why the thread is woken. */
	atomic_bool has_question, has_ended;
	/* Written by the thread that writes chunks, read by all threads, in no particular order. */
	atomic_uint_least64_t bytes, sized_bytes, elements;
	/* The thread's. */
	struct look looks[LOOKS];
	size_t look_count; /* looks since the begin, or since the program was last stopped */
};

/* The progress that the signal handler reports, or NULL. */
static _Atomic(struct progress *) asked;

enum progress_form progress_form(const struct stat *results)
{
	if (!message_is_on_terminal())
		return PROGRESS_LINES;
	return results != NULL && message_goes_to(results) ? PROGRESS_LAST : PROGRESS_DRAWN;
}

void progress_add(struct progress *p, const struct slot *s)
{
	if (p == NULL)
		return;
	atomic_store_explicit(&p->bytes, s->in.taken_bytes, memory_order_relaxed);
	atomic_store_explicit(&p->sized_bytes, s->in.sized_bytes, memory_order_relaxed);
	atomic_fetch_add_explicit(&p->elements, s->scan.element_count, memory_order_relaxed);
}

/* The bytes of all files together; 0 if the size of one is not known. Standard input counts once, even if it is named
 * twice. */
static uint64_t total_bytes(const struct progress *p)
{
	uint64_t total = 0;
	bool standard_before = false;
	for (size_t i = 0; i < p->name_count; i++) {
		uint64_t size = 0;
		if (strcmp(p->names[i], "-") != 0) {
			if (!input_size_by_name(p->names[i], &size))
				return 0;
		} else if (!p->has_standard_size) {
			return 0;
		} else if (!standard_before) {
			size = p->standard_size;
			standard_before = true;
		}
		total += size;
	}
	return total;
}

static uint64_t rate_since(const struct look *before, const struct look *now)
{
	const uint64_t ns = now->ns - before->ns;
	return ns > 0 ? (uint64_t)((double)(now->bytes - before->bytes) * (double)SECOND_NS / (double)ns) : 0;
}

/* How far the run is now, with the rate of the whole run. total_bytes is not set. */
static struct progress_now look_now(const struct progress *p, struct look *look)
{
	const struct look begin = {.ns = p->begin_ns};
	*look = (struct look){.ns = timeline_now_ns(), .bytes = atomic_load(&p->bytes)};
	return (struct progress_now){.bytes = look->bytes,
				     .elements = atomic_load(&p->elements),
				     .sized_bytes = atomic_load(&p->sized_bytes),
				     .rate = rate_since(&begin, look),
				     .elapsed_s = (look->ns - p->begin_ns) / SECOND_NS};
}

/* Prints the line as a message. A signal handler may call it. */
static void print(const struct progress_now *now)
{
	char line[PROGRESS_LINE_SIZE + 1];
	const size_t size = progress_line(line, PROGRESS_LINE_SIZE, now);
	line[size] = '\n';
	line[size + 1] = '\0';
	message_text(line);
}

static void wake(const struct progress *p)
{
	(void)!write(p->pipe[1], "", 1);
}

/* Handlers that run at once on several threads. The first one answers for all, so that no line overtakes another. */
static atomic_uint questions;

/* The signal handler. If there is a thread, the thread prints the line: below messages, and above the line that it
 * draws. */
static void answer(void)
{
	struct progress *p = atomic_load(&asked);
	struct look look;
	if (p == NULL)
		return;
	if (p->form != PROGRESS_ASKED) {
		atomic_store(&p->has_question, true);
		wake(p);
		return;
	}
	if (atomic_fetch_add(&questions, 1) > 0)
		return;
	do {
		struct progress_now now = look_now(p, &look);
		now.total_bytes = total_bytes(p);
		print(&now);
	} while (atomic_fetch_sub(&questions, 1) > 1);
}

/* Waits until the next look. False if the run has ended or waiting is not possible. */
static bool wait_to_look(const struct progress *p)
{
	struct pollfd ready = {.fd = p->pipe[0], .events = POLLIN};
	char bytes[64];
	const int count = poll(&ready, 1, LOOK_MS);
	if (count < 0 && errno != EINTR)
		return false;
	if (count > 0)
		(void)!read(p->pipe[0], bytes, sizeof bytes);
	return !atomic_load(&p->has_ended);
}

/* Adds a look to the window over which the rate is computed, and sets now->rate. */
static void add_look(struct progress *p, const struct look *look, struct progress_now *now)
{
	const struct look *last = &p->looks[(p->look_count - 1) % LOOKS];
	if (look->ns - last->ns > STOPPED_NS)
		p->look_count = 0;
	const struct look *before = p->look_count < LOOKS ? &p->looks[0] : &p->looks[p->look_count % LOOKS];
	now->rate = p->look_count > 0 ? rate_since(before, look) : 0;
	p->looks[p->look_count++ % LOOKS] = *look;
}

static void draw(const struct progress_now *now)
{
	char line[PROGRESS_LINE_SIZE];
	const size_t columns = message_columns();
	if (columns > 0)
		message_draw(line, progress_line(line, columns, now));
}

static void *show(void *context)
{
	struct progress *p = context;
	size_t waited = 0;
	p->looks[p->look_count++] = (struct look){.ns = p->begin_ns};
	while (wait_to_look(p)) {
		struct look look;
		struct progress_now now = look_now(p, &look);
		now.total_bytes = p->total_bytes;
		add_look(p, &look, &now);
		waited++;
		if (atomic_exchange(&p->has_question, false) || (p->form == PROGRESS_LINES && waited % LINE_LOOKS == 0))
			print(&now);
		if (p->form == PROGRESS_DRAWN)
			draw(&now);
	}
	return NULL;
}

/* Blocks all signals in the thread, so that no handler interrupts it while it draws. */
static enum status start_thread(struct progress *p)
{
	sigset_t all;
	sigset_t before;
	int error = pipe(p->pipe) != 0 ? errno : 0;
	for (size_t i = 0; i < 2 && error == 0; i++) {
		if (fcntl(p->pipe[i], F_SETFD, FD_CLOEXEC) != 0 || fcntl(p->pipe[i], F_SETFL, O_NONBLOCK) != 0)
			error = errno;
	}
	if (error == 0) {
		(void)sigfillset(&all);
		(void)pthread_sigmask(SIG_SETMASK, &all, &before);
		error = pthread_create(&p->thread, NULL, show, p);
		(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	}
	if (error == 0)
		return STATUS_OK;
	return message_fail("cannot start a thread: %s", strerror(error));
}

static void free_progress(struct progress *p)
{
	for (size_t i = 0; i < 2; i++) {
		if (p->pipe[i] >= 0)
			(void)close(p->pipe[i]);
	}
	memory_free(p);
}

struct progress *progress_new(char *const *names, size_t count, enum progress_form form)
{
	struct progress *p = memory_new(sizeof *p);
	if (p == NULL)
		return NULL;
	*p = (struct progress){
		.form = form, .names = names, .name_count = count, .begin_ns = timeline_now_ns(), .pipe = {-1, -1}};
	p->has_standard_size = input_size_by_name("-", &p->standard_size);
	if (form != PROGRESS_ASKED) {
		p->total_bytes = total_bytes(p);
		if (start_thread(p) != STATUS_OK) {
			free_progress(p);
			return NULL;
		}
	}
	/* Set this before the handler is: it then always finds what it reports. */
	atomic_store(&asked, p);
	inquiry_set(answer);
	if (form == PROGRESS_DRAWN) {
		message_draw_begin();
		ending_set(ENDING_LINE, message_draw_end_in_handler);
	}
	return p;
}

/* Shows the last line. The thread must be joined. */
static void show_last(const struct progress *p)
{
	struct look look;
	struct progress_now now = look_now(p, &look);
	now.total_bytes = p->total_bytes;
	now.ended = true;
	if (p->form == PROGRESS_DRAWN && message_columns() > 0)
		draw(&now);
	else
		print(&now);
}

void progress_free(struct progress *p, bool has_begun)
{
	if (p == NULL)
		return;
	inquiry_set(NULL);
	atomic_store(&asked, NULL);
	if (p->form != PROGRESS_ASKED) {
		atomic_store(&p->has_ended, true);
		wake(p);
		(void)pthread_join(p->thread, NULL);
		if (has_begun)
			show_last(p);
	}
	if (p->form == PROGRESS_DRAWN) {
		if (!has_begun)
			message_draw("", 0);
		ending_set(ENDING_LINE, NULL);
		message_draw_end();
	}
	free_progress(p);
}
