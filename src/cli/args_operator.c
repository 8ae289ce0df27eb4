/* The list of operators: names, some with a parameter, expressions, and files. */
#include "cli/args_parts.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "base/word.h"
#include "cli/plan_steps.h"
#include "cli/synonyms.h"
#include "number/parse.h"
#include "scan/program.h"

/* Ends messages about names of operators. */
#define LIST_HINT "(see --list-operators)"

/* NAME:N. */
static enum status parse_lag(const char *option, const char *value, struct operator_choice *choice)
{
	const char *digits = strchr(value, ':') + 1;
	union value n;
	if (number_parse(digits, strlen(digits), &type_table[TYPE_U64], &n) != NUMBER_OK || n.u64 == 0 ||
	    n.u64 >= UINT64_MAX)
		return args_bad_value(option, value, "an operator with a whole number from 1 on, as in lag:12");
	choice->lag = n.u64;
	choice->op = &operator_table[choice->op->distant];
	return STATUS_OK;
}

/* NAME:A. */
static enum status parse_factor(const char *option, const char *value, struct operator_choice *choice)
{
	const char *colon = strchr(value, ':');
	union value factor;
	if (choice->op->parameter != PARAMETER_FACTOR)
		return args_usage("%s: %s takes no parameter", option, choice->op->name);
	if (colon == NULL || number_parse(colon + 1, strlen(colon + 1), &type_table[TYPE_F64], &factor) != NUMBER_OK ||
	    !(factor.f64 > 0 && factor.f64 <= 1))
		return args_bad_value(option, value, "ema:A with 0 < A <= 1, as in ema:0.1");
	choice->factor = factor.f64;
	return STATUS_OK;
}

/* The operator that is spelled almost so, here or elsewhere, or NULL. */
static const struct scan_operator *find_nearest(const char *word)
{
	const size_t size = strlen(word);
	int nearest = OPERATOR_ID_COUNT;
	size_t limit = word_near_limit(size);
	for (int i = 0; i < OPERATOR_ID_COUNT; i++) {
		const char *name = operator_table[i].name;
		if (operator_table[i].about[0] != '\0' && word_is_nearer(word, size, name, strlen(name), &limit))
			nearest = i;
	}
	bool is_elsewhere;
	const struct scan_operator *elsewhere = synonym_near_operator(word, size, &limit, &is_elsewhere);
	if (is_elsewhere)
		return elsewhere;
	return nearest < OPERATOR_ID_COUNT ? &operator_table[nearest] : NULL;
}

/* The message for a name that no operator has. */
static enum status no_operator(const char *option, const char *value)
{
	char names[16 * OPERATOR_ID_COUNT] = "";
	size_t size = 0;
	const char *advice;
	const size_t name_size = strcspn(value, ":");
	const struct scan_operator *nearest = synonym_of_operator(value, name_size, &advice);
	const char *quoted = message_quoted(value);
	if (value[0] == '\0')
		return message_refuse("%s: an operator is missing " LIST_HINT, option);
	if (advice != NULL)
		return message_refuse("%s: %s is %s " LIST_HINT, option, quoted, advice);
	if (nearest == NULL)
		nearest = find_nearest(value);
	for (int i = 0; i < OPERATOR_ID_COUNT; i++) {
		const struct scan_operator *op = &operator_table[i];
		if (op->about[0] != '\0')
			size += (size_t)snprintf(names + size, sizeof names - size, "%s%s%s", i > 0 ? ", " : "",
						 op->name, op->parameter == PARAMETER_FACTOR ? ":A" : "");
	}
	if (nearest == NULL)
		return message_refuse("%s: %s is not %s " LIST_HINT, option, quoted, names);
	return message_refuse("%s: %s is not an operator: perhaps %s%s " LIST_HINT, option, quoted, nearest->name,
			      nearest->parameter == PARAMETER_FACTOR ? ":A" : "");
}

