/* The story of a chunk.
 *
 *     source thread     takes a free slot, fills it with bytes, puts it on filled
 *     worker threads    take the oldest filled slot, decode it, put it on decoded;
 *                       take the oldest scanned slot, encode it, put it on encoded
 *     conductor         (the thread that called pipeline_run) takes decoded slots in order, keeps several under way on the
 *                       engine, puts them on scanned, in order
 *     sink thread       takes encoded slots in order, writes them, tells what was wrong with them, puts them on free
 *
 * The slots are all the memory there is: a stage that is slow makes the others wait. The reading of exact decimals may change in mid-stream; workers decode ahead with
 * the one that they know, and the conductor decodes again what was decoded with an old one.
 *
 * An error of the data belongs to its chunk and travels with it, so that everything before it is written first; the conductor
 * then cuts the stream behind that chunk. A failure of the system stops the ring at once. Both end with every thread joined.
 *
 * Input that ends within the first chunk starts no thread: the same steps are taken one after the other. */
#include "pipeline.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "conductor.h"
#include "engine_opencl.h"
#include "message.h"

struct pipeline {
	/* Constant while threads run. */
	const struct plan *plan;
	struct ring *ring;
	struct source *source;
	/* The conductor's. */
	struct conductor *conductor;
	/* The sink thread's. */
	struct sink *sink;
	enum status told; /* the worst status of a warning that was told */
	bool complete; /* the last slot was written, and no error ended the stream */
	enum status ended; /* the status of the error that ended it */
	/* A copy of the conductor's reading for the workers. */
	pthread_mutex_t reading_mutex;
	struct reading reading; /* guarded by reading_mutex */
};

static void tell_warnings(struct pipeline *p, const struct slot *s)
{
	const struct warning *warnings = (const struct warning *)(const void *)s->warnings.data;
	for (size_t i = 0; i < s->warnings.size / sizeof warnings[0]; i++) {
		char quoted[MESSAGE_QUOTED_SIZE];
		struct problem problem = {.line = warnings[i].line, .field = p->plan->text.field};
		(void)snprintf(problem.text, sizeof problem.text, "not a number: %s",
			       message_quote(quoted, warnings[i].token, warnings[i].size));
		problem_tell(&problem, s->file_name, s->line_base);
		if (p->plan->text.invalid == INVALID_FAIL)
			p->told = STATUS_DATA;
	}
}

/* True if the problem ends the stream. */
static bool tell_problem(struct pipeline *p, const struct slot *s, const struct problem *problem)
{
	if (problem->status == STATUS_OK)
		return false;
	problem_tell(problem, s->file_name, s->line_base);
	if (problem->fatal)
		p->ended = problem->status;
	else
		p->told = problem->status;
	return problem->fatal;
}

/* Writes what the slot gives, in the order of the stream, and tells what was wrong with it. */
static enum status write_slot(struct pipeline *p, struct slot *s)
{
	enum status status = sink_write(p->sink, s->write_data, s->write_size);
	if (status == STATUS_OK) {
		tell_warnings(p, s);
		const bool ended = tell_problem(p, s, &s->problem) || tell_problem(p, s, &s->source_problem);
		p->complete = s->last && !ended;
	}
	source_release(s);
	return status;
}

static void *source_thread(void *context)
{
	struct pipeline *p = context;
	struct slot *s;
	bool last = false;
	while (!last && (s = ring_take_free(p->ring)) != NULL) {
		if (source_fill(p->source, p->plan, s) != STATUS_OK) {
			ring_stop(p->ring, STATUS_SYSTEM);
			break;
		}
		last = s->last;
		ring_put_filled(p->ring, s);
	}
	ring_end_input(p->ring);
	return NULL;
}

static struct reading current_reading(struct pipeline *p)
{
	(void)pthread_mutex_lock(&p->reading_mutex);
	const struct reading reading = p->reading;
	(void)pthread_mutex_unlock(&p->reading_mutex);
	return reading;
}

static void *worker_thread(void *context)
{
	struct pipeline *p = context;
	struct slot *s;
	enum work work;
	while ((work = ring_take_work(p->ring, &s)) != WORK_NONE) {
		enum status status;
		if (work == WORK_DECODE) {
			const struct reading reading = current_reading(p);
			status = slot_decode(s, p->plan, &reading, 0, NULL, SIZE_MAX);
		} else {
			status = slot_encode(s, p->plan);
		}
		if (status != STATUS_OK) {
			ring_stop(p->ring, status);
			break;
		}
		if (work == WORK_DECODE)
			ring_put_decoded(p->ring, s);
		else
			ring_put_encoded(p->ring, s);
	}
	return NULL;
}

static void *sink_thread(void *context)
{
	struct pipeline *p = context;
	struct slot *s;
	while ((s = ring_take_encoded(p->ring)) != NULL) {
		const bool last = s->last;
		const enum status status = write_slot(p, s);
		if (status != STATUS_OK || last) {
			ring_stop(p->ring, status);
			break;
		}
		ring_put_free(p->ring, s);
	}
	return NULL;
}

