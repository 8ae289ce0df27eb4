/* What is text is never foreign, except EDF: a name list may begin with "PAR1". */
#include "text/sniff.h"

#include <stdint.h>
#include <string.h>

#include "base/utf8.h"
#include "text/npy.h"

/* Bytes that are looked at. */
#define SNIFF_BLOCK_SIZE 4096

/* In a magic: any digit from 1 to 9. */
#define LEVEL '\1'

static const struct {
	size_t offset, size;
	const char *magic;
	const char *hint;
} formats[] = {
	{0, 4, "\x28\xb5\x2f\xfd", "zstd: use zstd -dc F | pscan"},
	{0, 6, "\xfd\x37zXZ\0", "xz: use xz -dc F | pscan"},
	{0, 10, "BZh\1\x31\x41\x59\x26\x53\x59", "bzip2: use bzip2 -dc F | pscan"},
	{0, 10, "BZh\1\x17\x72\x45\x38\x50\x90", "bzip2: use bzip2 -dc F | pscan"}, /* of nothing */
	{0, 4, "\x04\x22\x4d\x18", "lz4: use lz4 -dc F | pscan"},
	{0, 4, "PK\x03\x04", "zip: use unzip -p F | pscan"},
	{257, 8, "ustar\0\x30\x30", "tar: use tar -xOf F | pscan"}, /* POSIX's */
	{257, 8, "ustar  \0", "tar: use tar -xOf F | pscan"}, /* GNU's */
	{0, 8, "\x89HDF\r\n\x1a\n", "HDF5: use h5dump -b -d DATASET -o RAW F"},
	{0, 4, "PAR1", "Parquet: convert it to CSV or raw numbers first"},
	{0, 8, "ARROW1\0\0", "Arrow (Feather): convert it to CSV or raw numbers first"},
	{0, 4, "RIFF", "RIFF (WAVE, AVI, WebP): convert it to raw numbers, such as by sox F -t raw -"},
	{0, 8,
	 "\xff"
	 "BIOSEMI",
	 "BDF: convert it to CSV or raw numbers first"},
	{0, 16, "SQLite format 3\0", "SQLite: use sqlite3 F 'SELECT ...' | pscan"},
};

static bool is_at(const unsigned char *bytes, const char *magic, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		const bool fits =
			magic[i] == LEVEL ? bytes[i] >= '1' && bytes[i] <= '9' : bytes[i] == (unsigned char)magic[i];
		if (!fits)
			return false;
	}
	return true;
}

/* Tensors as safetensors has them: the size of a header, then that header, an object of JSON. */
static bool is_safetensors(const unsigned char *block, size_t size)
{
	uint64_t header = 0;
	for (size_t i = 8; i > 0 && size > 9; i--)
		header = header << 8 | block[i - 1];
	return header > 1 && header < (UINT64_C(1) << 30) && block[8] == '{' && (block[9] == '"' || block[9] == '}');
}

/* A number of `size` characters, padded with blanks; -1 if it is not a number. */
static long number_at(const unsigned char *text, size_t size)
{
	long number = 0;
	size_t i = 0;
	for (; i < size && text[i] >= '0' && text[i] <= '9'; i++)
		number = number * 10 + text[i] - '0';
	const bool has_digits = i > 0;
	while (i < size && text[i] == ' ')
		i++;
	return has_digits && i == size ? number : -1;
}

/* EDF: a header of 256 characters and as many for each signal, whose sizes it tells. (It is text in itself.) */
static bool is_edf(const unsigned char *block, size_t size)
{
	if (size < 256 || memcmp(block, "0       ", 8) != 0)
		return false;
	const long signals = number_at(block + 252, 4);
	return signals > 0 && number_at(block + 184, 8) == 256 * (signals + 1);
}

