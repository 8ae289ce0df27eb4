/* The parts of a member come one after the other, each perhaps in several pieces. inflater.c reads header and body.
 * Bytes that it took after the body's end are read again before the input continues. */
#include "io/gzip.h"

#include <string.h>

#include "io/inflater.h"

/* Of a header's flags. */
#define FLAGS_RESERVED 0xe0

/* And deflate. */
static const unsigned char magic[] = {0x1f, 0x8b, 8};

bool gzip_is_member(const unsigned char *bytes, size_t size)
{
	return size >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0 &&
	       (size == sizeof magic || (bytes[sizeof magic] & FLAGS_RESERVED) == 0);
}

/* What comes next. */
enum part {
	PART_HEADER,
	PART_BODY,
	PART_CRC,
	PART_LENGTH,
	PART_NEXT, /* after a member: another, padding or what does not belong there */
	PART_PADDING, /* NUL bytes to the end */
};

struct gzip_reader {
	struct filter_reader base;
	struct inflater *inflater;
	enum part part;
	unsigned char field[4]; /* a part of fixed size, */
	size_t field_size; /* bytes of it that were read */
	uint32_t crc; /* of what was inflated, */
	uint32_t length; /* and its length modulo 2^32 */
	struct bytes again; /* bytes to be read before the input continues */
	size_t again_next; /* the first of them that was not read */
	bool pauses; /* between members */
	bool lacks_memory; /* for bytes that are to be read again */
};

static struct gzip_reader *gzip_of(struct filter_reader *r)
{
	return (struct gzip_reader *)r;
}

struct filter_reader *gzip_reader_new(void)
{
	struct gzip_reader *r = memory_new(sizeof *r);
	if (r == NULL)
		return NULL;
	*r = (struct gzip_reader){.part = PART_HEADER, .inflater = inflater_new()};
	if (r->inflater == NULL) {
		memory_free(r);
		return NULL;
	}
	return &r->base;
}

void gzip_reader_free(struct filter_reader *reader)
{
	struct gzip_reader *r = gzip_of(reader);
	if (r == NULL)
		return;
	inflater_free(r->inflater);
	bytes_free(&r->again);
	memory_free(r);
}

/* The last size bytes that were used up are to be read again. */
static bool put_back(struct gzip_reader *r, const unsigned char *data, size_t size)
{
	struct bytes again = {0};
	const size_t left = r->again.size - r->again_next;
	if (size == 0)
		return true;
	if (bytes_append(&again, data, size) != STATUS_OK ||
	    (left > 0 && bytes_append(&again, r->again.data + r->again_next, left) != STATUS_OK)) {
		bytes_free(&again);
		r->lacks_memory = true;
		return false;
	}
	bytes_free(&r->again);
	r->again = again;
	r->again_next = 0;
	r->base.offset -= size;
	return true;
}

void gzip_reader_set_pauses(struct filter_reader *r, bool pauses)
{
	gzip_of(r)->pauses = pauses;
}

bool gzip_reader_is_between(const struct filter_reader *reader)
{
	const struct gzip_reader *r = (const struct gzip_reader *)reader;
	return r->part == PART_NEXT && r->field_size == 0 && r->again_next == r->again.size;
}

void gzip_reader_go_to(struct filter_reader *r, uint64_t offset)
{
	r->offset = r->begin = offset;
}

/* Whether the part of four bytes is read. *number becomes these bytes, little-endian. */
static bool read_number(struct gzip_reader *r, struct flow *c, uint32_t *number)
{
	const size_t missing = sizeof r->field - r->field_size;
	const size_t part = c->in_size < missing ? c->in_size : missing;
	memcpy(r->field + r->field_size, c->in, part);
	r->field_size += part;
	flow_move(c, part, 0);
	if (r->field_size < sizeof r->field)
		return false;
	r->field_size = 0;
	*number = 0;
	for (size_t k = 0; k < sizeof r->field; k++)
		*number |= (uint32_t)r->field[k] << (8 * k);
	return true;
}

static enum filter_outcome damaged(const char **what, const char *text)
{
	*what = text;
	return FILTER_DAMAGED;
}

static enum filter_outcome read_header(struct gzip_reader *r, struct flow *c, const char **what)
{
	const enum inflater_outcome outcome = inflater_read_header(r->inflater, c, what);
	if (outcome != INFLATER_END)
		return outcome == INFLATER_MORE ? FILTER_MORE : FILTER_DAMAGED;
	r->part = PART_BODY;
	r->crc = 0;
	r->length = 0;
	inflater_begin(r->inflater);
	return FILTER_MORE;
}

/* A member's body is damaged or cut off. Goes back to have it inflated with more care, which may give more bytes and a
 * more exact place. False: that is not possible. */
static bool look_closer(struct gzip_reader *r, size_t read_after)
{
	const unsigned char *log;
	size_t size;
	unsigned char after[sizeof r->field];
	memcpy(after, r->field, read_after);
	if (!inflater_take_over(r->inflater, &log, &size) || !put_back(r, after, read_after) || !put_back(r, log, size))
		return false;
	r->field_size = 0;
	r->part = PART_BODY;
	return true;
}

