/* One table of options; what they mean together is settled once, at the end. "-op" is one option, not "-o p": it is
 * rewritten before getopt_long sees the arguments (args_op.h). */
#include "cli/args.h"

#include <getopt.h>
#include <string.h>

#include "base/memory.h"
#include "cli/args_fields.h"
#include "cli/args_format.h"
#include "cli/args_op.h"
#include "cli/args_operator.h"
#include "cli/args_text.h"
#include "cli/args_value.h"
#include "cli/plan_missing.h"
#include "cli/bad_option.h"
#include "cli/help.h"
#include "io/filter.h"
#include "number/parse.h"
#include "scan/program.h"
#include "stream/plan.h"

/* A device that makes no progress for so long is given up. */
#define DEVICE_TIMEOUT_S 60

/* Options without a letter. */
enum {
	OPTION_OP = 256,
	OPTION_MAP,
	OPTION_EMIT,
	OPTION_LIST_OPERATORS,
	OPTION_SHOW_OPERATOR,
	OPTION_INCLUDE_INITIAL,
	OPTION_SEED,
	OPTION_TOTAL,
	OPTION_RESET_EVERY,
	OPTION_RESET_AT,
	OPTION_WINDOW,
	OPTION_MIN_COUNT,
	OPTION_FILL_LIMIT,
	OPTION_OVERFLOW,
	OPTION_FORMAT,
	OPTION_OUTPUT_FORMAT,
	OPTION_AXIS,
	OPTION_SKIP_BYTES,
	OPTION_GZIP,
	OPTION_ZSTD,
	OPTION_NO_MMAP,
	OPTION_STATE,
	OPTION_SHOW_STATE,
	OPTION_ALIKE,
	OPTION_WHOLE_LINES,
	OPTION_CHUNK_SIZE,
	OPTION_LINE_BUFFERED,
	OPTION_STATS,
	OPTION_PROGRESS,
	OPTION_PLOT,
	OPTION_ALGORITHM,
	OPTION_TRACE,
	OPTION_VERIFY,
	OPTION_CHECK_ASSOCIATIVE,
	OPTION_NO_SANDBOX,
	OPTION_HELP,
	OPTION_LATER, /* reserved */
};

