/* The state file as a whole: it is read and compared with the options before the run, and replaced after it. Options
 * are compared as lines of text, in one order. */
#include "state/state.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/message.h"
#include "cli/args_value.h"
#include "cli/plan_steps.h"
#include "state/head.h"
#include "state/inputs.h"
#include "io/state_file.h"
#include "scan/program.h"

struct state {
	struct state_file *file;
	char name[MESSAGE_NAME_SIZE];
	bool exists;
	const struct options *options;
	struct state_inputs inputs;
	/* Of the scan that is continued: */
	struct saved_counters counters;
	struct saved_text scan; /* its options */
	struct saved_header header;
	struct unpack saved;
	bool is_void; /* nothing was read that says how this run's input is read: the scan begins now */
	struct bytes seed; /* its seed, ended by a byte of zero */
	struct bytes type; /* its -t, ended so, if it was needed */
	struct saved_text beside; /* its line of --axis, if this run has no array that says it */
	/* What is saved of this run: */
	struct pack lines; /* its options */
	struct pack next; /* its scan */
};

/* Reads what stands before the scan. (Each name in the header has its end.) */
static enum status unpack_head(struct state *s, struct options *o, struct unpack *u)
{
	struct saved_options saved;
	TRY(state_head_read(u, "--state", s->name));
	layout_unpack(u, &saved_counters_layout, &s->counters);
	layout_unpack(u, &saved_options_layout, &saved);
	s->scan = saved.options;
	u->failed = u->failed || saved.has_seed > 1;
	TRY(bytes_append(&s->seed, saved.seed.data, saved.seed.size));
	TRY(bytes_append(&s->seed, "", 1));
	layout_unpack(u, &saved_header_layout, &s->header);
	u->failed = u->failed || (s->header.names.size > 0 && s->header.names.data[s->header.names.size - 1] != '\n');
	TRY(state_inputs_read(&s->inputs, u));
	if (u->failed)
		return message_refuse("--state: %s: it is damaged", s->name);
	s->saved = *u;
	o->scan.seed = saved.has_seed != 0 ? (const char *)s->seed.data : NULL;
	return STATUS_OK;
}

enum status state_open(struct options *o, struct state **state)
{
	struct unpack u;
	*state = NULL;
	if (o->state.file == NULL)
		return o->state.alike == ALIKE_UNKNOWN ? STATUS_OK : args_usage("--alike is for --state");
	struct state *s = memory_new(sizeof *s);
	if (s == NULL)
		return STATUS_SYSTEM;
	*s = (struct state){.options = o};
	(void)message_name(s->name, o->state.file);
	enum status status = state_file_open(o->state.file, true, &s->file);
	if (status == STATUS_OK) {
		s->exists = state_file_content(s->file, &u);
		status = s->exists ? unpack_head(s, o, &u) : STATUS_OK;
		o->state.goes_on = s->exists;
		/* (A first line without a number is one, unless it is a record without a number that came out.) */
		o->state.knows_header = s->header.names.size > 0 ||
					(s->counters.elements == 0 && !plan_comes_out(&o->text.tokens.missing));
	}
	if (status == STATUS_OK)
		status = state_inputs_find(&s->inputs, o, s->name, s->counters.bytes);
	if (status != STATUS_OK)
		state_free(s);
	else
		*state = s;
	return status;
}

void state_free(struct state *s)
{
	if (s == NULL)
		return;
	state_file_free(s->file);
	state_inputs_free(&s->inputs);
	bytes_free_all(&s->seed, &s->type, &s->lines.bytes, &s->next.bytes);
	memory_free(s);
}

bool state_has_read_all(const struct state *s)
{
	return s != NULL && s->inputs.are_regular && s->inputs.has_taken && !s->inputs.has_new && !s->is_void;
}

bool state_is_of_files(const struct state *s)
{
	return s == NULL || s->inputs.are_regular;
}

const char *state_temporary(const struct state *s)
{
	return s != NULL ? state_file_temporary(s->file) : NULL;
}

