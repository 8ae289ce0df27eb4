#include "cli/args_text.h"

#include <string.h>

#include "cli/args_value.h"
#include "number/parse.h"

static enum status parse_delimiter(const char *value, struct options *o)
{
	if (strcmp(value, "\\t") == 0)
		value = "\t";
	if (strlen(value) != 1 || value[0] == '\n' || value[0] == '\r')
		return args_bad_value("-d", value, "one character");
	o->text.by_blanks = false;
	o->text.delimiter = value[0];
	return STATUS_OK;
}

/* What is done about a number that is missing, or about a NaN. */
static enum status parse_missing(const char *value, bool is_nan, struct missing_rule *rule)
{
	static const char *const words[] = {
		[MISSING_FAIL] = "fail", [MISSING_SKIP] = "skip",           [MISSING_KEEP] = "keep",
		[MISSING_HOLD] = "hold", [MISSING_PROPAGATE] = "propagate",
	};
	struct number_parts parts;
	const int index = args_word(value, words, is_nan ? 5 : 4);
	if (index >= 0) {
		*rule = (struct missing_rule){.how = (enum missing)index};
		return STATUS_OK;
	}
	*rule = (struct missing_rule){.how = MISSING_VALUE, .value = strcmp(value, "zero") == 0 ? "0" : value};
	if (number_split(rule->value, strlen(rule->value), &parts))
		return STATUS_OK;
	if (is_nan)
		return args_bad_value("--nan", value, "propagate, fail, skip, keep, hold, zero or a number");
	return args_bad_value("--missing", value, "fail, skip, keep, hold, zero or a number");
}

static enum status parse_invalid(const char *value, struct options *o)
{
	static const char *const words[] = {
		[INVALID_ABORT] = "abort",
		[INVALID_FAIL] = "fail",
		[INVALID_WARN] = "warn",
		[INVALID_IGNORE] = "ignore",
	};
	const int index = args_word(value, words, 4);
	if (index < 0)
		return args_bad_value("--invalid", value, "abort, fail, warn or ignore");
	o->text.invalid = (enum invalid)index;
	return STATUS_OK;
}

/* One of -f's list: N, N-M, N- or a name. *kept: the word is part of it. */
static enum status parse_field(const char *value, char *word, struct options *o, bool *kept)
{
	struct field_item field = {.value = value};
	char *rest = word + strspn(word, "0123456789");
	const char *last = *rest == '-' ? rest + 1 : word;
	enum status status = STATUS_OK;
	if (word[0] == '\0')
		return args_usage("-f: a field is missing");
	if (word[0] == '-')
		return args_bad_value("-f", word, "a field's number or name");
	if (word[strspn(word, "0123456789-")] != '\0' || strchr(last, '-') != NULL) {
		field.name = word;
	} else {
		*rest = '\0';
		status = args_count("-f", word, 1, UINT64_C(1) << 40, &field.first);
		field.last = UINT64_MAX;
		if (status == STATUS_OK && *last != '\0')
			status = args_count("-f", last, field.first, UINT64_C(1) << 40, &field.last);
	}
	if (status == STATUS_OK)
		status = bytes_append(&o->fields, &field, sizeof field);
	*kept = status == STATUS_OK && field.name != NULL;
	return status;
}

/* A list; given again, it adds. */
static enum status parse_fields(const char *value, struct options *o)
{
	enum status status = STATUS_OK;
	bool ends = false;
	for (const char *item = value; status == STATUS_OK && !ends;) {
		char *word = NULL;
		bool kept = false;
		const size_t size = strcspn(item, ",");
		status = args_word_of(item, size, &word);
		if (status == STATUS_OK)
			status = parse_field(value, word, o, &kept);
		if (!kept)
			memory_free(word);
		ends = item[size] == '\0';
		item += size + 1;
	}
	return status;
}

/* Less than a chunk has. */
#define COMMENT_MAX 1000

static enum status parse_comment(const char *value, struct options *o)
{
	if (value[0] == '\0' || strchr(value, '\n') != NULL || strlen(value) > COMMENT_MAX)
		return args_bad_value("--comment", value, "the beginning of a line");
	o->text.comment = value;
	o->text.comment_size = strlen(value);
	return STATUS_OK;
}

static enum status parse_number_format(const char *value, struct options *o)
{
	char quoted[MESSAGE_QUOTED_SIZE];
	const char *reason;
	o->has_number_format = number_spec_parse(value, &o->number_format, &reason);
	if (o->has_number_format)
		return STATUS_OK;
	message_quote(quoted, value, strlen(value));
	if (strchr(value, '%') == NULL)
		return args_usage("-F %s: no %%f, %%e, %%g or %%d in it (-d is for delimiters)", quoted);
	return args_usage("-F %s: %s", quoted, reason);
}

