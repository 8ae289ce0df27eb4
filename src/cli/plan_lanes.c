/* What the records' numbers are, and the lanes that scan them: fields by number, range or name, each under every
 * operator. */
#include "cli/plan_steps.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/message.h"
#include "cli/args_parts.h"
#include "cli/find_table.h"
#include "io/input.h"
#include "scan/program.h"
#include "text/place.h"

static enum status add_field(struct bytes *fields, uint64_t number, const char *name)
{
	const struct field_choice choice = {.number = number, .name = name};
	return bytes_append(fields, &choice, sizeof choice);
}

static size_t count_fields(const struct bytes *fields)
{
	return fields->size / sizeof(struct field_choice);
}

/* What the fields of an option's list are chosen by. */
struct chooser {
	struct plan *plan;
	const struct options *o;
	const struct plan_input *input;
	struct first_lines lines; /* Those of text. */
	size_t list; /* Its number in o->fields.lists. */
	const char *option;
};

static bool has_name(const struct chooser *c, const char *name)
{
	return find_named(&c->plan->format.text, &c->lines, name) > 0;
}

/* Whether a number beyond the last field is the name of one in the header. */
static bool is_number_name(const struct chooser *c, const struct field_item *item)
{
	const struct text_rules *rules = &c->plan->format.text;
	if (c->plan->format.input != FORMAT_TEXT || rules->header_lines == 0 || item->digits == NULL ||
	    c->o->fields.columns > 0)
		return false;
	return has_name(c, item->digits) && item->first > line_count_fields(rules, &c->lines.first) &&
	       (c->lines.record.start == NULL || item->first > line_count_fields(rules, &c->lines.record));
}

/* Finds the last field of a range that is open to the right. If there is no line, it is the range's first field.
 * STATUS_USAGE after a message: it is not known. */
static enum status find_range_end(const struct chooser *c, const struct field_item *item, uint64_t *last)
{
	struct plan_found *found = &c->plan->found;
	const bool has_columns = c->o->fields.columns > 0;
	const bool is_cut = c->input->whole >= INPUT_BLOCK_SIZE;
	uint64_t field_count = 0;
	uint64_t name_count = 0;
	*last = c->o->fields.columns;
	if (!has_columns)
		TRY(find_last_field(&c->plan->format.text, &c->lines, last, &field_count, &name_count));
	const char *quoted = message_quoted(item->value);
	if (*last == 0 && name_count > 0)
		return message_refuse("%s %s: the first record has %" PRIu64 " field%s, the header %" PRIu64
				      " name%s: give the number of the last field as well",
				      c->option, quoted, field_count, field_count == 1 ? "" : "s", name_count,
				      name_count == 1 ? "" : "s");
	if (!has_columns) {
		if (*last > 0 || is_cut)
			found->line_fields = *last;
		found->lacks_line = found->lacks_line || (found->line_fields == 0 && !is_cut);
		*last = found->lacks_line ? item->first : found->line_fields;
	}
	if (*last >= item->first)
		return STATUS_OK;
	return message_refuse("%s %s: the first line %s", c->option, quoted,
			      *last == 0 ? "is longer than 4096 bytes: give the number of the last field as well"
					 : "has no such field");
}

/* Appends the fields of an item. */
static enum status add_item(const struct chooser *c, const struct field_item *item, struct bytes *fields)
{
	const uint64_t columns = c->o->fields.columns;
	uint64_t last = item->last;
	if (item->name != NULL && item->first == 0) {
		const struct field_choice choice = {.name = item->name, .is_whole = item->is_whole};
		return bytes_append(fields, &choice, sizeof choice);
	}
	if (is_number_name(c, item))
		return add_field(fields, 0, item->digits);
	if (item->place != NULL)
		TRY(plan_check_place(c->plan, &c->lines, c->option, item->place, item));
	if (item->from_end > 0)
		return add_field(fields,
				 columns >= item->from_end ? columns + 1 - item->from_end
							   : FIELD_FROM_END + item->from_end,
				 NULL);
	if (last == UINT64_MAX)
		TRY(find_range_end(c, item, &last));
	if (last - item->first >= PLAN_LANES_MAX)
		return message_refuse("%s: more than %d fields", c->option, PLAN_LANES_MAX);
	for (uint64_t number = item->first; number <= last; number++)
		TRY(add_field(fields, number, NULL));
	if (item->name != NULL)
		((struct field_choice *)(void *)(fields->data + fields->size) - 1)->word = item->name;
	return STATUS_OK;
}

