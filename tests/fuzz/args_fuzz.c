#define _GNU_SOURCE /* environ, memfd_create */
/* The command line and the plan: args_parse with its helpers against a plain reading of the same words (plain_args.h),
 * and plan_make with whatever first block. A command line is taken without a word, or refused with one message and
 * STATUS_USAGE; what is taken is in range.
 *
 * First byte: the environment. Then the words, a newline or NUL between them; behind two bytes 0xff the first block. */
#include "base/memory.h"
#include "cli/make_plan.h"
#include "command_line.h"
#include "messages.h"
#include "plain_args.h"
#include "text/sniff.h"

struct command {
	size_t count; /* words, the program's name among them */
	char *words[WORDS_MAX + 1];
	char *argv[WORDS_MAX + 1];
	const char *device; /* PSCAN_DEVICE, or NULL */
	bool ordered; /* POSIXLY_CORRECT */
	const uint8_t *block;
	size_t block_size;
};

/* The next word: a block of its own. */
static char *next_word(const uint8_t **data, size_t *size)
{
	size_t length = 0;
	while (length < *size && (*data)[length] != '\n' && (*data)[length] != '\0')
		length++;
	char *word = malloc(length + 1);
	REQUIRE(word != NULL, "no memory");
	memcpy(word, *data, length);
	word[length] = '\0';
	length += length < *size;
	*data += length;
	*size -= length;
	return word;
}

static void read_command(struct command *c, const uint8_t *data, size_t size)
{
	static char name[] = "pscan";
	const unsigned environment = fuzz_choose(&data, &size);
	const uint8_t *block = memmem(data, size, "\xff\xff", 2);
	size_t words_size = block != NULL ? (size_t)(block - data) : size;
	*c = (struct command){.count = 1, .ordered = environment & 2};
	c->block = block != NULL ? block + 2 : data + size;
	c->block_size = (size_t)(data + size - c->block);
	c->words[0] = name;
	while (words_size > 0 && c->count < WORDS_MAX)
		c->words[c->count++] = next_word(&data, &words_size);
	if ((environment & 1) && c->count > 1) /* the last word is the device */
		c->device = c->words[--c->count];
	memcpy(c->argv, c->words, c->count * sizeof c->argv[0]);
}

static bool is_word(const struct command *c, const char *text)
{
	for (size_t i = 0; i < c->count; i++) {
		if (c->words[i] == text)
			return true;
	}
	return false;
}

static void free_command(struct command *c)
{
	for (size_t i = 1; i < c->count; i++) {
		/* args_op.c's own words live as long as the program, of which there are many here. */
		if (!is_word(c, c->argv[i]) && strncmp(c->argv[i], "--op=", 5) == 0)
			memory_free(c->argv[i]);
	}
	for (size_t i = 1; i < c->count + (c->device != NULL); i++)
		free(c->words[i]);
}

/* Runs args_parse with the command's environment. */
static enum status parse(struct command *c, struct options *o, struct messages *m)
{
	static char posix[] = "POSIXLY_CORRECT=1";
	char *device = NULL;
	char *environment[3];
	size_t count = 0;
	char **const before = environ;
	if (c->device != NULL) {
		device = malloc(strlen(c->device) + sizeof "PSCAN_DEVICE=");
		REQUIRE(device != NULL, "no memory");
		(void)strcpy(stpcpy(device, "PSCAN_DEVICE="), c->device);
		environment[count++] = device;
	}
	if (c->ordered)
		environment[count++] = posix;
	environment[count] = NULL;
	environ = environment;
	messages_hide();
	const enum status status = command_line_parse((int)c->count, c->argv, o);
	messages_show(m);
	environ = before;
	if (device != NULL && o->run.device == device + sizeof "PSCAN_DEVICE=" - 1) {
		REQUIRE(strcmp(o->run.device, c->device) == 0, "another device");
		o->run.device = c->device;
	}
	free(device);
	return status;
}

