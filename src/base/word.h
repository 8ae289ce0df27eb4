/* Finds the word that a misspelt one was probably meant to be. Pure functions. */
#ifndef PSCAN_BASE_WORD_H
#define PSCAN_BASE_WORD_H

#include <stdbool.h>
#include <stddef.h>

/* Returns how many letters to change, add or remove to turn one word into the other (Levenshtein 1966). Capital and
 * small letters are equal. SIZE_MAX if `a` has more than 64 letters. */
size_t word_distance(const char *a, size_t a_size, const char *b, size_t b_size);

/* Returns the distance at which a word of `size` letters is no longer a likely correction: 3, or for short words one
 * more than half of their letters. */
size_t word_near_limit(size_t size);

/* Returns whether `word` is a likely correction of `wanted`: their distance is less than *limit. A distance of 2 or
 * more must also be less than the number of letters of `word`, so that "or" is no correction of "corr". If true,
 * *limit becomes the distance. */
bool word_is_nearer(const char *wanted, size_t wanted_size, const char *word, size_t size, size_t *limit);

/* Whether a list, whose words have blanks between them, has a word. Capital and small letters are equal. */
bool word_is_listed(const char *word, size_t size, const char *list);
/* Whether word_is_nearer is true for some words of such a list. If so, *limit becomes the least distance. */
bool word_is_near_listed(const char *wanted, size_t wanted_size, const char *list, size_t *limit);

#endif
