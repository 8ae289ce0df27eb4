/* Every thread does the most urgent piece of work (pipeline.c tells the story). */
#include "stream/pipeline_private.h"

#include <stdio.h>
#include <string.h>

#include "base/message.h"

/* How many threads there are beyond the workers, since threads in roles may wait. */
#define ROLE_COUNT 3

enum status pipeline_work_begin(struct pipeline *p, struct slot *s)
{
	const struct engine *lender = atomic_load(&p->lender);
	if (s->capacity == 0) {
		s->capacity = p->plan->sizes.chunk_elements;
		if (slot_prepare(s, p->plan) != STATUS_OK)
			return STATUS_SYSTEM;
	}
	if (lender != NULL && lender->memory != NULL && !s->abandoned &&
	    s->columns[0].memory != lender->memory[s->channel].in)
		slot_borrow_memory(s, &lender->memory[s->channel], lender->size.elements);
	const size_t wanted = atomic_load(&p->chunk_elements);
	return source_fill(p->parts->source, p->plan, s, wanted < s->capacity ? wanted : s->capacity);
}

static enum status decode(struct pipeline *p, struct slot *s)
{
	const bool is_text = p->plan->format.input == FORMAT_TEXT;
	enum status status = slot_load(s, p->plan);
	const uint64_t begin = timeline_now_ns();
	if (status == STATUS_OK)
		status = slot_decode(s, p->plan, conductor_are_floats(p->conductor),
				     (struct decode_stop_at){.records = SIZE_MAX});
	if (is_text || p->plan->format.in_swapped || p->plan->lane_count > 1)
		span_add(&s->spans[STAGE_DECODE], begin);
	if (status == STATUS_OK && (p->plan->is_segmented || atomic_load(&p->host_scans)))
		status = conductor_scan_ahead(p->conductor, s);
	return status;
}

void pipeline_work_publish(struct pipeline *p)
{
	const struct engine *engine = conductor_engine(p->conductor);
	const bool on_host = engine->device == NULL;
	atomic_store(&p->host_scans, on_host);
	atomic_store(&p->chunk_elements, on_host ? p->plan->sizes.chunk_elements : engine->size.elements);
	if (!on_host && engine->memory != NULL)
		lent_results_begin(&p->lent, engine, p->plan->sizes.slot_count);
	if (!on_host)
		atomic_store(&p->lender, engine);
	/* Waiting for a device takes one core, and its driver another one. */
	const size_t threads = p->plan->sizes.thread_count;
	ring_set_workers(p->parts->ring,
			 on_host || threads < 2 ? threads
			 : threads < 8          ? threads - 1
						: threads - 2,
			 !on_host);
}

/* Takes decoded slots through the conductor until nothing is left to do without waiting for another thread. */
static enum status conduct(struct pipeline *p)
{
	struct conductor *c = p->conductor;
	enum status status = STATUS_OK;
	while (status == STATUS_OK && !conductor_is_done(c)) {
		struct slot *s = conductor_has_room(c) ? ring_take_decoded(p->parts->ring) : NULL;
		if (p->handover != NULL)
			handover_look(p->handover, c, s);
		if (s != NULL && slot_borrows_results(s))
			s->lanes[0].memory = lent_results_take(&p->lent, s->channel);
		if (s != NULL)
			status = conductor_submit(c, s);
		else if (conductor_advance(c, &status) && status == STATUS_OK)
			status = conductor_finish(c);
		else
			break;
	}
	if (status == STATUS_OK)
		pipeline_work_publish(p);
	return status;
}

void pipeline_work_deliver(void *context, struct slot *s)
{
	struct pipeline *p = context;
	s->write.write_offset = p->out_position;
	if (p->in_place && p->plan->is_reversed)
		pipeline_backwards_place(p, s);
	else if (p->in_place && s->lanes[0].format.type != NULL)
		p->out_position +=
			s->write.out.size + (p->plan->total ? 0 : s->scan.records * s->lanes[0].results_of.size);
	if (p->handover != NULL)
		handover_count(p->handover, p->conductor, s);
	ring_put(p->parts->ring, s, WORK_CONDUCT);
}

static enum status encode(struct pipeline *p, struct slot *s)
{
	uint64_t begin = timeline_now_ns();
	if (sink_is_nowhere(p->parts->sink)) {
		s->write.write_data = NULL;
		s->write.write_size = 0;
		s->write.written = false;
		return STATUS_OK;
	}
	TRY(slot_encode(s, p->plan));
	if (p->plan->format.output == FORMAT_TEXT || p->plan->format.out_swapped || p->plan->lane_count > 1)
		span_add(&s->spans[STAGE_ENCODE], begin);
	begin = timeline_now_ns();
	s->write.written =
		p->in_place && s->write.write_size > 0 &&
		sink_write_at(p->parts->sink, s->write.write_data, s->write.write_size, s->write.write_offset);
	if (s->write.written)
		span_add(&s->spans[STAGE_WRITE], begin);
	return STATUS_OK;
}

