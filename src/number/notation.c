/* One pass from left to right: what may be before the amount, the amount, what may be after it. */
#include "number/notation.h"

#include <stdint.h>
#include <string.h>

#include "number/duration.h"
#include "number/multiply_digits.h"
#include "number/parse.h"
#include "number/time.h"
#include "number/write.h"

/* A longer token is not looked at to find out what it is. */
#define LOOKED_AT_MAX 256

const char *const accept_words[ACCEPT_WORDS] = {"money", "percent", "size", "duration", "time"};

/* A token that is being read, and the number that is made of it. */
struct reader {
	const struct notation *notation;
	const char *p, *end; /* The bytes that were not read yet. */
	char *out, *to; /* The number's first byte, and the place of its next byte. */
	bool has_sign; /* A sign or an opening bracket was read. */
	bool negative;
	bool is_open; /* A bracket is open. */
	bool has_unit; /* A currency or a percent sign was read. */
	bool has_bytes; /* The unit B was read. */
	bool any_word; /* Any three capital letters are a currency, and any three may be before a sign. */
};

/* Whether the bytes at r->p begin with `text` of `size` bytes. */
static inline bool is_at(const struct reader *r, const char *text, size_t size)
{
	return (size_t)(r->end - r->p) >= size && memcmp(r->p, text, size) == 0;
}

/* Returns the bytes of the blank at r->p, or 0. */
static inline size_t blank_size(const struct reader *r)
{
	if (r->p == r->end || (*r->p != ' ' && (unsigned char)*r->p < 0x80))
		return 0;
	if (*r->p == ' ')
		return 1;
	if (is_at(r, "\xc2\xa0", 2))
		return 2;
	return is_at(r, "\xe2\x80\xaf", 3) || is_at(r, "\xe2\x80\x89", 3) ? 3 : 0;
}

/* Returns the bytes of the thousands mark at r->p, or 0. (An apostrophe may be U+2019.) */
static inline size_t thousands_size(const struct reader *r)
{
	const char mark = r->notation->thousands;
	if (mark == ' ')
		return blank_size(r);
	if (r->p < r->end && *r->p == mark)
		return 1;
	return mark == '\'' && is_at(r, "\xe2\x80\x99", 3) ? 3 : 0;
}

/* Copies digits. Returns how many. */
static inline size_t copy_digits(struct reader *r)
{
	const char *first = r->p;
	while (r->p < r->end && is_digit(*r->p))
		*r->to++ = *r->p++;
	return (size_t)(r->p - first);
}

/* Copies the groups after the first one, which has `count` digits, without the marks. False if they are not thousands,
 * written as usual or as in India. */
static bool copy_groups(struct reader *r, size_t count)
{
	const size_t size = thousands_size(r);
	const char *mark = r->p;
	size_t middle = 0; /* The digits of each group between the first and the last. */
	size_t last = 0;
	if (count == 0 || count > 3 || r->p[-(ptrdiff_t)count] == '0')
		return false;
	while (thousands_size(r) == size && memcmp(r->p, mark, size) == 0 && (size_t)(r->end - r->p) > size &&
	       is_digit(r->p[size])) {
		if (last != 0 && middle != 0 && last != middle)
			return false;
		middle = last;
		r->p += size;
		last = copy_digits(r);
		if (last != 2 && last != 3)
			return false;
	}
	return last == 3 && (middle != 2 || count < 3);
}

/* Moves past the dashes that stand for no cents: "5,-", "5.--". (Without a digit before the mark that is not one.) */
static void skip_dashes(struct reader *r)
{
	const bool are_dashes = is_at(r, "--", 2) && !is_at(r, "---", 3);
	r->p += are_dashes ? 2 : is_at(r, "\xe2\x80\x93", 3) || is_at(r, "\xe2\x80\x94", 3) ? 3 : is_at(r, "-", 1);
}

/* Copies an amount without its sign. False if there is none. */
static bool copy_amount(struct reader *r)
{
	const char mark = r->notation->decimal != 0 ? r->notation->decimal : '.';
	size_t count = copy_digits(r);
	const bool is_grouped = r->notation->thousands != 0 && thousands_size(r) > 0 &&
				(size_t)(r->end - r->p) > thousands_size(r) && is_digit(r->p[thousands_size(r)]);
	if (is_grouped && !copy_groups(r, count))
		return false;
	if (r->p < r->end && *r->p == mark) {
		*r->to++ = '.';
		r->p++;
		const size_t cents = copy_digits(r);
		if (count > 0 && cents == 0 && (r->notation->accept & ACCEPT_MONEY) != 0)
			skip_dashes(r);
		count += cents;
	}
	if (count == 0 || is_grouped || r->p == r->end || (*r->p | 0x20) != 'e')
		return count > 0;
	const char *digits = r->p + 1;
	digits += digits < r->end && (*digits == '+' || *digits == '-');
	if (digits == r->end || !is_digit(*digits))
		return true; /* It is a unit. */
	while (r->p < digits)
		*r->to++ = *r->p++;
	(void)copy_digits(r);
	return true;
}

