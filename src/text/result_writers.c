/* There is one writer for lines of text, one for bytes, and one for lines that are JSON objects. */
#include "text/result_writers.h"

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

/* Whether records are objects of JSON. */
static bool are_objects(const struct record_format *format)
{
	return format->labels != NULL && format->text.cut == CUT_JSON;
}

/* Each result that is not absent in a line of its own, or as an object, which has one label. */
static size_t put_singly(const struct record_format *format, const struct lane_results *lane, size_t first,
			 size_t count, unsigned char *out)
{
	const bool is_object = are_objects(format);
	unsigned char *to = out;
	for (size_t i = first; i < first + count; i++) {
		const struct result r = result_of(lane, i);
		if (r.absent)
			continue;
		if (is_object) {
			*to = '{';
			memcpy(to + 1, format->labels->text + 1, format->labels->size - 1); /* without its comma */
			to += format->labels->size;
		}
		to += result_put_number(format, &r.format, &r.value, to);
		if (is_object)
			*to++ = '}';
		*to++ = '\n';
	}
	return (size_t)(to - out);
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

enum writer_id { WRITER_LINES, WRITER_BYTES, WRITER_OBJECTS };

static const struct writer writers[] = {
	[WRITER_LINES] = {.makes_lines = true, .begin = "", .end = "\n", .put = put_text, .put_records = put_lines},
	[WRITER_BYTES] = {.makes_lines = false, .begin = "", .end = "", .put = put_bytes, .put_records = put_packed},
	[WRITER_OBJECTS] =
		{.makes_lines = true, .begin = "{", .end = "}\n", .put = put_text, .put_records = put_singly},
};

const struct writer *writer_of(const struct record_format *format)
{
	return &writers[format->output == FORMAT_BINARY ? WRITER_BYTES
			: are_objects(format)           ? WRITER_OBJECTS
							: WRITER_LINES];
}
