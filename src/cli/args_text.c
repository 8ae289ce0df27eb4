/* First a reader for each of these options, then what they mean together: how lines are cut, and which options
 * exclude each other. */
#include "cli/args_parts.h"

#include <string.h>

#include "base/word.h"
#include "cli/plan_steps.h"
#include "cli/synonyms.h"
#include "number/parse.h"

/* Names of delimiters, between blanks, and what to write for them. */
static const struct {
	const char *names, *allowed;
} delimiters[] = {
	{"tab \\\\t \\x09", "one character (see --tsv)"},
	{"comma", "one character (-d , or --csv)"},
	{"semicolon", "one character (-d ';')"},
	{"colon", "one character (-d :)"},
	{"pipe", "one character (-d '|')"},
	{"space blank spaces \\s+ whitespace", "one character (without -d runs of blanks separate fields)"},
};

enum status args_delimiter(const struct given_option *t, struct options *o)
{
	const char *allowed = "one character";
	const char *value = t->value;
	if (strcmp(value, "\\t") == 0)
		value = "\t";
	for (size_t i = 0; i < sizeof delimiters / sizeof delimiters[0]; i++) {
		if (word_is_listed(value, strlen(value), delimiters[i].names))
			allowed = delimiters[i].allowed;
	}
	if (strlen(value) != 1 || value[0] == '\n' || value[0] == '\r')
		return args_bad_value(t->name, value, allowed);
	o->text.delimiter = value[0];
	o->text.delimiter_source = DELIMITER_BY_OPTION;
	return STATUS_OK;
}

/* The rule for a missing number, or for a NaN. */
static enum status parse_missing(const char *value, bool is_nan, struct missing_rule *rule)
{
	struct number_parts parts;
	for (enum missing how = MISSING_FAIL; how < (is_nan ? MISSING_VALUE : MISSING_PROPAGATE); how++) {
		if (strcmp(value, missing_words[how]) != 0)
			continue;
		*rule = (struct missing_rule){.how = how};
		return STATUS_OK;
	}
	*rule = (struct missing_rule){.how = MISSING_VALUE, .value = strcmp(value, "zero") == 0 ? "0" : value};
	if (number_split(rule->value, strlen(rule->value), &parts))
		return STATUS_OK;
	if (is_nan)
		return args_bad_value("--nan", value, "propagate, fail, skip, keep, hold, zero or a number");
	return args_bad_value("--missing", value, "fail, skip, keep, hold, zero or a number");
}

enum status args_missing(const struct given_option *t, struct options *o)
{
	return parse_missing(t->value, false, &o->text.tokens.missing);
}

enum status args_nan(const struct given_option *t, struct options *o)
{
	o->text.tokens.has_nan = true;
	return parse_missing(t->value, true, &o->text.tokens.nan);
}

/* Less than a chunk has. */
#define COMMENT_MAX 1000

enum status args_comment(const struct given_option *t, struct options *o)
{
	const char *value = t->value;
	if (value[0] == '\0' || strchr(value, '\n') != NULL || strlen(value) > COMMENT_MAX)
		return args_bad_value(t->name, value, "the beginning of a line");
	o->text.comment = value;
	o->text.comment_size = strlen(value);
	return STATUS_OK;
}

enum status args_number_format(const struct given_option *t, struct options *o)
{
	const char *value = t->value;
	const char *reason;
	o->numbers.has_format = number_spec_parse(value, &o->numbers.format, &reason);
	if (o->numbers.has_format)
		return STATUS_OK;
	const char *quoted = message_quoted(value);
	if (strchr(value, '%') == NULL)
		return args_usage("-F %s: no %%f, %%e, %%g or %%d in it (-d is for delimiters)", quoted);
	return args_usage("-F %s: %s", quoted, reason);
}

enum status args_decimal(const struct given_option *t, struct options *o)
{
	if (strcmp(t->value, ".") != 0 && strcmp(t->value, ",") != 0)
		return args_bad_value(t->name, t->value, "a point or a comma");
	o->text.tokens.notation.decimal = t->value[0] == ',' ? ',' : '\0';
	return STATUS_OK;
}

