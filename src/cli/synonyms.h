/* What pscan's options and operators are called elsewhere: by awk, cut, sort, datamash, Miller, xan, pandas and SQL. */
#ifndef PSCAN_CLI_SYNONYMS_H
#define PSCAN_CLI_SYNONYMS_H

#include <stddef.h>

#include "scan/row.h"

/* Bytes of an advice, with its end. */
#define ADVICE_SIZE 96

/* What to write for an option of `size` bytes, without its dashes: of several letters in `advice`, or of one. False: it
 * is not known elsewhere either. Pure; any thread. */
bool synonym_of_option(const char *word, size_t size, char advice[ADVICE_SIZE]);

/* The operator that is called so elsewhere. NULL: there is none, and *advice becomes what computes that, or NULL if the
 * word is not known. */
const struct scan_operator *synonym_of_operator(const char *word, size_t size, const char **advice);

/* The same of a word that is spelled almost so, if it is nearer than *limit, which becomes its distance (base/word.h).
 * *found: one is. */
const struct scan_operator *synonym_near_operator(const char *word, size_t size, size_t *limit, bool *found);

#endif
