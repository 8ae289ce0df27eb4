/* Between frames bytes are gathered until they show what begins: a frame, a skippable frame, or trailing bytes. The
 * gathered bytes of a frame go to the codec first, then those of the input. */
#include "io/frames.h"

#include "base/memory.h"
#include "io/codec.h"

#define HEAD_SIZE_MAX 8
/* Bytes of a skippable frame's length, and the unit of padding. */
#define LENGTH_SIZE 4
#define PADDING_UNIT 4

/* What comes next. */
enum section {
	SECTION_HEAD, /* of a frame, if there is one */
	SECTION_LENGTH, /* of a skippable frame */
	SECTION_SKIPPED,
	SECTION_BODY, /* of a frame, from its head on */
};

struct frames_reader {
	struct frames base;
	void *state; /* the codec's, from the first frame on */
	enum section section;
	uint64_t number; /* of the frame, from 1 */
	bool is_first; /* nothing was read before this head */
	unsigned char head[HEAD_SIZE_MAX];
	size_t head_size; /* gathered */
	size_t head_next; /* given to the codec */
	uint32_t length; /* of what is left of a skippable frame */
	uint64_t padding; /* bytes before the head */
	bool has_given; /* the frame has put something out */
	size_t asked; /* what the codec has asked for; 0: nothing yet */
	bool is_full; /* the last call of the codec has filled the output, so output may be left */
};

struct frames *frames_new(const struct filter *filter)
{
	struct frames_reader *r = memory_new(sizeof *r);
	if (r == NULL)
		return NULL;
	*r = (struct frames_reader){.base = {.filter = filter}, .section = SECTION_HEAD, .is_first = true};
	return &r->base;
}

void frames_free(struct frames *f)
{
	struct frames_reader *r = (struct frames_reader *)f;
	if (r != NULL && r->state != NULL)
		r->base.filter->codec->close(r->state);
	memory_free(r);
}

bool frames_is_between(const struct frames *f)
{
	const struct frames_reader *r = (const struct frames_reader *)f;
	return r->section == SECTION_HEAD && !r->is_first && r->head_size == 0 && r->padding == 0;
}

static enum filter_outcome fail(const char **what, enum filter_outcome outcome, const char *text)
{
	*what = text;
	return outcome;
}

/* Takes the next byte of the input. */
static unsigned char take(struct frames_reader *r, struct flow *io)
{
	const unsigned char byte = *io->in;
	flow_move(io, 1, 0);
	r->base.offset++;
	return byte;
}

/* The head is complete. A file's first frame decides its format. */
static enum filter_outcome begin_frame(struct frames_reader *r, const struct filter *filter, const char **what)
{
	r->is_first = false;
	r->number++;
	r->base.begin = r->base.offset - r->head_size;
	r->has_given = false;
	r->asked = 0;
	r->is_full = false;
	r->padding = 0;
	r->section = filter->is_skippable ? SECTION_LENGTH : SECTION_BODY;
	r->head_next = 0;
	if (filter->is_skippable) {
		r->head_size = 0;
		r->length = 0;
		return FILTER_MORE;
	}
	const struct codec *codec = filter->codec;
	if (codec->open == NULL)
		return fail(what, FILTER_REFUSED, "a frame that this build does not read (see --version)");
	if (r->state == NULL) {
		r->state = codec->open();
		if (r->state == NULL)
			return FILTER_NO_MEMORY;
		r->base.filter = filter;
	}
	return codec->begin(r->state);
}

/* Whether a frame may follow the padding, or the input end there. */
static bool may_follow_padding(const struct frames_reader *r, bool at_end)
{
	return r->base.filter->codec->pads == PADDING_LAST ? at_end || r->padding == 0 : r->padding % PADDING_UNIT == 0;
}

static enum filter_outcome read_head(struct frames_reader *r, struct flow *io, const char **what)
{
	const struct codec *codec = r->base.filter->codec;
	while (io->in_size > 0) {
		if (codec->pads != PADDING_NONE && !r->is_first && r->head_size == 0 && *io->in == 0) {
			(void)take(r, io);
			r->padding++;
			continue;
		}
		r->head[r->head_size] = *io->in;
		const struct filter *next =
			r->is_first ? r->base.filter : filter_after(r->base.filter, r->head, r->head_size + 1);
		if (next == NULL || !may_follow_padding(r, false))
			return fail(what, FILTER_TRAILING, codec->trailing);
		(void)take(r, io);
		if (++r->head_size == next->head)
			return begin_frame(r, next, what);
	}
	return FILTER_MORE;
}

