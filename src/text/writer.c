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

static size_t put_singly(const struct record_format *format, const struct lane_results *lane, size_t first,
			 size_t count, unsigned char *out)
{
	size_t written = 0;
	for (size_t i = first; i < first + count; i++) {
		const struct result r = result_of(lane, i);
		if (r.absent)
			continue;
		written += put_text(format, &r, "", out + written);
		out[written++] = '\n';
	}
	return written;
}

static size_t put_lines(const struct record_format *format, const struct lane_results *lane, size_t first, size_t count,
			unsigned char *out)
{
	const size_t end = first + count;
	struct result_format f;
	size_t written = 0;
	bool is_fast;
	for (size_t alike; first < end; first += alike) {
		const unsigned char *results = (const unsigned char *)lane->results + first * lane->step;
		char *to = (char *)out + written;
		alike = result_alike(format, lane, first, end - first, &f, &is_fast);
		if (!is_fast) {
			written += put_singly(format, lane, first, alike, out + written);
			continue;
		}
		const size_t size = f.decimal ? decimal_format_lines(to, f.type, f.scale, results, lane->step, alike)
					      : number_format_lines(to, f.type, results, lane->step, alike);
		result_set_mark(format, to, size);
		written += size;
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

/* An object for each result, which has one label. */
static size_t put_objects(const struct record_format *format, const struct lane_results *lane, size_t first,
			  size_t count, unsigned char *out)
{
	const struct label *label = &format->labels[0];
	unsigned char *to = out;
	for (size_t i = first; i < first + count; i++) {
		const struct result r = result_of(lane, i);
		if (r.absent)
			continue;
		*to = '{';
		memcpy(to + 1, label->text + 1, label->size - 1); /* without its comma */
		to += label->size;
		to += result_put_number(format, &r.format, &r.value, to);
		memcpy(to, "}\n", 2);
		to += 2;
	}
	return (size_t)(to - out);
}

enum writer_id { WRITER_LINES, WRITER_BYTES, WRITER_OBJECTS };

static const struct writer writers[] = {
	[WRITER_LINES] = {.makes_lines = true, .begin = "", .end = "\n", .put = put_text, .put_records = put_lines},
	[WRITER_BYTES] = {.makes_lines = false, .begin = "", .end = "", .put = put_bytes, .put_records = put_packed},
	[WRITER_OBJECTS] =
		{.makes_lines = true, .begin = "{", .end = "}\n", .put = put_text, .put_records = put_objects},
};

const struct writer *writer_of(const struct record_format *format)
{
	const bool is_object = format->labels != NULL && format->text.cut == CUT_JSON;
	return &writers[format->output == FORMAT_BINARY ? WRITER_BYTES : is_object ? WRITER_OBJECTS : WRITER_LINES];
}