static const struct option long_options[] = {
	{"op", required_argument, NULL, OPTION_OP},
	{"ops", required_argument, NULL, OPTION_OP},
	{"map", required_argument, NULL, OPTION_MAP},
	{"emit", required_argument, NULL, OPTION_EMIT},
	{"inclusive", no_argument, NULL, 'i'},
	{"exclusive", no_argument, NULL, 'e'},
	{"include-initial", no_argument, NULL, OPTION_INCLUDE_INITIAL},
	{"seed", required_argument, NULL, OPTION_SEED},
	{"total", no_argument, NULL, OPTION_TOTAL},
	{"overflow", required_argument, NULL, OPTION_OVERFLOW},
	{"format", required_argument, NULL, OPTION_FORMAT},
	{"output-format", required_argument, NULL, OPTION_OUTPUT_FORMAT},
	{"type", required_argument, NULL, 't'},
	{"axis", required_argument, NULL, OPTION_AXIS},
	{"skip-bytes", required_argument, NULL, OPTION_SKIP_BYTES},
	{"columns", required_argument, NULL, 'c'},
	{"field", required_argument, NULL, 'f'},
	{"group", required_argument, NULL, 'g'},
	{"by", required_argument, NULL, 'g'},
	{"reset-on", required_argument, NULL, ARGS_TEXT_RESET_ON},
	{"reset-gap", required_argument, NULL, ARGS_TEXT_RESET_GAP},
	{"reset-every", required_argument, NULL, OPTION_RESET_EVERY},
	{"reset-at", required_argument, NULL, OPTION_RESET_AT},
	{"window", required_argument, NULL, OPTION_WINDOW},
	{"min-count", required_argument, NULL, OPTION_MIN_COUNT},
	{"fill-limit", required_argument, NULL, OPTION_FILL_LIMIT},
	{"delimiter", required_argument, NULL, 'd'},
	{"csv", no_argument, NULL, ARGS_TEXT_CSV},
	{"tsv", no_argument, NULL, ARGS_TEXT_TSV},
	{"log", no_argument, NULL, ARGS_TEXT_LOG},
	{"logfmt", no_argument, NULL, ARGS_TEXT_LOGFMT},
	{"json", no_argument, NULL, ARGS_TEXT_JSON},
	{"header", optional_argument, NULL, ARGS_TEXT_HEADER},
	{"no-header", no_argument, NULL, ARGS_TEXT_NO_HEADER},
	{"header-names", required_argument, NULL, ARGS_TEXT_HEADER_NAMES},
	{"comment", required_argument, NULL, ARGS_TEXT_COMMENT},
	{"append", no_argument, NULL, 'a'},
	{"as", required_argument, NULL, ARGS_TEXT_AS},
	{"replace", no_argument, NULL, ARGS_TEXT_REPLACE},
	{"number-format", required_argument, NULL, 'F'},
	{"missing", required_argument, NULL, ARGS_TEXT_MISSING},
	{"missing-marks", required_argument, NULL, ARGS_TEXT_MISSING_MARKS},
	{"nan", required_argument, NULL, ARGS_TEXT_NAN},
	{"invalid", required_argument, NULL, ARGS_TEXT_INVALID},
	{"gzip", optional_argument, NULL, OPTION_GZIP},
	{"zstd", optional_argument, NULL, OPTION_ZSTD},
	{"output", required_argument, NULL, 'o'},
	{"no-mmap", no_argument, NULL, OPTION_NO_MMAP},
	{"state", required_argument, NULL, OPTION_STATE},
	{"show-state", required_argument, NULL, OPTION_SHOW_STATE},
	{"alike", required_argument, NULL, OPTION_ALIKE},
	{"whole-lines", no_argument, NULL, OPTION_WHOLE_LINES},
	{"device", required_argument, NULL, 'D'},
	{"list-devices", no_argument, NULL, 'l'},
	{"list-operators", no_argument, NULL, OPTION_LIST_OPERATORS},
	{"show-operator", required_argument, NULL, OPTION_SHOW_OPERATOR},
	{"chunk-size", required_argument, NULL, OPTION_CHUNK_SIZE},
	{"threads", required_argument, NULL, 'T'},
	{"line-buffered", no_argument, NULL, OPTION_LINE_BUFFERED},
	{"stats", optional_argument, NULL, OPTION_STATS},
	{"progress", no_argument, NULL, OPTION_PROGRESS},
	{"plot", optional_argument, NULL, OPTION_PLOT},
	{"quiet", no_argument, NULL, 'q'},
	{"verbose", no_argument, NULL, 'v'},
	{"help", optional_argument, NULL, OPTION_HELP},
	{"version", no_argument, NULL, 'V'},
	{"no-sandbox", no_argument, NULL, OPTION_NO_SANDBOX},
	{"algorithm", required_argument, NULL, OPTION_ALGORITHM},
	{"verify", no_argument, NULL, OPTION_VERIFY},
	{"check-associative", no_argument, NULL, OPTION_CHECK_ASSOCIATIVE},
	{"trace", required_argument, NULL, OPTION_TRACE},
	/* Reserved: refused with "not yet". */
	{"reverse", no_argument, NULL, OPTION_LATER},
	{"exact", no_argument, NULL, OPTION_LATER},
	{"diff", no_argument, NULL, OPTION_LATER},
	{NULL, 0, NULL, 0},
};
/* Letters with their arguments; those of LATER_LETTERS are reserved. */
static const char letters[] = ":iet:f:d:zo:D:lT:qvhVHaF:g:c:r";
#define LATER_LETTERS "r"

/* Bytes, with K, M or G for powers of 1024. */
static enum status parse_size(const char *option, const char *value, size_t *size)
{
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
		return args_bad_value(option, value, "a size of 1 to 64G, as 64K or 4M");
	*size = (size_t)v.u64 << shift;
	return STATUS_OK;
}

/* A number of elements. A number with a unit of time, or after a field, would be one of times. */
static enum status parse_window(const char *value, struct options *o)
{
	const size_t digits = strspn(value, "0123456789");
	const bool has_unit = digits > 0 && value[digits] != '\0' && strchr("smhd", value[digits]) != NULL &&
			      value[digits + 1] == '\0';
	if (has_unit)
		return args_usage("--window: a window by time needs its field: --window=time:%s", value);
	if (strchr(value, ':') != NULL)
		return args_not_yet("--window=FIELD:N");
	return args_count("--window", value, 1, UINT64_MAX, &o->scan.window);
}

static enum status parse_overflow(const char *value, struct options *o)
{
	o->scan.wrap = strcmp(value, "wrap") == 0;
	o->scan.overflow_given = true;
	return o->scan.wrap || strcmp(value, "error") == 0 ? STATUS_OK
							   : args_bad_value("--overflow", value, "error or wrap");
}

