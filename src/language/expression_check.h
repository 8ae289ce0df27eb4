/* What an expression must not have although C allows it, since hardly anyone means it. For the files of expressions
 * (expression*.c) only. */
#ifndef PSCAN_LANGUAGE_EXPRESSION_CHECK_H
#define PSCAN_LANGUAGE_EXPRESSION_CHECK_H

#include "language/expression_text.h"
#include "language/syntax.h"

/* An expression that is checked. */
struct expression_check {
	const struct expression_text *text;
	const struct expression_terms *terms;
	bool is_for_device; /* A device's compiler evaluates it, by C's rules. */
	struct expression_error *error;
};

/* Checks a tree. False with the error if it compares what a comparison gives, without brackets; if constants do not fit
 * in their type when they are computed, or are divided with a remainder or by 0; or if on a device it would give
 * something else than by num's rules. */
bool expression_check(const struct expression_check *c, const struct node *tree);

/* Reads a text into *t, and makes a parser of its tokens. After a failure, too, the caller ends with
 * expression_text_free and parser_free. Fails as expression_text_read. */
enum status expression_begin(const char *text, size_t size, struct expression_text *t, struct parser *parser,
			     struct expression_error *error) MUST_CHECK;

#endif
