/* A hint is a guess. What would read the input as it was meant is named before what leaves something out, and nothing
 * is named that would change other numbers in silence. */
#include "text/hint_parts.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/word.h"
#include "text/header.h"
#include "text/marks.h"

static bool is_hexadecimal(const char *p, const char *end)
{
	p = skip_sign(p, end);
	if (end - p < 3 || p[0] != '0' || (p[1] != 'x' && p[1] != 'X'))
		return false;
	for (p += 2; p < end && isxdigit((unsigned char)*p);)
		p++;
	return p == end;
}

/* Whether these are groups of three digits after one to three digits, with one separator between them. A fraction may
 * follow. */
static bool is_grouped(const char *p, const char *end)
{
	const char *digits = skip_sign(p, end);
	const char *separator = skip_digits(digits, end);
	const char *at = separator;
	if (at == digits || at - digits > 3 || at == end)
		return false;
	while (at < end && *at == *separator) {
		const char *group = at + 1;
		at = skip_digits(group, end);
		if (at - group != 3)
			return false;
	}
	return at > separator && (at == end || (*at == '.' && skip_digits(at + 1, end) == end));
}

/* Numbers as people write them, without zeros in front, that a comma each joins: CSV of one line would be so. */
static bool is_list(const char *p, const char *end)
{
	for (;; p++) {
		const char *number = skip_sign(p, end);
		const char *next = skip_number(number, end);
		if (next == number || (*number == '0' && next - number > 1 && number[1] != '.'))
			return false;
		if (next == end || *next != ',')
			return next == end;
		p = next;
	}
}

/* Commas among digits that may be one thing or another. may_be_fields: lines may be CSV that is read as something
 * else. */
static const char *hint_of_commas(const struct text_rules *rules, const char *p, const char *end, bool may_be_fields)
{
	size_t commas = 0;
	size_t points = 0;
	const char *first = skip_sign(p, end);
	const char *comma = NULL;
	for (const char *q = first; q < end; q++) {
		if (!is_digit(*q) && *q != ',' && *q != '.')
			return NULL;
		commas += *q == ',';
		points += *q == '.';
		comma = *q == ',' ? q : comma;
	}
	const bool grouped = is_grouped(p, end);
	const bool decimal = commas == 1 && comma + 1 < end && memchr(comma, '.', (size_t)(end - comma)) == NULL &&
			     (points == 0 || is_grouped(p, comma));
	const bool is_fields = may_be_fields && is_list(p, end);
	if (commas == 0 || (!grouped && !decimal) || rules->tokens.notation.given)
		return NULL;
	if (points > 0 && decimal)
		return is_fields ? " (fields? see --csv; a decimal comma? see --decimal=',' --thousands='.')" : NULL;
	if (!grouped || *first == '0')
		return is_fields ? " (fields? see --csv; a decimal comma? see --decimal=',')" : NULL;
	if (commas == 1 && points == 0)
		return is_fields ? " (fields? see --csv; thousands? see --thousands=','; a decimal comma? see "
				   "--decimal=',')"
				 : " (thousands? see --thousands=','; a decimal comma? see --decimal=',')";
	return is_fields ? " (fields? see --csv; thousands? see --thousands=',')" : NULL;
}

/* Of a token that looks like several fields. */
static const char *hint_of_fields(const char *token, size_t size)
{
	if (memchr(token, ';', size) != NULL)
		return " (fields? see -d ';')";
	if (memchr(token, '|', size) != NULL)
		return " (fields? see -d '|')";
	return memchr(token, ',', size) != NULL ? " (fields? see --csv)" : NULL;
}

#define JSON_HINT "JSON? see --json"
#define COMMENT_HINT " (a comment? see --comment='#')"
#define ARRAY_HINT " (an array? jq -c '.[]')"
#define RETURN_HINT " (lines that end in CR? tr '\\r' '\\n')"
const char hint_of_returns[] = RETURN_HINT;
const char hint_of_split_number[] = " (the delimiter in a number without quotes? see -d)";

/* Whether a line begins as an array of JSON does. (A log's times are in brackets, too.) */
static bool begins_array(const char *p, const char *end)
{
	if (p == end || *p != '[')
		return false;
	const char *next = skip_number(skip_sign(p + 1, end), end);
	return next < end && (*next == '{' || *next == '[' || *next == '"' ||
			      (next > p + 1 && (*next == ',' || (*next == ']' && next + 1 == end))));
}