bool notation_is_currency(const char *word)
{
	/* By the first letter: the other two of each code, common ones first. The codes are those of ISO 4217 (but
	 * those of no currency), some that were replaced, such as by the euro, and CNH, RMB, BTC and ETH. */
	static const char *const codes[] = {
		"UD ED FN LL MD NG OA RS TS WG ZN DP",
		"RL AM BD DT EF GN HD IF MD ND OB SD TC TN WP YN ZD OV YR",
		"HF NY AD DF LF LP NH OP RC UC UP VE YP ZK HE HW OU",
		"KK EM JF OP ZD",
		"UR EK GP RN SP TB TH",
		"IM JD KP RF",
		"BP EL HS IP MD NF RD TQ YD HC",
		"UF KD NL RK TG",
		"NR DR EP LS QD RR SK TL",
		"PY MD OD",
		"RW ES GS HR MF PW WD YD ZT",
		"AK BP KR RD SL TL VL YD UF",
		"XN AD DL GA KD MK NT OP RU TL UR VR WK YR ZN XV CF RO",
		"OK AD GN IO LG PR ZD",
		"MR",
		"LN AB EN GK HP KR TE YG",
		"AR",
		"UB MB ON SD WF OL",
		"EK AR BD CR DG GD HP IT KK LE LL OS RD SP TN VC YP ZL ML TD",
		"RY HB JS MT ND OP TD WD ZS RL",
		"SD AH GX YU ZS SN YI YW",
		"ED ES ND UV AL EF",
		"ST",
		"AF AG AU CD CG DR OF PD PF PT BA BB BC BD SU UA AD EU",
		"ER",
		"AR MW WG WL MK",
	};
	for (const char *p = codes[*word - 'A']; *p != 0; p += 2 + (p[2] == ' ')) {
		if (p[0] == word[1] && p[1] == word[2])
			return true;
	}
	return false;
}

/* Whether letters stand before a currency's sign: "US$". (Others may be a size: in "5M$" it is millions.) */
static bool is_of_sign(const char *letters, size_t size)
{
	static const char known[][3] = {"A", "AU", "BZ", "C",  "CA", "CN", "EC", "FJ", "GB", "HK", "J",  "JM", "JP",
					"L", "MX", "N",  "NT", "NZ", "R",  "RD", "S",  "SG", "TT", "TW", "US"};
	bool is_known = size == 0;
	for (size_t i = 0; i < sizeof known / sizeof *known && !is_known; i++)
		is_known = strlen(known[i]) == size && memcmp(letters, known[i], size) == 0;
	return is_known;
}

/* Moves past a currency at r->p. False if there is none, or if a unit was read before. */
static bool read_currency(struct reader *r)
{
	const char *p = r->p;
	while (p < r->end && p - r->p < 3 && is_capital(*p))
		p++;
	const size_t letters = (size_t)(p - r->p);
	const size_t sign = notation_sign_size(p, r->end);
	const bool is_code = letters == 3 && (r->any_word || notation_is_currency(r->p));
	const bool is_currency = sign > 0 ? r->any_word || is_code || is_of_sign(r->p, letters)
					  : is_code && (p == r->end || !is_capital(*p));
	if (r->has_unit || r->has_bytes || !is_currency)
		return false;
	r->has_unit = true;
	r->p = p + sign;
	return true;
}

/* Moves past a sign at r->p. False if there is none, or if the number has one. A minus sign may be U+2212 in money. */
static bool read_sign(struct reader *r, bool is_money)
{
	const bool is_long = is_money && is_at(r, "\xe2\x88\x92", 3);
	const bool is_minus = is_long || is_at(r, "-", 1);
	if (r->has_sign || !(is_minus || is_at(r, "+", 1)))
		return false;
	r->has_sign = true;
	r->negative = is_minus;
	r->p += is_long ? 3 : 1;
	return true;
}

/* Moves past what may be before an amount of money. */
static void read_before(struct reader *r)
{
	for (bool goes_on = true; goes_on;) {
		const size_t blank = blank_size(r);
		const bool opens = !r->has_sign && is_at(r, "(", 1);
		goes_on = blank > 0 || opens;
		r->p += goes_on ? (opens ? 1 : blank) : 0;
		r->is_open = r->is_open || opens;
		r->has_sign = r->has_sign || opens;
		r->negative = r->negative || opens;
		goes_on = goes_on || (r->p < r->end && !is_digit(*r->p) && (read_sign(r, true) || read_currency(r)));
	}
}