/* --- What must be so of anything taken */

static void require_fields(const struct plain_args *a, const struct options *o)
{
	const struct field_item *fields;
	const size_t count = command_line_fields(o, &fields);
	size_t n = 0, size;
	for (size_t i = 0; i < a->option_count; i++) {
		const char *list = a->options[i].letter == 'f' ? a->options[i].value : NULL;
		const char *value = list;
		for (; list != NULL; n++) {
			struct plain_field f;
			const char *word = plain_next_field(a, &list, &size);
			REQUIRE(plain_field_of(a, word, size, &f) && n < count, "-f %s: field %zu of %zu", value, n,
				count);
			REQUIRE(fields[n].value == value, "-f %s: field %zu is of another", value, n);
			REQUIRE((f.name != NULL) == (fields[n].name != NULL), "-f %s: field %zu", value, n);
			if (f.name != NULL && memchr(f.name, '"', f.size) == NULL)
				REQUIRE(strlen(fields[n].name) == f.size && memcmp(fields[n].name, f.name, f.size) == 0,
					"-f %s: field %zu is called %s", value, n, fields[n].name);
			else if (f.name == NULL)
				REQUIRE(fields[n].first == f.first && fields[n].from_end == f.from_end &&
						fields[n].last == f.last,
					"-f %s: field %zu", value, n);
		}
	}
	REQUIRE(n == count, "%zu fields instead of %zu", count, n);
	const char *value = plain_last(a, 'c', NULL);
	REQUIRE(o->fields.columns == (value == NULL ? 0 : strtoull(value, NULL, 10)), "-c %s", value);
}

static void require_text(const struct plain_args *a, const struct text_rules *t)
{
	size_t given;
	const char *value = plain_delimiter(a);
	given = value != NULL;
	REQUIRE(t->cut == (plain_given(a, '8')   ? CUT_JSON
			   : plain_given(a, '9') ? CUT_LOGFMT
			   : plain_given(a, 'X') ? CUT_LOG
			   : plain_given(a, 'C') ? CUT_CSV
			   : given > 0           ? CUT_DELIMITER
						 : CUT_BLANKS),
		"how lines are cut");
	if (!text_by_blanks(t) && t->cut != CUT_JSON)
		REQUIRE(t->delimiter == (given == 0 ? ',' : value[0]), "-d %s", value);
	REQUIRE(t->header_lines == plain_header_lines(a), "-H");
	value = plain_last(a, 'b', NULL);
	REQUIRE(t->names_line == (value != NULL ? strtoull(value, NULL, 10) : 0), "--header-names");
	REQUIRE(same_text(t->comment, plain_last(a, 'K', NULL)), "--comment");
	REQUIRE(t->comment_size == (t->comment != NULL ? strlen(t->comment) : 0), "--comment");
	REQUIRE(same_text(t->output.as, plain_last(a, 'N', NULL)), "--as");
	REQUIRE(t->output.lines == (plain_given(a, 'a')   ? LINES_APPENDED
				    : plain_given(a, 'R') ? LINES_REPLACED
							  : LINES_DROPPED),
		"-a, --replace");
	REQUIRE(t->records.are_lines == plain_counts_lines(a), "lines are counted");
	REQUIRE((unsigned)t->tokens.missing.how <= MISSING_VALUE && (unsigned)t->tokens.invalid <= INVALID_IGNORE,
		"words");
	REQUIRE((t->tokens.missing.how == MISSING_VALUE) == (t->tokens.missing.value != NULL),
		"--missing without its value");
	REQUIRE(t->tokens.missing.how != MISSING_PROPAGATE && (unsigned)t->tokens.nan.how <= MISSING_VALUE, "words");
	REQUIRE((t->tokens.nan.how == MISSING_VALUE) == (t->tokens.nan.value != NULL), "--nan without its value");
	value = plain_last(a, '5', NULL);
	REQUIRE(t->tokens.has_nan == (value != NULL), "--nan");
	REQUIRE((t->tokens.nan.how == MISSING_PROPAGATE) == same_text(value, "propagate"), "--nan=propagate");
	value = plain_last(a, '6', NULL);
	REQUIRE(same_text(t->tokens.marks, value), "--missing-marks");
	REQUIRE(t->tokens.marks_have_digits == (value != NULL && value[strcspn(value, "0123456789")] != '\0'), "marks");
}