static void deliver_to_ring(void *context, struct slot *s)
{
	struct pipeline *p = context;
	if (s->last)
		ring_cut(p->ring);
	ring_put_scanned(p->ring, s);
}

/* Takes the decoded slots through the conductor until the last one is delivered or the ring is stopped. */
static void conduct(struct pipeline *p)
{
	struct conductor *c = p->conductor;
	enum status status = STATUS_OK;
	while (status == STATUS_OK && !conductor_is_done(c)) {
		struct slot *s = NULL;
		if (conductor_has_room(c))
			s = ring_take_decoded(p->ring, !conductor_is_busy(c));
		if (s != NULL)
			status = conductor_submit(c, s);
		else if (conductor_is_busy(c))
			status = conductor_finish(c);
		else
			break;
		(void)pthread_mutex_lock(&p->reading_mutex);
		p->reading = conductor_reading(c);
		(void)pthread_mutex_unlock(&p->reading_mutex);
	}
	if (status != STATUS_OK)
		ring_stop(p->ring, status);
}

static enum status run_threads(struct pipeline *p)
{
	const size_t count = p->plan->thread_count + 2;
	size_t started = 0;
	pthread_t *threads = memory_new(count * sizeof *threads);
	if (threads == NULL)
		return STATUS_SYSTEM;
	while (started < count) {
		void *(*const entry)(void *) = started == 0   ? source_thread
					       : started == 1 ? sink_thread
							      : worker_thread;
		const int error = pthread_create(&threads[started], NULL, entry, p);
		if (error != 0) {
			message_error("cannot start a thread: %s", strerror(error));
			ring_stop(p->ring, STATUS_SYSTEM);
			break;
		}
		started++;
	}
	if (started == count)
		conduct(p);
	for (size_t i = 0; i < started; i++)
		(void)pthread_join(threads[i], NULL);
	memory_free(threads);
	return ring_status(p->ring);
}

static void deliver_nowhere(void *context, struct slot *s)
{
	(void)context;
	(void)s;
}

static enum status run_alone(struct pipeline *p, struct slot *s)
{
	const struct reading reading = conductor_reading(p->conductor);
	enum status status = slot_decode(s, p->plan, &reading, 0, NULL, SIZE_MAX);
	if (status == STATUS_OK)
		status = conductor_submit(p->conductor, s);
	if (status == STATUS_OK && conductor_is_busy(p->conductor))
		status = conductor_finish(p->conductor);
	if (status == STATUS_OK)
		status = slot_encode(s, p->plan);
	return status == STATUS_OK ? write_slot(p, s) : status;
}

/* The engine for this input. Under "auto" what ends in its first chunk is scanned by the host before a driver could load, and
 * a CPU device is the same silicon as the host. */
static enum status open_engine(const struct engine_choice *choice, const struct engine_size *size, bool single,
			       struct engine **engine)
{
	const bool none = strcmp(choice->device, "none") == 0;
	*engine = NULL;
	if (!none && !(single && !choice->named)) {
		const enum status status = engine_opencl_open(choice->device, size, engine);
		if (status == STATUS_SYSTEM || (status != STATUS_OK && choice->named))
			return status;
		if (status != STATUS_OK)
			message_warning("going on on the host");
		else if (*engine == NULL)
			message_verbose("no bit-exact GPU or accelerator: the host scans");
	}
	if (*engine == NULL)
		*engine = engine_host_open(size);
	return *engine == NULL ? STATUS_SYSTEM : STATUS_OK;
}

enum status pipeline_run(const struct plan *plan, const struct engine_choice *choice, struct ring *ring,
			 struct source *source, struct sink *sink, bool *complete)
{
	struct pipeline p = {.plan = plan, .ring = ring, .source = source, .sink = sink};
	struct engine *engine;
	struct slot *first = ring_take_free(ring);
	*complete = false;
	enum status status = source_fill(source, plan, first);
	if (status != STATUS_OK)
		return status;
	const bool single = first->last;
	const struct engine_size size = {
		.lane_count = single ? 1 : plan->slot_count,
		.elements = plan->slot_elements + GRID_TILE,
		.element_max = slot_element_max(plan),
	};
	status = open_engine(choice, &size, single, &engine);
	if (status == STATUS_OK)
		status = conductor_new(plan, engine, &size, choice->named, single ? deliver_nowhere : deliver_to_ring,
				       &p, &p.conductor);
	if (status != STATUS_OK) {
		source_release(first);
		return status;
	}
	p.reading = conductor_reading(p.conductor);
	(void)pthread_mutex_init(&p.reading_mutex, NULL);
	if (single) {
		status = run_alone(&p, first);
	} else {
		ring_put_filled(ring, first);
		status = run_threads(&p);
	}
	(void)pthread_mutex_destroy(&p.reading_mutex);
	conductor_free(p.conductor);
	*complete = status == STATUS_OK && p.complete;
	if (status == STATUS_OK)
		status = p.ended != STATUS_OK ? p.ended : p.told;
	return status;
}
