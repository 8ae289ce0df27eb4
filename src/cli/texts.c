/* The first record decides which fields have words or times, or the saved scan that this run continues. */
#include "cli/plan_steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "cli/args_value.h"
#include "cli/find_table.h"
#include "text/header.h"
#include "text/marks.h"
#include "text/record.h"

/* Returns an option that does not go with texts, or NULL. */
static const char *find_obstacle(const struct options *o)
{
	return o->scan.map != NULL                       ? "--map"
	       : o->scan.emit != NULL                    ? "--emit"
	       : o->resets.at != NULL                    ? "--reset-at"
	       : o->reports.plots                        ? "--plot"
	       : o->scan.algorithm != ALGORITHM_BLELLOCH ? "--algorithm"
	       : o->numbers.output == FORMAT_BINARY      ? "--output-format=binary"
							 : NULL;
}

bool texts_are_asked_for(const struct options *o)
{
	return o->numbers.type != NULL && strcmp(o->numbers.type, "text") == 0;
}

/* Whether fields are given. */
static bool has_fields(const struct options *o)
{
	return o->fields.numbers.size > 0 || o->fields.columns > 0;
}

/* Whether no type is given and nothing that does not go with texts. */
static bool has_no_obstacle(const struct options *o)
{
	return o->numbers.type == NULL && find_obstacle(o) == NULL;
}

bool texts_may_be_times(const struct options *o)
{
	return (o->text.tokens.notation.accept & ACCEPT_TIME) != 0 && !o->numbers.has_format && has_fields(o) &&
	       has_no_obstacle(o);
}

bool texts_are_possible(const struct options *o)
{
	bool may_be = o->text.tokens.invalid == INVALID_ABORT && has_no_obstacle(o);
	for (size_t i = 0; i < o->scan.op_count; i++)
		may_be = may_be && o->scan.ops[i].op->takes_texts;
	return may_be;
}

bool texts_may_be_found(const struct options *o)
{
	return has_fields(o) && texts_are_possible(o);
}

/* What the first record has in a field. */
enum field_kind { FIELD_NUMBER, FIELD_WORD, FIELD_TIME };

static enum field_kind kind_of_token(const struct notation *n, const char *token, size_t size)
{
	return !notation_is_nearly_number(n, token, size) ? FIELD_WORD
	       : notation_is_time(n, token, size)         ? FIELD_TIME
							  : FIELD_NUMBER;
}

/* (A missing field may be a number.) */
static enum field_kind kind_of(const struct text_rules *rules, const struct field *f)
{
	const struct token_rules *t = &rules->tokens;
	const bool is_null =
		rules->cut == CUT_JSON && !f->quoted && f->token_size == 4 && memcmp(f->token, "null", 4) == 0;
	if (f->absent || f->token_size == 0 || is_null)
		return FIELD_NUMBER;
	char plain[256];
	const bool has_escapes = line_has_escapes(rules, f);
	if (has_escapes && f->token_size > sizeof plain)
		return FIELD_WORD;
	const char *said = has_escapes ? plain : f->token;
	const size_t size = has_escapes ? line_unescape(rules, f, plain) : f->token_size;
	return marks_have(t->marks != NULL ? t->marks : MARKS_USUAL, said, size)
		       ? FIELD_NUMBER
		       : kind_of_token(&t->notation, said, size);
}

/* Sets kinds[i] to what a record has in chosen field i. header: the numbers of the fields, if the header has
 * them. */
static enum status look_at_record(const struct text_rules *rules, struct line *line, const uint64_t *header,
				  enum field_kind *kinds)
{
	const uint64_t *numbers = rules->numbers != NULL ? rules->numbers : header;
	const size_t found_count = rules->members != NULL ? (size_t)rules->members->field_count : 0;
	struct field *found = memory_new((found_count + 1) * sizeof *found);
	struct line_fault fault;
	struct field f;
	if (found == NULL)
		return STATUS_SYSTEM;
	const bool is_named = rules->members != NULL && line_find_named(rules, line, found, NULL, &fault);
	const uint64_t count = rules->counts_from_end ? line_count_fields(rules, line) : 0;
	for (size_t i = 0; i < rules->field_count; i++) {
		if (rules->members != NULL) {
			kinds[i] = is_named ? kind_of(rules, &found[numbers[i] - 1]) : FIELD_NUMBER;
			continue;
		}
		const uint64_t number = text_field_number(numbers[i], count);
		if (number == 0 || number >= HEADER_NAME_UNKNOWN)
			continue;
		line_find_field(rules, line, number, &f);
		kinds[i] = kind_of(rules, &f);
	}
	memory_free(found);
	return STATUS_OK;
}

