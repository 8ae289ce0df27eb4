/* ISA-L is fast, but it looks ahead: where a stream is cut off or damaged it may keep back the last few bytes that
 * could still be read, and it is not exact about the place. zlib is. So ISA-L inflates, and zlib takes over when
 * something is wrong, from the last edge between two deflate blocks that is known: there the window, some bits, and the
 * compressed bytes since (the log) are all that zlib needs.
 *
 * Such an edge is seen when ISA-L runs out of input within a block's header. So from time to time it is fed in small
 * steps until that happens, and the log begins anew. A log that grows too long, for want of headers, is given up: then
 * ISA-L has the last word. */
#include "io/inflater.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <zlib.h>
#ifdef PSCAN_ISAL
#include <isa-l.h>
#endif

#include "base/memory.h"
#include "io/codec.h"

#define WINDOW_SIZE ((size_t)32 << 10)
/* Compressed bytes from the last edge or search to the next search, */
#define EDGE_DISTANCE ((size_t)1 << 20)
/* the most that a search takes, */
#define EDGE_SEARCH ((size_t)128 << 10)
/* and its steps, which are shorter than most headers. */
#define EDGE_STEP 32
#define LOG_SIZE_MAX ((size_t)8 << 20)

/* For zlib: the stream has a header of gzip. */
#define HEADER_WBITS (MAX_WBITS + 16)
/* In zlib's data_type: the header or a block has just ended. */
#define HEADER_IS_READ 128

struct inflater {
	z_stream zlib;
	bool is_isal; /* ISA-L inflates the stream */
#ifdef PSCAN_ISAL
	struct inflate_state isal;
#endif
	uint64_t made; /* bytes put out */
	unsigned char window[2 * WINDOW_SIZE]; /* the last of them */
	size_t window_size;
	/* The last edge. */
	struct {
		uint64_t made; /* before it */
		unsigned bits, bit_count; /* the rest of a byte */
		size_t window_size;
		unsigned char window[WINDOW_SIZE];
	} edge;
	struct bytes log; /* compressed bytes since the edge */
	uint64_t since; /* how many they are */
	uint64_t search_begin; /* the next edge is searched for from there on, after the last */
	bool log_complete;
	/* For zlib that took over. */
	uint64_t skip; /* bytes of its output that were put out before */
};

struct inflater *inflater_new(void)
{
	struct inflater *i = memory_new(sizeof *i);
	if (i == NULL)
		return NULL;
	i->zlib = (z_stream){0};
	if (inflateInit2(&i->zlib, HEADER_WBITS) != Z_OK) {
		memory_missing(0);
		memory_free(i);
		return NULL;
	}
	i->log = (struct bytes){0};
	return i;
}

void inflater_free(struct inflater *i)
{
	if (i == NULL)
		return;
	(void)inflateEnd(&i->zlib);
	bytes_free(&i->log);
	memory_free(i);
}

static uInt bounded(size_t size)
{
	return size > INT_MAX ? INT_MAX : (uInt)size;
}

static enum filter_outcome run_zlib(struct inflater *i, struct flow *io, int flush, const char **what)
{
	z_stream *z = &i->zlib;
	z->next_in = io->in;
	z->avail_in = bounded(io->in_size);
	z->next_out = io->out;
	z->avail_out = bounded(io->out_size);
	const int code = inflate(z, flush);
	flow_move(io, (size_t)(z->next_in - io->in), (size_t)(z->next_out - io->out));
	if (code == Z_STREAM_END)
		return FILTER_END;
	if (code == Z_OK || code == Z_BUF_ERROR)
		return FILTER_MORE;
	if (code == Z_MEM_ERROR) /* zlib has its window made only when it needs one. */
		return codec_lacks_memory();
	*what = z->msg != NULL ? z->msg : "cannot be decompressed";
	return FILTER_DAMAGED;
}

void inflater_begin_header(struct inflater *i)
{
	(void)inflateReset2(&i->zlib, HEADER_WBITS);
}

enum filter_outcome inflater_read_header(struct inflater *i, struct flow *io, const char **what)
{
	const enum filter_outcome outcome = run_zlib(i, io, Z_BLOCK, what);
	return outcome == FILTER_MORE && (i->zlib.data_type & HEADER_IS_READ) != 0 ? FILTER_END : outcome;
}

