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

/* What a file is that begins with the bytes which were taken of another one, where nothing tells. */
enum alike {
	ALIKE_UNKNOWN, /* the run is refused */
	ALIKE_COPY, /* a copy of that one */
	ALIKE_NEW /* a file of its own */
};

/* An operator of the list. */
struct operator_choice {
	const struct scan_operator *op;
	double factor; /* that follows its name, or 0 */
	const char *name; /* as it was given */
	struct program *program; /* that it is, a user's; or NULL */
};

/* Fields of the list: a name, or first to last. */
struct field_item {
	const char *name; /* or NULL; of a log's fields first and last are set, too */
	bool is_whole; /* the name was in quotes: it is no path */
	uint64_t first;
	uint64_t last; /* UINT64_MAX: of the record */
	uint64_t from_end; /* not 0: the last field of a record is 1 */
	const char *digits; /* of one number, as they were given, or NULL: beyond the last field they may be a name */
	const char *value; /* the option's: if it is as a whole the name of a field, that is meant */
};

/* Strings point into argv, are constant, or live as long as the program, as the lists do. */
struct options {
	enum action action;
	const char *topic; /* of ACTION_HELP: help_has it; NULL: the short help */
	struct operator_choice shown; /* by ACTION_SHOW_OPERATOR; one of the table */
	struct bytes operators; /* struct operator_choice, at least one once the command line is parsed */
	const char *map, *emit; /* expressions around all operators, or NULL */
	bool has_program; /* one of them is a user's: only a device scans by it */
	bool has_types; /* and says itself what its inputs are */
	struct bytes lists; /* args_fields_note's, of what follows: */
	struct bytes fields; /* struct field_item */
	struct bytes keys, reset_on; /* struct field_item: of -g and --reset-on */
	struct bytes gap_field; /* one struct field_item, of --reset-gap, or two, */
	int128 gap; /* struct text_rules', */
	bool gap_is_time; /* as this, */
	const char *gap_text; /* and this */
	uint64_t reset_every; /* or 0 */
	const char *reset_at; /* or NULL */
	uint64_t min_count, fill_limit; /* or 0 */
	uint64_t window; /* or 0 */
	uint64_t columns; /* of a record, or 0 */
	bool has_axis; /* of an array, */
	int64_t axis; /* counted from its last one where it is negative */
	bool exclusive, include_initial, total;
	const char *seed; /* one for all lanes, or one for each, joined by commas */
	bool wrap; /* --overflow=wrap */
	bool overflow_given; /* one of its values */
	enum format input_format, output_format;
	bool output_format_given;
	const char *type; /* IN[:ACC], or NULL */
	struct text_rules text;
	bool csv, tsv, log, logfmt, json; /* --csv, --tsv, --log, --logfmt, --json */
	/* lines are cut into fields, and none is chosen: which there are is told when the input is known */
	bool lacks_fields;
	bool no_header; /* --no-header; line 1 of CSV counts as one until the input is known */
	bool finds_header; /* the first line says whether it is one; until then it counts as one */
	bool has_number_format;
	struct number_spec number_format; /* of results */
	bool line_buffered;
	bool text_option; /* an option was given that makes sense for text only */
	bool sniffed; /* the first block decides between text and binary */
	uint64_t skip_bytes; /* of each file, before raw numbers */
	bool raw_bytes; /* -t or --format=binary says so: what only begins as gzip does is elements */
	const struct compressor *compressor; /* of the output, or NULL */
	int level; /* of these */
	const char *output; /* or NULL */
	const char *state; /* a file, or NULL; of ACTION_SHOW_STATE the one to show */
	enum alike alike; /* --alike */
	bool whole_lines; /* --whole-lines */
	bool goes_on; /* there is a scan in it, from which this one goes on (state_open), */
	bool knows_header; /* and which had a header, or a header at most: its files have one if finds_header */
	enum stats_format stats;
	bool progress;
	bool plots;
	const char *plot_file; /* or NULL: the picture is drawn in the terminal */
	const char *trace; /* a file, or NULL */
	const char *device;
	enum algorithm algorithm;
	size_t chunk_bytes; /* 0: default */
	size_t threads; /* 0: default */
	bool no_sandbox;
	bool check_associative;
	bool verify;
	unsigned device_timeout_s; /* PSCAN_DEVICE_TIMEOUT; 0: never */
	enum verbosity verbosity;
	char *const *files; /* file_count of them, at least 1 ("-") */
	size_t file_count;
};

/* Ends every message about the command line. */
#define ARGS_HINT "(see --help)"

/* Parses the command line; argv's strings and order may be changed. STATUS_USAGE after a message with a hint. */
enum status args_parse(int argc, char **argv, struct options *options) MUST_CHECK;

#endif
