/* Where the host evaluates --map and where a device does, and what its names mean. */
#include "cli/plan_steps.h"

#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "cli/args_parts.h"
#include "cli/find_table.h"
#include "language/expression.h"
#include "scan/program.h"
#include "text/header.h"
#include "text/hint.h"

/* What is known of --map while its fields are chosen. */
struct choice {
	struct plan *plan;
	const struct options *o;
	const struct scan_operator *op;
	struct bytes *fields; /* struct field_choice: the fields of numbers */
	bool for_device; /* a device evaluates it */
};

static const struct text_part *map_texts(const struct plan_map *map)
{
	return (const struct text_part *)(const void *)map->texts.data;
}

static size_t name_count(const struct plan_map *map)
{
	return map->names.size / sizeof(struct text_part);
}

static const struct text_part *map_names(const struct plan_map *map)
{
	return (const struct text_part *)(const void *)map->names.data;
}

/* Refuses a name of --map. */
static enum status bad_name(const struct plan_map *map, const struct text_part *name, const char *why)
{
	const struct text_part *text = map_texts(map);
	while (name->text >= text->text + text->size)
		text++;
	return bad_expression("--map", text->text, text->size, (size_t)(name->text - text->text), name->size, why);
}

static enum status unknown_name(const struct plan_map *map, const struct text_part *name)
{
	char why[MESSAGE_QUOTED_SIZE + 160];
	(void)snprintf(why, sizeof why,
		       "%s is not known: -f chooses the fields x, or x0, x1, ...; without -f they are called by their "
		       "names",
		       message_quoted_part(name->text, name->size));
	return bad_name(map, name, why);
}

static enum status bad_part(const struct text_part *text, const struct expression_error *error)
{
	return bad_expression("--map", text->text, text->size, error->place, error->size, error->why);
}

/* Cuts --map into its expressions, one for each number of an element, and lists their names. */
static enum status cut_map(struct choice *c)
{
	struct plan_map *map = &c->plan->map;
	const enum status status = args_map_cut(c->o->scan.map, &map->texts, &map->names);
	map->value_count = map->texts.size / sizeof(struct text_part);
	if (status != STATUS_OK || map->value_count == c->op->inputs)
		return status;
	return message_refuse("--map: %zu expression%s for the %zu input%s of %s", map->value_count,
			      map->value_count == 1 ? "" : "s", c->op->inputs, c->op->inputs == 1 ? "" : "s",
			      c->op->name);
}

/* Whether --emit uses the element, which only a program has that maps it itself. */
static bool emits_element(const char *emit)
{
	bool emits = text_has_word(emit, "x");
	for (char name[] = "x0"; name[1] <= '9' && !emits; name[1]++)
		emits = text_has_word(emit, name);
	return emits;
}

/* --- Fields that are called by their names */

/* Refuses x, or x0, where -f is not given and no field is called so. */
static enum status bad_field_of_f(const struct plan_map *map, const struct text_part *name)
{
	for (size_t i = 0; i < name_count(map); i++) {
		if (args_map_word(&map_names(map)[i], NULL) == MAP_WORD_FIELD)
			return bad_name(map, &map_names(map)[i],
					"no field can be called by its name beside a field of -f");
	}
	return bad_name(map, name, "this is a field of -f, which is not given");
}

/* Checks a name with the header, as far as the block has it. */
static enum status check_name(const struct choice *c, const struct line *header, const struct text_part *name,
			      const char *field)
{
	const struct text_rules *rules = &c->plan->format.text;
	const struct plan_map *map = &c->plan->map;
	char why[640] = "no field is called ";
	if (header_has(rules, header, field))
		return STATUS_OK;
	const enum map_word word = args_map_word(name, NULL);
	if (word == MAP_WORD_ONLY || word == MAP_WORD_NUMBERED)
		return bad_field_of_f(map, name);
	hint_of_name(rules, header, field, why + strlen(why), sizeof why - strlen(why));
	return bad_name(map, name, why);
}

/* Takes i, which is no field of the header, from the names and the fields: it is the element's index, which a program
 * knows. Returns whether it was there. */
static bool remove_index(struct choice *c, const struct line *header)
{
	struct plan_map *map = &c->plan->map;
	struct text_part *names = (struct text_part *)(void *)map->names.data;
	struct field_choice *fields = (struct field_choice *)(void *)c->fields->data;
	const size_t count = name_count(map);
	size_t left = 0;
	for (size_t i = 0; i < count; i++) {
		if (args_map_word(&names[i], NULL) == MAP_WORD_INDEX &&
		    !header_has(&c->plan->format.text, header, fields[i].name))
			continue;
		names[left] = names[i];
		fields[left++] = fields[i];
	}
	map->names.size = left * sizeof *names;
	c->fields->size = left * sizeof *fields;
	return left < count;
}

