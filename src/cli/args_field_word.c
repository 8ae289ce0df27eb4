#include "cli/args_field_word.h"

#include <string.h>

#include "cli/args_value.h"
#include "text/members.h"

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

size_t args_quoted_size(const char *list, char separator)
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

enum status args_field_word(const struct options *o, const char *option, const char *value, char *word,
			    struct bytes *fields, bool *kept)
{
	if (args_quoted_size(word, '\0') > 0)
		return parse_quoted(option, value, word, fields, kept);
	return o->cut.json || o->cut.logfmt ? parse_member(o, option, value, word, fields, kept)
					    : parse_field(option, value, word, fields, kept);
}
