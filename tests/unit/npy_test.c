/* Headers of .npy files. A header that was written is read again; a part of a header is refused. */
#include <string.h>

#include "text/npy.h"

#include "check.h"

static enum status make(struct bytes *out, const char *type, const struct npy_shape *shape)
{
	out->size = 0;
	return npy_put_header(out, type, shape);
}

static bool is_same_shape(const struct npy_shape *a, const struct npy_shape *b)
{
	bool same = a->count == b->count;
	for (size_t i = 0; same && i < a->count; i++)
		same = a->sizes[i] == b->sizes[i];
	return same;
}

static void test_round(void)
{
	static const struct {
		struct npy_shape shape;
		uint64_t elements;
	} cases[] = {
		{{.count = 0}, 1},
		{{.count = 1, .sizes = {0}}, 0},
		{{.count = 1, .sizes = {5}}, 5},
		{{.count = 3, .sizes = {7, 1, 1000000}}, 7000000},
		{{.count = 2, .sizes = {INT64_MAX, 0}}, 0},
		{{.count = 3, .sizes = {INT64_MAX, INT64_MAX, 0}}, 0},
		{{.count = 1, .sizes = {INT64_MAX / 8 - 1}}, INT64_MAX / 8 - 1},
	};
	struct bytes header = {0};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct npy_array array;
		char problem[NPY_PROBLEM_SIZE] = "";
		const bool made = make(&header, "'<i8'", &cases[i].shape) == STATUS_OK;
		EXPECT(made && header.size % 64 == 0 && header.data[header.size - 1] == '\n', "%zu: %zu bytes", i,
		       header.size);
		EXPECT(npy_header_size(header.data, header.size) == header.size, "%zu", i);
		const bool read = npy_read_header(header.data, header.size, &array, problem) == STATUS_OK;
		EXPECT(read && array.type->id == TYPE_I64 && array.elements == cases[i].elements &&
			       is_same_shape(&array.shape, &cases[i].shape),
		       "%zu: %s", i, problem);
		for (size_t size = 0; size < header.size; size++)
			EXPECT(npy_read_header(header.data, size, &array, problem) == STATUS_DATA &&
				       npy_header_size(header.data, size) > size,
			       "%zu: %zu bytes", i, size);
	}
	bytes_free(&header);
	check_promise("a header that was written is read again, and no part of it is one");
}

static void test_growth(void)
{
	char type[80] = "";
	struct bytes header = {0};
	/* Headers end at multiples of 64: types of all lengths meet their edges. */
	for (size_t length = 1; length <= 64; length++) {
		struct npy_shape shape = {.count = 2, .sizes = {NPY_SIZE_UNKNOWN, 3}};
		type[length - 1] = 'x';
		EXPECT(make(&header, type, &shape) == STATUS_OK, "no memory");
		const size_t size = header.size;
		for (uint64_t first = 1; first < NPY_SIZE_UNKNOWN / 10; first *= 10) {
			shape.sizes[0] = first;
			EXPECT(make(&header, type, &shape) == STATUS_OK && header.size == size,
			       "%zu: %zu and %zu bytes", length, header.size, size);
		}
	}
	bytes_free(&header);
	check_promise("a header has the same size whatever the first size is");
}

static void test_long_type(void)
{
	static char type[70001];
	const struct npy_shape shape = {.count = 1, .sizes = {1}};
	struct bytes header = {0};
	memset(type, 'x', sizeof type - 1);
	EXPECT(make(&header, type, &shape) == STATUS_OK && header.data[6] == 2, "version %d", header.data[6]);
	EXPECT(npy_header_size(header.data, header.size) == header.size && header.size % 64 == 0, "%zu", header.size);
	bytes_free(&header);
	check_promise("what 16 bits cannot count is of version 2");
}

static void test_counts(void)
{
	const struct npy_shape shape = {.count = 3, .sizes = {UINT64_C(1) << 32, UINT64_C(1) << 31, 2}};
	uint64_t count = 0;
	EXPECT(npy_count(&shape, 1, 3, UINT64_MAX, &count) && count == UINT64_C(1) << 32, "%llu",
	       (unsigned long long)count);
	EXPECT(!npy_count(&shape, 0, 2, INT64_MAX, &count) && npy_count(&shape, 0, 2, UINT64_MAX, &count), "2^63");
	EXPECT(!npy_count(&shape, 0, 3, UINT64_MAX, &count), "2^64");
	EXPECT(npy_count(&shape, 2, 2, 2, &count) && count == 1, "of no axes: %llu", (unsigned long long)count);
	check_promise("a shape's product does not overflow");
}

int main(void)
{
	test_round();
	test_growth();
	test_long_type();
	test_counts();
	return check_done();
}