/* Sets kinds[i] to what the first record has in chosen field i. Where there is no record, the field's seed tells. */
static enum status find_kinds(struct plan *plan, const struct plan_input *input, enum field_kind *kinds)
{
	const size_t mark = input->record_size > 0 ? record_byte_order_mark(input->record, input->record_size) : 0;
	const unsigned char *text = mark > 0 ? input->record + mark : input->record; /* (It may be NULL.) */
	const struct text_rules *rules = &plan->format.text;
	struct header_search search = {0};
	struct header header = {0};
	struct problem problem = {0};
	struct line line;
	uint64_t count;
	uint64_t dropped;
	enum status status = STATUS_OK;
	while (!search.is_record && input->record_size > 0 &&
	       record_next_line(rules, &search, text, input->record_size - mark, false, &line))
		;
	if (!search.is_record) {
		plan->found.lacks_record = true;
		for (size_t i = 0; i < plan->lane_count; i++) {
			const char *seed = plan->lanes[i].seed;
			if (seed != NULL)
				kinds[plan->lanes[i].field] =
					kind_of_token(&rules->tokens.notation, seed, strlen(seed));
		}
		return STATUS_OK;
	}
	if (rules->numbers == NULL)
		status = header_read(&header, &plan->format, (const char *)text,
				     (size_t)((const unsigned char *)line.next - text), &count, &dropped, &problem);
	/* (What is wrong with the header is reported where it is read.) */
	if (status == STATUS_OK && problem.status == STATUS_OK && header.problem.status == STATUS_OK)
		status = look_at_record(rules, &line, (const uint64_t *)(const void *)header.fields.data, kinds);
	header_free(&header);
	return status;
}

void texts_put_list(const struct plan *plan, struct pack *p)
{
	size_t last = SIZE_MAX; /* the field that was put last */
	pack_raw(p, "texts", 5);
	pack_raw(p, "\t?", plan->found.lacks_record ? 2 : 0);
	for (size_t i = 0; i < plan->lane_count && !plan->found.lacks_record; i++) {
		const struct plan_lane *l = &plan->lanes[i];
		char text[32];
		if (l->op->of_texts || !l->is_text || l->field == last)
			continue;
		(void)snprintf(text, sizeof text, "%s%zu%s", last != SIZE_MAX ? "," : "\t", l->field + 1,
			       l->text_kind == TEXT_NUMBERS ? "t" : "");
		pack_raw(p, text, strlen(text));
		last = l->field;
	}
	pack_raw(p, "\n", 1);
}

/* Sets the kinds of a list such as "1,3t": field 1 has words, field 3 times. */
static void read_list(const char *list, enum field_kind *kinds, size_t field_count)
{
	char *end = NULL;
	for (const char *p = list; *p >= '0' && *p <= '9'; p = end + (*end == ',')) {
		const unsigned long long number = strtoull(p, &end, 10);
		const bool has_times = *end == 't';
		end += has_times;
		if (number > 0 && number <= field_count)
			kinds[number - 1] = has_times ? FIELD_TIME : FIELD_WORD;
	}
}

/* Chooses a lane of a field of this kind. shows_initial: whether the initial result is written. (Without a seed it is
 * no time.) */
static void choose_lane(struct plan_lane *l, enum field_kind kind, bool shows_initial)
{
	const bool is_greatest = l->op->id == OPERATOR_MAX;
	const bool is_ordered = kind == FIELD_TIME && l->window == 0 && (is_greatest || l->op->id == OPERATOR_MIN) &&
				(!shows_initial || l->seed != NULL);
	if (is_ordered) {
		l->order = is_greatest ? 1 : -1;
		l->op = operator_find("last");
	}
	const bool gives_elements = l->op->takes_texts && l->op->result == RESULT_SAME;
	l->is_text = l->op->of_texts || kind == FIELD_WORD || (kind == FIELD_TIME && gives_elements);
	l->text_kind = l->op->of_texts ? TEXT_ANY : kind == FIELD_TIME ? TEXT_NUMBERS : TEXT_WORDS;
}

/* Says which fields are texts although -t does not. */
static enum status find_texts(struct plan *plan, const struct options *o, const struct plan_input *input)
{
	const bool may_have_words = texts_may_be_found(o);
	const bool may_have_times = texts_may_be_times(o);
	enum field_kind *kinds = memory_new((plan->field_count + 1) * sizeof *kinds);
	if (kinds == NULL)
		return STATUS_SYSTEM;
	for (size_t i = 0; i < plan->field_count; i++)
		kinds[i] = FIELD_NUMBER;
	enum status status = STATUS_OK;
	/* (Elements of several numbers are not texts.) */
	const bool are_single = plan->format.text.field_count == plan->field_count;
	plan->found.lacks_record = input->texts != NULL && *input->texts == '?';
	if (input->texts != NULL && o->numbers.type == NULL)
		read_list(input->texts, kinds, plan->field_count);
	else if (input->texts == NULL && are_single && (may_have_words || may_have_times))
		status = find_kinds(plan, input, kinds);
	for (size_t i = 0; i < plan->lane_count; i++) {
		const enum field_kind kind = kinds[plan->lanes[i].field];
		const bool may_be = input->texts != NULL || (kind == FIELD_WORD ? may_have_words : may_have_times);
		choose_lane(&plan->lanes[i], may_be ? kind : FIELD_NUMBER,
			    o->scan.include_initial || plan_is_exclusive(&o->scan));
	}
	memory_free(kinds);
	return status;
}

