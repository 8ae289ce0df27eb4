#include "io/filter.h"

#include <string.h>

#include "io/gzip.h"

static const struct filter filters[] = {
	{.name = "gzip",
	 .magic = GZIP_MAGIC,
	 .magic_size = 3,
	 .look = 4,
	 .is_magic = gzip_is_magic,
	 .is_readable = gzip_is_member,
	 .open = gzip_reader_new,
	 .close = gzip_reader_free,
	 .used = gzip_reader_used,
	 .read = gzip_read},
};
#define FILTER_COUNT (sizeof filters / sizeof filters[0])

bool filter_may_begin(const unsigned char *bytes, size_t size)
{
	bool may = false;
	for (size_t i = 0; i < FILTER_COUNT; i++) {
		const struct filter *f = &filters[i];
		may = may ||
		      (size < f->look && memcmp(bytes, f->magic, size < f->magic_size ? size : f->magic_size) == 0);
	}
	return may;
}

const struct filter *filter_find(const unsigned char *bytes, size_t size, bool strict)
{
	for (size_t i = 0; i < FILTER_COUNT; i++) {
		const struct filter *f = &filters[i];
		if (strict ? f->is_readable(bytes, size) : f->is_magic(bytes, size))
			return f;
	}
	return NULL;
}
