/* The gzip format: frames_read fed in pieces against the same in one piece and against zlib's inflate over the whole
 * file, member by member; and what compressor_gzip writes, read back.
 *
 * First byte: the bytes that follow are the file itself, or they say how one is made (so that its checksums are right),
 * or they are what is deflated. Next two: the sizes of the pieces. */
#include <stdbool.h>
#include <zlib.h>

#include "fuzz.h"
#include "io/compressor.h"
#include "io/frames.h"
#include "io/gzip.h"

/* What is inflated beyond this is not compared: a few bytes can stand for gigabytes. */
#define PLAIN_MAX ((size_t)1 << 16)
#define FILE_MAX ((size_t)1 << 16)

struct outcome {
	enum filter_outcome outcome; /* FILTER_MORE: it is longer than PLAIN_MAX */
	size_t size; /* of plain */
	bool odd_code; /* it ended at a Huffman code that zlib alone is too strict to take */
	uint64_t offset; /* of what is wrong */
	unsigned char plain[PLAIN_MAX];
};

/* Sizes of pieces, the same for the same seed. */
struct sizes {
	uint32_t state; /* 0: everything at once */
};

static size_t next_size(struct sizes *s, size_t most)
{
	if (s->state == 0)
		return most;
	s->state = s->state * 1664525 + 1013904223;
	const uint32_t drawn = s->state >> 8;
	const size_t bound = (size_t)1 << (drawn & 15);
	const size_t size = 1 + (drawn >> 4) % bound;
	return size < most ? size : most;
}

/* --- The program's reader */

static void read_pieces(const unsigned char *file, size_t size, struct sizes sizes, struct outcome *o)
{
	static const unsigned char magic[] = {0x1f, 0x8b, 8, 0};
	struct frames *reader = frames_new(filter_find(magic, sizeof magic, true));
	size_t at = 0;
	unsigned idle = 0;
	REQUIRE(reader != NULL, "no memory");
	o->outcome = FILTER_MORE;
	o->size = 0;
	o->offset = 0;
	while (o->outcome == FILTER_MORE && o->size < PLAIN_MAX) {
		const size_t in_size = next_size(&sizes, size - at);
		const size_t out_size = next_size(&sizes, PLAIN_MAX - o->size);
		unsigned char *in = fuzz_copy(file + at, in_size);
		unsigned char *out = malloc(out_size);
		const char *what = NULL;
		struct flow io = {in, in_size, out, out_size};
		REQUIRE(out != NULL, "no memory");
		o->outcome = frames_read(reader, &io, at + in_size == size, &what);
		o->offset = reader->offset;
		const size_t used = in_size - io.in_size, made = out_size - io.out_size;
		REQUIRE(io.in == in + used && io.out == out + made, "it moved on otherwise");
		REQUIRE(used <= in_size && made <= out_size, "%zu of %zu bytes read, %zu of %zu written", used, in_size,
			made, out_size);
		REQUIRE(what != NULL, "at %zu", at);
		memcpy(o->plain + o->size, out, made);
		o->size += made;
		at += used;
		idle = used == 0 && made == 0 ? idle + 1 : 0;
		REQUIRE(idle < 3, "no progress at %zu of %zu", at, size);
		free(in);
		free(out);
	}
	if (o->outcome == FILTER_END)
		REQUIRE(at == size, "the end at %zu of %zu", at, size);
	if (o->outcome == FILTER_DAMAGED || o->outcome == FILTER_TRAILING)
		REQUIRE(o->offset <= size, "byte %ju of %zu", (uintmax_t)o->offset, size);
	frames_free(reader);
}

/* --- zlib alone */