static enum status parse_algorithm(const char *value, struct options *o)
{
	static const char *const words[] = {
		[ALGORITHM_BLELLOCH] = "blelloch",
		[ALGORITHM_HILLIS_STEELE] = "hillis-steele",
		[ALGORITHM_SEQUENTIAL] = "sequential",
	};
	const int index = args_word(value, words, 3);
	if (index < 0)
		return args_bad_value("--algorithm", value, "blelloch, hillis-steele or sequential");
	o->scan.algorithm = (enum algorithm)index;
	return STATUS_OK;
}

/* Options of the scan and of the numbers. *known: it was one of them. */
static enum status take_scan_option(int option, const char *value, struct options *o, bool *known)
{
	*known = true;
	switch (option) {
	case OPTION_OP:
		return args_operators(value, &o->scan.operators);
	case OPTION_MAP:
		o->scan.map = value;
		return STATUS_OK;
	case OPTION_EMIT:
		o->scan.emit = value;
		return STATUS_OK;
	case 'i':
		o->scan.exclusive = false;
		return STATUS_OK;
	case 'e':
		o->scan.exclusive = true;
		return STATUS_OK;
	case OPTION_INCLUDE_INITIAL:
		o->scan.include_initial = true;
		return STATUS_OK;
	case OPTION_SEED:
		o->scan.seed = value;
		return STATUS_OK;
	case OPTION_RESET_EVERY:
		return args_count("--reset-every", value, 1, UINT64_MAX, &o->resets.every);
	case OPTION_RESET_AT:
		o->resets.at = value;
		return STATUS_OK;
	case OPTION_WINDOW:
		return parse_window(value, o);
	case OPTION_MIN_COUNT:
		return args_count("--min-count", value, 1, UINT64_MAX, &o->scan.min_count);
	case OPTION_FILL_LIMIT:
		return args_count("--fill-limit", value, 1, UINT64_MAX, &o->scan.fill_limit);
	case OPTION_TOTAL:
		o->scan.total = true;
		return STATUS_OK;
	case OPTION_OVERFLOW:
		return parse_overflow(value, o);
	case OPTION_FORMAT:
		return args_format("--format", value, true, &o->numbers.input);
	case OPTION_OUTPUT_FORMAT:
		o->numbers.output_given = true;
		return args_format("--output-format", value, false, &o->numbers.output);
	case OPTION_AXIS:
		return args_axis(value, o);
	case OPTION_SKIP_BYTES:
		return args_count("--skip-bytes", value, 0, INT64_MAX, &o->numbers.skip_bytes);
	case 't':
		o->numbers.type = value;
		return STATUS_OK;
	case 'c':
		return args_count("-c", value, 1, PLAN_LANES_MAX, &o->fields.columns);
	default:
		*known = false;
		return STATUS_OK;
	}
}

