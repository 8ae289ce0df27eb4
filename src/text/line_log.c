/* Fields of a web server's log. Blanks separate them. Quotes and brackets begin and end within a line, and a backslash
 * escapes a quote. */
#include "text/line_parts.h"

#include <string.h>

/* Where the quotes or brackets that begin at p end, what closes them included; NULL: not in this line. */
static const char *log_quotes_end(const char *p, const char *end)
{
	const char close = *p == '[' ? ']' : '"';
	for (const char *q = p + 1; (q = memchr(q, close, (size_t)(end - q))) != NULL; q++) {
		const char *escape = q; /* the first of the backslashes before it */
		while (close == '"' && escape - 1 > p && escape[-1] == '\\')
			escape--;
		if ((q - escape) % 2 == 0)
			return q + 1;
	}
	return NULL;
}

bool line_next_in_log(const struct line *line, const char *p, struct field *f)
{
	while (p < line->end && is_blank(*p))
		p++;
	if (p == line->end || (*p != '"' && *p != '['))
		return line_next_by_blanks(line, p, f);
	const char *close = log_quotes_end(p, line->end);
	struct field rest = {.start = line->end};
	/* What follows at once belongs to it. */
	if (close != NULL && close < line->end && !is_blank(*close))
		(void)line_next_by_blanks(line, close, &rest);
	else if (close != NULL)
		rest.start = close;
	const char *end = rest.start + rest.size;
	*f = (struct field){.start = p, .size = (size_t)(end - p), .quoted = end == close};
	line_set_token(p + f->quoted, end - f->quoted, f);
	return true;
}

/* Whether a token has only digits, of which there are at least `least` and at most `most`, or is "-". */
static bool is_count(const struct field *f, size_t least, size_t most)
{
	size_t digits = 0;
	while (digits < f->token_size && f->token[digits] >= '0' && f->token[digits] <= '9')
		digits++;
	return digits == f->token_size ? digits >= least && digits <= most : f->token_size == 1 && *f->token == '-';
}

/* Whether the field with this number may stand there in a log. (An unescaped quote within the request closes it, and
 * what follows is then not a status.) */
static bool is_in_place(const struct field *f, uint64_t number)
{
	const bool is_status = number == LOG_STATUS;
	if (number < LOG_TIME)
		return true;
	if (is_status || number == LOG_BYTES)
		return is_count(f, is_status ? 3 : 1, is_status ? 3 : SIZE_MAX);
	return f->quoted && *f->start == (number == LOG_TIME ? '[' : '"');
}

bool line_is_log(struct line *line, uint64_t last, struct line_fault *fault)
{
	static const char *const faults[LOG_AGENT + 1] = {
		[LOG_TIME] = "not the Common Log Format, whose field 4 is a time in brackets",
		[LOG_REQUEST] = "not the Common Log Format, whose field 5 is a request in quotes",
		[LOG_STATUS] = "not the Common Log Format, whose field 6 is a status of three digits",
		[LOG_BYTES] = "not the Common Log Format, whose field 7 is a number of bytes or -",
		[LOG_REFERER] = "not the Combined Log Format, whose field 8 is a referer in quotes",
		[LOG_AGENT] = "not the Combined Log Format, whose field 9 is an agent in quotes",
	};
	const char *p = line->start;
	struct field f;
	uint64_t number = 1;
	for (; number <= last && line_next_in_log(line, p, &f) && is_in_place(&f, number); number++) {
		p = f.start + f.size;
		if (number == LOG_STATUS)
			line->past_status = p;
	}
	if (number > last || (f.size == 0 && number > LOG_BYTES))
		return true;
	*fault = (struct line_fault){.what = faults[number < LOG_TIME ? LOG_TIME : number], .at = f.start};
	return false;
}

void line_find_in_log(const struct line *line, uint64_t number, struct field *f)
{
	const bool is_past = line->past_status != NULL && number > LOG_STATUS;
	const char *p = is_past ? line->past_status : line->start;
	for (uint64_t i = is_past ? LOG_STATUS + 1 : 1; i <= number; i++) {
		if (!line_next_in_log(line, p, f)) {
			set_absent(line, number - i + 1, f);
			return;
		}
		p = f->start + f->size;
	}
}
