/* Finds the word that a misspelt one was probably meant to be. Pure functions. */
#ifndef PSCAN_BASE_WORD_H
#define PSCAN_BASE_WORD_H

#include <stdbool.h>
#include <stddef.h>

/* Returns how many letters (bytes) to change, add or remove to turn one word into the other (Levenshtein 1966). Capital
 * and small letters are equal. SIZE_MAX if `a` has more than 64 letters. */
size_t word_distance(const char *a, size_t a_size, const char *b, size_t b_size);

/* Returns the distance at which a word of `size` letters is no longer a likely correction: 3, or for words of less than
 * 4 letters one more than half of their letters (rounded down). */
size_t word_near_limit(size_t size);

/* Returns whether `word` is a likely correction of `wanted`: their distance is less than *limit. A distance of 2 or
 * more must also be less than the number of letters of `word`, so that "or" is no correction of "corr". If true, *limit
 * becomes the distance; otherwise *limit is unchanged. */
bool word_is_nearer(const char *wanted, size_t wanted_size, const char *word, size_t size, size_t *limit);

/* Whether a list has a word. There is one blank between the list's words. Capital and small letters are equal. False
 * for words of more than 64 letters. */
bool word_is_listed(const char *word, size_t size, const char *list);
/* Whether word_is_nearer is true for some words of a list, which has one blank between its words. If so, *limit becomes
 * the least distance. */
bool word_is_near_listed(const char *wanted, size_t wanted_size, const char *list, size_t *limit);

#endif
