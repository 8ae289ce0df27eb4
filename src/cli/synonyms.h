/* What pscan's options and operators are called elsewhere: by awk, cut, sort, datamash, Miller, xan, pandas and SQL. */
#ifndef PSCAN_CLI_SYNONYMS_H
#define PSCAN_CLI_SYNONYMS_H

#include <stddef.h>

#include "scan/row.h"

/* Bytes of an advice, with its end. */
#define ADVICE_SIZE 96

/* Finds pscan's option for a word of `size` bytes (without dashes) that another program has, of one letter or several.
 * `advice` becomes what to write. False: no program here has it. Pure; any thread. */
bool synonym_of_option(const char *word, size_t size, char advice[ADVICE_SIZE]);

/* The operator that other programs call by this word. NULL: there is none, and *advice becomes the program that
 * computes it, or NULL if the word is not known. */
const struct scan_operator *synonym_of_operator(const char *word, size_t size, const char **advice);

/* The operator whose name elsewhere is spelled almost like this word, if the distance (base/word.h) is less than
 * *limit, which then becomes the distance. *found: there is such a word. */
const struct scan_operator *synonym_near_operator(const char *word, size_t size, size_t *limit, bool *found);

#endif
