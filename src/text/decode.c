/* The decoder walks over the tokens of the bytes: white-space-separated ones, or the fields of each line that hold
 * numbers. What a token means is decided in one place, decode_token.c; the loop around it only finds the next. Each
 * token becomes an element of every column of its field. Where whole lines come out, it is noted how the bytes are to
 * be edited. */
#include "text/decode_private.h"

#include <string.h>

#include "text/hint.h"
#include "text/line_parts.h"
#include "text/members.h"

/* Elements of one size; a plain loop, so that the compiler makes vectors of it. */
#define SWAP_LOOP(bits)                                             \
	for (size_t i = 0; i < count; i++) {                        \
		uint##bits##_t value;                               \
		memcpy(&value, e + i * sizeof value, sizeof value); \
		value = __builtin_bswap##bits(value);               \
		memcpy(e + i * sizeof value, &value, sizeof value); \
	}

void decode_swap(void *elements, size_t count, size_t size)
{
	unsigned char *e = elements;
	if (size == 2) {
		SWAP_LOOP(16)
	} else if (size == 4) {
		SWAP_LOOP(32)
	} else if (size == 8) {
		SWAP_LOOP(64)
	}
}

/* A whole line, without its newline. */
static bool mark_line(struct decoder *c, const struct line *l)
{
	return decode_add_mark(c, l->start, (size_t)(l->next - l->start) - (l->next[-1] == '\n'));
}

static void find_fields(struct decoder *c, const struct line *line, const uint64_t *numbers)
{
	line_find_fields(c->rules, line, numbers, c->chosen.order, c->rules->field_count, c->chosen.fields);
}

/* The current line, or a header, for the editor. */
static struct edited_line line_to_edit(const struct decoder *c, const struct line *line)
{
	const char *end = line->tail != NULL ? line->tail : line->end;
	return (struct edited_line){.end = end,
				    .fields = c->chosen.fields,
				    .outcomes = c->chosen.outcomes,
				    .order = c->chosen.order,
				    .lacking = c->faults.lacking};
}

static bool good_or_out_of_memory(struct decoder *c, enum status status)
{
	return status == STATUS_OK || decode_out_of_memory(c);
}

/* A header line: it comes out once, with the results' names if they have a place in it, or these alone. */
static bool pass_header(struct decoder *c, const struct line *line)
{
	const struct text_rules *rules = c->rules;
	const bool dropped = c->target->header_lines - c->header_left < c->target->dropped_lines;
	c->header_left--;
	const bool names =
		c->target->header_lines - c->header_left == text_names_line(rules) && c->target->header_whole;
	if (rules->output.lines == LINES_DROPPED) {
		const bool alone = names && rules->field_count > 0;
		if (!dropped && !(alone ? decode_add_mark(c, NULL, 0) : mark_line(c, line)))
			return false;
		c->result->header_marks = c->target->marks->size / sizeof(struct mark);
		return true;
	}
	if (dropped)
		return good_or_out_of_memory(c, edit_drop(&c->editor, line));
	if (!names || rules->field_count == 0)
		return true;
	/* (The header need not have the records' numbers.) */
	const struct header_table *table = c->target->table;
	if (rules->output.lines == LINES_REPLACED && rules->output.as != NULL)
		find_fields(c, line, table != NULL && table->numbers != NULL ? table->numbers : c->target->fields);
	/* Where delimiters end each record the results' names get as many before them. */
	c->faults.lacking = c->shape != NULL ? (size_t)c->shape->ended : 0;
	const struct edited_line edited = line_to_edit(c, line);
	return good_or_out_of_memory(c, edit_names(&c->editor, &edited));
}

/* Whether the line at next passes without being looked at: *passes. False: decoding ends here. */
static bool pass_line(struct decoder *c, bool *passes)
{
	struct line line;
	*passes = line_is_comment(c->rules, c->next, c->end);
	if (!*passes && c->header_left == 0)
		return true;
	c->record = c->next;
	(void)line_read(c->rules, c->next, c->end, &line); /* header.c has seen that its quotes are closed */
	c->next = line.next;
	if (!*passes) {
		*passes = true;
		return pass_header(c, &line);
	}
	return c->rules->output.lines != LINES_DROPPED || mark_line(c, &line);
}

