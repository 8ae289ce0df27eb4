/* The reader of frames reads members of gzip that are whole, cut off and damaged. The input comes in pieces. The oracle
 * is zlib's inflate in its gzip mode. */
#include "io/frames.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "check.h"
#include "io/blocks.h"
#include "base/memory.h"

static uint64_t random_state = 88172645463325252U;

static uint64_t random_number(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

/* What a reader makes of some bytes. */
struct element_format {
	enum filter_outcome outcome;
	struct bytes out;
	uint64_t offset;
	char what[64];
};

static void append(struct bytes *b, const void *data, size_t size)
{
	if (bytes_append(b, data, size) != STATUS_OK)
		abort();
}

static struct frames *new_reader(void)
{
	static const unsigned char magic[] = {0x1f, 0x8b, 8, 0};
	return frames_new(filter_find(magic, sizeof magic, true));
}

/* The reader under test, fed with pieces of in_size bytes, with room for out_size at once. */
static void read_pieces(const struct bytes *packed, size_t in_size, size_t out_size, struct element_format *made)
{
	unsigned char *room = memory_new(out_size);
	struct frames *r = new_reader();
	size_t next = 0;
	size_t end = 0;
	const char *what = "";
	made->out.size = 0;
	made->outcome = FILTER_MORE;
	while (made->outcome == FILTER_MORE) {
		struct flow io = {packed->data + next, end - next, room, out_size};
		made->outcome = frames_read(r, &io, end == packed->size, &what);
		const size_t got = out_size - io.out_size;
		append(&made->out, room, got);
		next = end - io.in_size;
		if (got == 0)
			end = packed->size - end < in_size ? packed->size : end + in_size;
	}
	made->offset = r->offset;
	(void)snprintf(made->what, sizeof made->what, "%s", what);
	frames_free(r);
	memory_free(room);
}

/* zlib on one member. */
static void read_by_zlib(const struct bytes *packed, struct element_format *right)
{
	static unsigned char room[65536];
	z_stream z = {0};
	int code = inflateInit2(&z, 31);
	z.next_in = packed->data;
	right->out.size = 0;
	/* Byte by byte, so that all that stands before a bad code comes out; long members are only cut off. */
	while (code == Z_OK && z.total_in < packed->size) {
		z.avail_in = packed->size - z.total_in > 100000 ? 10000 : 1;
		do {
			z.next_out = room;
			z.avail_out = sizeof room;
			code = inflate(&z, Z_NO_FLUSH);
			append(&right->out, room, sizeof room - z.avail_out);
		} while (code == Z_OK && z.avail_out == 0);
		if (code == Z_BUF_ERROR)
			code = Z_OK;
	}
	right->offset = z.total_in;
	right->outcome = code == Z_STREAM_END ? FILTER_END : FILTER_DAMAGED;
	(void)snprintf(right->what, sizeof right->what, "%s",
		       code == Z_STREAM_END ? ""
		       : z.msg != NULL      ? z.msg
					    : "unexpected end of file");
	(void)inflateEnd(&z);
}

static bool same(const struct element_format *a, const struct element_format *b)
{
	return a->outcome == b->outcome && a->offset == b->offset && strcmp(a->what, b->what) == 0 &&
	       a->out.size == b->out.size && (a->out.size == 0 || memcmp(a->out.data, b->out.data, a->out.size) == 0);
}

#define EXPECT_SAME(made, right, detail, number)                                                              \
	EXPECT(same(made, right),                                                                             \
	       "%s %zu: outcome %d, %zu bytes, offset %llu, \"%s\" instead of %d, %zu, %llu, \"%s\"", detail, \
	       (size_t)(number), (int)(made)->outcome, (made)->out.size, (unsigned long long)(made)->offset,  \
	       (made)->what, (int)(right)->outcome, (right)->out.size, (unsigned long long)(right)->offset,   \
	       (right)->what)

enum content { TEXT, NOISE, RUNS, ECHO };

static void make_content(struct bytes *plain, enum content content, size_t size)
{
	plain->size = 0;
	while (plain->size < size) {
		char line[32];
		int length = 1;
		const uint64_t number = random_number();
		/* Half of it is what stood almost a window before, and so on to its beginning. */
		if (content == ECHO && plain->size > 32000 && plain->size / 100 % 2 != 0)
			line[0] = (char)plain->data[plain->size - 32000];
		else if (content == TEXT)
			length = snprintf(line, sizeof line, "%llu\n", (unsigned long long)(number >> 40));
		else
			line[0] = (char)(content != RUNS ? number : number % 97 == 0);
		append(plain, line, (size_t)length);
	}
}

/* Appends plain as a member. level and strategy are zlib's. */
static void pack(struct bytes *packed, const struct bytes *plain, int level, int strategy)
{
	z_stream z = {0};
	if (deflateInit2(&z, level, Z_DEFLATED, 31, 8, strategy) != Z_OK)
		abort();
	const size_t bound = deflateBound(&z, plain->size);
	if (bytes_reserve(packed, bound) != STATUS_OK)
		abort();
	z.next_in = plain->data;
	z.avail_in = (uInt)plain->size;
	z.next_out = packed->data + packed->size;
	z.avail_out = (uInt)bound;
	if (deflate(&z, Z_FINISH) != Z_STREAM_END)
		abort();
	packed->size += z.total_out;
	(void)deflateEnd(&z);
}

static const struct kind {
	const char *name;
	enum content content;
	int level, strategy;
} kinds[] = {
	{"text", TEXT, 6, Z_DEFAULT_STRATEGY}, {"fixed codes", TEXT, 6, Z_FIXED},
	{"literals", TEXT, 6, Z_HUFFMAN_ONLY}, {"noise", NOISE, 6, Z_DEFAULT_STRATEGY},
	{"runs", RUNS, 9, Z_DEFAULT_STRATEGY}, {"stored", TEXT, 0, Z_DEFAULT_STRATEGY},
	{"echo", ECHO, 9, Z_DEFAULT_STRATEGY},
};
#define KIND_COUNT (sizeof kinds / sizeof kinds[0])

static struct bytes plain;
static struct bytes packed;
static struct element_format made;
static struct element_format right;

static void make_member(const struct kind *kind, size_t size)
{
	make_content(&plain, kind->content, size);
	packed.size = 0;
	pack(&packed, &plain, kind->level, kind->strategy);
}

static void test_pieces(void)
{
	static const size_t sizes[] = {1, 3, 33, 1000, (size_t)1 << 20};
	for (size_t k = 0; k < KIND_COUNT; k++) {
		make_member(&kinds[k], 70000);
		read_by_zlib(&packed, &right);
		EXPECT(right.out.size == plain.size && right.outcome == FILTER_END, "the oracle is wrong");
		for (size_t i = 0; i < 5; i++) {
			for (size_t o = 0; o < 5; o++) {
				read_pieces(&packed, sizes[i], sizes[o], &made);
				EXPECT_SAME(&made, &right, kinds[k].name, sizes[i]);
			}
		}
	}
	check_promise("members of every kind come out whole, whatever the pieces");
}

static void test_cuts(void)
{
	for (size_t k = 0; k < KIND_COUNT; k++) {
		make_member(&kinds[k], 3000);
		for (size_t size = packed.size; size-- > 4;) {
			packed.size = size;
			read_by_zlib(&packed, &right);
			read_pieces(&packed, 1 + size % 40 * (size % 7), 1000, &made);
			EXPECT_SAME(&made, &right, kinds[k].name, size);
		}
	}
	check_promise("a member cut at any byte gives all that zlib can read of it");
}

static void test_long_cuts(void)
{
	for (size_t k = 0; k < KIND_COUNT; k++) {
		make_member(&kinds[k], (size_t)4 << 20);
		for (int i = 0; i < 3; i++) {
			packed.size -= 1 + (size_t)random_number() % (packed.size / 6);
			read_by_zlib(&packed, &right);
			read_pieces(&packed, (size_t)256 << 10, (size_t)512 << 10, &made);
			EXPECT_SAME(&made, &right, kinds[k].name, packed.size);
		}
	}
	check_promise("a long member cut anywhere gives all that zlib can read of it");
}

/* No header of a block lasts long enough to be seen: whether something is kept back then is not promised, but the place
 * is. */
static void test_long_block(void)
{
	static const struct kind kind = {"noise", NOISE, 6, Z_FIXED};
	make_member(&kind, (size_t)12 << 20);
	read_pieces(&packed, (size_t)256 << 10, (size_t)512 << 10, &made);
	CHECK(made.outcome == FILTER_END && made.out.size == plain.size &&
		      memcmp(made.out.data, plain.data, plain.size) == 0,
	      "a member that no edge is found in comes out whole");
	packed.size -= packed.size / 9;
	read_by_zlib(&packed, &right);
	read_pieces(&packed, (size_t)256 << 10, (size_t)512 << 10, &made);
	CHECK(made.outcome == FILTER_DAMAGED && made.offset == packed.size && made.out.size <= right.out.size &&
		      right.out.size - made.out.size <= 2 && memcmp(made.out.data, right.out.data, made.out.size) == 0,
	      "such a member cut off gives all but two bytes of what zlib can read");
}

/* Appends the first bytes of plain to packed. */
static void put_deflated(z_stream *z, size_t size, int flush)
{
	const size_t bound = deflateBound(z, size) + 64;
	if (bytes_reserve(&packed, bound) != STATUS_OK)
		abort();
	z->next_in = plain.data;
	z->avail_in = (uInt)size;
	z->next_out = packed.data + packed.size;
	z->avail_out = (uInt)bound;
	(void)deflate(z, flush);
	EXPECT(z->avail_in == 0 && z->avail_out > 0, "%u bytes were not deflated", z->avail_in);
	packed.size += bound - z->avail_out;
	(void)deflateEnd(z);
}

/* Appends a deflate block of size literals by the fixed codes, and what takes it to a byte's edge: RFC 1951, 3.2.6. */
static void put_fixed_block(size_t size)
{
	uint64_t bits = 2; /* not the last one, fixed codes */
	unsigned count = 3;
	for (size_t i = 0; i < size; i++) {
		const unsigned code = 0x30 + (unsigned)(random_number() % 144);
		for (unsigned bit = 8; bit-- > 0; count++)
			bits |= (uint64_t)(code >> bit & 1) << count;
		const unsigned char byte = (unsigned char)bits;
		append(&packed, &byte, 1);
		bits >>= 8;
		count -= 8;
	}
	/* Its end is seven zeros, then comes an empty stored block. */
	append(&packed, (const unsigned char[]){(unsigned char)bits, 0, 0, 0, 0xff, 0xff}, 6);
}

/* More compressed bytes without a header than are kept, then blocks with headers. */
static void test_edges_again(void)
{
	static const unsigned char header[10] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255};
	z_stream z = {0};
	packed.size = 0;
	append(&packed, header, sizeof header);
	put_fixed_block((size_t)10 << 20);
	make_content(&plain, TEXT, (size_t)4 << 20);
	if (deflateInit2(&z, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		abort();
	put_deflated(&z, plain.size, Z_FINISH);
	for (int i = 0; i < 4; i++) {
		packed.size -= 1 + (size_t)random_number() % 50000;
		read_by_zlib(&packed, &right);
		read_pieces(&packed, (size_t)256 << 10, (size_t)512 << 10, &made);
		EXPECT_SAME(&made, &right, "cut at", packed.size);
	}
	check_promise("after a block that is too long to be kept edges are found again");
}

/* A block of no kind comes soon after the place from where on an edge is searched for. What follows the edge refers to
 * what came before it. */
static void test_damage_after_edges(void)
{
	static const unsigned char bad_block = 7;
	for (size_t size = 2000000; size < 2100000; size += 16000) {
		z_stream z = {0};
		make_content(&plain, ECHO, size);
		packed.size = 0;
		if (deflateInit2(&z, 9, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) != Z_OK)
			abort();
		put_deflated(&z, size, Z_SYNC_FLUSH);
		append(&packed, &bad_block, 1);
		read_by_zlib(&packed, &right);
		EXPECT(packed.size > (size_t)1 << 20 && right.outcome == FILTER_DAMAGED, "the member is sound");
		read_pieces(&packed, (size_t)256 << 10, (size_t)512 << 10, &made);
		EXPECT_SAME(&made, &right, "after", size);
	}
	check_promise("of a member that is damaged soon after an edge all before comes out");
}

/* Whether everything was read, with the right sum, though zlib refuses it: codes of distances that nothing uses may be
 * wrong. */
static bool is_whole(void)
{
	return right.outcome == FILTER_DAMAGED && made.outcome == FILTER_END && made.out.size == plain.size &&
	       memcmp(made.out.data, plain.data, plain.size) == 0;
}

/* Something else may be read of damaged data than zlib reads only if it looked sound. */
static void test_damage(void)
{
	size_t more = 0;
	size_t tried = 0;
	for (size_t k = 0; k < KIND_COUNT; k++) {
		make_member(&kinds[k], 3000);
		for (size_t at = 4; at < packed.size; at++) {
			const unsigned char bit = (unsigned char)(1U << random_number() % 8);
			packed.data[at] ^= bit;
			read_by_zlib(&packed, &right);
			read_pieces(&packed, 1 + at % 3000, 1000, &made);
			tried++;
			packed.data[at] ^= bit;
			const bool whole = is_whole();
			if (made.out.size > right.out.size) {
				more++;
				made.out.size = right.out.size;
			}
			if (!whole)
				EXPECT_SAME(&made, &right, kinds[k].name, at);
		}
	}
	EXPECT(more < tried / 20, "%zu of %zu gave more than zlib", more, tried);
	check_promise("a flipped bit is found and placed as zlib does");
}

static void test_members(void)
{
	static const size_t sizes[] = {1, 5, 100, (size_t)1 << 20};
	struct bytes all = {0};
	packed.size = 0;
	for (size_t k = 0; k < 60; k++) {
		make_content(&plain, kinds[k % KIND_COUNT].content, k % 5 == 4 ? 0 : (size_t)random_number() % 3000);
		pack(&packed, &plain, kinds[k % KIND_COUNT].level, kinds[k % KIND_COUNT].strategy);
		append(&all, plain.data, plain.size);
	}
	const uint64_t members_size = packed.size;
	for (int tail = 0; tail < 3; tail++) {
		append(&packed, tail == 0 ? "" : tail == 1 ? "\0\0\0" : "x", tail == 0 ? 0 : tail == 1 ? 3 : 1);
		for (size_t i = 0; i < 4; i++) {
			read_pieces(&packed, sizes[i], 700, &made);
			EXPECT(made.outcome == (tail == 2 ? FILTER_TRAILING : FILTER_END), "outcome %d",
			       (int)made.outcome);
			EXPECT(made.offset == members_size + (tail == 0 ? 0 : 3), "offset %llu",
			       (unsigned long long)made.offset);
			EXPECT(made.out.size == all.size && memcmp(made.out.data, all.data, all.size) == 0,
			       "%zu of %zu bytes", made.out.size, all.size);
		}
	}
	bytes_free(&all);
	check_promise("members join, NUL bytes may follow, other bytes are told of");
}

/* With less input than one step of it nothing may be kept back that a flush completed. */
static void test_flushes(void)
{
	unsigned char room[4096];
	unsigned char out[4096];
	z_stream z = {0};
	struct frames *r = new_reader();
	if (deflateInit2(&z, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		abort();
	for (size_t k = 0; k < 300; k++) {
		make_content(&plain, TEXT, 1 + k * 5);
		z.next_in = plain.data;
		z.avail_in = (uInt)plain.size;
		z.next_out = room;
		z.avail_out = sizeof room;
		(void)deflate(&z, k % 2 != 0 ? Z_SYNC_FLUSH : Z_PARTIAL_FLUSH);
		struct flow io = {room, sizeof room - z.avail_out, out, sizeof out};
		const char *what;
		(void)frames_read(r, &io, false, &what);
		const size_t got = sizeof out - io.out_size;
		EXPECT(got == plain.size && memcmp(out, plain.data, got) == 0, "flush %zu: %zu of %zu bytes", k, got,
		       plain.size);
	}
	(void)deflateEnd(&z);
	frames_free(r);
	check_promise("what was flushed is given out at once");
}

/* A pool whose threads never come: every posted block waits until the thread that puts helps itself, the newest
 * first. */
struct lazy_pool {
	size_t posted[8];
	size_t count;
	bool busy[8];
};

static void lazy_post(const struct pool *pool, size_t block, pool_work *work, void *owner)
{
	(void)work;
	(void)owner;
	struct lazy_pool *l = pool->context;
	EXPECT(!l->busy[block], "block %zu is posted while it waits", block);
	l->posted[l->count++] = block;
	l->busy[block] = true;
}

static bool lazy_is_done(const struct pool *pool, size_t block)
{
	const struct lazy_pool *l = pool->context;
	return !l->busy[block];
}

static bool lazy_help(const struct pool *pool, size_t block, size_t *other)
{
	struct lazy_pool *l = pool->context;
	if (!l->busy[block])
		return false;
	*other = l->posted[--l->count];
	return true;
}

static void lazy_end(const struct pool *pool, size_t block)
{
	struct lazy_pool *l = pool->context;
	l->busy[block] = false;
}

static enum status append_packed(void *context, const unsigned char *data, size_t size)
{
	(void)context;
	append(&packed, data, size);
	return STATUS_OK;
}

/* Blocks are put piece by piece; a pool of so many has those of the first pieces. */
static void check_blocks(size_t pool_count, size_t shared, size_t piece)
{
	struct lazy_pool lazy = {.count = 0};
	const struct pool pool = {
		.context = &lazy,
		.count = pool_count,
		.post = lazy_post,
		.is_done = lazy_is_done,
		.help = lazy_help,
		.end = lazy_end,
	};
	struct blocks *b = blocks_new(&compressor_gzip, 1, append_packed, NULL);
	packed.size = 0;
	make_content(&plain, TEXT, 7 * BLOCKS_SIZE + 12345);
	bool good = b != NULL && (shared == 0 || blocks_share(b, &pool) == STATUS_OK);
	for (size_t at = 0, i = 0; good && at < plain.size; at += piece, i++) {
		const size_t left = plain.size - at;
		good = (i != shared || blocks_share(b, NULL) == STATUS_OK) &&
		       blocks_put(b, plain.data + at, left < piece ? left : piece) == STATUS_OK;
	}
	good = good && blocks_end(b) == STATUS_OK;
	blocks_free(b);
	read_by_zlib(&packed, &right);
	EXPECT(good && right.out.size == plain.size && memcmp(right.out.data, plain.data, plain.size) == 0,
	       "pool of %zu for %zu pieces: %zu of %zu bytes", pool_count, shared, right.out.size, plain.size);
}

static void test_late_blocks(void)
{
	for (size_t count = 2; count <= 5; count++)
		check_blocks(count, SIZE_MAX, 100000);
	check_promise("blocks that are deflated as late as can be lose nothing");
}

static void test_pool_that_goes(void)
{
	for (size_t shared = 0; shared <= 8; shared++)
		check_blocks(3, shared, BLOCKS_SIZE);
	check_promise("a pool may go before the end, or never come");
}

int main(void)
{
	test_pieces();
	test_cuts();
	test_long_cuts();
	test_long_block();
	test_edges_again();
	test_damage_after_edges();
	test_damage();
	test_members();
	test_flushes();
	test_late_blocks();
	test_pool_that_goes();
	bytes_free(&plain);
	bytes_free(&packed);
	bytes_free(&made.out);
	bytes_free(&right.out);
	return check_done();
}