/* All names are those of fields: these are the fields of an element. */
static enum status choose_named(struct choice *c, const struct plan_input *input)
{
	const struct text_rules *rules = &c->plan->format.text;
	struct plan_map *map = &c->plan->map;
	struct bytes used = {0};
	const struct first_lines lines = find_lines(rules, input);
	enum status status = STATUS_OK;
	for (size_t i = 0; i < name_count(map) && status == STATUS_OK; i++) {
		if (args_map_word(&map_names(map)[i], NULL) != MAP_WORD_CONSTANT)
			status = bytes_append(&used, &map_names(map)[i], sizeof(struct text_part));
	}
	bytes_free(&map->names);
	map->names = used;
	const bool has_header = rules->header_lines > 0 && !text_names_fields(rules) && lines.is_whole;
	const struct text_part *text = map_texts(map);
	if (status == STATUS_OK && has_header)
		c->for_device = remove_index(c, &lines.first);
	if (status == STATUS_OK && c->for_device && name_count(map) == 0)
		return bad_expression("--map", text->text, text->size, 0, text->size,
				      "no field is in it: -f chooses the numbers");
	map->field_count = name_count(map);
	const struct field_choice *fields = (const struct field_choice *)(const void *)c->fields->data;
	for (size_t i = 0; i < map->field_count && has_header && status == STATUS_OK; i++)
		status = check_name(c, &lines.first, &map_names(map)[i], fields[i].name);
	if (status == STATUS_OK && emits_element(c->o->scan.emit))
		return message_refuse("--emit: x, where --map calls fields by their names" ARGS_LATER);
	return status;
}

/* --- Fields of -f */

/* Sets the names of an element's fields: of number 0, 1, ... of them. Those that `used` leaves out are removed from the
 * fields, whose numbers are those of one element then. */
static enum status use_fields(struct choice *c, const bool *used, size_t count)
{
	struct plan_map *map = &c->plan->map;
	struct field_choice *fields = (struct field_choice *)(void *)c->fields->data;
	const size_t field_count = c->fields->size / sizeof *fields;
	struct bytes names = {0};
	enum status status = STATUS_OK;
	for (size_t i = 0; i < count && status == STATUS_OK; i++) {
		struct text_part name = {.text = "", .size = 0};
		for (size_t k = 0; k < name_count(map); k++) {
			size_t number;
			const enum map_word word = args_map_word(&map_names(map)[k], &number);
			if ((word == MAP_WORD_NUMBERED && number == i) || (word == MAP_WORD_ONLY && i == 0))
				name = map_names(map)[k];
		}
		if (!used[i])
			continue;
		if (count == field_count)
			fields[names.size / sizeof name] = fields[i];
		status = bytes_append(&names, &name, sizeof name);
	}
	bytes_free(&map->names);
	map->names = names;
	map->field_count = name_count(map);
	if (count == field_count)
		c->fields->size = map->field_count * sizeof *fields;
	return status;
}

/* The names are x, or x0, x1, ..., and perhaps i. */
static enum status choose_numbered(struct choice *c)
{
	struct plan_map *map = &c->plan->map;
	const size_t fields = c->fields->size / sizeof(struct field_choice);
	const size_t count = fields > 0 ? fields : 1;
	size_t end = 0; /* the greatest number, plus 1 */
	bool has_only = false;
	const bool is_of_device = c->for_device;
	const struct text_part *last = NULL;
	for (size_t i = 0; i < name_count(map); i++) {
		const struct text_part *name = &map_names(map)[i];
		size_t number;
		const enum map_word word = args_map_word(name, &number);
		c->for_device = c->for_device || word == MAP_WORD_INDEX || word == MAP_WORD_CONSTANT;
		has_only = has_only || word == MAP_WORD_ONLY;
		if (word == MAP_WORD_FIELD && !(is_of_device && expression_is_other_type(name)))
			return unknown_name(map, name);
		if (word == MAP_WORD_NUMBERED && number >= end) {
			end = number + 1;
			last = name;
		}
	}
	if (c->for_device || emits_element(c->o->scan.emit)) {
		c->for_device = true;
		return STATUS_OK;
	}
	if (has_only && end > 0)
		return bad_name(map, last,
				"x is the only field of -f, and x0, x1, ... are its fields: one or the other");
	const bool is_pairwise = c->op->inputs > 1 && end <= c->op->inputs;
	if (has_only && c->op->inputs > 1)
		return message_refuse("--map: %s takes %zu numbers: x0, x1, ...", c->op->name, c->op->inputs);
	if (end > count && !is_pairwise)
		return bad_name(map, last,
				count == 1 ? "there is one field (see -f)" : "there are fewer fields (see -f)");
	const size_t of_element = is_pairwise ? c->op->inputs : end > 0 ? count : 1;
	bool *used = memory_new(of_element);
	if (used == NULL)
		return STATUS_SYSTEM;
	memset(used, is_pairwise || end == 0, of_element);
	for (size_t i = 0; i < name_count(map); i++) {
		size_t number;
		if (args_map_word(&map_names(map)[i], &number) == MAP_WORD_NUMBERED)
			used[number] = true;
	}
	const enum status status = use_fields(c, used, of_element);
	memory_free(used);
	return status;
}

