/* A device that fails at any of its calls, and one that computes a wrong total. After a failure the host takes over,
 * and every result is right; --verify finds the wrong total. The device here is the host's engine under another name.
 * The right results are sums of 64-bit integers. */
#include "scanner/conductor.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/args.h"
#include "cli/make_plan.h"
#include "check.h"
#include "base/message.h"
#include "rows/rows.h"
#include "scan/row.h"

#define CHUNK ((size_t)2 * GRID_TILE)
#define CHUNKS 5
#define SLOTS 4
#define CUT ((size_t)GRID_TILE) /* elements that streams with cut tiles have less */
#define ZEROS "000000000000000000"

enum call {
	CALL_BEGIN_TOTALS,
	CALL_FINISH_TOTALS,
	CALL_BEGIN_RESULTS,
	CALL_FINISH_RESULTS,
	CALL_BEGIN_BOTH,
	CALL_FINISH_BOTH,
	CALL_COUNT
};

struct device {
	struct engine base;
	struct engine *host; /* does the work */
	size_t devices; /* that it is of; 0: one */
	size_t waiting,
		waiting_last; /* chunks whose totals were begun and not finished, and so when the last one was begun */
	int64_t *totals; /* of the channel's chunk that was begun last */
	enum call failing;
	unsigned number; /* of the call that fails, from 1; 0: none */
	unsigned wrong_total; /* the last total of that chunk is wrong; 0: none */
	/* Of one that folds: the cursor after the chunk that was begun last, and those of channels. */
	union cursor cursor, after[SLOTS];
	int64_t carry_ins[SLOTS][CHUNK / GRID_TILE];
	unsigned unfit_carries; /* chunks of which the caller did not know whether they have a carry-in */
	unsigned calls[CALL_COUNT];
	struct lane_work *lanes[SLOTS]; /* of the channels' chunks */
	bool is_begun[SLOTS]; /* the channel, neither finished nor cancelled */
	unsigned begun_twice;
};

static struct device *device_of(struct engine *e)
{
	return (struct device *)e;
}

static bool fails(struct engine *e, enum call call)
{
	struct device *d = device_of(e);
	return ++d->calls[call] == d->number && call == d->failing;
}

static enum status set_row(struct engine *e, size_t lane, const struct row *row)
{
	struct engine *h = device_of(e)->host;
	return h->class->set_row(h, lane, row);
}

static enum status begin_totals(struct engine *e, size_t channel, struct lane_work *lanes)
{
	struct device *d = device_of(e);
	d->totals = lanes->totals;
	if (fails(e, CALL_BEGIN_TOTALS))
		return STATUS_DEVICE;
	d->begun_twice += d->is_begun[channel];
	d->is_begun[channel] = true;
	d->waiting_last = ++d->waiting;
	return d->host->class->begin(d->host, SWEEP_TOTALS, channel, lanes);
}

static enum status finish_totals(struct engine *e, size_t channel)
{
	struct device *d = device_of(e);
	if (fails(e, CALL_FINISH_TOTALS))
		return STATUS_DEVICE;
	d->waiting--;
	const enum status status = d->host->class->finish(d->host, SWEEP_TOTALS, channel, NULL);
	if (d->calls[CALL_FINISH_TOTALS] == d->wrong_total)
		d->totals[CHUNK / GRID_TILE - 1]++;
	return status;
}

static enum status begin_results(struct engine *e, size_t channel, struct lane_work *lanes)
{
	struct engine *h = device_of(e)->host;
	return fails(e, CALL_BEGIN_RESULTS) ? STATUS_DEVICE : h->class->begin(h, SWEEP_RESULTS, channel, lanes);
}

static enum status finish_results(struct engine *e, size_t channel, struct span *spans)
{
	struct engine *h = device_of(e)->host;
	if (fails(e, CALL_FINISH_RESULTS))
		return STATUS_DEVICE;
	device_of(e)->is_begun[channel] = false;
	return h->class->finish(h, SWEEP_RESULTS, channel, spans);
}

