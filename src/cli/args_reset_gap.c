#include "cli/args_reset_gap.h"

#include <string.h>

#include "cli/args_time_field.h"
#include "cli/args_value.h"
#include "number/decimal.h"

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
		status = args_time_field(o, "--reset-gap", word, word, &o->fields.gap);
	const struct field_item *fields = (const struct field_item *)(const void *)o->fields.gap.data;
	for (size_t i = 0; i < o->fields.gap.size / sizeof *fields && status == STATUS_OK; i++) {
		if (fields[i].first != fields[i].last)
			status = args_bad_value("--reset-gap", value, allowed);
	}
	return status;
}
