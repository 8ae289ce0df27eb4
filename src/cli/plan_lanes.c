/* What the records' numbers are, and the lanes that scan them: fields by number, range or name, each under every operator. */
#include "cli/plan_lanes.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/message.h"
#include "cli/args.h"
#include "cli/args_fields.h"
#include "cli/plan_names.h"
#include "scan/program.h"
#include "text/record.h"

/* Whether the header in the block has a field of that name; false as well if the block does not hold it whole. */
static bool header_has(const struct text_rules *rules, const unsigned char *block, size_t size, const char *name)
{
	struct header_search search = {0};
	uint64_t number;
	if (size == 0)
		return false;
	const size_t mark = record_byte_order_mark(block, size);
	const char *p = (const char *)block + mark;
	const size_t end = record_header_end(rules, &search, block + mark, size - mark);
	struct line line = {0};
	for (const char *next = p; next < p + end; next = line.next)
		(void)line_take(rules, next, p + end, &line);
	return end > 0 && header_names(rules, &line, name, &number) > 0;
}

/* Bytes of a block, unless the input ends or pauses within it. */
#define BLOCK_SIZE 4096

/* The line that says how many fields there are, the header's last one or the first that is no comment and not blank, as far as the
 * block holds it; *whole: to its end. False: it does not begin there. */
static bool find_first_line(const struct text_rules *rules, const unsigned char *block, size_t size, struct line *line,
			    bool *whole)
{
	if (size == 0)
		return false;
	const char *p = (const char *)block + record_byte_order_mark(block, size);
	const char *end = (const char *)block + size;
	uint64_t left = rules->header_lines;
	for (; p < end; p = line->next) {
		*whole = line_take(rules, p, end, line) && (line->next[-1] == '\n' || size < BLOCK_SIZE);
		if (line_is_comment(rules, p, end) || (rules->header_lines == 0 && line_is_blank(rules, line)))
			continue;
		if (left <= 1)
			return true;
		left--;
	}
	return false;
}

static uint64_t count_fields(const struct text_rules *rules, const struct line *line)
{
	struct field f;
	const char *at = NULL;
	uint64_t count = 0;
	while (line_next_field(rules, line, &at, &f))
		count++;
	return count;
}

/* How many fields the block's first line has, or its header's; 0 if it does not hold that whole. */
static uint64_t fields_of_block(const struct text_rules *rules, const unsigned char *block, size_t size)
{
	struct line line;
	bool whole;
	return find_first_line(rules, block, size, &line, &whole) && whole ? count_fields(rules, &line) : 0;
}

/* The line after the header that has numbers, as far as the block holds both whole. */
static bool find_second_line(const struct text_rules *rules, const unsigned char *block, size_t size,
			     const struct line *header, struct line *line)
{
	const char *end = (const char *)block + size;
	for (const char *p = header->next; p < end; p = line->next) {
		const bool whole = line_take(rules, p, end, line) && (line->next[-1] == '\n' || size < BLOCK_SIZE);
		if (whole && !line_is_comment(rules, p, end) && !line_is_blank(rules, line))
			return true;
	}
	return false;
}

/* Whether the first fields, so many, begin or end where the header's do, as in a table that is printed. */
static bool is_aligned(const struct text_rules *rules, const struct line *header, const struct line *line,
		       uint64_t count)
{
	const char *name_at = NULL;
	const char *at = NULL;
	bool is = true;
	for (uint64_t i = 0; is && i < count; i++) {
		struct field name;
		struct field f;
		(void)line_next_field(rules, header, &name_at, &name);
		(void)line_next_field(rules, line, &at, &f);
		const ptrdiff_t begin = f.start - line->start;
		const ptrdiff_t name_begin = name.start - header->start;
		is = begin == name_begin || begin + (ptrdiff_t)f.size == name_begin + (ptrdiff_t)name.size;
	}
	return is;
}

/* A name of two words shifts those after it: the header has more of them then than the lines have fields. (Fewer are usual, where the
 * last field is a text.) */
