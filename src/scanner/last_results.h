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

/* The most bytes of a program's result. */
#define LAST_RESULT_SIZE sizeof(uint64_t)

/* The last result of a lane of exact decimals. */
struct decimal_total {
	union value value;
	uint64_t form; /* enum result_form */
};

/* Returns an empty list of the results of `lane_count` lanes. size: bytes of a result, at most those of a
 * decimal_total. With resets and without keys, most results go to a temporary file: call it before the sandbox is
 * entered. Otherwise all results are in memory. A temporary file that cannot be made is reported when it is needed. The
 * caller ends the list with last_results_free. NULL after a message if memory is missing. */
struct last_results *last_results_new(size_t lane_count, size_t size, bool has_keys, bool has_resets);
/* Frees the list and removes its temporary file. NULL: does nothing. */
void last_results_free(struct last_results *r);

/* Adds the last result of the next segment of a lane's key: `size` bytes, at most last_results_new's; zeros fill the
 * rest. Without keys the key is 0. Without resets the keys must come in the order of their numbers, each once. Not
 * after last_results_get. STATUS_SYSTEM after a message: memory is missing, or the temporary file cannot be written. */
enum status last_results_add(struct last_results *r, size_t lane, uint32_t key, const void *result,
			     size_t size) MUST_CHECK;
/* Returns the result of a lane's only scan, borrowed until last_results_free. NULL: none was added. Call it only
 * without keys and resets. */
const void *last_results_only(const struct last_results *r, size_t lane);
/* Copies the last result of segment `number`, counted from 0, of a lane's key to `result`: last_results_new's `size`
 * bytes. STATUS_SYSTEM after a message: there is no such segment, because the input changed between the readings; the
 * temporary file cannot be written or read; or memory is missing. */
enum status last_results_get(struct last_results *r, size_t lane, uint32_t key, uint64_t number,
			     void *result) MUST_CHECK;

#endif