/* Returns the problem with the name of its field, if lines name their fields or --log does. *line_base: lines of the
 * file before the slot. */
static struct problem name_problem(const struct pipeline *p, const struct slot *s, const struct problem *problem,
				   uint64_t *line_base)
{
	const struct text_rules *rules = &p->plan->format.text;
	struct problem named = *problem;
	for (size_t i = 0; named.field != 0 && named.field_name == NULL && i < rules->total_count; i++) {
		const struct field_choice *f = &rules->fields[i];
		if ((text_names_fields(rules) ? rules->numbers[i] : f->number) == named.field)
			named.field_name = text_names_fields(rules) ? f->name : f->word;
	}
	/* (Lines that were not read are counted only for a message.) */
	const bool has_lines = p->plan->format.input == FORMAT_TEXT && s->in.passed > 0;
	if (p->plan->is_reversed) {
		const bool has_line = p->plan->format.input == FORMAT_TEXT && problem->line > 0;
		*line_base = has_line ? source_lines_before(p->parts->source, s) : 0;
		return named;
	}
	*line_base = s->scan.line_base + (has_lines ? source_count_lines(s->in.file_name, s->in.passed) : 0);
	return named;
}

static void tell(const struct pipeline *p, const struct slot *s, const struct problem *problem)
{
	uint64_t line_base;
	const struct problem named = name_problem(p, s, problem, &line_base);
	problem_tell(&named, s->in.file_name, line_base);
}

static void tell_warnings(struct pipeline *p, const struct slot *s)
{
	const struct warning *warnings = (const struct warning *)(const void *)s->decode.warnings.data;
	const size_t count = s->decode.warnings.size / sizeof warnings[0];
	const bool fails = p->plan->format.text.tokens.invalid == INVALID_FAIL;
	for (size_t j = 0; j < count; j++) {
		const size_t i = p->plan->is_reversed ? count - 1 - j : j;
		struct problem problem = {.status = fails ? STATUS_DATA : STATUS_OK,
					  .line = warnings[i].line,
					  .field = warnings[i].field,
					  .column = warnings[i].column};
		const char *quoted = message_quoted_part(warnings[i].token, warnings[i].size);
		if (warnings[i].misfit.field_count > 0)
			(void)decode_say_misfit(&warnings[i].misfit, problem.text, sizeof problem.text);
		const size_t size = strlen(problem.text);
		const char *what = size > 0 ? "" : warnings[i].what != NULL ? warnings[i].what : "not a number";
		(void)snprintf(problem.text + size, sizeof problem.text - size, "%s: %s", what, quoted);
		tell(p, s, &problem);
		if (fails)
			p->end.worst_status = STATUS_DATA;
	}
}

/* Reports a problem, if there is one. True if it ends the stream. */
static bool tell_problem(struct pipeline *p, const struct slot *s, const struct problem *problem)
{
	if (problem->status == STATUS_OK)
		return false;
	tell(p, s, problem);
	if (problem->fatal)
		p->end.fatal_status = problem->status;
	else
		p->end.worst_status = problem->status;
	return problem->fatal;
}

/* Holds back an error in the data that damage of the file may have caused. False if it is another problem. */
static bool keep_doubt(struct pipeline *p, const struct slot *s)
{
	const bool is = s->in.unchecked > 0 && s->scan.problem.status == STATUS_DATA && s->scan.problem.fatal;
	if (!is)
		return false;
	uint64_t line_base;
	p->end.doubt = name_problem(p, s, &s->scan.problem, &line_base);
	p->end.doubt.line += p->end.doubt.line > 0 ? line_base : 0;
	p->end.doubt_file = s->in.file_name;
	p->end.doubt_frame = s->in.unchecked;
	p->end.fatal_status = STATUS_DATA;
	return true;
}

static bool is_fatal(const struct problem *problem)
{
	return problem->status != STATUS_OK && problem->fatal;
}

/* Writes the slot's bytes. */
static enum status write_bytes(struct pipeline *p, struct slot *s)
{
	const uint64_t begin = timeline_now_ns();
	const bool fails = is_fatal(&s->scan.problem) || is_fatal(&s->in.source_problem);
	if ((s->write.write_size > 0 || (s->in.last && !fails)) && pipeline_array_begin(p) != STATUS_OK)
		return STATUS_SYSTEM;
	if (s->write.written) {
		sink_advance(p->parts->sink, s->write.write_size);
	} else if (s->write.write_size > 0) {
		const bool by_lines = p->plan->sizes.line_buffered && p->plan->format.output == FORMAT_TEXT;
		const enum status status =
			by_lines ? sink_write_lines(p->parts->sink, s->write.write_data, s->write.write_size)
				 : sink_write(p->parts->sink, s->write.write_data, s->write.write_size);
		if (status != STATUS_OK)
			return status;
		span_add(&s->spans[STAGE_WRITE], begin);
	}
	return STATUS_OK;
}