static void warn_of_shifted_names(const struct text_rules *rules, const struct options *o, size_t count,
				  const unsigned char *block, size_t size)
{
	char quoted[MESSAGE_QUOTED_SIZE];
	char file[MESSAGE_NAME_SIZE];
	struct line header;
	struct line line = {0};
	bool whole;
	if (rules->cut != CUT_BLANKS || !args_fields_have_names(o) ||
	    !find_first_line(rules, block, size, &header, &whole) || !whole ||
	    !find_second_line(rules, block, size, &header, &line))
		return;
	const uint64_t names = count_fields(rules, &header);
	const uint64_t fields = count_fields(rules, &line);
	for (size_t i = 0; i < count && fields < names; i++) {
		const char *name = rules->fields[i].name;
		uint64_t number;
		if (name == NULL || header_names(rules, &header, name, &number) != 1 || number == 1 ||
		    number > fields || is_aligned(rules, &header, &line, number))
			continue;
		message_warning("%s: %" PRIu64 " names in the header and %" PRIu64
				" fields in the first line: field %" PRIu64
				" may not be %s (see --tsv, --csv, -f NUMBER)",
				strcmp(o->files[0], "-") == 0 ? "standard input" : message_name(file, o->files[0]),
				names, fields, number, message_quote(quoted, name, strlen(name)));
		return;
	}
}

static enum status add_field(struct bytes *fields, uint64_t number, const char *name)
{
	const struct field_choice choice = {.number = number, .name = name};
	return bytes_append(fields, &choice, sizeof choice);
}

/* The fields of a list, which is an option's, one by one. */
static enum status list_fields(const struct plan *plan, const struct options *o, const char *option,
			       const struct bytes *list, const unsigned char *block, size_t size, struct bytes *fields)
{
	const struct field_item *items = (const struct field_item *)(const void *)list->data;
	const size_t item_count = list->size / sizeof *items;
	const bool is_text = plan->format.input == FORMAT_TEXT;
	enum status status = STATUS_OK;
	char quoted[MESSAGE_QUOTED_SIZE];
	const char *whole = NULL; /* the value that was the name of a field */
	for (size_t i = 0; i < item_count && status == STATUS_OK; i++) {
		const struct field_item *item = &items[i];
		uint64_t last = item->last;
		if (item->value == whole)
			continue;
		if (is_text && o->text.header_lines > 0 && strspn(item->value, "0123456789") != strlen(item->value) &&
		    header_has(&plan->format.text, block, size, item->value)) {
			whole = item->value;
			status = add_field(fields, 0, whole);
			continue;
		}
		if (item->name != NULL && item->first == 0) {
			status = add_field(fields, 0, item->name);
			continue;
		}
		if (last == UINT64_MAX && o->columns > 0)
			last = o->columns;
		else if (last == UINT64_MAX)
			last = fields_of_block(&plan->format.text, block, size);
		if (last == 0 && size < BLOCK_SIZE)
			last = item->first; /* there is no line */
		if (last < item->first) {
			message_error("%s %s: the first line has no such field", option,
				      message_quote(quoted, item->value, strlen(item->value)));
			return STATUS_USAGE;
		}
		if (last - item->first >= PLAN_LANES_MAX) {
			message_error("%s: more than %d fields", option, PLAN_LANES_MAX);
			return STATUS_USAGE;
		}
		for (uint64_t number = item->first; number <= last && status == STATUS_OK; number++)
			status = add_field(fields, number, NULL);
	}
	return status;
}

/* -c's columns, of which an option may choose some: those from the first field on. */
static enum status check_columns(const struct plan *plan, const struct options *o, const char *option, size_t first)
{
	const struct bytes *fields = &plan->fields;
	const struct field_choice *f = (const struct field_choice *)(const void *)fields->data;
	char quoted[MESSAGE_QUOTED_SIZE];
	for (size_t i = first; i < fields->size / sizeof *f && o->columns > 0; i++) {
		if (f[i].name != NULL && plan->format.input == FORMAT_BINARY) {
			message_error("%s %s: columns of binary records have no names", option,
				      message_quote(quoted, f[i].name, strlen(f[i].name)));
			return STATUS_USAGE;
		}
		if (f[i].name == NULL && f[i].number > o->columns) {
			message_error("%s: there are %" PRIu64 " columns (see -c)", option, o->columns);
			return STATUS_USAGE;
		}
	}
	return STATUS_OK;
}