enum status args_thousands(const struct given_option *t, struct options *o)
{
	/* What stands for the mark, and the mark. */
	static const char *const marks[][2] = {{",", ","},
					       {".", "."},
					       {"'", "'"},
					       {"\xe2\x80\x99", "'"},
					       {" ", " "},
					       {"\xc2\xa0", " "},
					       {"\xe2\x80\xaf", " "},
					       {"\xe2\x80\x89", " "}};
	for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
		if (strcmp(t->value, marks[i][0]) != 0)
			continue;
		o->text.tokens.notation.thousands = marks[i][1][0];
		o->cut.thousands_are_spaces = t->value[0] == ' ';
		return STATUS_OK;
	}
	return args_bad_value(t->name, t->value, "a comma, a point, an apostrophe or a blank");
}

/* Refuses a list because of one of its items. */
static enum status bad_accept(const struct given_option *t, const char *item, size_t size)
{
	const char *word = synonym_of_accept(item, size);
	if (word == NULL)
		return args_bad_value(t->name, t->value, "a list of money, percent, size, duration and time");
	return args_usage("%s: %s is not known: perhaps %s", t->name, message_quoted_part(item, size), word);
}

enum status args_accept(const struct given_option *t, struct options *o)
{
	size_t size;
	for (const char *item = t->value; item != NULL; item = args_next_item(item, size)) {
		size = strcspn(item, ",");
		size_t i = 0;
		while (i < ACCEPT_WORDS &&
		       (strlen(accept_words[i]) != size || memcmp(accept_words[i], item, size) != 0))
			i++;
		if (i == ACCEPT_WORDS)
			return bad_accept(t, item, size);
		o->text.tokens.notation.accept |= 1u << i;
	}
	return STATUS_OK;
}

/* Refuses marks of numbers that separate fields without quotes: no number could contain one. */
static enum status check_delimiter(const struct options *o)
{
	static const struct {
		char mark;
		const char *written, *name;
	} marks[] = {
		{',', "','", "comma"}, {'.', "'.'", "point"}, {'\'', "\"'\"", "apostrophe"}, {' ', "' '", "blank"}};
	const struct notation *n = &o->text.tokens.notation;
	const char delimiter = o->text.delimiter;
	if (o->text.cut != CUT_DELIMITER)
		return STATUS_OK;
	if (n->decimal == delimiter && n->decimal != 0)
		return args_usage("--decimal=',': the comma is the delimiter, too (--csv has quotes)");
	for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
		if (n->thousands == marks[i].mark && n->thousands == delimiter &&
		    (delimiter != ' ' || o->cut.thousands_are_spaces))
			return args_usage("--thousands=%s: the %s is the delimiter, too (--csv has quotes)",
					  marks[i].written, marks[i].name);
	}
	if ((n->accept & ACCEPT_DURATION) != 0 && delimiter == ':')
		return args_usage("--accept=duration: the colon is the delimiter, too (--csv has quotes)");
	return STATUS_OK;
}

/* Whether the marks of numbers exclude each other, or the delimiter. */
static enum status check_notation(struct options *o)
{
	struct notation *n = &o->text.tokens.notation;
	const char mark = n->decimal != 0 ? n->decimal : '.';
	n->given = n->decimal != 0 || n->thousands != 0 || n->accept != 0;
	if (n->thousands == mark && n->thousands == '.')
		return args_usage("--thousands='.': the point is the decimal mark, too (see --decimal=',')");
	if (n->thousands == mark)
		return args_usage("--thousands=',': the comma is the decimal mark, too");
	return check_delimiter(o);
}

enum status args_tsv(const struct given_option *t, struct options *o)
{
	(void)t;
	o->text.delimiter = '\t';
	o->text.delimiter_source = DELIMITER_BY_TSV;
	o->cut.tsv = true;
	return STATUS_OK;
}

enum status args_header(const struct given_option *t, struct options *o)
{
	o->text.header_lines = 1;
	o->cut.no_header = false;
	return t->value == NULL ? STATUS_OK
				: args_count(t->name, t->value, 1, UINT64_C(1) << 32, &o->text.header_lines);
}

enum status args_no_header(const struct given_option *t, struct options *o)
{
	(void)t;
	o->text.header_lines = 0;
	o->cut.no_header = true;
	return STATUS_OK;
}

