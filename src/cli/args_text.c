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

/* One of an option's list of fields: N, N-M, N- or a name. *kept: the word is part of it. */
static enum status parse_field(const char *option, const char *value, char *word, struct bytes *fields, bool *kept)
{
	struct field_item field = {.value = value};
	char *rest = word + strspn(word, "0123456789");
	const char *last = *rest == '-' ? rest + 1 : word;
	enum status status = STATUS_OK;
	if (word[0] == '\0')
		return args_usage("%s: a field is missing", option);
	if (word[0] == '-')
		return args_bad_value(option, word, "a field's number or name");
	if (word[strspn(word, "0123456789-")] != '\0' || strchr(last, '-') != NULL) {
		field.name = word;
	} else {
		*rest = '\0';
		status = args_count(option, word, 1, UINT64_C(1) << 40, &field.first);
		field.last = UINT64_MAX;
		if (status == STATUS_OK && *last != '\0')
			status = args_count(option, last, field.first, UINT64_C(1) << 40, &field.last);
	}
	if (status == STATUS_OK)
		status = bytes_append(fields, &field, sizeof field);
	*kept = status == STATUS_OK && field.name != NULL;
	return status;
}

/* A list; given again, it adds. */
static enum status parse_fields(const char *option, const char *value, struct bytes *fields)
{
	enum status status = STATUS_OK;
	bool ends = false;
	for (const char *item = value; status == STATUS_OK && !ends;) {
		char *word = NULL;
		bool kept = false;
		const size_t size = strcspn(item, ",");
		status = args_word_of(item, size, &word);
		if (status == STATUS_OK)
			status = parse_field(option, value, word, fields, &kept);
		if (!kept)
			memory_free(word);
		ends = item[size] == '\0';
		item += size + 1;
	}
	return status;
}

/* FIELD:N, or FIELD:N and a unit of time. */
static enum status parse_gap(const char *value, struct options *o)
{
	static const char units[] = "smhd";
	static const int seconds[] = {1, 60, 3600, 86400};
	static const char allowed[] = "FIELD:N, N a number from 0, as in 4:100, or time:30m (s, m, h, d)";
	const char *colon = strrchr(value, ':');
	char *word = NULL;
	struct decimal d;
	union value m;
	bool kept = false;
	if (colon == NULL || colon == value)
		return args_bad_value("--reset-gap", value, allowed);
	size_t size = strlen(colon + 1);
	const char *unit = size > 0 ? strchr(units, colon[size]) : NULL;
	size -= unit != NULL;
	const int factor = unit != NULL ? seconds[unit - units] : 1;
	if (!decimal_parse(colon + 1, size, &d) || d.is_float || d.negative ||
	    !decimal_mantissa(&d, DECIMAL_SCALE_MAX, &type_table[TYPE_I128], &m) ||
	    __builtin_mul_overflow(decimal_value(&m, &type_table[TYPE_I128]), factor, &o->gap))
		return args_bad_value("--reset-gap", value, allowed);
	o->gap_field.size = 0;
	enum status status = args_word_of(value, (size_t)(colon - value), &word);
	if (status == STATUS_OK)
		status = parse_field("--reset-gap", word, word, &o->gap_field, &kept);
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
		status = parse_fields("-f", value, &o->fields);
		break;
	case 'g':
		status = parse_fields("-g", value, &o->keys);
		break;
	case ARGS_TEXT_RESET_ON:
		status = parse_fields("--reset-on", value, &o->reset_on);
		break;
	case ARGS_TEXT_RESET_GAP:
		status = parse_gap(value, o);
		break;
	case 'd':
		status = parse_delimiter(value, o);
		break;
	case ARGS_TEXT_CSV:
		o->csv = true;
		break;
	case ARGS_TEXT_TSV:
		o->text.delimiter = '\t';
		break;
	case ARGS_TEXT_LOG:
		o->log = true;
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
	/* -F is about results: those of binary input may be text as well; lists may be of columns; any floats may be NaN. */
	const bool is_list =
		option == 'f' || option == 'g' || option == ARGS_TEXT_RESET_ON || option == ARGS_TEXT_RESET_GAP;
	o->text_option = o->text_option || (option != 'F' && option != ARGS_TEXT_NAN && !is_list);
	return status;
}