/* The length of a skippable frame: four bytes, the lowest first. */
static void read_length(struct frames_reader *r, struct flow *io)
{
	while (io->in_size > 0 && r->head_size < LENGTH_SIZE)
		r->length |= (uint32_t)take(r, io) << 8 * r->head_size++;
	if (r->head_size == LENGTH_SIZE)
		r->section = SECTION_SKIPPED;
}

static void skip(struct frames_reader *r, struct flow *io)
{
	const size_t size = io->in_size < r->length ? io->in_size : r->length;
	flow_move(io, size, 0);
	r->base.offset += size;
	r->length -= (uint32_t)size;
	if (r->length > 0)
		return;
	r->section = SECTION_HEAD;
	r->head_size = 0;
}

/* The bytes that the codec has taken but not used. */
static size_t held_bytes(const struct frames_reader *r)
{
	const struct codec *codec = r->base.filter->codec;
	return codec->held != NULL ? codec->held(r->state) : 0;
}

/* How many of in_size bytes the codec may get (struct codec's block_header). */
static size_t step_size(const struct frames_reader *r, size_t in_size)
{
	const size_t header = r->base.filter->codec->block_header;
	const size_t size = r->asked > header ? r->asked - header : r->asked;
	if (header == 0)
		return in_size;
	if (r->is_full)
		return 0;
	return size > 0 && size < in_size ? size : in_size;
}

static enum filter_outcome read_body(struct frames_reader *r, struct flow *io, const char **what)
{
	const bool is_head = r->head_next < r->head_size;
	const size_t held = held_bytes(r);
	struct flow c = *io;
	if (is_head) {
		c.in = r->head + r->head_next;
		c.in_size = r->head_size - r->head_next;
	}
	const size_t in_size = step_size(r, c.in_size);
	c.in_size = in_size;
	const enum filter_outcome outcome = r->base.filter->codec->decode(r->state, &c, &r->asked, what);
	const size_t used = in_size - c.in_size;
	r->is_full = c.out_size == 0;
	r->has_given = r->has_given || c.out_size < io->out_size;
	r->base.offset += (is_head ? 0 : used) + held - held_bytes(r);
	r->head_next += is_head ? used : 0;
	flow_move(io, is_head ? 0 : used, io->out_size - c.out_size);
	if (outcome != FILTER_END)
		return outcome;
	r->section = SECTION_HEAD;
	r->head_size = 0;
	return FILTER_MORE;
}

/* One section, or what there is of it. */
static enum filter_outcome read_section(struct frames_reader *r, struct flow *io, const char **what)
{
	switch (r->section) {
	case SECTION_HEAD:
		return read_head(r, io, what);
	case SECTION_LENGTH:
		read_length(r, io);
		return FILTER_MORE;
	case SECTION_SKIPPED:
		skip(r, io);
		return FILTER_MORE;
	case SECTION_BODY:
		break;
	}
	return read_body(r, io, what);
}

static enum filter_outcome end_input(struct frames_reader *r, const char **what)
{
	const struct codec *codec = r->base.filter->codec;
	if (r->section == SECTION_BODY && codec->end != NULL) {
		const size_t held = held_bytes(r);
		const enum filter_outcome outcome = codec->end(r->state);
		r->base.offset += held - held_bytes(r);
		if (outcome != FILTER_DAMAGED)
			return outcome;
	}
	if (r->section != SECTION_HEAD || r->head_size > 0)
		return fail(what, FILTER_DAMAGED, "unexpected end of file");
	if (!may_follow_padding(r, true))
		return fail(what, FILTER_TRAILING, codec->trailing);
	return FILTER_END;
}

static bool is_unchecked(const struct frames_reader *r)
{
	const struct codec *codec = r->base.filter->codec;
	return r->section == SECTION_BODY && r->has_given &&
	       (codec->is_checked == NULL || !codec->is_checked(r->state));
}

enum filter_outcome frames_read(struct frames *f, struct flow *io, bool at_end, const char **what)
{
	struct frames_reader *r = (struct frames_reader *)f;
	enum filter_outcome outcome = FILTER_MORE;
	*what = "";
	while (outcome == FILTER_MORE && io->out_size > 0) {
		const enum section section = r->section;
		const size_t head_next = r->head_next;
		const struct flow before = *io;
		outcome = read_section(r, io, what);
		if (f->pauses && section == SECTION_BODY && r->section == SECTION_HEAD)
			break;
		if (outcome != FILTER_MORE || io->in_size < before.in_size || io->out_size < before.out_size ||
		    r->section != section || r->head_next != head_next || io->in_size > 0)
			continue;
		/* Nothing moves without more input. */
		if (!at_end)
			break;
		outcome = end_input(r, what);
	}
	f->unchecked = is_unchecked(r) ? r->number : 0;
	return outcome;
}