/* Advances to the next white-space-separated token. False at the end. */
static bool next_token(struct decoder *c, const char **token, size_t *size)
{
	const char *p = c->next;
	const bool may_pass = c->rules->header_lines > 0 || c->rules->comment != NULL;
	while (p < c->end) {
		bool passes = false;
		c->next = p;
		if (may_pass && c->at_line_start && !pass_line(c, &passes))
			return false;
		if (may_pass && c->at_line_start && !passes)
			passes = decode_passes_header_again(c);
		c->at_line_start = passes || *p == '\n';
		if (!passes && !is_space(*p))
			break;
		p = passes ? c->next : p + 1;
	}
	*token = p;
	c->record = p;
	while (p < c->end && !is_space(*p))
		p++;
	*size = (size_t)(p - *token);
	c->next = p;
	return *size > 0;
}

/* Advances to the next line that holds numbers: a blank one passes. False at the end. */
static bool next_line(struct decoder *c)
{
	do {
		bool passes = true;
		while (passes && c->next < c->end) {
			if (!pass_line(c, &passes))
				return false;
		}
		c->record = c->next;
		if (c->next == c->end)
			return false;
		if ((!text_by_delimiters(c->rules) || !line_read_plain(c->rules, c->next, c->end, &c->line)) &&
		    !line_read(c->rules, c->next, c->end, &c->line)) {
			/* (It may be any field.) */
			return decode_fail_line(c, "a quoted field is not closed", NULL, "");
		}
		c->next = c->line.next;
	} while (line_is_blank(c->rules, &c->line) || decode_is_header_again(c, &c->line));
	/* (What is no JSON has its own message.) */
	return c->rules->cut == CUT_JSON || !decode_has_mark(c, &c->line) ||
	       decode_fail_line(c, "a byte order mark before the line", NULL, hint_of_line_bytes(&c->line));
}

/* Decoding stopped at the current field: the fields before it in the record have no effect. (Whether they are absent
 * does not matter.) */
static void drop_record(struct decoder *c, size_t marks, size_t warnings)
{
	for (size_t i = 0; i < c->target->column_count && c->target->columns[i].field < c->chosen.index; i++) {
		struct column *k = &c->target->columns[i];
		if (edit_has_element(c->chosen.outcomes[k->field]))
			decode_drop_element(k);
	}
	c->target->marks->size = marks;
	if (c->result->stop != DECODE_FAIL)
		c->target->warnings->size = warnings;
}

/* Finds the fields of the current line, if it names them, and whether it is of its format. False: decoding ends
 * here. */
static bool look_at_line(struct decoder *c)
{
	const uint64_t log_last = c->rules->checks.log_last;
	if (c->chosen.found != NULL)
		c->faults.is_unlike =
			!line_find_named(c->rules, &c->line, c->chosen.found, &c->chosen.names, &c->faults.fault);
	else if (c->shape != NULL)
		c->faults.is_unlike = !decode_lines_up(c);
	else
		c->faults.is_unlike = log_last > 0 && !line_is_log(&c->line, log_last, &c->faults.fault);
	if (!c->faults.is_unlike || c->rules->tokens.invalid != INVALID_ABORT)
		return true;
	if (c->shape != NULL)
		return decode_fail_shape(c);
	const char *hint = c->chosen.found == NULL     ? hint_of_log(c->rules, &c->line)
			   : c->rules->cut == CUT_JSON ? hint_of_json(&c->line)
						       : "";
	return decode_fail_line(c, c->faults.fault.what, &c->faults.fault, hint);
}

/* Of a line that is not of its format no field is what it is called: what it says is nothing. */
static void clear_token(struct field *f)
{
	f->token_size = 0;
}

/* Takes the only field of the current line, for its only column. False: decoding ends before it. */
static inline bool read_only_field(struct decoder *c)
{
	struct field *f = c->chosen.fields;
	struct column *k = c->target->columns;
	line_find_field(c->rules, &c->line, c->chosen.numbers[0], f);
	if (c->faults.is_unlike)
		clear_token(f);
	c->chosen.outcomes[0] = TAKEN_ELEMENT;
	c->faults.lacks_number = c->faults.is_held = false;
	return decode_add_plain(c, k, f->token, f->token_size) ||
	       decode_add_token(c, k, f->token, f->token_size, &c->chosen.outcomes[0]);
}