/* An operator that the word itself combines by, or that it names the file of. */
static enum status add_program(const char *word, struct bytes *operators)
{
	struct program *program = NULL;
	if (strcmp(word, "@") == 0)
		return args_usage("-op: @: a file's name is missing");
	TRY(word[0] == '@' ? program_read(word + 1, &program) : program_new(word, &program));
	const struct operator_choice choice = {.op = &program->op, .name = program->op.name, .program = program};
	const enum status status = bytes_append(operators, &choice, sizeof choice);
	if (status != STATUS_OK)
		program_free(program);
	return status;
}

enum status args_operator_of_table(const char *option, const char *word, struct operator_choice *choice)
{
	struct operator_choice found = {.factor = 0};
	const size_t size = strcspn(word, ":");
	const bool has_factor = word[size] == ':';
	char name[16] = "";
	(void)snprintf(name, sizeof name, "%.*s", (int)size, word);
	found.op = operator_find(name);
	if (found.op == NULL)
		return no_operator(option, word);
	if (has_factor && found.op->distant != found.op->id)
		TRY(parse_lag(option, word, &found));
	else if (found.op->parameter == PARAMETER_FACTOR || has_factor)
		TRY(parse_factor(option, word, &found));
	found.name = has_factor ? word : found.op->name;
	*choice = found;
	return STATUS_OK;
}

/* Whether a word names an operator of the table, perhaps with a parameter. */
static bool is_named(const char *word)
{
	char name[16] = "";
	(void)snprintf(name, sizeof name, "%.*s", (int)strcspn(word, ":"), word);
	return operator_find(name) != NULL;
}

/* The message for a word that is neither a name nor an expression, unless it is meant as a name. */
static enum status check_word(const char *word)
{
	const char *quoted = message_quoted(word);
	if (is_named(word))
		return STATUS_OK;
	if (word[0] != '\0' && access(word, F_OK) == 0)
		return args_usage("-op: %s is not an operator: perhaps @%s", quoted, message_shown(word));
	if (strpbrk(word, " \t\n+-*/%&|^~!<>=?()[]") != NULL)
		return args_usage("-op: %s is not an operator: an expression needs both a and b", quoted);
	return STATUS_OK;
}

static enum status parse_operator(const char *word, struct bytes *operators)
{
	struct operator_choice choice = {0};
	if (word[0] == '@' || (!is_named(word) && program_is_expression(word)))
		return add_program(word, operators);
	TRY(check_word(word));
	TRY(args_operator_of_table("-op", word, &choice));
	return bytes_append(operators, &choice, sizeof choice);
}

enum status args_operators(const char *value, struct options *o)
{
	size_t size;
	for (const char *item = value; item != NULL; item = args_next_item(item, size)) {
		size = program_expression_size(item);
		const char *word = args_copy(o, item, size);
		TRY(word != NULL ? parse_operator(word, &o->scan.operators) : STATUS_SYSTEM);
	}
	return STATUS_OK;
}

/* Puts the expressions of --map and --emit around all operators. Those of the table become programs. */
static enum status surround(const struct program_around *around, struct operator_choice *choices, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (choices[i].lag > 0)
			return message_refuse("-op %s with %s" ARGS_LATER, choices[i].name,
					      around->map != NULL ? "--map" : "--emit");
		if (choices[i].program == NULL) {
			TRY(program_of_operator(choices[i].op, &choices[i].program));
			choices[i].op = &choices[i].program->op;
		}
		TRY(program_surround(choices[i].program, around));
	}
	return STATUS_OK;
}

/* What does not go with lag:N and delta:N. */
static enum status check_lag(const struct options *o, const char *name)
{
	const char *other = plan_is_exclusive(&o->scan)               ? "-e"
			    : o->scan.include_initial                 ? "--include-initial"
			    : o->scan.seed != NULL                    ? "--seed"
			    : o->scan.algorithm != ALGORITHM_BLELLOCH ? "--algorithm"
								      : NULL;
	if (other != NULL)
		return message_refuse("-op %s with %s" ARGS_LATER, name, other);
	return STATUS_OK;
}

