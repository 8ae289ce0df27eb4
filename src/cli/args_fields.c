/* An item of a list is a number, a range of numbers or a name. With a unit of time it may be two fields, a date and its
 * time of day, as may that of --reset-gap and --window. */
#include "cli/args_parts.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/message.h"
#include "number/decimal.h"
#include "text/members.h"

#define FIELD_NUMBER_MAX (UINT64_C(1) << 40)

/* An option's value that is not read yet. */
struct noted {
	const char *option, *value;
	struct bytes *fields; /* where it goes */
};

enum status args_list(const struct given_option *t, struct options *o)
{
	const struct noted noted = {.option = t->name,
				    .value = t->value,
				    .fields = (struct bytes *)(void *)((unsigned char *)o + t->row->member)};
	return bytes_append(&o->fields.noted, &noted, sizeof noted);
}

/* Returns the size, with its quotes, of the name in quotes with which a list begins. 0: the list does not begin with
 * one, or neither a separator nor the list's end follows it. */
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

/* Returns the size of a list's first item. In quotes, also before a plus sign or a unit of time, commas do not end
 * it. */
static size_t item_size(const char *list)
{
	const char *p = list;
	size_t quoted = quoted_size(p, ',');
	for (const char *between = "+:"; quoted == 0 && *between != '\0'; between++)
		quoted = quoted_size(p, *between);
	if (quoted > 0 && p[quoted] == '+')
		return quoted + 1 + item_size(p + quoted + 1);
	return quoted + strcspn(p + quoted, ",");
}

/* --- One field ---------------------------------------------------------------------------------------------------- */

/* Reads N, N-M, N- or -N, a number that is counted from the last field, into *field. Anything else is a name. */
static enum status read_number(const char *option, char *word, struct field_item *field)
{
	char *rest = word + strspn(word, "0123456789");
	const char *last = *rest == '-' ? rest + 1 : word;
	field->place = word;
	if (word[0] == '-') {
		if (word[1] == '\0' || word[1 + strspn(word + 1, "0123456789")] != '\0')
			return args_bad_value(option, word, "a field's number or name");
		return args_count(option, word + 1, 1, FIELD_NUMBER_MAX, &field->from_end);
	}
	if (word[strspn(word, "0123456789-")] != '\0' || strchr(last, '-') != NULL) {
		field->name = word;
		field->place = NULL;
		return STATUS_OK;
	}
	field->digits = last == word ? word : NULL;
	const char kept = *rest;
	*rest = '\0';
	field->last = UINT64_MAX;
	const enum status status = args_count(option, word, 1, FIELD_NUMBER_MAX, &field->first);
	*rest = kept;
	return status == STATUS_OK && *last != '\0'
		       ? args_count(option, last, field->first, FIELD_NUMBER_MAX, &field->last)
		       : status;
}

/* Removes the quotes around a name. A doubled quote in it stands for one. */
static void unquote(char *word)
{
	char *to = word;
	for (const char *p = word + 1; p[1] != '\0'; p++) {
		*to++ = *p;
		p += *p == '"';
	}
	*to = '\0';
}

enum status args_field_word(const struct options *o, const char *option, const char *value, char *word,
			    struct bytes *fields)
{
	const bool is_member = o->cut.json || o->cut.logfmt;
	struct field_item field = {.value = value, .is_whole = quoted_size(word, '\0') > 0};
	if (field.is_whole)
		unquote(word);
	if (word[0] == '\0')
		return args_usage("%s: a field is missing", option);
	if (field.is_whole || is_member)
		field.name = word;
	else
		TRY(read_number(option, word, &field));
	if (is_member && !field.is_whole && !members_is_name(o->cut.json ? NAMES_PATHS : NAMES_WHOLE, word))
		return args_usage("%s: %s: in a JSON pointer (RFC 6901) write ~0 for ~ and ~1 for /", option,
				  message_quoted(word));
	return bytes_append(fields, &field, sizeof field);
}

/* --- Fields that are times ---------------------------------------------------------------------------------------- */

/* Appends a field that is not a range. */
static enum status add_single(const struct options *o, const char *option, const char *value, char *word,
			      struct bytes *fields)
{
	TRY(args_field_word(o, option, value, word, fields));
	const struct field_item *field = (const struct field_item *)(const void *)(fields->data + fields->size) - 1;
	return field->first == field->last ? STATUS_OK : args_bad_value(option, value, "one field or two");
}