/* A line of the scan's options, with blanks for newlines. NULL: it was not given. */
static void put_line(struct pack *p, const char *name, const char *value)
{
	pack_raw(p, name, strlen(name));
	pack_raw(p, "\t", value != NULL);
	for (size_t i = 0; value != NULL && value[i] != '\0'; i++)
		pack_raw(p, value[i] == '\n' ? " " : &value[i], 1);
	pack_raw(p, "\n", 1);
}

static void put_count(struct pack *p, const char *name, uint64_t count)
{
	char text[24];
	(void)snprintf(text, sizeof text, "%" PRIu64, count);
	put_line(p, name, count > 0 ? text : NULL);
}

/* The lists of fields of one option, as they were given, and after them more. */
static void put_fields(struct pack *p, const char *name, const struct bytes *fields, const char *more)
{
	const struct field_item *items = (const struct field_item *)(const void *)fields->data;
	const char *last = NULL;
	pack_raw(p, name, strlen(name));
	pack_raw(p, "\t", fields->size > 0 || more[0] != '\0');
	for (size_t i = 0; i < fields->size / sizeof *items; i++) {
		if (items[i].value == last)
			continue;
		pack_raw(p, ",", last != NULL);
		last = items[i].value;
		pack_raw(p, last, strlen(last));
	}
	pack_raw(p, more, strlen(more));
	pack_raw(p, "\n", 1);
}

static void put_operators(struct pack *p, const struct options *o)
{
	static const struct hash_key known = {1, 2}; /* Not a secret: of two programs that differ the hashes do. */
	const struct operator_choice *ops = o->scan.ops;
	pack_raw(p, "-op\t", 4);
	for (size_t i = 0; i < o->scan.op_count; i++) {
		const struct program *program = ops[i].op->program;
		const bool is_file = program != NULL && program->file != NULL;
		char text[PROGRAM_NAME_SIZE + 64] = "";
		if (is_file)
			(void)snprintf(text, sizeof text, "@%016" PRIx64,
				       hash_bytes(&known, program->text, program->size));
		else if (ops[i].factor > 0)
			(void)snprintf(text, sizeof text, "%s:%.17g", ops[i].op->name, ops[i].factor);
		else if (ops[i].lag > 0)
			(void)snprintf(text, sizeof text, "%.*s:%" PRIu64, (int)strcspn(ops[i].name, ":"), ops[i].name,
				       ops[i].lag);
		pack_raw(p, ",", i > 0);
		const bool is_expression = program != NULL && !is_file && program->base == NULL;
		const char *name = is_expression     ? program->text
				   : text[0] != '\0' ? text
				   : program == NULL ? ops[i].op->name
						     : ops[i].name;
		for (size_t k = 0; name[k] != '\0'; k++)
			pack_raw(p, name[k] == '\n' ? " " : &name[k], 1);
	}
	pack_raw(p, "\n", 1);
}

static void put_rule(struct pack *p, const char *name, const struct missing_rule *rule)
{
	put_line(p, name, rule->how == MISSING_VALUE ? rule->value : missing_words[rule->how]);
}

static void put_type(struct pack *p, const struct plan *plan)
{
	const struct plan_lane *l = &plan->lanes[0];
	char text[64];
	(void)snprintf(text, sizeof text, "%s:%s", l->in->name, l->acc->name);
	const char *type = l->is_text ? "text" : !l->decimal ? text : plan->decimal_strict ? "dec" : "num";
	put_line(p, "-t", plan->found.lacks_record ? "?" : type);
	texts_put_list(plan, p);
}

/* How lines are cut, as it was given: numbers of fields, and the bytes of keys, mean what they do by that. */
static void put_cut(struct pack *p, const struct text_rules *rules)
{
	const char delimiter[] = {rules->delimiter, '\0'};
	const bool has_delimiter = rules->cut == CUT_DELIMITER || rules->cut == CUT_CSV;
	put_line(p, "-d", !has_delimiter ? NULL : delimiter[0] == '\t' ? "\\t" : delimiter);
	put_line(p, "--csv", rules->cut == CUT_CSV ? "yes" : NULL);
	put_line(p, "--log", rules->cut == CUT_LOG ? "yes" : NULL);
	put_line(p, "--logfmt", rules->cut == CUT_LOGFMT ? "yes" : NULL);
	put_line(p, "--json", rules->cut == CUT_JSON ? "yes" : NULL);
}

