#include "cli/args_fields.h"

#include <string.h>

#include "cli/args_value.h"
#include "number/decimal.h"
#include "text/members.h"

/* An option's value that is not read yet. */
struct noted {
	const char *option, *value;
	struct bytes *fields; /* where it goes */
};

enum status args_list(const struct taken_option *t, struct options *o)
{
	const struct noted noted = {.option = t->name,
				    .value = t->value,
				    .fields = (struct bytes *)(void *)((unsigned char *)o + t->row->member)};
	return bytes_append(&o->fields.noted, &noted, sizeof noted);
}

#define FIELD_NUMBER_MAX (UINT64_C(1) << 40)

/* A number after a minus sign: counted from the last field. */
static enum status parse_from_end(const char *option, const char *value, const char *word, struct bytes *fields)
{
	struct field_item field = {.value = value};
	if (word[1] == '\0' || word[1 + strspn(word + 1, "0123456789")] != '\0')
		return args_bad_value(option, word, "a field's number or name");
	const enum status status = args_count(option, word + 1, 1, FIELD_NUMBER_MAX, &field.from_end);
	return status == STATUS_OK ? bytes_append(fields, &field, sizeof field) : status;
}

/* One of an option's list of fields: N, N-M, N-, -N or a name. *kept: the word is part of it. */
static enum status parse_field(const char *option, const char *value, char *word, struct bytes *fields, bool *kept)
{
	struct field_item field = {.value = value};
	*kept = false;
	char *rest = word + strspn(word, "0123456789");
	const char *last = *rest == '-' ? rest + 1 : word;
	enum status status = STATUS_OK;
	if (word[0] == '\0')
		return args_usage("%s: a field is missing", option);
	if (word[0] == '-')
		return parse_from_end(option, value, word, fields);
	if (word[strspn(word, "0123456789-")] != '\0' || strchr(last, '-') != NULL) {
		field.name = word;
	} else {
		field.digits = last == word ? word : NULL;
		*rest = '\0';
		status = args_count(option, word, 1, FIELD_NUMBER_MAX, &field.first);
		field.last = UINT64_MAX;
		if (status == STATUS_OK && *last != '\0')
			status = args_count(option, last, field.first, FIELD_NUMBER_MAX, &field.last);
	}
	if (status == STATUS_OK)
		status = bytes_append(fields, &field, sizeof field);
	*kept = status == STATUS_OK && (field.name != NULL || field.digits != NULL);
	return status;
}

/* The size of a name in quotes at the beginning of a list, which a separator or its end follows; 0: it has none. */
static size_t quoted_size(const char *list, char separator)
{
	const char *p = list;
	if (*p != '"')
		return 0;
	do {
		p = strchr(p + 1, '"');
		if (p == NULL)
			return 0;
		p++;
	} while (*p == '"');
	return *p == '\0' || *p == separator ? (size_t)(p - list) : 0;
}

/* A name in quotes, which is always a name. A doubled quote in it stands for one. */
static enum status parse_quoted(const char *option, const char *value, char *word, struct bytes *fields, bool *kept)
{
	const struct field_item field = {.name = word, .is_whole = true, .value = value};
	char *to = word;
	for (const char *p = word + 1; p[1] != '\0'; p++) {
		*to++ = *p;
		p += *p == '"';
	}
	*to = '\0';
	*kept = false;
	if (word[0] == '\0')
		return args_usage("%s: a field is missing", option);
	*kept = true;
	return bytes_append(fields, &field, sizeof field);
}

/* A field of a line that names its fields: a name, whatever it is. */
static enum status parse_member(const struct options *o, const char *option, const char *value, char *word,
				struct bytes *fields, bool *kept)
{
	char quoted[MESSAGE_QUOTED_SIZE];
	const struct field_item field = {.name = word, .value = value};
	*kept = false;
	if (word[0] == '\0')
		return args_usage("%s: a field is missing", option);
	if (!members_is_name(o->cut.json ? NAMES_PATHS : NAMES_WHOLE, word))
		return args_usage("%s: %s: in a JSON pointer (RFC 6901) write ~0 for ~ and ~1 for /", option,
				  message_quote(quoted, word, strlen(word)));
	*kept = true;
	return bytes_append(fields, &field, sizeof field);
}

static enum status parse_word(const struct options *o, const char *option, const char *value, char *word,
			      struct bytes *fields, bool *kept)
{
	if (quoted_size(word, '\0') > 0)
		return parse_quoted(option, value, word, fields, kept);
	return o->cut.json || o->cut.logfmt ? parse_member(o, option, value, word, fields, kept)
					    : parse_field(option, value, word, fields, kept);
}

