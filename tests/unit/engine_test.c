/* Both engines, and both kernel shapes, combine in order. This is shown with operators that only this test has.
 *
 * Usage: engine_test [DEVICE]. Without DEVICE the test uses PoCL, and fewer programs in the GPU shape and with the
 * other algorithm, because each must be compiled again for these.
 *
 * The operator "interval" joins the intervals (a, b) and (c, d) only if b + 1 == c. So if result i of a scan of 0, 1,
 * 2, ... is the interval (0, i), everything was combined once and in order. This shows the order for every associative
 * operator. The operator "recent" is b ? b : a, which is not commutative: swapped arguments give other results. */
#define CHECKED 0
#define CHECK_OVERFLOW CHECKED
#define INPUTS OP_INPUTS
#define EMITS_INPUTS 0
#define EXCLUSIVE 0
#define CONVERT(x) (x)
#define FITS(x) 1
#define SHAPE_GPU 0
#define HILLIS_STEELE 0
#define GLOBAL
#define NODES

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/engine.h"
#include "device/opencl_engine.h"
#include "base/memory.h"
#include "rows/rows.h"
#include "scan/row.h"
#include "types.h"

#include "names.h"
#include "grid.h"
#include "rows/hillis.h"
#include "scan/program.h"

/* A row (row_begin.h) with states of type u64, which never overflows. Earlier tiles are carried as a state. */
#define STATE_ROW(OP)                                                 \
	typedef u64 state_##OP##_u64;                                 \
	typedef u64 carry_##OP##_u64;                                 \
	static inline u64 combine_##OP##_u64(u64 a, u64 b);           \
	static inline int overflow_##OP##_u64(u64 p, u64 x, u64 s)    \
	{                                                             \
		(void)p;                                              \
		(void)x;                                              \
		(void)s;                                              \
		return 0;                                             \
	}                                                             \
	static inline u64 carry_first_##OP##_u64(u64 total)           \
	{                                                             \
		return total;                                         \
	}                                                             \
	static inline u64 carry_add_##OP##_u64(u64 before, u64 total) \
	{                                                             \
		return combine_##OP##_u64(before, total);             \
	}                                                             \
	static inline u64 carry_prefix_##OP##_u64(u64 before)         \
	{                                                             \
		return before;                                        \
	}

/* "interval" (the interval monoid) takes element i as the interval (i, i). It joins (a, b) and (c, d) to (a, d) only if
 * b + 1 == c; anything else gives the poison (1, 0). One scan of 0, 1, 2, ... proves the order of combination for every
 * associative operator. "recent" is b ? b : a, which is not commutative. */
STATE_ROW(interval)
typedef u64 result_interval_u64;
static inline u64 lift_interval_u64(u64 x)
{
	return (x << 32) | x;
}
static inline u64 combine_interval_u64(u64 a, u64 b)
{
	const u64 poison = (u64)1 << 32;
	if (a == poison || b == poison || (a & 0xfffffffful) + 1 != b >> 32)
		return poison;
	return (a & 0xffffffff00000000ul) | (b & 0xfffffffful);
}
static inline u64 emit_interval_u64(u64 s)
{
	return s;
}

STATE_ROW(recent)
typedef u64 result_recent_u64;
static inline u64 lift_recent_u64(u64 x)
{
	return x;
}
static inline u64 combine_recent_u64(u64 a, u64 b)
{
	return b != 0 ? b : a;
}
static inline u64 emit_recent_u64(u64 s)
{
	return s;
}

#undef VARIANT
#define VARIANT _plain

#define HAS_EXPONENT 0
#define OP_PARAMETER 0
#define OP_LIFTED 1
#define OP_SCALED (OP_INPUTS == 1)
#define ACC u64
#define OP_INPUTS 1
#define OP interval
#include "rows/rows_tile.inc"
#include "rows/rows_variant.inc"
#undef OP
#define OP recent
#include "rows/rows_tile.inc"
#include "rows/rows_variant.inc"
#undef OP
#undef ACC

#include "check.h"

#define ELEMENTS_MAX ((size_t)40 * GRID_TILE)

