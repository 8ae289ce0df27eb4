/* The commonest tokens of a notation: an amount of at most sixteen bytes, with one currency before or after it. Its
 * digits are read as those of plain numbers are, with the marks left out. Anything else is left to notation_read. */
#include <string.h>

#include "number/parse.h"
#include "number/quick.h"
#include "number/read_text.h"

#ifdef __SSE2__
/* Where the amount of a token begins and ends, and its sign. */
struct amount {
	const char *begin, *end;
	bool negative;
};

/* Returns the bytes of a currency at the end of a token, with a blank before it. 0: the token ends with no
 * currency, or letters are before the currency's sign. */
static inline __attribute__((always_inline)) size_t currency_at_end(const char *begin, const char *end)
{
	const size_t size = (size_t)(end - begin);
	size_t unit = 0;
	if (size > 3 && is_capital(end[-1]) && is_capital(end[-2]) && is_capital(end[-3]) &&
	    notation_is_currency(end - 3))
		unit = 3;
	for (size_t k = 3; k > 0 && unit == 0; k--)
		unit = size > k && notation_sign_size(end - k, end) == k ? k : 0;
	if (unit == 0)
		return 0;
	const unsigned char *last = (const unsigned char *)end - unit;
	if (last[-1] == ' ')
		return unit + 1;
	return unit + (size > unit + 2 && last[-1] == 0xa0 && last[-2] == 0xc2 ? 2 : 0);
}

/* Finds the amount of a token, whatever its bytes are. False if what is before or after it is not common. (Signs are
 * random, so they decide nothing that a processor predicts.) */
static inline __attribute__((always_inline)) bool find_amount(const struct notation *n, const char *p, size_t size,
							      struct amount *a)
{
	const bool is_money = (n->accept & ACCEPT_MONEY) != 0;
	const char *end = p + size;
	size_t sign = 0;
	unsigned minus = *p == '-';
	unsigned has_sign = minus | (unsigned)(*p == '+');
	p += has_sign;
	if (is_money && !is_digit(*p)) {
		const unsigned opens = (unsigned)(*p == '(') & ~has_sign & 1;
		p += opens;
		sign = notation_sign_size(p, end);
		p += sign;
		const unsigned later = (unsigned)(*p == '-') & ~(has_sign | opens) & 1;
		p += later;
		if (opens != 0 && end[-1] != ')')
			return false;
		end -= opens;
		minus |= later | opens;
		has_sign |= later | opens;
	}
	*a = (struct amount){.begin = p, .end = end, .negative = minus != 0};
	if (is_digit(end[-1]))
		return true;
	const bool is_percent = (n->accept & ACCEPT_PERCENT) != 0 && !is_money && end[-1] == '%';
	const size_t currency = is_money && sign == 0 ? currency_at_end(p, end) : 0;
	a->end -= currency;
	if (currency > 0)
		return true;
	/* (A dash after the decimal mark is no sign.) */
	const bool is_last = is_money && has_sign == 0 && end - p > 1 && end[-1] == '-' && is_digit(end[-2]);
	a->negative = a->negative || is_last;
	a->end -= is_percent || is_last;
	return is_percent || is_last;
}

/* Reads a token of `size` bytes at p, at least one. False if it has another form. */
static inline __attribute__((always_inline)) bool read_written(const struct notation *n, const char *p, size_t size,
							       bool points_allowed, struct quick *q)
{
	struct amount a;
	/* (Plain digits may be a date.) */
	if ((n->accept & ACCEPT_TIME) != 0 || !find_amount(n, p, size, &a) || a.end - a.begin < 1 ||
	    a.end - a.begin > 16)
		return false;
	const unsigned length = (unsigned)(a.end - a.begin);
	const unsigned inside = (1u << length) - 1;
	const struct digits_shape shape = digits_look(a.begin);
	const unsigned marks = (n->decimal != 0 ? digits_find(a.begin, n->decimal) : shape.points) & inside;
	const unsigned groups = n->thousands != 0 ? digits_find(a.begin, n->thousands) & inside : 0;
	const unsigned integer = marks != 0 ? (unsigned)__builtin_ctz(marks) : length;
	/* A mark is before each three digits, and none before the first digit. */
	const unsigned wanted = 0x1111u << (integer & 3) & ((1u << integer) - 1);
	const bool is_grouped = groups == wanted && is_digit(*a.begin) && *a.begin != '0';
	if ((inside & ~(shape.digits | marks | groups)) != 0 || (marks & (marks - 1)) != 0 ||
	    (groups != 0 && !is_grouped) || (marks != 0 && !points_allowed))
		return false;
	const unsigned group_count = groups != 0 ? (integer - 1) / 4 : 0;
	q->negative = a.negative;
	q->stop = a.end;
	q->fraction = length - integer - (marks != 0);
	q->count = length - (marks != 0) - group_count;
	if (q->count == 0)
		return false;
	q->value = groups != 0 ? digits_value_grouped(a.end, q->count, marks != 0, q->fraction)
			       : digits_value16(a.end, q->count, marks != 0, q->fraction);
	return true;
}
#else
static inline bool read_written(const struct notation *n, const char *p, size_t size, bool points_allowed,
				struct quick *q)
{
	(void)n, (void)p, (void)size, (void)points_allowed, (void)q;
	return false;
}
#endif

bool notation_scan_token(const struct notation *n, const char *p, size_t size, const struct type *t, union value *value)
{
	struct quick q;
	return read_written(n, p, size, t->kind == KIND_FLOAT, &q) && quick_convert(&q, t, value);
}

bool notation_scan_own(const struct notation *n, const char *p, size_t size, unsigned *scale, int64_t *mantissa)
{
	struct quick q;
	return read_written(n, p, size, true, &q) && quick_is_decimal(&q, scale, mantissa);
}
