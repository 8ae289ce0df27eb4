/* The message for a run without -f. It shows which columns there are, and a whole command for one that has numbers. */
#include "cli/find_table.h"

#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "cli/args.h"
#include "number/parse.h"
#include "text/hint.h"
#include "text/names.h"

/* Bytes that the columns' names may have in a message. */
#define LIST_SIZE 320
#define NAME_MAX_SIZE 64

struct list {
	char text[LIST_SIZE + 16]; /* and what stands for the others */
	size_t size;
	uint64_t count;
	char chosen[NAME_MAX_SIZE + 8]; /* the last one with a number, or the last one */
	bool by_number; /* the message names it */
	bool has_number; /* that one */
};

static bool is_number(const char *token, size_t size)
{
	struct number_parts parts;
	return size > 0 && number_split(token, size, &parts);
}

/* Whether a shell and -f both take the name as it is. */
static bool is_plain(const char *name, size_t size)
{
	bool is = size > 0 && name[0] != '-' && !(name[0] >= '0' && name[0] <= '9');
	for (size_t i = 0; i < size && is; i++)
		is = (name[i] >= 'a' && name[i] <= 'z') || (name[i] >= 'A' && name[i] <= 'Z') ||
		     (name[i] >= '0' && name[i] <= '9') || strchr("_.-", name[i]) != NULL;
	return is;
}

/* Whether a shell takes the name between apostrophes, and -f between quotes. */
static bool can_be_quoted(const char *name, size_t size)
{
	bool can = size > 0;
	for (size_t i = 0; i < size && can; i++)
		can = (unsigned char)name[i] >= ' ' && name[i] != '\'' && name[i] != '"' && name[i] != '\x7f';
	return can;
}

/* Adds a column; name NULL: it has none but its number. */
static void add(struct list *l, const char *name, size_t size, bool has_number)
{
	char number[24];
	(void)snprintf(number, sizeof number, "%llu", (unsigned long long)++l->count);
	const char *shown = name != NULL ? message_quoted_part(name, size) : number;
	if (has_number || !l->has_number) {
		const bool is_told = name != NULL && size < NAME_MAX_SIZE && !l->by_number;
		if (is_told && is_plain(name, size))
			(void)snprintf(l->chosen, sizeof l->chosen, "%.*s", (int)size, name);
		else if (is_told && can_be_quoted(name, size))
			(void)snprintf(l->chosen, sizeof l->chosen, "'\"%.*s\"'", (int)size, name);
		else
			(void)snprintf(l->chosen, sizeof l->chosen, "%s", number);
		l->has_number = has_number;
	}
	const size_t added = strlen(shown) + 2;
	if (l->size == LIST_SIZE)
		return;
	if (l->size + added > LIST_SIZE) {
		(void)snprintf(l->text + l->size, sizeof l->text - l->size, ", ...");
		l->size = LIST_SIZE;
		return;
	}
	l->size +=
		(size_t)snprintf(l->text + l->size, sizeof l->text - l->size, "%s%s", l->count > 1 ? ", " : "", shown);
}

/* The fields of a first line; if it is a header, with the names as its fields have them. (A leading "#" is not a
 * name.) */
static void add_fields(struct list *l, const struct text_rules *rules, const struct first_lines *lines, bool is_header)
{
	const struct line *second = lines->record.start != NULL ? &lines->record : NULL;
	struct screen_table table = {0};
	struct field name;
	struct field f = {0};
	const char *at = NULL;
	if (!is_header || second == NULL || screen_place(rules, &lines->first, second, &table) == STATUS_OK) {
		for (size_t i = 0; line_next_field(rules, &lines->first, &at, &name); i++) {
			const uint64_t number = screen_number(&table, i);
			if (number > 0)
				line_find_field(rules, second, number, &f);
			const struct field *value = is_header ? &f : &name;
			if (number > 0 || table.numbers.size == 0)
				add(l, is_header ? name.token : NULL, name.token_size,
				    is_number(value->token, value->token_size));
		}
	}
	screen_table_free(&table);
}

/* Where a string that begins at p ends, its quote included. */
static const char *string_end(const char *p, const char *end)
{
	for (p++; p < end && *p != '"'; p++)
		p += *p == '\\' && p + 1 < end;
	return p < end ? p + 1 : end;
}