#define CODE(OP)                                                                                                     \
	{                                                                                                            \
		.state_size = sizeof(u64), .cursor_size = sizeof(union cursor),                                      \
		.tiles = {row_totals_##OP##_u64_plain, row_results_##OP##_u64_plain, row_segments_##OP##_u64_plain}, \
		.fold = row_fold_##OP##_u64_plain, .seed = row_seed_##OP##_u64_plain,                                \
		.state = row_state_##OP##_u64_plain, .emit = row_emit_##OP##_u64_plain,                              \
		.restart = row_restart_##OP##_u64_plain, .push = row_push_##OP##_u64_plain                           \
	}
static const struct row_code interval_code = CODE(interval);
static const struct row_code last_code = CODE(recent);

/* A row of the host's. (What it asks its operator for is the same for all operators.) */
static struct row host_row(const struct row_code *code)
{
	return (struct row){.op = &operator_table[OPERATOR_LAST],
			    .element = packed_of(&type_table[TYPE_U64], 1),
			    .in = &type_table[TYPE_U64],
			    .acc = &type_table[TYPE_U64],
			    .out = &type_table[TYPE_U64],
			    .results = packed_of(&type_table[TYPE_U64], 1),
			    .code = code,
			    .tiles = &code->tiles};
}

/* The same as programs for a device: also of intervals that are lifted from several numbers (element i is 3i, 3i + 1,
 * 3i + 2, or 8i, ... 8i + 7), and with several results an element: eight of all sizes, two that fill a word, and two
 * that do not. */
#define COMBINE_INTERVALS                                                                              \
	"typedef ulong state;\n"                                                                       \
	"state combine(state a, state b)\n{\n"                                                         \
	"\tconst ulong poison = 1ul << 32;\n"                                                          \
	"\tif (a == poison || b == poison || (a & 0xfffffffful) + 1 != b >> 32)\n\t\treturn poison;\n" \
	"\treturn (a & 0xffffffff00000000ul) | (b & 0xfffffffful);\n}\n"
#define LIFT_ONE "state lift(ulong x)\n{\n\treturn x << 32 | x;\n}\n"
#define EMIT_STATE "ulong emit(state s)\n{\n\treturn s;\n}\n"
static const char interval_text[] = COMBINE_INTERVALS LIFT_ONE EMIT_STATE;
static const char octets_text[] = COMBINE_INTERVALS EMIT_STATE
	"state lift(ulong a, ulong b, ulong c, ulong d, ulong e, ulong f, ulong g, ulong h)\n{\n"
	"\tif (b != a + 1 || c != a + 2 || d != a + 3 || e != a + 4 || f != a + 5 || g != a + 6 || h != a + 7)\n"
	"\t\treturn 1ul << 32;\n"
	"\treturn a % 8 == 0 ? (a / 8) << 32 | a / 8 : 1ul << 32;\n}\n";
static const char triples_text[] = COMBINE_INTERVALS EMIT_STATE
	"state lift(ulong a, ulong b, ulong c)\n{\n"
	"\treturn b == a + 1 && c == a + 2 && a % 3 == 0 ? (a / 3) << 32 | a / 3 : 1ul << 32;\n}\n";
static const char views_text[] = COMBINE_INTERVALS LIFT_ONE
	"typedef struct {\n\tuchar low;\n\tulong all;\n\tshort length;\n\tuint first;\n\tfloat last;\n\tchar "
	"is_poison;\n"
	"\tushort high;\n\tlong opposite;\n} views;\n"
	"views emit(state s)\n{\n\tconst uint first = (uint)(s >> 32);\n\tconst uint last = (uint)s;\n"
	"\tconst views r = {(uchar)last, s, (short)(last - first), first, (float)last, (char)-(last < first),\n"
	"\t\t(ushort)(last >> 16), -(long)last};\n\treturn r;\n}\n";
static const char ends_text[] = COMBINE_INTERVALS LIFT_ONE
	"typedef struct {\n\tuint first, last;\n} ends;\n"
	"ends emit(state s)\n{\n\tconst ends r = {(uint)(s >> 32), (uint)s};\n\treturn r;\n}\n";
static const char edges_text[] = COMBINE_INTERVALS LIFT_ONE
	"typedef struct {\n\tuint last;\n\tushort first;\n} edges;\n"
	"edges emit(state s)\n{\n\tconst edges r = {(uint)s, (ushort)(s >> 32)};\n\treturn r;\n}\n";
static const char recent_text[] = "typedef ulong state;\n"
				  "state lift(ulong x)\n{\n\treturn x;\n}\n"
				  "state combine(state a, state b)\n{\n\treturn b != 0 ? b : a;\n}\n" EMIT_STATE;

/* Reads a program from a file of its own. */
static struct program *read_program(const char *text)
{
	char name[] = "/tmp/engine_test.XXXXXX";
	struct program *p = NULL;
	const int fd = mkstemp(name);
	const size_t size = strlen(text);
	const bool is_read = fd >= 0 && write(fd, text, size) == (ssize_t)size && program_read(name, &p) == STATUS_OK;
	if (fd >= 0) {
		(void)close(fd);
		(void)unlink(name);
	}
	if (!is_read)
		abort();
	return p;
}

/* The row of a program, with the host's code for the fold of its states. */
static struct row device_row(const struct program *p, const struct row_code *code)
{
	struct row row;
	const struct type *t = &type_table[TYPE_U64];
	if (!row_find(&row, &p->op, t, t, false, false, ALGORITHM_BLELLOCH))
		abort();
	row.code = code;
	return row;
}

/* Scans count elements in chunks of chunk elements (whole tiles) on an engine. False if a call fails. */
static bool scan(struct engine *e, const struct row *row, const u64 *in, size_t count, size_t chunk, unsigned char *out)
{
	union cursor cursor = {{0}};
	u64 *states = malloc(2 * (chunk / GRID_TILE + 1) * sizeof *states);
	bool good = states != NULL;
	for (size_t first = 0; good && first < count; first += chunk) {
		const size_t n = count - first < chunk ? count - first : chunk;
		const size_t tiles = (n + GRID_TILE - 1) / GRID_TILE;
		const size_t channel = first / chunk % e->size.channel_count;
		struct lane_work work = {
			.in = in + row->element.count * first,
			.count = n,
			.totals = states,
			.carry_in = states + tiles,
			.out = out + row->results.size * first,
		};
		struct span spans[STAGE_COUNT];
		good = e->class->begin(e, SWEEP_TOTALS, channel, &work) == STATUS_OK &&
		       e->class->finish(e, SWEEP_TOTALS, channel, NULL) == STATUS_OK;
		work.first_has_carry = row->code->fold(&cursor, states, tiles, states + tiles);
		good = good && e->class->begin(e, SWEEP_RESULTS, channel, &work) == STATUS_OK &&
		       e->class->finish(e, SWEEP_RESULTS, channel, spans) == STATUS_OK && work.first_bad == SIZE_MAX;
	}
	free(states);
	return good;
}

/* `scan` by an engine that folds: each chunk is begun before the one before it is finished. */
static bool scan_at_once(struct engine *e, const struct row *row, const u64 *in, size_t count, size_t chunk,
			 unsigned char *out)
{
	union cursor cursor = {{0}};
	struct lane_work works[2];
	struct span spans[STAGE_COUNT];
	const size_t chunks = (count + chunk - 1) / chunk;
	bool good = true;
	u64 taken = 0; /* whole tiles' elements, by the last cursor */
	for (size_t k = 0; k <= chunks && good; k++) {
		const struct lane_work *before = &works[(k + 1) % 2];
		works[k % 2] = (struct lane_work){
			.in = in + row->element.count * k * chunk,
			.count = count - k * chunk < chunk ? count - k * chunk : chunk,
			.cursor = k == 0 ? &cursor : NULL,
			.first_has_carry = k > 0,
			.out = out + row->results.size * k * chunk,
		};
		if (k < chunks)
			good = e->class->begin(e, SWEEP_BOTH, k % e->size.channel_count, &works[k % 2]) == STATUS_OK;
		if (k == 0 || !good)
			continue;
		good = e->class->finish(e, SWEEP_BOTH, (k - 1) % e->size.channel_count, spans) == STATUS_OK &&
		       before->first_bad == SIZE_MAX;
		if (good)
			memcpy(&taken, before->cursor_after, sizeof taken);
	}
	return good && taken == (count + GRID_TILE - 1) / GRID_TILE * GRID_TILE;
}

/* Whether a result is that of the interval (0, i). */
typedef bool is_result(const unsigned char *result, u64 i);

static bool is_interval(const unsigned char *result, u64 i)
{
	return memcmp(result, &i, sizeof i) == 0;
}

static bool is_ends(const unsigned char *result, u64 i)
{
	const u32 ends[2] = {0, (u32)i};
	return memcmp(result, ends, sizeof ends) == 0;
}

static bool is_edges(const unsigned char *result, u64 i)
{
	const u16 first = 0;
	return memcmp(result, &i, sizeof(u32)) == 0 && memcmp(result + sizeof(u32), &first, sizeof first) == 0;
}

/* Takes size bytes off a result; whether they are a value's. */
static bool takes(const unsigned char **result, const void *value, size_t size)
{
	const unsigned char *bytes = *result;
	*result += size;
	return memcmp(bytes, value, size) == 0;
}

#define VIEWS_SIZE ((size_t)30)

static bool is_views(const unsigned char *result, u64 i)
{
	const unsigned char *r = result;
	const u8 low = (u8)i;
	const u16 length = (u16)i;
	const u32 first = 0;
	const f32 last = (f32)i;
	const i8 is_poison = 0;
	const u16 high = (u16)(i >> 16);
	const i64 opposite = -(i64)i;
	return takes(&r, &low, sizeof low) && takes(&r, &i, sizeof i) && takes(&r, &length, sizeof length) &&
	       takes(&r, &first, sizeof first) && takes(&r, &last, sizeof last) &&
	       takes(&r, &is_poison, sizeof is_poison) && takes(&r, &high, sizeof high) &&
	       takes(&r, &opposite, sizeof opposite) && r == result + VIEWS_SIZE;
}

/* The first index at which out is not the scan of 0, 1, 2, ..., or count. */
static size_t interval_mismatch(is_result *is_one, size_t result_size, const unsigned char *out, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!is_one(out + result_size * i, i))
			return i;
	}
	return count;
}

