#include "cli/args_time_field.h"

#include <string.h>

#include "cli/args_field_word.h"
#include "cli/args_value.h"

/* Appends a field that is not a range. Owns the word. */
static enum status add_single(const struct options *o, const char *option, const char *value, char *word,
			      struct bytes *fields)
{
	bool is_kept = false;
	enum status status = args_field_word(o, option, value, word, fields, &is_kept);
	if (!is_kept)
		memory_free(word);
	if (status != STATUS_OK)
		return status;
	const struct field_item *field = (const struct field_item *)(const void *)(fields->data + fields->size) - 1;
	return field->first == field->last ? STATUS_OK : args_bad_value(option, value, "one field or two");
}

/* (A header's name may have a plus sign itself, also in quotes.) */
enum status args_time_field(const struct options *o, const char *option, const char *value, char *word,
			    struct bytes *fields)
{
	const char *plus = strchr(word + args_quoted_size(word, '+'), '+');
	char *first = NULL;
	char *second = NULL;
	if (plus == NULL || plus == word || plus[1] == '\0')
		return add_single(o, option, value, word, fields);
	enum status status = args_word_of(word, (size_t)(plus - word), &first);
	if (status == STATUS_OK)
		status = args_word_of(plus + 1, strlen(plus + 1), &second);
	if (status == STATUS_OK)
		status = add_single(o, option, value, first, fields);
	if (status == STATUS_OK)
		status = add_single(o, option, value, second, fields);
	return status;
}

enum status args_unit_item(const struct options *o, const char *option, const char *value, const char *item,
			   struct bytes *fields, bool *taken)
{
	const char *colon = strrchr(item, ':');
	const enum calendar_unit unit = colon != NULL && colon > item ? calendar_unit_find(colon + 1) : UNIT_NONE;
	const size_t size = fields->size;
	char *word = NULL;
	char *pair = NULL;
	*taken = unit != UNIT_NONE;
	if (!*taken)
		return STATUS_OK;
	enum status status = args_word_of(item, (size_t)(colon - item), &word);
	if (status == STATUS_OK)
		status = args_word_of(item, (size_t)(colon - item), &pair);
	if (status == STATUS_OK)
		status = args_time_field(o, option, value, word, fields);
	struct field_item *items = (struct field_item *)(void *)(fields->data + size);
	const size_t count = (fields->size - size) / sizeof *items;
	for (size_t i = 0; i < count && status == STATUS_OK; i++) {
		items[i].unit = unit;
		items[i].is_clock = i > 0;
		items[i].word = item;
		items[i].pair = count > 1 ? pair : NULL;
	}
	return status;
}