/* The fields of an option's list. */
static enum status add_list(struct plan *plan, const struct options *o, const char *option, const struct bytes *list,
			    const unsigned char *block, size_t size)
{
	const size_t first = plan->fields.size / sizeof(struct field_choice);
	const enum status status = list_fields(plan, o, option, list, block, size, &plan->fields);
	return status == STATUS_OK ? check_columns(plan, o, option, first) : status;
}

/* Where fields have names, and nobody said how they are cut, a tab in the header does: an empty one must not shift the others. */
static void choose_tabs(struct text_rules *rules, const struct options *o, const unsigned char *block, size_t size)
{
	struct line header;
	bool whole;
	if (!args_fields_have_names(o) || rules->cut != CUT_BLANKS ||
	    !find_first_line(rules, block, size, &header, &whole) ||
	    memchr(header.start, '\t', (size_t)(header.end - header.start)) == NULL)
		return;
	rules->cut = CUT_DELIMITER;
	rules->delimiter = '\t';
}

/* The numbers of a record. */
enum status plan_choose_fields(struct plan *plan, const struct options *o, const unsigned char *block, size_t size)
{
	struct text_rules *rules = &plan->format.text;
	struct bytes *fields = &plan->fields;
	choose_tabs(rules, o, block, size);
	rules->columns = o->fields.size == 0 ? o->columns : 0; /* with -f others are left out on purpose */
	enum status status = add_list(plan, o, "-f", &o->fields, block, size);
	const uint64_t all = o->text.counts_lines ? 1 : o->columns; /* without -f */
	for (uint64_t i = 1; i <= all && o->fields.size == 0 && status == STATUS_OK; i++)
		status = add_field(fields, i, NULL);
	rules->field_count = fields->size / sizeof *rules->fields;
	if (status == STATUS_OK)
		status = add_list(plan, o, "-g", &o->keys, block, size);
	rules->key_count = fields->size / sizeof *rules->fields - rules->field_count;
	if (status == STATUS_OK)
		status = add_list(plan, o, "--reset-on", &o->reset_on, block, size);
	rules->reset_count = fields->size / sizeof *rules->fields - rules->field_count - rules->key_count;
	if (status == STATUS_OK)
		status = add_list(plan, o, "--reset-gap", &o->gap_field, block, size);
	const size_t count = fields->size / sizeof *rules->fields;
	rules->total_count = count;
	rules->gap_count = count - rules->field_count - rules->key_count - rules->reset_count;
	rules->has_gap = o->gap_field.size > 0;
	rules->gap = o->gap;
	rules->gap_is_time = o->gap_is_time;
	rules->gap_text = o->gap_text;
	plan->reset_every = o->reset_every;
	plan->reset_at = o->reset_at;
	plan->window = o->window;
	plan->is_segmented = rules->key_count + rules->reset_count > 0 || rules->has_gap || o->reset_every > 0 ||
			     o->reset_at != NULL || o->window > 0;
	rules->fields = (const struct field_choice *)(const void *)fields->data;
	rules->hash_key = &plan->hash_key;
	if (status == STATUS_OK)
		warn_of_shifted_names(rules, o, count, block, size);
	if (status == STATUS_OK && plan->is_segmented)
		status = hash_key_new(&plan->hash_key);
	bool has_names = false;
	for (size_t i = 0; i < count && status == STATUS_OK; i++) {
		has_names = has_names || rules->fields[i].name != NULL;
		status = bytes_append(&plan->numbers, &rules->fields[i].number, sizeof rules->fields[i].number);
	}
	if (status == STATUS_OK && text_names_fields(rules))
		status = plan_name_members(plan);
	has_names = has_names && !text_names_fields(rules);
	rules->numbers = has_names ? NULL : (const uint64_t *)(const void *)plan->numbers.data;
	plan->field_count = rules->field_count > 0 ? rules->field_count : 1;
	return status;
}