/* Appends the field that a word names, or two that it joins by a plus sign: a date and its time of day. (A header's
 * name may have a plus sign itself, also in quotes.) */
static enum status add_time(struct options *o, const char *option, const char *value, char *word, struct bytes *fields)
{
	const char *plus = strchr(word + quoted_size(word, '+'), '+');
	if (plus == NULL || plus == word || plus[1] == '\0')
		return add_single(o, option, value, word, fields);
	if (strchr(plus + 1, '+') != NULL && strspn(word, "0123456789+") == strlen(word))
		return args_usage("%s: a time has one field, or two as DATE+TIME: %s", option, message_quoted(word));
	char *date = args_copy(o, word, (size_t)(plus - word));
	char *clock = args_copy(o, plus + 1, strlen(plus + 1));
	if (date == NULL || clock == NULL)
		return STATUS_SYSTEM;
	TRY(add_single(o, option, value, date, fields));
	return add_single(o, option, value, clock, fields);
}

/* The unit of time that an item ends in, as in time:day or 1+2:hour, or UNIT_NONE. */
static enum calendar_unit unit_of(const char *item)
{
	const char *colon = strrchr(item, ':');
	return colon != NULL && colon > item ? calendar_unit_find(colon + 1) : UNIT_NONE;
}

/* Appends the fields of an item with a unit of time. */
static enum status add_with_unit(struct options *o, const char *option, const char *value, const char *item,
				 struct bytes *fields)
{
	const size_t size = fields->size;
	char *word = args_copy(o, item, (size_t)(strrchr(item, ':') - item));
	if (word == NULL)
		return STATUS_SYSTEM;
	TRY(add_time(o, option, value, word, fields));
	struct field_item *items = (struct field_item *)(void *)(fields->data + size);
	const size_t count = (fields->size - size) / sizeof *items;
	for (size_t i = 0; i < count; i++) {
		items[i].unit = unit_of(item);
		items[i].is_clock = i > 0;
		items[i].word = item;
		items[i].pair = count > 1 ? word : NULL;
	}
	return STATUS_OK;
}

/* --- The options' values ------------------------------------------------------------------------------------------ */

/* A list; given again, it adds. */
static enum status parse_fields(struct options *o, const char *option, const char *value, struct bytes *fields)
{
	size_t size;
	for (const char *item = value; item != NULL; item = args_next_item(item, size)) {
		size = item_size(item);
		char *word = args_copy(o, item, size);
		if (word == NULL)
			return STATUS_SYSTEM;
		if (fields != &o->fields.numbers && unit_of(word) != UNIT_NONE)
			TRY(add_with_unit(o, option, value, word, fields));
		else
			TRY(args_field_word(o, option, value, word, fields));
	}
	return STATUS_OK;
}

/* Reads FIELD:N or DATE+TIME:N, perhaps followed by a unit of time. Replaces *fields by its one or two fields, and sets
 * *rule but for their count. The rule borrows from the value. */
static enum status parse_span(struct options *o, const char *option, const char *value, struct bytes *fields,
			      struct place_rule *rule)
{
	static const char units[] = "smhd";
	static const int seconds[] = {1, 60, 3600, 86400};
	static const char allowed[] =
		"FIELD:N or DATE+TIME:N, N a number from 0, as in 4:100, time:30m or 1+2:30m (s, m, h, d)";
	const char *colon = strrchr(value, ':');
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
	    __builtin_mul_overflow(decimal_value(&m, &type_table[TYPE_I128]), factor, &rule->least))
		return args_bad_value(option, value, allowed);
	fields->size = 0;
	rule->given = true;
	rule->is_time = unit != NULL;
	rule->text = colon + 1;
	rule->option = option;
	char *word = args_copy(o, value, (size_t)(colon - value));
	return word != NULL ? add_time(o, option, word, word, fields) : STATUS_SYSTEM;
}

/* Reads the value of --plot-time: FIELD or DATE+TIME. The option asks for a picture, too. */
static enum status parse_along(struct options *o, const char *value)
{
	char *word = args_copy(o, value, strlen(value));
	o->fields.along.size = 0;
	o->reports.plots = true;
	return word != NULL ? add_time(o, "--plot-time", value, word, &o->fields.along) : STATUS_SYSTEM;
}

