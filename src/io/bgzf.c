/* The reading thread cuts the file into groups of whole members, keeps several of them posted, and returns their bytes
 * in order. A group with any fault ends this: the gzip reader then reads everything after the last good group again. */
#include "io/bgzf.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/descriptor.h"
#include "io/gzip.h"
#include "io/inflater.h"

/* Of compressed bytes, to cut a group from: several members of at most 64 KiB. */
#define GROUP_SIZE ((size_t)256 << 10)
/* No member of a group begins after this many bytes of the group's output. */
#define GROUP_OUT_SIZE ((size_t)1 << 20)
/* The most that a member gives. */
#define MEMBER_OUT_MAX 65536
#define TRAILER_SIZE 8

struct group {
	/* By the thread that reads, while the group is not posted; then by the one that inflates. */
	unsigned char *packed; /* GROUP_SIZE bytes */
	size_t packed_size; /* whole members */
	struct inflater *inflater;
	struct bytes out;
	bool good;
	bool lacks_memory; /* so it is not good */
	/* The reader's. */
	size_t given; /* bytes of out */
};

struct bgzf {
	int fd;
	const struct pool *pool;
	uint64_t next_offset; /* of the next group to be cut */
	uint64_t offset; /* after the last group that was given out */
	bool ended; /* no further group is cut */
	bool faulty; /* a group was not good */
	bool lacks_memory;
	/* Counted from the first; number % count is the group. */
	uint64_t cut, given;
	size_t count;
	struct group groups[];
};

static size_t number_16(const unsigned char *bytes)
{
	return (size_t)bytes[0] | (size_t)bytes[1] << 8;
}

static uint32_t number_32(const unsigned char *bytes)
{
	return (uint32_t)number_16(bytes) | (uint32_t)number_16(bytes + 2) << 16;
}

bool bgzf_is_member(const unsigned char *bytes, size_t size)
{
	/* Magic and deflate; a flag: an extra field and nothing else. */
	static const unsigned char magic[] = {0x1f, 0x8b, 8, 4};
	/* The extra field is the size, in two bytes, and nothing else. */
	static const unsigned char extra[] = {6, 0, 'B', 'C', 2, 0};
	return size >= BGZF_HEADER_SIZE && memcmp(bytes, magic, sizeof magic) == 0 &&
	       memcmp(bytes + 10, extra, sizeof extra) == 0 &&
	       number_16(bytes + 16) + 1 >= BGZF_HEADER_SIZE + TRAILER_SIZE;
}

/* The size of a member. */
static size_t member_size(const unsigned char *bytes)
{
	return number_16(bytes + 16) + 1;
}

struct bgzf *bgzf_new(int fd, uint64_t offset, const struct pool *pool)
{
	struct bgzf *b = memory_zeros(1, sizeof *b + pool->count * sizeof b->groups[0]);
	if (b == NULL)
		return NULL;
	*b = (struct bgzf){.fd = fd, .pool = pool, .next_offset = offset, .offset = offset, .count = pool->count};
	return b;
}

static bool inflate_member(struct group *g, const unsigned char *member, size_t size)
{
	const unsigned char *trailer = member + size - TRAILER_SIZE;
	const uint32_t length = number_32(trailer + 4);
	if (length > MEMBER_OUT_MAX)
		return false;
	g->lacks_memory = bytes_reserve(&g->out, length) != STATUS_OK;
	if (g->lacks_memory)
		return false;
	unsigned char *out = g->out.data + g->out.size;
	if (!inflater_run_whole(g->inflater, member + BGZF_HEADER_SIZE, size - BGZF_HEADER_SIZE - TRAILER_SIZE, out,
				length) ||
	    gzip_crc(0, out, length) != number_32(trailer))
		return false;
	g->out.size += length;
	return true;
}

static void inflate_group(void *bgzf, size_t index)
{
	struct bgzf *b = bgzf;
	struct group *g = &b->groups[index];
	if (g->inflater == NULL)
		g->inflater = inflater_new();
	/* Room for an empty member too: out is not NULL then. */
	g->lacks_memory = g->inflater == NULL || bytes_reserve(&g->out, MEMBER_OUT_MAX) != STATUS_OK;
	g->good = !g->lacks_memory;
	for (size_t at = 0; at < g->packed_size && g->good; at += member_size(g->packed + at))
		g->good = inflate_member(g, g->packed + at, member_size(g->packed + at));
}

/* Has the oldest group inflated, and some of the others perhaps. */
static struct group *inflate_oldest(struct bgzf *b)
{
	const size_t oldest = (size_t)(b->given % b->count);
	pool_await(b->pool, oldest, inflate_group, b);
	return &b->groups[oldest];
}

void bgzf_free(struct bgzf *b)
{
	if (b == NULL)
		return;
	for (; b->given < b->cut; b->given++)
		(void)inflate_oldest(b);
	for (size_t i = 0; i < b->count; i++) {
		inflater_free(b->groups[i].inflater);
		bytes_free(&b->groups[i].out);
		memory_free(b->groups[i].packed);
	}
	memory_free(b);
}

