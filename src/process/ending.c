/* Handlers do only what is safe in them. If a driver aborts or calls exit in spite of its trial (driver_trial.h), the
 * program cannot go on, because the driver may hold locks of the C library. It only cleans up. */
#include "process/ending.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/message.h"
#include "base/status.h"

/* The longest time in seconds for drivers' exit handlers and destructors. */
#define LEAVING_S 5

/* Each part's function, or NULL. Set by one thread, read by handlers. */
static _Atomic(ending_clean_up *) parts[ENDING_PART_COUNT];
static atomic_bool drivers_loaded;
static atomic_int leaving_status;
/* The status for an exit that a driver calls. 0: exits are the program's own. */
static atomic_int watched_status;
/* The program's process. Children that a driver forks inherit the handlers, but must not clean up. */
static pid_t own_pid;

/* A thread is between ending_hold and ending_release; is_holder is true in this thread. */
static atomic_bool is_held;
static _Thread_local bool is_holder;
/* Cleaning up has begun. Nothing that needs cleaning up may be created any more. */
static atomic_bool is_ending;

static void clean_up(bool crashed)
{
	const struct timespec nap = {.tv_nsec = 1000000};
	atomic_store(&is_ending, true);
	while (atomic_load(&is_held) && !is_holder)
		(void)nanosleep(&nap, NULL);
	for (size_t i = 0; i < ENDING_PART_COUNT; i++) {
		ending_clean_up *const part = atomic_load(&parts[i]);
		if (part != NULL)
			part(crashed);
	}
}

static void end_for_driver(void)
{
	clean_up(true);
	message_error("a device's driver ended the program");
	_exit(atomic_load(&watched_status));
}

/* Signals that ask the program to end, and signals of crashes. */
static const int requests[] = {SIGHUP,  SIGINT,  SIGTERM, SIGQUIT,   SIGPIPE, SIGXCPU,
			       SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGPOLL};
static const int crashes[] = {SIGABRT, SIGBUS, SIGSEGV, SIGILL, SIGFPE, SIGSYS, SIGTRAP};
#define REQUEST_COUNT (sizeof requests / sizeof requests[0])
#define CRASH_COUNT (sizeof crashes / sizeof crashes[0])

static void end(int signal_number, siginfo_t *info, void *context)
{
	(void)context;
	const bool sent = info->si_code == SI_USER || info->si_code == SI_QUEUE;
	const bool from_outside = sent && info->si_pid != getpid();
	const bool own = getpid() == own_pid;
	bool told = from_outside;
	for (size_t i = 0; i < REQUEST_COUNT; i++)
		told = told || requests[i] == signal_number;
	if (own && signal_number == SIGABRT && !from_outside && atomic_load(&watched_status) != 0)
		end_for_driver();
	if (own)
		clean_up(!told);
	(void)signal(signal_number, SIG_DFL);
	(void)raise(signal_number);
}

static void handle(int number)
{
	struct sigaction action = {.sa_sigaction = end, .sa_flags = SA_SIGINFO};
	(void)sigemptyset(&action.sa_mask);
	(void)sigaction(number, &action, NULL);
}

/* The signals that are deferred, the first of them that came, or 0, and the descriptor to which a byte is written
 * then. */
static const int deferrable[] = {SIGHUP, SIGINT, SIGTERM};
#define DEFERRABLE_COUNT (sizeof deferrable / sizeof deferrable[0])
static atomic_int deferred;
static atomic_int deferred_fd;

/* The next signal, whichever it is, ends the program. */
static void defer(int number)
{
	const int error = errno;
	const char byte = 0;
	struct sigaction before;
	atomic_store(&deferred, number);
	for (size_t i = 0; i < DEFERRABLE_COUNT; i++) {
		if (sigaction(deferrable[i], NULL, &before) == 0 && before.sa_handler == defer)
			handle(deferrable[i]);
	}
	(void)!write(atomic_load(&deferred_fd), &byte, 1);
	errno = error;
}

