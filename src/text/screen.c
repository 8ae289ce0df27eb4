/* A tab goes to the next multiple of eight columns; another character takes one column, but for those of UTF-8 that
 * take two or none. */
#include "text/names.h"

#include "base/utf8.h"

/* The column after a text that begins at one. */
static uint64_t column_after(const char *p, const char *end, uint64_t column)
{
	while (p < end) {
		unsigned columns = 1;
		size_t size = 1;
		if ((unsigned char)*p >= 0x80)
			size = utf8_columns(p, end, &columns);
		column = *p == '\t' ? column / 8 * 8 + 8 : column + columns;
		p += size;
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

/* The fields of a line, struct names_item. */
static enum status list_items(const struct text_rules *rules, const struct line *line, struct bytes *items)
{
	struct names_item item = {0};
	const char *at = NULL;
	while (screen_next(rules, line, &at, &item))
		TRY(bytes_append(items, &item, sizeof item));
	return STATUS_OK;
}

enum status screen_place(const struct text_rules *rules, const struct line *header, const struct line *record,
			 struct screen_table *table)
{
	struct bytes fields = {0};
	enum status status = list_items(rules, header, &table->names);
	if (status == STATUS_OK)
		status = list_items(rules, record, &fields);
	const size_t name_count = table->names.size / sizeof(struct names_item);
	table->field_count = fields.size / sizeof(struct names_item);
	if (status == STATUS_OK)
		status = bytes_reserve(&table->numbers, (name_count + 1) * sizeof(uint64_t));
	if (status == STATUS_OK &&
	    names_place((const struct names_item *)(const void *)table->names.data, name_count,
			(const struct names_item *)(const void *)fields.data, (size_t)table->field_count,
			!text_by_blanks(rules), (uint64_t *)(void *)table->numbers.data, &table->shape))
		table->numbers.size = name_count * sizeof(uint64_t);
	bytes_free(&fields);
	return status;
}

uint64_t screen_number(const struct screen_table *table, size_t index)
{
	const uint64_t *numbers = (const uint64_t *)(const void *)table->numbers.data;
	return index < table->numbers.size / sizeof *numbers ? numbers[index] : 0;
}

void screen_table_free(struct screen_table *table)
{
	bytes_free(&table->numbers);
	bytes_free(&table->names);
}