/* Reads the next group. False: there is none. */
static bool cut_group(struct bgzf *b, struct group *g)
{
	if (g->packed == NULL)
		g->packed = memory_new(GROUP_SIZE);
	b->lacks_memory = g->packed == NULL;
	if (b->lacks_memory)
		return false;
	int error; /* the gzip reader meets it again, and reports it */
	const size_t size = descriptor_read_at(b->fd, g->packed, GROUP_SIZE, b->next_offset, &error);
	g->packed_size = 0;
	/* A group also ends after GROUP_OUT_SIZE bytes of output: members may hold a hundred times their size. */
	for (size_t out = 0; out < GROUP_OUT_SIZE;) {
		const unsigned char *member = g->packed + g->packed_size;
		const size_t left = size - g->packed_size;
		if (!bgzf_is_member(member, left) || member_size(member) > left)
			break;
		g->packed_size += member_size(member);
		out += number_32(g->packed + g->packed_size - 4);
	}
	b->next_offset += g->packed_size;
	return g->packed_size > 0;
}

/* Keeps as many groups posted as there may be. */
static void post_groups(struct bgzf *b)
{
	while (!b->ended && b->cut - b->given < b->count) {
		const size_t index = (size_t)(b->cut % b->count);
		struct group *g = &b->groups[index];
		if (!cut_group(b, g)) {
			b->ended = true;
			break;
		}
		g->out.size = 0;
		g->given = 0;
		b->cut++;
		b->pool->post(b->pool, index, inflate_group, b);
	}
}

size_t bgzf_read(struct bgzf *b, unsigned char *out, size_t size)
{
	size_t made = 0;
	while (made < size && !b->faulty) {
		post_groups(b);
		if (b->given == b->cut)
			break;
		struct group *g = inflate_oldest(b);
		if (!g->good) {
			b->faulty = true;
			b->lacks_memory = g->lacks_memory;
			break;
		}
		const size_t left = g->out.size - g->given;
		const size_t part = left < size - made ? left : size - made;
		memcpy(out + made, g->out.data + g->given, part);
		made += part;
		g->given += part;
		if (g->given == g->out.size) {
			b->offset += g->packed_size;
			b->given++;
		}
	}
	return made;
}

bool bgzf_lacks_memory(const struct bgzf *b)
{
	return b->lacks_memory;
}

uint64_t bgzf_offset(const struct bgzf *b)
{
	return b->offset;
}

/* Goes from member to member, reading each one's last bytes together with the next one's first. */
static enum status find_members(int fd, struct bgzf_index *x, bool *whole)
{
	unsigned char bytes[4 + BGZF_HEADER_SIZE];
	uint64_t at = 0;
	int error;
	struct stat st;
	size_t got = descriptor_read_at(fd, bytes + 4, BGZF_HEADER_SIZE, 0, &error);
	/* (One that ends within the first header may have been such.) */
	if ((got < BGZF_HEADER_SIZE || bgzf_is_member(bytes + 4, got)) && fstat(fd, &st) == 0)
		x->file_bytes = (uint64_t)st.st_size;
	while (bgzf_is_member(bytes + 4, got)) {
		const struct bgzf_member member = {.offset = at, .before = x->bytes};
		at += member_size(bytes + 4);
		const size_t read = descriptor_read_at(fd, bytes, sizeof bytes, at - 4, &error);
		const uint32_t length = number_32(bytes);
		got = read < 4 ? 0 : read - 4;
		const bool is_last = read == 4 && at == x->file_bytes;
		/* What neither a member nor the end follows may be of another size than it says. */
		if (length > MEMBER_OUT_MAX || (!is_last && !bgzf_is_member(bytes + 4, got)))
			return STATUS_OK;
		if (length > 0 && bytes_append(&x->members, &member, sizeof member) != STATUS_OK)
			return STATUS_SYSTEM;
		x->bytes += length;
	}
	*whole = got == 0;
	return STATUS_OK;
}

enum status bgzf_find_members(const char *name, struct bgzf_index *index, bool *whole)
{
	const int fd = open(name, O_RDONLY | O_CLOEXEC);
	*index = (struct bgzf_index){0};
	*whole = false;
	const enum status status = fd >= 0 ? find_members(fd, index, whole) : STATUS_OK;
	if (fd >= 0)
		(void)close(fd);
	if (status != STATUS_OK || index->file_bytes == 0) {
		bytes_free(&index->members);
		*index = (struct bgzf_index){0};
	}
	return status;
}

uint64_t bgzf_member_of(const struct bgzf_index *index, uint64_t byte, uint64_t *skip)
{
	const struct bgzf_member *members = (const struct bgzf_member *)(const void *)index->members.data;
	size_t first = 0;
	for (size_t end = index->members.size / sizeof *members; end - first > 1;) {
		const size_t middle = first + (end - first) / 2;
		if (members[middle].before <= byte)
			first = middle;
		else
			end = middle;
	}
	*skip = byte - members[first].before;
	return members[first].offset;
}
