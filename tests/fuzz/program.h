/* Runs the whole program in this process, from its words to its output, as often as one likes: main's way from the
 * options to the sink, with files in memory, a pipe that another thread fills, and an output in memory. No OpenCL: the
 * words say -D none. */
#ifndef PSCAN_TESTS_FUZZ_PROGRAM_H
#define PSCAN_TESTS_FUZZ_PROGRAM_H

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include "cli/make_plan.h"
#include "state/state.h"
#include "command_line.h"
#include "io/gzip.h"
#include "base/memory.h"
#include "messages.h"
#include "stream/pipeline.h"

#define PROGRAM_FILES_MAX 4
#define PROGRAM_WORDS_MAX 64

struct program_file {
	const unsigned char *data;
	size_t size;
};

struct program {
	/* The caller's. */
	const char *words[PROGRAM_WORDS_MAX]; /* behind the program's name, without files */
	size_t word_count;
	struct program_file files[PROGRAM_FILES_MAX];
	size_t file_count;
	bool by_pipe; /* the first file is standard input, a pipe */
	uint32_t pieces; /* of the pipe: their sizes; 0: all at once */
	bool by_append; /* the output is only appended to */
	const char *level; /* PSCAN_CPU, or NULL */
	/* What came of it. */
	enum status status;
	struct bytes output;
	struct messages messages;
};

static inline void program_word(struct program *p, const char *word)
{
	REQUIRE(p->word_count < PROGRAM_WORDS_MAX, "too many words");
	p->words[p->word_count++] = word;
}

/* --- Input and output */

struct program_writer {
	int fd;
	struct program_file file;
	uint32_t pieces;
};

static void *program_write(void *context)
{
	const struct program_writer *w = context;
	uint32_t state = w->pieces;
	for (size_t at = 0; at < w->file.size;) {
		size_t size = w->file.size - at;
		if (state != 0) {
			state = state * 1664525 + 1013904223;
			const size_t piece = 1 + (state >> 12) % ((size_t)1 << (state >> 8 & 15));
			size = piece < size ? piece : size;
			if ((state & 0x3000000) == 0)
				(void)sched_yield(); /* perhaps it pauses */
		}
		const ssize_t written = write(w->fd, w->file.data + at, size);
		if (written < 0)
			break; /* nobody reads any more */
		at += (size_t)written;
	}
	(void)close(w->fd);
	return NULL;
}

static inline int program_memory_file(const struct program_file *file)
{
	const int fd = memfd_create("file", MFD_CLOEXEC);
	REQUIRE(fd >= 0, "a file in memory: %s", strerror(errno));
	for (size_t at = 0; at < file->size;) {
		const ssize_t written = write(fd, file->data + at, file->size - at);
		REQUIRE(written > 0, "a file in memory: %s", strerror(errno));
		at += (size_t)written;
	}
	return fd;
}

/* What stands in the output before the program begins. */
static const struct program_file program_before = {(const unsigned char *)"before\n", 7};

static inline void program_read_output(struct program *p, int fd)
{
	char before[7];
	const off_t begin = (off_t)sizeof before;
	const off_t size = lseek(fd, 0, SEEK_END) - begin;
	p->output.size = 0;
	REQUIRE(pread(fd, before, sizeof before, 0) == begin && memcmp(before, program_before.data, sizeof before) == 0,
		"what stood before");
	REQUIRE(size >= 0 && bytes_reserve(&p->output, (size_t)size + 1) == STATUS_OK, "the output");
	while (p->output.size < (size_t)size) {
		const ssize_t got = pread(fd, p->output.data + p->output.size, (size_t)size - p->output.size,
					  begin + (off_t)p->output.size);
		REQUIRE(got > 0, "the output: %s", strerror(errno));
		p->output.size += (size_t)got;
	}
}

/* --- main.c's scan */

static inline enum status program_scan_to_sink(struct pipeline_parts *parts, const struct options *o,
					       struct state *state)
{
	struct stats stats = {.begin_ns = timeline_now_ns()};
	struct pipeline_outcome outcome = {0};
	enum status status = sink_open(o->output.file, o->output.compressor, o->output.level, &parts->sink);
	if (status != STATUS_OK)
		return status;
	status = pipeline_run(parts, &stats, &outcome);
	REQUIRE(!outcome.busy, "a driver where there is none");
	const enum status closed = sink_close(parts->sink, outcome.complete);
	if (closed != STATUS_OK || status != STATUS_OK)
		return closed != STATUS_OK ? closed : status;
	return state != NULL ? state_keep(state, &stats, parts->source) : STATUS_OK;
}

