/* The mirror of decode.c. Most binary results in the machine's byte order do not come here: the sink writes them from
 * where the engine put them (slot_encode). */
#include "encode.h"

#include <string.h>

#include "decimal.h"
#include "number.h"

#define LINE_MAX_SIZE (NUMBER_TEXT_MAX + 1)
_Static_assert(DECIMAL_TEXT_MAX < LINE_MAX_SIZE, "room for a decimal and its newline");

/* Writes one result and returns its bytes; at most LINE_MAX_SIZE. */
static size_t put_result(const struct plan *plan, const struct result_format *f, const union value *v,
			 unsigned char *out)
{
	if (plan->output_format == FORMAT_BINARY) {
		memcpy(out, v, f->type->size);
		if (plan->out_swapped)
			decode_swap(out, 1, f->type->size);
		return f->type->size;
	}
	const size_t size =
		f->decimal ? decimal_format((char *)out, v, f->type, f->scale) : number_format((char *)out, f->type, v);
	out[size] = '\n';
	return size + 1;
}

enum status encode_result(const struct plan *plan, const struct result *r, struct bytes *out)
{
	if (bytes_reserve(out, LINE_MAX_SIZE) != STATUS_OK)
		return STATUS_SYSTEM;
	out->size += put_result(plan, &r->format, &r->value, out->data + out->size);
	return STATUS_OK;
}

static enum status put_mark(const struct mark *mark, struct bytes *out)
{
	enum status status = bytes_append(out, mark->text, mark->size);
	if (status == STATUS_OK)
		status = bytes_append(out, "\n", 1);
	return status;
}

/* Results first .. last-1 without marks between them, in blocks for which room is made once. */
static enum status put_results(const struct plan *plan, const struct encode_part *part, size_t first, size_t last,
			       struct bytes *out)
{
	const size_t block = 1024;
	const size_t size = part->format.type->size;
	const unsigned char *results = part->results;
	if (first == 0 && last > 0 && plan->exclusive) {
		if (encode_result(plan, part->before, out) != STATUS_OK)
			return STATUS_SYSTEM;
		first = 1;
	}
	const size_t shift = plan->exclusive ? 1 : 0;
	while (first < last) {
		const size_t count = last - first < block ? last - first : block;
		if (bytes_reserve(out, count * LINE_MAX_SIZE) != STATUS_OK)
			return STATUS_SYSTEM;
		for (size_t i = 0; i < count; i++) {
			union value v;
			memcpy(&v, results + (first + i - shift) * size, size);
			out->size += put_result(plan, &part->format, &v, out->data + out->size);
		}
		first += count;
	}
	return STATUS_OK;
}

enum status encode_part(const struct plan *plan, const struct encode_part *part, struct bytes *out)
{
	size_t done = 0;
	for (size_t i = 0; i < part->mark_count; i++) {
		const size_t at = part->marks[i].element < part->count ? part->marks[i].element : part->count;
		if (put_results(plan, part, done, at, out) != STATUS_OK || put_mark(&part->marks[i], out) != STATUS_OK)
			return STATUS_SYSTEM;
		done = at;
	}
	return put_results(plan, part, done, part->count, out);
}