static enum action plain_action(const struct plain_args *a)
{
	switch (plain_last_of(a, "l0VYQk")) {
	case 'l':
		return ACTION_LIST_DEVICES;
	case '0':
		return ACTION_HELP;
	case 'V':
		return ACTION_VERSION;
	case 'Y':
		return ACTION_LIST_OPERATORS;
	case 'Q':
		return ACTION_SHOW_OPERATOR;
	case 'k':
		return ACTION_SHOW_STATE;
	default:
		return ACTION_SCAN;
	}
}

/* The operators of one list are these first ones of count. Returns how many they are. */
static size_t require_list(const char *list, const struct operator_choice *operators, size_t count)
{
	size_t size, n = 0;
	for (; list != NULL; n++) {
		const char *word = plain_next_word(&list, &size);
		const size_t name_size = strcspn(word, ":,");
		const struct operator_choice *c = &operators[n];
		REQUIRE(n < count && c->op != NULL, "operator %zu of %zu", n, count);
		const bool by_name = strlen(c->op->name) == name_size && memcmp(c->op->name, word, name_size) == 0;
		const bool by_symbol =
			strlen(c->op->symbol) == name_size && memcmp(c->op->symbol, word, name_size) == 0;
		REQUIRE(by_name || by_symbol, "-op %s is %s", word, c->op->name);
		REQUIRE((c->op->parameter == PARAMETER_FACTOR) == (name_size < size), "-op %s: a factor", word);
		REQUIRE(name_size == size ? c->factor == 0 : c->factor == strtod(word + name_size + 1, NULL),
			"-op %s: %g", word, c->factor);
		if (name_size == size)
			REQUIRE(same_text(c->name, c->op->name), "-op %s is called %s", word, c->name);
		else
			REQUIRE(strlen(c->name) == size && memcmp(c->name, word, size) == 0, "-op %s is called %s",
				word, c->name);
	}
	return n;
}

static void require_operators(const struct plain_args *a, const struct options *o)
{
	size_t given, n = 0;
	const struct operator_choice *operators;
	const size_t count = command_line_operators(o, &operators);
	(void)plain_last(a, 'O', &given);
	if (given == 0)
		n = require_list("sum", operators, count);
	for (size_t i = 0; i < a->option_count; i++) {
		const char *list = a->options[i].letter == 'O' ? a->options[i].value : NULL;
		n += require_list(list, operators + (list != NULL ? n : 0), list != NULL ? count - n : 0);
	}
	REQUIRE(n == count, "%zu operators instead of %zu", count, n);
}

/* The operator that is to be shown, if there is one. */
static void require_shown(const struct plain_args *a, const struct options *o)
{
	const char *word = plain_last(a, 'Q', NULL);
	const struct operator_choice *shown = &o->shown;
	REQUIRE((word != NULL) == (shown->op != NULL), "--show-operator");
	if (word == NULL)
		return;
	const size_t size = strcspn(word, ":");
	REQUIRE((strlen(shown->op->name) == size && memcmp(shown->op->name, word, size) == 0) ||
			same_text(shown->op->symbol, word),
		"--show-operator=%s is %s", word, shown->op->name);
	REQUIRE(word[size] == ':' ? shown->factor == strtod(word + size + 1, NULL) : shown->factor == 0,
		"--show-operator=%s: %g", word, shown->factor);
}

