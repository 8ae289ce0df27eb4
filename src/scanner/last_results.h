/* The last results of all segments of a stream, which one reading of the stream finds for the next one: the totals that
 * t of --emit is. One thread at a time. */
#ifndef PSCAN_SCANNER_LAST_RESULTS_H
#define PSCAN_SCANNER_LAST_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "number/type.h"

struct last_results;

/* Bytes of a program's result. */
#define LAST_RESULT_SIZE sizeof(uint64_t)

/* The last result of a lane of exact decimals. */
struct decimal_total {
	union value value;
	uint64_t form; /* enum result_form */
};

/* Makes room for the results of `lane_count` lanes, `size` bytes each, at most those of a decimal_total. With resets
 * and without keys, most results go to one temporary file, so call it before the sandbox is entered. Otherwise all are
 * in memory, `size` bytes for each segment of a lane's key. The caller frees it with last_results_free. NULL after a
 * message if memory is missing. */
struct last_results *last_results_new(size_t lane_count, size_t size, bool has_keys, bool has_resets);
/* NULL: does nothing. */
void last_results_free(struct last_results *r);

/* Adds the last result, `size` bytes (at most a result's), of the next segment of a lane's key. Without keys the
 * key is 0. Without resets all keys must come in the order of their numbers. STATUS_SYSTEM after a message: memory is
 * missing, or the temporary file cannot be written. */
enum status last_results_add(struct last_results *r, size_t lane, uint32_t key, const void *result,
			     size_t size) MUST_CHECK;
/* Returns the result of a lane's only scan, borrowed. Without keys and resets only. */
const void *last_results_only(const struct last_results *r, size_t lane);
/* Copies to `result` the last result of segment `number` of a lane's key, counted from 0.
 * STATUS_SYSTEM after a message: there is no such segment, because the input changed between the readings, or the
 * temporary file cannot be read. */
enum status last_results_get(struct last_results *r, size_t lane, uint32_t key, uint64_t number,
			     void *result) MUST_CHECK;

#endif
