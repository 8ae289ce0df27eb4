/* The first block: what sniff.h says of it against UTF-8's definition, character by character, the formats' magics and
 * float32 as the compiler has it. Nothing is read behind the block, so what is cut at its end counts as what it could
 * still become. */
#include <math.h>
#include <stdbool.h>

#include "fuzz.h"
#include "text/sniff.h"

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

/* Whether the bytes are those of a text of hexadecimal digits; ** is any digit from 1 to 9. */
static bool is_magic_plainly(const unsigned char *bytes, size_t size, const char *hex)
{
	for (; *hex != '\0'; hex += 2, bytes++, size--) {
		unsigned byte = 0;
		if (size == 0)
			return false;
		if (*hex == '*')
			byte = *bytes >= '1' && *bytes <= '9' ? *bytes : 256;
		else
			(void)sscanf(hex, "%2x", &byte);
		if (*bytes != byte)
			return false;
	}
	return true;
}

/* A number with blanks after it. */
static bool number_plainly(const unsigned char *bytes, size_t size, long *number)
{
	char text[16];
	char *end;
	memcpy(text, bytes, size);
	text[size] = '\0';
	*number = strtol(text, &end, 10);
	return text[0] >= '0' && text[0] <= '9' && strspn(end, " ") == (size_t)(text + size - end);
}

static bool is_edf_plainly(const unsigned char *block, size_t size)
{
	long signals, header;
	return size >= 256 && memcmp(block, "0       ", 8) == 0 && number_plainly(block + 184, 8, &header) &&
	       number_plainly(block + 252, 4, &signals) && signals > 0 && header == 256 + 256 * signals;
}

/* The word that a hint must have, or NULL. */
static const char *foreign_plainly(const unsigned char *block, size_t size)
{
	static const struct {
		size_t offset;
		const char *hex;
		const char *word;
	} magics[] = {
		{0, "28b52ffd", "zstd"},
		{0, "fd377a585a00", "xz"},
		{0, "425a68**314159265359", "bzip2"},
		{0, "425a68**177245385090", "bzip2"},
		{0, "04224d18", "lz4"},
		{0, "504b0304", "zip"},
		{257, "7573746172003030", "tar"},
		{257, "7573746172202000", "tar"},
		{0, "894844460d0a1a0a", "HDF5"},
		{0, "50415231", "Parquet"},
		{0, "4152524f57310000", "Arrow"},
		{0, "52494646", "RIFF"},
		{0, "ff42494f53454d49", "BDF"},
		{0, "53514c69746520666f726d6174203300", "SQLite"},
	};
	if (is_edf_plainly(block, size))
		return "EDF";
	uint64_t header = 0;
	for (size_t i = 0; i < 8 && size > 9; i++)
		header |= (uint64_t)block[i] << 8 * i;
	if (header > 1 && header < 1073741824 && block[8] == '{' && strchr("\"}", block[9]) != NULL &&
	    block[9] != '\0' && !is_text_plainly(block, size))
		return "safetensors";
	for (size_t i = 0; i < sizeof magics / sizeof magics[0] && !is_text_plainly(block, size); i++) {
		const size_t offset = magics[i].offset;
		if (size >= offset && is_magic_plainly(block + offset, size - offset, magics[i].hex))
			return magics[i].word;
	}
	return NULL;
}

/* Text that becomes UTF-8. */
struct made {
	unsigned char *text;
	size_t size;
	bool digit;
};

static struct made new_text(size_t size)
{
	struct made made = {.text = malloc(size + 1)};
	REQUIRE(made.text != NULL, "no memory");
	return made;
}

/* False: it is not one. */
static bool add_character(struct made *made, uint32_t c)
{
	if (!is_character(c))
		return false;
	made->digit = made->digit || (c >= '0' && c <= '9');
	made->size += encode(c, made->text + made->size);
	return true;
}

/* Whether it is text with a digit in it. */
static bool ends_as_text(struct made *made)
{
	const bool good = made->digit && is_text_plainly(made->text, made->size);
	free(made->text);
	return good;
}

