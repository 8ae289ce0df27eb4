/* Linked into the coverage build: gcov writes its counters in an exit handler, so ways to end that run none would
 * count as if nothing had been executed. Wraps _exit and raise (ld --wrap), and catches the signals that end a program
 * in a pipeline, which the program, by a wrapped sigaction, does not see. Before that, faults that a preloaded library
 * (tests/fault/libc_rules.c) makes end: they are not for gcov. The sandbox must leave the counters' directory
 * (COVERAGE_DIRECTORY) open, whatever the tests allow. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include <dlfcn.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* libgcov's. */
void __gcov_dump(void);

/* The linker's names. */
void __real__exit(int status) __attribute__((noreturn));
void __wrap__exit(int status) __attribute__((noreturn));
int __real_raise(int signal_number);
int __wrap_raise(int signal_number);

/* Of the preloaded library, or NULL. */
static void (*rest)(void);

__attribute__((constructor)) static void find_rest(void)
{
	void *const found = dlsym(RTLD_DEFAULT, "libc_faults_rest");
	memcpy(&rest, &found, sizeof rest);
}

/* gcov's own destructor comes later. */
__attribute__((destructor)) static void end_faults(void)
{
	if (rest != NULL)
		rest();
}

void __wrap__exit(int status)
{
	end_faults();
	__gcov_dump();
	__real__exit(status);
}

int __wrap_raise(int signal_number)
{
	end_faults();
	__gcov_dump();
	return __real_raise(signal_number);
}

int __real_sigaction(int signal_number, const struct sigaction *new, struct sigaction *old);
int __wrap_sigaction(int signal_number, const struct sigaction *new, struct sigaction *old);

static void end(int signal_number)
{
	(void)signal(signal_number, SIG_DFL);
	(void)__wrap_raise(signal_number);
}

int __wrap_sigaction(int signal_number, const struct sigaction *new, struct sigaction *old)
{
	const int answer = __real_sigaction(signal_number, new, old);
	if (answer == 0 && old != NULL && old->sa_handler == end)
		old->sa_handler = SIG_DFL;
	return answer;
}

__attribute__((constructor)) static void allow_counters(void)
{
	static char setting[8192];
	const char *allowed = getenv("PSCAN_SANDBOX_ALLOW");
	(void)snprintf(setting, sizeof setting, "PSCAN_SANDBOX_ALLOW=%s:%s", COVERAGE_DIRECTORY,
		       allowed != NULL ? allowed : "");
	(void)putenv(setting);
}

__attribute__((constructor)) static void catch_signals(void)
{
	static const int numbers[] = {SIGHUP, SIGINT, SIGTERM, SIGPIPE, SIGXCPU};
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
		struct sigaction action;
		if (__real_sigaction(numbers[i], NULL, &action) == 0 && action.sa_handler == SIG_DFL)
			(void)signal(numbers[i], end);
	}
}