/* Of the current line's elements of several numbers those that lack one: they give nothing, and what became of their
 * first field that did becomes of all. */
static void drop_incomplete(struct decoder *c)
{
	const size_t inputs = c->rules->inputs;
	struct column *k = c->target->columns;
	struct column *const end = k + c->target->column_count;
	for (size_t begin = 0; begin < c->rules->field_count; begin += inputs) {
		enum field_outcome outcome = TAKEN_ELEMENT;
		for (size_t i = begin; i < begin + inputs && outcome == TAKEN_ELEMENT; i++)
			outcome = c->chosen.outcomes[i];
		for (; k < end && k->field < begin + inputs; k++) {
			if (outcome != TAKEN_ELEMENT && c->chosen.outcomes[k->field] == TAKEN_ELEMENT)
				decode_drop_element(k);
		}
		for (size_t i = begin; i < begin + inputs && outcome != TAKEN_ELEMENT; i++)
			c->chosen.outcomes[i] = outcome;
	}
}

/* Takes the current line's fields from one on, one by one. False: decoding ends before it. */
static bool read_fields(struct decoder *c, size_t first)
{
	const size_t marks = c->target->marks->size;
	const size_t warnings = c->target->warnings->size;
	const size_t absences = c->target->absences->size;
	const size_t inputs = c->rules->inputs;
	struct column *k = c->target->columns + first; /* fields before it have one column each */
	size_t input = first % inputs;
	find_fields(c, &c->line, c->chosen.numbers);
	for (size_t i = 0; i < c->rules->field_count && c->faults.is_unlike; i++)
		clear_token(&c->chosen.fields[i]);
	c->faults.lacks_number = c->faults.is_held = false;
	for (c->chosen.index = first; c->chosen.index < c->rules->field_count; c->chosen.index++) {
		const struct field *f = &c->chosen.fields[c->chosen.index];
		struct column *const end = decode_columns_end(c, k);
		c->chosen.outcomes[c->chosen.index] = TAKEN_ELEMENT;
		c->faults.lacks_number = c->faults.lacks_number && input > 0;
		c->faults.is_held = c->faults.is_held && input > 0;
		if ((end - k > 1 || !decode_add_plain(c, k, f->token, f->token_size)) &&
		    !decode_add_token(c, k, f->token, f->token_size, &c->chosen.outcomes[c->chosen.index])) {
			if (c->counts_records)
				drop_record(c, marks, warnings);
			return false;
		}
		k = end;
		input = input + 1 < inputs ? input + 1 : 0;
	}
	c->chosen.index = 0;
	if (inputs > 1 && c->target->absences->size > absences)
		drop_incomplete(c);
	return c->left_out == c->target->left_out_count || decode_leave_out(c, c->chosen.outcomes);
}

/* Takes the fields of the current line. False: decoding ends before it. */
static bool read_record(struct decoder *c)
{
	const size_t taken = decode_read_plain_fields(c);
	return taken == c->rules->field_count || read_fields(c, taken);
}

static void read_tokens(struct decoder *c)
{
	const char *token = NULL;
	size_t size = 0;
	enum field_outcome outcome;
	const bool appends = c->rules->output.lines == LINES_APPENDED;
	const bool looks = appends || c->target->left_out_count > 0; /* at each token by itself */
	while ((looks || decode_read_plain_tokens(c)) && next_token(c, &token, &size) &&
	       decode_add_token(c, c->target->columns, token, size, &outcome) && decode_leave_out(c, &outcome)) {
		const char *space = c->next;
		while (appends && space < c->end && is_space(*space))
			space++;
		if (appends && !good_or_out_of_memory(c, edit_token(&c->editor, token, size, space, outcome)))
			return;
	}
}

/* Whether the current line has more fields than columns: numbers that are not scanned must not be dropped silently. */
static bool has_more(const struct decoder *c)
{
	struct field f;
	line_find_field(c->rules, &c->line, c->rules->checks.columns + 1, &f);
	return !f.absent;
}

