/* The names that JSON, logfmt and pictures show, and the numbers by which fields are found. Headers are written by
 * text/header.c. */
#include "cli/find_table.h"
#include "cli/plan_steps.h"

#include <inttypes.h>
#include <string.h>

#include "text/json.h"

enum status plan_name_members(struct plan *plan)
{
	struct text_rules *rules = &plan->format.text;
	uint64_t *numbers = (uint64_t *)(void *)plan->memory.numbers.data;
	/* When only lines are counted, the first field has no name. */
	const size_t first = rules->records.are_lines ? 1 : 0;
	const size_t count = rules->total_count - first;
	const char **names = memory_new((count + 1) * sizeof *names);
	bool *are_whole = memory_new(count + 1);
	for (size_t i = 0; i < count && names != NULL && are_whole != NULL; i++) {
		names[i] = rules->fields[first + i].name;
		are_whole[i] = rules->fields[first + i].is_whole;
	}
	const enum member_names kind = rules->cut == CUT_JSON ? NAMES_PATHS : NAMES_WHOLE;
	enum status status = STATUS_SYSTEM;
	if (names != NULL && are_whole != NULL)
		status = members_make(&plan->memory.members, kind, names, are_whole, count, numbers + first);
	rules->members = &plan->memory.members;
	memory_free(are_whole);
	memory_free(names);
	return status;
}

enum status plan_name_result(const struct plan *plan, size_t i, const char **as, struct bytes *out)
{
	const struct text_rules *rules = &plan->format.text;
	const struct result_name *name = &plan->memory.names[i % rules->result_count];
	const size_t field = i / rules->result_count * rules->inputs;
	const struct field_choice *choice = rules->field_count > 0 ? &rules->fields[field] : NULL;
	const bool has_name = choice != NULL && choice->name != NULL;
	if (*as != NULL) {
		/* A name alone may have commas in it. */
		const char *given = *as;
		const size_t size = plan->result_count == 1 ? strlen(given) : strcspn(given, ",");
		*as += size + (given[size] == ',');
		return bytes_format(out, "%.*s", (int)size, given);
	}
	if (name->is_whole || (!has_name && plan->field_count == 1))
		return bytes_format(out, "%s", name->text);
	if (has_name)
		return bytes_format(out, "%s_%s", choice->name, name->text);
	return bytes_format(out, "%" PRIu64 "_%s", choice != NULL ? choice->number : field + 1, name->text);
}

/* Appends what a key or reset field is called: its name, with the unit of a time. */
static enum status name_key(const struct field_choice *key, struct bytes *out)
{
	const bool has_unit = key->unit != UNIT_NONE;
	return bytes_format(out, "%s%s%s", key->name, has_unit ? "_" : "",
			    has_unit ? calendar_unit_name(key->unit) : "");
}

/* Appends the label of a name. */
static enum status add_label(struct plan *plan, const struct bytes *name)
{
	const bool is_json = plan->format.text.cut == CUT_JSON;
	struct bytes *text = &plan->memory.label_text;
	TRY(bytes_append(text, is_json ? "," : " ", 1));
	TRY(is_json ? json_append_string(text, (const char *)name->data, name->size)
		    : bytes_append(text, name->data, name->size));
	return bytes_append(text, is_json ? ":" : "=", 1);
}

enum status plan_make_labels(struct plan *plan)
{
	const struct text_rules *rules = &plan->format.text;
	const size_t keys = rules->key_count + rules->reset_count;
	const size_t count = plan->result_count + keys;
	const char *as = rules->output.as;
	struct bytes *text = &plan->memory.label_text;
	struct bytes name = {0};
	enum status status = STATUS_OK;
	if (plan->format.output == FORMAT_BINARY || rules->output.lines == LINES_REPLACED ||
	    (rules->cut == CUT_LOGFMT && rules->output.lines == LINES_DROPPED))
		return STATUS_OK;
	plan->memory.labels = memory_new(count * sizeof *plan->memory.labels);
	if (plan->memory.labels == NULL)
		return STATUS_SYSTEM;
	for (size_t i = 0; i < count && status == STATUS_OK; i++) {
		const size_t begin = text->size;
		name.size = 0;
		status = i < plan->result_count
				 ? plan_name_result(plan, i, &as, &name)
				 : name_key(&rules->fields[rules->field_count + i - plan->result_count], &name);
		if (status == STATUS_OK)
			status = add_label(plan, &name);
		const size_t size = text->size - begin;
		plan->memory.labels[i].size = size;
		plan->format.label_max = size > plan->format.label_max ? size : plan->format.label_max;
	}
	bytes_free(&name);
	/* (Before the text was whole it may have moved.) */
	const char *at = (const char *)text->data;
	for (size_t i = 0; i < count; i++) {
		plan->memory.labels[i].text = at;
		at += plan->memory.labels[i].size;
	}
	plan->format.labels = plan->memory.labels;
	return status;
}

/* Returns the number of fields of the first line, or 0 if the block does not have all of it. */
static uint64_t count_first_fields(const struct text_rules *rules, const struct plan_input *input)
{
	const struct first_lines l = find_lines(rules, input);
	return l.is_whole ? line_count_fields(rules, &l.first) : 0;
}

enum status plan_number_fields(struct plan *plan, const struct plan_input *input)
{
	struct text_rules *rules = &plan->format.text;
	/* (The header shows how many fields a record has if a number without quotes may look like two of them.) */
	bool has_names = rules->header_lines > 0 && text_delimiter_is_mark(rules);
	if (rules->header_lines == 0 && rules->field_count > 0 && text_delimiter_is_mark(rules))
		rules->checks.first_fields = count_first_fields(rules, input);
	rules->checks.units = rules->cut == CUT_BLANKS && (rules->tokens.notation.accept & ACCEPT_SIZE) != 0;
	for (size_t i = 0; i < rules->total_count; i++) {
		has_names = has_names || rules->fields[i].name != NULL;
		rules->counts_from_end = rules->counts_from_end || rules->fields[i].number >= FIELD_FROM_END;
		TRY(bytes_append(&plan->memory.numbers, &rules->fields[i].number, sizeof rules->fields[i].number));
	}
	if (text_names_fields(rules))
		TRY(plan_name_members(plan));
	has_names = has_names && !text_names_fields(rules);
	rules->numbers = has_names ? NULL : (const uint64_t *)(const void *)plan->memory.numbers.data;
	return STATUS_OK;
}
