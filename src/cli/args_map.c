/* Only what --map itself shows is known here. The input's header, which may have fields called x or i, is looked at
 * later (plan_map.c). */
#include "cli/args_parts.h"

#include <string.h>

#include "language/expression.h"
#include "scan/program.h"

enum map_word args_map_word(const struct text_part *name, size_t *number)
{
	size_t read = 0;
	if (name->size == 1 && name->text[0] == 'x')
		return MAP_WORD_ONLY;
	if (name->size == 1 && name->text[0] == 'i')
		return MAP_WORD_INDEX;
	if (name->text[0] != 'x' || name->size > 6 || (name->text[1] == '0' && name->size > 2))
		return expression_is_constant(name) ? MAP_WORD_CONSTANT : MAP_WORD_FIELD;
	for (size_t i = 1; i < name->size; i++) {
		if (name->text[i] < '0' || name->text[i] > '9')
			return MAP_WORD_FIELD;
		read = read * 10 + (size_t)(name->text[i] - '0');
	}
	if (number != NULL)
		*number = read;
	return MAP_WORD_NUMBERED;
}

enum status args_map_cut(const char *map, struct bytes *texts, struct bytes *names)
{
	struct expression_error error;
	enum status status = STATUS_OK;
	struct text_part part;
	for (; status == STATUS_OK && map != NULL; map = args_next_item(map, part.size)) {
		part = (struct text_part){.text = map, .size = program_expression_size(map)};
		status = bytes_append(texts, &part, sizeof part);
		if (status == STATUS_OK)
			status = expression_names(part.text, part.size, names, &error);
		if (status == STATUS_USAGE)
			return bad_expression("--map", part.text, part.size, error.place, error.size, error.why);
	}
	return status;
}

/* Whether an option says how lines are cut into fields. */
static bool are_cut(const struct options *o)
{
	return o->cut.csv || o->cut.tsv || o->cut.log || o->cut.logfmt || o->cut.json || o->text.delimiter != '\0';
}

/* Appends a field that is called so. */
static enum status add_field(struct options *o, const struct text_part *name)
{
	const bool is_braced = name->text[0] == '{';
	char *word = args_copy(o, name->text + is_braced, name->size - (is_braced ? 2 : 0));
	if (word == NULL)
		return STATUS_SYSTEM;
	if (word[0] == '\0')
		return bad_expression("--map", o->scan.map, strlen(o->scan.map), (size_t)(name->text - o->scan.map),
				      name->size, "a field's name is missing");
	if (o->cut.json || o->cut.logfmt)
		return args_field_word(o, "--map", word, word, &o->fields.numbers);
	const struct field_item field = {.name = word, .is_whole = is_braced, .value = word};
	return bytes_append(&o->fields.numbers, &field, sizeof field);
}

enum status args_map_fields(struct options *o)
{
	struct bytes texts = {0};
	struct bytes list = {0};
	bool has_some = false;
	bool has_field = false;
	if (o->scan.map == NULL || o->fields.numbers.size > 0)
		return STATUS_OK;
	enum status status = args_map_cut(o->scan.map, &texts, &list);
	const struct text_part *names = (const struct text_part *)(const void *)list.data;
	const size_t count = list.size / sizeof *names;
	for (size_t i = 0; i < count; i++) {
		const enum map_word word = args_map_word(&names[i], NULL);
		has_some = has_some || word != MAP_WORD_CONSTANT;
		has_field = has_field || word == MAP_WORD_FIELD;
	}
	o->fields.are_of_map = status == STATUS_OK && (has_field || (has_some && o->fields.columns == 0 && are_cut(o)));
	for (size_t i = 0; i < count && o->fields.are_of_map && status == STATUS_OK; i++) {
		if (args_map_word(&names[i], NULL) != MAP_WORD_CONSTANT)
			status = add_field(o, &names[i]);
	}
	bytes_free(&texts);
	bytes_free(&list);
	return status;
}