/* The record after the last one that may be taken. */
static void stop_at_limit(struct decoder *c)
{
	find_fields(c, &c->line, c->chosen.numbers);
	const struct field *f = &c->chosen.fields[c->target->limit_field];
	const struct column *k = c->target->columns;
	while (k->field != c->target->limit_field)
		k++;
	const char *token = f->token;
	size_t size = f->token_size;
	c->chosen.index = c->target->limit_field;
	const struct missing_rule *missing;
	if (!decode_find_missing(c, k, &token, &size, &missing))
		return;
	const bool stands_in = missing != NULL && missing->how == MISSING_VALUE;
	token = stands_in ? missing->value : token;
	(void)decode_halt(c, DECODE_LIMIT, token, stands_in ? strlen(token) : size);
}

/* Lines that name their fields may each have them in another order. */
static void sort_by_place(struct decoder *c)
{
	for (size_t i = 1; i < c->rules->field_count; i++) {
		const size_t index = c->chosen.order[i];
		size_t at = i;
		for (; at > 0 && c->chosen.fields[c->chosen.order[at - 1]].start > c->chosen.fields[index].start; at--)
			c->chosen.order[at] = c->chosen.order[at - 1];
		c->chosen.order[at] = index;
	}
}

/* Says what becomes of the current line, whose fields were taken, if it comes out. */
static bool edit_line(struct decoder *c)
{
	/* A line that is not an object has no place for a member. */
	if (c->rules->output.lines == LINES_DROPPED || (c->faults.is_unlike && c->chosen.found != NULL))
		return true;
	if (c->chosen.found != NULL && c->rules->output.lines == LINES_REPLACED)
		sort_by_place(c);
	const struct edited_line line = line_to_edit(c, &c->line);
	return good_or_out_of_memory(c, edit_results(&c->editor, &line));
}

/* Whether the whole current line is an invalid token: keys and fields of resets are not looked for in it. */
static bool is_invalid_line(const struct decoder *c)
{
	bool has_some = false;
	for (size_t i = 0; i < c->rules->field_count; i++)
		has_some = has_some || c->chosen.outcomes[i] != TAKEN_NOTHING;
	return c->faults.is_invalid && !has_some;
}

