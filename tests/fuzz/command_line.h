/* args_parse again and again in one process. */
#ifndef PSCAN_TESTS_FUZZ_COMMAND_LINE_H
#define PSCAN_TESTS_FUZZ_COMMAND_LINE_H

#include <getopt.h>

#include "cli/args.h"
#include "fuzz.h"

/* clang's <sanitizer/lsan_interface.h> */
void __lsan_disable(void);
void __lsan_enable(void);

/* command_line_free is due afterwards, whatever the status. Words that options are made from live as long as the
 * program: they are no leak. */
static inline enum status command_line_parse(int argc, char **argv, struct options *o)
{
	optind = 0; /* begin anew */
	__lsan_disable();
	const enum status status = args_parse(argc, argv, o);
	__lsan_enable();
	return status;
}

static inline size_t command_line_operators(const struct options *o, const struct operator_choice **operators)
{
	*operators = (const struct operator_choice *)(const void *)o->scan.operators.data;
	return o->scan.operators.size / sizeof **operators;
}

static inline size_t command_line_fields(const struct options *o, const struct field_item **fields)
{
	*fields = (const struct field_item *)(const void *)o->fields.numbers.data;
	return o->fields.numbers.size / sizeof **fields;
}

/* Whether an operator is a program, of which the models know nothing. */
static inline bool command_line_has_program(const struct options *o)
{
	const struct operator_choice *operators;
	const size_t count = command_line_operators(o, &operators);
	bool has = false;
	for (size_t i = 0; i < count && !has; i++)
		has = operators[i].program != NULL;
	return has;
}

static inline void command_line_free(struct options *o)
{
	const struct operator_choice *operators;
	const size_t operator_count = command_line_operators(o, &operators);
	char **words = (char **)(void *)o->words.data;
	for (size_t i = 0; i < operator_count; i++)
		memory_free(operators[i].program);
	for (size_t i = 0; i < o->words.size / sizeof *words; i++)
		memory_free(words[i]);
	for (size_t i = 0; i < FIELD_LISTS; i++)
		bytes_free(&o->fields.lists[i]);
	bytes_free(&o->scan.operators);
	bytes_free(&o->fields.noted);
	bytes_free(&o->words);
}

#endif