/* Inflates the member at *at. False: it is damaged, or PLAIN_MAX is reached (FILTER_MORE). */
static bool inflate_member(const unsigned char *file, size_t size, size_t *at, struct outcome *o)
{
	z_stream z = {0};
	REQUIRE(inflateInit2(&z, 15 + 16) == Z_OK, "no memory");
	z.next_in = file + *at;
	z.avail_in = (uInt)(size - *at);
	z.next_out = o->plain + o->size;
	z.avail_out = (uInt)(PLAIN_MAX - o->size);
	const int code = inflate(&z, Z_FINISH);
	o->size = PLAIN_MAX - z.avail_out;
	*at = size - z.avail_in;
	o->odd_code = z.msg != NULL && strstr(z.msg, " set") != NULL; /* "invalid distances set" and the like */
	REQUIRE(inflateEnd(&z) == Z_OK, "zlib's state");
	o->outcome = o->size == PLAIN_MAX ? FILTER_MORE : code == Z_STREAM_END ? FILTER_END : FILTER_DAMAGED;
	return o->outcome == FILTER_END;
}

static void read_with_zlib(const unsigned char *file, size_t size, struct outcome *o)
{
	static const unsigned char magic[] = {0x1f, 0x8b, 8};
	size_t at = 0;
	o->size = 0;
	o->odd_code = false;
	while (inflate_member(file, size, &at, o) && at < size) {
		const size_t left = size - at;
		if (memcmp(file + at, magic, left < sizeof magic ? left : sizeof magic) == 0) {
			if (left >= sizeof magic)
				continue;
			o->outcome = FILTER_DAMAGED; /* a member begins, and the file ends */
			return;
		}
		for (size_t i = at; i < size; i++) {
			if (file[i] != 0)
				o->outcome = FILTER_TRAILING;
		}
		return;
	}
}

/* --- What is compared */

static void require_same(const struct outcome *got, const struct outcome *want, const char *what)
{
	REQUIRE(got->size == want->size, "%s: %zu bytes instead of %zu", what, got->size, want->size);
	REQUIRE(memcmp(got->plain, want->plain, got->size) == 0, "%s: other bytes", what);
	if (got->size < PLAIN_MAX)
		REQUIRE(got->outcome == want->outcome, "%s: outcome %d instead of %d", what, (int)got->outcome,
			(int)want->outcome);
}

/* What was put out behind an odd code does not count. */
static void forget_odd_code(struct outcome *o, const struct outcome *zlib)
{
	if (zlib->odd_code && o->size >= zlib->size) {
		o->size = zlib->size;
		o->outcome = zlib->outcome;
	}
}

static void check_file(const unsigned char *file, size_t size, struct sizes sizes)
{
	static struct outcome zlib, whole, pieces;
	if (size == 0)
		return; /* an empty file is not gzip */
	read_with_zlib(file, size, &zlib);
	read_pieces(file, size, (struct sizes){0}, &whole);
	read_pieces(file, size, sizes, &pieces);
	forget_odd_code(&whole, &zlib);
	forget_odd_code(&pieces, &zlib);
	require_same(&pieces, &whole, "in pieces");
	require_same(&whole, &zlib, "beside zlib");
}

/* Appends a member that holds the bytes, with the optional parts of a header. */
static size_t put_member(unsigned char *file, size_t at, const uint8_t *data, size_t size, unsigned how)
{
	z_stream z = {0};
	static unsigned char name[] = "name", extra[] = "ex";
	gz_header header = {.name = how & 1 ? name : Z_NULL,
			    .extra = how & 2 ? extra : Z_NULL,
			    .extra_len = 2,
			    .hcrc = how >> 2 & 1};
	const int strategy = how & 8 ? Z_HUFFMAN_ONLY : how & 16 ? Z_FIXED : Z_DEFAULT_STRATEGY;
	REQUIRE(deflateInit2(&z, (int)(how >> 5) + 1, Z_DEFLATED, 15 + 16, 8, strategy) == Z_OK, "no memory");
	REQUIRE(deflateSetHeader(&z, &header) == Z_OK, "a header");
	z.next_in = data;
	z.avail_in = (uInt)size;
	z.next_out = file + at;
	z.avail_out = (uInt)(FILE_MAX - at);
	REQUIRE(deflate(&z, Z_FINISH) == Z_STREAM_END, "a member does not fit");
	at = FILE_MAX - z.avail_out;
	REQUIRE(deflateEnd(&z) == Z_OK, "zlib's state");
	return at;
}

