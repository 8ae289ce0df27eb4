/* The sizes of a run, for options and machines of many kinds. */
#include "cli/make_plan.h"

#include <unistd.h>

#include "cli/args.h"
#include "check.h"

static struct options o; /* a plan borrows from it */

/* The plan of a command line, for `threads` threads. */
static bool make(struct plan *plan, size_t threads, char *size, char *type)
{
	static char program[] = "pscan";
	static char format[] = "--format=binary";
	char *arguments[] = {program, format, size, type, NULL};
	const struct plan_input input = {.block = (const unsigned char *)""};
	optind = 0; /* begins anew */
	return args_parse(4, arguments, &o) == STATUS_OK && plan_make(plan, &o, threads, &input) == STATUS_OK;
}

static void free_plan(struct plan *plan)
{
	plan_free(plan);
	bytes_free(&o.scan.operators);
	bytes_free(&o.fields.numbers);
}

static void no_chunk_is_too_long_for_32_bits(void)
{
	static char size[] = "--chunk-size=64G";
	static char types[][12] = {"-tu8", "-ti16", "-tf32", "-tf64", "-tu8:u64"};
	struct plan plan;
	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
		if (!make(&plan, 2, size, types[i])) {
			EXPECT(false, "%s: refused", types[i]);
			continue;
		}
		/* The unfinished tile of the chunk before is scanned at its head. */
		EXPECT(plan.sizes.chunk_elements + GRID_TILE < UINT32_MAX, "%s: %zu", types[i],
		       plan.sizes.chunk_elements);
		EXPECT(plan.sizes.chunk_elements > UINT32_MAX - 4 * (size_t)GRID_TILE, "%s: %zu", types[i],
		       plan.sizes.chunk_elements);
		EXPECT(plan.sizes.chunk_elements % GRID_TILE == 0, "%s: %zu", types[i], plan.sizes.chunk_elements);
		free_plan(&plan);
	}
	check_promise("a chunk's elements can be numbered in 32 bits, whatever --chunk-size says");
}

static void chunks_are_whole_tiles(void)
{
	static char sizes[][24] = {"--chunk-size=1", "--chunk-size=4096", "--chunk-size=4097", "--chunk-size=1M"};
	static const size_t wanted[] = {4096, 4096, 8192, 1048576};
	static char type[] = "-tu8";
	struct plan plan;
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		EXPECT(make(&plan, 2, sizes[i], type) && plan.sizes.chunk_elements == wanted[i], "%s: %zu", sizes[i],
		       plan.sizes.chunk_elements);
		free_plan(&plan);
	}
	check_promise("the size that is asked for is rounded up to whole tiles");
}

static void slots_suffice(void)
{
	static char size[] = "--chunk-size=64K";
	static char type[] = "-tf32";
	struct plan plan;
	for (size_t threads = 1; threads <= 1024; threads++) {
		EXPECT(make(&plan, threads, size, type) && plan.sizes.thread_count == threads, "%zu threads", threads);
		EXPECT(plan.sizes.slot_count == plan_slots(threads) && plan.sizes.slot_count <= PLAN_SLOTS_MAX &&
			       (plan.sizes.slot_count > threads || plan.sizes.slot_count == PLAN_SLOTS_MAX),
		       "%zu slots of %zu threads", plan.sizes.slot_count, threads);
		free_plan(&plan);
	}
	check_promise("a plan is for the threads that were counted before it");
}

int main(void)
{
	no_chunk_is_too_long_for_32_bits();
	chunks_are_whole_tiles();
	slots_suffice();
	return check_done();
}