static enum status take_running_option(int option, const char *value, struct options *o)
{
	uint64_t count = 0;
	enum status status = STATUS_OK;
	switch (option) {
	case 'z':
	case OPTION_GZIP:
		return args_compressor("--gzip", value, &compressor_gzip, 9, o);
	case OPTION_ZSTD:
		return args_compressor("--zstd", value, &compressor_zstd, 22, o);
	case 'o':
		return args_file("-o", value, &o->output.file);
	case OPTION_SHOW_STATE:
		o->action = ACTION_SHOW_STATE;
		return args_file("--show-state", value, &o->state.file);
	case OPTION_STATE:
		return args_file("--state", value, &o->state.file);
	case OPTION_ALIKE:
		return args_alike(value, o);
	case OPTION_WHOLE_LINES:
		o->state.whole_lines = true;
		return STATUS_OK;
	case OPTION_NO_MMAP:
		return STATUS_OK; /* files are read, never mapped */
	case OPTION_NO_SANDBOX:
		o->run.no_sandbox = true;
		return STATUS_OK;
	case OPTION_VERIFY:
		o->run.verify = true;
		return STATUS_OK;
	case OPTION_CHECK_ASSOCIATIVE:
		o->run.check_associative = true;
		return STATUS_OK;
	case OPTION_LINE_BUFFERED:
		o->output.line_buffered = true;
		return STATUS_OK;
	case OPTION_STATS:
		o->reports.stats = value != NULL ? STATS_JSON : STATS_TEXT;
		return value == NULL || strcmp(value, "json") == 0 ? STATUS_OK
								   : args_bad_value("--stats", value, "json");
	case OPTION_PROGRESS:
		o->reports.progress = true;
		return STATUS_OK;
	case OPTION_PLOT:
		o->reports.plots = true;
		o->reports.plot_file = value;
		return value == NULL || value[0] != '\0' ? STATUS_OK : args_usage("--plot: a file's name is missing");
	case OPTION_ALGORITHM:
		return parse_algorithm(value, o);
	case OPTION_TRACE:
		return args_file("--trace", value, &o->reports.trace);
	case 'D':
		o->run.device = value;
		return STATUS_OK;
	case OPTION_CHUNK_SIZE:
		return parse_size("--chunk-size", value, &o->run.chunk_bytes);
	case 'T':
		status = args_count("-T", value, 0, 1024, &count);
		o->run.threads = status == STATUS_OK ? (size_t)count : 0;
		return status;
	case 'q':
		o->reports.verbosity = VERBOSITY_QUIET;
		return STATUS_OK;
	case 'v':
		o->reports.verbosity = VERBOSITY_VERBOSE;
		return STATUS_OK;
	case 'l':
		o->action = ACTION_LIST_DEVICES;
		return STATUS_OK;
	case OPTION_LIST_OPERATORS:
		o->action = ACTION_LIST_OPERATORS;
		return STATUS_OK;
	case OPTION_SHOW_OPERATOR:
		o->action = ACTION_SHOW_OPERATOR;
		return args_operator_of_table("--show-operator", value, &o->shown);
	case 'h':
		o->action = ACTION_HELP;
		o->topic = NULL;
		return STATUS_OK;
	case OPTION_HELP:
		o->action = ACTION_HELP;
		return args_topic(value, &o->topic);
	default: /* V */
		o->action = ACTION_VERSION;
		return STATUS_OK;
	}
}

/* Variables that are words are read where they count; what says nothing there is refused here. */
static enum status check_variables(void)
{
	static const struct {
		const char *name;
		const char *words[4];
		int count;
		const char *allowed;
	} variables[] = {
		{"PSCAN_SHAPE", {"cpu", "gpu"}, 2, "cpu or gpu"},
		{"PSCAN_MEMORY", {"copy", "share"}, 2, "copy or share"},
		{"PSCAN_AUTO", {"eager"}, 1, "eager"},
		{"PSCAN_TRIAL", {"off"}, 1, "off"},
		{"PSCAN_CPU", {"baseline", "v3", "v4", "grid"}, 4, "baseline, v3 or v4"},
	};
	for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
		const char *value = getenv(variables[i].name);
		if (value != NULL && value[0] != '\0' && args_word(value, variables[i].words, variables[i].count) < 0)
			return args_bad_value(variables[i].name, value, variables[i].allowed);
	}
	return STATUS_OK;
}

/* The environment's defaults. */
static enum status take_environment(struct options *o)
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

/* What does not go with a user's operator. */
static enum status check_program(const struct options *o)
{
	if (strcmp(o->run.device, "none") == 0)
		return args_usage("-D none: only a device scans by an operator of your own");
	if (o->scan.algorithm == ALGORITHM_SEQUENTIAL)
		return args_usage(
			"--algorithm=sequential is the host's: only a device scans by an operator of your own");
	const struct operator_choice *ops = (const struct operator_choice *)(const void *)o->scan.operators.data;
	bool all = true;
	for (size_t i = 0; i < o->scan.operators.size / sizeof *ops; i++)
		all = all && ops[i].op->program != NULL;
	if (all && o->scan.overflow_given && !o->scan.wrap)
		return args_usage("--overflow=error: the results of an operator of your own are not checked");
	if (o->run.verify)
		return args_usage("--verify: the host has nothing to compare an operator of your own with");
	return STATUS_OK;
}