static enum filter_outcome read_body(struct gzip_reader *r, struct flow *c, const char **what)
{
	const unsigned char *out = c->out;
	const enum inflater_outcome outcome = inflater_run(r->inflater, c, what);
	const size_t made = (size_t)(c->out - out);
	r->crc = gzip_crc(r->crc, out, made);
	r->length += (uint32_t)made;
	if (outcome == INFLATER_END)
		r->part = PART_CRC;
	return outcome == INFLATER_DAMAGED ? FILTER_DAMAGED : FILTER_MORE;
}

/* After a member. */
static enum filter_outcome read_next(struct gzip_reader *r, struct flow *c, const char **what)
{
	while (c->in_size > 0) {
		const unsigned char byte = *c->in;
		if (r->part == PART_NEXT && r->field_size == 0 && byte == 0)
			r->part = PART_PADDING;
		if (r->part == PART_PADDING ? byte != 0 : byte != magic[r->field_size]) {
			*what = "trailing bytes that are not a gzip member";
			return FILTER_TRAILING;
		}
		flow_move(c, 1, 0);
		if (r->part == PART_PADDING)
			continue;
		r->field[r->field_size++] = byte;
		if (r->field_size == sizeof magic) {
			struct flow begun = {
				.in = magic, .in_size = sizeof magic, .out = c->out, .out_size = c->out_size};
			r->field_size = 0;
			r->part = PART_HEADER;
			inflater_begin_header(r->inflater);
			return read_header(r, &begun, what);
		}
	}
	return FILTER_MORE;
}

/* One part, or what there is of it. */
static enum filter_outcome read_part(struct gzip_reader *r, struct flow *c, const char **what)
{
	uint32_t number;
	switch (r->part) {
	case PART_HEADER:
		return read_header(r, c, what);
	case PART_BODY:
		return read_body(r, c, what);
	case PART_CRC:
		if (!read_number(r, c, &number))
			return FILTER_MORE;
		r->part = PART_LENGTH;
		return number == r->crc ? FILTER_MORE : damaged(what, "incorrect data check");
	case PART_LENGTH:
		if (!read_number(r, c, &number))
			return FILTER_MORE;
		r->part = PART_NEXT;
		return number == r->length ? FILTER_MORE : damaged(what, "incorrect length check");
	case PART_NEXT:
	case PART_PADDING:
		break;
	}
	return read_next(r, c, what);
}

static enum filter_outcome end_input(struct gzip_reader *r, const char **what)
{
	if (r->part == PART_PADDING || (r->part == PART_NEXT && r->field_size == 0))
		return FILTER_END;
	if (r->part == PART_BODY && look_closer(r, 0))
		return FILTER_MORE;
	return damaged(what, "unexpected end of file");
}

/* What the inflater used up of the bytes after the stream. */
static enum filter_outcome put_excess_back(struct gzip_reader *r, const char **what)
{
	size_t size;
	const unsigned char *excess = inflater_excess(r->inflater, &size);
	return put_back(r, excess, size) ? FILTER_MORE : damaged(what, "out of memory");
}

/* One step on the next bytes: bytes that were used up too early, or the input's. */
static enum filter_outcome read_step(struct gzip_reader *r, struct flow *io, const char **what)
{
	const bool again = r->again_next < r->again.size;
	struct flow c = *io;
	if (again) {
		c.in = r->again.data + r->again_next;
		c.in_size = r->again.size - r->again_next;
	}
	const enum part part = r->part;
	const size_t size = c.in_size;
	if (part == PART_NEXT && r->field_size == 0)
		r->base.begin = r->base.offset;
	const enum filter_outcome outcome = read_part(r, &c, what);
	const size_t used = size - c.in_size;
	r->base.offset += used;
	r->again_next += again ? used : 0;
	flow_move(io, again ? 0 : used, io->out_size - c.out_size);
	if (outcome == FILTER_DAMAGED && (part == PART_BODY || part == PART_CRC) &&
	    look_closer(r, part == PART_CRC ? 4 : 0))
		return FILTER_MORE;
	return outcome == FILTER_MORE && part == PART_BODY && r->part == PART_CRC ? put_excess_back(r, what) : outcome;
}

enum filter_outcome gzip_read(struct filter_reader *reader, struct flow *io, bool at_end, const char **what)
{
	struct gzip_reader *r = gzip_of(reader);
	enum filter_outcome outcome = FILTER_MORE;
	*what = "";
	while (outcome == FILTER_MORE && io->out_size > 0) {
		const enum part part = r->part;
		const uint64_t before = reader->offset;
		const size_t room = io->out_size;
		outcome = read_step(r, io, what);
		if (r->pauses && part == PART_LENGTH && r->part == PART_NEXT)
			break;
		if (outcome != FILTER_MORE || io->out_size < room || reader->offset != before || r->part != part ||
		    r->again_next < r->again.size)
			continue;
		/* Nothing moves without more input. */
		if (io->in_size > 0 || !at_end)
			break;
		outcome = end_input(r, what);
	}
	reader->is_within = r->part >= PART_BODY && r->part <= PART_LENGTH && r->length > 0;
	if (outcome == FILTER_DAMAGED && (r->lacks_memory || inflater_lacks_memory(r->inflater)))
		return FILTER_NO_MEMORY;
	return outcome;
}