/* Moves past what may be after an amount. False if there is anything else. */
static bool read_after(struct reader *r)
{
	const unsigned accept = r->notation->accept;
	const bool is_money = (accept & ACCEPT_MONEY) != 0;
	const bool is_percent = (accept & ACCEPT_PERCENT) != 0;
	while (r->p < r->end) {
		const size_t blank = is_money || is_percent ? blank_size(r) : 0;
		if (blank > 0) {
			r->p += blank;
		} else if (is_percent && !r->has_unit && *r->p == '%') {
			r->has_unit = true;
			r->p++;
		} else if (is_money && r->is_open && *r->p == ')') {
			r->is_open = false;
			r->p++;
		} else if (!is_money || !((*r->p != '+' && read_sign(r, true)) || read_currency(r))) {
			return false;
		}
	}
	return !r->is_open;
}

/* Takes the point out of the number, which has no sign yet. Returns how many digits were after it. */
static size_t remove_point(struct reader *r)
{
	char *point = memchr(r->out + 1, '.', (size_t)(r->to - r->out) - 1);
	if (point == NULL)
		return 0;
	const size_t fraction = (size_t)(r->to - point) - 1;
	memmove(point, point + 1, fraction);
	r->to--;
	return fraction;
}

/* Puts a point before the last `fraction` digits, if that is not 0. */
static void put_point(struct reader *r, size_t fraction)
{
	if (fraction == 0)
		return;
	memmove(r->to - fraction + 1, r->to - fraction, fraction);
	r->to[-(ptrdiff_t)fraction] = '.';
	r->to++;
}

/* Moves the number's point by `places` to the right. */
static void shift_point(struct reader *r, size_t places)
{
	const size_t fraction = remove_point(r);
	for (size_t i = fraction; i < places; i++)
		*r->to++ = '0';
	put_point(r, fraction > places ? fraction - places : 0);
}

/* Multiplies the number by 1024 to the power of `power`. */
static void multiply(struct reader *r, size_t power)
{
	const size_t room = 4 * power;
	char *const first = r->out + 1;
	size_t fraction = remove_point(r);
	memmove(first + room, first, (size_t)(r->to - first));
	memset(first, '0', room);
	r->to += room;
	for (size_t i = 0; i < power; i++)
		multiply_digits(first, (size_t)(r->to - first), 1024, 0);
	for (; fraction > 0 && r->to[-1] == '0'; fraction--)
		r->to--;
	size_t zeros = 0;
	while (first[zeros] == '0' && (size_t)(r->to - first) > zeros + fraction + 1)
		zeros++;
	memmove(first, first + zeros, (size_t)(r->to - first) - zeros);
	r->to -= zeros;
	put_point(r, fraction);
}

/* Moves past a unit of size at r->p, and multiplies the number. False if that is not possible. */
static bool read_size(struct reader *r)
{
	static const char units[] = "KMGTPEZYRQ";
	const char *unit = r->p == r->end ? NULL : memchr(units, *r->p == 'k' ? 'K' : *r->p, sizeof units - 1);
	const size_t power = unit != NULL ? (size_t)(unit - units) + 1 : 0;
	const bool is_binary = unit != NULL && r->end - r->p > 1 && r->p[1] == 'i';
	const size_t count = (size_t)(r->to - r->out) - 1;
	const bool has_exponent = memchr(r->out + 1, 'e', count) != NULL || memchr(r->out + 1, 'E', count) != NULL;
	const bool is_bytes = unit == NULL && r->p < r->end && *r->p == 'B';
	if (unit == NULL && !is_bytes)
		return true;
	r->has_bytes = is_bytes || (r->end - r->p > 1 + is_binary && r->p[1 + is_binary] == 'B');
	if (has_exponent || (r->has_bytes && r->has_unit))
		return false;
	if (is_binary)
		multiply(r, power);
	else if (unit != NULL)
		shift_point(r, 3 * power);
	r->p += (unit != NULL) + is_binary + r->has_bytes;
	return true;
}

/* Reads an amount with all that may be before and after it. */
static bool read_amount(struct reader *r)
{
	const unsigned accept = r->notation->accept;
	if ((accept & ACCEPT_MONEY) != 0)
		read_before(r);
	else
		(void)read_sign(r, false);
	if (!copy_amount(r))
		return false;
	struct reader unit = *r;
	const bool is_currency = (accept & ACCEPT_MONEY) != 0 && read_currency(&unit);
	if ((accept & ACCEPT_SIZE) != 0 && !is_currency && !read_size(r))
		return false;
	return read_after(r);
}

