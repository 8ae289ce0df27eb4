#include "cli/args_reset_gap.h"

#include <string.h>

#include "cli/args_field_word.h"
#include "cli/args_value.h"
#include "number/decimal.h"

/* A field, or two joined by a plus sign: a date and its time of day. (A header's name may have such a sign itself, also
 * in quotes.) */
static enum status parse_gap_fields(struct options *o, char *whole)
{
	const size_t quoted = args_quoted_size(whole, '+');
	const char *plus = strchr(whole + quoted, '+');
	char *first = NULL;
	char *second = NULL;
	bool keeps_first = false;
	bool keeps_second = false;
	if (plus == NULL || plus == whole || plus[1] == '\0') {
		const enum status status =
			args_field_word(o, "--reset-gap", whole, whole, &o->fields.gap, &keeps_first);
		if (!keeps_first)
			memory_free(whole);
		return status;
	}
	enum status status = args_word_of(whole, (size_t)(plus - whole), &first);
	if (status == STATUS_OK)
		status = args_word_of(plus + 1, strlen(plus + 1), &second);
	if (status == STATUS_OK)
		status = args_field_word(o, "--reset-gap", whole, first, &o->fields.gap, &keeps_first);
	if (status == STATUS_OK)
		status = args_field_word(o, "--reset-gap", whole, second, &o->fields.gap, &keeps_second);
	if (!keeps_first)
		memory_free(first);
	if (!keeps_second)
		memory_free(second);
	if (!keeps_first && !keeps_second)
		memory_free(whole);
	return status;
}

enum status args_reset_gap(const char *value, struct options *o)
{
	static const char units[] = "smhd";
	static const int seconds[] = {1, 60, 3600, 86400};
	static const char allowed[] =
		"FIELD:N or DATE+TIME:N, N a number from 0, as in 4:100, time:30m or 1+2:30m (s, m, h, d)";
	const char *colon = strrchr(value, ':');
	char *word = NULL;
	struct decimal d;
	union value m;
	if (colon == NULL || colon == value)
		return args_bad_value("--reset-gap", value, allowed);
	size_t size = strlen(colon + 1);
	const char *unit = size > 0 ? strchr(units, colon[size]) : NULL;
	size -= unit != NULL;
	const int factor = unit != NULL ? seconds[unit - units] : 1;
	if (!decimal_parse(colon + 1, size, &d) || d.is_float || d.negative ||
	    !decimal_mantissa(&d, DECIMAL_SCALE_MAX, &type_table[TYPE_I128], &m) ||
	    __builtin_mul_overflow(decimal_value(&m, &type_table[TYPE_I128]), factor, &o->resets.gap))
		return args_bad_value("--reset-gap", value, allowed);
	o->fields.gap.size = 0;
	o->resets.gap_is_time = unit != NULL;
	o->resets.gap_text = colon + 1;
	enum status status = args_word_of(value, (size_t)(colon - value), &word);
	if (status == STATUS_OK)
		status = parse_gap_fields(o, word);
	const struct field_item *fields = (const struct field_item *)(const void *)o->fields.gap.data;
	for (size_t i = 0; i < o->fields.gap.size / sizeof *fields && status == STATUS_OK; i++) {
		if (fields[i].first != fields[i].last)
			status = args_bad_value("--reset-gap", value, allowed);
	}
	return status;
}
