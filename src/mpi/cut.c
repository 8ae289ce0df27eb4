/* The bytes of all files are divided evenly. A rank's slice begins with the first line that begins in the rank's part.
 * In CSV a newline may be within quotes, which depends on everything before it. So each rank first reads its part once,
 * for each state of quotes that the part may begin in, and finds the state at the part's end. From these the ranks find
 * the state at each part's beginning. */
#include "mpi/share.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "cli/args.h"
#include "io/descriptor.h"
#include "io/input.h"
#include "mpi/comm.h"
#include "source/source.h"
#include "text/quotes.h"
#include "text/record.h"

/* Bytes that are read at once. */
#define PART_SIZE ((size_t)1 << 20)

/* What all steps need to read the input. */
struct cutter {
	const struct options *o;
	const struct text_rules *rules;
	const struct share_inputs *inputs;
	unsigned char *bytes; /* PART_SIZE + ahead bytes. Owned. */
	size_t ahead; /* Bytes after a part that are read, too, to recognise the beginning of a comment. */
};

/* The place after `part` of `parts` equal parts of the bytes. */
static uint64_t nominal(uint64_t bytes, int part, int parts)
{
	const uint64_t count = (uint64_t)parts;
	return bytes / count * (uint64_t)part + bytes % count * (uint64_t)part / count;
}

/* Reads up to `size` bytes of a file from the byte `at` on. False if the file cannot be read (errno). */
static bool read_plain(const char *name, uint64_t at, unsigned char *bytes, size_t size, size_t *got)
{
	int error = 0;
	const int fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	*got = descriptor_read_at(fd, bytes, size, at, &error);
	(void)close(fd);
	errno = error;
	return error == 0;
}

/* read_plain for the inflated bytes of a compressed file. Gives fewer bytes if the file is damaged. */
static bool read_inflated(const char *name, const struct bgzf_index *index, uint64_t at, unsigned char *bytes,
			  size_t size, size_t *got)
{
	struct input *in;
	struct problem problem;
	size_t some = 1;
	*got = 0;
	if (input_open(name, false, &in, &problem) != STATUS_OK)
		return false;
	enum status status = input_skip_members(in, index, at, &problem);
	for (; *got < size && some > 0 && status == STATUS_OK; *got += some)
		status = input_read(in, bytes + *got, size - *got, &some, &problem);
	input_close(in);
	return true;
}

/* Reads `size` bytes of a file from `at` on to c->bytes, and up to c->ahead bytes after them, whose number *ahead
 * becomes. STATUS_SYSTEM after a message if there are fewer than `size` bytes. */
static enum status read_part(const struct cutter *c, size_t file, uint64_t at, size_t size, size_t *ahead)
{
	const char *name = c->o->files.names[file];
	const struct bgzf_index *index = share_index_of(c->inputs, file);
	size_t got = 0;
	const bool is_read = index != NULL ? read_inflated(name, index, at, c->bytes, size + c->ahead, &got)
					   : read_plain(name, at, c->bytes, size + c->ahead, &got);
	const int error = errno;
	if (index != NULL && got < size) {
		/* The rank that scans this damaged file will report it. */
		memset(c->bytes + got, 0, size - got);
		got = size;
	}
	*ahead = got >= size ? got - size : 0;
	if (is_read && got >= size)
		return STATUS_OK;
	return message_fail("%s: %s", message_shown(name),
			    is_read ? "the file changed while it was read" : strerror(error));
}

/* What `visit` calls for each part. on_part returns false to stop. */
struct visitor {
	bool (*on_part)(const struct cutter *c, size_t size, size_t ahead, bool begins_file, void *context);
	void *context;
};

/* Reads the input's bytes from `first` to `end` in parts, and calls v->on_part for each. */
static enum status visit(const struct cutter *c, uint64_t first, uint64_t end, const struct visitor *v)
{
	bool goes_on = true;
	for (uint64_t at = first, size; at < end && goes_on; at += size) {
		uint64_t before;
		size_t ahead = 0;
		const size_t file = share_find(c->inputs, at, &before);
		const uint64_t of_file = c->inputs->files[file].records - before;
		size = end - at < of_file ? end - at : of_file;
		size = size < PART_SIZE ? size : PART_SIZE;
		TRY(read_part(c, file, before, (size_t)size, &ahead));
		goes_on = v->on_part(c, (size_t)size, ahead, before == 0, v->context);
	}
	return STATUS_OK;
}

/* Reads a part once for each state of quotes. context: QUOTES_COUNT places. */
static bool pass_all(const struct cutter *c, size_t size, size_t ahead, bool begins_file, void *context)
{
	struct quotes_state *places = context;
	const char *end = (const char *)c->bytes + size;
	for (int q = 0; q < QUOTES_COUNT; q++) {
		const char *p = (const char *)c->bytes + (begins_file ? record_byte_order_mark(c->bytes, size) : 0);
		if (begins_file)
			places[q] = QUOTES_BEGIN;
		while (p < end)
			p = quotes_pass(c->rules, &places[q], p, end, end + ahead);
	}
	return true;
}

/* The search for the end of a line. */
struct search {
	struct quotes_state place;
	uint64_t passed; /* Bytes before the line's end, or all bytes read if it is not found. */
};

static bool pass_line(const struct cutter *c, size_t size, size_t ahead, bool begins_file, void *context)
{
	struct search *s = context;
	(void)begins_file; /* The search stays within one file. */
	const char *bytes = (const char *)c->bytes;
	const char *line_end = quotes_pass_record(c->rules, &s->place, bytes, bytes + size, bytes + size + ahead);
	s->passed += line_end != NULL ? (size_t)(line_end - bytes) : size;
	return line_end == NULL;
}

