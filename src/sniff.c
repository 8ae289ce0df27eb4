#include "sniff.h"

#include <string.h>

const char *sniff_foreign(const unsigned char *block, size_t size)
{
	static const struct {
		const char *magic;
		size_t size;
		const char *hint;
	} formats[] = {
		{"\x93NUMPY", 6, "npy: not yet (numpy.tofile writes raw numbers)"},
		{"\x28\xb5\x2f\xfd", 4, "zstd: use zstd -dc F | pscan"},
		{"\xfd"
		 "7zXZ\0",
		 6, "xz: use xz -dc F | pscan"},
		{"BZh", 3, "bzip2: use bzip2 -dc F | pscan"},
		{"PK\x03\x04", 4, "zip: use unzip -p F | pscan"},
		{"\x89HDF\r\n\x1a\n", 8, "HDF5: use h5dump -b -d DATASET -o RAW F"},
		{"PAR1", 4, "Parquet: convert it to CSV or raw numbers first"},
	};
	for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
		if (size >= formats[i].size && memcmp(block, formats[i].magic, formats[i].size) == 0)
			return formats[i].hint;
	}
	return NULL;
}

/* The length of the UTF-8 sequence that first begins, 0 if none does; *low and *high bound its second byte. */
static size_t sequence_length(unsigned char first, unsigned char *low, unsigned char *high)
{
	*low = 0x80;
	*high = 0xbf;
	if (first >= 0xc2 && first <= 0xdf)
		return 2;
	if (first >= 0xe0 && first <= 0xef) {
		if (first == 0xe0)
			*low = 0xa0; /* overlong */
		if (first == 0xed)
			*high = 0x9f; /* surrogates */
		return 3;
	}
	if (first >= 0xf0 && first <= 0xf4) {
		if (first == 0xf0)
			*low = 0x90;
		if (first == 0xf4)
			*high = 0x8f;
		return 4;
	}
	return 0;
}

bool sniff_is_text(const unsigned char *block, size_t size)
{
	for (size_t i = 0; i < size;) {
		unsigned char low;
		unsigned char high;
		if (block[i] < 0x80) {
			if ((block[i] < 0x20 && (block[i] < '\t' || block[i] > '\r')) || block[i] == 0x7f)
				return false;
			i++;
			continue;
		}
		const size_t length = sequence_length(block[i], &low, &high);
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
