/* tests/cli/documentation.bats compares the lines with the option table (args.c) and with the sections of the man page. */
#include "cli/help.h"

#include <stdio.h>
#include <string.h>

#include "scan/row.h"

static const char *const names[HELP_TOPIC_COUNT] = {
	[HELP_OP] = "op",     [HELP_SCAN] = "scan",   [HELP_NUMBERS] = "numbers", [HELP_TEXT] = "text",
	[HELP_KEYS] = "keys", [HELP_FILES] = "files", [HELP_RUNNING] = "running", [HELP_DEVELOPMENT] = "development",
};
const char help_topics[] = "op, scan, numbers, text, keys, files, running or development";

/* In the order in which they are shown. */
static const struct {
	enum help_topic topic;
	const char *option; /* as on the command line */
	const char *meaning;
	const char
		*values; /* words that its value may be, which shells complete (src/tools/completions.awk); or NULL */
} lines[] = {
	{HELP_OP, "-op LIST, --op=LIST", "operators, joined by commas (default: sum)", NULL},
	{HELP_OP, "--ops=LIST", "the same", NULL},
	{HELP_OP, "-op EXPR", "one of your own: OpenCL C, of a (earlier) and b", NULL},
	{HELP_OP, "-op @FILE", "one of your own: a program in OpenCL C", NULL},
	{HELP_OP, "--map=EXPR", "what operators get, of x and i", NULL},
	{HELP_OP, "--emit=EXPR", "what they give, of s, x, i and n", NULL},
	{HELP_OP, "--check-associative", "try whether your own are associative", NULL},
	{HELP_OP, "--list-operators", "list the operators, as here", NULL},
	{HELP_OP, "--show-operator=NAME", "print one as a program to start from", NULL},
	{HELP_SCAN, "-i, --inclusive", "up to each element, with it (default)", NULL},
	{HELP_SCAN, "-e, --exclusive", "up to each element, without it", NULL},
	{HELP_SCAN, "--include-initial", "the seed or identity first, then as -i", NULL},
	{HELP_SCAN, "--seed=V,...", "start from V", NULL},
	{HELP_SCAN, "--total", "only the last result, of each key or segment", NULL},
	{HELP_SCAN, "--window=N", "of the last N elements", NULL},
	{HELP_SCAN, "--overflow=HOW", "of integers: error (default), wrap", "error wrap"},
	{HELP_NUMBERS, "--format=F", "of the input: auto (default), text, binary, npy", "auto text binary npy"},
	{HELP_NUMBERS, "--output-format=F", "text, binary, npy (default: the input's)", "text binary npy"},
	{HELP_NUMBERS, "-t IN[:ACC], --type=IN[:ACC]", "num (text's default), dec, i8 ... u64, f32, f64",
	 "num dec i8 u8 i16 u16 i32 u32 i64 u64 f32 f64"},
	{HELP_NUMBERS, "--skip-bytes=N", "raw binary: pass over N bytes of each file", NULL},
	{HELP_TEXT, "-f LIST, --field=LIST", "the numbers: 2,4-6,-1,price (default: each token)", NULL},
	{HELP_TEXT, "-d C, --delimiter=C", "between fields (default: runs of blanks)", NULL},
	{HELP_TEXT, "--csv", "CSV with quotes", NULL},
	{HELP_TEXT, "--tsv", "-d '\\t'", NULL},
	{HELP_TEXT, "--log", "Common or Combined Log Format", NULL},
	{HELP_TEXT, "--logfmt", "key=value of each line, by key", NULL},
	{HELP_TEXT, "--json", "a JSON object a line: members by name or /a/0", NULL},
	{HELP_TEXT, "-H, --header[=N]", "the first N lines (1) of each file pass through", NULL},
	{HELP_TEXT, "--no-header", "line 1 is data, with --csv and --tsv too", NULL},
	{HELP_TEXT, "--header-names=K", "line K of the header has the names (the last)", NULL},
	{HELP_TEXT, "--comment=PREFIX", "lines that begin so pass through", NULL},
	{HELP_TEXT, "-a, --append", "whole lines, with the results as last fields", NULL},
	{HELP_TEXT, "--as=LIST", "the header's names of the results", NULL},
	{HELP_TEXT, "--replace", "whole lines, with the results in their fields", NULL},
	{HELP_TEXT, "-F FMT, --number-format=FMT", "results as by printf: %.2f", NULL},
	{HELP_TEXT, "--missing=M", "no number: fail (default), skip, keep, hold, V", "fail skip keep hold zero"},
	{HELP_TEXT, "--missing-marks=LIST", "what is missing, in place of -,NA,null,...", NULL},
	{HELP_TEXT, "--nan=M", "NaN: propagate (default), or as --missing", "propagate fail skip keep hold zero"},
	{HELP_TEXT, "--invalid=I", "other tokens: abort (default), fail, warn, ignore", "abort fail warn ignore"},
	{HELP_KEYS, "-g LIST, --group=LIST", "keys: a scan for each distinct combination", NULL},
	{HELP_KEYS, "--by=LIST", "the same", NULL},
	{HELP_KEYS, "--reset-on=LIST", "begin anew where one of these fields differs", NULL},
	{HELP_KEYS, "--reset-every=N", "begin anew every N elements", NULL},
	{HELP_KEYS, "--reset-at=V", "begin anew at each element that is V", NULL},
	{HELP_KEYS, "--reset-gap=FIELD:N", "begin anew where FIELD differs by N or more", NULL},
	{HELP_KEYS, "--axis=K", "along this axis of a .npy array", NULL},
	{HELP_KEYS, "-c N, --columns=N", "records of N numbers, column after column", NULL},
	{HELP_FILES, "-z, --gzip[=LEVEL]", "compress the output, LEVEL 1 to 9", "1 2 3 4 5 6 7 8 9"},
	{HELP_FILES, "--zstd[=LEVEL]", "compress it as zstd does, LEVEL 1 to 22", "1 2 3 4 5 6 7 8 9"},
	{HELP_FILES, "-o FILE, --output=FILE", "write to FILE, in the end at once", NULL},
	{HELP_FILES, "--state=FILE", "go on from FILE, then keep the scan there", NULL},
	{HELP_FILES, "--show-state=FILE", "print what such a file holds", NULL},
	{HELP_FILES, "--whole-lines", "leave a last line without its end unread", NULL},
	{HELP_FILES, "--no-mmap", "for scripts: files are read, never mapped", NULL},
	{HELP_RUNNING, "-D SPEC, --device=SPEC", "auto (default), none, gpu, gpus, cpu, P:D, a name",
	 "auto none gpu gpus cpu"},
	{HELP_RUNNING, "-l, --list-devices", "list the devices", NULL},
	{HELP_RUNNING, "--chunk-size=SIZE", "bytes that are scanned at once: 64K, 4M", NULL},
	{HELP_RUNNING, "-T N, --threads=N", "threads (default 0: as many as there are CPUs)", NULL},
	{HELP_RUNNING, "--line-buffered", "write after every result", NULL},
	{HELP_RUNNING, "--stats[=json]", "at the end, what was done in what time", "json"},
	{HELP_RUNNING, "--progress", "how far the run is; SIGUSR1 asks at any time", NULL},
	{HELP_RUNNING, "--plot[=FILE]", "at the end a picture of the results", NULL},
	{HELP_RUNNING, "--no-sandbox", "keep all rights", NULL},
	{HELP_RUNNING, "-q, --quiet", "no warnings", NULL},
	{HELP_RUNNING, "-v, --verbose", "what was decided, and why", NULL},
	{HELP_RUNNING, "-h, --help[=TOPIC]", "help: all in short, or of a topic",
	 "op scan numbers text keys files running development"},
	{HELP_RUNNING, "-V, --version", "the versions of the program and its libraries", NULL},
	{HELP_DEVELOPMENT, "--algorithm=A", "blelloch (default), hillis-steele, sequential",
	 "blelloch hillis-steele sequential"},
	{HELP_DEVELOPMENT, "--verify", "compare a device's results with the host's", NULL},
	{HELP_DEVELOPMENT, "--trace=FILE", "a timeline of all chunks, for Perfetto", NULL},
};