/* Sets *place to the state at the beginning of this rank's part, of which `before` is the byte before, and *middle to
 * that at its middle. The quotes are QUOTES_NONE unless the text is CSV. part: the beginning, middle and end. all: room
 * for QUOTES_COUNT numbers of each rank. Every rank calls it. */
static enum status find_quotes(const struct cutter *c, const uint64_t part[3], char before, uint64_t *all,
			       struct quotes_state *place, struct quotes_state *middle)
{
	struct quotes_state places[QUOTES_COUNT];
	struct quotes_state middles[QUOTES_COUNT];
	uint64_t ends[QUOTES_COUNT];
	enum status status = STATUS_OK;
	for (int q = 0; q < QUOTES_COUNT; q++)
		places[q] = (struct quotes_state){.quotes = (enum quotes)q, .before = before};
	if (c->rules->cut == CUT_CSV)
		status = visit(c, part[0], part[1], &(struct visitor){pass_all, places});
	memcpy(middles, places, sizeof places);
	if (c->rules->cut == CUT_CSV && status == STATUS_OK)
		status = visit(c, part[1], part[2], &(struct visitor){pass_all, places});
	for (int q = 0; q < QUOTES_COUNT; q++)
		ends[q] = places[q].quotes;
	comm_gather(ends, QUOTES_COUNT, all);
	uint64_t q = QUOTES_NONE;
	for (int rank = 0; rank < comm_rank(); rank++)
		q = all[(uint64_t)rank * QUOTES_COUNT + q];
	*place = (struct quotes_state){.quotes = (enum quotes)q, .before = before};
	*middle = middles[q];
	return status;
}

/* Sets *begin to where the first line begins at or after `first`, or to the end of the file that contains `first`. */
static enum status find_line(const struct cutter *c, uint64_t first, const struct quotes_state *place, uint64_t *begin)
{
	uint64_t of_file;
	uint64_t header_end;
	struct search s = {.place = *place};
	const size_t file = share_find(c->inputs, first, &of_file);
	const uint64_t begin_of_file = first - of_file;
	const uint64_t size = c->inputs->files[file].records;
	*begin = first;
	if (of_file == 0)
		return STATUS_OK;
	const bool begins_line = place->quotes == QUOTES_NONE && place->before == '\n';
	TRY(source_header_end(c->o->files.names[file], c->rules, &header_end));
	if (of_file < header_end) {
		*begin = begin_of_file + (header_end < size ? header_end : size);
		return STATUS_OK;
	}
	if (!begins_line)
		TRY(visit(c, first, begin_of_file + size, &(struct visitor){pass_line, &s}));
	*begin = first + s.passed;
	return STATUS_OK;
}

/* Sets *before to the byte before `at`, or to a newline if a file begins there. */
static enum status find_before(const struct cutter *c, uint64_t at, char *before)
{
	uint64_t of_file = 0;
	size_t ahead;
	size_t file = 0;
	*before = '\n';
	if (c->inputs->records > 0)
		file = share_find(c->inputs, at, &of_file);
	if (of_file == 0)
		return STATUS_OK;
	const enum status status = read_part(c, file, of_file - 1, 1, &ahead);
	*before = status == STATUS_OK ? (char)c->bytes[0] : '\n';
	return status;
}

/* Finds where the lines begin with which this rank's slice and its second part begin. */
static enum status find_begins(const struct cutter *c, uint64_t *all, uint64_t begins[2])
{
	const uint64_t bytes = c->inputs->records;
	const int rank = comm_rank();
	const int ranks = comm_size();
	const uint64_t first = nominal(bytes, rank, ranks);
	const uint64_t end = nominal(bytes, rank + 1, ranks);
	/* The later slices are, the less of them their own ranks gather: so all gather equally much. */
	const uint64_t part[] = {first, first + nominal(end - first, ranks - 1 - rank, ranks), end};
	struct quotes_state place = QUOTES_BEGIN;
	struct quotes_state middle = QUOTES_BEGIN;
	char before;
	const enum status status = find_before(c, first, &before);
	const enum status found = find_quotes(c, part, before, all, &place, &middle);
	begins[0] = begins[1] = first;
	TRY(status);
	TRY(found);
	if (c->rules->cut != CUT_CSV)
		TRY(find_before(c, part[1], &middle.before));
	if (bytes == 0)
		return STATUS_OK;
	TRY(find_line(c, first, &place, &begins[0]));
	return find_line(c, part[1], &middle, &begins[1]);
}

enum status share_cut_text(const struct options *o, const struct plan *plan, const struct share_inputs *inputs,
			   uint64_t *begins)
{
	struct cutter c = {
		.o = o, .rules = &plan->format.text, .inputs = inputs, .ahead = plan->format.text.comment_size};
	const size_t ranks = (size_t)comm_size();
	uint64_t begin[2] = {0};
	uint64_t *all = memory_new(ranks * QUOTES_COUNT * sizeof *all);
	c.bytes = memory_new(PART_SIZE + c.ahead);
	enum status status = comm_agree(all != NULL && c.bytes != NULL ? STATUS_OK : STATUS_SYSTEM);
	if (status == STATUS_OK && c.bytes != NULL)
		status = comm_agree(find_begins(&c, all, begin));
	if (status == STATUS_OK)
		comm_gather(begin, 2, begins);
	begins[2 * ranks] = inputs->records;
	/* In a damaged file a rank may find no line, and its slice would begin after the next rank's. */
	for (size_t i = 2 * ranks; i-- > 0 && status == STATUS_OK;)
		begins[i] = begins[i] < begins[i + 1] ? begins[i] : begins[i + 1];
	memory_free(all);
	memory_free(c.bytes);
	return status;
}
