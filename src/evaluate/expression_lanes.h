/* Pushes elements into many cursors, which advance together. */
#ifndef PSCAN_EVALUATE_EXPRESSION_LANES_H
#define PSCAN_EVALUATE_EXPRESSION_LANES_H

#include "evaluate/expression_cursor.h"

/* Returns how many bytes of its evaluator's memory (evaluator_memory) lanes_push overwrites, from byte 0 on: a multiple
 * of MEMORY_ALIGNMENT. */
size_t lanes_memory_size(void);

/* expression_scan_push_all for any combination, also a mirrored one. The evaluator must have lanes_memory_size() bytes
 * of memory. */
void lanes_push(const struct combination *c, unsigned char *cursors, size_t cursor_size, size_t cursor_count,
		const uint32_t *ends, const unsigned char *in, unsigned char *out, uint32_t *bad);

#endif