static inline enum status program_scan(struct options *o, struct state *state)
{
	struct plan plan = {0};
	struct plan_input input = {0};
	struct npy_array array;
	const size_t threads = plan_threads(o);
	struct ring *ring = ring_new(plan_slots(threads));
	REQUIRE(ring != NULL, "no ring");
	struct source *source = plan_source(o, 0, ring);
	REQUIRE(source != NULL, "no source");
	enum status status = plan_look(o, source, &input, &array);
	if (status == STATUS_OK && input.size == 0)
		status = state_settle_empty(state, o);
	if (status == STATUS_OK) {
		state_tell(state, &input);
		status = plan_make(&plan, o, threads, &input);
	}
	if (status == STATUS_OK)
		status = state_begin(state, o, &plan, source);
	struct pipeline_parts parts = {.plan = &plan, .ring = ring, .source = source, .device = o->run.device};
	state_set_parts(state, &parts);
	if (status == STATUS_OK)
		status = program_scan_to_sink(&parts, o, state);
	source_free(source);
	ring_free(ring);
	plan_free(&plan);
	return status;
}

/* --- The run */

static inline enum status program_main(struct program *p, const int *fds)
{
	static char names[PROGRAM_FILES_MAX][32];
	char *argv[PROGRAM_WORDS_MAX + PROGRAM_FILES_MAX + 2];
	char *copies[PROGRAM_WORDS_MAX];
	static char name[] = "pscan";
	int argc = 0;
	struct options o;
	argv[argc++] = name;
	for (size_t i = 0; i < p->word_count; i++)
		argv[argc++] = copies[i] = fuzz_copy(p->words[i], strlen(p->words[i]) + 1);
	for (size_t i = 0; i < p->file_count; i++) {
		(void)snprintf(names[i], sizeof names[i], i == 0 && p->by_pipe ? "-" : "/proc/self/fd/%d", fds[i]);
		argv[argc++] = names[i];
	}
	argv[argc] = NULL;
	enum status status = command_line_parse(argc, argv, &o);
	if (status == STATUS_OK) {
		struct state *state = NULL;
		message_set_verbosity(o.reports.verbosity);
		status = state_open(&o, &state);
		if (status == STATUS_OK)
			status = program_scan(&o, state);
		state_free(state);
	}
	command_line_free(&o);
	for (size_t i = 0; i < p->word_count; i++)
		free(copies[i]);
	return status;
}

/* Runs it: status, output and messages are set. The caller frees the output. */
static inline void program_run(struct program *p)
{
	char level[64] = "PSCAN_CPU=";
	char *environment[] = {p->level != NULL ? strcat(level, p->level) : NULL, NULL};
	char **const before = environ;
	struct program_writer writer = {.fd = -1, .file = p->files[0], .pieces = p->pieces};
	int fds[PROGRAM_FILES_MAX];
	pthread_t thread;
	const int standard_input = dup(STDIN_FILENO), standard_output = dup(STDOUT_FILENO);
	const int output = program_memory_file(&program_before);
	(void)signal(SIGPIPE, SIG_IGN);
	for (size_t i = 0; i < p->file_count; i++) {
		int ends[2];
		if (i > 0 || !p->by_pipe) {
			fds[i] = program_memory_file(&p->files[i]);
			continue;
		}
		REQUIRE(pipe2(ends, O_CLOEXEC) == 0, "a pipe");
		REQUIRE(dup2(ends[0], STDIN_FILENO) == STDIN_FILENO && close(ends[0]) == 0, "a pipe");
		fds[i] = -1;
		writer.fd = ends[1];
		REQUIRE(pthread_create(&thread, NULL, program_write, &writer) == 0, "a thread");
	}
	if (p->by_append)
		REQUIRE(fcntl(output, F_SETFL, O_APPEND) == 0, "an output that is appended to");
	REQUIRE(dup2(output, STDOUT_FILENO) == STDOUT_FILENO, "standard output");
	environ = environment;
	messages_hide();
	p->status = program_main(p, fds);
	messages_show(&p->messages);
	environ = before;
	/* A thread that still writes gets an error, because the reading end is closed. */
	REQUIRE(dup2(standard_input, STDIN_FILENO) == STDIN_FILENO, "standard input");
	REQUIRE(dup2(standard_output, STDOUT_FILENO) == STDOUT_FILENO, "standard output");
	if (writer.fd >= 0)
		(void)pthread_join(thread, NULL);
	program_read_output(p, output);
	for (size_t i = 0; i < p->file_count; i++) {
		if (fds[i] >= 0)
			(void)close(fds[i]);
	}
	(void)close(output);
	(void)close(standard_input);
	(void)close(standard_output);
}

#endif