static const struct row_code *sum_code(void)
{
	return host_rows_code(OPERATOR_SUM, TYPE_I64, ROW_CHECKED, ALGORITHM_BLELLOCH);
}

static enum status begin_both(struct engine *e, size_t channel, struct lane_work *lanes)
{
	struct device *d = device_of(e);
	const struct engine_class *class = d->host->class;
	if (fails(e, CALL_BEGIN_BOTH))
		return STATUS_DEVICE;
	d->begun_twice += d->is_begun[channel];
	d->is_begun[channel] = true;
	if (class->begin(d->host, SWEEP_TOTALS, channel, lanes) != STATUS_OK ||
	    class->finish(d->host, SWEEP_TOTALS, channel, NULL) != STATUS_OK)
		abort();
	if (d->calls[CALL_BEGIN_BOTH] == d->wrong_total)
		((int64_t *)lanes->totals)[lanes->count / GRID_TILE - 1]++;
	if (lanes->cursor != NULL)
		memcpy(&d->cursor, lanes->cursor, sum_code()->cursor_size);
	d->unfit_carries += lanes->first_has_carry != sum_code()->fold(&d->cursor, lanes->totals,
								       lanes->count / GRID_TILE, d->carry_ins[channel]);
	d->after[channel] = d->cursor;
	lanes->carry_in = d->carry_ins[channel];
	return class->begin(d->host, SWEEP_RESULTS, channel, lanes);
}

static enum status finish_both(struct engine *e, size_t channel, struct lane_work *lanes, struct span *spans)
{
	struct device *d = device_of(e);
	if (fails(e, CALL_FINISH_BOTH))
		return STATUS_DEVICE;
	d->is_begun[channel] = false;
	lanes->cursor_after = &d->after[channel];
	return d->host->class->finish(d->host, SWEEP_RESULTS, channel, spans);
}

static enum status begin(struct engine *e, enum sweep sweep, size_t channel, struct lane_work *lanes)
{
	device_of(e)->lanes[channel] = lanes;
	if (sweep == SWEEP_BOTH)
		return begin_both(e, channel, lanes);
	return (sweep == SWEEP_TOTALS ? begin_totals : begin_results)(e, channel, lanes);
}

static enum status finish(struct engine *e, enum sweep sweep, size_t channel, struct span *spans)
{
	if (sweep == SWEEP_BOTH)
		return finish_both(e, channel, device_of(e)->lanes[channel], spans);
	return sweep == SWEEP_TOTALS ? finish_totals(e, channel) : finish_results(e, channel, spans);
}

static bool is_ready(struct engine *e, size_t channel)
{
	(void)e;
	(void)channel;
	return true;
}

static bool cancel(struct engine *e, size_t channel)
{
	struct engine *h = device_of(e)->host;
	device_of(e)->is_begun[channel] = false;
	return h->class->cancel(h, channel);
}

static void close_device(struct engine *e)
{
	struct engine *h = device_of(e)->host;
	h->class->close(h);
}

/* One that can say whether it is ready, and one that cannot. */
static const struct engine_class polled_class = {
	.set_row = set_row,
	.begin = begin,
	.finish = finish,
	.is_ready = is_ready,
	.cancel = cancel,
	.close = close_device,
};
static const struct engine_class waiting_class = {
	.set_row = set_row,
	.begin = begin,
	.finish = finish,
	.cancel = cancel,
	.close = close_device,
};
/* One that folds. */
static const struct engine_class folding_class = {
	.set_row = set_row,
	.begin = begin,
	.finish = finish,
	.cancel = cancel,
	.close = close_device,
};

static const char *name_of(const struct engine_class *class)
{
	return class == &polled_class ? "polled" : class == &waiting_class ? "waiting" : "folding";
}

/* What came out, and how much of it is right. */
struct outcome {
	size_t count;
	size_t right;
	int64_t sum;
};

static const struct plan *text_plan;

static int64_t element(size_t i)
{
	return (int64_t)(i % 1000) - 300;
}