/* Columns of the options. */
#define OPTION_WIDTH 28

enum help_topic help_find(const char *name)
{
	enum help_topic found = HELP_SHORT;
	for (enum help_topic topic = HELP_SHORT + 1; topic < HELP_TOPIC_COUNT; topic++) {
		if (strcmp(name, names[topic]) == 0)
			found = topic;
	}
	return found;
}

enum status help_topic(enum help_topic topic, struct bytes *text)
{
	enum status status = STATUS_OK;
	for (size_t i = 0; i < sizeof lines / sizeof lines[0] && status == STATUS_OK; i++) {
		char line[160];
		if (lines[i].topic != topic)
			continue;
		const int size =
			snprintf(line, sizeof line, "  %-*s %s\n", OPTION_WIDTH, lines[i].option, lines[i].meaning);
		status = bytes_append(text, line, (size_t)size);
	}
	if (topic == HELP_OP && status == STATUS_OK)
		status = bytes_append(text, "\n", 1);
	return topic == HELP_OP && status == STATUS_OK ? help_operators(text) : status;
}

enum status help_operators(struct bytes *text)
{
	static const char inputs[] = "a b c d e f g h";
	static const char *const results[] = {[RESULT_SAME] = "ACC", [RESULT_COUNT] = "u64", [RESULT_FLOAT] = "real"};
	enum status status = STATUS_OK;
	for (int i = 0; i < OPERATOR_ID_COUNT && status == STATUS_OK; i++) {
		const struct scan_operator *op = &operator_table[i];
		char name[16];
		char line[160];
		if (op->about[0] == '\0')
			continue;
		(void)snprintf(name, sizeof name, "%s%s", op->name, op->parameter == PARAMETER_FACTOR ? ":A" : "");
		const int size = snprintf(line, sizeof line, "%-8s %-2s %3.*s -> %-4s %s\n", name, op->symbol,
					  op->inputs > 1 ? (int)(2 * op->inputs - 1) : 1, op->inputs > 1 ? inputs : "x",
					  results[op->result], op->about);
		status = bytes_append(text, line, (size_t)size);
	}
	return status;
}