/* Whether a line begins as a remark does. (#NA is a mark.) */
static bool begins_comment(const char *line, const char *end)
{
	return *line == '#' && (line + 1 >= end || strchr(" \t#!", line[1]) != NULL);
}

/* KEY=VALUE */
static bool is_pair(const char *token, size_t size)
{
	const char *equals = memchr(token, '=', size);
	return equals != NULL && equals > token && is_letter(*token);
}

/* Whether a line begins as an object of JSON does. */
static bool begins_json(const char *p, const char *end)
{
	if (p == end || *p != '{')
		return false;
	for (p++; p < end && (*p == ' ' || *p == '\t');)
		p++;
	return p == end || *p == '"' || *p == '}';
}

const char *hint_of_log(const struct text_rules *rules, const struct line *line)
{
	const char *hint = hint_of_line_bytes(line);
	return hint != NULL                                                       ? hint
	       : begins_json(line->start, line->end)                              ? " (" JSON_HINT ")"
	       : line_has_return(rules, line)                                     ? RETURN_HINT
	       : begins_comment(line->start, line->end) && rules->comment == NULL ? COMMENT_HINT
										  : " (see -f, --invalid)";
}

const char *hint_of_json(const struct line *line)
{
	const char *end = line->end;
	const char *hint = hint_of_line_bytes(line);
	if (hint != NULL)
		return hint;
	if (begins_array(line->start, end))
		return ARRAY_HINT;
	return end > line->start && end[-1] == ',' ? " (a comma after the object? sed 's/,$//')" : "";
}

/* One character again and again, dashes of print, and what spreadsheets and data frames write: no header is called
 * so. */
static bool is_strange_mark(const char *token, size_t size)
{
	static const char marks[] =
		"\xe2\x80\x93,\xe2\x80\x94,\xe2\x88\x92,<NA>,(null),(none),#NULL!,#VALUE!,#DIV/0!,#REF!,#NUM!,#NAME?";
	size_t same = 0;
	while (same < size && token[same] == token[0])
		same++;
	return size > 0 && ((same == size && memchr("?.*-_~", token[0], 6) != NULL) || marks_have(marks, token, size));
}

/* Words for a missing number. (The usual ones get here only if other marks were given.) */
static bool is_mark_word(const char *token, size_t size)
{
	return marks_have("n.a.,n.d.,nd,missing,unknown,undefined", token, size) ||
	       marks_have(MARKS_USUAL, token, size);
}

static bool has_letter(const char *p, const char *end)
{
	while (p < end && !is_letter(*p))
		p++;
	return p < end;
}

/* Other delimiters that may be meant, and the option for each. */
struct splitter {
	char delimiter; /* a blank: runs of blanks */
	const char *advice, *hint;
};

#define SPLITTER(delimiter, advice)                \
	{                                          \
		delimiter, advice, " (" advice ")" \
	}
static const struct splitter splitters[] = {
	SPLITTER(',', "see --csv"),
	SPLITTER(';', "see -d ';'"),
	SPLITTER('\t', "see --tsv"),
	SPLITTER('|', "see -d '|'"),
	SPLITTER(' ', "blanks between fields? leave out --csv"),
};
#define SPLITTER_COUNT (sizeof splitters / sizeof splitters[0])
static const struct splitter splitter_of_tsv = SPLITTER(' ', "blanks between fields? leave out --tsv");
static const struct splitter splitter_of_delimiter = SPLITTER(' ', "blanks between fields? leave out -d");
static const struct splitter splitter_of_header = SPLITTER(' ', "blanks between fields? with -H choose them by number");

/* The splitter with an index, as these rules have it. */
static const struct splitter *choose_splitter(const struct text_rules *rules, size_t i)
{
	const enum delimiter_source source = rules->delimiter_source;
	if (splitters[i].delimiter != ' ')
		return &splitters[i];
	return source == DELIMITER_BY_HEADER ? &splitter_of_header
	       : rules->cut == CUT_CSV       ? &splitters[i]
	       : source == DELIMITER_BY_TSV  ? &splitter_of_tsv
					     : &splitter_of_delimiter;
}