static void check_results(void *context, struct slot *s)
{
	struct outcome *o = context;
	const int64_t *results = (const int64_t *)(const void *)s->lanes[0].results;
	for (size_t i = 0; i < s->scan.records; i++, o->count++) {
		o->sum += element(o->count);
		o->right += results[i] == o->sum;
	}
}

static void fill_elements(struct slot *s, const struct plan *plan, size_t first, size_t count)
{
	if (slot_need_elements(s, plan, 1) != STATUS_OK)
		abort();
	int64_t *elements = (int64_t *)(void *)s->columns[0].memory;
	for (size_t i = 0; i < count; i++)
		elements[i] = element(first + i);
	s->in.data = (const unsigned char *)elements;
	s->in.size = count * sizeof *elements;
}

static void fill_binary(struct slot *s, const struct plan *plan, size_t chunk)
{
	fill_elements(s, plan, chunk * CHUNK, CHUNK);
}

/* The second chunk ends within a tile, and the third one at the end of the next tile. */
static void fill_cut(struct slot *s, const struct plan *plan, size_t chunk)
{
	const size_t first = chunk * CHUNK - (chunk == 2 ? 7 : chunk > 2 ? CUT : 0);
	const size_t end = (chunk + 1) * CHUNK - (chunk == 1 ? 7 : chunk > 1 ? CUT : 0);
	fill_elements(s, plan, first, end - first);
}

/* As text: numbers of which three do not fit 64 bits. */
static void fill_text(struct slot *s, const struct plan *plan, size_t chunk)
{
	(void)plan;
	(void)chunk;
	s->in.buffer.size = 0;
	for (size_t i = 0; i < CHUNK; i++) {
		if (bytes_append(&s->in.buffer, "4" ZEROS "\n", 2 + strlen(ZEROS)) != STATUS_OK)
			abort();
	}
	s->in.data = s->in.buffer.data;
	s->in.size = s->in.buffer.size;
}

/* Slots come in the order of the stream, parts of them as text that is made already. */
static void check_text(void *context, struct slot *s)
{
	struct outcome *o = context;
	if (slot_encode(s, text_plan) != STATUS_OK)
		abort();
	const char *line = (const char *)s->write.write_data;
	for (size_t left = s->write.write_size; left > 0; o->count++) {
		char want[40];
		const size_t size = (size_t)snprintf(want, sizeof want, "%zu" ZEROS "\n", 4 * (o->count + 1));
		if (size > left || memcmp(line, want, size) != 0)
			return;
		o->right++;
		line += size;
		left -= size;
	}
}

/* A stream of chunks, and who takes its results. */
struct stream {
	const char *format, *type, *chunk_size;
	void (*fill)(struct slot *s, const struct plan *plan, size_t chunk);
	void (*take)(void *context, struct slot *s);
};
static const struct stream binary_stream = {"--format=binary", "-ti64", "--chunk-size=64K", fill_binary, check_results};
static const struct stream cut_stream = {"--format=binary", "-ti64", "--chunk-size=64K", fill_cut, check_results};
static const struct stream text_stream = {"--format=text", "-tnum", "--chunk-size=256K", fill_text, check_text};

static void fill(struct slot *s, const struct plan *plan, const struct conductor *c, const struct stream *stream,
		 size_t chunk)
{
	if (s->capacity == 0) {
		s->capacity = plan->sizes.chunk_elements;
		if (slot_prepare(s, plan) != STATUS_OK)
			abort();
	}
	stream->fill(s, plan, chunk);
	s->in.last = chunk == CHUNKS - 1;
	s->in.file_name = "input";
	if (slot_decode(s, plan, conductor_are_floats(c), (struct decode_stop_at){.records = SIZE_MAX}) != STATUS_OK)
		abort();
}

