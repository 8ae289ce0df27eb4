/* A stack of the channels whose memory is free. A device that computes in a channel's own memory needs that channel's;
 * others can use the memory of any channel of the same device. */
#include "chunk/lent_results.h"

#include <assert.h>
#include <string.h>

void lent_results_begin(struct lent_results *l, const struct engine *engine, size_t channels)
{
	if (l->engine != NULL)
		return;
	l->engine = engine;
	for (l->count = 0; l->count < channels; l->count++)
		l->free[l->count] = channels - 1 - l->count;
}

/* Whether a channel can scan into another one's memory. */
static bool may_use(const struct engine *e, size_t channel, size_t other)
{
	return e->shares_memory ? channel == other : channel % e->device_count == other % e->device_count;
}

unsigned char *lent_results_take(struct lent_results *l, size_t channel)
{
	(void)pthread_mutex_lock(&l->mutex);
	size_t i = l->count;
	while (!may_use(l->engine, channel, l->free[i - 1])) {
		i--;
		assert(i > 0);
	}
	unsigned char *memory = l->engine->memory[l->free[i - 1]].out;
	l->count--;
	memmove(&l->free[i - 1], &l->free[i], (l->count - (i - 1)) * sizeof l->free[0]);
	(void)pthread_mutex_unlock(&l->mutex);
	return memory;
}

void lent_results_return(struct lent_results *l, const unsigned char *memory)
{
	size_t channel = 0;
	(void)pthread_mutex_lock(&l->mutex);
	while (l->engine->memory[channel].out != memory)
		channel++;
	l->free[l->count++] = channel;
	(void)pthread_mutex_unlock(&l->mutex);
}
