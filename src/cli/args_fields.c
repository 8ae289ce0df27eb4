#include "cli/args_fields.h"

#include <string.h>

#include "cli/args_field_word.h"
#include "cli/args_span.h"
#include "cli/args_time_field.h"

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

/* Returns the size of a list's first item. In quotes, also before a plus sign or a unit of time, commas do not end
 * it. */
static size_t item_size(const char *list)
{
	const char *p = list;
	size_t quoted = args_quoted_size(p, ',');
	for (const char *between = "+:"; quoted == 0 && *between != '\0'; between++)
		quoted = args_quoted_size(p, *between);
	if (quoted > 0 && p[quoted] == '+')
		return quoted + 1 + item_size(p + quoted + 1);
	return quoted + strcspn(p + quoted, ",");
}

/* A list; given again, it adds. */
static enum status parse_fields(const struct options *o, const char *option, const char *value, struct bytes *fields)
{
	enum status status = STATUS_OK;
	bool ends = false;
	for (const char *item = value; status == STATUS_OK && !ends;) {
		char *word = NULL;
		bool kept = false;
		const size_t size = item_size(item);
		status = args_word_of(item, size, &word);
		if (status == STATUS_OK && fields != &o->fields.numbers)
			status = args_unit_item(o, option, value, word, fields, &kept);
		if (status == STATUS_OK && !kept)
			status = args_field_word(o, option, value, word, fields, &kept);
		if (!kept)
			memory_free(word);
		ends = item[size] == '\0';
		item += size + 1;
	}
	return status;
}

enum status args_fields_read(struct options *o)
{
	const struct noted *noted = (const struct noted *)(const void *)o->fields.noted.data;
	enum status status = STATUS_OK;
	for (size_t i = 0; i < o->fields.noted.size / sizeof *noted && status == STATUS_OK; i++)
		status = noted[i].fields == &o->fields.gap
				 ? args_span("--reset-gap", noted[i].value, o, &o->fields.gap, &o->resets.gap)
				 : parse_fields(o, noted[i].option, noted[i].value, noted[i].fields);
	if (status != STATUS_OK || o->scan.window_span == NULL)
		return status;
	status = args_span("--window", o->scan.window_span, o, &o->fields.span, &o->scan.span);
	if (status == STATUS_OK && o->scan.span.least == 0)
		return args_usage("--window: a window of nothing: %s", o->scan.window_span);
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
	       has_name(&o->fields.gap) || has_name(&o->fields.span);
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
	return o->fields.numbers.size + o->fields.keys.size + o->fields.reset_on.size + o->fields.gap.size +
		       o->fields.span.size >
	       0;
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
	if (status == STATUS_OK)
		status = number_log_fields("--reset-gap", &o->fields.gap);
	return status == STATUS_OK ? number_log_fields("--window", &o->fields.span) : status;
}
