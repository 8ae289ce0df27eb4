/* The only text about the options: -h and --help are made from it here, the completions by src/tools/completions.awk.
 * tests/cli/documentation.bats compares it with the option table (args.c) and with the sections of the man page. */
#include "cli/help.h"

#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "scan/row.h"

enum topic {
	HELP_OP,
	HELP_SCAN,
	HELP_NUMBERS,
	HELP_TEXT,
	HELP_KEYS,
	HELP_FILES,
	HELP_RUNNING,
	HELP_DEVELOPMENT,
	TOPIC_COUNT
};

/* Topics, and the man page's headings. */
static const struct {
	const char *name, *heading;
} topics[TOPIC_COUNT] = {
	[HELP_OP] = {"op", "Operators"},
	[HELP_SCAN] = {"scan", "The scan"},
	[HELP_NUMBERS] = {"numbers", "Numbers"},
	[HELP_TEXT] = {"text", "Text"},
	[HELP_KEYS] = {"keys", "Keys, segments and columns"},
	[HELP_FILES] = {"files", "Files"},
	[HELP_RUNNING] = {"running", "Running"},
	[HELP_DEVELOPMENT] = {"development", "For tests of pscan itself"},
};

static const char usage[] = "Usage: pscan [OPTION]... [FILE]...\n"
			    "Running totals, moving averages and other cumulative columns of the numbers in\n"
			    "FILEs or stdin: text, CSV, JSON, logs or raw binary.\n";
static const char examples[] = "  seq 5 | pscan                                      # 1 3 6 10 15\n"
			       "  seq 5 | pscan --window=3 -op mean                  # a moving average\n"
			       "  pscan --csv -f amount -g account -a ledger.csv     # a balance per account\n"
			       "  pscan --log -f bytes --missing=zero access.log.gz  # bytes served so far\n"
			       "  pscan -e -op max < data.bin > out.bin              # float32, maximum before\n";
static const char manual[] = "All of it: man pscan\n";

/* In the order in which they are shown. */
static const struct {
	enum topic topic;
	const char *option; /* as on the command line */
	const char *meaning;
	const char
		*values; /* words that its value may be, which shells complete (src/tools/completions.awk); or NULL */
} lines[] = {
	{HELP_OP, "-op LIST, --op=LIST", "operators, joined by commas (default: sum)", NULL},
	{HELP_OP, "--ops=LIST", "another name of -op", NULL},
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
	{HELP_TEXT, "--min-count=N", "no result before it is of N numbers", NULL},
	{HELP_TEXT, "--fill-limit=N", "hold a result for N records in a row at most", NULL},
	{HELP_TEXT, "--invalid=I", "other tokens: abort (default), fail, warn, ignore", "abort fail warn ignore"},
	{HELP_KEYS, "-g LIST, --group=LIST", "keys: a scan for each distinct combination", NULL},
	{HELP_KEYS, "--by=LIST", "another name of -g", NULL},
	{HELP_KEYS, "--reset-on=LIST", "begin anew where one of these fields differs", NULL},
	{HELP_KEYS, "--reset-every=N", "begin anew every N elements", NULL},
	{HELP_KEYS, "--reset-at=V", "begin anew at each V, nan, or after missing", NULL},
	{HELP_KEYS, "--reset-gap=FIELD:N", "begin anew where FIELD differs by N or more", NULL},
	{HELP_KEYS, "--axis=K", "along this axis of a .npy array", NULL},
	{HELP_KEYS, "-c N, --columns=N", "records of N numbers, column after column", NULL},
	{HELP_FILES, "-z, --gzip[=LEVEL]", "compress the output, LEVEL 1 to 9", "1 2 3 4 5 6 7 8 9"},
	{HELP_FILES, "--zstd[=LEVEL]", "compress it as zstd does, LEVEL 1 to 22", "1 2 3 4 5 6 7 8 9"},
	{HELP_FILES, "-o FILE, --output=FILE", "write to FILE, in the end at once", NULL},
	{HELP_FILES, "--state=FILE", "go on from FILE, then keep the scan there", NULL},
	{HELP_FILES, "--show-state=FILE", "print what such a file holds", NULL},
	{HELP_FILES, "--alike=WHAT", "begins as another file did: copy or new", "copy new"},
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
	{HELP_RUNNING, "-v, --verbose", "what was found and decided", NULL},
	{HELP_RUNNING, "-h, --help[=TOPIC]", "in short (-h), all of it, a topic or an option", NULL},
	{HELP_RUNNING, "-V, --version", "the versions of the program and its libraries", NULL},
	{HELP_DEVELOPMENT, "--algorithm=A", "blelloch (default), hillis-steele, sequential",
	 "blelloch hillis-steele sequential"},
	{HELP_DEVELOPMENT, "--verify", "compare a device's results with the host's", NULL},
	{HELP_DEVELOPMENT, "--trace=FILE", "a timeline of all chunks, for Perfetto", NULL},
};

