/* Compressed files of frames: frames_read fed in pieces against the same in one piece and, where nothing was damaged,
 * against what was compressed. Formats without their library are left out.
 *
 * First byte: the format, and whether the bytes that follow are the file itself or say how one is made. Next two: the
 * sizes of the pieces. */
#include <stdbool.h>
#ifdef PSCAN_ZSTD
#include <zstd.h>
#endif
#ifdef PSCAN_XZ
#include <lzma.h>
#endif
#ifdef PSCAN_BZIP2
#include <bzlib.h>
#endif
#ifdef PSCAN_LZ4
#include <lz4frame.h>
#endif

#include "fuzz.h"
#include "io/frames.h"

/* What is decoded beyond this is not compared. */
#define PLAIN_MAX ((size_t)1 << 16)
#define FILE_MAX ((size_t)1 << 16)

struct outcome {
	enum filter_outcome outcome; /* FILTER_MORE: it is longer than PLAIN_MAX */
	size_t size; /* of plain */
	unsigned char plain[PLAIN_MAX];
};

/* Sizes of pieces, the same for the same seed; 0: everything at once. */
static size_t next_size(uint32_t *state, size_t most)
{
	if (*state == 0)
		return most;
	*state = *state * 1664525 + 1013904223;
	const uint32_t drawn = *state >> 8;
	const size_t size = 1 + (drawn >> 4) % ((size_t)1 << (drawn & 15));
	return size < most ? size : most;
}

static void read_pieces(const struct filter *filter, const unsigned char *file, size_t size, uint32_t sizes,
			struct outcome *o)
{
	struct frames *reader = frames_new(filter);
	size_t at = 0;
	unsigned idle = 0;
	REQUIRE(reader != NULL, "no memory");
	o->outcome = FILTER_MORE;
	o->size = 0;
	while (o->outcome == FILTER_MORE && o->size < PLAIN_MAX) {
		const size_t in_size = next_size(&sizes, size - at);
		const size_t out_size = next_size(&sizes, PLAIN_MAX - o->size);
		unsigned char *in = fuzz_copy(file + at, in_size);
		unsigned char *out = malloc(out_size);
		const char *what = NULL;
		struct flow io = {in, in_size, out, out_size};
		REQUIRE(out != NULL, "no memory");
		o->outcome = frames_read(reader, &io, at + in_size == size, &what);
		const uint64_t offset = reader->offset;
		const size_t used = in_size - io.in_size, made = out_size - io.out_size;
		REQUIRE(io.in == in + used && io.out == out + made, "it moved on otherwise");
		REQUIRE(used <= in_size && made <= out_size, "%zu of %zu bytes read, %zu of %zu written", used, in_size,
			made, out_size);
		REQUIRE(what != NULL && offset <= size && offset <= at + used, "byte %ju at %zu", (uintmax_t)offset,
			at);
		memcpy(o->plain + o->size, out, made);
		o->size += made;
		at += used;
		idle = used == 0 && made == 0 ? idle + 1 : 0;
		REQUIRE(idle < 4, "no progress at %zu of %zu", at, size);
		free(in);
		free(out);
	}
	if (o->outcome == FILTER_END)
		REQUIRE(at == size && reader->offset == size, "the end at %zu of %zu", at, size);
	frames_free(reader);
}

/* Damaged frames may give more in one way than in another, but nothing else. */
static void check_file(const unsigned char *file, size_t size, uint32_t sizes, const struct outcome *plain)
{
	static struct outcome whole, pieces;
	const struct filter *filter = filter_find(file, size, false);
	if (filter == NULL || !filter_is_built(filter))
		return;
	read_pieces(filter, file, size, 0, &whole);
	read_pieces(filter, file, size, sizes, &pieces);
	const size_t common = whole.size < pieces.size ? whole.size : pieces.size;
	REQUIRE(memcmp(whole.plain, pieces.plain, common) == 0, "in pieces: other bytes");
	REQUIRE(whole.outcome == FILTER_DAMAGED || pieces.size == PLAIN_MAX || whole.size == pieces.size,
		"in pieces: %zu bytes instead of %zu", pieces.size, whole.size);
	REQUIRE(whole.size == PLAIN_MAX || pieces.size == PLAIN_MAX || whole.outcome == pieces.outcome,
		"in pieces: outcome %d instead of %d", (int)pieces.outcome, (int)whole.outcome);
	if (plain == NULL || plain->size == PLAIN_MAX)
		return;
	REQUIRE(whole.outcome == FILTER_END && whole.size == plain->size, "outcome %d, %zu bytes instead of %zu",
		(int)whole.outcome, whole.size, plain->size);
	REQUIRE(memcmp(whole.plain, plain->plain, plain->size) == 0, "other bytes");
}