/* -t text. */
static enum status choose_all(struct plan *plan, const struct options *o)
{
	const char *obstacle = find_obstacle(o);
	if (plan->format.input != FORMAT_TEXT)
		return message_refuse("-t text is for text, which this input is not (see --format)");
	for (size_t i = 0; i < plan->lane_count; i++) {
		struct plan_lane *l = &plan->lanes[i];
		if (!l->op->takes_texts)
			return message_refuse(
				"-t text: %s is of numbers (count, distinct, first, lag and last take texts)", l->name);
		l->is_text = true;
	}
	return obstacle == NULL ? STATUS_OK : message_refuse("-t text with %s" ARGS_LATER, obstacle);
}

/* Whether a lane's results begin lines. */
static bool begins_lines(const struct plan *plan, const struct plan_lane *l)
{
	const struct text_rules *rules = &plan->format.text;
	const bool is_first = rules->numbers != NULL && rules->numbers[0] == 1;
	return l == plan->lanes && rules->output.shown_keys == 0 &&
	       (rules->output.lines == LINES_DROPPED || (rules->output.lines == LINES_REPLACED && is_first));
}

/* Checks that a seed can be written: most formats have no quotes. STATUS_USAGE after a message. */
static enum status check_text_seed(const struct plan *plan, const struct plan_lane *l)
{
	const struct text_rules *rules = &plan->format.text;
	const char ends[] = {rules->cut == CUT_DELIMITER ? rules->delimiter : '\n', '\n', '\r', '\0'};
	const char *seed = message_quoted(l->seed);
	if (l->text_kind == TEXT_NUMBERS && !notation_is_time(&rules->tokens.notation, l->seed, strlen(l->seed)))
		return message_refuse("--seed: %s is no time, and the field has times", seed);
	if (rules->cut == CUT_CSV || rules->cut == CUT_JSON)
		return STATUS_OK;
	if (rules->cut != CUT_LOG && begins_lines(plan, l) &&
	    line_is_comment(rules, l->seed, l->seed + strlen(l->seed)))
		return message_refuse("--seed: %s begins like a comment (see --comment)", seed);
	if (rules->cut == CUT_BLANKS && strpbrk(l->seed, " \t") != NULL)
		return message_refuse("--seed: %s has a blank, which separates fields (see --csv)", seed);
	if (rules->cut == CUT_LOG && strchr(l->seed, '"') != NULL)
		return message_refuse("--seed: %s has a quote, which ends a field of --log", seed);
	if (rules->cut != CUT_LOGFMT && strpbrk(l->seed, ends) != NULL)
		return message_refuse("--seed: %s has a delimiter or a newline (only --csv has quotes)", seed);
	return STATUS_OK;
}

enum status texts_choose(struct plan *plan, const struct options *o, const struct plan_input *input)
{
	bool are_all = true;
	enum status status = texts_are_asked_for(o)              ? choose_all(plan, o)
			     : plan->format.input == FORMAT_TEXT ? find_texts(plan, o, input)
								 : STATUS_OK;
	for (size_t i = 0; i < plan->lane_count; i++) {
		struct plan_lane *l = &plan->lanes[i];
		l->gives_text = l->is_text && l->op->result == RESULT_SAME;
		plan->has_texts = plan->has_texts || l->is_text;
		/* (Which texts a window by time still has, its packed form does not say.) */
		if (status == STATUS_OK && l->gives_text && l->by_time)
			status = message_refuse("--window by time with %s of texts" ARGS_LATER, l->op->name);
		if (status == STATUS_OK && l->gives_text && l->seed != NULL)
			status = check_text_seed(plan, l);
		are_all = are_all && l->gives_text;
	}
	if (status == STATUS_OK && are_all && o->numbers.has_format)
		status = message_refuse("-F formats numbers, and the results are texts");
	if (status == STATUS_OK && plan->has_texts && !plan->is_segmented)
		status = hash_key_new(&plan->memory.hash_key);
	plan->is_segmented = plan->is_segmented || plan->has_texts;
	return status;
}