static size_t count_units(const struct bytes *fields)
{
	const struct field_choice *f = (const struct field_choice *)(const void *)fields->data;
	size_t count = 0;
	for (size_t i = 0; i < count_fields(fields); i++)
		count += f[i].unit != UNIT_NONE;
	return count;
}

/* Appends the field of an item with a unit of time. A time of day is put among plan->memory.clocks. If the whole item,
 * or the item of two fields, is the name of one field, the unit is not one, or counts of that field. */
static enum status add_timed(const struct chooser *c, const struct field_item *item, struct bytes *fields)
{
	struct bytes *clocks = &c->plan->memory.clocks;
	const bool is_name = has_name(c, item->word);
	const bool is_one = !is_name && item->pair != NULL && has_name(c, item->pair);
	if (item->is_clock && (is_name || is_one))
		return STATUS_OK;
	if (is_name)
		return add_field(fields, 0, item->word);
	TRY(is_one ? add_field(fields, 0, item->pair) : add_item(c, item, item->is_clock ? clocks : fields));
	if (c->plan->format.input != FORMAT_TEXT)
		return message_refuse("%s %s: units of time of binary columns" ARGS_LATER, c->option, item->word);
	struct field_choice *date = (struct field_choice *)(void *)(fields->data + fields->size) - 1;
	date->unit = item->unit;
	if (item->is_clock)
		date->clock = count_fields(clocks);
	else
		date->place = PLACE_OF_UNITS - 1 + count_units(fields);
	return date->place < PLACES_MAX
		       ? STATUS_OK
		       : message_refuse("more than %d fields with a unit of time", PLACES_MAX - PLACE_OF_UNITS);
}

/* Appends the fields of the list's items, one by one. */
static enum status list_fields(const struct chooser *c, struct bytes *fields)
{
	const struct bytes *list = &c->o->fields.lists[c->list];
	const struct field_item *items = (const struct field_item *)(const void *)list->data;
	const bool has_header = c->plan->format.input == FORMAT_TEXT && c->plan->format.text.header_lines > 0;
	const char *whole = NULL; /* the value that was the name of a field */
	for (size_t i = 0; i < list->size / sizeof *items; i++) {
		const struct field_item *item = &items[i];
		if (item->value == whole)
			continue;
		const bool are_places = strspn(item->value, "0123456789-,") == strlen(item->value);
		if (are_places && strchr(item->value, ',') != NULL)
			TRY(plan_check_place(c->plan, &c->lines, c->option, item->value, NULL));
		if (has_header && !are_places && has_name(c, item->value)) {
			whole = item->value;
			TRY(add_field(fields, 0, whole));
			continue;
		}
		TRY((item->unit != UNIT_NONE ? add_timed : add_item)(c, item, fields));
	}
	return STATUS_OK;
}

/* -c's columns, of which an option may choose some: those from the first field on. */
static enum status check_columns(const struct chooser *c, size_t first)
{
	const struct bytes *fields = &c->plan->memory.fields;
	const struct field_choice *f = (const struct field_choice *)(const void *)fields->data;
	const uint64_t columns = c->o->fields.columns;
	for (size_t i = first; i < count_fields(fields) && columns > 0; i++) {
		if (f[i].name != NULL && c->plan->format.input == FORMAT_BINARY)
			return message_refuse("%s %s: columns of binary records have no names", c->option,
					      message_quoted(f[i].name));
		if (f[i].name == NULL && f[i].number > columns)
			return message_refuse("%s: there are %" PRIu64 " columns (see -c)", c->option, columns);
	}
	return STATUS_OK;
}

/* Chooses the fields of a list. Without -f the numbers are columns. */
static enum status choose_list(struct plan *plan, const struct options *o, const struct plan_input *input, size_t list)
{
	const struct chooser c = {.plan = plan,
				  .o = o,
				  .input = input,
				  .lines = find_lines(&plan->format.text, input),
				  .list = list,
				  .option = field_options[list]};
	struct bytes *fields = &plan->memory.fields;
	const size_t first = count_fields(fields);
	const uint64_t all = o->text.records.are_lines ? 1 : o->fields.columns;
	TRY(list_fields(&c, fields));
	TRY(check_columns(&c, first));
	for (uint64_t i = 1; list == 0 && i <= all && o->fields.numbers.size == 0; i++)
		TRY(add_field(fields, i, NULL));
	return list == 0 ? plan_choose_map(plan, o, input) : STATUS_OK;
}

