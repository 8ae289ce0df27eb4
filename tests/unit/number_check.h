/* What the unit tests of src/number/parse.h share. One program, one thread. */
#ifndef PSCAN_TESTS_NUMBER_CHECK_H
#define PSCAN_TESTS_NUMBER_CHECK_H

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "number/parse.h"
#include "number/write.h"
#include "random.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

/* So many random values for each promise. */
static unsigned long random_values = 60000;

/* PROGRAM [VALUES [SEED]] */
static inline void read_arguments(int argc, char **argv)
{
	if (argc > 1)
		random_values = strtoul(argv[1], NULL, 10);
	if (argc > 2)
		random_state = strtoull(argv[2], NULL, 10);
}

/* Parses a copy of exactly size bytes, so that reading behind the token is an error that a sanitizer sees. */
static inline enum number_result parse_bytes(const char *text, size_t size, const struct type *t, union value *value)
{
	char *token = malloc(size > 0 ? size : 1);
	if (token == NULL)
		return NUMBER_MEMORY;
	memcpy(token, text, size);
	const enum number_result result = number_parse(token, size, t, value);
	free(token);
	return result;
}

static inline enum number_result parse(const char *text, const struct type *t, union value *value)
{
	return parse_bytes(text, strlen(text), t, value);
}

/* Walks over a list of tokens that '|' separates. False behind the last. */
static inline bool next_token(const char *list, const char **token, size_t *size)
{
	const char *start = *token == NULL ? list : *token + *size + 1;
	if (*token != NULL && (*token)[*size] == '\0')
		return false;
	*token = start;
	*size = strcspn(start, "|");
	return true;
}

static inline void expect_invalid(const struct type *t, const char *token, size_t size)
{
	union value v = {.u64 = 42};
	EXPECT(parse_bytes(token, size, t, &v) == NUMBER_INVALID && v.u64 == 42, "%s takes \"%.*s\"", t->name,
	       (int)size, token);
}

/* The value is written as want. */
static inline void expect_text(const struct type *t, const union value *v, const char *want)
{
	char got[NUMBER_TEXT_MAX + 1];
	const size_t size = number_format(got, t, v);
	EXPECT(size <= NUMBER_TEXT_MAX && size == strlen(want) && memcmp(got, want, size) == 0,
	       "%s: \"%.*s\", not \"%s\"", t->name, (int)size, got, want);
}

#endif
