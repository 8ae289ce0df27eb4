/* The command line. */
#ifndef PSCAN_CLI_ARGS_H
#define PSCAN_CLI_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/message.h"
#include "base/status.h"
#include "cli/help.h"
#include "io/compressor.h"
#include "number/printf_format.h"
#include "scan/row.h"
#include "stream/stats.h"
#include "text/rules.h"

enum action {
	ACTION_SCAN,
	ACTION_HELP,
	ACTION_VERSION,
	ACTION_LIST_DEVICES,
	ACTION_LIST_OPERATORS,
	ACTION_SHOW_OPERATOR,
	ACTION_SHOW_STATE
};

/* What --state takes a file for that begins with the bytes that were read from another file, when that is in doubt. */
enum alike {
	ALIKE_UNKNOWN, /* the run is refused */
	ALIKE_COPY, /* a copy of that one */
	ALIKE_NEW /* another file */
};

/* What happens when a result does not fit its type. */
enum overflow_rule {
	OVERFLOW_UNSAID, /* not given: as OVERFLOW_ERROR, if results can be checked */
	OVERFLOW_ERROR,
	OVERFLOW_WRAP
};

/* An operator of the list. */
struct operator_choice {
	const struct scan_operator *op;
	double factor; /* the number after its name, or 0 */
	const char *name; /* as it was given */
	struct program *program; /* the user's program that it is, or NULL */
};

/* Fields of the list: a name, or first to last. */
struct field_item {
	const char *name; /* or NULL; for the named fields of a log first and last are set as well */
	bool is_whole; /* the name was in quotes: it is not a path */
	uint64_t first;
	uint64_t last; /* UINT64_MAX: the record's last field */
	uint64_t from_end; /* not 0: the number counted from the end, where the last field is 1 */
	const char *digits; /* a single number as it was given, or NULL: beyond the last field it may be a name */
	const char *value; /* the option's whole value: if a field has this name, it is meant */
};

/* What is scanned, and how. */
struct scan_options {
	struct bytes operators; /* struct operator_choice, at least one once the command line is parsed */
	const char *map, *emit; /* expressions around all operators, or NULL */
	bool has_program; /* one of the operators is a user's, which needs a device */
	bool has_types; /* a user's operator declares the types of its inputs */
	bool exclusive, include_initial, total;
	const char *seed; /* one for all lanes, or one for each, joined by commas; or NULL */
	enum overflow_rule overflow;
	enum algorithm algorithm;
	uint64_t window; /* elements, or 0: all */
	uint64_t min_count, fill_limit; /* or 0 */
};

/* Whether each result leaves out its element. Results that begin with the initial one, and totals, are inclusive. */
static inline bool scan_is_exclusive(const struct scan_options *o)
{
	return o->exclusive && !o->include_initial && !o->total;
}

/* Which fields or columns the options name. */
struct field_options {
	struct bytes noted; /* the lists that follow, as they were given (args_fields_note) */
	struct bytes numbers, keys, reset_on; /* struct field_item: of -f, -g and --reset-on */
	struct bytes gap; /* struct field_item: one of --reset-gap, or two, a date and its time of day */
	uint64_t columns; /* of a record, or 0 */
	/* Lines are cut into fields, and no option chooses any. The message lists those of the input. */
	bool are_lacking;
};

/* Where segments begin, other than by fields (struct field_options). */
struct reset_options {
	uint64_t every; /* elements, or 0 */
	const char *at; /* a number, "nan" or "missing"; or NULL */
	int128 gap; /* at DECIMAL_SCALE_MAX; a time is in seconds (struct text_rules) */
	bool gap_is_time; /* the gap has a unit */
	const char *gap_text; /* the gap as it was given */
};

/* How lines are cut into fields, and whether line 1 is a header. */
struct cut_options {
	bool csv, tsv, log, logfmt, json; /* --csv, --tsv, --log, --logfmt, --json */
	bool append, replace; /* -a, --replace */
	bool no_header; /* --no-header. Line 1 of CSV counts as a header until the input is known */
	bool finds_header; /* line 1 itself says whether it is a header. It counts as one until then */
};

/* The formats of input and output. */
struct number_options {
	enum format input;
	enum format output; /* FORMAT_AUTO: the input's */
	const char *type; /* IN[:ACC], or NULL */
	bool has_format; /* -F */
	struct number_spec format; /* of results */
	bool is_text; /* an option was given that is only for text */
	bool is_sniffed; /* the first block decides between text and binary */
	bool is_raw; /* -t or --format=binary was given: bytes that look like gzip but are not are elements */
	uint64_t skip_bytes; /* at the start of each file, before raw numbers */
	bool has_axis; /* --axis */
	int64_t axis; /* an array's axis; negative: counted from its last one */
};

/* Where results go. */
struct output_options {
	const char *file; /* or NULL: standard output */
	const struct compressor *compressor; /* or NULL */
	int level; /* the compressor's */
	bool line_buffered;
};

/* The file of --state. */
struct state_options {
	const char *file; /* or NULL; for ACTION_SHOW_STATE the file to show */
	enum alike alike;
	bool whole_lines; /* --whole-lines */
	bool goes_on; /* the file holds a scan, which this run continues (state_open) */
	bool knows_header; /* that scan had a header, or only a header: then files have one if finds_header */
};

/* What is reported about the run. */
struct report_options {
	enum stats_format stats;
	bool progress;
	bool plots; /* --plot */
	const char *plot_file; /* or NULL: the picture is drawn in the terminal */
	const char *trace; /* a file, or NULL */
	enum verbosity verbosity;
};

/* How the run is done. */
struct run_options {
	const char *device;
	unsigned device_timeout_s; /* PSCAN_DEVICE_TIMEOUT; 0: never */
	size_t chunk_bytes; /* 0: default */
	uint64_t threads; /* 0: default */
	bool no_sandbox;
	bool no_mmap; /* for scripts: files are never mapped */
	bool check_associative;
	bool verify;
};

/* The inputs' names. "-" is standard input. */
struct file_list {
	char *const *names;
	size_t count; /* at least 1 */
};

/* All options. Strings point into argv, are constant, or live as long as the program; so do the lists. */
struct options {
	enum action action;
	const char *topic; /* of ACTION_HELP: a topic that help_has knows; NULL: the short help */
	struct operator_choice shown; /* the operator of ACTION_SHOW_OPERATOR; one of the table */
	struct scan_options scan;
	struct field_options fields;
	struct reset_options resets;
	struct text_rules text;
	struct cut_options cut;
	struct number_options numbers;
	struct output_options output;
	struct state_options state;
	struct report_options reports;
	struct run_options run;
	struct file_list files;
};

/* Ends every message about the command line. */
#define ARGS_HINT "(see --help)"

/* Parses the command line; argv's strings and order may be changed. STATUS_USAGE after a message with a hint. */
enum status args_parse(int argc, char **argv, struct options *options) MUST_CHECK;

#endif