/* Scans the chunks with at most depth of them under way. */
static enum status scan(const struct plan *plan, struct conductor *c, const struct stream *stream, size_t depth)
{
	static struct slot slots[SLOTS];
	enum status status = STATUS_OK;
	size_t under_way = 0;
	memset(slots, 0, sizeof slots);
	for (size_t k = 0; k < CHUNKS && status == STATUS_OK; k++) {
		slots[k % SLOTS].channel = k % SLOTS;
		fill(&slots[k % SLOTS], plan, c, stream, k);
		status = conductor_submit(c, &slots[k % SLOTS]);
		under_way++;
		if (status == STATUS_OK)
			(void)!conductor_advance(c, &status);
		while (status == STATUS_OK && (under_way == depth || !conductor_has_room(c))) {
			status = conductor_finish(c);
			under_way--;
		}
	}
	for (; status == STATUS_OK && under_way > 0; under_way--)
		status = conductor_finish(c);
	for (size_t i = 0; i < SLOTS; i++)
		slot_free(&slots[i]);
	return status;
}

/* The device's faults are set; it is used first. *gave_up: the host had the stream at the end. */
static enum status run(struct device *d, const struct engine_class *class, const struct stream *stream, bool verify,
		       size_t depth, struct outcome *o, bool *gave_up)
{
	static char words[4][20] = {"pscan"};
	char *arguments[] = {words[0], words[1], words[2], words[3], NULL};
	(void)snprintf(words[1], sizeof words[1], "%s", stream->format);
	(void)snprintf(words[2], sizeof words[2], "%s", stream->type);
	(void)snprintf(words[3], sizeof words[3], "%s", stream->chunk_size);
	static struct options options;
	struct plan plan;
	struct conductor *c;
	const struct plan_input none = {.block = (const unsigned char *)""};
	optind = 0;
	if (args_parse(4, arguments, &options) != STATUS_OK || plan_make(&plan, &options, 1, &none) != STATUS_OK)
		abort();
	plan.device.verify = verify;
	text_plan = &plan;
	const struct engine_size size = {
		.channel_count = SLOTS, .lane_count = 1, .elements = CHUNK, .element_max = slot_element_max(&plan)};
	d->host = engine_host_open(&size, NULL);
	d->base = (struct engine){.class = class,
				  .size = size,
				  .depth = 3,
				  .folds = class == &folding_class,
				  .device = "test",
				  .device_count = d->devices > 0 ? d->devices : 1};
	*o = (struct outcome){0};
	const struct conductor_start start = {
		.plan = &plan,
		.engine = &d->base,
		.host = engine_host_open(&size, NULL),
		.channel_count = SLOTS,
		.deliver = stream->take,
		.context = o,
	};
	if (d->host == NULL || start.host == NULL || conductor_new(&start, &c) != STATUS_OK)
		abort();
	const enum status status = scan(&plan, c, stream, depth);
	*gave_up = conductor_engine(c) != &d->base;
	conductor_free(c);
	plan_free(&plan);
	bytes_free(&options.scan.operators);
	bytes_free(&options.fields.numbers);
	return status;
}

static bool is_right(enum status status, const struct outcome *o)
{
	return status == STATUS_OK && o->count == CHUNKS * CHUNK && o->right == o->count;
}

/* How often a device is called that does not fail. It folds again only when the host folds no chunk under way. */
static unsigned calls_of(const struct engine_class *class, const struct stream *stream, size_t depth, enum call call)
{
	unsigned folded = class == &folding_class ? CHUNKS : 0;
	if (folded > 0 && stream == &cut_stream)
		folded = depth == 1 ? 3 : 1;
	return call < CALL_BEGIN_BOTH ? CHUNKS - folded : folded;
}