void inflater_begin(struct inflater *i)
{
#ifdef PSCAN_ISAL
	isal_inflate_init(&i->isal);
	i->is_isal = true;
#else
	(void)inflateReset2(&i->zlib, -MAX_WBITS);
	i->is_isal = false;
#endif
	i->made = 0;
	i->window_size = 0;
	i->edge.made = 0;
	i->edge.bit_count = 0;
	i->edge.window_size = 0;
	i->log.size = 0;
	i->since = 0;
	i->search_begin = EDGE_DISTANCE;
	i->log_complete = true;
	i->skip = 0;
}

#ifdef PSCAN_ISAL
/* Keeps the last bytes that were put out. */
static void keep_window(struct inflater *i, const unsigned char *out, size_t size)
{
	if (size > WINDOW_SIZE) {
		out += size - WINDOW_SIZE;
		size = WINDOW_SIZE;
	}
	if (i->window_size + size > sizeof i->window) {
		memmove(i->window, i->window + i->window_size - WINDOW_SIZE, WINDOW_SIZE);
		i->window_size = WINDOW_SIZE;
	}
	memcpy(i->window + i->window_size, out, size);
	i->window_size += size;
}

static bool keep_log(struct inflater *i, const unsigned char *in, size_t size)
{
	i->since += size;
	i->log_complete = i->log_complete && i->log.size + size <= LOG_SIZE_MAX;
	return !i->log_complete || bytes_append(&i->log, in, size) == STATUS_OK;
}

/* ISA-L ran out of input, and all is put out: this may be an edge. A header that is not complete is kept whole, after
 * the bits before it. */
static bool keep_edge(struct inflater *i)
{
	const struct inflate_state *s = &i->isal;
	if (s->block_state != ISAL_BLOCK_HDR || s->tmp_in_size < 0 || s->read_in_length < 0)
		return true;
	const unsigned bit_count = (unsigned)s->read_in_length % 8;
	uint64_t whole = s->read_in >> bit_count;
	i->edge.bit_count = bit_count;
	i->edge.bits = (unsigned)s->read_in & ((1U << bit_count) - 1);
	i->edge.made = i->made;
	i->edge.window_size = i->window_size < WINDOW_SIZE ? i->window_size : WINDOW_SIZE;
	memcpy(i->edge.window, i->window + i->window_size - i->edge.window_size, i->edge.window_size);
	i->log.size = 0;
	i->log_complete = true;
	i->since = 0;
	i->search_begin = EDGE_DISTANCE;
	for (int32_t left = s->read_in_length; left >= 8; left -= 8, whole >>= 8) {
		const unsigned char byte = (unsigned char)whole;
		if (!keep_log(i, &byte, 1))
			return false;
	}
	return keep_log(i, s->tmp_in_buffer, (size_t)s->tmp_in_size);
}

/* How many bytes may be used at once. They are few while an edge is searched for. */
static size_t step_size(struct inflater *i)
{
	if (i->since < i->search_begin)
		return (size_t)(i->search_begin - i->since);
	if (i->since < i->search_begin + EDGE_SEARCH)
		return EDGE_STEP;
	i->search_begin = i->since + EDGE_DISTANCE;
	return EDGE_DISTANCE;
}

/* The whole bytes that ISA-L has read after the end of the stream. */
static size_t excess_size(const struct inflate_state *s)
{
	return s->read_in_length > 0 ? (size_t)s->read_in_length / 8 : 0;
}

static const char *isal_message(int code)
{
	switch (code) {
	case ISAL_INVALID_BLOCK:
		return "invalid block";
	case ISAL_INVALID_SYMBOL:
		return "invalid code";
	case ISAL_INVALID_LOOKBACK:
		return "invalid distance too far back";
	default:
		return "cannot be decompressed";
	}
}

static enum filter_outcome run_isal(struct inflater *i, struct flow *io, const char **what)
{
	struct inflate_state *s = &i->isal;
	const size_t step = step_size(i);
	s->next_in = bytes_plain(io->in);
	s->avail_in = (uint32_t)(io->in_size < step ? io->in_size : step);
	s->next_out = io->out;
	s->avail_out = bounded(io->out_size);
	const int code = isal_inflate(s);
	const size_t used = (size_t)(s->next_in - io->in);
	if (!keep_log(i, io->in, used))
		return FILTER_NO_MEMORY;
	flow_move(io, used, 0);
	if (code != ISAL_DECOMP_OK) {
		/* The output of this call may not belong to the data. */
		*what = isal_message(code);
		return FILTER_DAMAGED;
	}
	const size_t made = (size_t)(s->next_out - io->out);
	i->made += made;
	keep_window(i, io->out, made);
	flow_move(io, 0, made);
	if (s->block_state == ISAL_BLOCK_FINISH) {
		i->log.size -= i->log_complete ? excess_size(s) : 0;
		return FILTER_END;
	}
	const bool may_be_edge = step == EDGE_STEP && s->avail_in == 0 && s->avail_out > 0;
	return may_be_edge && !keep_edge(i) ? FILTER_NO_MEMORY : FILTER_MORE;
}