static void require_options(const struct plain_args *a, const struct options *o, const struct command *c)
{
	size_t given;
	const char *value;
	REQUIRE(!plain_given(a, 'h') && o->action == plain_action(a), "action %d", (int)o->action);
	require_shown(a, o);
	REQUIRE(o->scan.exclusive == (plain_last_of(a, "ie") == 'e'), "-e");
	REQUIRE(o->scan.total == plain_given(a, 'A') && o->scan.include_initial == plain_given(a, 'I'), "--total");
	REQUIRE(!o->scan.total || !o->scan.include_initial, "both");
	REQUIRE(o->scan.is_reversed == plain_given(a, 'r'), "--reverse");
	REQUIRE(same_text(o->scan.seed, plain_last(a, 'S', NULL)), "--seed");
	REQUIRE(same_text(o->numbers.type, plain_last(a, 't', NULL)), "-t");
	REQUIRE((o->scan.overflow == OVERFLOW_WRAP) == same_text(plain_last(a, 'W', NULL), "wrap"), "--overflow");
	value = plain_last(a, 'B', NULL);
	REQUIRE(o->numbers.input == (same_text(value, "text")     ? FORMAT_TEXT
				     : same_text(value, "binary") ? FORMAT_BINARY
				     : same_text(value, "npy")    ? FORMAT_NPY
								  : FORMAT_AUTO),
		"--format=%s", value);
	value = plain_last(a, 'P', &given);
	REQUIRE((o->numbers.output != FORMAT_AUTO) == (given > 0), "--output-format");
	REQUIRE(given == 0 || (o->numbers.output == FORMAT_TEXT) == same_text(value, "text"), "--output-format=%s",
		value);
	const char compression = plain_last_of(a, "zw");
	REQUIRE(o->output.compressor == (compression == 'z'   ? &compressor_gzip
					 : compression == 'w' ? &compressor_zstd
							      : NULL),
		"-z, --zstd");
	value = compression != '\0' ? plain_last(a, compression, NULL) : NULL;
	REQUIRE(value == NULL || o->output.level == (int)strtoul(value, NULL, 10), "level %s", value);
	REQUIRE(o->numbers.has_axis == plain_given(a, 'x'), "--axis");
	value = plain_last(a, 'T', NULL);
	REQUIRE(o->run.threads == (value == NULL ? 0 : strtoul(value, NULL, 10)), "-T %s", value);
	value = plain_last(a, 'Z', NULL);
	REQUIRE(o->run.chunk_bytes == (value == NULL ? 0 : plain_size(value)), "--chunk-size=%s", value);
	const char state = plain_last_of(a, "jk");
	REQUIRE(same_text(o->state.file, state != '\0' ? plain_last(a, state, NULL) : NULL), "--state");
	REQUIRE(same_text(o->output.file, plain_last(a, 'o', NULL)) &&
			same_text(o->reports.trace, plain_last(a, 'E', NULL)),
		"-o");
	REQUIRE(o->reports.stats ==
			(plain_given(a, 's') ? plain_last(a, 's', NULL) != NULL ? STATS_JSON : STATS_TEXT : STATS_NONE),
		"--stats");
	value = plain_last(a, '0', NULL);
	REQUIRE(plain_action(a) != ACTION_HELP || same_text(o->topic, value != NULL ? value : HELP_ALL), "--help=%s",
		value);
	REQUIRE(o->reports.progress == plain_given(a, 'p'), "--progress");
	REQUIRE(o->reports.plots == plain_given(a, 'y') && same_text(o->reports.plot_file, plain_last(a, 'y', NULL)),
		"--plot");
	value = plain_last_of(a, "qv") == '\0' ? "" : plain_last_of(a, "qv") == 'q' ? "q" : "v";
	REQUIRE(o->reports.verbosity == (*value == 'q'   ? VERBOSITY_QUIET
					 : *value == 'v' ? VERBOSITY_VERBOSE
							 : VERBOSITY_NORMAL),
		"-q, -v");
	REQUIRE(o->output.line_buffered == plain_given(a, 'L') && o->numbers.has_format == plain_given(a, 'F'), "-F");
	value = plain_last(a, 'D', NULL);
	if (value == NULL)
		value = c->device != NULL && c->device[0] != '\0' ? c->device : "auto";
	REQUIRE(o->scan.algorithm == ALGORITHM_SEQUENTIAL ? strcmp(o->run.device, "none") == 0
							  : same_text(o->run.device, value),
		"-D %s", value);
}