static size_t last_mismatch(const u64 *in, const unsigned char *out, size_t count)
{
	u64 last = 0;
	for (size_t i = 0; i < count; i++) {
		last = in[i] != 0 ? in[i] : last;
		if (memcmp(out + i * sizeof last, &last, sizeof last) != 0)
			return i;
	}
	return count;
}

static u64 in[8 * ELEMENTS_MAX], sparse[ELEMENTS_MAX];
static _Alignas(64) unsigned char out[ELEMENTS_MAX * VIEWS_SIZE];

static void fill_inputs(void)
{
	uint32_t random = 12345;
	for (size_t i = 0; i < 8 * ELEMENTS_MAX; i++)
		in[i] = i;
	for (size_t i = 0; i < ELEMENTS_MAX; i++) {
		random = random * 1664525 + 1013904223;
		sparse[i] = random >> 24 < 40 ? i + 1 : 0; /* mostly zero */
	}
}

static enum algorithm algorithm = ALGORITHM_BLELLOCH;
/* Whether elements and results of all sizes are scanned, or one, the most numbers of an element, and of a result. */
static bool has_all = true;

/* Sizes from least to greatest by steps of step. */
struct sizes {
	size_t least, greatest, step;
};

/* Scans intervals of elements of `inputs` numbers, of `count` ranges of sizes. Returns the first size that is wrong, or
 * 0. */
