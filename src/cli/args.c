/* Each option of options.inc has a reader. What options mean together is settled once, at the end. "-op" is one option,
 * not "-o p": it is rewritten before getopt_long sees the arguments (args_op.c). */
#include "cli/args.h"

#include <assert.h>
#include <getopt.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/args_parts.h"
#include "cli/help.h"
#include "cli/plan_steps.h"
#include "io/filter.h"
#include "number/parse.h"
#include "text/npy.h"

/* Seconds after which a device that makes no progress is given up. */
#define DEVICE_TIMEOUT_S 60

/* Bytes, with K, M or G for powers of 1024. */
static enum status set_size(const struct given_option *t, struct options *o)
{
	const char *value = t->value;
	static const char units[] = "KMG";
	unsigned shift = 0;
	const size_t length = strlen(value);
	const char *unit = length > 0 ? strchr(units, value[length - 1]) : NULL;
	if (unit != NULL)
		shift = 10 * (unsigned)(unit - units + 1);
	const size_t digit_count = length - (shift > 0 ? 1 : 0);
	union value v;
	const uint64_t greatest = (UINT64_C(1) << 36) >> shift;
	if (digit_count == 0 || strspn(value, "0123456789") < digit_count ||
	    number_parse(value, digit_count, &type_table[TYPE_U64], &v) != NUMBER_OK || v.u64 == 0 || v.u64 > greatest)
		return args_bad_value(t->name, value, "a size from 1 to 64G, such as 64K or 4M");
	o->run.chunk_bytes = (size_t)v.u64 << shift;
	return STATUS_OK;
}