/* Appends a frame of the data; what there is no library for appends nothing. */
static size_t put_frame(unsigned format, unsigned char *file, size_t at, const uint8_t *data, size_t size, unsigned how)
{
	size_t made = 0;
	(void)how;
#ifdef PSCAN_ZSTD
	if (format == 0) {
		ZSTD_CCtx *z = ZSTD_createCCtx();
		REQUIRE(z != NULL, "no memory");
		(void)ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, (int)(how & 1));
		(void)ZSTD_CCtx_setParameter(z, ZSTD_c_compressionLevel, (int)(how >> 5) - 2);
		made = ZSTD_compress2(z, file + at, FILE_MAX - at, data, size);
		REQUIRE(!ZSTD_isError(made), "zstd: %s", ZSTD_getErrorName(made));
		(void)ZSTD_freeCCtx(z);
	}
#endif
#ifdef PSCAN_XZ
	if (format == 1) {
		const lzma_check checks[] = {LZMA_CHECK_NONE, LZMA_CHECK_CRC32, LZMA_CHECK_CRC64, LZMA_CHECK_SHA256};
		REQUIRE(lzma_easy_buffer_encode(0, checks[how & 3], NULL, data, size, file + at, &made,
						FILE_MAX - at) == LZMA_OK,
			"xz");
	}
#endif
#ifdef PSCAN_BZIP2
	if (format == 2) {
		unsigned length = (unsigned)(FILE_MAX - at);
		static char copy[FILE_MAX];
		memcpy(copy, data, size);
		REQUIRE(BZ2_bzBuffToBuffCompress((char *)file + at, &length, copy, (unsigned)size, 1, 0, 0) == BZ_OK,
			"bzip2");
		made = length;
	}
#endif
#ifdef PSCAN_LZ4
	if (format == 3) {
		LZ4F_preferences_t p = {0};
		p.frameInfo.contentChecksumFlag = how & 1 ? LZ4F_contentChecksumEnabled : LZ4F_noContentChecksum;
		p.frameInfo.blockChecksumFlag = how & 2 ? LZ4F_blockChecksumEnabled : LZ4F_noBlockChecksum;
		p.frameInfo.blockMode = how & 4 ? LZ4F_blockIndependent : LZ4F_blockLinked;
		made = LZ4F_compressFrame(file + at, FILE_MAX - at, data, size, &p);
		REQUIRE(!LZ4F_isError(made), "lz4: %s", LZ4F_getErrorName(made));
	}
#endif
	return at + made;
}

static size_t put_skippable(unsigned char *file, size_t at, unsigned how)
{
	const size_t size = how % 32;
	const unsigned char head[] = {(unsigned char)(0x50 | how % 16), 0x2a, 0x4d, 0x18, (unsigned char)size, 0, 0, 0};
	memcpy(file + at, head, sizeof head);
	memset(file + at + sizeof head, 0, size);
	return at + sizeof head + size;
}

/* Makes a file of frames of up to 2 KiB each, perhaps with skippable ones or padding between them, then perhaps
 * changes a byte, cuts it off, or puts something after it. */
static void check_made(unsigned format, const uint8_t *data, size_t size, uint32_t sizes)
{
	static unsigned char file[FILE_MAX];
	static struct outcome plain;
	const unsigned damage = fuzz_choose(&data, &size);
	const unsigned place = fuzz_choose(&data, &size) | fuzz_choose(&data, &size) << 8;
	size_t at = 0;
	plain.size = 0;
	for (int frames = 0; frames < 8 && (frames == 0 || size > 0); frames++) {
		const unsigned how = fuzz_choose(&data, &size);
		const size_t wanted = (size_t)fuzz_choose(&data, &size) * 8;
		const size_t length = wanted < size ? wanted : size;
		if (format % 3 == 0 && (how & 8) != 0)
			at = put_skippable(file, at, how);
		at = put_frame(format, file, at, data, length, how);
		if (at == 0)
			return;
		memcpy(plain.plain + plain.size, data, length);
		plain.size += length;
		data += length;
		size -= length;
		if (format == 1 && (how & 16) != 0) {
			memset(file + at, 0, 8);
			at += 8;
		}
	}
	if (damage >= 192)
		at = place % (at + 1);
	else if (damage >= 128)
		file[place % at] ^= (unsigned char)(1 << (damage & 7));
	else if (damage >= 96)
		file[at++] = (unsigned char)place;
	check_file(file, at, sizes, damage < 96 ? &plain : NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const unsigned choice = fuzz_choose(&data, &size);
	const unsigned low = fuzz_choose(&data, &size);
	const unsigned high = fuzz_choose(&data, &size);
	if (size > FILE_MAX / 4)
		return 0;
	if (choice % 2 == 0)
		check_file(data, size, low | high << 8, NULL);
	else
		check_made(choice / 2 % 4, data, size, low | high << 8);
	return 0;
}
