/* Failures are rules: at each call the first one that covers it and its number decides. The log is written under the
 * mutex, so its lines stand in the order of the numbers; waiting is done without it. */
#include "faults.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ITEMS_MAX 8
#define NAME_SIZE 48
#define QUEUES_MAX 64
#define HOLD_LIMIT_MS 30000
#define HOLD_STEP_MS 2

#define CALL_ROW(name, kind) [CALL_##name] = {#name, kind},
static const struct {
	const char *name;
	enum kind kind;
} calls[] = {EACH_CALL(CALL_ROW)};
_Static_assert(sizeof calls / sizeof calls[0] == CALL_COUNT, "a row for every call");

enum mode { MODE_ONCE, MODE_STICKY, MODE_LOST, MODE_LATE };

/* Items of the settings. Their names were checked. */
struct failure {
	char name[NAME_SIZE];
	unsigned long number;
	cl_int code;
	enum mode mode;
};

struct pause {
	char name[NAME_SIZE];
	int milliseconds; /* or, where it is 0, until the file exists */
	char file[256];
};

/* How a call ends the process. */
enum death { DEATH_ABORT, DEATH_EXIT, DEATH_QUIT, DEATH_CRASH, DEATH_COUNT };
static const char *const deaths[] = {"abort", "exit", "quit", "crash"};

struct hang {
	char name[NAME_SIZE];
	unsigned long number;
};

/* Constant once loaded. */
static int log_fd = -1;
static struct failure failures[ITEMS_MAX];
static size_t failure_count;
static struct pause pauses[2 * ITEMS_MAX];
static size_t pause_count;
static struct hang hangs[ITEMS_MAX];
static size_t hang_count;
static struct hang dying;
static enum death death;
static unsigned long flips[ITEMS_MAX]; /* numbers of downloads */
static size_t flip_count;
static char skipped[ITEMS_MAX][NAME_SIZE];
static size_t skipped_count;
static struct lies lies;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
/* Guarded by mutex. */
static unsigned long counts[CALL_COUNT];
static unsigned long enqueue_count, any_count, download_count;
static long objects[OBJECT_COUNT]; /* references that the program has */
static unsigned inside; /* threads in a call */
static cl_int lost; /* the code of a lost device, or CL_SUCCESS */
static struct {
	cl_command_queue queue;
	cl_int code;
} late_queues[QUEUES_MAX];
static size_t late_queue_count;

/* --- The log
 * -------------------------------------------------------------------------------------------------------- */

static void log_line(const char *what, const char *name, unsigned long number, const char *more)
{
	char line[128];
	const int size = snprintf(line, sizeof line, "%s %s %lu%s\n", what, name, number, more);
	if (write(log_fd, line, (size_t)size) != size)
		abort(); /* a proof with holes is none */
}

/* --- Which calls fail
 * ----------------------------------------------------------------------------------------------- */

static bool name_covers(const char *name, enum call call)
{
	return strcmp(name, calls[call].name) == 0 || strcmp(name, "any") == 0 ||
	       (strcmp(name, "enqueue") == 0 && calls[call].kind == KIND_ENQUEUE);
}

/* How many calls that the name covers there were; call is one of them. mutex is held. */
static unsigned long count_under(const char *name, enum call call)
{
	if (strcmp(name, "any") == 0)
		return any_count;
	return strcmp(name, "enqueue") == 0 ? enqueue_count : counts[call];
}

static void sleep_ms(int milliseconds)
{
	const struct timespec time = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000L};
	(void)nanosleep(&time, NULL);
}

static void pause_before(enum call call, unsigned long number)
{
	for (size_t i = 0; i < pause_count; i++) {
		const struct pause *p = &pauses[i];
		if (!name_covers(p->name, call))
			continue;
		sleep_ms(p->milliseconds);
		if (p->file[0] != '\0' && access(p->file, F_OK) != 0) {
			log_line("holding", calls[call].name, number, "");
			for (int ms = 0; ms < HOLD_LIMIT_MS && access(p->file, F_OK) != 0; ms += HOLD_STEP_MS)
				sleep_ms(HOLD_STEP_MS);
		}
	}
}

/* Whether the call is to hang, which the log then says. mutex is held. */
static bool judge_hang(enum call call, unsigned long number)
{
	for (size_t i = 0; i < hang_count; i++) {
		if (name_covers(hangs[i].name, call) && count_under(hangs[i].name, call) == hangs[i].number) {
			log_line("hung", calls[call].name, number, "");
			return true;
		}
	}
	return false;
}

/* Counts the call; the code it must answer, or CL_SUCCESS. *late: by way of its queue. mutex is held. */
static cl_int judge(enum call call, bool *late)
{
	const bool needs_device = calls[call].kind != KIND_QUERY && calls[call].kind != KIND_RELEASE;
	for (size_t i = 0; i < failure_count; i++) {
		const struct failure *f = &failures[i];
		if (!name_covers(f->name, call))
			continue;
		const unsigned long number = count_under(f->name, call);
		if (number != f->number && !(f->mode == MODE_STICKY && number > f->number))
			continue;
		if (f->mode == MODE_LOST)
			lost = f->code;
		*late = f->mode == MODE_LATE;
		return f->code;
	}
	return needs_device ? lost : CL_SUCCESS;
}