/* What windows go with. */
static enum status check_window(const struct options *o)
{
	if (o->scan.window == 0)
		return STATUS_OK;
	if (o->scan.seed != NULL)
		return args_usage("--window cannot be combined with --seed: a window has only its own elements");
	if (o->scan.algorithm != ALGORITHM_BLELLOCH)
		return args_usage("--window works only with --algorithm=blelloch");
	if (o->fields.span.size == 0)
		return STATUS_OK;
	if (o->fields.numbers.size == 0 && !o->text.records.are_lines)
		return args_usage("--window=FIELD:N needs -f, the field of the numbers (only -op count works without)");
	if (o->scan.exclusive && (o->text.tokens.missing.how == MISSING_HOLD || o->text.tokens.nan.how == MISSING_HOLD))
		return message_refuse("--window=FIELD:N with -e, and --missing=hold or --nan=hold" ARGS_LATER);
	if (o->state.file != NULL)
		return message_refuse("--window=FIELD:N with --state" ARGS_LATER);
	return STATUS_OK;
}

/* What keys and resets go with. */
static enum status check_segments(const struct options *o)
{
	const char *name = o->fields.keys.size > 0       ? "-g"
			   : o->fields.reset_on.size > 0 ? "--reset-on"
			   : o->fields.gap.size > 0      ? "--reset-gap"
			   : o->resets.every > 0         ? "--reset-every"
			   : o->resets.at != NULL        ? "--reset-at"
							 : NULL;
	if (name == NULL)
		return STATUS_OK;
	if (o->fields.keys.size + o->fields.reset_on.size + o->fields.gap.size > 0 && o->fields.numbers.size == 0 &&
	    !o->text.records.are_lines)
		return args_usage("%s needs -f, the field of the numbers (only -op count works without)", name);
	if (o->scan.include_initial)
		return args_usage("%s: it cannot be combined with --include-initial: there is no single first result",
				  name);
	return STATUS_OK;
}

/* The format of lines with fields of their own, which have names instead of a header. */
static enum status choose_own_format(struct options *o, const char *name)
{
	struct text_rules *t = &o->text;
	if (o->cut.log + o->cut.logfmt + o->cut.json > 1)
		return args_usage("--log, --logfmt and --json exclude each other");
	if (o->cut.csv || t->delimiter != '\0')
		return args_usage("%s has its own delimiters: it cannot be combined with --csv, --tsv or -d", name);
	if (t->header_lines > 0)
		return args_usage("%s has no header (its fields have names already): it cannot be combined with -H",
				  name);
	if (text_names_fields(t) && o->fields.columns > 0)
		return args_usage("%s: choose its fields by name, not with -c (see -f)", name);
	return o->cut.log ? args_fields_number_log(o) : STATUS_OK;
}

/* How lines are cut into fields. */
static enum status choose_cut(struct options *o)
{
	struct text_rules *t = &o->text;
	t->records.decide = args_fields_are_open(o) || t->tokens.may_be_texts || texts_may_be_times(o);
	t->cut = o->cut.json            ? CUT_JSON
		 : o->cut.logfmt        ? CUT_LOGFMT
		 : o->cut.log           ? CUT_LOG
		 : t->delimiter != '\0' ? CUT_DELIMITER
					: CUT_BLANKS;
	if (o->cut.log || o->cut.logfmt || o->cut.json)
		return choose_own_format(o, o->cut.json ? "--json" : o->cut.logfmt ? "--logfmt" : "--log");
	if (o->cut.no_header && args_fields_have_names(o))
		return args_usage("--no-header: without a header fields have no names: choose them by number (see -f)");
	o->cut.finds_header =
		(o->cut.csv || o->cut.tsv) && t->header_lines == 0 && !o->cut.no_header && !args_fields_have_names(o);
	/* (Without a header line 1 is looked at as well: it tells how many columns there are.) */
	if (t->header_lines == 0 &&
	    (args_fields_have_names(o) || o->cut.finds_header || (o->cut.csv && o->cut.no_header)))
		t->header_lines = 1;
	if (t->names_line > t->header_lines || (t->names_line > 0 && (o->cut.finds_header || o->cut.no_header)))
		return args_usage("--header-names: the header has no line %llu", (unsigned long long)t->names_line);
	if (!o->cut.csv)
		return STATUS_OK;
	t->cut = CUT_CSV;
	if (t->delimiter == '\0')
		t->delimiter = ',';
	if (t->delimiter == '"')
		return args_usage("--csv: the delimiter cannot be the quote");
	/* Where the stream may be cut is decided quote by quote, perhaps before the rest of a prefix has come. */
	if (t->comment != NULL && strchr(t->comment, '"') != NULL)
		return args_usage("--csv: a comment cannot begin with a quote");
	return STATUS_OK;
}