static size_t wrong_interval(struct engine *e, struct row row, is_result *is_one, const struct sizes *sizes,
			     size_t count)
{
	row.algorithm = algorithm;
	if (e->class->set_row(e, 0, &row) != STATUS_OK)
		return SIZE_MAX;
	for (size_t i = 0; i < count; i++) {
		size_t step = sizes[i].step;
		if ((row.element.count > 1 || row.results.size != sizeof(u64)) && step == 1 &&
		    sizes[i].greatest > 4 * GRID_TILE / 3)
			step = 11;
		for (size_t n = sizes[i].least; n <= sizes[i].greatest; n += step) {
			if (!scan(e, &row, in, n, (size_t)3 * GRID_TILE, out) ||
			    interval_mismatch(is_one, row.results.size, out, n) != n)
				return n;
			memset(out, 0, n * row.results.size);
			if (e->folds && (!scan_at_once(e, &row, in, n, (size_t)3 * GRID_TILE, out) ||
					 interval_mismatch(is_one, row.results.size, out, n) != n))
				return n;
		}
	}
	return 0;
}

static size_t wrong_last(struct engine *e, struct row row, const struct sizes *sizes, size_t count)
{
	row.algorithm = algorithm;
	if (e->class->set_row(e, 0, &row) != STATUS_OK)
		return SIZE_MAX;
	for (size_t i = 0; i < count; i++) {
		for (size_t n = sizes[i].least; n <= sizes[i].greatest; n += sizes[i].step) {
			if (!scan(e, &row, sparse, n, (size_t)3 * GRID_TILE, out) || last_mismatch(sparse, out, n) != n)
				return n;
		}
	}
	return 0;
}