/* One seed for all lanes, or one for each: so many values as elements have numbers, or where that will do the last of them. */
static enum status choose_seeds(struct plan *plan, const char *seeds)
{
	const struct scan_operator *op = plan->lanes[0].op;
	size_t count = 1;
	for (const char *comma = seeds; seeds != NULL && (comma = strchr(comma, ',')) != NULL; comma++)
		count++;
	/* One that needs them all speaks for the others. */
	for (size_t i = 0; i < plan->operator_count; i++)
		op = op->seed_may_be_last ? plan->lanes[i].op : op;
	const bool is_one = count == op->inputs || (count == 1 && op->seed_may_be_last);
	if (seeds == NULL || (is_one && seeds[0] != '\0')) {
		for (size_t i = 0; i < plan->lane_count; i++)
			plan->lanes[i].seed = seeds;
		return STATUS_OK;
	}
	if (seeds[0] == '\0') {
		message_error("--seed: it is empty");
		return STATUS_USAGE;
	}
	if (count != plan->lane_count * op->inputs) {
		if (op->inputs == 1)
			message_error("--seed: %zu values for %zu results: one for all, or one for each", count,
				      plan->lane_count);
		else
			message_error("--seed: %zu values: %s takes %zu for all results, or %zu for each", count,
				      op->name, op->inputs, op->inputs);
		return STATUS_USAGE;
	}
	if (bytes_append(&plan->seeds, seeds, strlen(seeds) + 1) != STATUS_OK)
		return STATUS_SYSTEM;
	char *seed = (char *)plan->seeds.data;
	for (size_t i = 0; i < count; i++) {
		if (i % op->inputs == 0)
			plan->lanes[i / op->inputs].seed = seed;
		seed += strcspn(seed, ",");
		if (i % op->inputs == op->inputs - 1)
			*seed = '\0';
		seed++;
	}
	return STATUS_OK;
}

/* Operators of several inputs take the numbers of a record so many at a time. */
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
		message_error("-op: %s and %s take %zu and %zu numbers of a record", ops[0].op->name, ops[i].op->name,
			      rules->inputs, ops[i].op->inputs);
		return STATUS_USAGE;
	}
	/* Where programs say what they take, records of bytes are that. */
	const bool is_record = plan->format.input == FORMAT_BINARY && has_types;
	if (rules->inputs > 1 && rules->field_count == 0 && !is_record) {
		message_error("-op: %s takes %zu numbers of a record (see -f, -c)", ops[0].op->name, rules->inputs);
		return STATUS_USAGE;
	}
	if (rules->field_count % rules->inputs != 0) {
		message_error("-op: %s takes numbers of a record %zu at a time, and there are %zu (see -f, -c)",
			      ops[0].op->name, rules->inputs, rules->field_count);
		return STATUS_USAGE;
	}
	if (rules->inputs > 1 && rules->lines == LINES_REPLACED) {
		message_error("--replace: %s makes one result of %zu fields (see -a)", ops[0].op->name, rules->inputs);
		return STATUS_USAGE;
	}
	if (rules->field_count > 0)
		plan->field_count /= rules->inputs;
	return STATUS_OK;
}

/* What result k of an operator is called: of a program's record of results by the members, which are names enough where a
 * record has one element. (Where lines are counted no field has the numbers.) */
static struct result_name name_result(const struct plan *plan, const struct operator_choice *choice, size_t k)
{
	const char *member = program_result_name(choice->op, k);
	if (member == NULL)
		return (struct result_name){.text = choice->name, .is_whole = plan->format.text.counts_lines};
	return (struct result_name){.text = member, .is_whole = plan->field_count == 1};
}

