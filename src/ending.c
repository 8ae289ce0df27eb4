/* A thread that is in exit or abort cannot come back, but it can stay there. It may hold locks of the C library that
 * other exits need, so the process then ends by _exit (engine_watched_is_stuck). */
#include "ending.h"

#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "message.h"
#include "status.h"

/* How often a thread that stays looks around, and how long somebody else may need for malloc's locks. */
#define LOOK_MS 50
#define MALLOC_LIMIT_MS 2000
/* Of drivers' exit handlers and destructors. */
#define LEAVING_S 5

#ifdef __GLIBC__
#if __GLIBC_PREREQ(2, 33)
#define HAS_MALLINFO2
#endif
#endif

/* Null, or the part's function. Set while nothing else changes them, read by handlers. */
static _Atomic(ending_settle *) parts[ENDING_PART_COUNT];
static atomic_bool drivers_loaded;
static atomic_int leaving_status;
/* Whether an exit is not the program's own. */
static atomic_bool drivers_watched;
static atomic_bool driver_ended;
/* Of the program; a child that a driver has forked has the handlers too, but nothing to settle. */
static pid_t own_pid;
/* A thread that stays in abort may hold locks of malloc: whether somebody has begun to take them, and has. */
static atomic_bool malloc_tried, malloc_works;
/* A driver's threads inherit that it is blocked; nothing sends it. */
#define DRIVER_MARK SIGRTMAX

static void settle(bool crashed)
{
	for (size_t i = 0; i < ENDING_PART_COUNT; i++) {
		ending_settle *const part = atomic_load(&parts[i]);
		if (part != NULL)
			part(crashed);
	}
}

/* Whether this is the thread that calls drivers, or one of theirs. */
static bool is_of_driver(void)
{
	sigset_t blocked;
	return pthread_sigmask(SIG_SETMASK, NULL, &blocked) == 0 && sigismember(&blocked, DRIVER_MARK) == 1;
}

/* Takes every lock of malloc once. */
static void try_malloc(void)
{
#ifdef HAS_MALLINFO2
	(void)mallinfo2();
#else
	free(malloc(65536));
#endif
}

static void end_for_driver(void)
{
	settle(true);
	message_error("a device's driver ended the program");
	_exit(STATUS_SYSTEM);
}

/* The thread is lost, and the device with it; all is if the thread has locked malloc, as where it found the heap
 * damaged. */
static void stay(void)
{
	int waited_ms = 0;
	ending_settle *const cache = atomic_load(&parts[ENDING_CACHE]);
	if (cache != NULL)
		cache(true);
	atomic_store(&driver_ended, true);
	while (!atomic_load(&malloc_works)) {
		(void)poll(NULL, 0, LOOK_MS);
		waited_ms += atomic_load(&malloc_tried) ? LOOK_MS : 0;
		if (waited_ms >= MALLOC_LIMIT_MS)
			end_for_driver();
	}
	for (;;)
		(void)pause();
}

/* Signals by which somebody tells the program to end, and those of crashes. */
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
	if (own && signal_number == SIGABRT && !from_outside && is_of_driver())
		stay();
	if (own)
		settle(!told);
	(void)signal(signal_number, SIG_DFL);
	(void)raise(signal_number);
}

static void handle(int number)
{
	struct sigaction action = {.sa_sigaction = end, .sa_flags = SA_SIGINFO};
	(void)sigemptyset(&action.sa_mask);
	(void)sigaction(number, &action, NULL);
}

/* One that the caller ignores (nohup) or a sanitizer handles stays as it is. */
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

void ending_set(enum ending_part part, ending_settle *function)
{
	atomic_store(&parts[part], function);
	if (function != NULL)
		handle_signals();
}

/* LLVM calls exit where a disk is full. */
static void exits(void)
{
	if (getpid() != own_pid)
		return;
	if (is_of_driver())
		stay();
	if (atomic_load(&drivers_watched))
		end_for_driver();
}

void ending_watch_exit(bool watch)
{
	static atomic_bool registered;
	atomic_store(&drivers_watched, watch);
	if (!atomic_exchange(&registered, true)) {
		(void)atexit(exits);
		(void)at_quick_exit(exits);
	}
}

/* exits twice in the list does no harm. */
void ending_drivers_loaded(void)
{
	if (atomic_exchange(&drivers_loaded, true))
		return;
	(void)atexit(exits);
	/* LLVM has handlers too, which give way to ours for every signal but this one, that comes once only. */
	handle(SIGABRT);
}

/* In a driver's exit handler or destructor. */
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
		/* Not what a sanitizer handles. */
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

static void mark_thread(int how)
{
	sigset_t mark;
	(void)sigemptyset(&mark);
	(void)sigaddset(&mark, DRIVER_MARK);
	(void)pthread_sigmask(how, &mark, NULL);
}

void ending_prepare(void)
{
	own_pid = getpid();
	mark_thread(SIG_UNBLOCK);
}

void ending_mark_driver_thread(void)
{
	mark_thread(SIG_BLOCK);
	handle(SIGABRT);
}

bool ending_driver_ended(void)
{
	if (!atomic_load(&driver_ended))
		return false;
	if (!atomic_exchange(&malloc_tried, true)) {
		try_malloc();
		atomic_store(&malloc_works, true);
	}
	return true;
}