const char *sniff_foreign(const unsigned char *block, size_t size)
{
	if (is_edf(block, size))
		return "EDF: convert it to CSV or raw numbers first";
	if (is_safetensors(block, size) && !sniff_is_text(block, size))
		return "safetensors: take the tensor out first, as raw numbers or .npy";
	for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
		const size_t offset = formats[i].offset;
		if (size >= offset + formats[i].size && is_at(block + offset, formats[i].magic, formats[i].size))
			return sniff_is_text(block, size) ? NULL : formats[i].hint;
	}
	return NULL;
}

static bool is_control(unsigned c)
{
	return (c < 0x20 && (c < '\t' || c > '\r')) || c == 0x7f;
}

/* Whether the units of `step` bytes (2 or 4) are well-formed text with a digit in it; ascii: of no other characters. A
 * unit or pair that is cut counts. The bytes of a unit are at bytes[i ^ swap], the lowest first. */
static bool is_wide_text(const unsigned char *bytes, size_t size, size_t step, size_t swap, bool ascii)
{
	bool has_digit = false;
	bool in_pair = false;
	for (size_t i = step == 4 ? 4 : 0; i + step <= size; i += step) {
		uint32_t unit = 0;
		for (size_t b = 0; b < step; b++)
			unit |= (uint32_t)bytes[(i + b) ^ swap] << 8 * b;
		const bool is_first = unit >= 0xd800 && unit <= 0xdbff;
		const bool is_second = unit >= 0xdc00 && unit <= 0xdfff;
		if (is_second != in_pair || is_control(unit) || unit > (ascii ? 0x7f : 0x10ffff) ||
		    (is_first && step == 4))
			return false;
		in_pair = is_first;
		has_digit = has_digit || (unit >= '0' && unit <= '9');
	}
	return has_digit;
}

const char *sniff_wide_text(const unsigned char *block, size_t size, bool marked_only)
{
	if (size >= 4 && ((memcmp(block, "\xff\xfe\0\0", 4) == 0 && is_wide_text(block, size, 4, 0, false)) ||
			  (memcmp(block, "\0\0\xfe\xff", 4) == 0 && is_wide_text(block, size, 4, 3, false))))
		return "UTF-32: use iconv -f UTF-32 -t UTF-8 F | pscan";
	const bool little_mark = size >= 2 && block[0] == 0xff && block[1] == 0xfe;
	const bool big_mark = size >= 2 && block[0] == 0xfe && block[1] == 0xff;
	if ((little_mark && is_wide_text(block, size, 2, 0, false)) ||
	    (big_mark && is_wide_text(block, size, 2, 1, false)))
		return "UTF-16: use iconv -f UTF-16 -t UTF-8 F | pscan";
	/* (A digit, a NUL and the end of the line are not one and a half units.) */
	const bool may_be_unmarked = !marked_only && size != 3;
	if (may_be_unmarked && is_wide_text(block, size, 2, 0, true))
		return "UTF-16: use iconv -f UTF-16LE -t UTF-8 F | pscan";
	if (may_be_unmarked && is_wide_text(block, size, 2, 1, true))
		return "UTF-16: use iconv -f UTF-16BE -t UTF-8 F | pscan";
	return NULL;
}

/* Whether it is a magnitude that measured and computed numbers have. Of the NaNs only those that computing gives. */
static bool is_usual(const unsigned char *bytes)
{
	uint32_t bits;
	float value;
	memcpy(&bits, bytes, sizeof bits);
	memcpy(&value, bytes, sizeof value);
	bits &= UINT32_C(0x7fffffff);
	if (value < 0.0f)
		value = -value;
	return bits == 0 || bits == UINT32_C(0x7f800000) || bits == UINT32_C(0x7fc00000) ||
	       (value > 1e-15f && value < 1e15f);
}

bool sniff_is_unlike_f32(const unsigned char *block, size_t size)
{
	const size_t count = size / sizeof(float);
	size_t usual = 0;
	size_t printable = 0;
	for (size_t i = 0; i < count; i++)
		usual += is_usual(block + i * sizeof(float));
	for (size_t i = 0; i < size; i++)
		printable += block[i] < 0x7f && !is_control(block[i]);
	return count - usual > count / 2 || printable * 10 > size * 9;
}