/* All sizes of `count` ranges, in chunks of 3 tiles. Returns the first size that is wrong, or 0. */
static size_t wrong_size(struct engine *e, const struct sizes *sizes, size_t count)
{
	const size_t wrong = wrong_interval(e, host_row(&interval_code), is_interval, sizes, count);
	return wrong != 0 ? wrong : wrong_last(e, host_row(&last_code), sizes, count);
}

/* The programs: the last one is "recent", the others are of intervals. */
#define PROGRAMS 7
static const char *const texts[PROGRAMS] = {interval_text, octets_text, edges_text, triples_text,
					    ends_text,     views_text,  recent_text};
static is_result *const are_intervals[PROGRAMS - 1] = {is_interval, is_interval, is_edges,
						       is_interval, is_ends,     is_views};
static struct program *programs[PROGRAMS];

/* The same on a device, with elements of one number, three and eight, and with one result, two and eight (several at
 * some sizes). Each row is set once: a device compiles it. */
static size_t wrong_size_on_device(struct engine *e, const struct sizes *sizes, size_t count)
{
	size_t wrong = 0;
	for (size_t i = 0; i < (has_all ? PROGRAMS - 1 : 3) && wrong == 0; i++)
		wrong = wrong_interval(e, device_row(programs[i], &interval_code), are_intervals[i], sizes, count);
	return wrong != 0 ? wrong : wrong_last(e, device_row(programs[PROGRAMS - 1], &last_code), sizes, count);
}

/* The cursor of a row at each element of three tiles, and at every way of cutting them in two that a chunk's end may
 * have: whatever came before, what follows up to a tile's edge is pushed, whole tiles are folded, and the rest is
 * pushed. Returns the first cut that is wrong, or 0. */
static size_t wrong_cut(const struct row_code *code, is_result *is_one, size_t size)
{
	const size_t count = (size_t)3 * GRID_TILE;
	union cursor before = {{0}};
	for (size_t cut = 1; cut <= count; cut++) {
		if (code->push(&before, &in[cut - 1], 1, 0, &out[size * (cut - 1)]) != SIZE_MAX ||
		    !is_one(&out[size * (cut - 1)], cut - 1))
			return cut;
		if (cut % 3 != 1 && cut % GRID_TILE > 2 && cut % GRID_TILE < GRID_TILE - 2)
			continue; /* every third one, and all near the tiles' edges */
		union cursor cursor = before;
		u64 states[6];
		const size_t head = (GRID_TILE - cut % GRID_TILE) % GRID_TILE;
		const size_t tiles = (count - cut - head) / GRID_TILE;
		const size_t tail = tiles > 0 ? GRID_TILE / 2 : 0; /* of the last tile pushed instead */
		const size_t folded = tiles > 0 ? tiles - 1 : 0;
		const size_t first = cut + head + folded * GRID_TILE;
		(void)code->push(&cursor, in + cut, head, 0, out + size * cut);
		code->tiles.totals(in + cut + head, folded * GRID_TILE, 0, states);
		const bool has_carry = code->fold(&cursor, states, folded, states + 3);
		(void)code->tiles.results(in + cut + head, folded * GRID_TILE, 0, states + 3, has_carry,
					  out + size * (cut + head));
		(void)code->push(&cursor, in + first, tail, 0, out + size * first);
		for (size_t i = cut; i < first + tail; i++) {
			if (!is_one(out + size * i, i))
				return cut;
		}
	}
	return 0;
}

