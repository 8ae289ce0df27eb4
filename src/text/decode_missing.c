/* Which tokens are missing numbers. Most tokens that are looked at here are numbers that the fast ways did not take. */
#include <string.h>

#include "text/decode_private.h"
#include "text/marks.h"

/* Whether all columns of a field, of which k is the first, hold floats. */
static bool holds_floats(const struct decoder *c, const struct column *k)
{
	const struct column *const end = c->target->columns + c->target->column_count;
	bool floats = true;
	for (const struct column *next = k; next < end && next->field == k->field; next++)
		floats = floats && next->reading.type->kind == KIND_FLOAT;
	return floats;
}

const struct missing_rule *decode_missing_rule(const struct decoder *c, const struct column *k, const char *token,
					       size_t size)
{
	const struct text_rules *rules = c->rules;
	const char *marks = rules->tokens.marks != NULL ? rules->tokens.marks : MARKS_USUAL;
	/* (JSON's null is not one of a list's words.) */
	if (rules->cut == CUT_JSON && !c->chosen.fields[c->chosen.index].quoted && size == 4 &&
	    memcmp(token, "null", 4) == 0)
		return &rules->tokens.missing;
	/* Most tokens that come here are numbers all the same. */
	if (rules->tokens.marks == NULL && size > MARKS_USUAL_SIZE)
		return NULL;
	if (size > 0 && token[0] >= '0' && token[0] <= '9' && !rules->tokens.marks_have_digits)
		return NULL;
	if (marks_is_nan(token, size)) {
		const bool propagates = rules->tokens.has_nan && rules->tokens.nan.how == MISSING_PROPAGATE;
		if (rules->tokens.has_nan && !propagates)
			return &rules->tokens.nan;
		if (propagates && (rules->exact || holds_floats(c, k)))
			return NULL;
		if (rules->exact)
			return &rules->tokens.missing;
		if (rules->tokens.marks == NULL)
			return holds_floats(c, k) ? NULL : &rules->tokens.missing;
	}
	return marks_have(marks, token, size) ? &rules->tokens.missing : NULL;
}

/* No number or mark with escapes that is longer is looked at. */
#define ESCAPED_MAX 256

bool decode_find_missing(struct decoder *c, const struct column *k, const char **token, size_t *size,
			 const struct missing_rule **missing)
{
	const struct field *f = c->chosen.found != NULL ? &c->chosen.fields[c->chosen.index] : NULL;
	struct bytes *copy = c->target->key_bytes;
	*missing = NULL;
	if (f == NULL || !f->escaped) {
		*missing = decode_missing_rule(c, k, *token, *size);
		return true;
	}
	/* (As it is written, it is neither a number nor a mark: its backslashes are not part of what it says.) */
	if (f->token_size > ESCAPED_MAX)
		return true;
	if (bytes_reserve(copy, f->token_size) != STATUS_OK)
		return decode_out_of_memory(c);
	const char *said = (const char *)copy->data + copy->size;
	const size_t said_size = line_unescape(c->rules, f, (char *)copy->data + copy->size);
	*missing = decode_missing_rule(c, k, said, said_size);
	if (*missing != NULL || notation_is_number(&c->rules->tokens.notation, said, said_size)) {
		*token = said;
		*size = said_size;
	}
	return true;
}
