/* Guesses what kind of data a first block is. Pure functions. */
#ifndef PSCAN_TEXT_SNIFF_H
#define PSCAN_TEXT_SNIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/problem.h"

/* Returns the name of a format that pscan cannot read (or not at this place, such as zstd), with advice how to convert
 * it (static), or NULL. block: a file's first bytes. Text gives NULL, except EDF, whose header is text. A .npy array
 * gives NULL, too. */
const char *sniff_foreign(const unsigned char *block, size_t size);

/* Returns the name of the encoding of a block of UTF-16 or UTF-32 text that has a digit, with advice how to convert it
 * (static), or NULL. UTF-16 without a byte order mark is recognised only if all characters are ASCII and the block does
 * not have 3 bytes. It is not recognised if `marked_only`, because such a block could also be small 16-bit integers. */
const char *sniff_wide_text(const unsigned char *block, size_t size, bool marked_only);

/* Call it for a file's first bytes if they should be text; at most 4 KiB are looked at. If they are not text, but a
 * .npy array or a format that sniff_foreign or sniff_wide_text knows, returns the format's name with advice (static).
 * Otherwise NULL. */
const char *sniff_not_text(const unsigned char *bytes, size_t size);

/* Replaces a problem near the beginning of a file by another one (STATUS_DATA, without a place) that names the file's
 * format, if sniff_not_text knows the format. bytes: the file's first bytes. Otherwise leaves the problem alone. */
void sniff_explain(const unsigned char *bytes, size_t size, struct problem *problem);

/* Whether a block is text: valid UTF-8 (perhaps cut within its last character) without NULs and control bytes other
 * than white space. */
bool sniff_is_text(const unsigned char *block, size_t size);

/* Whether a binary block is probably not float32 in the machine's byte order: more than half of the magnitudes are
 * outside 1e-15 to 1e15, or more than nine tenths of the bytes are printable or white space. Zeros, infinities and the
 * NaNs 0x7fc00000 and 0xffc00000, which computing gives, count as inside; other NaNs count as outside. */
bool sniff_is_unlike_f32(const unsigned char *block, size_t size);

/* Whether a block that is not text is probably meant to be text, in another encoding or with a stray NUL. One of these
 * must be true:
 *   It is lines of text with NULs after them.
 *   It has more than 4 bytes, and more than four fifths of them are printable (ASCII or white space).
 *   More than half of its bytes are printable, and it ends a line or has only characters of numbers, white space and
 *   NULs.
 *   It has no control bytes but white space, and it has 64 bytes or more or ends a line.
 * (A block ends a line if its last byte is a newline, or the byte that ends files of DOS.) */
bool sniff_is_printable(const unsigned char *block, size_t size);

/* Returns the first control byte that is not white space, or NULL. */
const unsigned char *sniff_control(const unsigned char *block, size_t size);

/* Returns "int32", "int64" or "float64" if a binary block is probably of this type in the machine's byte order, as its
 * numbers would be unusual as float32. Otherwise NULL. bytes: those of the whole input, or `size` if that is not known;
 * a type whose size does not divide them is not returned. */
const char *sniff_type(const unsigned char *block, size_t size, uint64_t bytes);

#endif
