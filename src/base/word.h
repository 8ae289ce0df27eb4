/* Which of some words somebody may have meant. Pure functions. */
#ifndef PSCAN_BASE_WORD_H
#define PSCAN_BASE_WORD_H

#include <stdbool.h>
#include <stddef.h>

/* How many letters must be changed, added or left out to make one word of the other (Levenshtein 1966), capitals being
 * no others than small ones; SIZE_MAX if a is longer than names are. */
size_t word_distance(const char *a, size_t a_size, const char *b, size_t b_size);

/* What a word of so many letters may be changed by, less one: something of it must be right. */
size_t word_near_limit(size_t size);

/* Whether word is nearer to the wanted one than *limit, which becomes its distance. */
bool word_is_nearer(const char *wanted, size_t wanted_size, const char *word, size_t size, size_t *limit);

#endif
