/* A tab goes to the next multiple of eight columns, and a character of UTF-8 is one column wide. */
#include "text/screen.h"

/* The column after a text that begins at one. */
static uint64_t column_after(const char *p, const char *end, uint64_t column)
{
	for (; p < end; p++) {
		if (*p == '\t')
			column = column / 8 * 8 + 8;
		else
			column += ((unsigned char)*p & 0xc0) != 0x80;
	}
	return column;
}

bool screen_next(const struct text_rules *rules, const struct line *line, const char **at, struct names_item *item)
{
	const char *seen = *at == NULL ? line->start : *at;
	struct field f;
	if (!line_next_field(rules, line, at, &f))
		return false;
	const uint64_t begin = column_after(seen, f.start, item->end);
	*item = (struct names_item){.text = f.token,
				    .size = f.token_size,
				    .quoted = f.quoted,
				    .begin = begin,
				    .end = column_after(f.start, f.start + f.size, begin)};
	return true;
}

enum status screen_list(const struct text_rules *rules, const struct line *line, struct bytes *items)
{
	struct names_item item = {0};
	const char *at = NULL;
	enum status status = STATUS_OK;
	while (status == STATUS_OK && screen_next(rules, line, &at, &item))
		status = bytes_append(items, &item, sizeof item);
	return status;
}
