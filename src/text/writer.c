#include "text/writer.h"

#include <math.h>
#include <string.h>

#include "text/decode.h"

static size_t put_text(const struct record_format *format, const struct result *r, const char *absent,
		       unsigned char *out)
{
	if (!r->absent)
		return result_put_number(format, &r->format, &r->value, out);
	const size_t size = strlen(absent);
	memcpy(out, absent, size);
	return size;
}

static size_t put_lines(const struct record_format *format, const struct lane_results *lane, size_t first, size_t count,
			unsigned char *out)
{
	const struct result_format *f = &lane->format;
	const unsigned char *results = (const unsigned char *)lane->results + first * f->type->size;
	if (!result_is_written_singly(format, lane))
		return f->decimal ? decimal_format_lines((char *)out, f->type, f->scale, results, count)
				  : number_format_lines((char *)out, f->type, results, count);
	size_t written = 0;
	for (size_t i = first; i < first + count; i++) {
		const struct result r = result_take(lane, i);
		if (r.absent)
			continue;
		written += put_text(format, &r, "", out + written);
		out[written++] = '\n';
	}
	return written;
}

/* What has no value as bytes is not a number; of integers none are absent. */
static size_t put_bytes(const struct record_format *format, const struct result *r, const char *absent,
			unsigned char *out)
{
	const struct type *t = r->format.type;
	union value nan = {.f64 = (double)NAN};
	(void)absent;
	if (t->id == TYPE_F32)
		nan.f32 = NAN;
	memcpy(out, r->absent ? &nan : &r->value, t->size);
	if (format->out_swapped)
		decode_swap(out, 1, t->size);
	return t->size;
}

static size_t put_packed(const struct record_format *format, const struct lane_results *lane, size_t first,
			 size_t count, unsigned char *out)
{
	const size_t size = lane->format.type->size;
	memcpy(out, (const unsigned char *)lane->results + first * size, count * size);
	if (format->out_swapped)
		decode_swap(out, count, size);
	return count * size;
}

static const struct writer writers[] = {
	[FORMAT_TEXT] = {.makes_lines = true, .put = put_text, .put_records = put_lines},
	[FORMAT_BINARY] = {.makes_lines = false, .put = put_bytes, .put_records = put_packed},
};

const struct writer *writer_of(const struct record_format *format)
{
	return &writers[format->output];
}