/* What does not go with operators of texts. */
static enum status check_texts(const struct options *o, const char *name)
{
	const char *other = o->scan.window > 0                        ? "--window"
			    : o->scan.map != NULL                     ? "--map"
			    : o->scan.emit != NULL                    ? "--emit"
			    : o->state.file != NULL                   ? "--state"
			    : o->resets.at != NULL                    ? "--reset-at"
			    : o->scan.algorithm != ALGORITHM_BLELLOCH ? "--algorithm"
								      : NULL;
	if (other != NULL)
		return message_refuse("-op %s with %s" ARGS_LATER, name, other);
	return STATUS_OK;
}

/* What does not go with a user's operator. */
static enum status check_program(const struct options *o)
{
	if (o->scan.algorithm == ALGORITHM_SEQUENTIAL)
		return args_usage("--algorithm=sequential is not for an operator of your own");
	bool all = true;
	for (size_t i = 0; i < o->scan.op_count; i++)
		all = all && o->scan.ops[i].op->program != NULL;
	if (all && o->scan.overflow == OVERFLOW_ERROR)
		return args_usage("--overflow=error cannot check the results of an operator of your own");
	if (o->run.verify)
		return args_usage("--verify compares operators of the table, not one of your own");
	return STATUS_OK;
}

/* What does not go with t in --emit. */
static enum status check_total(const struct options *o)
{
	const char *other = o->scan.total             ? "--total"
			    : o->scan.include_initial ? "--include-initial"
			    : o->state.file != NULL   ? "--state"
						      : NULL;
	if (!o->scan.uses_total || other == NULL)
		return STATUS_OK;
	return message_refuse("t in --emit with %s" ARGS_LATER, other);
}

enum status args_settle_operators(struct options *o, bool has_map, bool has_emit, size_t inputs,
				  const struct text_part *names)
{
	const struct program_around around = {.map = has_map ? o->scan.map : NULL,
					      .emit = has_emit ? o->scan.emit : NULL,
					      .exclusive = plan_is_exclusive(&o->scan),
					      .shows_initial = o->scan.include_initial,
					      .inputs = inputs,
					      .names = names};
	if (inputs > PACKED_MAX)
		return message_refuse("--map: elements of more than %d numbers here" ARGS_LATER, PACKED_MAX);
	if (around.map != NULL || around.emit != NULL)
		TRY(surround(&around, o->scan.ops, o->scan.op_count));
	const struct operator_choice *ops = o->scan.ops;
	const bool counts_gaps = plan_comes_out(&o->text.tokens.missing) ||
				 (o->text.tokens.has_nan && plan_comes_out(&o->text.tokens.nan));
	for (size_t i = 0; i < o->scan.op_count; i++) {
		if (ops[i].lag > 0)
			TRY(check_lag(o, ops[i].name));
		if (ops[i].op->of_texts)
			TRY(check_texts(o, ops[i].name));
		o->scan.has_texts = o->scan.has_texts || ops[i].op->of_texts || texts_are_asked_for(o);
		o->scan.has_windows = o->scan.has_windows || o->scan.window > 0 || ops[i].lag > 0;
		if (ops[i].program != NULL && counts_gaps)
			program_count_gaps(ops[i].program);
		o->scan.has_program = o->scan.has_program || ops[i].op->program != NULL;
		o->scan.has_types = o->scan.has_types || program_has_types(ops[i].op->program);
		o->scan.uses_total = o->scan.uses_total || (ops[i].program != NULL && ops[i].program->uses_total);
	}
	o->scan.uses_total = o->scan.uses_total || (o->scan.emit != NULL && text_has_word(o->scan.emit, "t"));
	TRY(check_total(o));
	return o->scan.has_program ? check_program(o) : STATUS_OK;
}