static void require_files(const struct plain_args *a, const struct options *o)
{
	if (a->file_count == 0) {
		REQUIRE(o->files.count == 1 && strcmp(o->files.names[0], "-") == 0, "files");
		return;
	}
	REQUIRE(o->files.count == a->file_count, "%zu files instead of %zu", o->files.count, a->file_count);
	for (size_t i = 0; i < a->file_count; i++)
		REQUIRE(o->files.names[i] == a->files[i], "file \"%s\" instead of \"%s\"", o->files.names[i],
			a->files[i]);
}

/* --- The plan */

/* The numbers of a record: -f's list, or all of -c's columns. */
static void require_numbers(const struct plan *plan, const struct options *o)
{
	const struct text_rules *t = &plan->format.text;
	const struct field_item *items;
	const size_t count = command_line_fields(o, &items);
	bool named = false;
	REQUIRE(plan->field_count * t->inputs == (t->field_count == 0 ? 1 : t->field_count),
		"%zu elements of %zu fields", plan->field_count, t->field_count);
	REQUIRE(count == 0 ? t->field_count == (t->records.are_lines ? 1 : o->fields.columns) : t->field_count > 0,
		"%zu fields of %ju", t->field_count, (uintmax_t)o->fields.columns);
	for (size_t i = 0; i < t->field_count; i++) {
		const struct field_choice *f = &t->fields[i];
		named = named || f->name != NULL;
		REQUIRE((f->name != NULL) != (f->number > 0), "field %zu has neither name nor number, or both", i);
		REQUIRE(f->name != NULL || o->fields.columns == 0 || f->number <= o->fields.columns,
			"column %ju of %ju", (uintmax_t)f->number, (uintmax_t)o->fields.columns);
		REQUIRE(count > 0 || f->number == i + 1, "column %zu is %ju", i, (uintmax_t)f->number);
	}
	for (size_t i = t->field_count; i < t->field_count + t->key_count + t->reset_count + t->gap.count; i++)
		named = named || t->fields[i].name != NULL;
	if (text_names_fields(t)) {
		REQUIRE(t->numbers != NULL && t->members == &plan->memory.members, "members that are not known");
		for (size_t i = 0; i < t->total_count; i++)
			REQUIRE(t->numbers[i] > 0 && t->numbers[i] <= plan->memory.members.field_count, "number %zu",
				i);
		return;
	}
	REQUIRE(!named || t->header_lines > 0, "a name without a header");
	REQUIRE(t->numbers == NULL || !named, "names that are numbers");
	REQUIRE(t->field_count == 0 || t->numbers != NULL || named, "numbers that are not known");
	for (size_t i = 0; i < t->field_count && t->numbers != NULL; i++)
		REQUIRE(t->numbers[i] == t->fields[i].number, "number %zu", i);
}

