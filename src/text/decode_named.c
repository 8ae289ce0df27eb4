/* What only lines have that name their fields: values with escapes, and places within them. */
#include <string.h>

#include "text/decode_private.h"
#include "text/hint.h"
#include "text/json.h"

bool decode_ends_in_returns(struct decoder *c)
{
	const char *p = c->next;
	if (!c->target->begins_file || c->rules->cut == CUT_JSON)
		return false; /* (JSON may have them between its tokens.) */
	for (uint64_t i = 0; i < c->target->header_lines && p != NULL; i++) {
		p = memchr(p, '\n', (size_t)(c->end - p));
		p = p != NULL ? p + 1 : NULL;
	}
	if (p == NULL || p == c->end || memchr(p, '\n', (size_t)(c->end - p)) != NULL ||
	    !line_read(c->rules, p, c->end, &c->line) || !line_has_return(c->rules, &c->line) ||
	    line_is_comment(c->rules, p, c->end))
		return false;
	c->record = p;
	(void)decode_fail_line(c, "a carriage return within the line", NULL, hint_of_returns);
	/* Nothing comes out, the header neither. */
	c->record = c->counted = c->begin;
	c->newlines = 0;
	return true;
}

enum status decode_append_text(const struct text_rules *rules, const struct field *f, struct bytes *out)
{
	const bool is_json = rules->cut == CUT_JSON;
	if (!line_has_escapes(rules, f))
		return is_json ? bytes_append(out, f->start, f->size) : bytes_append(out, f->token, f->token_size);
	/* The field's unescaped text is put after the room for the appended bytes. */
	const size_t room = JSON_STRING_SIZE(f->token_size);
	TRY(bytes_reserve(out, room + f->token_size));
	char *said = (char *)out->data + out->size + room;
	const size_t size = line_unescape(rules, f, said);
	return is_json ? json_append_string(out, said, size) : bytes_append(out, said, size);
}