/* Puts the times of day after the fields that were chosen so far. */
static enum status add_clocks(struct plan *plan)
{
	struct bytes *fields = &plan->memory.fields;
	struct field_choice *f = (struct field_choice *)(void *)fields->data;
	const size_t count = count_fields(fields);
	for (size_t i = 0; i < count; i++)
		f[i].clock += f[i].clock > 0 ? count - 1 : 0;
	return bytes_append(fields, plan->memory.clocks.data, plan->memory.clocks.size);
}

enum status plan_choose_fields(struct plan *plan, const struct options *o, const struct plan_input *input)
{
	struct text_rules *rules = &plan->format.text;
	struct bytes *fields = &plan->memory.fields;
	size_t counts[FIELD_LISTS] = {0};
	rules->checks.columns =
		o->fields.numbers.size == 0 ? o->fields.columns : 0; /* with -f others are left out on purpose */
	plan->found.line_fields = input->line_fields;
	for (size_t list = 0; list < FIELD_LISTS; list++) {
		/* (Of binary records the index goes along a picture.) */
		if (&o->fields.lists[list] == &o->fields.along && plan->format.input != FORMAT_TEXT)
			break;
		const size_t before = count_fields(fields);
		TRY(choose_list(plan, o, input, list));
		counts[list] = count_fields(fields) - before;
	}
	rules->field_count = counts[0];
	rules->key_count = counts[1];
	rules->reset_count = counts[2];
	rules->gap.count = counts[3];
	rules->span.count = counts[4];
	/* (Dates without a time of day are as good.) */
	rules->along = (struct place_rule){.given = counts[5] > 0,
					   .least = (int128)1 << 100,
					   .count = counts[5],
					   .is_time = true,
					   .text = "",
					   .option = "--plot-time"};
	struct place_rule *const places[] = {&rules->gap, &rules->span, &rules->along};
	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
		places[i]->marks = notation_marks(&rules->tokens.notation);
		places[i]->is_plain = !places[i]->marks.given;
	}
	TRY(add_clocks(plan));
	const size_t count = count_fields(fields);
	rules->total_count = count;
	if (rules->key_count > 0 && rules->output.lines == LINES_DROPPED && plan->format.output == FORMAT_TEXT)
		rules->output.shown_keys = rules->key_count + (o->scan.total ? rules->reset_count : 0);
	plan->resets.every = o->resets.every;
	plan->resets.at = o->resets.at;
	plan->resets.at_nan = o->resets.at != NULL && strcasecmp(o->resets.at, "nan") == 0;
	plan->resets.after_missing = o->resets.at != NULL && strcmp(o->resets.at, "missing") == 0;
	plan->lacking.min_count = o->scan.min_count;
	plan->lacking.fill_limit = o->scan.fill_limit;
	plan->is_segmented = rules->key_count + rules->reset_count > 0 || rules->gap.given || o->resets.every > 0 ||
			     o->resets.at != NULL || o->scan.has_windows || o->scan.has_texts;
	rules->fields = (const struct field_choice *)(const void *)fields->data;
	rules->hash_key = &plan->memory.hash_key;
	if (plan->is_segmented)
		TRY(hash_key_new(&plan->memory.hash_key));
	TRY(plan_number_fields(plan, input));
	plan->field_count = rules->field_count > 0 ? rules->field_count : 1;
	return STATUS_OK;
}

/* Reads one seed for all lanes, or one for each. A seed has as many values as an element has numbers, or where that is
 * enough only the last of them. */
static enum status choose_seeds(struct plan *plan, const char *seeds)
{
	const struct scan_operator *op = plan->lanes[0].op;
	size_t count = 1;
	for (const char *comma = seeds; seeds != NULL && (comma = strchr(comma, ',')) != NULL; comma++)
		count++;
	/* One that needs them all speaks for the others. */
	for (size_t i = 0; i < plan->operator_count; i++)
		op = op->seed_may_be_last ? plan->lanes[i].op : op;
	const size_t operands = operator_seed_count(op);
	const bool is_one = count == operands || (count == 1 && op->seed_may_be_last);
	if (seeds == NULL || (is_one && seeds[0] != '\0')) {
		for (size_t i = 0; i < plan->lane_count; i++)
			plan->lanes[i].seed = seeds;
		return STATUS_OK;
	}
	if (seeds[0] == '\0')
		return message_refuse("--seed: the value is missing");
	if (count != plan->lane_count * operands) {
		if (operands == 1)
			return message_refuse("--seed: %zu value%s for %zu result%s: give one for all, or one for each",
					      count, count == 1 ? "" : "s", plan->lane_count,
					      plan->lane_count == 1 ? "" : "s");
		return message_refuse("--seed: %zu values: %s takes %zu for all results, or %zu for each", count,
				      op->name, operands, operands);
	}
	TRY(bytes_append(&plan->memory.seeds, seeds, strlen(seeds) + 1));
	char *seed = (char *)plan->memory.seeds.data;
	for (size_t i = 0; i < count; i++) {
		if (i % operands == 0)
			plan->lanes[i / operands].seed = seed;
		seed += strcspn(seed, ",");
		if (i % operands == operands - 1)
			*seed = '\0';
		seed++;
	}
	return STATUS_OK;
}

