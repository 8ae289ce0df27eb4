#include "cli/plan_names.h"

#include <stdio.h>
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

/* Appends a label: of a name, or of a field's name with a result's. */
static enum status add_label(struct plan *plan, const char *name, size_t size, const char *result)
{
	const bool is_json = plan->format.text.cut == CUT_JSON;
	const size_t more = result != NULL ? 1 + strlen(result) : 0;
	struct bytes *text = &plan->memory.label_text;
	char *whole = memory_new(size + more + 1);
	if (whole == NULL)
		return STATUS_SYSTEM;
	memcpy(whole, name, size);
	(void)snprintf(whole + size, more + 1, "_%s", result != NULL ? result : "");
	enum status status = bytes_append(text, is_json ? "," : " ", 1);
	if (status == STATUS_OK)
		status =
			is_json ? json_append_string(text, whole, size + more) : bytes_append(text, whole, size + more);
	if (status == STATUS_OK)
		status = bytes_append(text, is_json ? ":" : "=", 1);
	memory_free(whole);
	return status;
}

/* The label of a result: what --as calls it, or its field and operator. */
static enum status add_result_label(struct plan *plan, size_t i, const char **as)
{
	const struct text_rules *rules = &plan->format.text;
	const struct result_name *name = &plan->memory.names[i % rules->result_count];
	if (*as != NULL) {
		/* A name alone may have commas in it. */
		const char *given = *as;
		const size_t size = plan->result_count == 1 ? strlen(given) : strcspn(given, ",");
		*as = given[size] == ',' ? given + size + 1 : given + size;
		return add_label(plan, given, size, NULL);
	}
	if (name->is_whole)
		return add_label(plan, name->text, strlen(name->text), NULL);
	const char *field = rules->fields[i / rules->result_count * rules->inputs].name;
	return add_label(plan, field, strlen(field), name->text);
}

/* The label of a key or reset field: its name, with the unit of a time. */
static enum status add_key_label(struct plan *plan, const struct field_choice *key)
{
	const char *unit = key->unit != UNIT_NONE ? calendar_unit_name(key->unit) : NULL;
	return add_label(plan, key->name, strlen(key->name), unit);
}

enum status plan_make_labels(struct plan *plan)
{
	const struct text_rules *rules = &plan->format.text;
	const size_t keys = rules->key_count + rules->reset_count;
	const size_t count = plan->result_count + keys;
	const char *as = rules->output.as;
	struct bytes *text = &plan->memory.label_text;
	enum status status = STATUS_OK;
	if (plan->format.output == FORMAT_BINARY || rules->output.lines == LINES_REPLACED ||
	    (rules->cut == CUT_LOGFMT && rules->output.lines == LINES_DROPPED))
		return STATUS_OK;
	plan->memory.labels = memory_new(count * sizeof *plan->memory.labels);
	if (plan->memory.labels == NULL)
		return STATUS_SYSTEM;
	for (size_t i = 0; i < count && status == STATUS_OK; i++) {
		const size_t begin = text->size;
		status = i < plan->result_count
				 ? add_result_label(plan, i, &as)
				 : add_key_label(plan, &rules->fields[rules->field_count + i - plan->result_count]);
		const size_t size = text->size - begin;
		plan->memory.labels[i].size = size;
		plan->format.label_max = size > plan->format.label_max ? size : plan->format.label_max;
	}
	/* (Before the text was whole it may have moved.) */
	const char *at = (const char *)text->data;
	for (size_t i = 0; i < count; i++) {
		plan->memory.labels[i].text = at;
		at += plan->memory.labels[i].size;
	}
	plan->format.labels = plan->memory.labels;
	return status;
}