/* Makes a file of members of up to 2 KiB, a byte of it changed or cut off behind it, then something behind the last. */
static size_t make_file(unsigned char *file, const uint8_t *data, size_t size)
{
	const unsigned damage = fuzz_choose(&data, &size);
	const unsigned place = fuzz_choose(&data, &size) | fuzz_choose(&data, &size) << 8;
	const unsigned tail = fuzz_choose(&data, &size);
	size_t at = 0;
	for (int members = 0; members < 8 && (members == 0 || size > 0); members++) {
		const unsigned how = fuzz_choose(&data, &size);
		const size_t wanted = (size_t)fuzz_choose(&data, &size) * 8;
		const size_t length = wanted < size ? wanted : size;
		at = put_member(file, at, data, length, how);
		data += length;
		size -= length;
	}
	if (damage >= 192)
		at = place % (at + 1);
	else if (damage >= 128)
		file[place % at] ^= (unsigned char)(1 << (damage & 7));
	if (tail >= 128) {
		memset(file + at, tail & 1 ? 0x1f : 0, 1 + tail % 16);
		at += 1 + tail % 16;
		if (tail & 2)
			file[at - 1] = (unsigned char)damage;
	}
	return at;
}

/* Deflates the data in blocks at a level and reads it back. */
static void check_blocks(const uint8_t *data, size_t size, struct sizes sizes)
{
	const int level = 1 + (int)(fuzz_choose(&data, &size) % GZIP_LEVEL_DEFAULT);
	const unsigned repeats = 1 + fuzz_choose(&data, &size);
	struct bytes file = {0};
	const struct compressor *gzip = &compressor_gzip;
	void *deflater = gzip->open(level);
	uint32_t crc = 0;
	static struct outcome back;
	const size_t total = size * repeats < PLAIN_MAX ? size * repeats : PLAIN_MAX - 1;
	unsigned char *plain = malloc(total + 1);
	REQUIRE(plain != NULL && deflater != NULL, "no memory");
	for (size_t i = 0; i < total; i++)
		plain[i] = data[i % size];
	for (size_t at = 0, next;; at = next) {
		next = at + next_size(&sizes, total - at);
		if (next - at < total / 16) /* a block costs much more than its bytes */
			next = total - at < total / 16 ? total : at + total / 16;
		const struct plain_block block = {.data = plain + at,
						  .size = next - at,
						  .window_size = at < gzip->window_size ? at : gzip->window_size,
						  .first = at == 0,
						  .last = next == total};
		uint32_t block_crc;
		REQUIRE(gzip->put(deflater, &file, &block, &block_crc) == STATUS_OK, "level %d", level);
		crc = gzip->join(crc, block_crc, block.size);
		if (next == total)
			break;
	}
	REQUIRE(gzip->put_end(&file, crc, total) == STATUS_OK, "level %d", level);
	REQUIRE(gzip_is_member(file.data, file.size), "level %d", level);
	read_with_zlib(file.data, file.size, &back);
	REQUIRE(back.outcome == FILTER_END && back.size == total && memcmp(back.plain, plain, total) == 0,
		"level %d, %zu bytes: outcome %d, %zu bytes", level, total, (int)back.outcome, back.size);
	if (file.size < FILE_MAX)
		check_file(file.data, file.size, sizes);
	free(plain);
	gzip->close(deflater);
	bytes_free(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static unsigned char file[FILE_MAX];
	const unsigned choice = fuzz_choose(&data, &size);
	const unsigned low = fuzz_choose(&data, &size);
	const unsigned high = fuzz_choose(&data, &size);
	const struct sizes sizes = {.state = low | high << 8};
	if (size > FILE_MAX / 4)
		return 0;
	if (choice % 3 == 0)
		check_file(data, size, sizes);
	else if (choice % 3 == 1)
		check_file(file, make_file(file, data, size), sizes);
	else if (size > 2)
		check_blocks(data, size, sizes);
	return 0;
}
