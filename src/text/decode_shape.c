/* Whether lines have the shape that the header and the first record gave them, where fields were chosen by their names,
 * or where a number may contain the delimiter. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "text/decode_private.h"
#include "text/hint.h"
#include "text/names.h"

int decode_say_misfit(const struct decode_misfit *m, char *text, size_t size)
{
	if (m->name != NULL)
		return snprintf(text, size, "field %" PRIu64 " is not under its name %s", m->number,
				message_quoted(m->name));
	return snprintf(text, size, "%" PRIu64 " field%s, the %s %" PRIu64 "%s%s", m->field_count,
			m->field_count == 1 ? "" : "s", m->is_of_header ? "header has" : "first record has", m->wanted,
			m->is_of_header ? " name" : "", m->is_of_header && m->wanted != 1 ? "s" : "");
}

/* Whether a name fits the field of that number at least so well, and none after it better. */
static bool fits(const struct decoder *c, const struct names_item *name, uint64_t number, uint64_t least)
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
	return own >= least;
}

/* The index of the first chosen field whose name does not fit it at least so well, or the count of chosen fields. least
 * 1: it is not under its name. */
static size_t find_unfit(const struct decoder *c, uint64_t least)
{
	const struct names_item *names = c->target->table->names;
	size_t i = 0;
	while (i < c->rules->total_count && (names[i].end == 0 || fits(c, &names[i], c->target->fields[i], least)))
		i++;
	return i;
}

/* Whether the columns of a line's bytes before `end` are their places, as no tab and no character of UTF-8 is there. */
static bool are_bytes_columns(const struct line *line, const char *end)
{
	bool are = true;
	for (const char *p = line->start; p < end; p += sizeof(uint64_t)) {
		uint64_t bytes;
		memcpy(&bytes, p, sizeof bytes); /* (LINE_PADDING bytes follow) */
		const uint64_t low = bytes ^ UINT64_C(0x0909090909090909);
		const uint64_t tabs = (low - UINT64_C(0x0101010101010101)) & ~low;
		are = are && ((bytes | tabs) & UINT64_C(0x8080808080808080)) == 0;
	}
	return are;
}

/* Whether it is seen at once that a name is not over another field than its own. */
static bool is_plainly_over(const struct decoder *c, const struct names_item *name, uint64_t number)
{
	struct field f;
	line_find_field(c->rules, &c->line, number, &f);
	const struct names_item field = {.begin = (uint64_t)(f.start - c->line.start),
					 .end = (uint64_t)(f.start - c->line.start) + f.size};
	const uint64_t least = c->shape->is_aligned ? NAMES_ALIGNED : 1;
	return !f.absent && names_fit(name, &field) >= least && are_bytes_columns(&c->line, f.start + f.size);
}

/* Whether a name of the header is over another field than the one with that number. */
static bool is_elsewhere(const struct decoder *c, uint64_t name, uint64_t number)
{
	struct names_weight w = {.labels = c->shape->labels};
	struct names_item field = {0};
	const char *at = NULL;
	for (uint64_t i = 1; screen_next(c->rules, &c->line, &at, &field); i++)
		names_weigh(&w, c->target->table->all_names, name - 1, number, i, &field);
	return names_is_elsewhere(&w, c->shape->is_aligned);
}

/* The index of the first chosen field whose name is over another one, or the count of chosen fields. */
static size_t find_elsewhere(const struct decoder *c)
{
	const struct header_table *t = c->target->table;
	size_t i = 0;
	while (i < c->rules->total_count &&
	       (t->names[i].end == 0 || is_plainly_over(c, &t->names[i], c->target->fields[i]) ||
		!is_elsewhere(c, t->numbers[i], c->target->fields[i])))
		i++;
	return i;
}

/* Between blanks: fewer fields than usual, of which some before a chosen one may be missing, or more of them, of which
 * some may have come before a chosen one. (After it they are words of the last name's.) */