/* A number of elements, or a span of time: args_fields_read reads it. A number with a unit lacks its field. */
static enum status set_window(const struct given_option *t, struct options *o)
{
	const char *value = t->value;
	const size_t digits = strspn(value, "0123456789");
	const bool has_unit = digits > 0 && value[digits] != '\0' && strchr("smhd", value[digits]) != NULL &&
			      value[digits + 1] == '\0';
	if (has_unit)
		return args_usage("--window: a window by time needs its field: --window=time:%s", value);
	const size_t letters =
		strspn(value + digits, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789. ");
	if (digits > 0 && letters > 0 && value[digits] != '.' && value[digits + letters] == '\0')
		return args_usage("--window: %s is neither a number nor a span of time: --window=time:N with s, m, h "
				  "or d after N",
				  message_quoted(value));
	o->scan.window = UINT64_MAX;
	o->scan.window_span = strchr(value, ':') != NULL ? value : NULL;
	return o->scan.window_span != NULL ? STATUS_OK : args_count(t->name, value, 1, UINT64_MAX, &o->scan.window);
}

/* --- Readers that one option has */

static enum status set_operators(const struct given_option *t, struct options *o)
{
	return args_operators(t->value, o);
}

static enum status set_shown_operator(const struct given_option *t, struct options *o)
{
	o->action = ACTION_SHOW_OPERATOR;
	return args_operator_of_table(t->name, t->value, &o->shown);
}

static enum status set_shown_state(const struct given_option *t, struct options *o)
{
	o->action = ACTION_SHOW_STATE;
	return args_file(t->name, t->value, &o->state.file);
}

static enum status set_topic(const struct given_option *t, struct options *o)
{
	o->action = ACTION_HELP;
	return args_topic(t->value, &o->topic);
}

static enum status set_stats(const struct given_option *t, struct options *o)
{
	o->reports.stats = t->value != NULL ? STATS_JSON : STATS_TEXT;
	return t->value == NULL || strcmp(t->value, t->row->values) == 0
		       ? STATUS_OK
		       : args_bad_value(t->name, t->value, t->row->values);
}

static enum status set_plot(const struct given_option *t, struct options *o)
{
	o->reports.plots = true;
	o->reports.plot_file = NULL;
	return t->value == NULL ? STATUS_OK : args_file(t->name, t->value, &o->reports.plot_file);
}

static enum status set_format(const struct given_option *t, struct options *o)
{
	if (strcmp(t->value, "json") == 0)
		return message_refuse("%s=%s" ARGS_LATER, t->name, t->value);
	if (args_word(t->value, "csv tsv log logfmt") >= 0)
		return args_usage("%s=%s: write --%s", t->name, t->value, t->value);
	return args_set_word(t, o);
}

static enum status set_axis(const struct given_option *t, struct options *o)
{
	const char *value = t->value;
	const bool from_last = value[0] == '-';
	const bool digits = strspn(value + from_last, "0123456789") == strlen(value + from_last);
	union value v;
	if (!digits ||
	    number_parse(value + from_last, strlen(value + from_last), &type_table[TYPE_U64], &v) != NUMBER_OK ||
	    v.u64 > NPY_AXES_MAX || (from_last && v.u64 == 0))
		return args_bad_value(t->name, value, "an axis: 0, 1, ..., or -1, -2, ... from the last");
	o->numbers.has_axis = true;
	o->numbers.axis = from_last ? -(int64_t)v.u64 : (int64_t)v.u64;
	return STATUS_OK;
}

/* An option that compresses, at a level up to a greatest one. The last one counts. */
static enum status set_compressor(const struct given_option *t, struct options *o)
{
	const struct compressor *compressor = t->row->compressor;
	uint64_t level = (uint64_t)compressor->level_default;
	if (compressor->open == NULL)
		return args_usage("%s: this build has no library for that: use pscan ... | %s", t->name,
				  compressor->name);
	if (t->value != NULL)
		TRY(args_count(t->name, t->value, 1, t->row->greatest, &level));
	o->output.compressor = compressor;
	o->output.level = (int)level;
	return STATUS_OK;
}

/* --- The table */

#define MEMBER(what) .member = offsetof(struct options, what)
#define BY(function) .set = function
#define LIST(what) .set = args_list, MEMBER(what)
#define FLAG(what) .set = args_set_bool, MEMBER(what), .least = 1
#define CLEARS(what) .set = args_set_bool, MEMBER(what), .least = 0
#define SETS(what, value) .set = args_set_constant, MEMBER(what), .least = value
#define TEXT(what) .set = args_set_text, MEMBER(what)
#define NAME(what) .set = args_set_file, MEMBER(what)
#define COUNT(what, from, to) .set = args_set_count, MEMBER(what), .least = from, .greatest = to
#define WORD(what, first) .set = args_set_word, MEMBER(what), .least = first
#define FORMAT(what, first) .set = set_format, MEMBER(what), .least = first
#define COMPRESSOR(which, most) .set = set_compressor, .compressor = &compressor_##which, .greatest = most
#define TEXT_ONLY .is_text = true

#define TOPIC(id, name, heading)
#define SPELLING(id, spelling, meaning)
#define OPTION(id, spelled, meaning, words, ...) {.spelling = spelled, .values = words, __VA_ARGS__},
#define LATER(spelled) {.spelling = spelled},
static const struct option_row rows[] = {
#include "cli/options.inc"
};
#define ROW_COUNT (sizeof rows / sizeof rows[0])

/* The codes of options without a letter, or whose long form alone may have an argument: this, and the row's index. */
#define CODE_FIRST 256

/* The names of an option. */
struct spelled {
	char letter[4]; /* "-t", or "" */
	char name[24]; /* "--type" */
	const char *shown; /* the one of both that messages have */
};

/* What getopt_long takes. The names last as long as the program, since what was noted of options has them. */
struct tables {
	struct spelled spelled[ROW_COUNT];
	struct option longs[ROW_COUNT + 1];
	char letters[2 * ROW_COUNT + 2]; /* Ends with a NUL. */
	size_t letters_size;
};

/* Adds a row's names: "-t IN[:ACC], --type=IN[:ACC]". */
static void spell(struct tables *t, size_t i)
{
	const char *spelling = rows[i].spelling;
	const char *name = strstr(spelling, "--");
	struct spelled *s = &t->spelled[i];
	const bool has_letter = spelling[1] != '-' && strchr(" ,", spelling[2]) != NULL;
	const bool takes = has_letter && spelling[2] == ' ';
	const size_t size = strcspn(name, "=[");
	const int kind = name[size] == '=' ? required_argument : name[size] == '[' ? optional_argument : no_argument;
	assert(size < sizeof s->name && t->letters_size + 2 < sizeof t->letters);
	memcpy(s->name, name, size);
	if (has_letter) {
		memcpy(s->letter, spelling, 2);
		t->letters[t->letters_size++] = spelling[1];
		if (takes)
			t->letters[t->letters_size++] = ':';
	}
	s->shown = rows[i].name != NULL ? rows[i].name : takes ? s->letter : s->name;
	const bool is_letter = has_letter && kind != optional_argument;
	t->longs[i] = (struct option){
		.name = s->name + 2, .has_arg = kind, .val = is_letter ? spelling[1] : CODE_FIRST + (int)i};
}

static const struct tables *make_tables(void)
{
	static struct tables tables = {.letters = ":", .letters_size = 1};
	for (size_t i = 0; i < ROW_COUNT && tables.longs[i].name == NULL; i++)
		spell(&tables, i);
	return &tables;
}

/* The row of getopt_long's code. */
static size_t find_row(const struct tables *t, int code)
{
	size_t i = code >= CODE_FIRST ? (size_t)code - CODE_FIRST : 0;
	while (code < CODE_FIRST && i < ROW_COUNT - 1 && t->spelled[i].letter[1] != (char)code)
		i++;
	return i;
}

/* Variables that are words are read where they count; what says nothing there is refused here. */
static enum status check_variables(void)
{
	static const struct {
		const char *name, *words, *allowed;
	} variables[] = {
		{"PSCAN_SHAPE", "cpu gpu", "cpu or gpu"},
		{"PSCAN_MEMORY", "copy share", "copy or share"},
		{"PSCAN_AUTO", "eager", "eager"},
		{"PSCAN_TRIAL", "off", "off"},
		{"PSCAN_CPU", "baseline v3 v4 grid", "baseline, v3 or v4"},
	};
	for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
		const char *value = getenv(variables[i].name);
		if (value != NULL && value[0] != '\0' && args_word(value, variables[i].words) < 0)
			return args_bad_value(variables[i].name, value, variables[i].allowed);
	}
	return STATUS_OK;
}