static bool has_name(const struct bytes *fields)
{
	const struct field_item *items = (const struct field_item *)(const void *)fields->data;
	bool has = false;
	for (size_t i = 0; i < fields->size / sizeof *items; i++)
		has = has || items[i].name != NULL;
	return has;
}

bool args_text_has_names(const struct options *o)
{
	return has_name(&o->fields) || has_name(&o->keys) || has_name(&o->reset_on) || has_name(&o->gap_field);
}

bool args_text_has_lists(const struct options *o)
{
	return o->fields.size + o->keys.size + o->reset_on.size + o->gap_field.size > 0;
}

/* What windows go with. */
static enum status check_window(const struct options *o)
{
	if (o->window == 0)
		return STATUS_OK;
	if (o->has_program)
		return args_not_yet("--window with an operator of one's own");
	if (o->seed != NULL)
		return args_usage("--window: the elements before are not in it: not with --seed");
	if (o->algorithm != ALGORITHM_BLELLOCH)
		return args_usage("--window goes with --algorithm=blelloch alone");
	return STATUS_OK;
}

/* What keys and resets go with. */
static enum status check_segments(const struct options *o)
{
	const char *name = o->keys.size > 0        ? "-g"
			   : o->reset_on.size > 0  ? "--reset-on"
			   : o->gap_field.size > 0 ? "--reset-gap"
			   : o->reset_every > 0    ? "--reset-every"
			   : o->reset_at != NULL   ? "--reset-at"
						   : NULL;
	if (name == NULL)
		return STATUS_OK;
	if (o->keys.size + o->reset_on.size + o->gap_field.size > 0 && o->fields.size == 0 && !o->text.counts_lines)
		return args_usage("%s is about fields: it needs -f, the field of the numbers; -op count needs none",
				  name);
	if (o->include_initial)
		return args_usage("%s: there is no result that comes before all others: not with --include-initial",
				  name);
	return STATUS_OK;
}

/* The fields of the Common Log Format, and the two of the combined one, in their order. */
static const char *const log_fields[] = {"host",   "ident", "user",    "time", "request",
					 "status", "bytes", "referer", "agent"};
#define LOG_FIELD_COUNT ((int)(sizeof log_fields / sizeof log_fields[0]))

/* Names are a log's fields. */
static enum status number_log_fields(const char *option, struct bytes *list)
{
	char quoted[MESSAGE_QUOTED_SIZE];
	struct field_item *fields = (struct field_item *)(void *)list->data;
	for (size_t i = 0; i < list->size / sizeof *fields; i++) {
		const char *name = fields[i].name;
		if (name == NULL)
			continue;
		const int index = args_word(name, log_fields, LOG_FIELD_COUNT);
		if (index < 0)
			return args_usage("--log: %s: %s is not host, ident, user, time, request, status, bytes, "
					  "referer or agent",
					  option, message_quote(quoted, name, strlen(name)));
		fields[i].first = fields[i].last = (uint64_t)index + 1;
	}
	return STATUS_OK;
}

static enum status number_all_log_fields(struct options *o)
{
	enum status status = number_log_fields("-f", &o->fields);
	if (status == STATUS_OK)
		status = number_log_fields("-g", &o->keys);
	if (status == STATUS_OK)
		status = number_log_fields("--reset-on", &o->reset_on);
	return status == STATUS_OK ? number_log_fields("--reset-gap", &o->gap_field) : status;
}

