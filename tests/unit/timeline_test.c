/* Spans: the times and the thread of the work on a stage of a chunk. */
#include "base/timeline.h"

#include "check.h"

int main(void)
{
	struct span s = {0};
	const uint64_t begin = timeline_now_ns();
	timeline_set_thread(3);
	span_add(&s, begin);
	const struct span first = s;
	uint64_t again;
	do
		again = timeline_now_ns();
	while (again <= first.end_ns + 1000);
	span_add(&s, again);
	const uint64_t end = timeline_now_ns();
	CHECK(first.begin_ns == begin && first.end_ns >= begin && first.busy_ns > 0 && first.thread == 3,
	      "a span has the place, the length and the thread of what was done");
	CHECK(s.begin_ns == begin && s.end_ns >= again && s.end_ns <= end,
	      "it goes from the first piece of work to the end of the last");
	CHECK(s.busy_ns > first.busy_ns && s.busy_ns <= end - begin - 1000, "it is busy with the pieces alone");
	return check_done();
}