/* A list; given again, it adds. */
static enum status parse_fields(const struct options *o, const char *option, const char *value, struct bytes *fields)
{
	enum status status = STATUS_OK;
	bool ends = false;
	for (const char *item = value; status == STATUS_OK && !ends;) {
		char *word = NULL;
		bool kept = false;
		const size_t quoted = quoted_size(item, ',');
		const size_t size = quoted > 0 ? quoted : strcspn(item, ",");
		status = args_word_of(item, size, &word);
		if (status == STATUS_OK)
			status = parse_word(o, option, value, word, fields, &kept);
		if (!kept)
			memory_free(word);
		ends = item[size] == '\0';
		item += size + 1;
	}
	return status;
}

/* A field, or two joined by a plus sign: a date and its time of day. (A header's name may have such a sign itself, also
 * in quotes.) */
static enum status parse_gap_fields(struct options *o, char *whole)
{
	const size_t quoted = quoted_size(whole, '+');
	const char *plus = strchr(whole + quoted, '+');
	char *first = NULL;
	char *second = NULL;
	bool keeps_first = false;
	bool keeps_second = false;
	if (plus == NULL || plus == whole || plus[1] == '\0') {
		const enum status status = parse_word(o, "--reset-gap", whole, whole, &o->fields.gap, &keeps_first);
		if (!keeps_first)
			memory_free(whole);
		return status;
	}
	enum status status = args_word_of(whole, (size_t)(plus - whole), &first);
	if (status == STATUS_OK)
		status = args_word_of(plus + 1, strlen(plus + 1), &second);
	if (status == STATUS_OK)
		status = parse_word(o, "--reset-gap", whole, first, &o->fields.gap, &keeps_first);
	if (status == STATUS_OK)
		status = parse_word(o, "--reset-gap", whole, second, &o->fields.gap, &keeps_second);
	if (!keeps_first)
		memory_free(first);
	if (!keeps_second)
		memory_free(second);
	if (!keeps_first && !keeps_second)
		memory_free(whole);
	return status;
}

/* FIELD:N, or FIELD:N and a unit of time. */
static enum status parse_gap(const char *value, struct options *o)
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

enum status args_fields_read(struct options *o)
{
	const struct noted *noted = (const struct noted *)(const void *)o->fields.noted.data;
	enum status status = STATUS_OK;
	for (size_t i = 0; i < o->fields.noted.size / sizeof *noted && status == STATUS_OK; i++)
		status = noted[i].fields == &o->fields.gap
				 ? parse_gap(noted[i].value, o)
				 : parse_fields(o, noted[i].option, noted[i].value, noted[i].fields);
	return status;
}

static bool has_name(const struct bytes *fields)
{
	const struct field_item *items = (const struct field_item *)(const void *)fields->data;
	bool has = false;
	for (size_t i = 0; i < fields->size / sizeof *items; i++)
		has = has || items[i].name != NULL;
	return has;
}

bool args_fields_have_names(const struct options *o)
{
	return has_name(&o->fields.numbers) || has_name(&o->fields.keys) || has_name(&o->fields.reset_on) ||
	       has_name(&o->fields.gap);
}

static bool has_open_range(const struct bytes *fields)
{
	const struct field_item *items = (const struct field_item *)(const void *)fields->data;
	bool has = false;
	for (size_t i = 0; i < fields->size / sizeof *items; i++)
		has = has || items[i].last == UINT64_MAX;
	return has;
}

bool args_fields_are_open(const struct options *o)
{
	return has_open_range(&o->fields.numbers) || has_open_range(&o->fields.keys) ||
	       has_open_range(&o->fields.reset_on);
}

bool args_fields_are_given(const struct options *o)
{
	return o->fields.numbers.size + o->fields.keys.size + o->fields.reset_on.size + o->fields.gap.size > 0;
}

/* The fields of the Common Log Format, and the two of the combined one, in their order. */
static const char log_fields[] = "host ident user time request status bytes referer agent";

/* Names are a log's fields. */
static enum status number_log_fields(const char *option, struct bytes *list)
{
	char quoted[MESSAGE_QUOTED_SIZE];
	struct field_item *fields = (struct field_item *)(void *)list->data;
	for (size_t i = 0; i < list->size / sizeof *fields; i++) {
		const char *name = fields[i].name;
		if (name == NULL)
			continue;
		const int index = args_word(name, log_fields);
		if (index < 0)
			return args_usage("--log: %s: %s is not host, ident, user, time, request, status, bytes, "
					  "referer or agent",
					  option, message_quote(quoted, name, strlen(name)));
		fields[i].first = fields[i].last = (uint64_t)index + 1;
	}
	return STATUS_OK;
}

enum status args_fields_number_log(struct options *o)
{
	enum status status = number_log_fields("-f", &o->fields.numbers);
	if (status == STATUS_OK)
		status = number_log_fields("-g", &o->fields.keys);
	if (status == STATUS_OK)
		status = number_log_fields("--reset-on", &o->fields.reset_on);
	return status == STATUS_OK ? number_log_fields("--reset-gap", &o->fields.gap) : status;
}
