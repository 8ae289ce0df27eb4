/* What kind of data a first block is. Pure functions. */
#ifndef PSCAN_TEXT_SNIFF_H
#define PSCAN_TEXT_SNIFF_H

#include <stdbool.h>
#include <stddef.h>

#include "base/problem.h"

/* The name of a format that pscan does not read, or not within another (npy, zstd, ...), with how to convert it, or
 * NULL. Text is none. */
const char *sniff_foreign(const unsigned char *block, size_t size);

/* The same for UTF-16 and UTF-32 with numbers in it. UTF-16 without a byte order mark only where all characters are
 * ASCII, and there are not just one and a half: such a block could also be small integers of 16 bits, so that
 * marked_only leaves it out. */
const char *sniff_wide_text(const unsigned char *block, size_t size, bool marked_only);

/* What bytes are that were to be text but are one of these formats, or an array (.npy); or NULL. */
const char *sniff_not_text(const unsigned char *bytes, size_t size);

/* A problem near a file's beginning, these bytes, becomes that the file is of such a format, if it is. */
void sniff_explain(const unsigned char *bytes, size_t size, struct problem *problem);

/* Whether a block is text: valid UTF-8 (a sequence cut at its end counts) without NUL and control bytes but white
 * space. */
bool sniff_is_text(const unsigned char *block, size_t size);

/* Whether a binary block is probably not float32 in the machine's byte order: most magnitudes are outside 1e-15 to
 * 1e15 (zeros, infinities and NaNs are not), or more than nine tenths of its bytes are printable. */
bool sniff_is_unlike_f32(const unsigned char *block, size_t size);

/* Whether a block that is no text is probably meant to be some, in another encoding or with a stray NUL: more than
 * four fifths of its bytes are printable ASCII and white space, or they are more than half, and it ends in a newline
 * or has but the characters of numbers, white space and NULs; or it has no other control bytes, and is long or ends
 * in a newline. */
bool sniff_is_printable(const unsigned char *block, size_t size);

/* The first control byte that is no white space, or NULL. */
const unsigned char *sniff_control(const unsigned char *block, size_t size);

/* Which integers a binary block holds in the machine's byte order, where as float32 it would be what nobody writes:
 * "int32" or "int64", which are small ones; or NULL. */
const char *sniff_integers(const unsigned char *block, size_t size);

/* As above, for floats: "float64" or NULL. */
const char *sniff_other_type(const unsigned char *block, size_t size);

#endif