/* The rules with another delimiter, and the line as they have it; false: it does not hold it, or it is theirs. (A
 * log's lines are what they are.) */
static bool split_otherwise(const struct text_rules *rules, const struct line *line, const struct splitter *s,
			    struct text_rules *others, struct line *cut)
{
	const bool is_theirs = rules->cut == CUT_BLANKS ? s->delimiter == '\t' || s->delimiter == ' '
							: s->delimiter == rules->delimiter;
	if (is_theirs || rules->cut == CUT_LOG ||
	    memchr(line->start, s->delimiter, (size_t)(line->end - line->start)) == NULL)
		return false;
	*others = *rules;
	others->cut = s->delimiter == ' ' ? CUT_BLANKS : CUT_CSV;
	others->delimiter = s->delimiter;
	*cut = (struct line){.start = line->start, .end = line->end, .next = line->next};
	return true;
}

/* Whether a field is a number as some country writes it. */
static bool is_some_number(const struct field *f)
{
	const char *end = f->token + f->token_size;
	const char *p = skip_sign(f->token, end);
	bool is = p < end && is_digit(*p);
	for (; is && p < end; p++)
		is = is_digit(*p) || *p == '.' || *p == ',';
	return is;
}

/* Whether the line is cut in all its length: it has several fields, and outside quotes nothing at which it is cut now.
 * A comma and blanks are in many texts, so that they must be between numbers. */
static bool cuts_throughout(const struct text_rules *rules, const struct text_rules *others, const struct line *cut)
{
	const bool is_doubtful = others->delimiter == ' ' || others->delimiter == ',';
	struct field f;
	const char *at = NULL;
	size_t count = 0;
	for (; line_next_field(others, cut, &at, &f); count++) {
		if ((is_doubtful && !is_some_number(&f)) ||
		    (!f.quoted && memchr(f.start, rules->delimiter, f.size) != NULL))
			return false;
	}
	return count > 1;
}

const char *hint_of_split(const struct text_rules *rules, const struct line *line)
{
	struct text_rules others;
	struct line cut;
	if (rules->cut != CUT_CSV && rules->cut != CUT_DELIMITER)
		return NULL;
	for (size_t i = 0; i < SPLITTER_COUNT; i++) {
		const struct splitter *s = choose_splitter(rules, i);
		if (split_otherwise(rules, line, s, &others, &cut) && cuts_throughout(rules, &others, &cut))
			return s->hint;
	}
	return NULL;
}