static void require_lanes(const struct plan *plan, const struct options *o)
{
	const struct operator_choice *operators;
	const size_t count = command_line_operators(o, &operators);
	REQUIRE(plan->operator_count == count && plan->format.text.result_count == count, "%zu operators", count);
	REQUIRE(plan->lane_count == plan->field_count * count && plan->lane_count <= PLAN_LANES_MAX, "%zu lanes",
		plan->lane_count);
	REQUIRE(plan->format.record_size ==
			plan->format.in->size * (o->fields.columns > 0 ? o->fields.columns : plan->format.text.inputs),
		"records of %zu bytes", plan->format.record_size);
	for (size_t i = 0; i < plan->lane_count; i++) {
		const struct plan_lane *l = &plan->lanes[i];
		const struct operator_choice *c = &operators[i % count];
		REQUIRE(plan->format.text.inputs == (strcmp(l->op->name, "linrec") == 0 ? 2 : 1), "%zu inputs",
			plan->format.text.inputs);
		REQUIRE(l->field == i / count, "lane %zu: field %zu", i, l->field);
		REQUIRE(l->op == c->op, "lane %zu: %s", i, l->op->name);
		REQUIRE(!l->row_is_exclusive ||
				(o->scan.exclusive && !l->moves_results && strcmp(l->op->name, "drawdown") == 0),
			"lane %zu: an exclusive row", i);
		REQUIRE(same_text(plan->format.names[i % count].text, c->name), "lane %zu: another name", i);
		REQUIRE(l->factor == c->factor, "lane %zu: another factor", i);
		REQUIRE(l->in != NULL && l->acc != NULL && l->in->id < TYPE_I128 && l->acc->id < TYPE_I128, "types");
		REQUIRE(!l->decimal || (plan->format.input == FORMAT_TEXT && plan->format.output == FORMAT_TEXT),
			"decimals in binary");
		REQUIRE(!l->op->bitwise || l->acc->kind != KIND_FLOAT, "bits of floats");
		REQUIRE(!plan->include_initial || !l->moves_results, "an initial and exclusive");
		REQUIRE((l->seed != NULL) == (o->scan.seed != NULL), "lane %zu: its seed", i);
		REQUIRE(l->seed == NULL || l->op->takes_seed, "lane %zu takes no seed", i);
	}
	require_numbers(plan, o);
}

static void require_plan(const struct plan *plan, const struct options *o)
{
	const bool by_text = o->numbers.is_text || o->numbers.has_format;
	REQUIRE(plan->format.input != FORMAT_AUTO && plan->format.output != FORMAT_AUTO, "an open format");
	REQUIRE(o->numbers.input == FORMAT_AUTO ? !by_text || plan->format.input == FORMAT_TEXT
						: plan->format.input == o->numbers.input,
		"another format");
	REQUIRE(plan->format.in != NULL && plan->format.in->id < TYPE_I128, "types");
	const bool by_columns = plan->format.input == FORMAT_BINARY && o->fields.columns > 1;
	REQUIRE(plan->sizes.chunk_elements > 0 && (plan->sizes.chunk_elements % GRID_TILE == 0 ||
						   (by_columns && plan->sizes.chunk_elements < GRID_TILE)),
		"chunks of %zu", plan->sizes.chunk_elements);
	REQUIRE(plan->sizes.thread_count > 0 && plan->sizes.slot_count > 0 && plan->sizes.slot_count <= PLAN_SLOTS_MAX,
		"%zu slots", plan->sizes.slot_count);
	REQUIRE(plan->format.text.output.lines == LINES_DROPPED || plan->format.output == FORMAT_TEXT,
		"lines in binary");
	require_lanes(plan, o);
}

/* warned: a warning is in order. */
/* Whether a message says what is wrong in an expression, which no help can say. */
static bool is_of_expression(const char *message)
{
	static const char *const ends[] = {" cannot be in an expression\n", ": a bracket is closed that is not open\n",
					   ": a bracket is not closed\n", ": an expression is missing\n"};
	bool is = strstr(message, " for the ") != NULL;
	for (size_t i = 0; i < sizeof ends / sizeof ends[0] && !is; i++)
		is = strstr(message, ends[i]) != NULL;
	return is;
}

static bool ends_with(const struct messages *m, const char *end)
{
	return m->size > strlen(end) && strcmp(m->text + m->size - strlen(end), end) == 0;
}