/* Whether lines are counted, whatever their numbers are: only the fields that keys and resets go by were named. */
static bool counts_lines(const struct options *o)
{
	bool counts = o->scan.map == NULL && args_fields_are_given(o) && o->fields.numbers.size == 0 &&
		      o->fields.columns == 0;
	for (size_t i = 0; i < o->scan.op_count; i++)
		counts = counts && o->scan.ops[i].op == &operator_table[OPERATOR_COUNT];
	return counts;
}

enum status args_text_complete(struct options *o)
{
	struct text_rules *t = &o->text;
	if (o->cut.append && o->cut.replace)
		return args_usage("-a and --replace exclude each other");
	t->output.lines = o->cut.append ? LINES_APPENDED : o->cut.replace ? LINES_REPLACED : LINES_DROPPED;
	t->tokens.marks_have_digits = t->tokens.marks != NULL && strpbrk(t->tokens.marks, "0123456789") != NULL;
	t->records.are_lines = counts_lines(o);
	t->tokens.may_be_texts = texts_may_be_found(o);
	t->tokens.suggests_texts = texts_are_possible(o);
	const bool by_field = o->fields.numbers.size > 0 || o->fields.columns > 0 || t->records.are_lines;
	TRY(choose_cut(o));
	TRY(check_notation(o));
	TRY(check_window(o));
	TRY(check_segments(o));
	if (o->numbers.input == FORMAT_BINARY && o->fields.columns == 0 && args_fields_are_given(o))
		return args_usage("-f, -g and --reset-on choose columns of --format=binary: they need -c");
	if (o->numbers.input == FORMAT_NPY && (o->numbers.is_text || args_fields_are_given(o)))
		return args_usage(
			"-f, -g, -d, --csv, -H, -a, --missing and the like are for text, not for --format=npy");
	if (o->numbers.has_axis &&
	    (o->numbers.is_text || o->numbers.input == FORMAT_TEXT || o->numbers.input == FORMAT_BINARY))
		return args_usage("--axis is for .npy files");
	if (o->numbers.is_text && o->numbers.input == FORMAT_BINARY)
		return args_usage(
			"-d, --csv, --tsv, --log, --logfmt, --json, -H, --comment, -a, --as, --replace, --decimal, "
			"--thousands, --accept, --missing, --missing-marks and --invalid are for text, not for "
			"--format=binary");
	o->fields.are_lacking = !by_field && t->cut != CUT_BLANKS;
	if (o->fields.are_lacking)
		return STATUS_OK;
	if (o->fields.along.size > 0 && !by_field)
		return args_usage("--plot-time needs -f, the field of the numbers (only -op count works without)");
	if (t->output.as != NULL && text_names_fields(t)) {
		if (t->output.lines == LINES_REPLACED || (t->cut == CUT_LOGFMT && t->output.lines == LINES_DROPPED))
			return args_usage("--as names the results of --json, or of --logfmt with -a");
	} else if (t->output.as != NULL && (!by_field || t->header_lines == 0 || o->cut.no_header))
		return args_usage("--as names the results in a header: it needs -H, and -f or -c");
	if (t->output.lines == LINES_DROPPED)
		return STATUS_OK;
	const char *name = t->output.lines == LINES_APPENDED ? "-a" : "--replace";
	if (t->output.lines == LINES_REPLACED && (!by_field || t->records.are_lines))
		return args_usage("%s needs -f, the field of the numbers, or -c", name);
	if (t->output.lines == LINES_REPLACED && o->scan.op_count > 1)
		return args_usage("--replace gives each field one result: it needs one -op");
	if (o->scan.total || o->scan.include_initial)
		return args_usage("%s writes each line with its result: it cannot be combined with %s", name,
				  o->scan.total ? "--total" : "--include-initial");
	if (o->numbers.output != FORMAT_AUTO && o->numbers.output != FORMAT_TEXT)
		return args_usage("%s writes lines of text: it cannot be combined with --output-format=%s", name,
				  o->numbers.output == FORMAT_NPY ? "npy" : "binary");
	return STATUS_OK;
}
