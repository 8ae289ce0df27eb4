#include "cli/args_span.h"

#include <string.h>

#include "cli/args_time_field.h"
#include "cli/args_value.h"
#include "number/decimal.h"

enum status args_span(const char *option, const char *value, const struct options *o, struct bytes *fields,
		      struct span_option *span)
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
		return args_bad_value(option, value, allowed);
	size_t size = strlen(colon + 1);
	const char *unit = size > 0 ? strchr(units, colon[size]) : NULL;
	size -= unit != NULL;
	const int factor = unit != NULL ? seconds[unit - units] : 1;
	if (!decimal_parse(colon + 1, size, &d) || d.is_float || d.negative ||
	    !decimal_mantissa(&d, DECIMAL_SCALE_MAX, &type_table[TYPE_I128], &m) ||
	    __builtin_mul_overflow(decimal_value(&m, &type_table[TYPE_I128]), factor, &span->least))
		return args_bad_value(option, value, allowed);
	fields->size = 0;
	span->is_time = unit != NULL;
	span->text = colon + 1;
	enum status status = args_word_of(value, (size_t)(colon - value), &word);
	if (status == STATUS_OK)
		status = args_time_field(o, option, word, word, fields);
	return status;
}
