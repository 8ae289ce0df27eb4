/* What pscan's options and operators are called elsewhere: by awk, cut, sort, datamash, Miller, xan, pandas and SQL. */
#ifndef PSCAN_CLI_SYNONYMS_H
#define PSCAN_CLI_SYNONYMS_H

#include <stddef.h>

#include "scan/row.h"

/* Bytes of an advice, with its NUL. */
#define ADVICE_SIZE 96

/* All functions here are pure. Letters may be capital or small. */

/* Finds pscan's option for an option of another program: `word`, `size` bytes without dashes, one letter or several. A
 * name of an operator counts as an option, too. Sets `advice` to what the user should write instead. Returns false and
 * leaves `advice` alone if the word is not known. */
bool synonym_of_option(const char *word, size_t size, char advice[ADVICE_SIZE]);

/* Returns the word of --accept that has the meaning of `word`, `size` bytes, which may be misspelt. NULL: the word is
 * not known. Static. */
const char *synonym_of_accept(const char *word, size_t size);

/* Returns the operator that other programs call by this word of `size` bytes. *advice is then NULL. If pscan has no
 * such operator, returns NULL and sets *advice to a static text that fits after "WORD is " and says what to use
 * instead. If the word is not known, returns NULL and sets *advice to NULL. */
const struct scan_operator *synonym_of_operator(const char *word, size_t size, const char **advice);

/* Finds the word of other programs that is spelled most like `word`, `size` bytes, at a distance (base/word.h) of less
 * than *limit. *found becomes whether there is such a word. If there is, *limit becomes its distance, and the function
 * returns pscan's operator for it, or NULL if pscan has none. Otherwise *limit is unchanged, and the function returns
 * NULL. */
const struct scan_operator *synonym_near_operator(const char *word, size_t size, size_t *limit, bool *found);

#endif