/* As LLVM does it: with handlers of one's own first. */
static void die(void)
{
	(void)signal(SIGABRT, SIG_DFL);
	(void)signal(SIGSEGV, SIG_DFL);
	if (death == DEATH_ABORT)
		abort();
	if (death == DEATH_EXIT)
		exit(0);
	if (death == DEATH_QUIT)
		_exit(0);
	(void)raise(SIGSEGV);
}

cl_int faults_begin_call(enum call call, bool *late)
{
	char more[32];
	(void)pthread_mutex_lock(&mutex);
	const unsigned long number = ++counts[call];
	any_count++;
	if (calls[call].kind == KIND_ENQUEUE)
		enqueue_count++;
	log_line("call", calls[call].name, number, "");
	if (++inside > 1)
		log_line("overlap", calls[call].name, number, "");
	*late = false;
	const cl_int code = judge(call, late);
	if (code != CL_SUCCESS) {
		(void)snprintf(more, sizeof more, " %d", (int)code);
		log_line(*late ? "dropped" : "failed", calls[call].name, number, *late ? "" : more);
	}
	const bool hangs_now = judge_hang(call, number);
	if (name_covers(dying.name, call) && count_under(dying.name, call) == dying.number) {
		log_line("died", calls[call].name, number, "");
		die();
	}
	(void)pthread_mutex_unlock(&mutex);
	pause_before(call, number);
	while (hangs_now)
		sleep_ms(HOLD_LIMIT_MS);
	return code;
}

void faults_end_call(enum call call)
{
	(void)pthread_mutex_lock(&mutex);
	inside--;
	log_line("done", calls[call].name, counts[call], "");
	(void)pthread_mutex_unlock(&mutex);
}

/* --- Commands that fail late
 * ---------------------------------------------------------------------------------------- */

void faults_mark_queue(cl_command_queue queue, cl_int code)
{
	(void)pthread_mutex_lock(&mutex);
	if (late_queue_count < QUEUES_MAX) {
		late_queues[late_queue_count].queue = queue;
		late_queues[late_queue_count++].code = code;
	}
	(void)pthread_mutex_unlock(&mutex);
}

cl_int faults_of_queue(cl_command_queue queue)
{
	cl_int code = CL_SUCCESS;
	(void)pthread_mutex_lock(&mutex);
	for (size_t i = 0; i < late_queue_count && code == CL_SUCCESS; i++)
		code = late_queues[i].queue == queue ? late_queues[i].code : CL_SUCCESS;
	(void)pthread_mutex_unlock(&mutex);
	return code;
}

void faults_forget_queue(cl_command_queue queue)
{
	(void)pthread_mutex_lock(&mutex);
	for (size_t i = 0; i < late_queue_count; i++) {
		if (late_queues[i].queue == queue)
			late_queues[i].queue = NULL;
	}
	(void)pthread_mutex_unlock(&mutex);
}

bool faults_flips(enum call call, size_t size)
{
	bool flips_now = false;
	(void)pthread_mutex_lock(&mutex);
	download_count++;
	for (size_t i = 0; i < flip_count; i++)
		flips_now = flips_now || flips[i] == download_count;
	if (flips_now) {
		char text[32];
		(void)snprintf(text, sizeof text, " %zu", size);
		log_line("flipped", calls[call].name, counts[call], text);
	}
	(void)pthread_mutex_unlock(&mutex);
	return flips_now;
}

void faults_count_object(enum object object, int change)
{
	(void)pthread_mutex_lock(&mutex);
	objects[object] += change;
	(void)pthread_mutex_unlock(&mutex);
}

bool faults_skips(enum call call)
{
	bool skips = false;
	for (size_t i = 0; i < skipped_count; i++)
		skips = skips || name_covers(skipped[i], call);
	return skips;
}

/* --- Settings
 * ------------------------------------------------------------------------------------------------------- */

static bool name_is_known(const char *name)
{
	bool known = strcmp(name, "any") == 0 || strcmp(name, "enqueue") == 0;
	for (size_t i = 0; i < CALL_COUNT; i++)
		known = known || strcmp(name, calls[i].name) == 0;
	return known;
}

static bool parse_mode(const char *text, enum mode *mode)
{
	static const char *const names[] = {
		[MODE_ONCE] = "once", [MODE_STICKY] = "sticky", [MODE_LOST] = "lost", [MODE_LATE] = "late"};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		if (strcmp(text, names[i]) == 0) {
			*mode = (enum mode)i;
			return true;
		}
	}
	return false;
}

/* Only a command has a queue that can tell of its failure. */
static bool mode_suits(enum mode mode, const char *name)
{
	return mode != MODE_LATE || strcmp(name, "enqueue") == 0 || strncmp(name, "clEnqueue", 9) == 0;
}

