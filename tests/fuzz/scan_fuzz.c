/* Numbers read out of running text: what read_text.h takes must be what number_parse and decimal_parse (which
 * number_fuzz.c holds to account) make of the same token, whatever bytes stand behind the text's end.
 *
 * First bytes: the type, the scale or limit, and how many of the bytes that follow stand behind the end. */
#include <stdbool.h>

#include "number/decimal.h"
#include "fuzz.h"
#include "number/parse.h"
#include "number/read_text.h"

#define TEXT_MAX 4096
#define EASY_DIGITS 8 /* an integer of no more with white space behind it is always taken */

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Reads the token at p as type t, or as a decimal at a scale. */
static bool scan_one(const char *p, const char *end, const struct type *t, bool is_decimal, unsigned scale,
		     union value *value, const char **stop)
{
	if (is_decimal)
		return decimal_scan(p, end, scale, &value->i64, stop);
	switch (t->kind) {
	case KIND_SIGNED:
		return number_scan_i64(p, end, &value->i64, stop);
	case KIND_UNSIGNED:
		return number_scan_u64(p, end, &value->u64, stop);
	case KIND_FLOAT:
		break;
	}
	return t->id == TYPE_F32 ? number_scan_f32(p, end, &value->f32, stop)
				 : number_scan_f64(p, end, &value->f64, stop);
}

/* What the same token is by the slow road. */
static bool parse_one(const char *token, size_t size, const struct type *t, bool is_decimal, unsigned scale,
		      union value *value)
{
	struct decimal d;
	if (!is_decimal)
		return number_parse(token, size, t, value) == NUMBER_OK;
	return decimal_parse(token, size, &d) && !d.is_float && d.scale <= scale &&
	       decimal_mantissa(&d, scale, &type_table[TYPE_I64], value);
}

/* The widest type of a kind is what single numbers are read as. */
static const struct type *scanned_type(const struct type *t)
{
	static const enum type_id widest[] = {[KIND_SIGNED] = TYPE_I64, [KIND_UNSIGNED] = TYPE_U64};
	return t->kind == KIND_FLOAT ? t : &type_table[widest[t->kind]];
}

static bool is_easy(const char *p, const char *end)
{
	size_t n = 0;
	while (p + n < end && p[n] >= '0' && p[n] <= '9')
		n++;
	return n > 0 && n <= EASY_DIGITS && p + n < end && is_space(p[n]);
}

/* The token at every place of the text. */
static void check_tokens(const char *text, const char *end, const struct type *t, bool is_decimal, unsigned scale)
{
	for (const char *p = text; p < end; p++) {
		union value got, want;
		const char *stop = NULL;
		memset(&got, 0x5a, sizeof got);
		if (!scan_one(p, end, t, is_decimal, scale, &got, &stop)) {
			const bool must_take = is_easy(p, end) && (!is_decimal || scale <= 18 - EASY_DIGITS);
			REQUIRE(!must_take, "at %td: an easy integer is not taken", p - text);
			REQUIRE(stop == NULL && got.u64 == UINT64_C(0x5a5a5a5a5a5a5a5a), "at %td: written", p - text);
			continue;
		}
		REQUIRE(stop > p && stop <= end, "at %td: it ends at %td of %td", p - text, stop - text, end - text);
		if (stop < end && !is_space(*stop))
			continue; /* not a number of this kind: somebody else's */
		REQUIRE(parse_one(p, (size_t)(stop - p), t, is_decimal, scale, &want), "\"%.*s\" is taken",
			(int)(stop - p), p);
		REQUIRE(memcmp(&got, &want, t->size) == 0, "\"%.*s\": another value", (int)(stop - p), p);
	}
}

/* Runs of numbers, one white space behind each, begun again behind what stops them. */
static void check_runs(const char *text, const char *end, const struct type *t, bool is_decimal, unsigned scale,
		       size_t limit)
{
	unsigned char *values = malloc((TEXT_MAX + 1) * t->size);
	unsigned char *scales = malloc(TEXT_MAX + 1);
	REQUIRE(values != NULL && scales != NULL, "no memory");
	for (const char *p = text; p < end;) {
		const struct number_run run =
			is_decimal ? decimal_scan_run(text, p, end, scale, (void *)values, scales, limit)
				   : number_scan_run(text, p, end, t, values, limit);
		const char *token = p;
		REQUIRE(run.count <= limit, "%zu elements of %zu", run.count, limit);
		for (size_t i = 0; i < run.count; i++) {
			union value want;
			const char *stop = token;
			while (stop < end && !is_space(*stop))
				stop++;
			REQUIRE(stop < end, "element %zu: nothing ends it", i);
			REQUIRE(parse_one(token, (size_t)(stop - token), t, is_decimal, scale, &want),
				"\"%.*s\" is taken", (int)(stop - token), token);
			REQUIRE(memcmp(values + i * t->size, &want, t->size) == 0, "\"%.*s\": another value",
				(int)(stop - token), token);
			token = stop + 1;
		}
		REQUIRE(run.next == token, "it stops at %td instead of %td", run.next - text, token - text);
		for (p = run.next; p < end && run.count < limit && !is_space(*p); p++)
			;
		p += p < end && run.count < limit;
	}
	free(scales);
	free(values);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const unsigned which = fuzz_choose(&data, &size) % (TYPE_I128 + 1);
	const unsigned how = fuzz_choose(&data, &size);
	const size_t behind = fuzz_choose(&data, &size) % (NUMBER_SCAN_SLACK + 1);
	const bool is_decimal = which == TYPE_I128;
	const struct type *t = &type_table[is_decimal ? TYPE_I64 : which];
	if (size > TEXT_MAX)
		return 0;
	/* Behind the end stand bytes of the input, then digits. */
	char *text = malloc(size + NUMBER_SCAN_SLACK);
	REQUIRE(text != NULL, "no memory");
	memcpy(text, data, size);
	memset(text + size, '7', NUMBER_SCAN_SLACK);
	const size_t length = size - (behind < size ? behind : size);
	char *exact = fuzz_copy(text, length + NUMBER_SCAN_SLACK);
	const unsigned scale = how % (DECIMAL_SCALE_MAX + 1);
	check_tokens(exact, exact + length, scanned_type(t), is_decimal, scale);
	check_runs(exact, exact + length, t, is_decimal, scale, how >= 128 ? how - 127 : SIZE_MAX);
	free(exact);
	free(text);
	return 0;
}