static void check_device(const struct engine_size *size, const char *device, const char *shape, const char *promise)
{
	struct engine *e = NULL;
	(void)setenv("PSCAN_SHAPE", shape, 1);
	const struct engine_need need = {
		.spec = device,
		.channel_count = 3,
		.lane_count = size->lane_count,
		.element_max = size->element_max,
		.chunk_elements = size->elements,
	};
	opencl_engine_prepare(true);
	if (opencl_engine_open(&need, &e) != STATUS_OK || e == NULL) {
		CHECK(false, "%s: no device %s", promise, device);
		return;
	}
	static const struct sizes sizes[] = {
		{1, 70, 1}, {4000, 4200, 7}, {1, ELEMENTS_MAX, 9973}, {3 * GRID_TILE - 1, 3 * GRID_TILE + 1, 1}};
	const size_t wrong = wrong_size_on_device(e, sizes, sizeof sizes / sizeof sizes[0]);
	CHECK(e->folds == (strcmp(shape, "gpu") == 0), "the %s shape folds or not", shape);
	CHECK(wrong == 0, "%s (first wrong size: %zu)", promise, wrong);
	e->class->close(e);
	opencl_engine_end();
}

/* A pool that only keeps account. */
static bool is_posted[2];

static void post(const struct pool *pool, size_t piece, pool_work *work, void *owner)
{
	(void)pool;
	(void)work;
	(void)owner;
	EXPECT(!is_posted[piece], "channel %zu is posted twice", piece);
	is_posted[piece] = true;
}

static void withdraw(const struct pool *pool, size_t piece)
{
	(void)pool;
	is_posted[piece] = false;
}

/* Channels that wait for their totals and for their results. */
static void a_cancelled_channel_is_left_alone(void)
{
	const struct engine_size size = {
		.channel_count = 2, .lane_count = 1, .elements = GRID_TILE, .element_max = sizeof(u64)};
	const struct pool pool = {.count = size.channel_count, .post = post, .withdraw = withdraw};
	const struct row row = host_row(&interval_code);
	struct engine *host = engine_host_open(&size, &pool);
	u64 states[2];
	struct lane_work works[2];
	for (size_t i = 0; i < 2; i++)
		works[i] = (struct lane_work){
			.in = in, .count = GRID_TILE, .totals = &states[i], .carry_in = &states[i], .out = out};
	if (host == NULL || host->class->set_row(host, 0, &row) != STATUS_OK ||
	    host->class->begin(host, SWEEP_TOTALS, 0, &works[0]) != STATUS_OK ||
	    host->class->begin(host, SWEEP_RESULTS, 1, &works[1]) != STATUS_OK)
		abort();
	EXPECT(is_posted[0] && is_posted[1], "nothing is posted");
	EXPECT(host->class->cancel(host, 1) && is_posted[0] && !is_posted[1], "the results are left to the pool");
	EXPECT(host->class->cancel(host, 0) && !is_posted[0], "the totals are left to the pool");
	host->class->close(host);
	check_promise("nobody works on a channel that was cancelled");
}

/* Pools of three engines: what the second test of them posted last. */
static size_t posted_piece[3];
static size_t posted_count[3];

static void count_post(const struct pool *pool, size_t piece, pool_work *work, void *owner)
{
	(void)work;
	(void)owner;
	posted_piece[pool->kind] = piece;
	posted_count[pool->kind]++;
}

static void count_withdrawal(const struct pool *pool, size_t piece)
{
	posted_count[pool->kind] -= posted_piece[pool->kind] == piece;
}

