/* The first number of a duration may have any number of digits: it is multiplied digit by digit. */
#include "number/duration.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "number/multiply_digits.h"
#include "number/parse.h"

/* A duration that was read. */
struct duration {
	bool negative;
	const char *first; /* The digits of its first number. */
	size_t digits; /* How many. */
	uint32_t factor; /* The seconds of which these are a number. */
	uint32_t rest; /* The whole seconds of the other numbers. */
};

/* Writes the whole seconds of a duration. Returns the bytes written. */
static size_t put_duration(char *out, const struct duration *d)
{
	const size_t room = sizeof "86400" - 1;
	const size_t count = room + d->digits;
	size_t zeros = 0;
	*out++ = d->negative ? '-' : '+';
	memset(out, '0', room);
	memcpy(out + room, d->first, d->digits);
	multiply_digits(out, count, d->factor, d->rest);
	while (out[zeros] == '0' && zeros + 1 < count)
		zeros++;
	memmove(out, out + zeros, count - zeros);
	return 1 + count - zeros;
}

size_t duration_read(char mark, const char *token, size_t size, char *out)
{
	static const uint32_t limits[] = {60, 60, 24}; /* From the seconds on. */
	const char *p = token;
	const char *const end = token + size;
	uint32_t parts[4] = {0}; /* (The first one may have any number of digits.) */
	size_t digits[4];
	size_t count = 0;
	struct duration d = {.negative = p < end && *p == '-', .factor = 1};
	p += p < end && (*p == '-' || *p == '+');
	d.first = p;
	for (bool goes_on = true; goes_on; count++) {
		const size_t most = count == 0 ? size : 2;
		for (digits[count] = 0; p < end && is_digit(*p) && digits[count] < most; digits[count]++, p++)
			parts[count] = count > 0 ? parts[count] * 10 + (uint32_t)(*p - '0') : 0;
		goes_on = p < end && *p == ':' && count < 3;
		p += goes_on;
	}
	if (count < 2 || digits[0] == 0)
		return 0;
	d.digits = digits[0];
	for (size_t i = count; i-- > 1;) {
		const uint32_t limit = limits[count - 1 - i];
		const bool is_short = i == 1 && count == 4 && digits[i] == 1;
		if ((digits[i] != 2 && !is_short) || parts[i] >= limit)
			return 0;
		d.rest += parts[i] * d.factor;
		d.factor *= limit;
	}
	const bool has_fraction = p < end && *p == mark;
	const char *fraction = p + has_fraction;
	for (p = fraction; has_fraction && p < end && is_digit(*p);)
		p++;
	if (p < end || (has_fraction && fraction == end))
		return 0;
	const size_t whole = put_duration(out, &d);
	const size_t decimals = (size_t)(end - fraction);
	if (decimals == 0)
		return whole;
	out[whole] = '.';
	memcpy(out + whole + 1, fraction, decimals);
	return whole + 1 + decimals;
}

size_t duration_of_number(char *text, size_t size)
{
	char clock[sizeof ":mm:ss"];
	const size_t sign = size > 0 && text[0] == '-';
	size_t digits = sign;
	while (digits < size && is_digit(text[digits]))
		digits++;
	if (digits == sign || (digits < size && text[digits] != '.') || memchr(text, 'e', size) != NULL)
		return size;
	uint32_t rest = 0; /* The seconds after the hours, which take the place of the digits. */
	size_t hours = sign;
	for (size_t i = sign; i < digits; i++) {
		rest = rest * 10 + (uint32_t)(text[i] - '0');
		text[hours] = (char)('0' + (int)(rest / 3600));
		hours += hours > sign || text[hours] != '0' || i + 1 == digits;
		rest %= 3600;
	}
	(void)snprintf(clock, sizeof clock, ":%02u:%02u", (unsigned)(rest / 60 % 60), (unsigned)(rest % 60));
	memmove(text + hours + sizeof clock - 1, text + digits, size - digits);
	memcpy(text + hours, clock, sizeof clock - 1);
	return hours + sizeof clock - 1 + size - digits;
}
