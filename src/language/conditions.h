/* Where a program's text has conditions: for side_by_side.c alone, whose state this works on. */
#ifndef PSCAN_LANGUAGE_CONDITIONS_H
#define PSCAN_LANGUAGE_CONDITIONS_H

#include "language/tokens.h"

struct copier {
	const struct token *tokens;
	size_t count;
	const struct constant *constants;
	size_t constant_count, directive_count;
	struct bytes wanted; /* a byte a token: it belongs to a declaration that is copied */
	struct bytes judged; /* a byte a token: a comparison whose value is nothing but a condition */
	struct bytes *out;
	size_t number_size; /* of the numbers; 0: none yet */
	bool has_signed, has_unsigned, has_float, has_choice, has_division; /* (by what may be 0) */
	bool is_dear; /* to combine costs more than to bring numbers into vectors */
	enum status status;
};

/* The index of the bracket that closes, or opens, the one at i; all are closed. */
size_t copier_closing(const struct copier *c, size_t i);
size_t copier_opening(const struct copier *c, size_t i);

/* How many tokens the comparison or logical operator at i has; 0: there is none. */
size_t conditions_operator_size(const struct copier *c, size_t i, size_t end);
/* Whether the = at i assigns. */
bool conditions_assigns(const struct copier *c, size_t i);
/* Whether the word stands before brackets after which a statement begins. */
bool conditions_asks(const struct token *t);
/* Marks in c->judged what makes the condition of the ? true or false. False: that is no condition, or it is not known
 * to be one. */
bool conditions_judge_choice(struct copier *c, size_t question);
/* The same of the if, while or for at i. True where there is none. */
bool conditions_judge_statement(struct copier *c, size_t i);

#endif
