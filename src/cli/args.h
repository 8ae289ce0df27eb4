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

/* What the program does. */
enum action {
	ACTION_SCAN,
	ACTION_HELP,
	ACTION_VERSION,
	ACTION_LIST_DEVICES,
	ACTION_LIST_OPERATORS,
	ACTION_SHOW_OPERATOR,
	ACTION_SHOW_STATE
};

/* The value of --alike: what a file is that begins with the bytes that an earlier run (--state) has read from another
 * file. */
enum alike {
	ALIKE_UNKNOWN, /* --alike was not given. If the answer is in doubt, the run is refused. */
	ALIKE_COPY, /* A copy of the other file. */
	ALIKE_NEW /* A new file. */
};

/* What happens when a result does not fit its type. */
enum overflow_rule {
	OVERFLOW_UNSAID, /* --overflow was not given: OVERFLOW_ERROR if results can be checked, else OVERFLOW_WRAP. */
	OVERFLOW_ERROR,
	OVERFLOW_WRAP
};

/* One operator of the list that -op gives. */
struct operator_choice {
	const struct scan_operator *op;
	double factor; /* The number after the operator's name (ema:0.1). 0: none. */
	uint64_t lag; /* The N of lag:N and delta:N, whose `op` is of a window of N + 1 elements. 0: none. */
	/* The operator's name, also that of its results: its name in the table, with the parameter if one was given
	 * (ema:0.1), or program->name. */
	const char *name;
	/* The program that `op` belongs to. NULL: `op` is of the table. */
	struct program *program;
};

/* One item of a list of fields: a name, a range of numbers, or a number counted from the end. */
struct field_item {
	const char *name; /* The field's name, in options.words. NULL: the item is a number or a range. */
	/* The name was in quotes: with --json it is then the name of a member, and not a path. Without --json and
	 * --logfmt, also set for a name in the {braces} of --map. */
	bool is_whole;
	/* The range's first field, from 1. A single number is a range of one field. 0: the item is a name, or from_end
	 * counts. But with --log args_fields_number_log sets first and last for names, too. */
	uint64_t first;
	uint64_t last; /* The range's last field. UINT64_MAX: the range has no end. 0: like `first`. */
	uint64_t from_end; /* The field's number counted from the record's end, from 1. 0: it is not counted so. */
	const char *place; /* A number or range as the user wrote it. NULL: the item is a name. */
	/* A single number, counted from 1, as the user wrote it: if no field has the number, it may be a name. NULL:
	 * any other item. */
	const char *digits;
	/* The option's whole list; of --reset-gap and --window, the fields before the colon. If the header has this
	 * name, the field of this name is chosen in place of all items with this value. */
	const char *value;
	/* Of -g and --reset-on: the unit of time that counts of the field. UNIT_NONE: its text counts. */
	enum calendar_unit unit;
	/* If `unit` is not UNIT_NONE: */
	bool is_clock; /* The field has the time of day. The item before it is the date. */
	/* The item as it was given, with its unit. If the header has this name, the field of this name is chosen,
	 * without a unit. */
	const char *word;
	/* If the item is a date and a time of day: both, without the unit. If the header has this name, the field of
	 * this name is chosen. NULL: the item is one field. */
	const char *pair;
};

/* What is scanned, and how. */
struct scan_options {
	struct bytes operators; /* The memory of ops. */
	struct operator_choice *ops; /* op_count of them, at least one. Set when all options are read. */
	size_t op_count;
	const char *map, *emit; /* The expressions of --map and --emit, or NULL. */
	bool has_program; /* An operator is a program (struct operator_choice). */
	bool uses_total; /* --emit has the name t. */
	bool has_types; /* A program declares the types of its inputs. */
	/* --exclusive, --include-initial and --total. Results are exclusive only if plan_is_exclusive. */
	bool exclusive, include_initial, total;
	bool is_reversed; /* --reverse */
	/* The value of --seed: numbers joined by commas, the seed of all lanes or the seeds of the lanes. NULL:
	 * none. */
	const char *seed;
	enum overflow_rule overflow;
	enum algorithm algorithm;
	/* Elements of a window. UINT64_MAX: a window is a span of time. 0: results cover all elements so far. */
	uint64_t window;
	const char *window_span; /* The value of --window=FIELD:N. NULL: not given. */
	bool has_windows; /* The results of some operator are of windows. */
	bool has_texts; /* An operator takes only texts (distinct), or -t is text. Others may turn out to have texts. */
	uint64_t min_count, fill_limit; /* The values of --min-count and --fill-limit. 0: not given. */
};

#define FIELD_LISTS 6

/* Which fields or columns the options name. */
struct field_options {
	struct bytes noted; /* Values that args_fields_read has not read yet (args_list). */
	/* Arrays of struct field_item. Empty: no field was chosen. */
	union {
		struct bytes lists[FIELD_LISTS];
		struct {
			struct bytes numbers, keys, reset_on; /* The fields of -f, -g and --reset-on. */
			/* The field of --reset-gap, of --window and of the picture's times; or two fields, a date and a
			 * time of day. */
			struct bytes gap, span, along;
		};
	};
	uint64_t columns; /* Numbers of a record (-c). 0: not given. */
	/* An option cuts lines into fields, but none chooses the numbers. If the input is text, find_table refuses the
	 * run and lists the input's fields. */
	bool are_lacking;
	bool are_of_map; /* `numbers` are the fields that --map names (args_map_fields). */
};

