/* A lane of the host's engine gets one row after another: a user's operator, an operator of the table, and the user's
 * operator again. */
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "device/engine.h"
#include "scan/program.h"

#define COUNT 5

/* Sets the lane's row, and writes the scan of 1, 2, 3, ... in u64. */
static bool scan(struct engine *e, const struct scan_operator *op, uint64_t out[COUNT])
{
	const struct type *t = &type_table[TYPE_U64];
	const uint64_t in[COUNT] = {1, 2, 3, 4, 5};
	uint64_t total;
	uint64_t carry = 0;
	struct row row;
	struct span spans[STAGE_COUNT];
	struct lane_work work = {.in = in, .count = COUNT, .totals = &total, .carry_in = &carry, .out = out};
	return row_find(&row, op, t, t, false, false, ALGORITHM_BLELLOCH) &&
	       e->class->set_row(e, 0, &row) == STATUS_OK && e->class->begin(e, SWEEP_TOTALS, 0, &work) == STATUS_OK &&
	       e->class->finish(e, SWEEP_TOTALS, 0, NULL) == STATUS_OK &&
	       e->class->begin(e, SWEEP_RESULTS, 0, &work) == STATUS_OK &&
	       e->class->finish(e, SWEEP_RESULTS, 0, spans) == STATUS_OK && work.first_bad == SIZE_MAX;
}

int main(void)
{
	static const uint64_t products[COUNT] = {1, 2, 6, 24, 120};
	static const uint64_t sums[COUNT] = {1, 3, 6, 10, 15};
	const struct engine_size size = {
		.channel_count = 1, .lane_count = 1, .elements = COUNT, .element_max = sizeof(uint64_t)};
	struct engine *e = engine_host_open(&size, NULL);
	struct program *p = NULL;
	struct program_refusal why;
	bool can = false;
	uint64_t out[COUNT];
	if (e == NULL || program_new("a * b", &p) != STATUS_OK)
		return 1;
	const bool compiled = program_compile(p, &type_table[TYPE_U64], &can, &why) == STATUS_OK && can;
	EXPECT(compiled, "a * b is an expression");
	const struct scan_operator *rows[] = {&p->op, operator_find("sum"), &p->op};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0] && compiled; i++) {
		memset(out, 0, sizeof out);
		EXPECT(scan(e, rows[i], out), "row %zu", i);
		EXPECT(memcmp(out, i == 1 ? sums : products, sizeof out) == 0, "results of row %zu", i);
	}
	check_promise("a lane scans by the row that it has got last");
	e->class->close(e);
	program_free(p);
	return check_done();
}