/* --- Types */

/* Compiles an expression whose names have the types `types` (one for each name), or all that of the terms (NULL). */
static enum status compile(const struct plan_map *map, size_t value, const struct type *const *types,
			   struct expression_terms terms, struct expression **e, struct expression_error *error)
{
	const struct text_part *text = &map_texts(map)[value];
	const size_t count = name_count(map);
	struct expression_name *names = memory_new((count + 1) * sizeof *names);
	*e = NULL;
	*error = (struct expression_error){0};
	if (names == NULL)
		return STATUS_SYSTEM;
	for (size_t i = 0; i < count; i++)
		names[i] = (struct expression_name){.name = map_names(map)[i],
						    .type = types != NULL ? types[i] : terms.type};
	terms.names = names;
	terms.name_count = count;
	const enum status status = expression_new(text->text, text->size, &terms, e, error);
	memory_free(names);
	return status;
}

/* Compiles all expressions, of numbers of one type, only to see whether they can be. */
static enum status try_type(const struct plan_map *map, const struct type *type, const struct text_part **text,
			    struct expression_error *error)
{
	enum status status = STATUS_OK;
	for (size_t i = 0; i < map->value_count && status == STATUS_OK; i++) {
		struct expression *e;
		*text = &map_texts(map)[i];
		status = compile(map, i, NULL, (struct expression_terms){.type = type, .is_num = map->is_num}, &e,
				 error);
		memory_free(e);
	}
	return status;
}

/* Whether the expressions are such that the host can evaluate them. Whatever is wrong with 64-bit integers is wrong
 * with all types; of num all is well that is exact. */
static enum status check_expressions(struct choice *c)
{
	struct plan_map *map = &c->plan->map;
	const struct text_part *text = NULL;
	struct expression_error error = {.is_not_exact = true};
	enum status status = STATUS_USAGE;
	map->is_num = plan_is_num(c->plan, c->o) && !c->o->scan.has_types;
	if (map->is_num)
		status = try_type(map, &type_table[TYPE_I128], &text, &error);
	if (status == STATUS_USAGE && error.is_not_exact)
		status = try_type(map, &type_table[map->is_num ? TYPE_F64 : TYPE_I64], &text, &error);
	c->for_device = status == STATUS_USAGE && error.may_be_for_device && !c->o->fields.are_of_map;
	return status != STATUS_USAGE ? status : c->for_device ? STATUS_OK : bad_part(text, &error);
}

/* Decides whether exact decimals give exact decimals. */
static enum status choose_exact(struct choice *c)
{
	struct plan_map *map = &c->plan->map;
	const char *type = c->o->numbers.type;
	const bool is_strict = type != NULL && strcmp(type, "dec") == 0;
	const struct text_part *text = NULL;
	struct expression_error error = {0};
	if (!plan_is_num(c->plan, c->o))
		return STATUS_OK;
	const enum status status = try_type(map, &type_table[TYPE_I128], &text, &error);
	map->is_exact = status == STATUS_OK;
	if (status == STATUS_USAGE && (is_strict || !error.is_not_exact))
		return bad_part(text, &error);
	return status == STATUS_USAGE ? STATUS_OK : status;
}

enum status plan_choose_map(struct plan *plan, const struct options *o, const struct plan_input *input)
{
	struct choice c = {.plan = plan, .o = o, .op = o->scan.ops[0].op, .fields = &plan->memory.fields};
	if (o->scan.map == NULL || plan->format.input != FORMAT_TEXT)
		return STATUS_OK;
	TRY(cut_map(&c));
	TRY(check_expressions(&c));
	TRY(o->fields.are_of_map ? choose_named(&c, input) : choose_numbered(&c));
	if (!c.for_device)
		return choose_exact(&c);
	plan->map.field_count = 0;
	return STATUS_OK;
}

size_t plan_map_inputs(const struct plan *plan, const struct options *o, const struct text_part **names)
{
	*names = NULL;
	if (o->fields.are_of_map) {
		*names = map_names(&plan->map);
		return name_count(&plan->map);
	}
	bool numbers = false;
	for (char name[] = "x0"; name[1] <= '9' && !numbers; name[1]++)
		numbers = text_has_word(o->scan.map, name);
	const size_t count = plan->format.text.field_count;
	return numbers && o->scan.ops[0].op->inputs == 1 && count > 1 ? count : 0;
}