static bool parse_failure(const char *item)
{
	struct failure *f = &failures[failure_count++];
	char mode[16] = "once";
	int code = CL_OUT_OF_RESOURCES;
	int end = 0;
	const int fields =
		sscanf(item, "%47[^:]:%lu%n:%d%n:%15s%n", f->name, &f->number, &end, &code, &end, mode, &end);
	f->code = code;
	return fields >= 2 && item[end] == '\0' && f->number > 0 && code < 0 && name_is_known(f->name) &&
	       parse_mode(mode, &f->mode) && mode_suits(f->mode, f->name);
}

static bool parse_delay(const char *item)
{
	struct pause *p = &pauses[pause_count++];
	int end = 0;
	return sscanf(item, "%47[^:]:%d%n", p->name, &p->milliseconds, &end) == 2 && item[end] == '\0' &&
	       p->milliseconds > 0 && name_is_known(p->name);
}

static bool parse_hold(const char *item)
{
	struct pause *p = &pauses[pause_count++];
	return sscanf(item, "%47[^:]:%255s", p->name, p->file) == 2 && name_is_known(p->name);
}

static bool parse_hang(const char *item)
{
	struct hang *h = &hangs[hang_count++];
	int end = 0;
	return sscanf(item, "%47[^:]:%lu%n", h->name, &h->number, &end) == 2 && item[end] == '\0' && h->number > 0 &&
	       name_is_known(h->name);
}

static bool parse_death(const char *item)
{
	char how[16];
	int end = 0;
	bool known = false;
	if (sscanf(item, "%47[^:]:%lu:%15s%n", dying.name, &dying.number, how, &end) != 3 || item[end] != '\0')
		return false;
	for (size_t i = 0; i < DEATH_COUNT; i++) {
		if (strcmp(how, deaths[i]) == 0) {
			death = (enum death)i;
			known = true;
		}
	}
	return known && dying.number > 0 && name_is_known(dying.name);
}

static bool parse_flip(const char *item)
{
	int end = 0;
	return sscanf(item, "%lu%n", &flips[flip_count], &end) == 1 && item[end] == '\0' && flips[flip_count++] > 0;
}

/* Calls that make nothing and answer nothing but a code. */
static bool parse_skip(const char *item)
{
	(void)snprintf(skipped[skipped_count++], NAME_SIZE, "%s", item);
	return strcmp(item, "clFlush") == 0 || strncmp(item, "clRelease", 9) == 0;
}

static bool parse_lie(const char *item)
{
	if (strcmp(item, "gpu") == 0)
		lies.gpu = true;
	else if (strcmp(item, "no-fp64") == 0)
		lies.no_fp64 = true;
	else if (strcmp(item, "no-denormals") == 0)
		lies.no_denormals = true;
	else if (strcmp(item, "no-rounding") == 0)
		lies.no_rounding = true;
	else
		return false;
	return true;
}

/* Parses the items of a variable, ITEMS_MAX at most. */
static bool parse_items(const char *variable, bool (*parse)(const char *item))
{
	const char *value = getenv(variable);
	char items[1024];
	if (value == NULL)
		return true;
	if (snprintf(items, sizeof items, "%s", value) >= (int)sizeof items)
		return false;
	char *rest = items;
	for (int i = 0; rest != NULL; i++) {
		char *comma = strchr(rest, ',');
		if (comma != NULL)
			*comma = '\0';
		if (i == ITEMS_MAX || !parse(rest))
			return false;
		rest = comma == NULL ? NULL : comma + 1;
	}
	return true;
}

const struct lies *faults_lies(void)
{
	return &lies;
}

static int device = -1;

static bool parse_device(const char *item)
{
	int end = 0;
	return sscanf(item, "%d%n", &device, &end) == 1 && item[end] == '\0' && device >= 0;
}

int faults_device(void)
{
	return device;
}

bool faults_load(void)
{
	const char *log = getenv("FAULT_LOG");
	if (log == NULL || !parse_items("FAULT_FAIL", parse_failure) || !parse_items("FAULT_DELAY", parse_delay) ||
	    !parse_items("FAULT_HOLD", parse_hold) || !parse_items("FAULT_HANG", parse_hang) ||
	    !parse_items("FAULT_DIE", parse_death) || !parse_items("FAULT_FLIP", parse_flip) ||
	    !parse_items("FAULT_SKIP", parse_skip) || !parse_items("FAULT_LIE", parse_lie) ||
	    !parse_items("FAULT_DEVICE", parse_device))
		return false;
	log_fd = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	return log_fd >= 0 && write(log_fd, "loaded\n", 7) == 7;
}

/* The program ends, by exit. */
__attribute__((destructor)) static void end(void)
{
	static const char *const names[] = {
		[OBJECT_CONTEXT] = "context", [OBJECT_QUEUE] = "queue",   [OBJECT_BUFFER] = "buffer",
		[OBJECT_PROGRAM] = "program", [OBJECT_KERNEL] = "kernel", [OBJECT_EVENT] = "event",
	};
	char more[32];
	if (log_fd < 0)
		return;
	for (size_t i = 0; i < OBJECT_COUNT; i++) {
		(void)snprintf(more, sizeof more, " %ld", objects[i]);
		if (objects[i] != 0)
			log_line("kept", names[i], 0, more);
	}
	log_line("ended", "normally", download_count, "");
}