/* The members of the object that a line is. */
static void add_members(struct list *l, const struct line *line)
{
	int depth = 0;
	for (const char *p = line->start; p < line->end;) {
		const char *next = *p == '"' ? string_end(p, line->end) : p + 1;
		const char *colon = next;
		while (colon < line->end && (*colon == ' ' || *colon == '\t'))
			colon++;
		if (*p == '"' && depth == 1 && colon < line->end && *colon == ':') {
			const char *value = colon + 1;
			while (value < line->end && (*value == ' ' || *value == '\t'))
				value++;
			const bool has_number =
				value < line->end && (*value == '-' || (*value >= '0' && *value <= '9'));
			add(l, p + 1, (size_t)(next - p) - 2, has_number);
			next = value;
		}
		depth += *p == '{' || *p == '[';
		depth -= *p == '}' || *p == ']';
		p = next;
	}
}

/* The keys of a line of key=value. */
static void add_keys(struct list *l, const struct line *line)
{
	for (const char *p = line->start; p < line->end;) {
		const char *key = p;
		while (p < line->end && *p != '=' && *p != ' ' && *p != '\t')
			p++;
		const char *value = p < line->end ? p + 1 : p;
		const char *end = value;
		if (p < line->end && *p == '=' && p > key) {
			if (value < line->end && *value == '"')
				end = string_end(value, line->end);
			while (end < line->end && *end != ' ' && *end != '\t')
				end++;
			add(l, key, (size_t)(p - key), is_number(value, (size_t)(end - value)));
		}
		p = end;
	}
}

static const char *option_of(const struct text_rules *rules, const struct options *o, char text[32])
{
	const unsigned char d = (unsigned char)rules->delimiter;
	char quoted[8]; /* as shells take it */
	(void)snprintf(quoted, sizeof quoted, d >= ' ' && d < 127 && d != '\'' ? "'%c'" : "$'\\x%02x'", d);
	if (o->cut.csv && rules->delimiter != ',')
		(void)snprintf(text, 32, "--csv -d %s", quoted);
	else if (o->cut.csv)
		return "--csv";
	else if (o->cut.log)
		return "--log";
	else if (text_names_fields(rules))
		return o->cut.json ? "--json" : "--logfmt";
	else if (rules->delimiter == '\t')
		return "--tsv";
	else
		(void)snprintf(text, 32, "-d %s", quoted);
	return text;
}

void list_columns(const struct text_rules *rules, const struct options *o, const struct first_lines *lines,
		  bool is_header, bool is_in_doubt)
{
	const struct line *first = &lines->first;
	static const char *const log_fields[] = {"host",   "ident",   "user",  "time", "request",
						 "status", "referer", "agent", "bytes"};
	struct list l = {.by_number = is_in_doubt};
	char option[32];
	for (size_t i = 0; i < sizeof log_fields / sizeof log_fields[0] && o->cut.log; i++)
		add(&l, log_fields[i], strlen(log_fields[i]), false);
	if (rules->cut == CUT_JSON)
		add_members(&l, first);
	else if (rules->cut == CUT_LOGFMT)
		add_keys(&l, first);
	else if (!o->cut.log && first->end > first->start)
		add_fields(&l, rules, lines, is_header);
	const bool is_standard = strcmp(o->files.names[0], "-") == 0;
	const char *file = message_shown(input_label(o->files.names[0]));
	const char *given = option_of(rules, o, option);
	const char *split = hint_of_split(rules, first);
	if (split != NULL)
		message_error("%s: %s needs -f, and line 1 has another delimiter: %s%s", file, given,
			      message_quoted_part(first->start, (size_t)(first->end - first->start)), split);
	else if (l.count == 0)
		message_error("%s needs -f, the field of the numbers (see --help=-f)", given);
	else
		message_error("%s: %s needs -f; the columns are %s: pscan %s%s -f %s%s%s%s", file, given, l.text, given,
			      is_in_doubt ? " -H" : "", l.chosen, is_standard ? "" : " ", is_standard ? "" : file,
			      is_in_doubt ? " (or --no-header)" : "");
}