#define LINE_COUNT (sizeof lines / sizeof lines[0])

/* The options that -h shows, by a name that no other option begins with or has. */
static const char *const common[] = {
	"op",  "exclusive", "seed",   "total",   "window",  "type",          "field", "delimiter", "csv",    "json",
	"log", "header",    "append", "replace", "missing", "number-format", "group", "reset-on",  "output", "help",
};

/* Columns of the options. */
#define OPTION_WIDTH 28

static enum status put_option(struct bytes *text, size_t line)
{
	return bytes_format(text, "  %-*s %s\n", OPTION_WIDTH, lines[line].option, lines[line].meaning);
}

static enum status put_operator(struct bytes *text, const struct scan_operator *op)
{
	static const char inputs[] = "a b c d e f g h";
	static const char *const results[] = {[RESULT_SAME] = "ACC", [RESULT_COUNT] = "u64", [RESULT_FLOAT] = "real"};
	char name[16];
	(void)snprintf(name, sizeof name, "%s%s", op->name, op->parameter == PARAMETER_FACTOR ? ":A" : "");
	return bytes_format(text, "%-8s %-2s %3.*s -> %-4s %s\n", name, op->symbol,
			    op->inputs > 1 ? (int)(2 * op->inputs - 1) : 1, op->inputs > 1 ? inputs : "x",
			    results[op->result], op->about);
}

enum status help_operators(struct bytes *text)
{
	enum status status = STATUS_OK;
	for (int i = 0; i < OPERATOR_ID_COUNT && status == STATUS_OK; i++) {
		if (operator_table[i].about[0] != '\0')
			status = put_operator(text, &operator_table[i]);
	}
	return status;
}

/* How a word of size bytes agrees with a line's names of its option. */
enum agreement { AGREES_NOT, AGREES_IN_PART, AGREES };

/* Only long names can agree in part: as getopt takes them, from their beginning. */
static enum agreement agreement(const char *option, const char *word, size_t size)
{
	enum agreement found = AGREES_NOT;
	for (const char *name = option; name != NULL; name = strstr(name, ", ")) {
		name += strspn(name, ", ");
		const bool is_long = strncmp(name, "--", 2) == 0;
		name += strspn(name, "-");
		const size_t length = strcspn(name, " =[,");
		if (length == size && memcmp(name, word, size) == 0)
			return AGREES;
		if (is_long && size > 1 && size < length && memcmp(name, word, size) == 0)
			found = AGREES_IN_PART;
	}
	return found;
}

/* How well some line agrees; AGREES_IN_PART: exactly one does. */
static enum agreement find_option(const char *word, size_t size)
{
	size_t parts = 0;
	for (size_t i = 0; i < LINE_COUNT; i++) {
		const enum agreement a = agreement(lines[i].option, word, size);
		if (a == AGREES)
			return AGREES;
		parts += a == AGREES_IN_PART;
	}
	return parts == 1 ? AGREES_IN_PART : AGREES_NOT;
}

static enum topic find_topic(const char *word)
{
	enum topic topic = 0;
	while (topic < TOPIC_COUNT && strcmp(word, topics[topic].name) != 0)
		topic++;
	return topic;
}