/* Operators of several inputs divide the numbers of a record among their elements. */
static enum status choose_inputs(struct plan *plan, const struct operator_choice *ops)
{
	struct text_rules *rules = &plan->format.text;
	bool has_types = false;
	for (size_t i = 0; i < plan->operator_count; i++)
		has_types = has_types || program_has_types(ops[i].op->program);
	rules->inputs = ops[0].op->inputs;
	for (size_t i = 1; i < plan->operator_count; i++) {
		if (ops[i].op->inputs == rules->inputs)
			continue;
		return message_refuse("-op: %s takes %zu number%s of a record, but %s takes %zu", ops[0].op->name,
				      rules->inputs, rules->inputs == 1 ? "" : "s", ops[i].op->name, ops[i].op->inputs);
	}
	if (plan->map.field_count > 0)
		rules->inputs = plan->map.field_count;
	/* Where programs say what they take, records of bytes are that. */
	const bool is_record = plan->format.input == FORMAT_BINARY && has_types;
	if (rules->inputs > 1 && rules->field_count == 0 && !is_record)
		return message_refuse("-op: %s takes %zu numbers of a record (see -f, -c)", ops[0].op->name,
				      rules->inputs);
	if (rules->field_count % rules->inputs != 0)
		return message_refuse(
			"-op: %s needs %zu numbers of a record at a time, but %zu are chosen (see -f, -c)",
			ops[0].op->name, rules->inputs, rules->field_count);
	if (rules->inputs > 1 && rules->output.lines == LINES_REPLACED && plan->map.field_count > 0)
		return message_refuse("--replace: --map makes one number of %zu fields (see -a)", rules->inputs);
	if (rules->inputs > 1 && rules->output.lines == LINES_REPLACED)
		return message_refuse("--replace: %s makes one result of %zu fields (see -a)", ops[0].op->name,
				      rules->inputs);
	if (rules->field_count > 0)
		plan->field_count /= rules->inputs;
	return STATUS_OK;
}

/* What result k of an operator is called: of a program's record of results by the members, which are names enough
 * where a record has one element. (Where lines are counted no field has the numbers.) */
static struct result_name name_result(const struct plan *plan, const struct operator_choice *choice, size_t k)
{
	const char *member = program_result_name(choice->op, k);
	/* (Several fields have no name together.) */
	const bool is_mapped = operator_seed_count(choice->op) != choice->op->inputs;
	const bool is_of_several = (plan->map.field_count > 1 || is_mapped) && plan->field_count == 1;
	if (member == NULL)
		return (struct result_name){.text = choice->name,
					    .is_whole = plan->format.text.records.are_lines || is_of_several};
	return (struct result_name){.text = member, .is_whole = plan->field_count == 1};
}

enum status plan_choose_lanes(struct plan *plan, const struct options *o)
{
	plan->operator_count = o->scan.op_count;
	TRY(choose_inputs(plan, o->scan.ops));
	size_t results = 0; /* of an element */
	for (size_t i = 0; i < plan->operator_count; i++)
		results += operator_result_count(o->scan.ops[i].op);
	assert(results > 0);
	plan->format.text.result_count = results;
	if (plan->field_count > PLAN_LANES_MAX / results)
		return message_refuse("more than %d results of a record", PLAN_LANES_MAX);
	const size_t count = plan->field_count * plan->operator_count;
	plan->lanes = memory_new(count * sizeof *plan->lanes);
	plan->memory.names = memory_new(results * sizeof *plan->memory.names);
	if (plan->lanes == NULL || plan->memory.names == NULL)
		return STATUS_SYSTEM;
	plan->lane_count = count;
	plan->result_count = plan->field_count * results;
	size_t first = 0;
	for (size_t i = 0; i < count; i++) {
		const struct operator_choice *choice = &o->scan.ops[i % plan->operator_count];
		plan->lanes[i] = (struct plan_lane){.field = i / plan->operator_count,
						    .first_result = first,
						    .op = choice->op,
						    .name = choice->name,
						    .factor = choice->factor,
						    .window = choice->lag > 0 ? choice->lag + 1 : o->scan.window,
						    .by_time = choice->lag == 0 && plan->format.text.span.given,
						    .lags = choice->lag > 0};
		for (size_t k = 0; k < operator_result_count(choice->op) && first < results; k++)
			plan->memory.names[first + k] = name_result(plan, choice, k);
		first += operator_result_count(choice->op);
	}
	plan->has_windows = o->scan.has_windows;
	plan->format.names = plan->memory.names;
	if (text_names_fields(&plan->format.text))
		TRY(plan_make_labels(plan));
	return choose_seeds(plan, o->scan.seed);
}

