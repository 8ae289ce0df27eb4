/* The lines of the help are the rows of options.inc, and the lines of operators are the rows of their table. */
#include "cli/help.h"

#include <stdio.h>
#include <string.h>

#include "scan/row.h"

#define OPTION(id, spelling, meaning, values, ...)
#define SPELLING(id, spelling, meaning)
#define LATER(spelling)
#define TOPIC(id, name, heading) HELP_##id,
enum topic {
#include "cli/options.inc"
	TOPIC_COUNT
};

/* Topics, and the man page's headings. */
#undef TOPIC
#define TOPIC(id, name, heading) {name, heading},
static const struct {
	const char *name, *heading;
} topics[] = {
#include "cli/options.inc"
};

static const char usage[] = "Usage: pscan [OPTION]... [FILE]...\n"
			    "Running totals, moving averages and other cumulative columns of the numbers in\n"
			    "FILEs or stdin: text, CSV, JSON, logs or raw binary.\n";
static const char examples[] = "  seq 5 | pscan                                      # 1 3 6 10 15\n"
			       "  seq 5 | pscan --window=3 -op mean                  # a moving average\n"
			       "  pscan --csv -f amount -g account -a ledger.csv     # a balance per account\n"
			       "  pscan --log -f bytes --missing=zero access.log.gz  # bytes served so far\n"
			       "  pscan -e -op max < data.bin > out.bin              # float32, maximum before\n";
static const char manual[] = "All of it: man pscan, pscan-formats, pscan-numbers and pscan-programs\n";

/* In the order in which they are shown. */
#undef TOPIC
#undef OPTION
#undef SPELLING
#define TOPIC(id, name, heading)
#define OPTION(id, spelling, meaning, values, ...) {HELP_##id, spelling, meaning},
#define SPELLING(id, spelling, meaning) {HELP_##id, spelling, meaning},
static const struct {
	enum topic topic;
	const char *option; /* as on the command line */
	const char *meaning;
} lines[] = {
#include "cli/options.inc"
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
	for (int i = 0; i < OPERATOR_ID_COUNT; i++) {
		if (operator_table[i].about[0] != '\0')
			TRY(put_operator(text, &operator_table[i]));
	}
	return STATUS_OK;
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
	TRY(bytes_format(text, "%s\n", usage));
	for (size_t i = 0; i < sizeof common / sizeof common[0]; i++) {
		for (size_t k = 0; k < LINE_COUNT; k++) {
			if (agreement(lines[k].option, common[i], strlen(common[i])) == AGREES)
				TRY(put_option(text, k));
		}
	}
	TRY(bytes_format(text, "\n%s", examples));
	return put_ending(text);
}

static enum status put_topic(struct bytes *text, enum topic topic)
{
	for (size_t i = 0; i < LINE_COUNT; i++) {
		if (lines[i].topic == topic)
			TRY(put_option(text, i));
	}
	if (topic != HELP_OP)
		return STATUS_OK;
	TRY(bytes_format(text, "\n"));
	return help_operators(text);
}

static enum status put_all(struct bytes *text)
{
	TRY(bytes_format(text, "%s", usage));
	for (enum topic topic = 0; topic < TOPIC_COUNT; topic++) {
		TRY(bytes_format(text, "\n%s (--help=%s):\n", topics[topic].heading, topics[topic].name));
		TRY(put_topic(text, topic));
	}
	return bytes_format(text, "\nExamples (--help=examples):\n%s\n%s", examples, manual);
}

/* All lines of the option that a word says, and where more is said. */
static enum status put_options(struct bytes *text, const char *word, size_t size)
{
	const enum agreement wanted = find_option(word, size);
	enum topic topic = TOPIC_COUNT;
	for (size_t i = 0; i < LINE_COUNT; i++) {
		if (agreement(lines[i].option, word, size) != wanted)
			continue;
		topic = lines[i].topic;
		TRY(put_option(text, i));
	}
	return bytes_format(text, "\nOptions like it: pscan --help=%s\n%s", topics[topic].name, manual);
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

enum status help_make_bold(struct bytes *text)
{
	struct bytes bold = {0};
	enum status status = STATUS_OK;
	bool begins = true; /* A paragraph. */
	for (size_t at = 0; at < text->size && status == STATUS_OK;) {
		const char *line = (const char *)text->data + at;
		const char *newline = memchr(line, '\n', text->size - at);
		const size_t size = newline != NULL ? (size_t)(newline - line) + 1 : text->size - at;
		const char *colon = memchr(line, ':', size);
		const bool is_heading = begins && line[0] >= 'A' && line[0] <= 'Z' && colon != NULL;
		const size_t heading = is_heading ? (size_t)(colon - line) + 1 : 0;
		if (is_heading)
			status = bytes_format(&bold, "\033[1m%.*s\033[0m", (int)heading, line);
		if (status == STATUS_OK)
			status = bytes_append(&bold, line + heading, size - heading);
		begins = size == 1;
		at += size;
	}
	bytes_free(text);
	*text = bold;
	return status;
}