/* What options mean together. */
static enum status complete(struct options *o)
{
	const enum status read = args_fields_read(o);
	if (read != STATUS_OK)
		return read;
	/* Of -c's columns -f chooses some, in text and in binary. */
	o->numbers.is_text = o->numbers.is_text || (args_fields_are_given(o) && o->fields.columns == 0);
	o->numbers.is_sniffed = o->numbers.input == FORMAT_AUTO && !o->numbers.is_text && !o->numbers.has_format;
	bool named_compressed = false;
	for (size_t i = 0; i < o->files.count; i++)
		named_compressed = named_compressed || filter_of_name(o->files.names[i]) != NULL;
	o->numbers.is_raw = o->numbers.input == FORMAT_BINARY ||
			    (o->numbers.is_sniffed && o->numbers.type != NULL && !named_compressed);
	if (o->numbers.skip_bytes > 0 && !o->numbers.is_sniffed && o->numbers.input != FORMAT_BINARY)
		return args_usage("--skip-bytes passes over a header of raw binary: not of text or .npy");
	if (check_variables() != STATUS_OK || take_environment(o) != STATUS_OK)
		return STATUS_USAGE;
	if (o->scan.operators.size == 0) {
		const struct operator_choice sum = {.op = operator_find("sum"), .name = operator_find("sum")->name};
		if (bytes_append(&o->scan.operators, &sum, sizeof sum) != STATUS_OK)
			return STATUS_SYSTEM;
	}
	if (o->run.device[0] == '\0')
		return args_usage("-D: a device is missing");
	if (o->scan.map != NULL || o->scan.emit != NULL) {
		const bool exclusive = o->scan.exclusive && !o->scan.include_initial && !o->scan.total;
		const enum status status = args_surround(o->scan.map, o->scan.emit, exclusive, &o->scan.operators);
		if (status != STATUS_OK)
			return status;
	}
	if (plan_comes_out(&o->text.missing) || (o->text.has_nan && plan_comes_out(&o->text.nan)))
		args_count_gaps(&o->scan.operators);
	const struct operator_choice *ops = (const struct operator_choice *)(const void *)o->scan.operators.data;
	for (size_t i = 0; i < o->scan.operators.size / sizeof *ops; i++) {
		o->scan.has_program = o->scan.has_program || ops[i].op->program != NULL;
		o->scan.has_types = o->scan.has_types || program_has_types(ops[i].op->program);
	}
	if (o->scan.has_program && check_program(o) != STATUS_OK)
		return STATUS_USAGE;
	if (o->scan.algorithm == ALGORITHM_SEQUENTIAL) {
		if (strcmp(o->run.device, "auto") != 0 && strcmp(o->run.device, "none") != 0)
			return args_usage("--algorithm=sequential is the host's: it needs -D none");
		o->run.device = "none";
	}
	if (o->scan.total && o->scan.include_initial)
		return args_usage("--total and --include-initial exclude each other");
	if (o->reports.plots && o->scan.total)
		return args_usage("--plot draws the results that --total leaves out");
	return args_text_complete(o);
}

/* Whether an option, with a value or without, is spelled so. */
static bool is_spelled(const char *name, const char *word)
{
	return strlen(name) == strcspn(word, "=") && strncmp(name, word, strlen(name)) == 0;
}

enum status args_parse(int argc, char **argv, struct options *o)
{
	static char standard_input[] = "-";
	static char *const no_files[] = {standard_input, NULL};
	enum status status = args_op_rewrite(argc, argv, letters, long_options);
	int code;
	int index = -1;
	*o = (struct options){.reports.verbosity = VERBOSITY_NORMAL};
	opterr = 0;
	while (status == STATUS_OK && (code = getopt_long(argc, argv, letters, long_options, &index)) != -1) {
		bool known;
		if (code == '?' || code == ':')
			return bad_option(code, argv, letters, long_options);
		if (code == OPTION_LATER)
			return args_not_yet("--%s", long_options[index].name);
		if (code < 256 && strchr(LATER_LETTERS, code) != NULL)
			return args_not_yet("-%c", code);
		/* (Elsewhere --skip is of lines: it is no abbreviation.) */
		if (code == OPTION_SKIP_BYTES && is_spelled("--skip", argv[optind - 1 - (optarg == argv[optind - 1])]))
			return bad_word("--skip");
		/* --help TOPIC and --help --state, too. */
		const char *next = argv[optind];
		if (code == OPTION_HELP && optarg == NULL && next != NULL && (next[0] != '-' || help_has(next)))
			optarg = argv[optind++];
		status = take_scan_option(code, optarg, o, &known);
		if (!known)
			status = args_text_take(code, optarg, o, &known);
		status = known ? status : take_running_option(code, optarg, o);
		if (code == 'h')
			return status; /* whatever follows */
	}
	o->files.names = optind < argc ? argv + optind : no_files;
	o->files.count = optind < argc ? (size_t)(argc - optind) : 1;
	return status == STATUS_OK ? complete(o) : status;
}