const char *hint_of_token(const struct text_rules *rules, const char *line, const struct line *record,
			  const char *token, size_t size, bool is_first, bool is_later)
{
	static const char marks_hint[] = " (a missing number? see --missing-marks)";
	const struct notation *n = &rules->tokens.notation;
	const char *end = token + size;
	const bool by_field = rules->field_count > 0;
	const bool by_blanks = rules->cut == CUT_BLANKS;
	const bool is_csv = rules->cut == CUT_CSV;
	const bool names = text_names_fields(rules);
	const bool may_be_fields = by_blanks && (is_first || !by_field);
	const char *fields = hint_of_fields(token, size);
	const bool has_quote = memchr(token, '"', size) != NULL;
	/* (CSV has no blanks between its fields.) */
	const bool is_log = has_quote && by_blanks && by_field && (*token == '"' || end[-1] == '"') && fields == NULL;
	const bool is_word = has_letter(token, end);
	const bool may_be_header = is_word && is_first && rules->header_lines == 0 && !names && !is_digit(*token);
	const bool may_be_texts = rules->tokens.suggests_texts;
	const bool after_header = is_first && rules->header_lines > 0; /* a row of units may stand there */
	const char *const hints[] = {
		!names && begins_json(line, end) ? " (" JSON_HINT ")" : NULL,
		by_blanks && begins_array(line, end) ? ARRAY_HINT : NULL,
		line_part_has_return(token, end, is_csv, is_csv && token > line && token[-1] == '"') ? RETURN_HINT
												     : NULL,
		by_blanks && is_pair(token, size) ? " (see --logfmt)" : NULL,
		is_log ? " (see --log)" : NULL,
		has_quote && (by_blanks || rules->cut == CUT_DELIMITER) ? " (see --csv)" : NULL,
		is_hexadecimal(token, end) ? " (hexadecimal? see -t)" : NULL,
		hint_of_bytes(token, size),
		hint_of_look(token, size, false),
		hint_of_time(n, token, size),
		hint_of_commas(rules, token, end, may_be_fields),
		hint_is_address(token, end) ? NULL : hint_of_notation(n, token, size, by_blanks),
		hint_of_look(token, size, true),
		hint_of_given_marks(n, token, size),
		record != NULL ? hint_of_split(rules, record) : NULL,
		hint_of_kind(token, size, by_field),
		may_be_fields ? fields : NULL,
		hint_of_several(token, size, by_field),
		is_strange_mark(token, size) ? marks_hint : NULL,
		begins_comment(line, end) && rules->comment == NULL ? COMMENT_HINT : NULL,
		may_be_header ? (may_be_texts ? " (texts? see -t text; a header? see -H)" : " (a header? see -H)")
			      : NULL,
		/* (A string that begins with an escape is not the mark that it looks like.) */
		is_mark_word(token, size) && !(names && *token == '\\') ? marks_hint : NULL,
		is_later && is_letter(*token) && memchr(token, '\0', size) == NULL ? " (fields? see -f)" : NULL,
		is_word && may_be_texts ? " (texts? see -t text)" : NULL,
		!is_word || !by_field ? NULL
		: after_header        ? " (another field? see -f; a line of the header? see --header=N)"
				      : " (another field? see -f)",
		" (see --invalid)",
	};
	size_t i = 0;
	while (hints[i] == NULL)
		i++;
	return hints[i] == hint_of_unit && after_header
		       ? " (a unit: another field? see -f; a line of the header? see --header=N)"
		       : hints[i];
}

const char *hint_among_texts(const struct text_rules *rules, bool is_second)
{
	const bool may_have_header = text_by_delimiters(rules) || rules->cut == CUT_BLANKS;
	return may_have_header && rules->header_lines == 0 && is_second ? " (a header? see -H; texts? see -t text)"
									: " (texts? see -t text)";
}

const char *hint_of_absent(const struct text_rules *rules, const struct line *line, uint64_t number, bool is_first)
{
	struct text_rules others;
	struct line cut;
	struct field f;
	const char *hint = hint_of_line_bytes(line);
	if (hint != NULL)
		return hint;
	if (begins_json(line->start, line->end))
		return " (" JSON_HINT ")";
	if (rules->cut != CUT_BLANKS && line_has_return(rules, line))
		return RETURN_HINT;
	for (size_t i = 0; i < SPLITTER_COUNT; i++) {
		const struct splitter *s = choose_splitter(rules, i);
		if ((s->delimiter == ' ' && !is_first) || !split_otherwise(rules, line, s, &others, &cut) ||
		    (s->delimiter == ' ' &&
		     memchr(line->start, rules->delimiter, (size_t)(line->end - line->start)) != NULL))
			continue;
		line_find_field(&others, &cut, number, &f);
		if (!f.absent)
			return s->hint;
	}
	if (rules->cut == CUT_DELIMITER && memchr(line->start, '"', (size_t)(line->end - line->start)) != NULL)
		return " (quotes? see --csv)";
	return is_first ? " (see -f)" : " (see --missing)";
}

/* What would make fields of a header line with one of that name; else, if it is all one field, of any. */
static const char *advice_that_splits(const struct text_rules *rules, const struct line *line, const char *name,
				      uint64_t field_count)
{
	const char *advice = NULL;
	for (size_t i = 0; i < SPLITTER_COUNT; i++) {
		const struct splitter *s = choose_splitter(rules, i);
		struct text_rules others;
		struct line cut;
		if (!split_otherwise(rules, line, s, &others, &cut))
			continue;
		if (header_has(&others, &cut, name))
			return s->advice;
		/* (A name may have blanks in it.) */
		if (advice == NULL && field_count == 1 && s->delimiter != ' ')
			advice = s->advice;
	}
	return advice;
}