/* Where segments begin. (struct field_options has the fields of --reset-on and --reset-gap, struct text_rules the
 * gap.) */
struct reset_options {
	uint64_t every; /* Elements of a segment (--reset-every). 0: not given. */
	const char *at; /* The value of --reset-at: a number, "nan" or "missing". NULL: not given. */
};

/* How lines are cut into fields, and whether line 1 is a header. */
struct cut_options {
	bool csv, tsv, log, logfmt, json; /* --csv, --tsv, --log, --logfmt, --json */
	bool append, replace; /* -a, --replace */
	bool no_header; /* --no-header. With --csv text.header_lines is 1 nevertheless, until find_table makes it 0. */
	bool thousands_are_spaces; /* --thousands=' ', which is not for fields between blanks. */
	/* find_table decides whether line 1 is a header, and sets header_lines in the plan. In the options it is 1. */
	bool finds_header;
};

/* The formats of input and output. */
struct number_options {
	enum format input; /* FORMAT_AUTO: the input is text, unless is_sniffed. */
	enum format output; /* FORMAT_AUTO: the input's format. */
	const char *type; /* The value of -t: IN or IN:ACC. NULL: not given. */
	bool has_format; /* -F was given. */
	struct number_spec format; /* The format of results, if has_format. */
	bool is_text; /* An option was given that is only for text, or that chooses fields without -c. */
	bool is_sniffed; /* The input's first block decides between text and binary. */
	/* A file that looks compressed but is not holds elements: --format=binary was given, or -t if is_sniffed and no
	 * file is named like a compressed one. */
	bool is_raw;
	uint64_t skip_bytes; /* Bytes to skip at the start of each file of raw numbers. */
	bool has_axis; /* --axis was given. */
	int64_t axis; /* The array's axis, from 0. Negative: counted from the last axis, which is -1. */
};

/* Where results go. */
struct output_options {
	const char *file; /* The output's name. NULL or "-": standard output. */
	const struct compressor *compressor; /* NULL: the output is not compressed. */
	int level; /* The compressor's level, if there is a compressor. */
	bool line_buffered;
};

/* The file of --state. */
struct state_options {
	const char *file; /* The value of --state. For ACTION_SHOW_STATE: the file to show. NULL: not given. */
	enum alike alike;
	bool whole_lines; /* --whole-lines */
	bool goes_on; /* Set by state_open: the file exists, and this run continues its scan. */
	/* Set by state_open: the saved scan has a header, or has read nothing that shows whether it has one. If
	 * cut.finds_header, the files then count as files with a header. */
	bool knows_header;
};

/* What is reported about the run. */
struct report_options {
	enum stats_format stats;
	bool progress;
	bool plots; /* --plot or --plot-time */
	const char *plot_file; /* NULL: the picture is drawn in the terminal. */
	const char *trace; /* The file of --trace, or NULL. */
	enum verbosity verbosity;
};

/* How the run is done. */
struct run_options {
	const char *device; /* The value of --device, or of PSCAN_DEVICE, or "auto". "none" for the host alone. */
	unsigned device_timeout_s; /* Seconds (PSCAN_DEVICE_TIMEOUT). 0: no limit. */
	size_t chunk_bytes; /* 0: the default. */
	uint64_t threads; /* 0: the default. */
	bool no_sandbox;
	bool no_mmap; /* Has no effect, as files are never mapped. Accepted because scripts may give it. */
	bool check_associative;
	bool verify;
};

/* The inputs' names. "-" is standard input. */
struct file_list {
	char *const *names;
	size_t count; /* at least 1 */
};

/* All options. Strings point into argv or the environment, are constant, or live as long as the program. The lists live
 * as long as the program, too. */
struct options {
	enum action action;
	const char *topic; /* For ACTION_HELP: a word for which help_has is true. NULL: the short help. */
	struct operator_choice shown; /* For ACTION_SHOW_OPERATOR: the operator, which is of the table. */
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
	struct bytes words; /* An array of char *: the strings that args_copy made. They are never freed. */
};

/* The end of a message about the command line, if no option has a help that says more. */
#define ARGS_HINT "(see --help)"

/* Parses the command line, and the environment variables that stand for options, into *options, which points into both.
 * Call it once. The pointers of argv may be replaced and reordered. With ACTION_HELP only `action` and `topic` count.
 * STATUS_USAGE after a message if an option or one of pscan's variables is wrong, or if a program's file does not
 * exist, is larger than 16 MiB or is wrong. STATUS_SYSTEM after a message if memory is missing, or if a program's file
 * exists but cannot be read. After a failure *options is of no use. */
enum status args_parse(int argc, char **argv, struct options *options) MUST_CHECK;

#endif