/* Chooses the picture's times, if --plot-time does not: those of --window or --reset-gap, or else those of a log. */
static enum status choose_along(struct options *o)
{
	static const char log_time[] = "4";
	struct bytes *along = &o->fields.along;
	const struct bytes *times = o->text.span.is_time  ? &o->fields.span
				    : o->text.gap.is_time ? &o->fields.gap
							  : NULL;
	if (!o->reports.plots || along->size > 0 || (times == NULL && !o->cut.log))
		return STATUS_OK;
	if (times != NULL)
		return bytes_append(along, times->data, times->size);
	char *word = args_copy(o, log_time, strlen(log_time));
	return word != NULL ? args_field_word(o, "--plot-time", log_time, word, along) : STATUS_SYSTEM;
}

enum status args_fields_read(struct options *o)
{
	const struct noted *noted = (const struct noted *)(const void *)o->fields.noted.data;
	for (size_t i = 0; i < o->fields.noted.size / sizeof *noted; i++) {
		if (noted[i].fields == &o->fields.gap)
			TRY(parse_span(o, "--reset-gap", noted[i].value, &o->fields.gap, &o->text.gap));
		else if (noted[i].fields == &o->fields.along)
			TRY(parse_along(o, noted[i].value));
		else
			TRY(parse_fields(o, noted[i].option, noted[i].value, noted[i].fields));
	}
	if (o->scan.window_span != NULL)
		TRY(parse_span(o, "--window", o->scan.window_span, &o->fields.span, &o->text.span));
	if (o->scan.window_span != NULL && o->text.span.least == 0)
		return args_usage("--window=%s: the window must be longer than 0", o->scan.window_span);
	return choose_along(o);
}

/* --- All lists ---------------------------------------------------------------------------------------------------- */

const char *const field_options[FIELD_LISTS] = {"-f", "-g", "--reset-on", "--reset-gap", "--window", "--plot-time"};

/* Whether some field is chosen by name (by_name), or some range has no end. */
static bool is_any(const struct options *o, bool by_name)
{
	bool is = false;
	for (size_t list = 0; list < FIELD_LISTS; list++) {
		const struct field_item *items = (const struct field_item *)(const void *)o->fields.lists[list].data;
		for (size_t i = 0; i < o->fields.lists[list].size / sizeof *items; i++)
			is = is || (by_name ? items[i].name != NULL : items[i].last == UINT64_MAX);
	}
	return is;
}

bool args_fields_have_names(const struct options *o)
{
	return is_any(o, true);
}

bool args_fields_are_open(const struct options *o)
{
	return is_any(o, false);
}

bool args_fields_are_given(const struct options *o)
{
	size_t size = 0;
	for (size_t list = 0; list < FIELD_LISTS; list++)
		size += o->fields.lists[list].size;
	return size > 0;
}

/* The fields of the Common Log Format, and the two of the combined one, in their order. */
static const char log_fields[] = "host ident user time request status bytes referer agent";

enum status args_fields_number_log(struct options *o)
{
	uint64_t *const last = &o->text.checks.log_last;
	for (size_t list = 0; list < FIELD_LISTS; list++) {
		struct field_item *items = (struct field_item *)(void *)o->fields.lists[list].data;
		for (size_t i = 0; i < o->fields.lists[list].size / sizeof *items; i++) {
			const int index = items[i].name != NULL ? args_word(items[i].name, log_fields) : -1;
			if (items[i].name != NULL && index < 0)
				return args_usage(
					"--log: %s: %s is not host, ident, user, time, request, status, bytes, "
					"referer or agent",
					field_options[list], message_quoted(items[i].name));
			if (index >= 0)
				items[i].first = items[i].last = (uint64_t)index + 1;
			if (index >= 0 && *last < items[i].last)
				*last = items[i].last > LOG_STATUS ? items[i].last : LOG_STATUS;
		}
	}
	return STATUS_OK;
}

void args_fields_warn_of_files(const struct options *o)
{
	struct stat st;
	if (o->action != ACTION_SCAN || o->files.count != 1 || strcmp(o->files.names[0], "-") != 0 ||
	    !isatty(STDIN_FILENO))
		return;
	for (size_t list = 0; list < FIELD_LISTS; list++) {
		const struct bytes *items = &o->fields.lists[list];
		if (items->size == 0)
			continue;
		const struct field_item *last =
			(const struct field_item *)(const void *)(items->data + items->size) - 1;
		if (last->value != NULL && stat(last->value, &st) == 0 && S_ISREG(st.st_mode))
			message_warning("%s %s: there is a file of that name, but the input is the terminal",
					field_options[list], message_quoted(last->value));
	}
}