/* Integers of 64 bits up to 2^53, most of which would have a subnormal float32 in one half, or as negative ones a NaN
 * that no processor makes. (So has each pair of small ones of 32 bits.) *are_i32 becomes
 * whether the halves that are the high ones are but signs. */
static bool is_like_integers(const unsigned char *block, size_t count, bool *are_i32)
{
	const int64_t limit = INT64_C(1) << 53;
	size_t strange = 0;
	size_t zeros = 0;
	bool all = true;
	*are_i32 = true;
	for (size_t i = 0; all && i < count; i++) {
		int64_t value;
		memcpy(&value, block + i * sizeof value, sizeof value);
		all = value > -limit && value < limit;
		*are_i32 = *are_i32 && value == (int32_t)value;
		zeros += value == 0;
		strange += value < 0 || (value > 0 && value < INT64_C(1) << 23) || value >= INT64_C(1) << 32;
	}
	return all && strange > count / 8 && strange > (count - zeros) / 2;
}

/* Integers of 32 bits, all of which would be subnormal float32 or NaNs that no processor makes, and of which half are
 * not 0. */
static bool is_like_i32(const unsigned char *block, size_t count)
{
	const int32_t limit = INT32_C(1) << 23;
	size_t strange = 0;
	bool all = count > 0;
	for (size_t i = 0; all && i < count; i++) {
		int32_t value;
		memcpy(&value, block + i * sizeof value, sizeof value);
		all = value > -limit / 2 && value < limit;
		strange += value != 0;
	}
	return all && strange > count / 2;
}

const unsigned char *sniff_control(const unsigned char *block, size_t size)
{
	size_t i = 0;
	while (i < size && !is_control(block[i]))
		i++;
	return i < size ? block + i : NULL;
}

/* Whether a byte may be one of numbers as text, or stand between them: white space, or a NUL. */
static bool is_in_numbers(unsigned char c)
{
	return (c >= '0' && c <= '9') || memchr("+-.eE \t\r\n", c, sizeof "+-.eE \t\r\n") != NULL;
}

/* Whether these are lines of text, and after them NULs to the end. (A float32 within which the NULs begin would be one
 * that is hardly seen.) */
static bool is_padded_text(const unsigned char *block, size_t size)
{
	size_t end = size;
	while (end > 0 && block[end - 1] == '\0')
		end--;
	return end > 1 && block[end - 1] == '\n' && sniff_is_text(block, end);
}

bool sniff_is_printable(const unsigned char *block, size_t size)
{
	const bool has_controls = sniff_control(block, size) != NULL;
	/* The last float32 of such a block would be about 1e-32, or 1e-23 (the end of a DOS file). */
	const bool ends_in_line = size > 0 && (block[size - 1] == '\n' || block[size - 1] == '\x1a');
	size_t printable = 0;
	bool are_numbers = true;
	for (size_t i = 0; i < size; i++) {
		printable += block[i] < 0x7f && !is_control(block[i]);
		are_numbers = are_numbers && is_in_numbers(block[i]);
	}
	return is_padded_text(block, size) || (size > 4 && printable * 10 > size * 8) ||
	       ((ends_in_line || are_numbers) && printable * 2 > size) ||
	       (!has_controls && (size >= 64 || ends_in_line));
}

/* Whether pairs of float32 are rather f64 of usual magnitudes. The low half of an f64 is 0 if the f64 has few digits,
 * such as a small whole number. Otherwise it is a float32 of any magnitude or sign. Real float32 is hardly ever like
 * that: it has few unusual numbers, and its zeros stand anywhere. */
