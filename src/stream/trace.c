/* Complete events ("ph":"X") with times in microseconds. Device commands of one channel never overlap; those of
 * different channels do, and the file shows how much. */
#include "stream/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/message.h"
#include "io/new_file.h"

/* The first track number of the device's channels. */
#define DEVICE_TRACK 1000

struct trace {
	struct new_file place;
	FILE *file; /* writes through its own descriptor */
	uint64_t origin_ns;
	bool begun; /* an event was written */
};

enum status trace_open(const char *path, uint64_t origin_ns, struct trace **trace)
{
	struct trace *t = memory_new(sizeof *t);
	if (t == NULL)
		return STATUS_SYSTEM;
	*t = (struct trace){.origin_ns = origin_ns};
	if (new_file_open(&t->place, path, ENDING_TRACE) != STATUS_OK) {
		memory_free(t);
		return STATUS_SYSTEM;
	}
	const int fd = fcntl(t->place.fd, F_DUPFD_CLOEXEC, 3);
	t->file = fd >= 0 ? fdopen(fd, "w") : NULL;
	if (t->file == NULL) {
		message_error("%s: %s", t->place.name, strerror(errno));
		if (fd >= 0)
			(void)close(fd);
		new_file_abandon(&t->place);
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
			      (double)(span->end_ns - span->begin_ns) * 1e-3, s->in.number);
		t->begun = true;
	}
}

const char *trace_temporary(const struct trace *t)
{
	return t != NULL ? new_file_temporary(&t->place) : NULL;
}

void trace_abandon(struct trace *t)
{
	if (t == NULL)
		return;
	(void)fclose(t->file);
	new_file_abandon(&t->place);
	memory_free(t);
}

enum status trace_close(struct trace *t, bool quiet)
{
	if (t == NULL)
		return STATUS_OK;
	(void)fputs("\n]}\n", t->file);
	const bool failed = ferror(t->file) != 0;
	const bool closed = fclose(t->file) == 0;
	const bool complete = !failed && closed;
	enum status status = complete ? STATUS_OK : STATUS_SYSTEM;
	if (!complete && !quiet)
		message_error("%s: %s", t->place.name, closed ? "the trace could not be written" : strerror(errno));
	/* (A run that failed before its first chunk has an empty trace.) */
	if (complete && (t->begun || !quiet))
		status = new_file_close(&t->place, true);
	else
		new_file_abandon(&t->place);
	memory_free(t);
	return status;
}
