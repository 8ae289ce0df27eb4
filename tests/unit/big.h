/* Integers of any size, digit by digit as on paper: slow, and nothing like what they check. */
#ifndef PSCAN_TESTS_BIG_H
#define PSCAN_TESTS_BIG_H

#include <stdbool.h>
#include <string.h>

/* An integer of any size: count decimal digits, the last one first, without leading zeros (0 has none). */
#define BIG_DIGITS 512
struct big {
	bool negative;
	int count;
	char digits[BIG_DIGITS];
};

static inline void big_trim(struct big *b)
{
	while (b->count > 0 && b->digits[b->count - 1] == 0)
		b->count--;
	if (b->count == 0)
		b->negative = false;
}

/* The digits of a number with a sign and perhaps a point, as an integer; *scale: those behind the point. */
static inline struct big big_from_text(const char *text, unsigned *scale)
{
	struct big b = {0};
	const size_t size = strlen(text);
	const char *point = strchr(text, '.');
	*scale = point == NULL ? 0 : (unsigned)(text + size - point - 1);
	b.negative = text[0] == '-';
	for (size_t i = size; i > 0; i--) {
		if (text[i - 1] >= '0' && text[i - 1] <= '9')
			b.digits[b.count++] = (char)(text[i - 1] - '0');
	}
	big_trim(&b);
	return b;
}

/* b * 10^places */
static inline struct big big_shift(const struct big *b, unsigned places)
{
	struct big r = {.negative = b->negative};
	if (b->count == 0)
		return r;
	r.count = b->count + (int)places;
	memcpy(r.digits + places, b->digits, (size_t)b->count);
	return r;
}

static inline int big_compare_magnitudes(const struct big *a, const struct big *b)
{
	if (a->count != b->count)
		return a->count < b->count ? -1 : 1;
	for (int i = a->count - 1; i >= 0; i--) {
		if (a->digits[i] != b->digits[i])
			return a->digits[i] < b->digits[i] ? -1 : 1;
	}
	return 0;
}

static inline int big_compare(const struct big *a, const struct big *b)
{
	if (a->negative != b->negative)
		return a->negative ? -1 : 1;
	return a->negative ? big_compare_magnitudes(b, a) : big_compare_magnitudes(a, b);
}

static inline int big_digit(const struct big *b, int i)
{
	return i < b->count ? b->digits[i] : 0;
}

static inline struct big big_add(const struct big *a, const struct big *b)
{
	const bool subtract = a->negative != b->negative;
	if (subtract && big_compare_magnitudes(a, b) < 0)
		return big_add(b, a);
	struct big r = {.negative = a->negative};
	int carry = 0;
	for (r.count = 0; r.count < a->count || r.count < b->count || carry > 0; r.count++) {
		const int digit = big_digit(a, r.count) +
				  (subtract ? -big_digit(b, r.count) - carry : big_digit(b, r.count) + carry);
		carry = digit < 0 || digit > 9;
		r.digits[r.count] = (char)((digit + 10) % 10);
	}
	big_trim(&r);
	return r;
}

static inline struct big big_multiply(const struct big *a, const struct big *b)
{
	struct big r = {.negative = a->negative != b->negative, .count = a->count + b->count};
	for (int i = 0; i < a->count; i++) {
		int carry = 0;
		for (int j = 0; j < b->count || carry > 0; j++) {
			const int digit = r.digits[i + j] + a->digits[i] * big_digit(b, j) + carry;
			r.digits[i + j] = (char)(digit % 10);
			carry = digit / 10;
		}
	}
	big_trim(&r);
	return r;
}

#define BIG_TEXT_SIZE (BIG_DIGITS + 24)
/* The text with scale digits behind the point; room for BIG_TEXT_SIZE bytes. Returns out. */
static inline const char *big_text(const struct big *b, unsigned scale, char *out)
{
	char *p = out;
	if (b->negative)
		*p++ = '-';
	for (int i = (b->count > (int)scale ? b->count - 1 : (int)scale); i >= 0; i--) {
		*p++ = (char)('0' + big_digit(b, i));
		if (i == (int)scale && scale > 0)
			*p++ = '.';
	}
	*p = '\0';
	return out;
}

#endif