static void the_host_takes_over(const struct engine_class *class, const struct stream *stream)
{
	struct outcome o;
	bool gave_up;
	const size_t cut = stream == &cut_stream ? CUT : 0;
	for (size_t turn = 0; turn < 6; turn++) {
		const size_t depth = turn % 3 + 1;
		const size_t devices = turn / 3 + 1;
		struct device sound = {.devices = devices};
		enum status status = run(&sound, class, stream, true, depth, &o, &gave_up);
		o.count += cut;
		o.right += cut;
		EXPECT(is_right(status, &o) && !gave_up && sound.unfit_carries == 0,
		       "sound, depth %zu: status %d, %zu of %zu right, %u unfit", depth, (int)status, o.right, o.count,
		       sound.unfit_carries);
		for (unsigned call = 0; call < CALL_COUNT; call++) {
			const unsigned calls = calls_of(class, stream, depth, (enum call)call);
			EXPECT(sound.calls[call] == calls, "depth %zu: %u times call %u", depth, sound.calls[call],
			       call);
			for (unsigned number = 1; number <= calls; number++) {
				struct device d = {.devices = devices, .failing = (enum call)call, .number = number};
				status = run(&d, class, stream, false, depth, &o, &gave_up);
				o.count += cut;
				o.right += cut;
				EXPECT(is_right(status, &o) && gave_up,
				       "depth %zu, call %u, %u: status %d, gave up %d, %zu of %zu right", depth, call,
				       number, (int)status, (int)gave_up, o.right, o.count);
			}
		}
	}
	check_promise("a device (%s) that fails at any call is given up for the host, and every result is right%s",
		      name_of(class), cut > 0 ? ", also where chunks end within tiles" : "");
}

static void each_device_has_a_chunk_to_go_on_with(void)
{
	struct outcome o;
	bool gave_up;
	for (size_t devices = 1; devices <= 2; devices++) {
		struct device d = {.devices = devices};
		const enum status status = run(&d, &waiting_class, &binary_stream, false, 3, &o, &gave_up);
		EXPECT(is_right(status, &o) && d.waiting == 0, "%zu devices: status %d", devices, (int)status);
		EXPECT(d.waiting_last == devices + 1, "%zu devices: %zu up-sweeps at once", devices, d.waiting_last);
	}
	check_promise("while the totals of a chunk are waited for, every device has another one to begin");
}

/* A cursor stays on a device that folds only while several chunks are under way. */
#define DEPTH_OF(class) ((class) == &folding_class ? 3u : 1u)

/* A wrong total of a chunk's last tile shows in no result of that chunk, but in all later ones. */
static void a_wrong_total_is_noticed(const struct engine_class *class)
{
	struct outcome o;
	bool gave_up;
	for (unsigned chunk = 1; chunk < CHUNKS; chunk++) {
		struct device d = {.wrong_total = chunk};
		enum status status = run(&d, class, &binary_stream, false, DEPTH_OF(class), &o, &gave_up);
		EXPECT(status == STATUS_OK && o.right == chunk * CHUNK, "the fault shows nowhere: %zu right", o.right);
		d = (struct device){.wrong_total = chunk};
		status = run(&d, class, &binary_stream, true, DEPTH_OF(class), &o, &gave_up);
		EXPECT(is_right(status, &o) && gave_up, "chunk %u: status %d, gave up %d, %zu of %zu right", chunk,
		       (int)status, (int)gave_up, o.right, o.count);
	}
	check_promise("--verify finds a wrong total (%s) before it spoils a result", name_of(class));
}

/* Sums leave 64 bits at the third element, while the next chunks are under way: they are taken back, and scanned
 * again. */
static void chunks_are_taken_back(void)
{
	struct outcome o;
	bool gave_up;
	for (size_t depth = 1; depth <= 3; depth++) {
		struct device d = {.number = 0};
		const enum status status = run(&d, &waiting_class, &text_stream, false, depth, &o, &gave_up);
		EXPECT(is_right(status, &o) && !gave_up, "depth %zu: status %d, %zu of %zu right", depth, (int)status,
		       o.right, o.count);
		EXPECT(d.begun_twice == 0, "depth %zu: %u channels were begun while they were under way", depth,
		       d.begun_twice);
	}
	check_promise("chunks that are taken back are cancelled before they begin again");
}

int main(void)
{
	message_set_verbosity(VERBOSITY_QUIET); /* of --verify */
	the_host_takes_over(&waiting_class, &binary_stream);
	the_host_takes_over(&polled_class, &binary_stream);
	the_host_takes_over(&folding_class, &binary_stream);
	the_host_takes_over(&folding_class, &cut_stream);
	a_wrong_total_is_noticed(&waiting_class);
	a_wrong_total_is_noticed(&folding_class);
	chunks_are_taken_back();
	each_device_has_a_chunk_to_go_on_with();
	return check_done();
}