/* The fields' indices in the order of their numbers. Returns whether that is their own. */
static bool sort_fields(const uint64_t *fields, size_t count, size_t *order)
{
	for (size_t i = 0; i < count; i++) {
		size_t at = i;
		for (; at > 0 && fields[order[at - 1]] > fields[i]; at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
	bool is_own = true;
	for (size_t i = 0; i < count; i++)
		is_own = is_own && order[i] == i;
	return is_own;
}

/* Sets the numbers of the fields that are counted from the current line's end. */
static void count_from_end(struct decoder *c)
{
	const uint64_t count = line_count_fields(c->rules, &c->line);
	for (size_t i = 0; i < c->rules->total_count; i++)
		c->chosen.own_numbers[i] = text_field_number(c->target->fields[i], count);
	(void)sort_fields(c->chosen.numbers, c->rules->field_count, c->chosen.order);
}

static void read_lines(struct decoder *c)
{
	const bool only = c->rules->field_count == 1 && c->target->column_count == 1 && c->target->left_out_count == 0;
	const bool has_keys = text_has_keys(c->rules);
	while (decode_read_plain_lines(c) && next_line(c) && look_at_line(c)) {
		if (c->chosen.own_numbers != NULL)
			count_from_end(c);
		/* (Where lines may count as nothing, only those that count are past the limit.) */
		const bool is_at_limit = c->counts_records && c->result->records == c->target->limit;
		if (is_at_limit && !has_keys) {
			stop_at_limit(c);
			return;
		}
		if (c->rules->checks.columns > 0 && has_more(c)) {
			(void)decode_fail_line(c, "more fields than columns", NULL, " (see -c)");
			return;
		}
		if (c->rules->checks.units && decode_fails_at_unit(c))
			return;
		const size_t marks = c->target->marks->size;
		const size_t warnings = c->target->warnings->size;
		const size_t absences = c->target->absences->size;
		c->faults.is_invalid = false;
		if (!(only ? read_only_field(c) : read_record(c)))
			return;
		const bool is_nothing = has_keys && c->counts_records && is_invalid_line(c);
		const bool has_element = c->counts_records ? !is_nothing : edit_has_element(c->chosen.outcomes[0]);
		if (is_at_limit && !is_nothing) {
			c->target->absences->size = absences;
			c->chosen.index = c->rules->field_count;
			drop_record(c, marks, warnings);
			stop_at_limit(c);
			return;
		}
		if (is_nothing)
			c->target->absences->size = absences;
		if (has_keys && has_element && !decode_add_keys(c)) {
			c->chosen.index = c->rules->field_count;
			drop_record(c, marks, warnings);
			return;
		}
		if (c->rules->along.given && has_element && !decode_add_along(c))
			return;
		if (!edit_line(c))
			return;
		c->result->records += !is_nothing;
	}
}

enum status decode_text(const struct text_rules *rules, const char *bytes, size_t size,
			const struct decode_target *target, struct decoded *result)
{
	const size_t count = target->fields != NULL ? rules->field_count : 0;
	*result = (struct decoded){.stop = DECODE_END};
	const struct names_shape *shape = target->table != NULL ? target->table->shape : NULL;
	const uint64_t most = rules->checks.first_fields;
	const struct names_shape of_first = {.field_count = most, .most = most};
	struct decoder c = {
		.rules = rules,
		.target = target,
		.counts_records = decode_counts_records(rules, target->fields),
		.begin = bytes,
		.end = bytes + size,
		.next = bytes,
		.record = bytes,
		.shape = shape != NULL || most == 0 ? shape : &of_first,
		.header_left = target->header_lines,
		.at_line_start = target->at_line_start,
		.editor = {.rules = rules, .edited = bytes, .edits = target->edits},
		.counted = bytes,
		.result = result,
	};
	for (size_t i = 0; i < target->column_count; i++) {
		target->columns[i].count = target->columns[i].durations = 0;
		target->columns[i].plain_record = SIZE_MAX;
		target->columns[i].kind = PLACE_NONE;
	}
	const struct header_table *table = target->table;
	record_look_at_header(table != NULL ? table->last_line : "", table != NULL ? table->last_size : 0, &c.odd);
	target->scratch->size = 0;
	const bool named = count > 0 && text_names_fields(rules);
	const size_t found = named ? (size_t)rules->members->field_count : 0;
	const size_t own = count > 0 && rules->counts_from_end ? rules->total_count : 0;
	TRY(bytes_reserve(target->scratch,
			  (count + 1) * (sizeof *c.chosen.fields + sizeof *c.chosen.order + sizeof *c.chosen.outcomes) +
				  found * sizeof *c.chosen.found + own * sizeof *c.chosen.own_numbers));
	c.chosen.fields = (struct field *)(void *)target->scratch->data;
	c.chosen.found = named ? c.chosen.fields + count : NULL;
	c.chosen.own_numbers = own > 0 ? (uint64_t *)(void *)(c.chosen.fields + count + found) : NULL;
	c.chosen.numbers = own > 0 ? c.chosen.own_numbers : target->fields;
	c.chosen.order = (size_t *)(void *)((uint64_t *)(void *)(c.chosen.fields + count + found) + own);
	c.chosen.outcomes = (enum field_outcome *)(void *)(c.chosen.order + count);
	if (count > 0) {
		c.chosen.are_simple = sort_fields(target->fields, count, c.chosen.order) && rules->cut == CUT_BLANKS &&
				      own == 0 && rules->output.lines != LINES_REPLACED &&
				      target->column_count == count && target->left_out_count == 0;
		c.reads_lines = decode_may_read_lines(&c);
		if (!decode_ends_in_returns(&c))
			read_lines(&c);
	} else {
		read_tokens(&c);
	}
	if (!c.counts_records)
		result->records = target->columns[0].count;
	result->consumed = (size_t)(c.record - bytes);
	result->lines = decode_lines_before(&c, c.record);
	return c.status;
}
