/* The first block: sniff_is_text and sniff_foreign against UTF-8's definition, character by character, and the formats'
 * magics. Nothing is read behind the block, so what is cut at its end counts as what it could still become. */
#include <stdbool.h>

#include "fuzz.h"
#include "sniff.h"

/* The bytes of a character as UTF-8: 1 to 4. */
static size_t encode(uint32_t c, unsigned char out[4])
{
	if (c < 0x80) {
		out[0] = (unsigned char)c;
		return 1;
	}
	const size_t size = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	static const unsigned char first[] = {0, 0, 0xc0, 0xe0, 0xf0};
	for (size_t i = size - 1; i > 0; i--, c >>= 6)
		out[i] = (unsigned char)(0x80 | (c & 0x3f));
	out[0] = (unsigned char)(first[size] | c);
	return size;
}

static bool is_character(uint32_t c)
{
	return c <= 0x10ffff && (c < 0xd800 || c > 0xdfff);
}

/* Whether some character begins with all of the size bytes. Only those that share their bits are tried. */
static bool begins_character(const unsigned char *p, size_t size)
{
	const size_t whole = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
	uint32_t low = p[0] & (0x7fu >> whole);
	unsigned char bytes[4];
	if (p[0] < 0xc0 || p[0] > 0xf7 || size >= whole)
		return false;
	for (size_t i = 1; i < whole; i++)
		low = low << 6 | (i < size ? p[i] & 0x3fu : 0);
	const uint32_t count = UINT32_C(1) << 6 * (whole - size);
	for (uint32_t c = low; c < low + count; c++) {
		if (is_character(c) && encode(c, bytes) == whole && memcmp(bytes, p, size) == 0)
			return true;
	}
	return false;
}

/* The bytes of the character at p, or 0. */
static size_t character_at(const unsigned char *p, size_t size)
{
	unsigned char bytes[4];
	uint32_t c = p[0];
	for (size_t length = 1; length <= 4 && length <= size; length++) {
		if (length > 1) {
			c = p[0] & (0x7fu >> length);
			for (size_t i = 1; i < length; i++)
				c = c << 6 | (p[i] & 0x3fu);
		}
		if (is_character(c) && encode(c, bytes) == length && memcmp(bytes, p, length) == 0)
			return length;
	}
	return 0;
}

static bool is_text_plainly(const unsigned char *block, size_t size)
{
	for (size_t i = 0; i < size;) {
		const size_t length = character_at(block + i, size - i);
		if (length == 0)
			return begins_character(block + i, size - i);
		if (length == 1 && block[i] != 0x7f ? block[i] < 0x20 && strchr("\t\n\v\f\r", block[i]) == NULL
						    : length == 1)
			return false;
		if (block[i] == '\0')
			return false; /* which strchr finds */
		i += length;
	}
	return true;
}

/* The word that a hint must have, or NULL. */
static const char *foreign_plainly(const unsigned char *block, size_t size)
{
	static const struct {
		const char *hex;
		const char *word;
	} magics[] = {
		{"934e554d5059", "npy"}, {"28b52ffd", "zstd"},         {"fd377a585a00", "xz"},  {"425a68", "bzip2"},
		{"504b0304", "zip"},     {"894844460d0a1a0a", "HDF5"}, {"50415231", "Parquet"},
	};
	for (size_t i = 0; i < sizeof magics / sizeof magics[0]; i++) {
		const size_t length = strlen(magics[i].hex) / 2;
		bool same = size >= length;
		for (size_t k = 0; k < length && same; k++) {
			unsigned byte = 0;
			(void)sscanf(magics[i].hex + 2 * k, "%2x", &byte);
			same = block[k] == byte;
		}
		if (same)
			return magics[i].word;
	}
	return NULL;
}

static void check_block(const uint8_t *data, size_t size)
{
	unsigned char *block = fuzz_copy(data, size);
	const bool text = sniff_is_text(block, size);
	const char *hint = sniff_foreign(block, size);
	const char *word = foreign_plainly(block, size);
	REQUIRE(text == is_text_plainly(block, size), "%zu bytes are%s text", size, text ? "" : " no");
	REQUIRE((hint != NULL) == (word != NULL), "\"%s\" instead of \"%s\"", hint, word);
	REQUIRE(word == NULL || strncmp(hint, word, strlen(word)) == 0, "\"%s\" instead of \"%s\"", hint, word);
	free(block);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* Also as if the block had been cut. */
	for (size_t cut = 0; cut < 5 && cut <= size; cut++)
		check_block(data, size - cut);
	return 0;
}