/* Writes the slot's bytes, in the order of the stream, and reports its problems. */
static enum status write_slot(struct pipeline *p, struct slot *s)
{
	enum status status = STATUS_OK;
	TRY(p->plan->is_reversed ? pipeline_backwards_keep(p, s) : write_bytes(p, s));
	if (p->parts->key_curves != NULL && slot_plot_keys(s, p->plan, p->parts->key_curves) != STATUS_OK)
		return STATUS_SYSTEM;
	tell_warnings(p, s);
	const bool is_doubtful = keep_doubt(p, s);
	const bool ended =
		is_doubtful || tell_problem(p, s, &s->scan.problem) || tell_problem(p, s, &s->in.source_problem);
	p->end.complete = s->in.last && !ended;
	stats_add(p->stats, s);
	trace_add(p->parts->trace, s);
	progress_add(p->parts->progress, s);
	if (p->parts->curves != NULL)
		curves_add(p->parts->curves, &s->picture.curves);
	if (p->end.complete && p->plan->is_reversed)
		status = pipeline_backwards_end(p);
	if (s->in.last && status == STATUS_OK) {
		status = sink_finish(p->parts->sink);
		ring_stop(p->parts->ring, status);
	}
	if (slot_borrows_results(s)) {
		lent_results_return(&p->lent, s->lanes[0].memory);
		s->lanes[0].memory = NULL;
	}
	return status;
}

/* Works until the ring is stopped. last: the thread's previous work. */
static void work(struct pipeline *p, enum work last)
{
	enum status status = STATUS_OK;
	while (status == STATUS_OK) {
		const struct work_item item = ring_claim_work(p->parts->ring, last);
		struct slot *s = item.slot;
		last = item.work;
		switch (last) {
		case WORK_FILL:
			status = pipeline_work_begin(p, s);
			break;
		case WORK_READ:
			status = source_read_window(s, p->plan);
			break;
		case WORK_CUT:
			status = source_cut(p->parts->source, p->plan, s);
			break;
		case WORK_DECODE:
			status = decode(p, s);
			break;
		case WORK_CONDUCT:
			status = conduct(p);
			break;
		case WORK_ENCODE:
			status = encode(p, s);
			break;
		case WORK_WRITE:
			status = write_slot(p, s);
			break;
		case WORK_SCAN:
		case WORK_KEYS:
		case WORK_DEFLATE:
		case WORK_INFLATE:
			item.do_piece(item.owner, item.piece);
			ring_end_piece(p->parts->ring, item.work, item.piece);
			break;
		case WORK_NONE:
			return;
		}
		if (s != NULL && status == STATUS_OK)
			ring_put(p->parts->ring, s, last);
	}
	ring_stop(p->parts->ring, status);
}

static void *work_thread(void *context)
{
	struct pipeline *p = context;
	timeline_set_thread(atomic_fetch_add(&p->threads, 1) + 1);
	work(p, WORK_NONE);
	return NULL;
}

/* Starts the threads and joins them. The calling thread works, too. */
static enum status run_threads(struct pipeline *p)
{
	const size_t count = p->plan->sizes.thread_count + ROLE_COUNT - 1;
	size_t started = 0;
	pthread_t *threads = memory_new(count * sizeof *threads);
	if (threads == NULL)
		return STATUS_SYSTEM;
	while (started < count) {
		const int error = pthread_create(&threads[started], NULL, work_thread, p);
		if (error != 0) {
			memory_missing_thread(error);
			ring_stop(p->parts->ring, STATUS_SYSTEM);
			break;
		}
		started++;
	}
	work(p, WORK_FILL);
	for (size_t i = 0; i < started; i++)
		(void)pthread_join(threads[i], NULL);
	memory_free(threads);
	return ring_status(p->parts->ring);
}

/* The threads also deflate for the sink and inflate for the source. */
enum status pipeline_work_together(struct pipeline *p)
{
	const size_t threads = p->plan->sizes.thread_count;
	const size_t blocks = threads < RING_PIECE_MAX - 2 ? threads + 2 : RING_PIECE_MAX;
	const struct pool deflates = ring_pool(p->parts->ring, WORK_DEFLATE, blocks);
	const struct pool inflates = ring_pool(p->parts->ring, WORK_INFLATE, blocks);
	if (sink_share(p->parts->sink, &deflates) != STATUS_OK)
		return STATUS_SYSTEM;
	source_share(p->parts->source, &inflates);
	const enum status status = run_threads(p);
	source_share(p->parts->source, NULL);
	const enum status alone = sink_share(p->parts->sink, NULL);
	return status != STATUS_OK ? status : alone;
}

enum status pipeline_work_alone(struct pipeline *p)
{
	work(p, WORK_FILL);
	return ring_status(p->parts->ring);
}
