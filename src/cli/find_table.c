/* Looks at line 1: the first line that is not a comment, or the line of a header that names the fields. */
#include "cli/find_table.h"

#include <string.h>

#include "base/message.h"
#include "cli/args.h"
#include "cli/args_parts.h"
#include "cli/make_plan.h"
#include "io/input.h"
#include "number/parse.h"
#include "text/header.h"
#include "text/marks.h"
#include "text/record.h"
#include "text/names.h"

struct first_lines find_lines(const struct text_rules *rules, const struct plan_input *input)
{
	const unsigned char *block = input->block;
	const size_t size = input->whole;
	const size_t mark = size > 0 ? record_byte_order_mark(block, size) : 0;
	struct header_search search = {0};
	struct first_lines l = {0};
	struct line line;
	while (l.record.start == NULL && size > 0 &&
	       record_next_line(rules, &search, block + mark, size - mark, false, &line)) {
		const bool is_whole = search.is_closed && (line.next[-1] == '\n' || size < INPUT_BLOCK_SIZE);
		const bool is_first =
			rules->header_lines > 0 ? search.lines == text_names_line(rules) : search.is_record;
		if (l.first.start != NULL && search.is_record && is_whole) {
			l.record = line;
		} else if (l.first.start == NULL && is_first) {
			l.first = line;
			l.is_whole = is_whole;
		}
	}
	return l;
}

uint64_t find_named(const struct text_rules *rules, const struct first_lines *l, const char *name)
{
	uint64_t number = 0;
	if (rules->header_lines > 0 && l->is_whole)
		(void)header_numbers_of(rules, &l->first, name, &number, 1);
	return number;
}

enum status find_last_field(const struct text_rules *rules, const struct first_lines *l, uint64_t *last,
			    uint64_t *field_count, uint64_t *name_count)
{
	struct screen_table table = {0};
	*last = *field_count = l->is_whole ? line_count_fields(rules, &l->first) : 0;
	*name_count = 0;
	if (rules->header_lines == 0 || *last == 0 || l->record.start == NULL)
		return STATUS_OK;
	const enum status status = screen_place(rules, &l->first, &l->record, &table);
	*field_count = table.field_count;
	*name_count = table.shape.name_count;
	*last = 0;
	for (size_t i = 0; i < table.numbers.size / sizeof *last; i++) {
		const uint64_t number = screen_number(&table, i);
		*last = number > *last ? number : *last;
	}
	screen_table_free(&table);
	return status;
}

/* Whether a line has a name that some list has. */
static bool has_some(const struct text_rules *rules, const struct line *line, const struct options *o)
{
	bool has = false;
	for (size_t list = 0; list < FIELD_LISTS; list++) {
		const struct field_item *items = (const struct field_item *)(const void *)o->fields.lists[list].data;
		for (size_t i = 0; i < o->fields.lists[list].size / sizeof *items && !has; i++)
			has = items[i].name != NULL &&
			      (header_has(rules, line, items[i].name) || header_has(rules, line, items[i].value));
	}
	return has;
}

/* Where fields have names, and no option says how they are cut, a tab in the header does, for an empty field must not
 * shift the others; or commas do, between which one of the names stands. */
static void choose_delimiter(struct text_rules *rules, const struct options *o, const struct plan_input *input)
{
	const struct first_lines l = find_lines(rules, input);
	const char *header = l.first.start;
	if (!args_fields_have_names(o) || rules->cut != CUT_BLANKS || header == NULL)
		return;
	const size_t header_size = (size_t)(l.first.end - header);
	if (memchr(header, '\t', header_size) != NULL) {
		rules->cut = CUT_DELIMITER;
		rules->delimiter = '\t';
		rules->delimiter_source = DELIMITER_BY_HEADER;
		return;
	}
	struct text_rules csv = *rules;
	csv.cut = CUT_CSV;
	csv.delimiter = ',';
	csv.delimiter_source = DELIMITER_BY_HEADER;
	const struct first_lines of_csv = find_lines(&csv, input);
	const bool may_be_csv = rules->comment == NULL || strchr(rules->comment, '"') == NULL;
	if (memchr(header, ',', header_size) != NULL && may_be_csv && of_csv.is_whole &&
	    has_some(&csv, &of_csv.first, o))
		*rules = csv;
}

