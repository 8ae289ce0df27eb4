/* The parts of args_parse, by file: readers of options, and what is done before and after all options are read. Unless
 * a comment says otherwise, a function that returns a status returns STATUS_USAGE after a message if the command line
 * is wrong, and STATUS_SYSTEM after a message if memory is missing. */
#ifndef PSCAN_CLI_ARGS_PARTS_H
#define PSCAN_CLI_ARGS_PARTS_H

#include <getopt.h>

#include "cli/args_value.h"

struct text_part;

/* --- args_op.c: "-op" on the command line is one option, not "-o p" ----------------------------------------------- */

/* Prepares argv for getopt_long: each option -op or -op=VALUE becomes --op or --op=VALUE. Words after "--" stay, and
 * words that are another option's argument; with POSIXLY_CORRECT also words after the first file. letters (the first
 * must be ':') and long_options: the arguments of getopt_long. New strings live as long as the program. STATUS_USAGE
 * after a message if a bundle of letters looks like -op (-opmax, -vop) or like a long option (-csv). */
enum status args_op_rewrite(int argc, char **argv, const char *letters, const struct option *long_options) MUST_CHECK;

/* --- bad_option.c: options that getopt_long refuses --------------------------------------------------------------- */

/* Prints why getopt_long has just returned `code`, '?' or ':', and which option may be meant. argv, letters and
 * long_options are those that getopt_long was given. Always returns STATUS_USAGE. */
enum status bad_option(int code, char *const *argv, const char *letters, const struct option *long_options) MUST_CHECK;
/* Prints that the option `word` (--NAME or --NAME=VALUE) is unknown. If another program has this option, the message
 * names pscan's option for it. Always returns STATUS_USAGE. */
enum status bad_word(const char *word) MUST_CHECK;

/* --- args_operator.c: the values of -op and --show-operator ------------------------------------------------------- */

/* Reads the value of -op, a list of operators joined by commas. Appends a struct operator_choice for each operator to
 * o->scan.operators. STATUS_SYSTEM after a message also if a program's file cannot be read. */
enum status args_operators(const char *value, struct options *o) MUST_CHECK;
/* Sets *choice to the operator of the table that `word` names, such as sum or ema:0.1. choice->name may point to the
 * word. option: the name of the option, for messages. If the word is not an operator or its parameter is wrong, *choice
 * is unchanged. */
enum status args_operator_of_table(const char *option, const char *word, struct operator_choice *choice) MUST_CHECK;
/* Puts --emit around all operators if has_emit, and --map if has_map; operators of the table become programs then. Sets
 * has_program and has_types of o->scan. Call it when all options are known, and again if it becomes known that programs
 * evaluate --map or --emit. inputs, names: as in struct program_around. */
enum status args_settle_operators(struct options *o, bool has_map, bool has_emit, size_t inputs,
				  const struct text_part *names) MUST_CHECK;

/* --- args_fields.c: -f, -g, --reset-on, --reset-gap, --window and --plot-time ------------------------------------- */

/* How lines are cut decides the meaning of a value that is fields, so a value is noted first and read when all options
 * are known. */

/* The `take` function of these options (struct option_row). Appends the option's value to o->fields.noted. */
enum status args_list(const struct taken_option *t, struct options *o) MUST_CHECK;
/* Reads the noted values into o->fields.lists, and the distances of --reset-gap and --window into o->text.gap and
 * o->text.span. Call it once, when all options are known. If an option was given several times, its list has the fields
 * of all values, but --reset-gap, --window and --plot-time have only those of the last one. If --plot-time was not
 * given but there is a picture, its times are those of --window, --reset-gap or --log. */
enum status args_fields_read(struct options *o) MUST_CHECK;
/* Reads `word`, which stands for one field, as the lines' cut demands, and appends its struct field_item to *fields.
 * The word may be changed, and must live as long as *o. value: the option's whole value. Messages begin with
 * `option`. */
enum status args_field_word(const struct options *o, const char *option, const char *value, char *word,
			    struct bytes *fields) MUST_CHECK;
/* For --log: sets the numbers of the fields that were chosen by name, and up to which one lines are checked. */
enum status args_fields_number_log(struct options *o) MUST_CHECK;
/* The option that each of o->fields.lists is of, as messages name it. */
extern const char *const field_options[FIELD_LISTS];
/* Warns of values that are files if pscan is to read a terminal: the file was perhaps meant as the input, as in
 * -g FILE. This function and the next ones are for after args_fields_read. */
void args_fields_warn_of_files(const struct options *o);
/* Whether -f, -g, --reset-on, --reset-gap, --window or --plot-time chooses a field. */
bool args_fields_are_given(const struct options *o);
/* Whether a field is chosen by name. */
bool args_fields_have_names(const struct options *o);
/* Whether a range of fields has no end, as in -f 2-, so that the first record decides which fields are chosen. */
bool args_fields_are_open(const struct options *o);

/* --- args_map.c: the fields that --map names ---------------------------------------------------------------------- */

/* A name's meaning in --map if it is not the name of a field. */
enum map_word {
	MAP_WORD_FIELD, /* It can only be a field's name. */
	MAP_WORD_ONLY, /* x: the only field of -f. */
	MAP_WORD_NUMBERED, /* x0, x1, ...: the fields of -f. */
	MAP_WORD_INDEX, /* i: the element's index. */
	MAP_WORD_CONSTANT, /* A constant of OpenCL C. Fields have such names only in braces. */
};

/* Returns the meaning of a name. *number becomes that of MAP_WORD_NUMBERED, from 0. number may be NULL. */
enum map_word args_map_word(const struct text_part *name, size_t *number);
/* Cuts --map into its expressions, and lists their names, each once. Appends a struct text_part for each to *texts and
 * *names. */
enum status args_map_cut(const char *map, struct bytes *texts, struct bytes *names) MUST_CHECK;
/* If --map chooses its fields itself, by name: appends them to o->fields.numbers, in the order in which --map uses
 * them, and sets o->fields.are_of_map. This is so without -f if some name is neither x, x0, ... nor i, or if lines are
 * cut into fields, of which none is chosen. Call it after args_fields_read. */
enum status args_map_fields(struct options *o) MUST_CHECK;

/* --- args_text.c: the options for text: lines, fields, and tokens that are not numbers ---------------------------- */

/* The `take` functions (struct option_row) of the options of these names. Each sets its members of *o. */
enum status args_delimiter(const struct taken_option *t, struct options *o) MUST_CHECK;
enum status args_tsv(const struct taken_option *t, struct options *o) MUST_CHECK;
enum status args_header(const struct taken_option *t, struct options *o) MUST_CHECK;
enum status args_no_header(const struct taken_option *t, struct options *o) MUST_CHECK;
enum status args_comment(const struct taken_option *t, struct options *o) MUST_CHECK;
enum status args_decimal(const struct taken_option *t, struct options *o) MUST_CHECK;
enum status args_thousands(const struct taken_option *t, struct options *o) MUST_CHECK;
enum status args_accept(const struct taken_option *t, struct options *o) MUST_CHECK;
enum status args_number_format(const struct taken_option *t, struct options *o) MUST_CHECK;
enum status args_missing(const struct taken_option *t, struct options *o) MUST_CHECK;
enum status args_nan(const struct taken_option *t, struct options *o) MUST_CHECK;

/* Checks that the options for text fit each other, and completes them. Call it when all options are taken. */
enum status args_text_complete(struct options *o) MUST_CHECK;

#endif