/* Whether the names that a header gets by themselves are fields of it. (CSV quotes names alone.) */
static enum status check_own_names(const struct plan *plan)
{
	const struct text_rules *t = &plan->format.text;
	const char delimiters[] = {text_delimiter(t), '\0'};
	const bool writes_names =
		t->header_lines > 0 && t->output.lines != LINES_REPLACED && plan->format.output == FORMAT_TEXT;
	for (size_t i = 0; i < t->result_count && writes_names; i++) {
		const struct result_name *name = &plan->memory.names[i];
		const bool joins = !name->is_whole && *delimiters == '_';
		if ((strpbrk(name->text, delimiters) == NULL && !joins) || (t->cut == CUT_CSV && name->is_whole))
			continue;
		return message_refuse("-d: %s would not be one field of the header (see --as)",
				      plan->result_count == 1 ? "the result's name" : "a result's name");
	}
	return STATUS_OK;
}

enum status plan_check_names(const struct plan *plan)
{
	const char *as = plan->format.text.output.as;
	size_t count = 1;
	for (const char *comma = as; as != NULL && (comma = strchr(comma, ',')) != NULL; comma++)
		count++;
	const struct text_rules *t = &plan->format.text;
	const bool by_blanks = text_by_blanks(t);
	const char delimiter = by_blanks ? '\t' : t->delimiter;
	/* In a list the commas do not belong to the names. */
	const bool is_between = delimiter == ',' && plan->result_count > 1;
	const bool is_logfmt = t->cut == CUT_LOGFMT;
	const char several[] = {'\n',
				'\r',
				is_between ? '\n' : delimiter,
				by_blanks ? ' ' : '\n',
				is_logfmt ? '=' : '\n',
				is_logfmt ? '"' : '\n',
				'\0'};
	if (as != NULL && t->cut != CUT_CSV && strpbrk(as, several) != NULL) {
		return args_usage("--as: %s would not be one field", plan->result_count == 1 ? "the name" : "a name");
	}
	if (as == NULL)
		return check_own_names(plan);
	if (plan->result_count == 1 || count == plan->result_count)
		return STATUS_OK;
	return message_refuse("--as: %zu names for %zu results", count, plan->result_count);
}

/* Of two fields, one of which is counted from the end. */
static enum status refuse_both_ends(const struct field_choice *other, const struct field_choice *from_end)
{
	char number[24];
	(void)snprintf(number, sizeof number, "%" PRIu64, other->number);
	return message_refuse(
		"--replace: %s and -%" PRIu64 " may be one field: count all fields from the end, or none (see -f)",
		other->name != NULL ? message_quoted(other->name) : number, from_end->number - FIELD_FROM_END);
}

enum status plan_check_replaced(const struct plan *plan)
{
	const struct text_rules *rules = &plan->format.text;
	const struct field_choice *from_end = NULL;
	const struct field_choice *other = NULL;
	for (size_t i = 0; i < rules->field_count && rules->output.lines == LINES_REPLACED; i++)
		*(rules->fields[i].number >= FIELD_FROM_END ? &from_end : &other) = &rules->fields[i];
	if (from_end != NULL && other != NULL)
		return refuse_both_ends(other, from_end);
	for (size_t i = 0; i < rules->field_count && rules->output.lines == LINES_REPLACED; i++) {
		for (size_t k = 0; k < i; k++) {
			const struct field_choice *a = &rules->fields[i];
			const struct field_choice *b = &rules->fields[k];
			const bool is_named = a->name != NULL && b->name != NULL;
			if (rules->members != NULL ? rules->numbers[i] != rules->numbers[k]
			    : is_named             ? strcmp(a->name, b->name) != 0
						   : a->name != b->name || a->number != b->number)
				continue;
			return message_refuse("--replace: a field is chosen twice (see -f)");
		}
	}
	return STATUS_OK;
}
