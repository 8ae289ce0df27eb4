/* What kind of data a first block is. */
#ifndef PSCAN_SNIFF_H
#define PSCAN_SNIFF_H

#include <stdbool.h>
#include <stddef.h>

/* The name of a format that pscan does not read (npy, zstd, ...) with how to convert it, or NULL. */
const char *sniff_foreign(const unsigned char *block, size_t size);

/* Whether a block is text: valid UTF-8 (a sequence cut at its end counts) without NUL and control bytes but white
 * space. */
bool sniff_is_text(const unsigned char *block, size_t size);

#endif