/* Whether one of the line's words gives the name a value. */
static bool has_pair(const struct line *line, const char *name)
{
	const size_t size = strlen(name);
	const char *p = line->start;
	while ((size_t)(line->end - p) > size) {
		if (memcmp(p, name, size) == 0 && p[size] == '=')
			return true;
		while (p < line->end && *p != ' ')
			p++;
		p += p < line->end;
	}
	return false;
}

/* For a name that is another program's notation for fields (awk's $NF, "all", or a range with a colon): writes what -f
 * takes instead to out, at most `size` bytes. Leaves out unchanged for any other name. */
static void hint_of_numbers(const char *name, char *out, size_t size)
{
	const size_t first = strspn(name, "0123456789");
	const size_t last = name[first] == ':' ? strspn(name + first + 1, "0123456789") : 0;
	if (strcmp(name, "NF") == 0 || strcmp(name, "$NF") == 0 || strcmp(name, "last") == 0)
		(void)snprintf(out, size, ": perhaps -1, the last field");
	else if (strcmp(name, "*") == 0 || strcmp(name, "all") == 0)
		(void)snprintf(out, size, ": perhaps 1-, all fields");
	else if (first > 0 && last > 0 && name[first + 1 + last] == '\0')
		(void)snprintf(out, size, ": perhaps %.*s-%s", (int)first, name, name + first + 1);
}

/* The most bytes of the fields' names in a message. */
#define LIST_SIZE 280

/* Whether a name is that of a field, or fields' numbers, with something after a colon that is not a unit of time. */
static bool has_other_unit(const struct text_rules *rules, const struct line *line, const char *name)
{
	const char *colon = strrchr(name, ':');
	const char *at = NULL;
	struct field f;
	if (colon == NULL || calendar_unit_find(colon + 1) != UNIT_NONE)
		return false;
	const size_t size = (size_t)(colon - name);
	bool has = size > 0 && strspn(name, "0123456789+") == size;
	while (!has && line_next_field(rules, line, &at, &f))
		has = f.token_size == size && memcmp(f.token, name, size) == 0;
	return has;
}

void hint_of_name(const struct text_rules *rules, const struct line *line, const char *name, char *out, size_t size)
{
	char list[LIST_SIZE + 16] = ""; /* and what stands for the others */
	char quoted[MESSAGE_QUOTED_SIZE];
	char nearest[MESSAGE_QUOTED_SIZE + 16] = "";
	size_t limit = word_near_limit(strlen(name));
	size_t list_size = 0;
	uint64_t count = 0;
	const char *at = NULL;
	struct field f;
	for (; line_next_field(rules, line, &at, &f); count++) {
		message_quote(quoted, f.token, f.token_size);
		if (word_is_nearer(name, strlen(name), f.token, f.token_size, &limit))
			(void)snprintf(nearest, sizeof nearest, ": perhaps %s", quoted);
		const size_t added = strlen(quoted) + 2;
		if (list_size < LIST_SIZE && list_size + added > LIST_SIZE) {
			(void)snprintf(list + list_size, sizeof list - list_size, ", ...");
			list_size = LIST_SIZE;
		}
		if (list_size == LIST_SIZE)
			continue;
		(void)snprintf(list + list_size, sizeof list - list_size, "%s%s", count > 0 ? ", " : "", quoted);
		list_size += added - (count > 0 ? 0 : 2);
	}
	if (nearest[0] == '\0')
		hint_of_numbers(name, nearest, sizeof nearest);
	if (nearest[0] == '\0' && has_other_unit(rules, line, name))
		(void)snprintf(nearest, sizeof nearest, ": the units are " CALENDAR_UNITS);
	const bool is_json = begins_json(line->start, line->end);
	const bool has_return = !is_json && line_has_return(rules, line);
	const char *advice = is_json      ? JSON_HINT
			     : has_return ? "lines that end in CR? tr '\\r' '\\n'"
			     : rules->cut == CUT_BLANKS && has_pair(line, name)
				     ? "see --logfmt"
				     : advice_that_splits(rules, line, name, count);
	message_quote(quoted, name, strlen(name));
	if (count == 0)
		(void)snprintf(list, sizeof list, "none");
	(void)snprintf(out, size, "%s%s (there %s %s%s%s)", quoted, nearest, count > 1 ? "are" : "is", list,
		       advice != NULL ? ": " : "", advice != NULL ? advice : "");
}
