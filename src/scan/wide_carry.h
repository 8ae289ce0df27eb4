/* The carries that are wider than their row's state: sums of f32 in double, of f64 as a pair. The
 * functions are the fold and the seed of struct row_code. */
#ifndef PSCAN_SCAN_WIDE_CARRY_H
#define PSCAN_SCAN_WIDE_CARRY_H

#include "scan/row.h"

void host_fold_wide(const void *totals, size_t count, struct carry *carry, void *prefixes);
void host_seed_wide(const void *value, struct carry *carry);

void host_fold_pair(const void *totals, size_t count, struct carry *carry, void *prefixes);
void host_seed_pair(const void *value, struct carry *carry);

#endif