static void several_engines_have_channels_in_turn(void)
{
	const struct row row = host_row(&interval_code);
	static struct channel_memory memory[3][2];
	struct pool pools[3];
	struct engine *engines[3];
	u64 state = 0;
	for (int i = 0; i < 3; i++) {
		const struct engine_size size = {.channel_count = 2,
						 .lane_count = 1,
						 .elements = (size_t)(i == 1 ? 1 : 2) * GRID_TILE,
						 .element_max = sizeof(u64)};
		pools[i] = (struct pool){.count = 2, .kind = i, .post = count_post, .withdraw = count_withdrawal};
		engines[i] = engine_host_open(&size, &pools[i]);
		if (engines[i] == NULL)
			abort();
		memory[i][0].in = memory[i][1].out = out + i;
		engines[i]->memory = memory[i];
		engines[i]->device = i == 1 ? "second" : "other";
	}
	struct engine *e = engine_several_open(engines, 3);
	if (e == NULL || e->class->set_row(e, 0, &row) != STATUS_OK)
		abort();
	EXPECT(e->size.channel_count == 6 && e->depth == 6 && e->device_count == 3, "%zu channels, %zu at once",
	       e->size.channel_count, e->depth);
	EXPECT(e->size.elements == GRID_TILE, "chunks that do not fit one of them");
	EXPECT(strcmp(e->device, "other, second, other") == 0 && strcmp(e->devices[1], "second") == 0, "named %s",
	       e->device);
	for (size_t channel = 0; channel < 6; channel++) {
		struct lane_work work = {
			.in = in, .count = GRID_TILE, .totals = &state, .carry_in = &state, .out = out};
		const size_t before = posted_count[channel % 3];
		EXPECT(e->class->begin(e, SWEEP_TOTALS, channel, &work) == STATUS_OK &&
			       posted_count[channel % 3] == before + 1 && posted_piece[channel % 3] == channel / 3,
		       "channel %zu is elsewhere", channel);
		EXPECT(e->class->cancel(e, channel) && posted_count[channel % 3] == before,
		       "channel %zu is cancelled elsewhere", channel);
		EXPECT(e->memory[channel].in == memory[channel % 3][channel / 3].in &&
			       e->memory[channel].out == memory[channel % 3][channel / 3].out,
		       "channel %zu has another one's memory", channel);
	}
	e->class->close(e);
	check_promise("channels of several engines are theirs in turn");
}

/* Scans in chunks that go to three engines in turn. */
static void several_engines_combine_in_order(void)
{
	const struct engine_size size = {
		.channel_count = 1, .lane_count = 1, .elements = ELEMENTS_MAX, .element_max = 8 * sizeof(u64)};
	struct engine *engines[3];
	for (int i = 0; i < 3; i++) {
		engines[i] = engine_host_open(&size, NULL);
		if (engines[i] == NULL)
			abort();
	}
	struct engine *e = engine_several_open(engines, 3);
	if (e == NULL)
		abort();
	const size_t wrong = wrong_size(e, &(struct sizes){1, ELEMENTS_MAX, 9973}, 1);
	CHECK(wrong == 0, "several engines combine in order across chunks (first wrong: %zu)", wrong);
	e->class->close(e);
}

int main(int argc, char **argv)
{
	const struct engine_size size = {
		.channel_count = 1, .lane_count = 1, .elements = ELEMENTS_MAX, .element_max = 8 * sizeof(u64)};
	const char *device = argc > 1 ? argv[1] : "cpu";
	fill_inputs();
	for (size_t i = 0; i < PROGRAMS; i++)
		programs[i] = read_program(texts[i]);
	struct engine *host = engine_host_open(&size, NULL);
	if (host == NULL)
		return 1;
	const size_t wrong = wrong_size(host, &(struct sizes){0, 8200, 1}, 1);
	CHECK(wrong == 0, "the host combines in order at every size from 0 to 8200 (first wrong: %zu)", wrong);
	CHECK(wrong_size(host, &(struct sizes){1, ELEMENTS_MAX, 9973}, 1) == 0,
	      "the host combines in order across chunks");
	host->class->close(host);
	a_cancelled_channel_is_left_alone();
	several_engines_have_channels_in_turn();
	several_engines_combine_in_order();
	const size_t cut = wrong_cut(&interval_code, is_interval, sizeof(u64));
	CHECK(cut == 0,
	      "the cursor combines in order at each element of three tiles, wherever they are cut (first wrong: %zu)",
	      cut);
	check_device(&size, device, "cpu", "a device's CPU shape combines in order");
	has_all = argc > 1;
	check_device(&size, device, "gpu", "a device's GPU shape combines in order");
	algorithm = ALGORITHM_HILLIS_STEELE;
	check_device(&size, device, "cpu", "a device's CPU shape combines in order by Hillis and Steele");
	check_device(&size, device, "gpu", "a device's GPU shape combines in order by Hillis and Steele");
	for (size_t i = 0; i < PROGRAMS; i++)
		program_free(programs[i]);
	return check_done();
}