static enum status choose_lines(enum lines lines, struct options *o)
{
	if (o->text.lines != LINES_DROPPED && o->text.lines != lines)
		return args_usage("-a and --replace exclude each other");
	o->text.lines = lines;
	return STATUS_OK;
}

enum status args_text_take(int option, const char *value, struct options *o, bool *known)
{
	*known = true;
	enum status status = STATUS_OK;
	switch (option) {
	case 'f':
		status = parse_fields(value, o);
		break;
	case 'd':
		status = parse_delimiter(value, o);
		break;
	case ARGS_TEXT_CSV:
		o->text.csv = true;
		break;
	case 'H':
		o->text.header_lines = 1;
		break;
	case ARGS_TEXT_HEADER:
		o->text.header_lines = 1;
		if (value != NULL)
			status = args_count("--header", value, 1, UINT64_C(1) << 32, &o->text.header_lines);
		break;
	case ARGS_TEXT_COMMENT:
		status = parse_comment(value, o);
		break;
	case 'a':
		status = choose_lines(LINES_APPENDED, o);
		break;
	case ARGS_TEXT_REPLACE:
		status = choose_lines(LINES_REPLACED, o);
		break;
	case ARGS_TEXT_AS:
		o->text.as = value;
		break;
	case 'F':
		status = parse_number_format(value, o);
		break;
	case ARGS_TEXT_MISSING:
		status = parse_missing(value, false, &o->text.missing);
		break;
	case ARGS_TEXT_NAN:
		o->text.has_nan = true;
		status = parse_missing(value, true, &o->text.nan);
		break;
	case ARGS_TEXT_MISSING_MARKS:
		o->text.marks = value;
		o->text.marks_have_digits = strpbrk(value, "0123456789") != NULL;
		break;
	case ARGS_TEXT_INVALID:
		status = parse_invalid(value, o);
		break;
	default:
		*known = false;
		return STATUS_OK;
	}
	/* -F is about results: those of binary input may be text as well; -f may choose columns; any floats may be NaN. */
	o->text_option = o->text_option || (option != 'F' && option != 'f' && option != ARGS_TEXT_NAN);
	return status;
}

enum status args_text_complete(struct options *o)
{
	struct text_rules *t = &o->text;
	const struct field_item *fields = (const struct field_item *)(const void *)o->fields.data;
	const bool by_field = o->fields.size > 0 || o->columns > 0;
	for (size_t i = 0; i < o->fields.size / sizeof *fields; i++) {
		if (fields[i].name != NULL && t->header_lines == 0)
			t->header_lines = 1;
	}
	if (t->csv && t->by_blanks) {
		t->by_blanks = false;
		t->delimiter = ',';
	}
	if (t->csv && t->delimiter == '"')
		return args_usage("--csv: the quote is no delimiter");
	/* Where the stream may be cut is decided quote by quote, perhaps before the rest of a prefix has come. */
	if (t->csv && t->comment != NULL && strchr(t->comment, '"') != NULL)
		return args_usage("--csv: a comment cannot begin with a quote");
	if (o->text_option && o->input_format == FORMAT_BINARY)
		return args_usage("-f, -d, --csv, -H, --comment, -a, --as, --replace, --missing, "
				  "--missing-marks and --invalid are for text, not for --format=binary");
	if (t->csv && !by_field)
		return args_usage("--csv is about fields: it needs -f or -c");
	if (!t->by_blanks && !by_field)
		return args_usage("-d separates fields: it needs -f or -c");
	if (t->as != NULL && (!by_field || t->header_lines == 0))
		return args_usage("--as names the results in a header: it needs -H, and -f or -c");
	if (t->lines == LINES_DROPPED)
		return STATUS_OK;
	const char *name = t->lines == LINES_APPENDED ? "-a" : "--replace";
	if (!by_field)
		return args_usage("%s is about fields: it needs -f or -c", name);
	if (t->lines == LINES_REPLACED && o->operators.size > sizeof(struct operator_choice))
		return args_usage("--replace gives each field one result: it needs one -op");
	if (o->total || o->include_initial)
		return args_usage("%s gives each line its result: not with %s", name,
				  o->total ? "--total" : "--include-initial");
	if (o->output_format_given && o->output_format == FORMAT_BINARY)
		return args_usage("%s writes lines: not with --output-format=binary", name);
	return STATUS_OK;
}