void ending_defer(int fd)
{
	struct sigaction action = {.sa_handler = defer, .sa_flags = SA_RESTART};
	struct sigaction before;
	(void)sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < DEFERRABLE_COUNT; i++)
		(void)sigaddset(&action.sa_mask, deferrable[i]);
	atomic_store(&deferred_fd, fd);
	for (size_t i = 0; i < DEFERRABLE_COUNT; i++) {
		if (sigaction(deferrable[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
			(void)sigaction(deferrable[i], &action, NULL);
	}
}

void ending_end_deferred(void)
{
	const int number = atomic_load(&deferred);
	if (number == 0)
		return;
	(void)signal(number, SIG_DFL);
	(void)raise(number);
}

/* Installs the handler, unless the signal is ignored (nohup) or handled already (by a sanitizer). */
static void handle_if_free(int number)
{
	struct sigaction before;
	if (sigaction(number, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
		handle(number);
}

static void handle_signals(void)
{
	for (size_t i = 0; i < REQUEST_COUNT; i++)
		handle_if_free(requests[i]);
	for (size_t i = 0; i < CRASH_COUNT; i++)
		handle_if_free(crashes[i]);
}

void ending_set(enum ending_part part, ending_clean_up *function)
{
	atomic_store(&parts[part], function);
	if (function != NULL)
		handle_signals();
}

/* The signals that were blocked before ending_hold. */
static sigset_t blocked_before;

void ending_hold(void)
{
	sigset_t all;
	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_BLOCK, &all, &blocked_before);
	handle_signals();
	is_holder = true;
	atomic_store(&is_held, true);
	if (!atomic_load(&is_ending))
		return;
	is_holder = false;
	atomic_store(&is_held, false);
	while (true) /* Waits for another thread's handler to end the program. */
		(void)pause();
}

void ending_release(void)
{
	is_holder = false;
	atomic_store(&is_held, false);
	(void)pthread_sigmask(SIG_SETMASK, &blocked_before, NULL);
}

/* The exit handler. (LLVM calls exit if a disk is full.) */
static void exits(void)
{
	if (getpid() != own_pid)
		return;
	if (atomic_load(&watched_status) != 0)
		end_for_driver();
}

void ending_watch_exit(int status)
{
	static atomic_bool registered;
	atomic_store(&watched_status, status);
	if (!atomic_exchange(&registered, true)) {
		(void)atexit(exits);
		(void)at_quick_exit(exits);
	}
}

/* Registering the exit handler twice does no harm. */
void ending_drivers_loaded(void)
{
	if (atomic_exchange(&drivers_loaded, true))
		return;
	(void)atexit(exits);
	/* LLVM's handlers pass all signals on to these, except SIGABRT, which comes only once. */
	handle(SIGABRT);
}

/* The signal handler while drivers' exit handlers and destructors run. */
static void leave(int signal_number)
{
	(void)signal_number;
	_exit(atomic_load(&leaving_status));
}

void ending_leave(int status, unsigned limit_s)
{
	struct sigaction action = {.sa_handler = leave};
	struct sigaction before;
	sigset_t alarm_signal;
	if (!atomic_load(&drivers_loaded))
		return;
	atomic_store(&leaving_status, status);
	(void)sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < CRASH_COUNT; i++) {
		/* A sanitizer's handler stays. */
		if (sigaction(crashes[i], NULL, &before) == 0 &&
		    (before.sa_handler == SIG_DFL || before.sa_sigaction == end))
			(void)sigaction(crashes[i], &action, NULL);
	}
	(void)sigaction(SIGALRM, &action, NULL);
	(void)sigemptyset(&alarm_signal);
	(void)sigaddset(&alarm_signal, SIGALRM);
	(void)pthread_sigmask(SIG_UNBLOCK, &alarm_signal, NULL);
	(void)alarm(limit_s < LEAVING_S ? limit_s : LEAVING_S);
}

void ending_prepare(void)
{
	own_pid = getpid();
}