/* --- Whether line 1 is a header */

/* Whether a token that is not a number looks like one that people write: it has digits and no letters, or is
 * hexadecimal. */
static bool is_value(const char *token, size_t size)
{
	static const char *const signs[] = {"\xe2\x88\x92", "\xe2\x82\xac", "\xc2\xa3",     "\xc2\xa5",
					    "\xc2\xa0",     "\xe2\x80\xaf", "\xe2\x80\x89", "\xe2\x80\x99"};
	const char *const end = token + size;
	bool has_digit = false;
	if (size > 2 && token[0] == '0' && (token[1] == 'x' || token[1] == 'X'))
		return true;
	for (const char *p = token; p < end;) {
		size_t sign = 0;
		for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
			const size_t length = strlen(signs[i]);
			sign = (size_t)(end - p) >= length && memcmp(p, signs[i], length) == 0 ? length : sign;
		}
		const bool is_letter =
			(*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (unsigned char)*p >= 0x80;
		if (sign == 0 && is_letter)
			return false;
		has_digit = has_digit || is_digit(*p);
		p += sign > 0 ? sign : 1;
	}
	return has_digit;
}

/* Numbers that are names of columns in many tables: 2019, 201912 and 20191231, perhaps with ".0" after them. */
enum name_kind { NAME_YEAR, NAME_MONTH, NAME_DAY, NAME_KINDS };

/* The number of `size` digits at p; UINT64_MAX: they are not all digits, or too many. */
static uint64_t number_of(const char *p, size_t size)
{
	uint64_t number = 0;
	for (size_t i = 0; i < size; i++) {
		if (!is_digit(p[i]) || size > 8)
			return UINT64_MAX;
		number = 10 * number + (uint64_t)(p[i] - '0');
	}
	return number;
}