bool inflater_run_whole(struct inflater *i, const unsigned char *in, size_t in_size, unsigned char *out,
			size_t out_size)
{
	struct inflate_state *s = &i->isal;
	isal_inflate_init(s);
	s->next_in = bytes_plain(in);
	s->avail_in = (uint32_t)in_size;
	s->next_out = out;
	s->avail_out = (uint32_t)out_size;
	return isal_inflate_stateless(s) == ISAL_DECOMP_OK && s->avail_in == 0 && s->avail_out == 0;
}
#else
bool inflater_run_whole(struct inflater *i, const unsigned char *in, size_t in_size, unsigned char *out,
			size_t out_size)
{
	z_stream *z = &i->zlib;
	z->next_in = in;
	z->avail_in = (uInt)in_size;
	z->next_out = out;
	z->avail_out = (uInt)out_size;
	return inflateReset2(z, -MAX_WBITS) == Z_OK && inflate(z, Z_FINISH) == Z_STREAM_END && z->avail_in == 0 &&
	       z->avail_out == 0;
}
#endif

enum filter_outcome inflater_fall_back(struct inflater *i, const unsigned char *after, size_t after_size,
				       const unsigned char **log, size_t *log_size)
{
	z_stream *z = &i->zlib;
	if (!i->is_isal || !i->log_complete || inflateReset2(z, -MAX_WBITS) != Z_OK ||
	    inflatePrime(z, (int)i->edge.bit_count, (int)i->edge.bits) != Z_OK)
		return FILTER_DAMAGED;
	const int code =
		i->edge.window_size == 0 ? Z_OK : inflateSetDictionary(z, i->edge.window, (uInt)i->edge.window_size);
	if (code != Z_OK)
		return code == Z_MEM_ERROR ? codec_lacks_memory() : FILTER_DAMAGED;
	if (bytes_append(&i->log, after, after_size) != STATUS_OK)
		return FILTER_NO_MEMORY;
	i->is_isal = false;
	i->skip = i->made - i->edge.made;
	*log = i->log.data;
	*log_size = i->log.size;
	return FILTER_MORE;
}

/* Inflates what was put out before, to nowhere. */
static enum filter_outcome run_skipping(struct inflater *i, struct flow *io, const char **what)
{
	enum filter_outcome outcome = FILTER_MORE;
	while (i->skip > 0 && outcome == FILTER_MORE) {
		const size_t size = i->skip < sizeof i->window ? (size_t)i->skip : sizeof i->window;
		struct flow nowhere = {io->in, io->in_size, i->window, size};
		outcome = run_zlib(i, &nowhere, Z_NO_FLUSH, what);
		const size_t used = io->in_size - nowhere.in_size;
		flow_move(io, used, 0);
		i->skip -= size - nowhere.out_size;
		if (used == 0 && nowhere.out_size == size)
			break;
	}
	if (outcome != FILTER_END || i->skip == 0)
		return outcome;
	*what = "cannot be decompressed";
	return FILTER_DAMAGED;
}

enum filter_outcome inflater_run(struct inflater *i, struct flow *io, const char **what)
{
#ifdef PSCAN_ISAL
	if (i->is_isal)
		return run_isal(i, io, what);
#endif
	const enum filter_outcome outcome = run_skipping(i, io, what);
	return outcome == FILTER_MORE && i->skip == 0 ? run_zlib(i, io, Z_NO_FLUSH, what) : outcome;
}

size_t inflater_excess(const struct inflater *i, unsigned char excess[8])
{
	size_t size = 0;
#ifdef PSCAN_ISAL
	const struct inflate_state *s = &i->isal;
	size = i->is_isal ? excess_size(s) : 0;
	for (size_t k = 0; k < size; k++)
		excess[k] = (unsigned char)(s->read_in >> ((unsigned)s->read_in_length % 8 + 8 * k));
#else
	(void)i, (void)excess;
#endif
	return size;
}