/* How numbers are written. (Files of scans of plain numbers have no such lines.) */
static void put_notation(struct pack *p, const struct notation *n)
{
	const char decimal[] = {n->decimal, '\0'};
	const char thousands[] = {n->thousands, '\0'};
	if (n->decimal != 0)
		put_line(p, "--decimal", decimal);
	if (n->thousands != 0)
		put_line(p, "--thousands", thousands);
	for (size_t i = 0; i < ACCEPT_WORDS; i++) {
		if ((n->accept & 1u << i) != 0)
			put_line(p, "--accept", accept_words[i]);
	}
}

/* The options that say what the scan is. */
static void put_scan(struct pack *p, const struct options *o, const struct plan *plan)
{
	static const char *const algorithms[] = {"blelloch", "hillis-steele", "sequential"};
	const struct text_rules *t = &plan->format.text;
	char gap[40] = "";
	char shape[NPY_SHAPE_SIZE];
	if (o->fields.gap.size > 0)
		(void)snprintf(gap, sizeof gap, ":%.17g%s", (double)o->text.gap.least / 1e18,
			       o->text.gap.is_time ? "s" : "");
	put_line(p, "--format", plan->format.input == FORMAT_TEXT ? "text" : "binary");
	put_count(p, "--skip-bytes", o->numbers.skip_bytes);
	put_type(p, plan);
	put_operators(p, o);
	put_line(p, "--map", o->scan.map);
	put_line(p, "--emit", o->scan.emit);
	put_line(p, "-e", o->scan.exclusive ? "yes" : NULL);
	put_cut(p, &o->text);
	put_fields(p, "-f", &o->fields.numbers, "");
	/* (An array has the columns of its axis: so an array can continue a scan of raw numbers, and raw numbers a scan
	 * of an array.) */
	const size_t columns = plan->npy.reads ? plan->format.record_size / plan->format.in->size : 0;
	put_count(p, "-c", !plan->npy.reads ? o->fields.columns : columns > 1 ? columns : 0);
	put_fields(p, "-g", &o->fields.keys, "");
	put_fields(p, "--reset-on", &o->fields.reset_on, "");
	put_fields(p, "--reset-gap", &o->fields.gap, gap);
	/* (A range without an end is of as many as line 1 has.) */
	put_count(p, "fields", plan->format.input == FORMAT_TEXT && !plan->found.lacks_line ? t->total_count : 0);
	put_count(p, "--reset-every", o->resets.every);
	put_line(p, "--reset-at", o->resets.at);
	put_count(p, "--window", o->scan.window);
	put_count(p, "--min-count", o->scan.min_count);
	put_count(p, "--fill-limit", o->scan.fill_limit);
	put_rule(p, "--missing", &t->tokens.missing);
	if (t->tokens.has_nan)
		put_rule(p, "--nan", &t->tokens.nan);
	else
		put_line(p, "--nan", NULL);
	put_line(p, "--overflow", plan->checked ? "error" : "wrap");
	put_line(p, "--algorithm", algorithms[plan->algorithm]);
	/* (Segments that end keep their names for it alone.) */
	put_line(p, "--total", t->reset_count > 0 && plan->total ? "yes" : NULL);
	/* (Scans side by side along one axis, or without an axis, are identified by their number.) */
	if (plan->npy.beside.count > 1 || (plan->npy.beside.count == 1 && plan->npy.beside.sizes[0] == 0))
		put_line(p, "--axis beside", npy_format_shape(shape, &plan->npy.beside));
	put_notation(p, &t->tokens.notation);
}

/* A line up to its end, of *size bytes left. */
static const char *read_line(const char **text, size_t *left, size_t *size)
{
	const char *line = *text;
	const char *end = memchr(line, '\n', *left);
	*size = end != NULL ? (size_t)(end - line) : *left;
	const size_t taken = *size + (end != NULL);
	*text += taken;
	*left -= taken;
	return line;
}