/* How lines are cut into fields. */
static enum status choose_cut(struct options *o)
{
	struct text_rules *t = &o->text;
	t->cut = t->delimiter != '\0' ? CUT_DELIMITER : CUT_BLANKS;
	if (o->log) {
		if (o->csv || t->delimiter != '\0')
			return args_usage("--log has its own delimiters: not with --csv, --tsv or -d");
		if (t->header_lines > 0)
			return args_usage("--log has no header, its fields have names: not with -H");
		t->cut = CUT_LOG;
		t->log_has_names = args_text_has_names(o);
		return number_all_log_fields(o);
	}
	if (t->header_lines == 0 && args_text_has_names(o))
		t->header_lines = 1;
	if (!o->csv)
		return STATUS_OK;
	t->cut = CUT_CSV;
	if (t->delimiter == '\0')
		t->delimiter = ',';
	if (t->delimiter == '"')
		return args_usage("--csv: the quote is no delimiter");
	/* Where the stream may be cut is decided quote by quote, perhaps before the rest of a prefix has come. */
	if (t->comment != NULL && strchr(t->comment, '"') != NULL)
		return args_usage("--csv: a comment cannot begin with a quote");
	return STATUS_OK;
}

/* Whether lines are counted, whatever their numbers are: only the fields that keys and resets go by were named. */
static bool counts_lines(const struct options *o)
{
	const struct operator_choice *ops = (const struct operator_choice *)(const void *)o->operators.data;
	bool counts = args_text_has_lists(o) && o->fields.size == 0 && o->columns == 0;
	for (size_t i = 0; i < o->operators.size / sizeof *ops; i++)
		counts = counts && ops[i].op == &operator_table[OPERATOR_COUNT];
	return counts;
}

enum status args_text_complete(struct options *o)
{
	struct text_rules *t = &o->text;
	t->counts_lines = counts_lines(o);
	const bool by_field = o->fields.size > 0 || o->columns > 0 || t->counts_lines;
	if (choose_cut(o) != STATUS_OK)
		return STATUS_USAGE;
	if (check_window(o) != STATUS_OK || check_segments(o) != STATUS_OK)
		return STATUS_USAGE;
	if (o->input_format == FORMAT_BINARY && o->columns == 0 && args_text_has_lists(o))
		return args_usage("-f, -g and --reset-on choose columns of --format=binary: they need -c");
	if (o->input_format == FORMAT_NPY && (o->text_option || args_text_has_lists(o)))
		return args_usage(
			"-f, -g, -d, --csv, -H, -a, --missing and the like are for text, not for --format=npy");
	if (o->has_axis && (o->text_option || o->input_format == FORMAT_TEXT || o->input_format == FORMAT_BINARY))
		return args_usage("--axis is for .npy files");
	if (o->text_option && o->input_format == FORMAT_BINARY)
		return args_usage("-d, --csv, --tsv, --log, -H, --comment, -a, --as, --replace, --missing, "
				  "--missing-marks and --invalid are for text, not for --format=binary");
	if ((o->csv || o->log) && !by_field)
		return args_usage("%s is about fields: it needs -f or -c", o->csv ? "--csv" : "--log");
	if (t->cut == CUT_DELIMITER && !by_field)
		return args_usage("-d separates fields: it needs -f or -c");
	if (t->as != NULL && (!by_field || t->header_lines == 0))
		return args_usage("--as names the results in a header: it needs -H, and -f or -c");
	if (t->lines == LINES_DROPPED)
		return STATUS_OK;
	const char *name = t->lines == LINES_APPENDED ? "-a" : "--replace";
	if (!by_field || (t->lines == LINES_REPLACED && t->counts_lines))
		return args_usage("%s is about fields: it needs -f or -c", name);
	if (t->lines == LINES_REPLACED && o->operators.size > sizeof(struct operator_choice))
		return args_usage("--replace gives each field one result: it needs one -op");
	if (o->total || o->include_initial)
		return args_usage("%s gives each line its result: not with %s", name,
				  o->total ? "--total" : "--include-initial");
	if (o->output_format_given && o->output_format != FORMAT_TEXT)
		return args_usage("%s writes lines: not with --output-format=%s", name,
				  o->output_format == FORMAT_NPY ? "npy" : "binary");
	return STATUS_OK;
}