static const struct scan_operator *find_operator(const char *word)
{
	const struct scan_operator *op = operator_find(word);
	return op != NULL && op->about[0] != '\0' ? op : NULL;
}

bool help_has_option(const char *word, size_t size)
{
	return find_option(word, size) == AGREES;
}

bool help_has(const char *word)
{
	const char *name = word + strspn(word, "-");
	return strcmp(word, HELP_ALL) == 0 || strcmp(word, "examples") == 0 || find_topic(word) < TOPIC_COUNT ||
	       find_option(name, strcspn(name, "=")) != AGREES_NOT || find_operator(word) != NULL;
}

const char *help_topics(char names[HELP_TOPICS_SIZE])
{
	size_t size = 0;
	names[0] = '\0';
	for (size_t i = 0; i < TOPIC_COUNT && size < HELP_TOPICS_SIZE; i++)
		size += (size_t)snprintf(names + size, HELP_TOPICS_SIZE - size, "%s%s", i > 0 ? ", " : "",
					 topics[i].name);
	return names;
}

static enum status put_ending(struct bytes *text)
{
	char names[HELP_TOPICS_SIZE];
	return bytes_format(text, "\nMore: pscan --help (all), --help=OPTION, --help=TOPIC, which is one of\n  %s\n%s",
			    help_topics(names), manual);
}

enum status help_short(struct bytes *text)
{
	enum status status = bytes_format(text, "%s\n", usage);
	for (size_t i = 0; i < sizeof common / sizeof common[0]; i++) {
		for (size_t k = 0; k < LINE_COUNT && status == STATUS_OK; k++) {
			if (agreement(lines[k].option, common[i], strlen(common[i])) == AGREES)
				status = put_option(text, k);
		}
	}
	if (status == STATUS_OK)
		status = bytes_format(text, "\n%s", examples);
	return status == STATUS_OK ? put_ending(text) : status;
}

static enum status put_topic(struct bytes *text, enum topic topic)
{
	enum status status = STATUS_OK;
	for (size_t i = 0; i < LINE_COUNT && status == STATUS_OK; i++) {
		if (lines[i].topic == topic)
			status = put_option(text, i);
	}
	if (topic == HELP_OP && status == STATUS_OK)
		status = bytes_format(text, "\n");
	return topic == HELP_OP && status == STATUS_OK ? help_operators(text) : status;
}

static enum status put_all(struct bytes *text)
{
	enum status status = bytes_format(text, "%s", usage);
	for (enum topic topic = 0; topic < TOPIC_COUNT && status == STATUS_OK; topic++) {
		status = bytes_format(text, "\n%s (--help=%s):\n", topics[topic].heading, topics[topic].name);
		if (status == STATUS_OK)
			status = put_topic(text, topic);
	}
	return status == STATUS_OK ? bytes_format(text, "\nExamples (--help=examples):\n%s\n%s", examples, manual)
				   : status;
}

/* All lines of the option that a word says, and where more is said. */
static enum status put_options(struct bytes *text, const char *word, size_t size)
{
	const enum agreement wanted = find_option(word, size);
	enum topic topic = TOPIC_COUNT;
	enum status status = STATUS_OK;
	for (size_t i = 0; i < LINE_COUNT && status == STATUS_OK; i++) {
		if (agreement(lines[i].option, word, size) != wanted)
			continue;
		topic = lines[i].topic;
		status = put_option(text, i);
	}
	return status == STATUS_OK
		       ? bytes_format(text, "\nOptions like it: pscan --help=%s\n%s", topics[topic].name, manual)
		       : status;
}

enum status help_about(const char *word, struct bytes *text)
{
	const char *name = word + strspn(word, "-");
	const size_t size = strcspn(name, "=");
	if (strcmp(word, HELP_ALL) == 0)
		return put_all(text);
	if (strcmp(word, "examples") == 0)
		return bytes_format(text, "%s", examples);
	if (find_topic(word) < TOPIC_COUNT)
		return put_topic(text, find_topic(word));
	return find_option(name, size) != AGREES_NOT ? put_options(text, name, size)
						     : put_operator(text, find_operator(word));
}
