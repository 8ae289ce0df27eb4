/* Whether lines have the shape that the header and the first record gave them, where fields were chosen by their
 * names. */
#include <inttypes.h>
#include <stdio.h>

#include "text/decode_state.h"
#include "text/screen.h"

int decode_say_counts(uint64_t field_count, uint64_t name_count, char *text, size_t size)
{
	return snprintf(text, size, "%" PRIu64 " field%s, the header has %" PRIu64 " name%s", field_count,
			field_count == 1 ? "" : "s", name_count, name_count == 1 ? "" : "s");
}

/* Whether a name is over the field of that number, and over none after it that fits better. */
static bool is_over(const struct decoder *c, const struct names_item *name, uint64_t number)
{
	struct names_item field = {0};
	const char *at = NULL;
	uint64_t own = 0;
	for (uint64_t i = 1; screen_next(c->rules, &c->line, &at, &field); i++) {
		if (i > number && field.begin >= name->end)
			break;
		const uint64_t fit = i >= number ? names_fit(name, &field) : 0;
		own = i == number ? fit : own;
		if (fit > own)
			return false;
	}
	return own > 0;
}

/* Between blanks: fewer fields than usual, or more of them of which some may have come before a chosen one. (After
 * it they are words of the last name's.) */
static bool lines_up_by_columns(const struct decoder *c)
{
	const struct names_item *names = c->target->table->names;
	struct field f;
	line_find_field(c->rules, &c->line, c->shape->least + 1, &f);
	if (f.absent)
		return f.absent_count == 1;
	bool are_over = true;
	for (size_t i = 0; i < c->rules->total_count && are_over; i++)
		are_over = names[i].end == 0 || is_over(c, &names[i], c->target->fields[i]);
	return are_over;
}

bool decode_lines_up(struct decoder *c)
{
	const struct names_shape *shape = c->shape;
	struct field f;
	c->lacking = 0;
	if (shape->least > 0)
		return lines_up_by_columns(c);
	line_find_field(c->rules, &c->line, shape->most, &f);
	if (!f.absent && f.start + f.size < c->line.end)
		return false;
	c->lacking = f.absent ? (size_t)f.absent_count : 0;
	bool are_empty = true;
	for (uint64_t number = shape->most - shape->ended + 1; number <= shape->most && are_empty; number++) {
		line_find_field(c->rules, &c->line, number, &f);
		are_empty = f.token_size == 0;
	}
	return are_empty;
}

bool decode_fail_counts(struct decoder *c)
{
	char what[128];
	const uint64_t count = decode_count_fields(c);
	const bool has_more = c->shape->least > 0 && count > c->shape->least;
	(void)decode_say_counts(count, c->shape->name_count, what, sizeof what);
	return decode_fail_line(c, what, NULL,
				has_more ? " (a blank within a field? see --invalid)" : " (see --invalid)");
}
