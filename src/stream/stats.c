/* Adds up the spans and bytes of the chunks that were written, and prints them as text or JSON. */
#include "stream/stats.h"

#include <inttypes.h>
#include <string.h>

#include "base/message.h"

static const char *const outcome_names[] = {
	[HANDOVER_NONE] = "none",         [HANDOVER_LATE] = "late",     [HANDOVER_KEPT] = "kept",
	[HANDOVER_RETURNED] = "returned", [HANDOVER_FAILED] = "failed",
};

void stats_add(struct stats *stats, const struct slot *s)
{
	const uint64_t elements = s->scan.result_bytes;
	const uint64_t bytes[STAGE_COUNT] = {
		[STAGE_READ] = s->in.size,
		[STAGE_DECODE] = s->in.size,
		[STAGE_UPLOAD] = elements,
		[STAGE_UP_SWEEP] = elements,
		[STAGE_FOLD] = elements,
		[STAGE_DOWN_SWEEP] = elements,
		[STAGE_DOWNLOAD] = elements,
		[STAGE_ENCODE] = s->write.write_size,
		[STAGE_WRITE] = s->write.write_size,
	};
	for (size_t i = 0; i < STAGE_COUNT; i++) {
		if (s->spans[i].busy_ns == 0)
			continue;
		stats->stages[i].busy_ns += s->spans[i].busy_ns;
		stats->stages[i].bytes += bytes[i];
	}
	stats->elements += s->scan.element_count;
	stats->bytes_in += s->in.size;
	stats->bytes_out += s->write.write_size;
	if (s->scanned_on_device)
		stats->device_chunks++;
	else
		stats->host_chunks++;
}

static double seconds(uint64_t ns)
{
	return (double)ns * 1e-9;
}

static double rate(uint64_t bytes, uint64_t ns)
{
	return ns > 0 ? (double)bytes / seconds(ns) : 0;
}

/* Appends a string of JSON. (message_name leaves only printable ASCII in the names of devices.) */
static const char *json_string(char out[MESSAGE_QUOTED_SIZE], const char *text)
{
	return text[0] == '\0' ? "null" : message_quote(out, text, strlen(text));
}

static enum status report_json(const struct stats *s, uint64_t ns, struct bytes *text)
{
	char name[MESSAGE_QUOTED_SIZE];
	const struct handover_stats *h = &s->handover;
	TRY(bytes_format(text,
			 "{\"engine\":\"%s\",\"device\":%s,\"elements\":%" PRIu64 ",\"bytes_in\":%" PRIu64
			 ",\"bytes_out\":%" PRIu64 ",\"compressed_in\":%" PRIu64 ",\"compressed_out\":%" PRIu64
			 ",\"seconds\":%.6f,\"chunks\":{\"host\":%" PRIu64 ",\"device\":%" PRIu64 "},\"stages\":{",
			 s->device_chunks > 0 ? "opencl" : "host", json_string(name, s->device), s->elements,
			 s->bytes_in, s->bytes_out, s->compressed_in, s->compressed_out, seconds(ns), s->host_chunks,
			 s->device_chunks));
	for (size_t i = 0; i < STAGE_COUNT; i++)
		TRY(bytes_format(text, "%s\"%s\":{\"seconds\":%.6f,\"bytes\":%" PRIu64 "}", i > 0 ? "," : "",
				 stage_names[i], seconds(s->stages[i].busy_ns), s->stages[i].bytes));
	return bytes_format(text,
			    "},\"handover\":{\"outcome\":\"%s\",\"bring_up_seconds\":%.6f,\"first_chunk\":%" PRIu64
			    ",\"host_rate\":%.0f,\"device_rate\":%.0f}}\n",
			    outcome_names[h->outcome], seconds(h->bring_up_ns), h->first_chunk, h->host_rate,
			    h->device_rate);
}

static enum status report_handover(const struct handover_stats *h, struct bytes *text)
{
	if (h->outcome == HANDOVER_NONE)
		return h->bring_up_ns == 0 ? STATUS_OK
					   : bytes_format(text, "bring-up    %.3f s\n", seconds(h->bring_up_ns));
	TRY(bytes_format(text, "hand-over   %s, bring-up %.3f s", outcome_names[h->outcome], seconds(h->bring_up_ns)));
	if (h->outcome != HANDOVER_LATE)
		TRY(bytes_format(text, ", from chunk %" PRIu64, h->first_chunk));
	if (h->host_rate > 0 && h->device_rate > 0)
		TRY(bytes_format(text, ", host %.3f GB/s, device %.3f GB/s", h->host_rate * 1e-9,
				 h->device_rate * 1e-9));
	return bytes_format(text, "\n");
}

/* Appends a line with a number of bytes and of the corresponding compressed bytes. */
static enum status report_bytes(const char *name, uint64_t bytes, uint64_t compressed, struct bytes *text)
{
	TRY(bytes_format(text, "%-11s %" PRIu64, name, bytes));
	return compressed == 0 ? bytes_format(text, "\n")
			       : bytes_format(text, " (%" PRIu64 " compressed)\n", compressed);
}

static enum status report_text(const struct stats *s, uint64_t ns, struct bytes *text)
{
	TRY(bytes_format(text, "elements    %" PRIu64 "\n", s->elements));
	TRY(report_bytes("bytes in", s->bytes_in, s->compressed_in, text));
	TRY(report_bytes("bytes out", s->bytes_out, s->compressed_out, text));
	TRY(bytes_format(text,
			 "seconds     %.6f (%.3f GB/s of input)\nengine      %s%s\n"
			 "chunks      %" PRIu64 " on the host, %" PRIu64 " on the device\n",
			 seconds(ns), rate(s->bytes_in, ns) * 1e-9, s->device[0] == '\0' ? "host" : "device ",
			 s->device, s->host_chunks, s->device_chunks));
	TRY(report_handover(&s->handover, text));
	for (size_t i = 0; i < STAGE_COUNT; i++) {
		if (s->stages[i].busy_ns > 0)
			TRY(bytes_format(text, "%-11s %.6f s, %.3f GB/s\n", stage_names[i],
					 seconds(s->stages[i].busy_ns),
					 rate(s->stages[i].bytes, s->stages[i].busy_ns) * 1e-9));
	}
	return STATUS_OK;
}

enum status stats_report(const struct stats *stats, enum stats_format format, struct bytes *text)
{
	const uint64_t ns = timeline_now_ns() - stats->begin_ns;
	return format == STATS_JSON ? report_json(stats, ns, text) : report_text(stats, ns, text);
}