/* Each element of a record under each operator. */
enum status plan_choose_lanes(struct plan *plan, const struct options *o)
{
	const struct operator_choice *ops = (const struct operator_choice *)(const void *)o->operators.data;
	plan->operator_count = o->operators.size / sizeof *ops;
	if (choose_inputs(plan, ops) != STATUS_OK)
		return STATUS_USAGE;
	size_t results = 0; /* of an element */
	for (size_t i = 0; i < plan->operator_count; i++)
		results += operator_result_count(ops[i].op);
	assert(results > 0);
	plan->format.text.result_count = results;
	if (plan->field_count > PLAN_LANES_MAX / results) {
		message_error("more than %d results of a record", PLAN_LANES_MAX);
		return STATUS_USAGE;
	}
	const size_t count = plan->field_count * plan->operator_count;
	plan->lanes = memory_new(count * sizeof *plan->lanes);
	plan->names = memory_new(results * sizeof *plan->names);
	if (plan->lanes == NULL || plan->names == NULL)
		return STATUS_SYSTEM;
	plan->lane_count = count;
	plan->result_count = plan->field_count * results;
	size_t first = 0;
	for (size_t i = 0; i < count; i++) {
		const struct operator_choice *choice = &ops[i % plan->operator_count];
		plan->lanes[i] = (struct plan_lane){.field = i / plan->operator_count,
						    .first_result = first,
						    .op = choice->op,
						    .factor = choice->factor,
						    .exclusive = o->exclusive && !o->include_initial};
		for (size_t k = 0; k < operator_result_count(choice->op) && first < results; k++)
			plan->names[first + k] = name_result(plan, choice, k);
		first += operator_result_count(choice->op);
	}
	plan->format.names = plan->names;
	if (text_names_fields(&plan->format.text) && plan_make_labels(plan) != STATUS_OK)
		return STATUS_SYSTEM;
	return choose_seeds(plan, o->seed);
}

/* Whether the names that a header gets by themselves are fields of it. (CSV quotes names alone.) */
static enum status check_own_names(const struct plan *plan)
{
	const struct text_rules *t = &plan->format.text;
	const char delimiters[] = {text_delimiter(t), '\0'};
	const bool writes_names =
		t->header_lines > 0 && t->lines != LINES_REPLACED && plan->format.output == FORMAT_TEXT;
	for (size_t i = 0; i < t->result_count && writes_names; i++) {
		const struct result_name *name = &plan->names[i];
		const bool joins = !name->is_whole && *delimiters == '_';
		if ((strpbrk(name->text, delimiters) == NULL && !joins) || (t->cut == CUT_CSV && name->is_whole))
			continue;
		message_error("-d: %s would not be one field of the header (see --as)",
			      plan->result_count == 1 ? "the result's name" : "a result's name");
		return STATUS_USAGE;
	}
	return STATUS_OK;
}

/* --as names every result. */
enum status plan_check_names(const struct plan *plan)
{
	const char *as = plan->format.text.as;
	size_t count = 1;
	for (const char *comma = as; as != NULL && (comma = strchr(comma, ',')) != NULL; comma++)
		count++;
	const struct text_rules *t = &plan->format.text;
	const bool by_blanks = text_by_blanks(t);
	const char delimiter = by_blanks ? '\t' : t->delimiter;
	/* Of a list the commas are no part of the names. */
	const bool is_between = delimiter == ',' && plan->result_count > 1;
	const char several[] = {'\n', '\r', is_between ? '\n' : delimiter, by_blanks ? ' ' : '\n', '\0'};
	if (as != NULL && t->cut != CUT_CSV && strpbrk(as, several) != NULL) {
		message_error("--as: %s would not be one field " ARGS_HINT,
			      plan->result_count == 1 ? "the name" : "a name");
		return STATUS_USAGE;
	}
	if (as == NULL)
		return check_own_names(plan);
	if (plan->result_count == 1 || count == plan->result_count)
		return STATUS_OK;
	message_error("--as: %zu names for %zu results", count, plan->result_count);
	return STATUS_USAGE;
}

/* A field that is replaced by two results would be none. */
enum status plan_check_replaced(const struct plan *plan)
{
	const struct text_rules *rules = &plan->format.text;
	for (size_t i = 0; i < rules->field_count && rules->lines == LINES_REPLACED; i++) {
		for (size_t k = 0; k < i; k++) {
			const struct field_choice *a = &rules->fields[i];
			const struct field_choice *b = &rules->fields[k];
			const bool is_same = rules->members != NULL && rules->numbers[i] == rules->numbers[k];
			if (is_same)
				;
			else if (a->name == NULL ? b->name != NULL || a->number != b->number
						 : b->name == NULL || strcmp(a->name, b->name) != 0)
				continue;
			message_error("--replace: a field is there twice (see -f)");
			return STATUS_USAGE;
		}
	}
	return STATUS_OK;
}
