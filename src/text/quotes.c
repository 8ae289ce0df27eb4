/* The rule is line.c's: a quote that stands where a field begins opens quotes, which the next one that is not doubled
 * closes. */
#include "text/quotes.h"

#include <string.h>

#include "text/line.h"

/* A run of bytes that is gone through. */
struct pass {
	const struct text_rules *rules;
	const char *begin, *end;
	const char *readable; /* bytes up to here can be read */
	const char *at;
	char before; /* the first byte */
	size_t line_end; /* the first one, or SIZE_MAX */
};

static char byte_before(const struct pass *p, const char *at)
{
	return at == p->begin ? p->before : at[-1];
}

static void end_line(struct pass *p, const char *end)
{
	if (p->line_end == SIZE_MAX)
		p->line_end = (size_t)(end - p->begin);
}

/* Up to what is to be looked at next within a line, or the end of it. */
static enum quotes pass_plain(struct pass *p)
{
	const bool is_csv = p->rules->cut == CUT_CSV;
	if (byte_before(p, p->at) == '\n') {
		end_line(p, p->at);
		if (is_csv && line_is_comment(p->rules, p->at, p->readable))
			return QUOTES_COMMENT;
	}
	const char *newline = memchr(p->at, '\n', (size_t)(p->end - p->at));
	const char *end = newline != NULL ? newline + 1 : p->end;
	const char *quote = is_csv ? memchr(p->at, '"', (size_t)(end - p->at)) : NULL;
	p->at = quote != NULL ? quote + 1 : end;
	if (quote == NULL && newline != NULL)
		end_line(p, end);
	if (quote == NULL)
		return QUOTES_NONE;
	const char before = byte_before(p, quote);
	return before == '\n' || before == p->rules->delimiter ? QUOTES_OPEN : QUOTES_NONE;
}

static enum quotes pass_comment(struct pass *p)
{
	const char *newline = memchr(p->at, '\n', (size_t)(p->end - p->at));
	p->at = newline != NULL ? newline + 1 : p->end;
	if (newline != NULL)
		end_line(p, p->at);
	return newline != NULL ? QUOTES_NONE : QUOTES_COMMENT;
}

static enum quotes pass_quoted(struct pass *p)
{
	const char *quote = memchr(p->at, '"', (size_t)(p->end - p->at));
	p->at = quote != NULL ? quote + 1 : p->end;
	return quote != NULL ? QUOTES_ENDING : QUOTES_OPEN;
}

size_t quotes_pass(const struct text_rules *rules, const char *bytes, size_t size, size_t ahead,
		   struct quotes_place *place)
{
	struct pass p = {.rules = rules,
			 .begin = bytes,
			 .end = bytes + size,
			 .readable = bytes + size + ahead,
			 .at = bytes,
			 .before = place->before,
			 .line_end = SIZE_MAX};
	enum quotes q = place->quotes;
	while (p.at < p.end) {
		if (q == QUOTES_COMMENT) {
			q = pass_comment(&p);
		} else if (q == QUOTES_OPEN) {
			q = pass_quoted(&p);
		} else if (q == QUOTES_ENDING && *p.at == '"') {
			q = QUOTES_OPEN;
			p.at++;
		} else {
			q = pass_plain(&p);
		}
	}
	if (size > 0)
		*place = (struct quotes_place){.quotes = q, .before = bytes[size - 1]};
	return p.line_end;
}
