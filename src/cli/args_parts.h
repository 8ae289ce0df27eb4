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

/* Prints why getopt_long has just returned `code`, '?' or ':', and which option may be meant. Call it before
 * getopt_long is called again. argv, letters and long_options: the arguments of getopt_long. Always returns
 * STATUS_USAGE. */
enum status bad_option(int code, char *const *argv, const char *letters, const struct option *long_options) MUST_CHECK;
/* Prints that the option `word` (--NAME or --NAME=VALUE) is unknown. If another program has this option, the message
 * names pscan's option for it. Always returns STATUS_USAGE. */
enum status bad_word(const char *word) MUST_CHECK;

/* --- args_operator.c: the values of -op and --show-operator ------------------------------------------------------- */

/* Reads the value of -op, a list of operators joined by commas. Appends a struct operator_choice for each operator to
 * o->scan.operators. Also STATUS_SYSTEM after a message if a program's file exists but cannot be read. */
enum status args_operators(const char *value, struct options *o) MUST_CHECK;
/* Sets *choice to the operator of the table that `word` names, such as sum or ema:0.1. choice->name may point to the
 * word. option: the name of the option, for messages. STATUS_USAGE after a message if the word is not an operator, or
 * if its parameter is missing or wrong; *choice is then unchanged. */
enum status args_operator_of_table(const char *option, const char *word, struct operator_choice *choice) MUST_CHECK;
/* Checks that the operators fit the options, and sets has_program, has_types, has_texts, has_windows and uses_total of
 * o->scan. Before this, if has_emit, puts the expression of --emit around each of o->scan.ops, and if has_map that of
 * --map; an operator of the table becomes a program by it. inputs, names: as in struct program_around. Call it when all
 * options are known, with has_map false; and again if it turns out that programs evaluate --map or --emit. */
enum status args_settle_operators(struct options *o, bool has_map, bool has_emit, size_t inputs,
				  const struct text_part *names) MUST_CHECK;

/* --- args_fields.c: -f, -g, --reset-on, --reset-gap, --window and --plot-time ------------------------------------- */

/* How lines are cut decides the meaning of a value that is fields, so a value is noted first and read when all options
 * are known. */

/* The `set` function of these options except --window (struct option_row). Appends the option's value to
 * o->fields.noted. */
enum status args_list(const struct given_option *t, struct options *o) MUST_CHECK;
/* Reads the noted values into o->fields.lists. Sets o->text.gap and o->text.span to the distances of --reset-gap and
 * --window, except `count`, `marks` and is_plain, which belong to the plan. Call it once, when all options are known.
 * If an option was given several times, its list has the fields of all values. But --reset-gap, --window and
 * --plot-time have only those of the last value. --plot-time sets o->reports.plots. If it was not given but there is a
 * picture, the picture's times are those of --window; or, if --window has none, of --reset-gap; or, if this has none,
 * of --log. */
enum status args_fields_read(struct options *o) MUST_CHECK;
/* Reads one item of a list, a number, a range or a name, and appends its struct field_item to *fields. With --json and
 * --logfmt each item is a name. word: the item; it may be changed, and must live as long as *o. value: the item's
 * `value`. Messages begin with `option`. */
enum status args_field_word(const struct options *o, const char *option, const char *value, char *word,
			    struct bytes *fields) MUST_CHECK;
/* For --log: sets `first` and `last` of the items that are names, and o->text.checks.log_last. STATUS_USAGE after a
 * message if a name is not that of a field of logs. */
enum status args_fields_number_log(struct options *o) MUST_CHECK;
/* The names of the options of o->fields.lists, for messages. */
extern const char *const field_options[FIELD_LISTS];
/* Call this and the next functions after args_fields_read. If a scan would read only a terminal, and the last value of
 * one of these options is the name of a regular file, prints a warning: the file was perhaps meant as the input, as in
 * -g FILE. */
void args_fields_warn_of_files(const struct options *o);
/* Whether any of o->fields.lists has a field. */
bool args_fields_are_given(const struct options *o);
/* Whether a field is chosen by name. */
bool args_fields_have_names(const struct options *o);
/* Whether a range of fields has no end, as in -f 2-. The range ends with the last column (-c) or, without -c, with the
 * last field of the first record. */
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

/* Returns the meaning of a name. For MAP_WORD_NUMBERED *number becomes the number after x; otherwise it is unchanged.
 * number may be NULL. */
enum map_word args_map_word(const struct text_part *name, size_t *number);
/* Appends the expressions of --map to *texts, and the names that occur in them, each once, to *names: arrays of struct
 * text_part, which point into `map`. Does nothing if map is NULL. After a failure, too, the caller frees both. */
enum status args_map_cut(const char *map, struct bytes *texts, struct bytes *names) MUST_CHECK;
/* If --map names its fields itself: appends the fields to o->fields.numbers, in the order in which --map uses them, and
 * sets o->fields.are_of_map. --map names its fields if -f is not given and a name in --map is a MAP_WORD_FIELD; or if
 * neither -f nor -c is given, an option cuts lines into fields, and a name in --map is not a MAP_WORD_CONSTANT. Call it
 * after args_fields_read. */
enum status args_map_fields(struct options *o) MUST_CHECK;

/* --- args_text.c: the options for text: lines, fields, and tokens that are not numbers ---------------------------- */

/* The `set` functions (struct option_row) of the options of these names. Each sets its members of *o. */
enum status args_delimiter(const struct given_option *t, struct options *o) MUST_CHECK;
enum status args_tsv(const struct given_option *t, struct options *o) MUST_CHECK;
enum status args_header(const struct given_option *t, struct options *o) MUST_CHECK;
enum status args_no_header(const struct given_option *t, struct options *o) MUST_CHECK;
enum status args_comment(const struct given_option *t, struct options *o) MUST_CHECK;
enum status args_decimal(const struct given_option *t, struct options *o) MUST_CHECK;
enum status args_thousands(const struct given_option *t, struct options *o) MUST_CHECK;
enum status args_accept(const struct given_option *t, struct options *o) MUST_CHECK;
enum status args_number_format(const struct given_option *t, struct options *o) MUST_CHECK;
enum status args_missing(const struct given_option *t, struct options *o) MUST_CHECK;
enum status args_nan(const struct given_option *t, struct options *o) MUST_CHECK;

/* Checks that the options for text fit each other and the others. Sets what follows from them: `cut` and other members
 * of o->text, o->cut.finds_header, o->fields.are_lacking, and with --log the numbers of named fields. Call it last. */
enum status args_text_complete(struct options *o) MUST_CHECK;

#endif