static bool is_like_f64(const unsigned char *block, size_t count)
{
	size_t zeros = 0, usual = 0, unusual = 0; /* low halves of numbers other than 0 */
	size_t quarters = 0; /* multiples of 1/4 */
	size_t round = 0; /* high halves with few digits */
	size_t others = 0; /* pairs that are not a usual f64 */
	for (size_t i = 0; i < count; i++) {
		const unsigned char *pair = block + i * sizeof(uint64_t);
		uint64_t bits;
		double value;
		memcpy(&bits, pair, sizeof bits);
		memcpy(&value, pair, sizeof value);
		const uint32_t low = (uint32_t)bits;
		const uint32_t high = (uint32_t)(bits >> 32) & UINT32_C(0x7fffffff);
		const double magnitude = value < 0 ? -value : value;
		/* Infinity, or the NaN that computing gives. */
		const bool is_special = low == 0 && (high == UINT32_C(0x7ff00000) || high == UINT32_C(0x7ff80000));
		if (low == 0 && high == 0)
			continue;
		if (!is_special && !(magnitude > 1e-20 && magnitude < 1e15)) {
			others++;
			continue;
		}
		const bool is_unusual = low == UINT32_C(1) << 31 || !is_usual((const unsigned char *)&low);
		zeros += low == 0;
		usual += low != 0 && !is_unusual;
		unusual += is_unusual;
		quarters += is_special || 4 * magnitude == (double)(int64_t)(4 * magnitude);
		round += (high & 0x3ff) == 0;
	}
	if (unusual > 0 && others <= (zeros + usual + unusual) / 16)
		return 12 * unusual + zeros > 4 * usual;
	if (others > 0)
		return false;
	return zeros > 4 * usual ? zeros >= 16 || quarters >= zeros
				 : usual > 0 && quarters == zeros + usual && round <= quarters / 2;
}

const char *sniff_type(const unsigned char *block, size_t size, uint64_t bytes)
{
	const size_t pairs = bytes % sizeof(int64_t) == 0 ? size / sizeof(int64_t) : 0;
	const size_t words = bytes % sizeof(int32_t) == 0 ? size / sizeof(int32_t) : 0;
	bool are_i32;
	if (is_like_integers(block, pairs, &are_i32) && (are_i32 || !is_like_i32(block, words)))
		return "int64";
	if (is_like_i32(block, words))
		return "int32";
	return is_like_f64(block, pairs) ? "float64" : NULL;
}

/* Whether PIECE bytes are of ASCII and no control characters. All are looked at, so that the compiler makes vectors of
 * it. */
#define PIECE 64
static bool is_plain_piece(const unsigned char *p)
{
	unsigned char others = 0;
	for (size_t i = 0; i < PIECE; i++)
		others |=
			(unsigned char)((p[i] < 0x20) & ((unsigned char)(p[i] - '\t') > '\r' - '\t')) | (p[i] >= 0x7f);
	return others == 0;
}

bool sniff_is_text(const unsigned char *block, size_t size)
{
	for (size_t i = 0; i < size;) {
		unsigned char low;
		unsigned char high;
		if (i % PIECE == 0 && size - i >= PIECE && is_plain_piece(block + i)) {
			i += PIECE;
			continue;
		}
		if (block[i] < 0x80) {
			if (is_control(block[i]))
				return false;
			i++;
			continue;
		}
		const size_t length = utf8_sequence(block[i], &low, &high);
		if (length == 0)
			return false;
		for (size_t j = 1; j < length && i + j < size; j++) {
			const unsigned char c = block[i + j];
			if (c < (j == 1 ? low : 0x80) || c > (j == 1 ? high : 0xbf))
				return false;
		}
		i += length;
	}
	return true;
}

const char *sniff_not_text(const unsigned char *bytes, size_t size)
{
	size = size < SNIFF_BLOCK_SIZE ? size : SNIFF_BLOCK_SIZE;
	if (sniff_is_text(bytes, size))
		return NULL;
	if (npy_begins(bytes, size))
		return "an array (.npy), which is not text (see --format)";
	const char *foreign = sniff_foreign(bytes, size);
	return foreign != NULL ? foreign : sniff_wide_text(bytes, size, false);
}

void sniff_explain(const unsigned char *bytes, size_t size, struct problem *problem)
{
	const char *format = sniff_not_text(bytes, size);
	if (format != NULL)
		(void)problem_set(problem, STATUS_DATA, "it is %s", format);
}