/* Writes seconds and what is after the point. Returns the bytes written. */
static size_t put_seconds(char *out, bool negative, uint64_t seconds, const char *fraction, size_t fraction_size)
{
	char *to = out;
	*to++ = negative ? '-' : '+';
	to += number_format_u64(to, seconds);
	if (fraction_size > 0) {
		*to++ = '.';
		memmove(to, fraction, fraction_size);
	}
	return (size_t)(to - out) + fraction_size;
}

/* Reads a time. Returns the bytes written to `out`. 0: it is not one. */
static size_t read_time(const char *token, size_t size, char *out)
{
	struct time_point t;
	char fraction[TIME_DECIMALS];
	if (time_parse(token, size, &t) != TIME_OK && ((size != 8 && size < 14) || !time_parse_digits(token, size, &t)))
		return 0;
	int64_t seconds = t.seconds;
	uint64_t parts = t.attoseconds;
	/* (Before 1970 the fraction is of the time to the second after it.) */
	if (seconds < 0 && parts > 0) {
		seconds++;
		parts = TIME_SECOND - parts;
	}
	const bool negative = t.seconds < 0;
	size_t digits = 0;
	for (uint64_t rest = parts; rest > 0; rest %= TIME_SECOND) {
		rest *= 10;
		fraction[digits++] = (char)('0' + (int)(rest / TIME_SECOND));
	}
	return put_seconds(out, negative, (uint64_t)(negative ? -seconds : seconds), fraction, digits);
}

bool notation_is_duration(const struct notation *n, const char *token, size_t size)
{
	char number[LOOKED_AT_MAX + NOTATION_GROWTH];
	return (n->accept & ACCEPT_DURATION) != 0 && size <= LOOKED_AT_MAX && memchr(token, ':', size) != NULL &&
	       duration_read(n->decimal != 0 ? n->decimal : '.', token, size, number) > 0;
}

bool notation_is_unit(const struct notation *n, const char *word, size_t size)
{
	char number[NOTATION_GROWTH] = "+1";
	struct reader r = {.notation = n, .p = word, .end = word + size, .out = number, .to = number + 2};
	return (n->accept & ACCEPT_SIZE) != 0 && size > 0 && *word != 'B' && read_size(&r) && r.p == r.end;
}

bool notation_is_time(const struct notation *n, const char *token, size_t size)
{
	char number[NOTATION_GROWTH];
	return (n->accept & ACCEPT_TIME) != 0 && read_time(token, size, number) > 0;
}

size_t notation_read(const struct notation *n, const char *token, size_t size, char *out, bool *is_time)
{
	struct reader r = {.notation = n, .p = token, .end = token + size, .out = out, .to = out + 1};
	size_t written = 0;
	bool was_time = false;
	bool is_number = true;
	if ((n->accept & ACCEPT_DURATION) != 0 && memchr(token, ':', size) != NULL)
		written = duration_read(n->decimal != 0 ? n->decimal : '.', token, size, out);
	if (written == 0 && (n->accept & ACCEPT_TIME) != 0) {
		written = read_time(token, size, out);
		was_time = written > 0;
		is_number = was_time || !time_is_too_fine(token, size);
	}
	if (is_time != NULL)
		*is_time = was_time;
	if (written > 0 || !is_number)
		return written;
	if (read_amount(&r)) {
		*out = r.negative ? '-' : '+';
		return (size_t)(r.to - out);
	}
	/* It may be a word, a hexadecimal number, or many digits. */
	if (n->decimal != 0 && memchr(token, '.', size) != NULL)
		return 0;
	memcpy(out, token, size);
	return size;
}

bool notation_is_number(const struct notation *n, const char *token, size_t size)
{
	char number[LOOKED_AT_MAX + NOTATION_GROWTH];
	struct number_parts parts;
	if (!n->given || size > LOOKED_AT_MAX)
		return number_split(token, size, &parts);
	return number_split(number, notation_read(n, token, size, number, NULL), &parts);
}

bool notation_is_nearly_number(const struct notation *n, const char *token, size_t size)
{
	char number[LOOKED_AT_MAX + NOTATION_GROWTH];
	struct reader r = {
		.notation = n, .p = token, .end = token + size, .out = number, .to = number + 1, .any_word = true};
	return notation_is_number(n, token, size) ||
	       ((n->accept & ACCEPT_TIME) != 0 && time_is_too_fine(token, size)) ||
	       (n->accept != 0 && size <= LOOKED_AT_MAX && read_amount(&r));
}

bool notation_begins_with_number(const struct notation *n, const char *token, size_t size)
{
	struct reader r = {.notation = n, .p = token, .end = token + size, .any_word = true};
	if (n->accept == 0)
		return false;
	if ((n->accept & ACCEPT_MONEY) != 0)
		read_before(&r);
	else
		(void)read_sign(&r, false);
	r.p += is_at(&r, n->decimal != 0 ? &n->decimal : ".", 1);
	return r.p < r.end && is_digit(*r.p);
}
