/* The reader of .npy headers: bytes as they are, or words of a vocabulary, one a byte. What it takes must keep its
 * promises, and come back from a header that is made of it; what it refuses has one line to say why. */
#include <stdio.h>

#include "fuzz.h"
#include "text/npy.h"

static const char *const words[] = {"{",
				    "}",
				    "(",
				    ")",
				    "[",
				    "'",
				    "\"",
				    ":",
				    ",",
				    " ",
				    "\n",
				    "'descr'",
				    "'fortran_order'",
				    "'shape'",
				    "True",
				    "False",
				    "'<i4'",
				    "'>f8'",
				    "'|u1'",
				    "'=i2'",
				    "'<c8'",
				    "'i4'",
				    "'float32'",
				    "0",
				    "1",
				    "3",
				    "9223372036854775807",
				    "4294967296",
				    "L",
				    "'descr': '<f4', ",
				    "'fortran_order': False, ",
				    "'shape': (3, 4), ",
				    "{'descr': '<i8', 'fortran_order': False, 'shape': (2,"};
#define WORDS (sizeof words / sizeof words[0])

static struct bytes header;

/* A header of a version with this text. */
static void make_header(unsigned version, const char *text, size_t size)
{
	const unsigned char begin[] = {0x93, 'N', 'U', 'M', 'P', 'Y', (unsigned char)version, 0};
	header.size = 0;
	REQUIRE(bytes_append(&header, begin, sizeof begin) == STATUS_OK, "no memory");
	for (size_t i = 0; i < (version == 1 ? 2U : 4U); i++) {
		const unsigned char byte = (unsigned char)(size >> 8 * i);
		REQUIRE(bytes_append(&header, &byte, 1) == STATUS_OK, "no memory");
	}
	REQUIRE(bytes_append(&header, text, size) == STATUS_OK, "no memory");
}

/* What was read is written and read again. */
static void check_array(const struct npy_array *array)
{
	char code[TYPE_CODE_SIZE];
	char type[TYPE_CODE_SIZE + 2];
	char problem[NPY_PROBLEM_SIZE];
	struct npy_array again;
	struct bytes out = {0};
	uint64_t count;
	REQUIRE(array->type != NULL && array->type->id < TYPE_I128 && array->shape.count <= NPY_AXES_MAX, "the array");
	REQUIRE(npy_count(&array->shape, 0, array->shape.count, UINT64_MAX, &count) && count == array->elements,
		"the count");
	REQUIRE(array->elements <= (uint64_t)INT64_MAX / array->type->size, "too many bytes");
	type_format_code(code, array->type, array->swapped);
	(void)snprintf(type, sizeof type, "'%s'", code);
	REQUIRE(npy_put_header(&out, type, &array->shape) == STATUS_OK, "no memory");
	REQUIRE(npy_read_header(out.data, out.size, &again, problem) == STATUS_OK, "%s", problem);
	REQUIRE(again.type == array->type && again.swapped == array->swapped && again.elements == array->elements &&
			again.shape.count == array->shape.count,
		"another array");
	for (size_t i = 0; i < array->shape.count; i++)
		REQUIRE(again.shape.sizes[i] == array->shape.sizes[i], "axis %zu", i);
	bytes_free(&out);
}

static void check_bytes(const unsigned char *bytes, size_t size)
{
	char problem[NPY_PROBLEM_SIZE] = "";
	struct npy_array array;
	unsigned char *copy = fuzz_copy(bytes, size);
	const uint64_t wanted = npy_header_size(copy, size);
	REQUIRE((wanted > 0) == npy_may_begin(copy, size), "the magic");
	const enum status status = npy_read_header(copy, size, &array, problem);
	REQUIRE(status == STATUS_OK || status == STATUS_DATA || status == STATUS_USAGE, "status %d", (int)status);
	if (status == STATUS_OK) {
		REQUIRE(wanted == size, "a part");
		check_array(&array);
	} else {
		REQUIRE(problem[0] != '\0' && strchr(problem, '\n') == NULL, "the problem: %s", problem);
	}
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const unsigned choice = fuzz_choose(&data, &size);
	char text[8192];
	size_t written = 0;
	if (choice % 4 == 0) {
		check_bytes(data, size);
		return 0;
	}
	for (size_t i = 0; i < size; i++) {
		const char *word = words[data[i] % WORDS];
		if (written + strlen(word) > sizeof text)
			break;
		memcpy(text + written, word, strlen(word));
		written += strlen(word);
	}
	make_header(choice % 4, text, written);
	check_bytes(header.data, header.size);
	return 0;
}
