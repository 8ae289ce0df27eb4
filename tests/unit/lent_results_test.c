/* The memory that a channel gets for its results: that of any channel of the same device, or its own if the device
 * shares memory. */
#include "chunk/lent_results.h"

#include <stddef.h>

#include "check.h"

#define CHANNELS 5

static unsigned char memory[CHANNELS];

/* Begins with an engine of `devices` devices, whose channels lend a byte of `memory` each. */
static struct lent_results begin(struct engine *e, struct channel_memory *of_channels, size_t devices, bool shares)
{
	struct lent_results l = {.mutex = PTHREAD_MUTEX_INITIALIZER};
	for (size_t i = 0; i < CHANNELS; i++)
		of_channels[i] = (struct channel_memory){.out = &memory[i]};
	*e = (struct engine){.memory = of_channels, .device_count = devices, .shares_memory = shares};
	lent_results_begin(&l, e, CHANNELS);
	return l;
}

int main(void)
{
	struct engine e;
	struct channel_memory of_channels[CHANNELS];
	struct lent_results l = begin(&e, of_channels, 1, false);
	const unsigned char *first = lent_results_take(&l, 3);
	const unsigned char *second = lent_results_take(&l, 1);
	lent_results_return(&l, first);
	CHECK(first != second, "two chunks have different memory");
	CHECK(lent_results_take(&l, 4) == first, "what came back last is lent first");
	lent_results_return(&l, second);
	lent_results_begin(&l, &e, CHANNELS);
	CHECK(lent_results_take(&l, 0) == second, "a second beginning changes nothing");

	bool lent[CHANNELS] = {false};
	l = begin(&e, of_channels, 1, false);
	for (size_t i = 0; i < CHANNELS; i++) {
		const ptrdiff_t at = lent_results_take(&l, 0) - memory;
		EXPECT(at >= 0 && at < CHANNELS && !lent[at], "chunk %zu has memory %td", i, at);
		lent[at] = true;
	}
	check_promise("each channel's memory is lent once");

	l = begin(&e, of_channels, 2, false);
	static const size_t order[CHANNELS] = {1, 0, 3, 4, 2};
	for (size_t i = 0; i < CHANNELS; i++) {
		const ptrdiff_t at = lent_results_take(&l, order[i]) - memory;
		EXPECT((size_t)at % 2 == order[i] % 2, "channel %zu got memory %td", order[i], at);
	}
	check_promise("of two devices each has its own memory");

	l = begin(&e, of_channels, 1, true);
	for (size_t i = CHANNELS; i-- > 0;)
		EXPECT(lent_results_take(&l, i) == &memory[i], "channel %zu got another one's memory", i);
	check_promise("a device that shares memory gets that of its channel");
	return check_done();
}