/* Returns the line of the scan's options with this name, or nothing. *value becomes the text after the name. */
static struct saved_text find_line(const struct state *s, const char *name, const char **value)
{
	const char *text = (const char *)s->scan.data;
	const size_t name_size = strlen(name);
	size_t left = s->scan.size;
	while (left > 0) {
		size_t size;
		const char *line = read_line(&text, &left, &size);
		*value = line + name_size + 1;
		if (size > name_size && memcmp(line, name, name_size) == 0 && line[name_size] == '\t')
			return (struct saved_text){(const unsigned char *)line, (size_t)(text - line)};
	}
	return (struct saved_text){0};
}

/* One line as it would be given. */
static const char *shown(char out[MESSAGE_QUOTED_SIZE], const char *line, size_t size)
{
	char text[2 * MESSAGE_QUOTED_SIZE];
	const char *tab = memchr(line, '\t', size);
	const size_t name = tab != NULL ? (size_t)(tab - line) : size;
	const char *value = tab != NULL ? tab + 1 : "";
	const size_t value_size = tab != NULL ? size - name - 1 : 0;
	if (size == 0) /* only the other one has such a line */
		(void)snprintf(text, sizeof text, "nothing");
	else if (tab == NULL)
		(void)snprintf(text, sizeof text, "no %.*s", (int)name, line);
	else
		(void)snprintf(text, sizeof text, "%.*s%s%.*s", (int)name, line, name > 2 && line[1] == '-' ? "=" : " ",
			       (int)(value_size < 100 ? value_size : 100), value);
	return message_quote(out, text, strlen(text));
}

/* Whether a line in which the runs differ says how the input is read, which none of them before has seen: it was empty,
 * or had no line from which to tell the last field, or no record. */
static bool is_unsettled(const struct state *s, const char *old_line, size_t old_size, const char *new_line,
			 size_t new_size)
{
	static const char *const names[] = {"fields",    "--format", "-t",         "-c",           "texts",
					    "--missing", "--nan",    "--overflow", "--axis beside"};
	const char *tab = memchr(new_line, '\t', new_size);
	const size_t size = tab != NULL ? (size_t)(tab - new_line) : new_size;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		if (strlen(names[i]) == size && memcmp(names[i], new_line, size) == 0)
			return s->counters.bytes == 0 || (i == 0 && memchr(old_line, '\t', old_size) == NULL) ||
			       (s->counters.elements == 0 && old_size == size + 2 && old_line[size + 1] == '?');
	}
	return false;
}

/* Whether the scan's options are these; else a message names the first that is not. */
static enum status compare_scan(struct state *s, const struct bytes *scan)
{
	const char *old = (const char *)s->scan.data;
	const char *new = (const char *)scan->data;
	size_t old_left = s->scan.size;
	size_t new_left = scan->size;
	while (old_left > 0 || new_left > 0) {
		size_t old_size;
		size_t new_size;
		char was[MESSAGE_QUOTED_SIZE];
		char is[MESSAGE_QUOTED_SIZE];
		const char *old_line = read_line(&old, &old_left, &old_size);
		const char *new_line = read_line(&new, &new_left, &new_size);
		if (old_size == new_size && memcmp(old_line, new_line, old_size) == 0)
			continue;
		if (is_unsettled(s, old_line, old_size, new_line, new_size)) {
			s->is_void = true;
			continue;
		}
		return message_refuse("--state: %s: it belongs to a scan with other options: %s in the state, %s now",
				      s->name, shown(was, old_line, old_size), shown(is, new_line, new_size));
	}
	return STATUS_OK;
}

