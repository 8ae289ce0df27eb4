#include "cli/args_format.h"

#include <string.h>

#include "cli/args_value.h"
#include "number/parse.h"
#include "text/npy.h"

enum status args_format(const char *option, const char *value, bool with_auto, enum format *format)
{
	static const char *const words[] = {
		[FORMAT_AUTO] = "auto",
		[FORMAT_TEXT] = "text",
		[FORMAT_BINARY] = "binary",
		[FORMAT_NPY] = "npy",
	};
	const int index = args_word(value, words, 4);
	if (strcmp(value, "json") == 0)
		return args_not_yet("%s=%s", option, value);
	static const char *const options[] = {"csv", "tsv", "log", "logfmt"};
	for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
		if (strcmp(value, options[i]) == 0)
			return args_usage("%s=%s: write --%s", option, value, value);
	}
	if (index < 0 || (index == FORMAT_AUTO && !with_auto))
		return args_bad_value(option, value, with_auto ? "auto, text, binary or npy" : "text, binary or npy");
	*format = (enum format)index;
	return STATUS_OK;
}

enum status args_alike(const char *value, struct options *o)
{
	static const char *const words[] = {"copy", "new"};
	const int index = args_word(value, words, 2);
	if (index < 0)
		return args_bad_value("--alike", value, "copy or new");
	o->state.alike = index == 0 ? ALIKE_COPY : ALIKE_NEW;
	return STATUS_OK;
}

enum status args_axis(const char *value, struct options *o)
{
	const bool from_last = value[0] == '-';
	const bool digits = strspn(value + from_last, "0123456789") == strlen(value + from_last);
	union value v;
	if (!digits ||
	    number_parse(value + from_last, strlen(value + from_last), &type_table[TYPE_U64], &v) != NUMBER_OK ||
	    v.u64 > NPY_AXES_MAX || (from_last && v.u64 == 0))
		return args_bad_value("--axis", value, "an axis: 0, 1, ..., or -1, -2, ... from the last");
	o->numbers.has_axis = true;
	o->numbers.axis = from_last ? -(int64_t)v.u64 : (int64_t)v.u64;
	return STATUS_OK;
}

enum status args_compressor(const char *option, const char *value, const struct compressor *compressor,
			    uint64_t level_max, struct options *o)
{
	uint64_t level = 0;
	if (compressor->open == NULL)
		return args_usage("%s: this build has no library for that: use pscan ... | %s", option,
				  compressor->name);
	if (value != NULL && args_count(option, value, 1, level_max, &level) != STATUS_OK)
		return STATUS_USAGE;
	o->output.compressor = compressor;
	o->output.level = value != NULL ? (int)level : compressor->level_default;
	return STATUS_OK;
}