/* Whether a form is that of a lane. */
static bool is_of_lane(const struct map_form *form, const struct plan_lane *lane, bool is_exact)
{
	return form->is_exact == is_exact &&
	       (is_exact || (form->numbers == lane->numbers && form->inputs[0].read == lane->in &&
			     (lane->numbers != NULL || form->values[0]->type == lane->acc)));
}

/* The type of number i of a lane's elements. */
static const struct type *number_type(const struct plan_lane *lane, size_t i)
{
	return lane->numbers != NULL ? lane->numbers->numbers[i].type : lane->acc;
}

/* Chooses the types of the fields. Where numbers have several types, a field has the type of its own number if there
 * are as many, else of the first number whose expression uses it. */
static enum status choose_inputs(const struct plan_map *map, const struct plan_lane *lane, struct map_form *form)
{
	const struct type *wide = &type_table[TYPE_I128];
	for (size_t k = 0; k < map->field_count; k++) {
		const struct type *read = form->is_exact ? wide : lane->in;
		const struct type *in = form->is_exact ? wide : number_type(lane, 0);
		const struct text_part *name = &map_names(map)[k];
		for (size_t i = map->value_count; i-- > 0 && lane->numbers != NULL;) {
			struct bytes used = {0};
			struct expression_error error;
			const enum status status =
				expression_names(map_texts(map)[i].text, map_texts(map)[i].size, &used, &error);
			const struct text_part *names = (const struct text_part *)(const void *)used.data;
			for (size_t n = 0; n < used.size / sizeof *names; n++) {
				if (names[n].size == name->size && memcmp(names[n].text, name->text, name->size) == 0)
					in = number_type(lane, i);
			}
			bytes_free(&used);
			TRY(status);
		}
		if (lane->numbers != NULL && map->field_count == map->value_count)
			in = number_type(lane, k);
		form->inputs[k] =
			(struct map_input){.read = lane->numbers != NULL && !form->is_exact ? in : read, .in = in};
	}
	return STATUS_OK;
}

/* Makes the form of a lane. */
static enum status make_form(struct plan_map *map, const struct plan_lane *lane, bool is_exact, struct map_form *form)
{
	const struct type **types = memory_new((map->field_count + 1) * sizeof *types);
	*form = (struct map_form){.is_exact = is_exact, .numbers = is_exact ? NULL : lane->numbers};
	form->inputs = memory_new(map->field_count * sizeof *form->inputs);
	form->values = memory_new(map->value_count * sizeof(struct expression *));
	enum status status = STATUS_SYSTEM;
	if (form->values != NULL)
		memset(form->values, 0, map->value_count * sizeof(struct expression *));
	if (types != NULL && form->inputs != NULL && form->values != NULL)
		status = choose_inputs(map, lane, form);
	for (size_t k = 0; k < map->field_count && status == STATUS_OK; k++)
		types[k] = form->inputs[k].in;
	for (size_t i = 0; i < map->value_count && status == STATUS_OK; i++) {
		struct expression_error error;
		const struct expression_terms terms = {
			.type = is_exact ? &type_table[TYPE_I128] : number_type(lane, i),
			.is_num = map->is_num && !program_has_types(lane->op->program),
		};
		status = compile(map, i, types, terms, &form->values[i], &error);
		if (status == STATUS_USAGE)
			status = bad_part(&map_texts(map)[i], &error);
	}
	memory_free(types);
	return status;
}

enum status plan_compile_map(struct plan *plan)
{
	struct plan_map *map = &plan->map;
	if (map->field_count == 0)
		return STATUS_OK;
	map->forms = memory_new(plan->operator_count * sizeof *map->forms);
	if (map->forms == NULL)
		return STATUS_SYSTEM;
	for (size_t i = 0; i < plan->lane_count; i++) {
		struct plan_lane *l = &plan->lanes[i];
		if (i >= plan->operator_count) {
			l->form = plan->lanes[i % plan->operator_count].form;
			l->in = plan->lanes[i % plan->operator_count].in;
			continue;
		}
		const bool is_exact = map->is_exact && plan->format.text.exact && !program_has_types(l->op->program);
		while (l->form < map->form_count && !is_of_lane(&map->forms[l->form], l, is_exact))
			l->form++;
		if (l->form == map->form_count) {
			TRY(make_form(map, l, is_exact, &map->forms[map->form_count++]));
		}
		l->in = l->acc;
	}
	return STATUS_OK;
}

void plan_free_map(struct plan_map *map)
{
	for (size_t f = 0; f < map->form_count; f++) {
		for (size_t i = 0; i < map->value_count && map->forms[f].values != NULL; i++)
			memory_free(map->forms[f].values[i]);
		memory_free(map->forms[f].values);
		memory_free(map->forms[f].inputs);
	}
	memory_free(map->forms);
	bytes_free(&map->texts);
	bytes_free(&map->names);
}
