/* The handler is never removed, so that a late signal does not end the program. */
#include "process/inquiry.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

/* The function that answers, or NULL. Read by the handler. */
static _Atomic(inquiry_answer *) current;
/* The process that answers. Children that a driver forks inherit the handler but do not answer. Set before it is
 * installed. */
static pid_t asked_pid;
/* Whether this module handles the signal. Set before other threads start. */
static bool is_own;

static void handle(int number)
{
	const int saved_errno = errno;
	inquiry_answer *const answer = atomic_load(&current);
	(void)number;
	if (answer != NULL && getpid() == asked_pid)
		answer();
	errno = saved_errno;
}

void inquiry_set(inquiry_answer *answer)
{
	struct sigaction before;
	atomic_store(&current, answer);
	if (is_own || answer == NULL)
		return;
	asked_pid = getpid();
	is_own = sigaction(SIGUSR1, NULL, &before) == 0 && before.sa_handler == SIG_DFL;
	inquiry_keep();
}

void inquiry_keep(void)
{
	/* System calls that the signal interrupts are restarted, except poll. */
	struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
	if (!is_own)
		return;
	(void)sigemptyset(&action.sa_mask);
	(void)sigaction(SIGUSR1, &action, NULL);
}

void inquiry_leave_alone(void)
{
	sigset_t set;
	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGUSR1);
	(void)pthread_sigmask(SIG_BLOCK, &set, NULL);
}
