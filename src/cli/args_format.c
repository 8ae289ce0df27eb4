#include "cli/args_format.h"

#include <string.h>

#include "cli/args_value.h"
#include "number/parse.h"
#include "text/npy.h"

enum status args_format(const struct taken_option *t, struct options *o)
{
	if (strcmp(t->value, "json") == 0)
		return message_refuse("%s=%s" ARGS_LATER, t->name, t->value);
	if (args_word(t->value, "csv tsv log logfmt") >= 0)
		return args_usage("%s=%s: write --%s", t->name, t->value, t->value);
	return args_take_word(t, o);
}

enum status args_axis(const struct taken_option *t, struct options *o)
{
	const char *value = t->value;
	const bool from_last = value[0] == '-';
	const bool digits = strspn(value + from_last, "0123456789") == strlen(value + from_last);
	union value v;
	if (!digits ||
	    number_parse(value + from_last, strlen(value + from_last), &type_table[TYPE_U64], &v) != NUMBER_OK ||
	    v.u64 > NPY_AXES_MAX || (from_last && v.u64 == 0))
		return args_bad_value(t->name, value, "an axis: 0, 1, ..., or -1, -2, ... from the last");
	o->numbers.has_axis = true;
	o->numbers.axis = from_last ? -(int64_t)v.u64 : (int64_t)v.u64;
	return STATUS_OK;
}

/* An option that compresses, at a level up to a greatest one. The last one counts. */
static enum status take_compressor(const struct taken_option *t, const struct compressor *compressor,
				   uint64_t level_max, struct output_options *output)
{
	uint64_t level = (uint64_t)compressor->level_default;
	if (compressor->open == NULL)
		return args_usage("%s: this build has no library for that: use pscan ... | %s", t->name,
				  compressor->name);
	if (t->value != NULL && args_count(t->name, t->value, 1, level_max, &level) != STATUS_OK)
		return STATUS_USAGE;
	output->compressor = compressor;
	output->level = (int)level;
	return STATUS_OK;
}

enum status args_gzip(const struct taken_option *t, struct options *o)
{
	return take_compressor(t, &compressor_gzip, 9, &o->output);
}

enum status args_zstd(const struct taken_option *t, struct options *o)
{
	return take_compressor(t, &compressor_zstd, 22, &o->output);
}
