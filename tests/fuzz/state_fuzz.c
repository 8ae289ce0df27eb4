#define _GNU_SOURCE /* environ, memfd_create, pipe2, mkdtemp */
/* Files that --state is given: what a run left, changed here and there, or anything; in both cases with a size and a
 * checksum that are right. --show-state shows it or refuses it, and a run goes on from it or refuses it, each with one
 * line; what is shown and said steers no terminal; a run that fails leaves the file as it was. What was not changed is
 * taken.
 *
 * First byte: the scan. Second: the number of lines before, or from 200 on: the content follows. Then changes, each
 * of four bytes: how, where (from the begin, from the end, or from the end of the words for the scan, as the first
 * byte says), a byte. */
#include <limits.h>

#include "base/pack.h"
#include "state/state.h"
#include "state/head.h"
#include "io/state_file.h"
#include "program.h"

#define HEAD_SIZE 20
#define CHECKSUM_SIZE 4
#define LINES_MAX 50

static const char *const scans[][8] = {
	{"-f2"},
	{"-f3", "-ti64", "-op=sum,max"},
	{"-f2", "-tf64", "-op=sum,mean,std"},
	{"-f2,3", "-tf32", "-e", "--overflow=wrap"},
	{"-f2", "-g1"},
	{"-f2,3", "-g1", "-op=sum,last", "--reset-on=4"},
	{"-f3", "-g1", "-ti64", "-op=delta", "-e"},
	{"-f2", "--window=3", "-op=sum,max"},
	{"-f2", "-g1", "--window=4", "-op=max,first"},
	{"-f2", "--reset-every=5", "-op=mean"},
	{"-f2", "-g1,4", "--reset-gap=3:2"},
	{"-f2", "--algorithm=hillis-steele", "-tf64"},
	{"-f2", "--algorithm=sequential", "-tf64"},
	{"-f2", "-op=ema:0.5,var"},
	{"-f2", "-tdec", "--seed=0.125"},
	{"-f2", "--include-initial", "-op=min"},
	{"-f2", "-g1", "-op=range,argmax", "--total"},
	{"-f2", "-op=argmin,first,lag,drawdown"},
	{"--format=binary", "-ti32:i64", "-c2"},
};
#define SCANS (sizeof scans / sizeof scans[0])

/* Where run.sh keeps what it removes in the end, or in memory. */
static char folder[PATH_MAX];
static char state_path[PATH_MAX + 8];
static char state_word[PATH_MAX + 24];

static void remove_folder(void)
{
	(void)unlink(state_path);
	(void)rmdir(folder);
}

static void write_file(const unsigned char *data, size_t size)
{
	FILE *file = fopen(state_path, "wb");
	REQUIRE(file != NULL && fwrite(data, 1, size, file) == size && fclose(file) == 0, "a state");
}

static void read_file(struct bytes *b)
{
	FILE *file = fopen(state_path, "rb");
	b->size = 0;
	REQUIRE(file != NULL && bytes_reserve(b, 1 << 17) == STATUS_OK, "a state");
	b->size = fread(b->data, 1, b->capacity, file);
	REQUIRE(fclose(file) == 0 && b->size < b->capacity, "a state");
}

/* Lines with keys, numbers and what resets go by. */
static size_t put_lines(char *text, size_t room, unsigned count)
{
	static const char *const numbers[] = {"1", "2.5", "-7", "0.125", "100", "12345678901234567890", "1e-9", "3"};
	size_t size = 0;
	for (unsigned i = 0; i < count && size + 80 < room; i++)
		size += (size_t)snprintf(text + size, room - size, "k%u %s %u r%u\n", i * 7 % 5,
					 numbers[i % (i < 9 ? 3 : 8)], i + i / 6, i / 4);
	return size;
}

/* Runs the scan on `lines` lines. */
static void run(struct program *p, size_t scan, unsigned lines)
{
	static char text[16384];
	memset(p, 0, offsetof(struct program, messages));
	program_word(p, "-Dnone");
	program_word(p, "-T1");
	program_word(p, "--chunk-size=1K");
	for (size_t i = 0; i < 8 && scans[scan][i] != NULL; i++)
		program_word(p, scans[scan][i]);
	program_word(p, state_word);
	/* (A pipe is no input that was read before.) */
	p->by_pipe = true;
	p->files[0] = (struct program_file){(const unsigned char *)text, put_lines(text, sizeof text, lines)};
	if (scan == SCANS - 1)
		p->files[0].size -= p->files[0].size % 8; /* whole records */
	p->file_count = 1;
	program_run(p);
	bytes_free(&p->output);
}

/* The content of the state after `lines` lines, without head and checksum. */
static const struct bytes *find_content(size_t scan, unsigned lines)
{
	static struct program p;
	static struct bytes contents[SCANS][LINES_MAX];
	struct bytes *content = &contents[scan][lines];
	if (content->size > 0)
		return content;
	(void)unlink(state_path);
	run(&p, scan, lines);
	REQUIRE(p.status == STATUS_OK, "scan %zu of %u lines: %s", scan, lines, p.messages.text);
	read_file(content);
	content->size -= CHECKSUM_SIZE + HEAD_SIZE;
	memmove(content->data, content->data + HEAD_SIZE, content->size);
	return content;
}

