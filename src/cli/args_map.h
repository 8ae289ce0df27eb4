/* The fields that --map names. */
#ifndef PSCAN_CLI_ARGS_MAP_H
#define PSCAN_CLI_ARGS_MAP_H

#include "cli/args.h"
#include "language/tokens.h"

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
 * *names. STATUS_USAGE after a message if an expression is wrong, STATUS_SYSTEM after a message if memory is
 * missing. */
enum status args_map_cut(const char *map, struct bytes *texts, struct bytes *names) MUST_CHECK;

/* If --map chooses its fields itself, by name: appends them to o->fields.numbers, in the order in which --map uses
 * them, and sets o->fields.are_of_map. This is so without -f if some name is neither x, x0, ... nor i, or if lines are
 * cut into fields, of which none is chosen. Call it after args_fields_read. STATUS_USAGE after a message if a name is
 * no field's, STATUS_SYSTEM after a message if memory is missing. */
enum status args_map_fields(struct options *o) MUST_CHECK;

#endif
