/* Reads numbers from running text, in the pass that finds where they end: the fast way of decoding.
 *
 * decimal_scan and the number_scan functions with a token_end read the number that begins at p. If they return true,
 * *value (or *mantissa) is the number, and *token_end points at the first byte after it. The caller must check that
 * this byte may follow a number; otherwise the token is something else ("0x1f", "1.2.3", "12abc", or "1e5" for an
 * integer or a decimal). If they return false, the token is not for this fast way and may still be a number: inf, nan,
 * very many digits, out of range. In both cases the caller then finds the token's end and calls number_parse, or
 * decimal_parse and decimal_mantissa, which decide. When false is returned, *value and *mantissa are unchanged, and
 * *token_end is undefined.
 *
 * p must be before end. NUMBER_SCAN_SLACK bytes after end must be readable; they may be any bytes. A caller that cannot
 * promise this passes an earlier end and reads the last tokens with number_parse.
 *
 * Pure functions; any thread. */
#ifndef PSCAN_NUMBER_READ_TEXT_H
#define PSCAN_NUMBER_READ_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "number/notation.h"
#include "number/type.h"

#define NUMBER_SCAN_SLACK 16

/* Reads an exact decimal without an exponent. *mantissa is at `scale` (0 .. DECIMAL_SCALE_MAX). Also returns false if
 * there are more than `scale` digits after the point, or if the mantissa does not fit 64 bits. */
bool decimal_scan(const char *p, const char *end, unsigned scale, int64_t *mantissa, const char **token_end);
/* Reads a decimal integer as an i64. */
bool number_scan_i64(const char *p, const char *end, int64_t *value, const char **token_end);
/* Reads a decimal integer as a u64. */
bool number_scan_u64(const char *p, const char *end, uint64_t *value, const char **token_end);
/* Reads a number as an f32, correctly rounded. */
bool number_scan_f32(const char *p, const char *end, float *value, const char **token_end);
/* Reads a number as an f64, correctly rounded. */
bool number_scan_f64(const char *p, const char *end, double *value, const char **token_end);
/* Reads a number of type t (not i128). */
bool number_scan(const char *p, const char *end, const struct type *t, union value *value, const char **token_end);

/* number_scan_token and decimal_scan_own read a whole token of `size` bytes at p. They return false and write nothing
 * if it is not for the fast way. NUMBER_TOKEN_BEFORE bytes before p and NUMBER_TOKEN_AFTER bytes from p on must be
 * readable. */
#define NUMBER_TOKEN_BEFORE 20
#define NUMBER_TOKEN_AFTER 32
/* Reads a token as a number of type t (not i128). */
bool number_scan_token(const char *p, size_t size, const struct type *t, union value *value);
/* Reads a token as a decimal. *scale becomes its digits after the point (at most DECIMAL_SCALE_MAX), *mantissa the
 * mantissa at this scale. Returns false also for a negative zero. */
bool decimal_scan_own(const char *p, size_t size, unsigned *scale, int64_t *mantissa);

/* The next two are number_scan_token and decimal_scan_own for a token of at least one byte in a notation. They read
 * only the commonest forms. */
bool notation_scan_token(const struct notation *n, const char *p, size_t size, const struct type *t,
			 union value *value);
bool notation_scan_own(const struct notation *n, const char *p, size_t size, unsigned *scale, int64_t *mantissa);

/* The numbers that number_scan_run or decimal_scan_run has read. */
struct number_run {
	size_t count; /* Numbers written. */
	const char *next; /* Where reading stopped: after the white space byte that ends the last number, or at p. */
};

/* Reads at most `limit` numbers of type t (not i128) into values, each of which is followed by exactly one white space
 * byte. Stops at end or before anything else: a second white space byte, a token that is not for the fast way, or a
 * number that ends at end. The caller must read this itself and may then call again after it. The bytes from `begin` to
 * p must be readable; if there are some, numbers are read faster. One entry of `values` after the numbers may be
 * overwritten, too, but none after the first `limit`. */
struct number_run number_scan_run(const char *begin, const char *p, const char *end, const struct type *t, void *values,
				  size_t limit);

/* number_scan_run for decimals at `scale`. scales[i] becomes the number of digits after number i's point. Also stops
 * before a negative zero. */
struct number_run decimal_scan_run(const char *begin, const char *p, const char *end, unsigned scale,
				   int64_t *mantissas, unsigned char *scales, size_t limit);

#endif
