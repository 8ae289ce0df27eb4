/* All facts of a format stand in one row of a table, or in two rows if its files begin in two ways. */
#include "io/filter.h"

#include <stdio.h>
#include <string.h>

#include "io/codec.h"
#include "io/gzip.h"
#include "text/sniff.h"

/* In a magic: classes of bytes. */
#define LEVEL "\1"
#define SKIPPABLE "\2"
#define ANY "\3"
#define UP_TO_7 "\5" /* so bzip2's blocks go on since its version 1, and no text does */
static const struct {
	unsigned char low, high;
} classes[] = {
	[1] = {'1', '9'},
	[2] = {0x50, 0x5f},
	[3] = {0, 0xff},
	[5] = {0, 7},
};
#define CLASS_COUNT (sizeof classes / sizeof classes[0])

/* The reserved bit of a zstd frame is not set. */
static bool zstd_is_readable(const unsigned char *bytes, size_t size)
{
	return size < 5 || (bytes[4] & 0x08) == 0;
}

static bool xz_is_readable(const unsigned char *bytes, size_t size)
{
	return size < 8 || (bytes[6] == 0 && bytes[7] < 0x10);
}

/* The version, the reserved bits and the block size of an lz4 frame. */
static bool lz4_is_readable(const unsigned char *bytes, size_t size)
{
	return size < 6 || ((bytes[4] & 0xc2) == 0x40 && (bytes[5] & 0x8f) == 0 && bytes[5] >= 0x40);
}

#define MAGIC_MAX 16
#define MAGIC(text) .magic = (text), .magic_size = sizeof(text) - 1

static const struct filter filters[] = {
	{.name = "gzip",
	 .suffix = ".gz",
	 MAGIC("\x1f\x8b" ANY ANY),
	 .least = 2,
	 .head = 3,
	 .is_readable = gzip_is_member,
	 .codec = &codec_gzip},
	{.name = "zstd",
	 .suffix = ".zst",
	 MAGIC("\x28\xb5\x2f\xfd" ANY),
	 .least = 4,
	 .head = 4,
	 .is_readable = zstd_is_readable,
	 .codec = &codec_zstd},
	{.name = "lz4",
	 .suffix = ".lz4",
	 MAGIC("\x04\x22\x4d\x18" ANY ANY),
	 .least = 4,
	 .head = 4,
	 .is_readable = lz4_is_readable,
	 .codec = &codec_lz4},
	/* Before frames of lz4, too; but pzstd puts one first. */
	{.name = "zstd",
	 MAGIC(SKIPPABLE "\x2a\x4d\x18"),
	 .least = 4,
	 .head = 4,
	 .codec = &codec_zstd,
	 .is_skippable = true},
	{.name = "xz",
	 .suffix = ".xz",
	 MAGIC("\xfd\x37zXZ\0" ANY ANY),
	 .least = 4,
	 .head = 6,
	 .is_readable = xz_is_readable,
	 .codec = &codec_xz},
	{.name = "bzip2",
	 .suffix = ".bz2",
	 MAGIC("BZh" LEVEL "\x31\x41\x59\x26\x53\x59" ANY ANY ANY ANY UP_TO_7),
	 .least = 10,
	 .head = 3,
	 .codec = &codec_bzip2},
	/* Of nothing. */
	{.name = "bzip2", MAGIC("BZh" LEVEL "\x17\x72\x45\x38\x50\x90"), .least = 10, .head = 3, .codec = &codec_bzip2},
};
#define FILTER_COUNT (sizeof filters / sizeof filters[0])

static bool is_class(unsigned char wanted)
{
	return wanted < CLASS_COUNT && classes[wanted].high != 0;
}

/* Copies bytes, as many as the magic has, to `mended`. Counts the bits that differ from the magic, and the bytes of
 * another class, and corrects the bits. */
static size_t mend(const struct filter *f, const unsigned char *bytes, size_t size, unsigned char mended[MAGIC_MAX])
{
	size_t wrong = 0;
	for (size_t i = 0; i < size && i < f->magic_size; i++) {
		const unsigned char wanted = (unsigned char)f->magic[i];
		mended[i] = is_class(wanted) ? bytes[i] : wanted;
		wrong += is_class(wanted) ? bytes[i] < classes[wanted].low || bytes[i] > classes[wanted].high
					  : (size_t)__builtin_popcount(bytes[i] ^ wanted);
	}
	return wrong;
}

