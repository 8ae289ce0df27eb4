/* A call for a channel goes to the engine that has this channel, in the caller's thread. The engines' devices work at
 * the same time, just as several channels of one engine do. */
#include <string.h>

#include "base/memory.h"
#include "device/engine.h"

struct engine_several {
	struct engine base; /* base.device_count is the number of engines. */
	struct engine **engines; /* The array and the engines are owned. */
	const char **devices; /* Each engine's device name. The array is owned. */
	struct channel_memory *memory; /* One for each channel, or NULL. Owned. */
	struct bytes names; /* The devices' names, separated by ", ". Owned. */
};

static struct engine_several *several_of(struct engine *e)
{
	return (struct engine_several *)e;
}

/* Returns the engine that has a channel. *channel becomes the channel's number in that engine. */
static struct engine *engine_of(struct engine *e, size_t *channel)
{
	struct engine *of = several_of(e)->engines[*channel % e->device_count];
	*channel /= e->device_count;
	return of;
}

static enum status several_set_row(struct engine *e, size_t lane, const struct row *row)
{
	for (size_t i = 0; i < e->device_count; i++) {
		struct engine *of = several_of(e)->engines[i];
		TRY(of->class->set_row(of, lane, row));
	}
	return STATUS_OK;
}

static enum status several_run_cursor(struct engine *e, size_t lane, struct cursor_work *work)
{
	struct engine *first = several_of(e)->engines[0];
	return first->class->run_cursor(first, lane, work);
}

static enum status several_begin(struct engine *e, enum sweep sweep, size_t channel, struct lane_work *lanes)
{
	struct engine *of = engine_of(e, &channel);
	return of->class->begin(of, sweep, channel, lanes);
}

static enum status several_finish(struct engine *e, enum sweep sweep, size_t channel, struct span *spans)
{
	struct engine *of = engine_of(e, &channel);
	return of->class->finish(of, sweep, channel, spans);
}

static bool several_cancel(struct engine *e, size_t channel)
{
	struct engine *of = engine_of(e, &channel);
	return of->class->cancel(of, channel);
}

static void several_close(struct engine *e)
{
	struct engine_several *s = several_of(e);
	for (size_t i = 0; i < e->device_count; i++)
		s->engines[i]->class->close(s->engines[i]);
	bytes_free(&s->names);
	memory_free_all(s->memory, s->devices, s->engines, s);
}

static const struct engine_class several_class = {
	.set_row = several_set_row,
	.run_cursor = several_run_cursor,
	.begin = several_begin,
	.finish = several_finish,
	.cancel = several_cancel,
	.close = several_close,
};

/* Adds an engine to those that were added already. `count` is the number of engines in the end. */
static enum status add(struct engine_several *s, struct engine *e, size_t count)
{
	const size_t i = s->base.device_count++;
	const char *name = e->device != NULL ? e->device : "host";
	s->engines[i] = e;
	s->devices[i] = name;
	s->base.depth += e->depth;
	s->base.size.channel_count += e->size.channel_count;
	if (e->size.elements < s->base.size.elements)
		s->base.size.elements = e->size.elements;
	for (size_t c = 0; c < e->size.channel_count && s->memory != NULL && e->memory != NULL; c++)
		s->memory[c * count + i] = e->memory[c];
	return bytes_format(&s->names, "%s%s", i > 0 ? ", " : "", name);
}

struct engine *engine_several_open(struct engine *const *engines, size_t count)
{
	const struct engine *first = engines[0];
	struct engine_several *s = memory_zeros(1, sizeof *s);
	if (s != NULL) {
		s->base = (struct engine){
			.class = &several_class, .size = first->size, .shares_memory = first->shares_memory};
		s->base.size.channel_count = 0;
		s->engines = memory_new(count * sizeof(struct engine *));
		s->devices = memory_new(count * sizeof(const char *));
		if (first->memory != NULL)
			s->memory = memory_new(count * first->size.channel_count * sizeof *s->memory);
	}
	bool good =
		s != NULL && s->engines != NULL && s->devices != NULL && (first->memory == NULL) == (s->memory == NULL);
	for (size_t i = 0; i < count; i++) {
		if (good)
			good = add(s, engines[i], count) == STATUS_OK;
		else
			engines[i]->class->close(engines[i]);
	}
	if (good)
		good = bytes_append(&s->names, "", 1) == STATUS_OK;
	if (!good) {
		if (s != NULL)
			several_close(&s->base);
		return NULL;
	}
	s->base.memory = s->memory;
	s->base.device = (const char *)s->names.data;
	s->base.devices = s->devices;
	return &s->base;
}