/* Whether UTF-16, turned into UTF-8 character by character, is text with a digit in it. */
static bool is_utf16_plainly(const unsigned char *block, size_t size, bool big, bool ascii)
{
	struct made made = new_text(2 * size);
	uint32_t first = 0; /* of a pair */
	bool good = true;
	for (size_t i = 0; i + 2 <= size && good; i += 2) {
		uint32_t c = (uint32_t)block[i + !big] << 8 | block[i + big];
		if (first != 0) {
			good = c >= 0xdc00 && c < 0xe000;
			c = 0x10000 + ((first - 0xd800) << 10) + (c - 0xdc00);
			first = 0;
		} else if (c >= 0xd800 && c < 0xdc00) {
			first = c;
			good = !ascii;
			continue;
		}
		good = good && (!ascii || c < 0x80) && add_character(&made, c);
	}
	return ends_as_text(&made) && good;
}

/* The same of UTF-32, which begins with its mark. */
static bool is_utf32_plainly(const unsigned char *block, size_t size)
{
	const bool big = size >= 4 && memcmp(block, "\0\0\xfe\xff", 4) == 0;
	struct made made = new_text(size);
	bool good = big || (size >= 4 && memcmp(block, "\xff\xfe\0\0", 4) == 0);
	for (size_t i = 4; good && i + 4 <= size; i += 4) {
		uint32_t c = 0;
		for (size_t k = 0; k < 4; k++)
			c = c << 8 | block[i + (big ? k : 3 - k)];
		good = add_character(&made, c);
	}
	return ends_as_text(&made) && good;
}

/* Text in units of more than a byte. */
static const char *wide_plainly(const unsigned char *block, size_t size, bool marked_only)
{
	const bool little = size >= 2 && memcmp(block, "\xff\xfe", 2) == 0;
	const bool big = size >= 2 && memcmp(block, "\xfe\xff", 2) == 0;
	if (is_utf32_plainly(block, size))
		return "UTF-32: use iconv -f UTF-32 -t";
	if ((little || big) && is_utf16_plainly(block, size, big, false))
		return "UTF-16: use iconv -f UTF-16 -t";
	/* (Three bytes may be a digit, a NUL and a newline.) */
	for (int k = 0; k < 2 && !marked_only && size != 3; k++) {
		if (is_utf16_plainly(block, size, k == 1, true))
			return k == 1 ? "UTF-16: use iconv -f UTF-16BE -t" : "UTF-16: use iconv -f UTF-16LE -t";
	}
	return NULL;
}

static bool is_unlike_f32_plainly(const unsigned char *block, size_t size)
{
	size_t outside = 0, printable = 0;
	for (size_t i = 0; i + 4 <= size; i += 4) {
		float x;
		uint32_t bits;
		memcpy(&x, block + i, 4);
		memcpy(&bits, block + i, 4);
		if (isnan(x))
			outside += (bits & 0x7fffffff) != 0x7fc00000;
		else
			outside += isfinite(x) && bits << 1 != 0 && !(fabsf(x) > 1e-15f && fabsf(x) < 1e15f);
	}
	for (size_t i = 0; i < size; i++)
		printable += (block[i] >= 0x20 && block[i] <= 0x7e) || (block[i] >= 9 && block[i] <= 13);
	return outside > size / 4 / 2 || 10 * printable > 9 * size;
}