/* The environment's defaults. */
static enum status read_environment(struct options *o)
{
	const char *device = getenv("PSCAN_DEVICE");
	const char *timeout = getenv("PSCAN_DEVICE_TIMEOUT");
	uint64_t seconds = DEVICE_TIMEOUT_S;
	if (o->run.device == NULL)
		o->run.device = device != NULL && device[0] != '\0' ? device : "auto";
	if (timeout != NULL && timeout[0] != '\0' &&
	    args_count("PSCAN_DEVICE_TIMEOUT", timeout, 0, 1000000, &seconds) != STATUS_OK)
		return STATUS_USAGE;
	o->run.device_timeout_s = (unsigned)seconds;
	return STATUS_OK;
}

/* What options mean together. */
static enum status complete(struct options *o)
{
	TRY(args_fields_read(o));
	TRY(args_map_fields(o));
	/* Of -c's columns -f chooses some, in text and in binary. */
	o->numbers.is_text = o->numbers.is_text || (args_fields_are_given(o) && o->fields.columns == 0);
	o->numbers.is_sniffed = o->numbers.input == FORMAT_AUTO && !o->numbers.is_text && !o->numbers.has_format;
	bool named_compressed = false;
	for (size_t i = 0; i < o->files.count; i++)
		named_compressed = named_compressed || filter_of_name(o->files.names[i]) != NULL;
	o->numbers.is_raw = o->numbers.input == FORMAT_BINARY ||
			    (o->numbers.is_sniffed && o->numbers.type != NULL && !named_compressed);
	if (o->numbers.skip_bytes > 0 && !o->numbers.is_sniffed && o->numbers.input != FORMAT_BINARY)
		return args_usage("--skip-bytes is for raw binary, not for text or .npy");
	TRY(check_variables());
	TRY(read_environment(o));
	if (o->scan.operators.size == 0) {
		const struct operator_choice sum = {.op = operator_find("sum"), .name = operator_find("sum")->name};
		TRY(bytes_append(&o->scan.operators, &sum, sizeof sum));
	}
	o->scan.ops = (struct operator_choice *)(void *)o->scan.operators.data;
	o->scan.op_count = o->scan.operators.size / sizeof *o->scan.ops;
	if (o->run.device[0] == '\0')
		return args_usage("-D: a device is missing");
	TRY(args_settle_operators(o, false, !plan_emit_may_be_late(o), 0, NULL));
	if (o->scan.algorithm == ALGORITHM_SEQUENTIAL) {
		if (strcmp(o->run.device, "auto") != 0 && strcmp(o->run.device, "none") != 0)
			return args_usage("--algorithm=sequential is for the host: it needs -D none");
		o->run.device = "none";
	}
	if (o->scan.total && o->scan.include_initial)
		return args_usage("--total and --include-initial exclude each other");
	if (o->reports.plots && o->scan.total)
		return args_usage("--plot draws the running results, which --total leaves out");
	const char *other = o->state.file != NULL ? "--state"
			    : o->scan.uses_total  ? "t in --emit"
			    : o->reports.plots    ? "--plot"
						  : NULL;
	if (o->scan.is_reversed && other != NULL)
		return message_refuse("--reverse with %s" ARGS_LATER, other);
	return args_text_complete(o);
}

