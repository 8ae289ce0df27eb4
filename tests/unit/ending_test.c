/* Signals that are deferred (ending.h). Each case runs in a child process, and the test looks at how the child ends. */
#include "process/ending.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

/* Exit statuses of a child that no signal ended. */
#define SURVIVED 7
#define NO_BYTE 8

/* Defers signals in a child and raises `first`, then `second`. second = 0: the child ends itself by the deferred one.
 * ignored: a signal that is ignored before, or 0. Returns how the child ended, as waitpid describes it. */
static int end_of(int first, int second, int ignored)
{
	int status = 0;
	int fds[2];
	char byte = 1;
	if (pipe(fds) != 0)
		abort();
	const pid_t child = fork();
	if (child < 0)
		abort();
	if (child == 0) {
		/* A shell's background processes ignore SIGINT, and those of nohup SIGHUP. */
		(void)signal(SIGHUP, SIG_DFL);
		(void)signal(SIGINT, SIG_DFL);
		if (ignored != 0)
			(void)signal(ignored, SIG_IGN);
		ending_prepare();
		ending_defer(fds[1]);
		(void)raise(first);
		if (read(fds[0], &byte, 1) != 1 || byte != 0)
			_exit(NO_BYTE);
		if (second == 0)
			ending_end_deferred();
		else
			(void)raise(second);
		_exit(SURVIVED);
	}
	(void)close(fds[0]);
	(void)close(fds[1]);
	if (waitpid(child, &status, 0) != child)
		abort();
	return status;
}

static bool is_ended_by(int status, int number)
{
	return WIFSIGNALED(status) && WTERMSIG(status) == number;
}

int main(void)
{
	static const int numbers[] = {SIGHUP, SIGINT, SIGTERM};
	for (size_t i = 0; i < 3; i++)
		EXPECT(is_ended_by(end_of(numbers[i], 0, 0), numbers[i]), "signal %d", numbers[i]);
	check_promise("the first signal is deferred, and ends the program in the end");
	for (size_t i = 0; i < 3; i++) {
		for (size_t j = 0; j < 3; j++)
			EXPECT(is_ended_by(end_of(numbers[i], numbers[j], 0), numbers[j]), "signal %d after %d",
			       numbers[j], numbers[i]);
	}
	check_promise("the second signal ends the program at once, whichever of the three it is");
	const int status = end_of(SIGTERM, SIGHUP, SIGHUP);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == SURVIVED,
	      "an ignored signal stays ignored after another one");
	return check_done();
}