/* By the float32 that each four bytes are, of a machine that stores the low half of eight first. */
static const char *integers_plainly(const unsigned char *block, size_t size, bool may_be_wide)
{
	size_t strange = 0, others = 0, words = 0;
	bool is_wide = may_be_wide, is_narrow = size >= 4, are_signs = size >= 8;
	for (size_t i = 0; i < size / 8; i++) {
		int64_t whole;
		memcpy(&whole, block + 8 * i, 8);
		is_wide = is_wide && whole > -9007199254740992 && whole < 9007199254740992;
		others += whole != 0;
		strange += whole != 0 && (whole < 0 || whole > 4294967295 || whole < 8388608);
		are_signs = are_signs && whole >= INT32_MIN && whole <= INT32_MAX;
	}
	for (size_t i = 0; i < size / 4; i++) {
		int32_t word;
		memcpy(&word, block + 4 * i, 4);
		is_narrow = is_narrow && word > -4194304 && word < 8388608;
		words += word != 0;
	}
	is_wide = is_wide && strange > size / 8 / 8 && strange > others / 2;
	is_narrow = is_narrow && words > size / 4 / 2;
	return is_wide && (are_signs || !is_narrow) ? "int64" : is_narrow ? "int32" : NULL;
}

/* By the two float32 that each eight bytes are, of a machine that stores the low one first. */
static bool is_f64_plainly(const unsigned char *block, size_t count)
{
	size_t kinds[3] = {0}; /* the low halves: zeros, usual and unusual ones */
	size_t whole = 0, short_ones = 0, strange = 0;
	for (size_t i = 0; i < count; i++) {
		float low;
		double value, whole_part;
		uint32_t words[2];
		memcpy(&value, block + 8 * i, 8);
		memcpy(&low, block + 8 * i, 4);
		memcpy(words, block + 8 * i, 8);
		const bool is_nan = words[0] == 0 && (words[1] == 0x7ff80000 || words[1] == 0xfff80000);
		const bool is_good = is_nan || isinf(value) || (fabs(value) > 1e-20 && fabs(value) < 1e15);
		const bool is_default = words[0] == 0x7fc00000 || words[0] == 0xffc00000;
		strange += value != 0 && !is_good;
		if (value == 0 || !is_good)
			continue;
		kinds[words[0] == 0                                                             ? 0
		      : is_default || isinf(low) || (fabsf(low) > 1e-15F && fabsf(low) < 1e15F) ? 1
												: 2]++;
		whole += is_nan || modf(4 * value, &whole_part) == 0;
		short_ones += words[1] % 1024 == 0;
	}
	const size_t all = kinds[0] + kinds[1] + kinds[2];
	if (kinds[2] > 0 && strange <= all / 16)
		return kinds[0] + 12 * kinds[2] > 4 * kinds[1];
	if (strange > 0 || all == 0)
		return false;
	if (kinds[0] > 4 * kinds[1])
		return kinds[0] > 15 || whole >= kinds[0];
	return whole == all && short_ones <= all / 2;
}

static const char *type_plainly(const unsigned char *block, size_t size, size_t all)
{
	const char *integers = integers_plainly(block, all % 4 != 0 ? 0 : size, all % 8 == 0);
	return integers != NULL ? integers : all % 8 == 0 && is_f64_plainly(block, size / 8) ? "float64" : NULL;
}

static void check_hint(const char *hint, const char *word)
{
	REQUIRE((hint != NULL) == (word != NULL), "\"%s\" instead of \"%s\"", hint, word);
	REQUIRE(word == NULL || strncmp(hint, word, strlen(word)) == 0, "\"%s\" instead of \"%s\"", hint, word);
}

static void check_block(const uint8_t *data, size_t size)
{
	unsigned char *block = fuzz_copy(data, size);
	const bool text = sniff_is_text(block, size);
	REQUIRE(text == is_text_plainly(block, size), "%zu bytes are%s text", size, text ? "" : " no");
	check_hint(sniff_foreign(block, size), foreign_plainly(block, size));
	check_hint(sniff_wide_text(block, size, false), wide_plainly(block, size, false));
	check_hint(sniff_wide_text(block, size, true), wide_plainly(block, size, true));
	for (size_t more = 0; more < 9; more++)
		check_hint(sniff_type(block, size, size + more), type_plainly(block, size, size + more));
	REQUIRE(sniff_is_unlike_f32(block, size) == is_unlike_f32_plainly(block, size), "float32 or not");
	free(block);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* Also as if the block had been cut. */
	for (size_t cut = 0; cut < 5 && cut <= size; cut++)
		check_block(data, size - cut);
	return 0;
}