static bool is_name(enum name_kind kind, const char *token, size_t size)
{
	static const size_t sizes[] = {[NAME_YEAR] = 4, [NAME_MONTH] = 6, [NAME_DAY] = 8};
	const bool has_point = size > 2 && memcmp(token + size - 2, ".0", 2) == 0;
	if (size - (has_point ? 2 : 0) != sizes[kind] || number_of(token, sizes[kind]) == UINT64_MAX)
		return false;
	const uint64_t year = number_of(token, 4);
	const uint64_t month = kind >= NAME_MONTH ? number_of(token + 4, 2) : 1;
	const uint64_t day = kind == NAME_DAY ? number_of(token + 6, 2) : 1;
	return year >= 1800 && year <= 2100 && month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

/* What some fields of a line are. */
struct kinds {
	uint64_t numbers, words;
	uint64_t plain; /* Those of the numbers that can be read, and of these: */
	uint64_t names[NAME_KINDS]; /* such names of columns, */
	uint64_t counted; /* numbers of the order that they stand in: 0, 1, 2, ..., */
	uint64_t quoted; /* numbers in quotes that they do not need. */
};

static void add_kind(const struct text_rules *rules, const struct field *f, struct kinds *kinds)
{
	const char *marks = rules->tokens.marks != NULL ? rules->tokens.marks : MARKS_USUAL;
	if (f->token_size == 0 || marks_have(marks, f->token, f->token_size))
		return; /* it is missing */
	/* (A carriage return outside quotes is in no name: lines end in these alone.) */
	const bool is_number = notation_is_nearly_number(&rules->tokens.notation, f->token, f->token_size) ||
			       is_value(f->token, f->token_size) ||
			       line_part_has_return(f->token, f->token + f->token_size, f->quoted, f->quoted);
	kinds->numbers += is_number || notation_begins_with_number(&rules->tokens.notation, f->token, f->token_size);
	kinds->words += !is_number;
	if (!notation_is_number(&rules->tokens.notation, f->token, f->token_size))
		return;
	for (enum name_kind kind = 0; kind < NAME_KINDS; kind++)
		kinds->names[kind] += is_name(kind, f->token, f->token_size);
	kinds->counted += number_of(f->token, f->token_size) == kinds->plain;
	kinds->quoted += f->quoted && memchr(f->token, rules->delimiter, f->token_size) == NULL;
	kinds->plain++;
}

/* Looks at the fields first to last of a line, of count. */
static void add_range(const struct text_rules *rules, const struct line *line, uint64_t first, uint64_t last,
		      struct kinds *kinds)
{
	struct field f;
	const char *at = NULL;
	for (uint64_t i = 1; line_next_field(rules, line, &at, &f); i++) {
		if (i >= first && i <= last)
			add_kind(rules, &f, kinds);
	}
}

static struct kinds look_at(const struct text_rules *rules, const struct options *o, const struct line *line)
{
	const struct field_item *items = (const struct field_item *)(const void *)o->fields.numbers.data;
	const size_t item_count = o->fields.numbers.size / sizeof *items;
	const uint64_t count = line_count_fields(rules, line);
	struct kinds kinds = {0};
	for (size_t i = 0; i < item_count; i++) {
		const struct field_item *item = &items[i];
		if (item->digits != NULL && item->first > count && header_has(rules, line, item->digits)) {
			/* Only with a header such a number is a name, and only without one a number of the data. */
			kinds.numbers++;
			kinds.words++;
		} else if (item->from_end > 0) {
			add_range(rules, line, count + 1 - item->from_end, count + 1 - item->from_end, &kinds);
		} else {
			add_range(rules, line, item->first, item->last, &kinds);
		}
	}
	if (item_count == 0)
		add_range(rules, line, 1, o->fields.columns, &kinds);
	return kinds;
}

/* Whether two lines begin with an empty field and another one, or have the same word in one field. */
static void compare_lines(const struct text_rules *rules, const struct line *first, const struct line *second,
			  bool *has_corner, bool *has_same_word)
{
	struct field f;
	struct field g;
	const char *f_at = NULL;
	const char *g_at = NULL;
	bool is_first = true;
	*has_corner = *has_same_word = false;
	while (line_next_field(rules, first, &f_at, &f) && line_next_field(rules, second, &g_at, &g)) {
		struct kinds kinds = {0};
		add_kind(rules, &f, &kinds);
		*has_corner = *has_corner || (is_first && f.token_size == 0 && g.token_size > 0);
		*has_same_word = *has_same_word || (kinds.words > 0 && f.token_size == g.token_size &&
						    memcmp(f.token, g.token, g.token_size) == 0);
		is_first = false;
	}
}

/* Whether line 1, whose chosen fields are numbers, may yet be a header with numbers for names. All of its numbers are
 * then years, months or days beside a word or after an empty first field, or they count from 0 after that; or the
 * chosen ones are in quotes. The next record tells, if there is one. */
static bool may_have_names(const struct text_rules *rules, const struct options *o, const struct first_lines *l)
{
	static const char dash[] = "-";
	const struct line none = {.start = dash, .end = dash + 1, .next = dash + 1};
	const struct line *record = l->record.start != NULL ? &l->record : &none;
	const struct kinds names = look_at(rules, o, &l->first);
	const struct kinds values = look_at(rules, o, record);
	struct kinds all = {0};
	bool has_corner;
	bool has_same_word;
	add_range(rules, &l->first, 1, UINT64_MAX, &all);
	compare_lines(rules, &l->first, record, &has_corner, &has_same_word);
	bool may_be_names = false;
	for (enum name_kind kind = 0; kind < NAME_KINDS; kind++) {
		const bool are_values_too =
			values.plain > 0 && values.words == 0 && values.names[kind] == values.numbers;
		may_be_names = may_be_names || (all.names[kind] == all.plain && !are_values_too);
	}
	return names.plain > 0 && !has_same_word &&
	       ((may_be_names && (all.words > 0 || has_corner)) || (has_corner && all.counted == all.plain) ||
		(names.quoted == names.plain && values.plain > 0 && values.quoted == 0));
}

/* Whether line 1, whose chosen fields are not numbers, may be data: the operators take texts, too, and no number of the
 * next record shows that line 1 has names. (A saved scan knows.) */
static bool may_have_texts(const struct text_rules *rules, const struct options *o, const struct first_lines *l)
{
	return rules->tokens.may_be_texts && !o->state.goes_on &&
	       (l->record.start == NULL || look_at(rules, o, &l->record).numbers == 0);
}

static enum status find_header(struct text_rules *rules, const struct options *o, const struct plan_input *input)
{
	const struct first_lines l = find_lines(rules, input);
	const char *line = l.first.start;
	if (line == NULL)
		return STATUS_OK;
	struct kinds kinds = look_at(rules, o, &l.first);
	/* JSON is not a table: the message names the option that reads it. */
	if (line < l.first.end && (*line == '{' || *line == '['))
		kinds = (struct kinds){.numbers = 1};
	/* (Where lines are counted, or texts are looked at, no number could tell.) */
	if ((kinds.numbers > 0 && kinds.words > 0) || rules->records.are_lines || o->scan.has_texts ||
	    (kinds.words > 0 && may_have_texts(rules, o, &l)))
		return message_refuse("%s: line 1 may be a header: say -H or --no-header",
				      message_shown(input_label(o->files.names[0])));
	/* (A saved scan without a header has none in later files.) */
	if ((!o->state.goes_on || o->state.knows_header) && may_have_names(rules, o, &l))
		return message_refuse("%s: line 1: a header of numbers, or data? see -H and --no-header",
				      message_shown(input_label(o->files.names[0])));
	rules->header_lines = kinds.words > 0 ? 1 : 0;
	if (rules->header_lines == 0 && rules->output.as != NULL)
		return message_refuse("--as names the results in a header, but line 1 is not a header (see -H)");
	return STATUS_OK;
}

/* Says which fields there are. */
static void list(const struct text_rules *rules, const struct options *o, const struct plan_input *input)
{
	struct first_lines l = find_lines(rules, input);
	struct kinds kinds = {0};
	if (l.first.start == NULL)
		l.first.start = l.first.end = l.first.next = "";
	else
		add_range(rules, &l.first, 1, UINT64_MAX, &kinds);
	const bool is_header = rules->header_lines > 0 && (!o->cut.finds_header || kinds.words > 0);
	list_columns(rules, o, &l, is_header, is_header && o->cut.finds_header && kinds.numbers > 0);
}

/* Whether the first line that is not blank, or the header's line of names, has one field. */
static bool has_one_column(const struct text_rules *rules, const struct plan_input *input)
{
	const struct first_lines l = find_lines(rules, input);
	const struct line *line = l.is_whole && line_is_blank(rules, &l.first) ? &l.record : &l.first;
	return l.is_whole && line->start != NULL && !line_is_blank(rules, line) && line_count_fields(rules, line) == 1;
}

enum status find_table(struct plan *plan, const struct options *o, const struct plan_input *input)
{
	struct text_rules *rules = &plan->format.text;
	if (plan->format.input != FORMAT_TEXT)
		return STATUS_OK;
	if (o->fields.are_lacking) {
		list(rules, o, input);
		return STATUS_USAGE;
	}
	if (o->cut.no_header)
		rules->header_lines = 0;
	choose_delimiter(rules, o, input);
	if (rules->cut == CUT_BLANKS && o->cut.thousands_are_spaces)
		return message_refuse("--thousands=' ' needs -d or --csv: blanks separate fields");
	const enum status status = o->cut.finds_header ? find_header(rules, o, input) : STATUS_OK;
	rules->records.are_blank = rules->cut == CUT_CSV && has_one_column(rules, input);
	return status;
}
