/* Lines that name their fields: what each format of them has in common with the others. */
#include "text/json.h"
#include "text/line_parts.h"
#include "text/logfmt.h"

bool line_find_named(const struct text_rules *rules, struct line *line, struct field *found, struct line_fault *fault)
{
	line->found = found;
	return rules->cut == CUT_JSON ? json_find(rules->members, line, found, fault)
				      : logfmt_find(rules->members, line, found, fault);
}

size_t line_unescape(const struct text_rules *rules, const struct field *f, char *to)
{
	return rules->cut == CUT_JSON ? json_unescape(f->token, f->token_size, to)
				      : logfmt_unescape(f->token, f->token_size, to);
}