enum status state_begin(struct state *s, const struct options *o, const struct plan *plan, struct source *source)
{
	if (s == NULL)
		return STATUS_OK;
	put_scan(&s->lines, o, plan);
	pack_raw(&s->lines, s->beside.data, s->beside.size);
	if (s->lines.failed)
		return STATUS_SYSTEM;
	if (s->exists)
		TRY(compare_scan(s, &s->lines.bytes));
	if (plan->format.input == FORMAT_TEXT)
		TRY(state_inputs_check_lines(&s->inputs, o));
	TRY(source_go_on(source, s->inputs.files, s->counters.records, s->header.names.data, s->header.names.size));
	s->header.line_fields = plan->found.line_fields;
	return STATUS_OK;
}

enum status state_settle_empty(struct state *s, struct options *o)
{
	const char *value;
	if (s == NULL || find_line(s, "--format", &value).size == 0 || *value != 'b')
		return STATUS_OK;
	if (o->numbers.is_sniffed)
		o->numbers.input = FORMAT_BINARY;
	o->numbers.is_sniffed = false;
	if (o->numbers.type == NULL && !o->scan.has_types && find_line(s, "-t", &value).size > 0) {
		TRY(bytes_append(&s->type, value, strcspn(value, "\n")));
		TRY(bytes_append(&s->type, "", 1));
		o->numbers.type = (const char *)s->type.data;
	}
	if (o->fields.columns == 0 && find_line(s, "-c", &value).size > 0)
		o->fields.columns = strtoull(value, NULL, 10);
	s->beside = find_line(s, "--axis beside", &value);
	o->numbers.has_axis = false;
	if (o->numbers.output == FORMAT_AUTO && state_inputs_have_array(&s->inputs))
		o->numbers.output = FORMAT_NPY;
	return STATUS_OK;
}

void state_tell(const struct state *s, struct plan_input *input)
{
	const char *value;
	if (s == NULL)
		return;
	const bool has_list = s->exists && find_line(s, "texts", &value).size > 0;
	const bool is_open = has_list && *value == '?' && s->counters.elements == 0;
	input->texts = !s->exists || is_open ? NULL : has_list ? value : "";
	input->line_fields = s->header.line_fields;
}

void state_set_parts(struct state *s, struct pipeline_parts *parts)
{
	if (s == NULL)
		return;
	parts->part.saved = s->exists && !s->is_void ? &s->saved : NULL;
	parts->part.next = &s->next;
}

/* Packs what stands before the scan. source: of this run, if it has read something. */
static void pack_head(struct pack *p, struct state *s, const struct saved_counters *counters,
		      const struct source *source)
{
	const char *seed = s->options->scan.seed;
	const struct saved_options saved = {.options = {s->lines.bytes.data, s->lines.bytes.size},
					    .has_seed = seed != NULL,
					    .seed = {(const unsigned char *)seed, seed != NULL ? strlen(seed) : 0}};
	if (source != NULL)
		s->header.names = (struct saved_text){source_names(source)->data, source_names(source)->size};
	state_head_put(p);
	layout_pack(p, &saved_counters_layout, counters);
	layout_pack(p, &saved_options_layout, &saved);
	layout_pack(p, &saved_header_layout, &s->header);
	state_inputs_save(&s->inputs, p, s->options, source);
}

/* Replaces the file. */
static enum status commit(struct state *s, const struct saved_counters *counters, const struct source *source)
{
	struct pack head = {0};
	pack_head(&head, s, counters, source);
	const enum status status =
		head.failed || s->next.failed ? STATUS_SYSTEM : state_file_commit(s->file, &head.bytes, &s->next.bytes);
	bytes_free(&head.bytes);
	return status;
}

enum status state_keep_inputs(struct state *s)
{
	if (!s->inputs.has_changed)
		return STATUS_OK;
	pack_raw(&s->next, s->saved.at, s->saved.left);
	return commit(s, &s->counters, NULL);
}

enum status state_keep(struct state *s, const struct stats *stats, const struct source *source)
{
	if (s == NULL)
		return STATUS_OK;
	const struct saved_counters counters = {.runs = s->counters.runs + 1,
						.bytes = s->counters.bytes + stats->bytes_in,
						.elements = s->counters.elements + stats->elements,
						.records = source_records(source)};
	state_inputs_warn_of_twins(&s->inputs, s->options, source);
	return commit(s, &counters, source);
}