/* Whether an option, with a value or without, is spelled so. */
static bool is_spelled(const char *name, const char *word)
{
	return strlen(name) == strcspn(word, "=") && strncmp(name, word, strlen(name)) == 0;
}

/* One option, as getopt_long gave it; long_name: its long one, if that was given. */
static enum status apply_option(const struct tables *tables, int code, const char *long_name, struct options *o)
{
	const size_t i = find_row(tables, code);
	const struct option_row *row = &rows[i];
	const struct given_option taken = {.row = row, .name = tables->spelled[i].shown, .value = optarg};
	if (row->set == NULL)
		return message_refuse("%s" ARGS_LATER,
				      long_name != NULL ? tables->spelled[i].name : tables->spelled[i].letter);
	o->numbers.is_text = o->numbers.is_text || row->is_text;
	return row->set(&taken, o);
}

enum status args_parse(int argc, char **argv, struct options *o)
{
	static char standard_input[] = "-";
	static char *const no_files[] = {standard_input, NULL};
	const struct tables *tables = make_tables();
	enum status status = args_op_rewrite(argc, argv, tables->letters, tables->longs);
	int code;
	*o = (struct options){.reports.verbosity = VERBOSITY_NORMAL};
	opterr = 0;
	while (status == STATUS_OK) {
		int index = -1;
		code = getopt_long(argc, argv, tables->letters, tables->longs, &index);
		if (code == -1)
			break;
		if (code == '?' || code == ':')
			return bad_option(code, argv, tables->letters, tables->longs);
		const char *name = index >= 0 ? tables->longs[index].name : NULL;
		/* (Other programs skip lines with --skip: it is not taken as an abbreviation.) */
		if (name != NULL && strcmp(name, "skip-bytes") == 0 &&
		    is_spelled("--skip", argv[optind - 1 - (optarg == argv[optind - 1])]))
			return bad_word("--skip");
		if (code == 'h') { /* whatever follows */
			o->action = ACTION_HELP;
			return STATUS_OK;
		}
		/* --help TOPIC and --help --state, too. */
		const char *next = argv[optind];
		if (rows[find_row(tables, code)].set == set_topic && optarg == NULL && next != NULL &&
		    (next[0] != '-' || help_has(next)))
			optarg = argv[optind++];
		status = apply_option(tables, code, name, o);
	}
	o->files.names = optind < argc ? argv + optind : no_files;
	o->files.count = optind < argc ? (size_t)(argc - optind) : 1;
	return status == STATUS_OK ? complete(o) : status;
}
