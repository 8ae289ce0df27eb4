/* Many cursors that advance together. */
#ifndef PSCAN_EVALUATE_EXPRESSION_LANES_H
#define PSCAN_EVALUATE_EXPRESSION_LANES_H

#include "evaluate/expression_cursor.h"

/* Returns how many bytes lanes_push uses at the beginning of its evaluator's memory (evaluator_memory). It is a
 * multiple of MEMORY_ALIGNMENT. */
size_t lanes_memory_size(void);

/* expression_scan_push_all for any combination. */
void lanes_push(const struct combination *c, unsigned char *cursors, size_t cursor_size, size_t cursor_count,
		const uint32_t *ends, const unsigned char *in, unsigned char *out, uint32_t *bad);

#endif
