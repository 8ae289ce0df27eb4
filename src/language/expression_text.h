/* The text of an expression as tokens. For the files of expressions (expression*.c) only. */
#ifndef PSCAN_LANGUAGE_EXPRESSION_TEXT_H
#define PSCAN_LANGUAGE_EXPRESSION_TEXT_H

#include "language/expression.h"

/* An expression's text, and its tokens. All zero: empty. */
struct expression_text {
	const char *text; /* Borrowed. */
	/* The text, in which each name in braces, and each character beyond ASCII, is as many underscores. Owned. */
	struct bytes plain;
	struct token_list tokens; /* The tokens of `plain`. Owned. */
};

/* Reads an expression of `size` bytes into *t, and clears *error. After a failure, too, the caller ends with
 * expression_text_free. STATUS_USAGE with *error, without a message, if the text is empty or too long, has characters
 * that no expression has, or a name in braces that is empty, not closed, or beside another word; STATUS_SYSTEM after a
 * message if memory is missing. */
enum status expression_text_read(const char *text, size_t size, struct expression_text *t,
				 struct expression_error *error) MUST_CHECK;
/* Frees what expression_text_read made. */
void expression_text_free(struct expression_text *t);

/* Returns a token as the user wrote it. */
struct text_part expression_text_written(const struct expression_text *t, const struct token *token);

/* Sets the error's place to the token and its reason to `why`, which is copied. Always false. */
bool expression_refuse(struct expression_error *error, const struct expression_text *t, const struct token *token,
		       const char *why);

/* Reads a number as C writes it. Its type follows from its form and its suffix; is_num: an integer without a suffix is
 * an i64. False with *error if the token is not a number, or fits in no type; *constant is then of no use. */
bool expression_number(const struct expression_text *t, const struct token *token, bool is_num,
		       struct expression_constant *constant, struct expression_error *error);
/* Reads a number as an exact decimal: digits, perhaps with a point and an exponent, or octal digits after a 0. False,
 * without an error, if the token is not such a number, or has too many digits; *constant is then of no use. */
bool expression_decimal(const struct token *token, struct expression_constant *constant);

#endif