static void require_message(const struct messages *m, enum status status, bool warned, const char *hint)
{
	REQUIRE(status == STATUS_OK || status == STATUS_USAGE, "status %d", (int)status);
	REQUIRE(m->lines == (status == STATUS_OK ? 0 : 1) + (size_t)warned, "%zu messages: %s", m->lines, m->text);
	if (status != STATUS_USAGE || hint == NULL || is_of_expression(m->text))
		return;
	/* (A hint may go on with what help is asked for: --help=-f.) */
	const char *help = strstr(m->text, hint);
	REQUIRE((help != NULL && ends_with(m, ")\n")) || ends_with(m, " (see --list-operators)\n") ||
			ends_with(m, ": not supported yet (see LIMITS in man pscan)\n") ||
			strncmp(m->text, "pscan: --help: ", 15) == 0,
		"no hint: %s", m->text);
}

static void check_plan(const struct command *c, struct options *o)
{
	/* Looking how many there are takes long. */
	const size_t threads = o->run.threads == 0 && c->block_size > 0 ? 3 : plan_threads(o);
	static struct messages m;
	struct plan plan;
	unsigned char *block = fuzz_copy(c->block, c->block_size);
	messages_hide();
	const enum status status =
		plan_make(&plan, o, threads, &(struct plan_input){.block = block, .size = c->block_size});
	messages_show(&m);
	/* Only where float32 is a guess, and never before a refusal for what the block is. */
	const bool warned = strncmp(m.text, "pscan: warning: ", 16) == 0;
	REQUIRE(!warned || (o->numbers.input == FORMAT_AUTO && o->numbers.type == NULL && !o->numbers.is_text &&
			    !sniff_is_text(block, c->block_size) && sniff_is_unlike_f32(block, c->block_size)),
		"a warning: %s", m.text);
	require_message(&m, status, warned, NULL);
	if (status == STATUS_OK && !command_line_has_program(o))
		require_plan(&plan, o);
	plan_free(&plan);
	free(block);
}

/* Whether -op may name a file, of which nothing here knows what is in it. (What programs' files may be
 * declarations_fuzz tries.) */
static bool may_name_file(const struct command *c)
{
	bool may = false;
	for (size_t i = 1; i < c->count && !may; i++)
		may = strchr(c->words[i], '@') != NULL;
	return may;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct messages m;
	static struct plain_args plain;
	static struct options o;
	struct command c;
	read_command(&c, data, size);
	if (may_name_file(&c)) {
		free_command(&c);
		return -1;
	}
	read_args_plainly(&plain, (const char *const *)c.words + 1, c.count - 1, c.ordered);
	for (size_t i = 0; i < plain.option_count && !plain.bad; i++)
		plain.bad = !plain_value_may_do(&plain, plain.options[i].letter, plain.options[i].value);
	const enum status status = parse(&c, &o, &m);
	require_message(&m, status, false, " (see --help");
	if (status == STATUS_OK && o.action == ACTION_HELP && o.topic == NULL) {
		/* (Whatever follows -h.) */
		REQUIRE(plain.bad || plain_given(&plain, 'h'), "short help");
		command_line_free(&o);
		free_command(&c);
		return 0;
	}
	plain.bad = plain.bad || !plain_agree(&plain);
	if (status == STATUS_OK && command_line_has_program(&o)) {
		check_plan(&c, &o);
		command_line_free(&o);
		free_command(&c);
		return 0;
	}
	REQUIRE(status != STATUS_OK || !plain.bad, "a command line that is none is taken");
	REQUIRE(status == STATUS_OK || plain.bad || !plain_is_sure(&plain), "a command line is refused: %s", m.text);
	if (status == STATUS_OK) {
		require_options(&plain, &o, &c);
		require_operators(&plain, &o);
		require_fields(&plain, &o);
		require_text(&plain, &o.text);
		require_files(&plain, &o);
		check_plan(&c, &o);
	}
	command_line_free(&o);
	free_command(&c);
	return 0;
}
