/* Where the input may be cut: behind an element, a token or a line. */
#ifndef PSCAN_RECORD_H
#define PSCAN_RECORD_H

#include "plan.h"

/* The greatest number of bytes, at most size, that are whole records. */
size_t record_whole(const struct plan *plan, const unsigned char *data, size_t size);

/* The place behind the first record that ends at or behind from, or 0. */
size_t record_first_end(const struct plan *plan, const unsigned char *data, size_t from, size_t size);

#endif
