/* Blocks and growing buffers: alignment, contents, and sizes for which no machine has memory. */
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

#include "check.h"

/* AddressSanitizer would end the program instead. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

static void test_blocks(void)
{
	static const size_t sizes[] = {0, 1, 63, 64, 65, 4095, 4096, 4097, 1000003};
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		unsigned char *block = memory_new(sizes[i]);
		EXPECT(block != NULL && (uintptr_t)block % MEMORY_ALIGNMENT == 0, "%zu bytes", sizes[i]);
		if (block != NULL)
			memset(block, 0x5a, sizes[i] > 0 ? sizes[i] : 1);
		memory_free(block);
	}
	memory_free(NULL);
	unsigned char *zeros = memory_zeros(3, 1000);
	size_t others = 0;
	for (size_t i = 0; zeros != NULL && i < 3000; i++)
		others += zeros[i] != 0;
	EXPECT(zeros != NULL && others == 0, "%zu bytes of a new block are not 0", others);
	struct bytes a = {0};
	struct bytes b = {0};
	EXPECT(bytes_append(&a, "a", 1) == STATUS_OK && bytes_append(&b, "b", 1) == STATUS_OK, "no memory");
	bytes_free_all(&a, &b);
	EXPECT(a.data == NULL && a.size == 0 && b.data == NULL && b.capacity == 0,
	       "bytes that were freed are not empty");
	memory_free_all(zeros, NULL);
	check_promise("a block is aligned and holds its bytes");
}

/* Tells "out of memory" on standard error. */
static void test_too_much(void)
{
	static const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 62, SIZE_MAX / 2 + 1, SIZE_MAX / 2, (size_t)1 << 60};
	struct bytes b = {0};
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		EXPECT(memory_new(sizes[i]) == NULL, "%zu bytes", sizes[i]);
		EXPECT(bytes_reserve(&b, sizes[i]) == STATUS_SYSTEM, "%zu bytes more", sizes[i]);
	}
	EXPECT(bytes_append(&b, "abc", 3) == STATUS_OK && bytes_reserve(&b, SIZE_MAX - 2) == STATUS_SYSTEM, "more");
	EXPECT(bytes_append(&b, "", SIZE_MAX / 2) == STATUS_SYSTEM, "appended");
	EXPECT(b.size == 3 && memcmp(b.data, "abc", 3) == 0, "what was there");
	bytes_free(&b);
	check_promise("sizes that cannot be are refused, and what is there stays");
}

/* Must come first: what is missing later is not reported. */
static void test_one_message(void)
{
	static const char wanted[] = "pscan: cannot start a thread: Resource temporarily unavailable\n";
	char text[256] = "";
	int ends[2];
	const int before = dup(2);
	EXPECT(before >= 0 && pipe(ends) == 0 && dup2(ends[1], 2) == 2, "descriptors");
	memory_missing_thread(EAGAIN);
	memory_missing_thread(EAGAIN);
	memory_missing(5);
	memory_missing_for(7, "things");
	EXPECT(dup2(before, 2) == 2 && close(ends[1]) == 0, "descriptors");
	EXPECT(read(ends[0], text, sizeof text - 1) == (ssize_t)strlen(wanted), "the size");
	CHECK(strcmp(text, wanted) == 0, "one message reports a thread or memory that is missing: %s", text);
	(void)close(ends[0]);
	(void)close(before);
}

static void test_growth(void)
{
	struct bytes b = {0};
	size_t blocks = 0;
	for (unsigned i = 0; i < 100000; i++) {
		const unsigned char byte = (unsigned char)(i * 7);
		const size_t before = b.capacity;
		if (bytes_append(&b, &byte, 1) != STATUS_OK)
			break;
		blocks += b.capacity != before;
	}
	EXPECT(b.size == 100000, "%zu bytes", b.size);
	EXPECT(blocks < 40, "%zu blocks", blocks);
	for (unsigned i = 0; i < b.size; i++)
		EXPECT(b.data[i] == (unsigned char)(i * 7), "byte %u", i);
	EXPECT(bytes_append(&b, NULL, 0) == STATUS_OK && b.size == 100000, "nothing appended");
	bytes_free(&b);
	EXPECT(b.data == NULL && b.size == 0 && b.capacity == 0, "empty again");
	check_promise("a buffer keeps its bytes while it grows, and grows by more than what is asked for");
}

int main(void)
{
	test_one_message();
	test_blocks();
	test_too_much();
	test_growth();
	return check_done();
}
