/* A thread's number is a variable of that thread, so spans need no lock. */
#include "base/timeline.h"

#include <time.h>

const char *const stage_names[] = {
	[STAGE_READ] = "read",         [STAGE_DECODE] = "decode", [STAGE_UPLOAD] = "upload",
	[STAGE_UP_SWEEP] = "up-sweep", [STAGE_FOLD] = "fold",     [STAGE_DOWN_SWEEP] = "down-sweep",
	[STAGE_DOWNLOAD] = "download", [STAGE_ENCODE] = "encode", [STAGE_WRITE] = "write",
};
_Static_assert(sizeof stage_names / sizeof stage_names[0] == STAGE_COUNT, "a name for every stage");

static _Thread_local unsigned current_thread;

uint64_t timeline_now_ns(void)
{
	struct timespec now;
	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

void timeline_set_thread(unsigned thread)
{
	current_thread = thread;
}

void span_add(struct span *s, uint64_t begin_ns)
{
	const uint64_t now = timeline_now_ns();
	if (s->busy_ns == 0)
		s->begin_ns = begin_ns;
	s->end_ns = now;
	s->busy_ns += now > begin_ns ? now - begin_ns : 1;
	s->thread = current_thread;
}
