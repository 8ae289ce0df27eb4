/* An output whose compressor fails once, in the second block: nothing is written after it, and no file is left. */
#include "io/sink.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

static unsigned put_count;

static void *open_copier(int level)
{
	(void)level;
	return &put_count;
}

static void close_copier(void *state)
{
	(void)state;
}

/* "Compresses" a block to its first byte. */
static enum status put_first(void *state, struct bytes *out, const struct plain_block *block, uint32_t *crc)
{
	(void)state;
	*crc = 0;
	return ++put_count == 2 ? STATUS_SYSTEM : bytes_append(out, block->data, block->size > 0 ? 1 : 0);
}

static const struct compressor copier = {
	.name = "copier", .open = open_copier, .close = close_copier, .put = put_first};

/* Opens a new file and writes blocks to it until one fails, three at most. *written: those that did not fail. */
static struct sink *write_blocks(const char *path, unsigned *written)
{
	static const unsigned char block[BLOCKS_SIZE] = "x";
	struct sink *s = NULL;
	put_count = 0;
	*written = 0;
	if (sink_open(path, &copier, 0, &s) != STATUS_OK)
		abort();
	while (*written < 3 && sink_write(s, block, sizeof block) == STATUS_OK)
		++*written;
	return s;
}

int main(void)
{
	char directory[256];
	char path[300];
	struct stat st;
	unsigned written;
	const char *temporary = getenv("TMPDIR");
	(void)snprintf(directory, sizeof directory, "%s/sink-XXXXXX", temporary != NULL ? temporary : "/tmp");
	if (mkdtemp(directory) == NULL)
		abort();
	(void)snprintf(path, sizeof path, "%s/out", directory);
	struct sink *s = write_blocks(path, &written);
	CHECK(written == 1, "the block that cannot be compressed is the write that fails: %u before it", written);
	CHECK(put_count == 2 && sink_finish(s) == STATUS_SYSTEM && put_count == 2,
	      "a failure is not forgotten: nothing is compressed after it");
	CHECK(sink_close(s, true) == STATUS_SYSTEM && stat(path, &st) != 0, "there is no file with a gap");
	s = write_blocks(path, &written);
	CHECK(sink_close(s, true) == STATUS_SYSTEM && put_count == 2 && stat(path, &st) != 0,
	      "the same without sink_finish");
	CHECK(rmdir(directory) == 0, "no temporary file is left");
	return check_done();
}
