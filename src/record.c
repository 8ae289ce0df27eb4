#include "record.h"

static bool ends_record(const struct plan *plan, unsigned char c)
{
	return c == '\n' || (plan->text.field == 0 && (c == ' ' || (c >= '\t' && c <= '\r')));
}

size_t record_whole(const struct plan *plan, const unsigned char *data, size_t size)
{
	if (plan->input_format == FORMAT_BINARY)
		return size - size % plan->in->size;
	while (size > 0 && !ends_record(plan, data[size - 1]))
		size--;
	return size;
}

size_t record_first_end(const struct plan *plan, const unsigned char *data, size_t from, size_t size)
{
	for (size_t i = from; i < size; i++) {
		if (ends_record(plan, data[i]))
			return i + 1;
	}
	return 0;
}
