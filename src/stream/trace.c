/* Complete events ("ph":"X") with times in microseconds. The device's commands of one channel are never at the same time,
 * those of different channels are: that is the overlap to look at. */
#include "stream/trace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/message.h"

/* Track numbers of the device's channels begin here. */
#define DEVICE_TRACK 1000

struct trace {
	FILE *file;
	uint64_t origin_ns;
	bool begun; /* an event was written */
	char name[MESSAGE_NAME_SIZE];
};

enum status trace_open(const char *path, uint64_t origin_ns, struct trace **trace)
{
	struct trace *t = memory_new(sizeof *t);
	if (t == NULL)
		return STATUS_SYSTEM;
	*t = (struct trace){.origin_ns = origin_ns};
	t->file = fopen(path, "we");
	message_name(t->name, path);
	if (t->file == NULL) {
		message_error("%s: %s", t->name, strerror(errno));
		memory_free(t);
		return STATUS_SYSTEM;
	}
	(void)fputs("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[", t->file);
	*trace = t;
	return STATUS_OK;
}

static double microseconds(const struct trace *t, uint64_t ns)
{
	return ((double)ns - (double)t->origin_ns) * 1e-3;
}

void trace_add(struct trace *t, const struct slot *s)
{
	if (t == NULL)
		return;
	for (size_t i = 0; i < STAGE_COUNT; i++) {
		const struct span *span = &s->spans[i];
		if (span->busy_ns == 0)
			continue;
		const bool device = span->thread == TIMELINE_DEVICE;
		(void)fprintf(t->file,
			      "%s\n{\"ph\":\"X\",\"pid\":1,\"tid\":%" PRIu64
			      ",\"name\":\"%s\",\"cat\":\"%s\",\"ts\":%.3f,\"dur\":%.3f,\"args\":{\"chunk\":%" PRIu64
			      "}}",
			      t->begun ? "," : "", device ? (uint64_t)DEVICE_TRACK + s->channel : span->thread,
			      stage_names[i], device ? "device" : "host", microseconds(t, span->begin_ns),
			      (double)(span->end_ns - span->begin_ns) * 1e-3, s->number);
		t->begun = true;
	}
}

enum status trace_close(struct trace *t, bool quiet)
{
	if (t == NULL)
		return STATUS_OK;
	(void)fputs("\n]}\n", t->file);
	const bool failed = ferror(t->file) != 0;
	const bool closed = fclose(t->file) == 0;
	if ((failed || !closed) && !quiet)
		message_error("%s: %s", t->name, closed ? "the trace could not be written" : strerror(errno));
	memory_free(t);
	return failed || !closed ? STATUS_SYSTEM : STATUS_OK;
}
