/* A comparison of vectors gives -1 where one of numbers gives 1: so it may stand only where nothing but its truth
 * counts. */
#include "language/conditions.h"

#include <string.h>

size_t copier_closing(const struct copier *c, size_t i)
{
	const struct token *after = token_after_bracket(c->tokens + i, c->tokens + c->count);
	return after != NULL ? (size_t)(after - c->tokens) - 1 : c->count;
}

size_t copier_opening(const struct copier *c, size_t i)
{
	size_t depth = 0;
	for (;; i--) {
		depth += token_closes(&c->tokens[i]);
		depth -= token_opens(&c->tokens[i]);
		if (depth == 0 || i == 0)
			return i;
	}
}

bool conditions_asks(const struct token *t)
{
	return token_is(t, "for") || token_is(t, "if") || token_is(t, "while");
}

size_t conditions_operator_size(const struct copier *c, size_t i, size_t end)
{
	const struct token *t = &c->tokens[i];
	const struct token *next = i + 1 < end && token_touches(t, t + 1) ? t + 1 : NULL;
	const bool follows = i > 0 && token_touches(t - 1, t);
	if (token_is_one_of(t, "=!") && next != NULL && token_is(next, "="))
		return 2;
	if (token_is(t, "!"))
		return 1;
	if (token_is_one_of(t, "&|") && next != NULL && token_is_same(t, next))
		return 2;
	if (!token_is_one_of(t, "<>") || (next != NULL && token_is_same(t, next)) ||
	    (follows && token_is_same(t - 1, t)))
		return 0;
	return next != NULL && token_is(next, "=") ? 2 : 1;
}

static bool has_logical(const struct copier *c, size_t first, size_t end)
{
	bool has = false;
	for (size_t i = first; i < end && !has; i++)
		has = conditions_operator_size(c, i, end) > 0;
	return has;
}

/* Whether the value of the tokens is true or false and no number, and what makes it so is nothing else; these are
 * judged. */
static bool is_condition(struct copier *c, size_t first, size_t end)
{
	size_t comparison = end;
	if (first == end)
		return false;
	if (token_is(&c->tokens[first], "(") && copier_closing(c, first) + 1 == end)
		return is_condition(c, first + 1, end - 1);
	for (size_t i = first; i < end; i++) {
		const struct token *t = &c->tokens[i];
		if (token_opens(t)) {
			i = copier_closing(c, i);
			continue;
		}
		const size_t size = conditions_operator_size(c, i, end);
		if (size == 2 && token_is_one_of(t, "&|")) {
			c->judged.data[i] = c->judged.data[i + 1] = 1;
			return is_condition(c, first, i) && is_condition(c, i + 2, end);
		}
		if (size > 0 && (size == 2 || !token_is(t, "!"))) {
			if (comparison < end)
				return false;
			comparison = i;
			i += size - 1;
		} else if (token_is_one_of(t, "=?:,&|^")) {
			return false;
		}
	}
	if (comparison == end) {
		c->judged.data[first] = 1;
		return token_is(&c->tokens[first], "!") && is_condition(c, first + 1, end);
	}
	const size_t size = conditions_operator_size(c, comparison, end);
	memset(c->judged.data + comparison, 1, size);
	return !has_logical(c, first, comparison) && !has_logical(c, comparison + size, end);
}

bool conditions_assigns(const struct copier *c, size_t i)
{
	const struct token *t = &c->tokens[i];
	const bool is_second =
		i > 0 && token_touches(t - 1, t) && token_is_one_of(t - 1, "=!<>") &&
		!(i > 1 && token_is_one_of(t - 1, "<>") && token_touches(t - 2, t - 1) && token_is_same(t - 2, t - 1));
	const bool is_first = i + 1 < c->count && token_touches(t, t + 1) && token_is(t + 1, "=");
	return token_is(t, "=") && !is_second && !is_first;
}

bool conditions_judge_choice(struct copier *c, size_t question)
{
	size_t i = question;
	for (; i > 0; i--) {
		const struct token *t = &c->tokens[i - 1];
		if (token_closes(t) && !token_is(t, "}"))
			i = copier_opening(c, i - 1) + 1;
		else if (token_opens(t) || token_is_one_of(t, ",;}?:") || token_is(t, "return") ||
			 conditions_assigns(c, i - 1))
			break;
	}
	return is_condition(c, i, question);
}

/* An if, while or for asks for a comparison of numbers: one of vectors is refused by the compiler. But it asks only
 * for the last of several expressions, and an assigned value may be any number. */
bool conditions_judge_statement(struct copier *c, size_t i)
{
	const bool is_loop = token_is(&c->tokens[i], "for");
	size_t first = i + 2;
	if (!conditions_asks(&c->tokens[i]) || i + 1 == c->count)
		return true;
	size_t end = copier_closing(c, i + 1);
	if (is_loop) {
		while (first < end && !token_is(&c->tokens[first], ";"))
			first++;
		for (size_t k = end; k > first; k--)
			end = token_is(&c->tokens[k - 1], ";") && k - 1 > first ? k - 1 : end;
	}
	for (size_t k = first; k < end; k++) {
		if (token_is(&c->tokens[k], ",") || conditions_assigns(c, k))
			return false;
		c->judged.data[k] = 1;
	}
	return true;
}