/* Where the words for the scan end, in a content whose words are as they were; else 0. */
static size_t find_scan(const struct bytes *content)
{
	static struct messages m;
	struct unpack u = {.at = content->data, .left = content->size};
	struct saved_counters counters;
	struct saved_options options;
	struct saved_header header;
	struct saved_input input;
	size_t size;
	messages_hide();
	const enum status status = state_head_read(&u, "--state", "state");
	messages_show(&m);
	if (status != STATUS_OK)
		return 0;
	layout_unpack(&u, &saved_counters_layout, &counters);
	layout_unpack(&u, &saved_options_layout, &options);
	layout_unpack(&u, &saved_header_layout, &header);
	for (uint64_t i = unpack_count(&u); i > 0 && !u.failed; i--)
		layout_unpack(&u, &saved_input_layout, &input);
	(void)unpack_text(&u, &size);
	return u.failed ? 0 : content->size - u.left;
}

static void change(struct bytes *b, const uint8_t **data, size_t *size)
{
	const unsigned how = fuzz_choose(data, size);
	const unsigned low = fuzz_choose(data, size);
	const size_t place = low | fuzz_choose(data, size) << 8;
	const unsigned char byte = (unsigned char)fuzz_choose(data, size);
	if (b->size == 0)
		return;
	const size_t scan = (how & 64) != 0 ? find_scan(b) : 0;
	const size_t size_left = b->size - (scan < b->size ? scan : 0);
	const size_t at = (how & 128) ? b->size - 1 - place % b->size : b->size - size_left + place % size_left;
	switch (how % 6) {
	case 0:
		b->data[at] = byte;
		break;
	case 1:
		b->data[at] ^= (unsigned char)(1 << byte % 8);
		break;
	case 2:
		b->data[at] = (unsigned char)(b->data[at] + (byte < 128 ? 1 : -1));
		break;
	case 3: /* a piece is missing */
		memmove(b->data + at, b->data + at + 1, b->size - at - 1);
		b->size--;
		break;
	case 4: /* or too much is there */
		REQUIRE(bytes_reserve(b, 1) == STATUS_OK, "no memory");
		memmove(b->data + at + 1, b->data + at, b->size - at);
		b->data[at] = byte;
		b->size++;
		break;
	default:
		for (size_t i = at; i < at + 8 && i < b->size; i++)
			b->data[i] = byte;
	}
}

/* The content between its head and its checksum, as a file. */
static void write_content(const struct bytes *content, struct bytes *whole)
{
	struct pack p = {0};
	pack_raw(&p, "pscan-st", 8);
	pack_number(&p, STATE_FILE_VERSION, 4);
	pack_number(&p, content->size, 8);
	pack_raw(&p, content->data, content->size);
	pack_number(&p, gzip_crc(0, p.bytes.data, p.bytes.size), 4);
	REQUIRE(!p.failed, "no memory");
	write_file(p.bytes.data, p.bytes.size);
	*whole = p.bytes;
}

static void show(bool must)
{
	static struct messages m;
	struct bytes text = {0};
	messages_hide();
	const enum status status = state_show(state_path, &text);
	messages_show(&m);
	REQUIRE(status == STATUS_OK || status == STATUS_USAGE, "status %d: %s", (int)status, m.text);
	REQUIRE(status == STATUS_OK || !must, "a state as it was left: %s", m.text);
	REQUIRE(m.lines == (status == STATUS_OK ? 0 : 1), "%zu messages: %s", m.lines, m.text);
	for (size_t i = 0; i < text.size; i++)
		REQUIRE(messages_byte_is_fit(text.data[i]) || text.data[i] == '\n' || text.data[i] == '\t',
			"byte %u at %zu of what is shown", text.data[i], i);
	bytes_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct program p;
	static struct bytes content, after;
	struct bytes before;
	const size_t scan = fuzz_choose(&data, &size) % SCANS;
	const unsigned lines = fuzz_choose(&data, &size);
	if (state_path[0] == '\0') {
		const char *parent = getenv("FUZZ_WORK");
		(void)snprintf(folder, sizeof folder, "%s/state-XXXXXX", parent != NULL ? parent : "/dev/shm");
		REQUIRE(mkdtemp(folder) != NULL && atexit(remove_folder) == 0, "a folder");
		(void)snprintf(state_path, sizeof state_path, "%s/state", folder);
		(void)snprintf(state_word, sizeof state_word, "--state=%s", state_path);
	}
	const bool is_any = lines >= 200;
	const struct bytes *found = is_any ? NULL : find_content(scan, lines % LINES_MAX);
	content.size = 0;
	REQUIRE(bytes_append(&content, is_any ? data : found->data, is_any ? size : found->size) == STATUS_OK,
		"no memory");
	const bool changes = is_any || size > 0;
	while (!is_any && size > 0)
		change(&content, &data, &size);
	write_content(&content, &before);
	show(!changes);
	run(&p, scan, 30);
	REQUIRE(p.status == STATUS_OK || p.status == STATUS_USAGE || p.status == STATUS_DATA, "status %d: %s",
		(int)p.status, p.messages.text);
	REQUIRE(p.status == STATUS_OK || changes, "a state as it was left: %s", p.messages.text);
	REQUIRE(p.messages.lines == (p.status == STATUS_OK ? 0 : 1), "%zu messages: %s", p.messages.lines,
		p.messages.text);
	read_file(&after);
	if (p.status == STATUS_OK)
		show(true);
	else
		REQUIRE(after.size == before.size && memcmp(after.data, before.data, after.size) == 0,
			"a failed run changed the state");
	bytes_free(&before);
	return 0;
}
