/* What an expression must not have although C allows it, since hardly anyone means it. For the files of expressions
 * (expression*.c) only. */
#ifndef PSCAN_LANGUAGE_EXPRESSION_PITFALLS_H
#define PSCAN_LANGUAGE_EXPRESSION_PITFALLS_H

#include "language/expression_text.h"
#include "language/syntax.h"

/* An expression that is checked. */
struct expression_pitfalls {
	const struct expression_text *text;
	const struct expression_terms *terms;
	bool is_for_device; /* A device's compiler evaluates it, by C's rules. */
	struct expression_error *error;
};

/* Checks the tree of an expression. False with *c->error if it compares the result of a comparison without brackets; if
 * a constant does not fit in its type when it is computed; if constant integers are divided with a remainder or by 0;
 * or if with terms->is_num a device would compute something else than num's rules. */
bool expression_avoids_pitfalls(const struct expression_pitfalls *c, const struct node *tree);

/* Reads a text into *t (expression_text_read), and sets *parser to its first token. *t borrows `text`, and *parser
 * borrows from *t. After a failure, too, the caller ends with expression_text_free and parser_free. STATUS_USAGE with
 * *error, without a message, if expression_text_read refuses the text; STATUS_SYSTEM after a message if memory is
 * missing. */
enum status expression_begin(const char *text, size_t size, struct expression_text *t, struct parser *parser,
			     struct expression_error *error) MUST_CHECK;

#endif