/* Whether size bytes agree with the magic, as far as both go. */
static bool agrees(const struct filter *f, const unsigned char *bytes, size_t size)
{
	unsigned char mended[MAGIC_MAX];
	return mend(f, bytes, size, mended) == 0;
}

bool filter_may_begin(const unsigned char *bytes, size_t size)
{
	bool may = false;
	for (size_t i = 0; i < FILTER_COUNT; i++)
		may = may || (size < filters[i].magic_size && agrees(&filters[i], bytes, size));
	return may;
}

const struct filter *filter_find(const unsigned char *bytes, size_t size, bool strict)
{
	for (size_t i = 0; i < FILTER_COUNT; i++) {
		const struct filter *f = &filters[i];
		const size_t looked = size < f->magic_size ? size : f->magic_size;
		if (size >= f->least && agrees(f, bytes, size) && !sniff_is_text(bytes, looked) &&
		    (!strict || f->is_readable == NULL || f->is_readable(bytes, size)))
			return f;
	}
	return NULL;
}

/* The filter whose magic has but one bit, or byte of a class, that is wrong here. *more: more bytes may tell. */
static const struct filter *find_nearly(const unsigned char *bytes, size_t size, bool *more)
{
	*more = false;
	for (size_t i = 0; i < FILTER_COUNT; i++) {
		const struct filter *f = &filters[i];
		unsigned char mended[MAGIC_MAX];
		const size_t looked = size < f->magic_size ? size : f->magic_size;
		const size_t wrong = f->is_skippable ? 2 : mend(f, bytes, size, mended);
		*more = *more || (looked == size && looked < f->magic_size && wrong < 2);
		if (wrong == 1 && looked == f->magic_size && (f->is_readable == NULL || f->is_readable(mended, looked)))
			return f;
	}
	return NULL;
}

const struct filter *filter_of_name(const char *name)
{
	const size_t size = strlen(name);
	for (size_t i = 0; i < FILTER_COUNT; i++) {
		const char *suffix = filters[i].suffix;
		if (suffix != NULL && size > strlen(suffix) && strcmp(name + size - strlen(suffix), suffix) == 0)
			return &filters[i];
	}
	return NULL;
}

bool filter_refuses(const unsigned char *bytes, size_t size, const char *name, bool *more, char text[PROBLEM_TEXT_SIZE])
{
	*more = false;
	if (sniff_is_text(bytes, size))
		return false;
	const struct filter *near = find_nearly(bytes, size, more);
	const struct filter *named = filter_of_name(name);
	if (near != NULL)
		(void)snprintf(text, PROBLEM_TEXT_SIZE,
			       "its first bytes are nearly those of %s: it is damaged, or see --format=binary",
			       near->name);
	else if (named != NULL)
		(void)snprintf(text, PROBLEM_TEXT_SIZE,
			       "its name says %s, its first bytes do not: it is damaged, or see --format=binary",
			       named->name);
	return near != NULL || named != NULL;
}

bool filter_is_built(const struct filter *filter)
{
	return filter->codec->open != NULL;
}

/* A skippable frame may stand before and after those of each format that has some. */
static bool may_follow(const struct filter *before, const struct filter *next)
{
	return before->codec == next->codec ||
	       ((before->is_skippable || next->is_skippable) && before->codec->skips && next->codec->skips);
}

const struct filter *filter_after(const struct filter *before, const unsigned char *bytes, size_t size)
{
	for (size_t i = 0; i < FILTER_COUNT; i++) {
		const struct filter *f = &filters[i];
		if (may_follow(before, f) && agrees(f, bytes, size) &&
		    (size < f->head || f->is_readable == NULL || f->is_readable(bytes, size)))
			return f;
	}
	return NULL;
}

const char *filter_libraries(void)
{
	static char names[128]; /* asked for once, by main */
	size_t size = 0;
	const struct filter *last = NULL;
	for (size_t i = 0; i < FILTER_COUNT; i++) {
		const struct filter *f = &filters[i];
		if (f->codec == &codec_gzip || f->is_skippable || (last != NULL && last->codec == f->codec))
			continue;
		const char *version = filter_is_built(f) ? f->codec->version() : "";
		size += (size_t)snprintf(names + size, sizeof names - size, "%s%s%s%s%.*s", last != NULL ? ", " : "",
					 filter_is_built(f) ? "" : "no ", f->name, filter_is_built(f) ? " " : "",
					 (int)strcspn(version, ","), version);
		last = f;
	}
	return names;
}