static bool lines_up_by_columns(const struct decoder *c)
{
	struct field f;
	line_find_field(c->rules, &c->line, c->shape->least + 1, &f);
	/* (A result at the end of a short line would be in the place of another field.) */
	const bool may_be_short = c->shape->is_laid_out && c->rules->output.lines != LINES_APPENDED;
	if (f.absent && f.absent_count == 1)
		return !c->shape->is_lined_up || find_elsewhere(c) == c->rules->total_count;
	if (f.absent)
		return may_be_short && find_unfit(c, NAMES_ALIGNED) == c->rules->total_count;
	return find_unfit(c, 1) == c->rules->total_count;
}

bool decode_lines_up(struct decoder *c)
{
	const struct names_shape *shape = c->shape;
	struct field f;
	c->faults.lacking = 0;
	if (shape->least > 0)
		return lines_up_by_columns(c);
	line_find_field(c->rules, &c->line, shape->most, &f);
	if (!f.absent && f.start + f.size < c->line.end)
		return false;
	/* (Without a header, no names would stand above fields that are added.) */
	c->faults.lacking = f.absent && shape->name_count > 0 ? (size_t)f.absent_count : 0;
	bool are_empty = true;
	for (uint64_t number = shape->most - shape->ended + 1; number <= shape->most && are_empty; number++) {
		line_find_field(c->rules, &c->line, number, &f);
		are_empty = f.token_size == 0;
	}
	return are_empty;
}

struct decode_misfit decode_misfit(const struct decoder *c)
{
	const struct names_shape *shape = c->shape;
	struct decode_misfit m = {.field_count = line_count_fields(c->rules, &c->line), .wanted = shape->name_count};
	size_t shifted = c->rules->total_count;
	if (shape->least > 0 && m.field_count >= shape->least)
		shifted = m.field_count > shape->least ? find_unfit(c, 1) : find_elsewhere(c);
	if (shifted < c->rules->total_count) {
		m.name = c->rules->fields[shifted].name;
		m.number = c->target->fields[shifted];
	}
	/* Where labels have no name, or a name has two words, the header's count tells nothing. */
	m.is_of_header = shape->least > 0
				 ? shape->least == shape->name_count
				 : shape->field_count <= shape->name_count || m.field_count <= shape->field_count;
	if (!m.is_of_header)
		m.wanted = shape->field_count;
	return m;
}

/* The number from the end of the only chosen field, if the field with that number is under its name: fields before it
 * are missing, or have blanks within. 0: that does not explain the line, or several fields were chosen. */
static uint64_t number_from_end(const struct decoder *c, uint64_t field_count)
{
	const struct names_item *name = c->target->table->names;
	const uint64_t number = c->target->fields[0];
	const uint64_t after = c->shape->field_count - number;
	const bool can_be =
		c->rules->total_count == 1 && name->end > 0 && number <= c->shape->field_count && after < field_count;
	return can_be && fits(c, name, field_count - after, 1) ? after + 1 : 0;
}

bool decode_fail_shape(struct decoder *c)
{
	char what[MESSAGE_QUOTED_SIZE + 64];
	char hint[96];
	const struct decode_misfit m = decode_misfit(c);
	const uint64_t from_end = c->shape->least > 0 ? number_from_end(c, m.field_count) : 0;
	(void)decode_say_misfit(&m, what, sizeof what);
	const char *guess = m.name != NULL ? "a blank within a field? " : "";
	const char *of_bytes = hint_of_line_bytes(&c->line);
	if (of_bytes != NULL)
		(void)snprintf(hint, sizeof hint, "%s", of_bytes);
	else if (text_delimiter_is_mark(c->rules))
		(void)snprintf(hint, sizeof hint, "%s", hint_of_split_number);
	else if (from_end > 0)
		(void)snprintf(hint, sizeof hint, " (%s-f -%" PRIu64 " counts from the end; see --invalid)", guess,
			       from_end);
	else
		(void)snprintf(hint, sizeof hint, " (%ssee --invalid)", guess);
	return decode_fail_line(c, what, NULL, hint);
}
