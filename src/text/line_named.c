/* Functions that call those of the line's format. */
#include "text/json.h"
#include "text/logfmt.h"
#include "text/quotes.h"

bool line_find_named(const struct text_rules *rules, struct line *line, struct field *found, struct json_names *names,
		     struct line_fault *fault)
{
	line->found = found;
	return rules->cut == CUT_JSON ? json_find(rules->members, line, found, names, fault)
				      : logfmt_find(rules->members, line, found, fault);
}

size_t line_unescape(const struct text_rules *rules, const struct field *f, char *to)
{
	if (text_names_fields(rules))
		return rules->cut == CUT_JSON ? json_unescape(f->token, f->token_size, to)
					      : logfmt_unescape(f->token, f->token_size, to);
	const char *end = f->token + f->token_size;
	size_t size = 0;
	for (const char *p = f->token; p < end; p = quotes_next(p, end))
		to[size++] = *p;
	return size;
}
