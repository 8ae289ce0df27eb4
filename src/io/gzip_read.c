/* gzip, by inflater.c. A member's parts come one after the other, each perhaps in several pieces. */
#include "io/gzip.h"

#include <string.h>

#include "io/codec.h"
#include "io/inflater.h"

/* Of a header's flags. */
#define FLAGS_RESERVED 0xe0

bool gzip_is_member(const unsigned char *bytes, size_t size)
{
	static const unsigned char magic[] = {0x1f, 0x8b, 8}; /* and deflate */
	return size >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0 &&
	       (size == sizeof magic || (bytes[sizeof magic] & FLAGS_RESERVED) == 0);
}

/* What comes next. The last two are four bytes of the trailer each. */
enum section { SECTION_HEADER, SECTION_BODY, SECTION_CRC, SECTION_LENGTH };

struct gzip {
	struct inflater *inflater;
	enum section section;
	unsigned char trailer[8];
	size_t trailer_size; /* bytes of it that were read, perhaps before they are needed */
	uint32_t crc; /* of what was inflated, */
	uint32_t length; /* and its length modulo 2^32 */
	const unsigned char *again; /* bytes to be read again before the input continues: the inflater's */
	size_t again_size;
};

static void gzip_close(void *state)
{
	struct gzip *g = state;
	inflater_free(g->inflater);
	memory_free(g);
}

static void *gzip_open(void)
{
	struct gzip *g = memory_new(sizeof *g);
	if (g == NULL)
		return NULL;
	*g = (struct gzip){.inflater = inflater_new()};
	if (g->inflater != NULL)
		return g;
	memory_free(g);
	return NULL;
}

static enum filter_outcome gzip_begin(void *state)
{
	struct gzip *g = state;
	*g = (struct gzip){.inflater = g->inflater, .section = SECTION_HEADER};
	inflater_begin_header(g->inflater);
	return FILTER_MORE;
}

/* The bytes of the trailer that the present section needs. */
static size_t trailer_needed(const struct gzip *g)
{
	return g->section < SECTION_CRC ? 0 : g->section == SECTION_CRC ? 4 : 8;
}

static size_t gzip_held(const void *state)
{
	const struct gzip *g = state;
	const size_t needed = trailer_needed(g);
	return g->again_size + (g->trailer_size > needed ? g->trailer_size - needed : 0);
}

static bool gzip_is_checked(const void *state)
{
	const struct gzip *g = state;
	return g->section == SECTION_LENGTH;
}

static enum filter_outcome damaged(const char **what, const char *text)
{
	*what = text;
	return FILTER_DAMAGED;
}

/* A section of the trailer, which must be a number, with the lowest byte first. */
static enum filter_outcome read_number(struct gzip *g, struct flow *c, uint32_t number, const char *wrong,
				       const char **what)
{
	const size_t needed = trailer_needed(g);
	uint32_t read = 0;
	while (g->trailer_size < needed && c->in_size > 0) {
		g->trailer[g->trailer_size++] = *c->in;
		flow_move(c, 1, 0);
	}
	if (g->trailer_size < needed)
		return FILTER_MORE;
	for (size_t k = needed; k > needed - 4; k--)
		read = read << 8 | g->trailer[k - 1];
	if (read != number)
		return damaged(what, wrong);
	if (g->section == SECTION_LENGTH)
		return FILTER_END;
	g->section = SECTION_LENGTH;
	return FILTER_MORE;
}

static enum filter_outcome read_header(struct gzip *g, struct flow *c, const char **what)
{
	const enum filter_outcome outcome = inflater_read_header(g->inflater, c, what);
	if (outcome != FILTER_END)
		return outcome;
	g->section = SECTION_BODY;
	inflater_begin(g->inflater);
	return FILTER_MORE;
}

static enum filter_outcome read_body(struct gzip *g, struct flow *c, const char **what)
{
	const unsigned char *out = c->out;
	const enum filter_outcome outcome = inflater_run(g->inflater, c, what);
	const size_t made = (size_t)(c->out - out);
	g->crc = gzip_crc(g->crc, out, made);
	g->length += (uint32_t)made;
	if (outcome != FILTER_END)
		return outcome;
	g->section = SECTION_CRC;
	/* What the inflater used up of the bytes after the stream. */
	g->trailer_size = inflater_excess(g->inflater, g->trailer);
	return FILTER_MORE;
}

/* One section, or what there is of it. */
static enum filter_outcome read_section(struct gzip *g, struct flow *c, const char **what)
{
	switch (g->section) {
	case SECTION_HEADER:
		return read_header(g, c, what);
	case SECTION_BODY:
		return read_body(g, c, what);
	case SECTION_CRC:
		return read_number(g, c, g->crc, "incorrect data check", what);
	case SECTION_LENGTH:
		break;
	}
	return read_number(g, c, g->length, "incorrect length check", what);
}

/* The member's body is damaged or cut off, or its checksum is wrong. Goes back to have it inflated with more care, if
 * that is possible. This may give more bytes and a more exact place. */
static enum filter_outcome look_closer(struct gzip *g)
{
	if (g->section != SECTION_BODY && g->section != SECTION_CRC)
		return FILTER_DAMAGED;
	const enum filter_outcome outcome =
		inflater_fall_back(g->inflater, g->trailer, g->trailer_size, &g->again, &g->again_size);
	if (outcome == FILTER_MORE) {
		g->trailer_size = 0;
		g->section = SECTION_BODY;
	}
	return outcome;
}

static enum filter_outcome gzip_end(void *state)
{
	const struct gzip *g = state;
	return g->section == SECTION_BODY ? look_closer(state) : FILTER_DAMAGED;
}

/* One step on the next bytes: those that are read again, or the input's. */
static enum filter_outcome read_step(struct gzip *g, struct flow *io, const char **what)
{
	const bool again = g->again_size > 0;
	struct flow c = *io;
	if (again) {
		c.in = g->again;
		c.in_size = g->again_size;
	}
	const size_t size = c.in_size;
	enum filter_outcome outcome = read_section(g, &c, what);
	const size_t used = size - c.in_size;
	flow_move(io, again ? 0 : used, io->out_size - c.out_size);
	g->again += again ? used : 0;
	g->again_size -= again ? used : 0;
	/* (Nothing can be given back to the input.) */
	if (outcome == FILTER_END && g->again_size > 0)
		outcome = damaged(what, "cannot be decompressed");
	return outcome == FILTER_DAMAGED ? look_closer(g) : outcome;
}

static enum filter_outcome gzip_decode(void *state, struct flow *io, size_t *asked, const char **what)
{
	(void)asked;
	struct gzip *g = state;
	enum filter_outcome outcome = FILTER_MORE;
	bool moves = true;
	while (outcome == FILTER_MORE && io->out_size > 0 && moves) {
		const enum section section = g->section;
		const struct flow from = *io;
		outcome = read_step(g, io, what);
		moves = io->in_size < from.in_size || io->out_size < from.out_size || g->section != section ||
			g->again_size > 0;
	}
	return outcome;
}

const struct codec codec_gzip = {
	.trailing = "trailing bytes that are not a gzip member",
	.pads = PADDING_LAST,
	.open = gzip_open,
	.close = gzip_close,
	.begin = gzip_begin,
	.decode = gzip_decode,
	.end = gzip_end,
	.is_checked = gzip_is_checked,
	.held = gzip_held,
};
