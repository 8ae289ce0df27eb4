/* The plain reading of a command line that args_fuzz.c holds args_parse to: word by word, by what the man page says. */
#ifndef PSCAN_TESTS_FUZZ_PLAIN_ARGS_H
#define PSCAN_TESTS_FUZZ_PLAIN_ARGS_H

#include <stdbool.h>

#include "cli/args.h"
#include "cli/help.h"
#include "fuzz.h"

enum argument { ARGUMENT_NONE, ARGUMENT_NEEDED, ARGUMENT_OPTIONAL };

/* Options are known by their letters; those without one have a capital of their own, later ones '.', and ',' those that
 * may be taken or not. */
struct known_option {
	const char *name;
	char letter;
	enum argument argument;
};

static const struct known_option known_options[] = {
	{"op", 'O', ARGUMENT_NEEDED},
	{"ops", 'O', ARGUMENT_NEEDED},
	{"inclusive", 'i', ARGUMENT_NONE},
	{"exclusive", 'e', ARGUMENT_NONE},
	{"include-initial", 'I', ARGUMENT_NONE},
	{"seed", 'S', ARGUMENT_NEEDED},
	{"total", 'A', ARGUMENT_NONE},
	{"overflow", 'W', ARGUMENT_NEEDED},
	{"format", 'B', ARGUMENT_NEEDED},
	{"output-format", 'P', ARGUMENT_NEEDED},
	{"type", 't', ARGUMENT_NEEDED},
	{"columns", 'c', ARGUMENT_NEEDED},
	{"field", 'f', ARGUMENT_NEEDED},
	{"delimiter", 'd', ARGUMENT_NEEDED},
	{"csv", 'C', ARGUMENT_NONE},
	{"tsv", 'U', ARGUMENT_NONE},
	{"log", 'X', ARGUMENT_NONE},
	{"json", '8', ARGUMENT_NONE},
	{"logfmt", '9', ARGUMENT_NONE},
	{"header", 'H', ARGUMENT_OPTIONAL},
	{"no-header", 'n', ARGUMENT_NONE},
	{"header-names", 'b', ARGUMENT_NEEDED},
	{"comment", 'K', ARGUMENT_NEEDED},
	{"append", 'a', ARGUMENT_NONE},
	{"as", 'N', ARGUMENT_NEEDED},
	{"replace", 'R', ARGUMENT_NONE},
	{"number-format", 'F', ARGUMENT_NEEDED},
	{"missing", 'M', ARGUMENT_NEEDED},
	{"missing-marks", '6', ARGUMENT_NEEDED},
	{"nan", '5', ARGUMENT_NEEDED},
	{"invalid", 'J', ARGUMENT_NEEDED},
	{"gzip", 'z', ARGUMENT_OPTIONAL},
	{"output", 'o', ARGUMENT_NEEDED},
	{"no-mmap", 'm', ARGUMENT_NONE},
	{"device", 'D', ARGUMENT_NEEDED},
	{"list-devices", 'l', ARGUMENT_NONE},
	{"list-operators", 'Y', ARGUMENT_NONE},
	{"show-operator", 'Q', ARGUMENT_NEEDED},
	{"chunk-size", 'Z', ARGUMENT_NEEDED},
	{"threads", 'T', ARGUMENT_NEEDED},
	{"line-buffered", 'L', ARGUMENT_NONE},
	{"stats", 's', ARGUMENT_OPTIONAL},
	{"progress", 'p', ARGUMENT_NONE},
	{"quiet", 'q', ARGUMENT_NONE},
	{"verbose", 'v', ARGUMENT_NONE},
	{"help", '0', ARGUMENT_OPTIONAL},
	{"version", 'V', ARGUMENT_NONE},
	{"algorithm", 'G', ARGUMENT_NEEDED},
	{"trace", 'E', ARGUMENT_NEEDED},
	{"no-sandbox", ',', ARGUMENT_NONE},
	{"verify", ',', ARGUMENT_NONE},
	{"group", 'g', ARGUMENT_NEEDED},
	{"by", 'g', ARGUMENT_NEEDED},
	{"reset-on", '1', ARGUMENT_NEEDED},
	{"reset-every", '2', ARGUMENT_NEEDED},
	{"reset-at", '3', ARGUMENT_NEEDED},
	{"reset-gap", '4', ARGUMENT_NEEDED},
	{"reverse", 'r', ARGUMENT_NONE},
	{"state", 'j', ARGUMENT_NEEDED},
	{"alike", ',', ARGUMENT_NEEDED},
	{"window", '7', ARGUMENT_NEEDED},
	{"min-count", ',', ARGUMENT_NEEDED},
	{"fill-limit", ',', ARGUMENT_NEEDED},
	{"exact", '.', ARGUMENT_NONE},
	{"map", ',', ARGUMENT_NEEDED},
	{"emit", ',', ARGUMENT_NEEDED},
	{"check-associative", ',', ARGUMENT_NONE},
	{"diff", '.', ARGUMENT_NONE},
	{"axis", 'x', ARGUMENT_NEEDED},
	{"skip-bytes", ',', ARGUMENT_NEEDED},
	{"whole-lines", ',', ARGUMENT_NONE},
	{"plot", 'y', ARGUMENT_OPTIONAL},
	{"show-state", 'k', ARGUMENT_NEEDED},
	{"decimal", ',', ARGUMENT_NEEDED},
	{"thousands", ',', ARGUMENT_NEEDED},
	{"accept", ',', ARGUMENT_NEEDED},
	{"zstd", 'w', ARGUMENT_OPTIONAL},
};
#define KNOWN_COUNT (sizeof known_options / sizeof known_options[0])

#define WORDS_MAX 200
#define OPTIONS_MAX 4096 /* letters may share a word */

/* What the words come to. */
struct plain_args {
	bool bad; /* it is no command line at all */
	size_t option_count, file_count;
	struct {
		char letter;
		const char *value; /* or NULL */
	} options[OPTIONS_MAX];
	const char *files[WORDS_MAX];
};

/* The option that a letter stands for as one: -z and -H take nothing. */
static bool plain_letter(char letter, enum argument *argument)
{
	static const char without[] = "iezlqvhVHar", with[] = "tfdoDTFgc";
	if (letter == '\0' || (strchr(without, letter) == NULL && strchr(with, letter) == NULL))
		return false;
	*argument = strchr(with, letter) != NULL ? ARGUMENT_NEEDED : ARGUMENT_NONE;
	return true;
}

static void plain_option(struct plain_args *a, char letter, const char *value)
{
	a->bad = a->bad || letter == '.';
	if (a->option_count == sizeof a->options / sizeof a->options[0])
		return;
	a->options[a->option_count].letter = letter;
	a->options[a->option_count++].value = value;
}

/* --name, --name=value, or as much of the name as tells it from others. Advances *i over an argument of its own. */
static void plain_long(struct plain_args *a, const char *const *words, size_t count, size_t *i)
{
	const char *name = words[*i] + 2;
	const size_t size = strcspn(name, "=");
	const char *value = name[size] == '=' ? name + size + 1 : NULL;
	const struct known_option *found = NULL;
	size_t candidates = 0;
	for (size_t k = 0; k < KNOWN_COUNT; k++) {
		const struct known_option *o = &known_options[k];
		if (strncmp(o->name, name, size) != 0)
			continue;
		found = o;
		candidates++;
		if (strlen(o->name) == size) {
			candidates = 1;
			break;
		}
	}
	a->bad = a->bad || candidates != 1;
	if (a->bad)
		return;
	/* --help TOPIC: what begins with a dash is one if help knows it. */
	if (found->letter == '0' && value == NULL && *i + 1 < count && strcmp(words[*i + 1], "--") != 0 &&
	    (words[*i + 1][0] != '-' || help_has(words[*i + 1])))
		value = words[++*i];
	if (found->argument == ARGUMENT_NEEDED && value == NULL && *i + 1 < count)
		value = words[++*i];
	if ((found->argument == ARGUMENT_NEEDED && value == NULL) ||
	    (found->argument == ARGUMENT_NONE && value != NULL))
		a->bad = true;
	else
		plain_option(a, found->letter, value);
}

/* -op, and letters in one word. */
static void plain_letters(struct plain_args *a, const char *const *words, size_t count, size_t *i)
{
	const char *word = words[*i];
	enum argument argument;
	/* A long option with one dash is refused, but -help is -h. */
	const size_t size = strcspn(word + 1, "=");
	for (size_t k = 0; k < KNOWN_COUNT && strcmp(word, "-help") != 0; k++)
		a->bad = a->bad || (size > 2 && strlen(known_options[k].name) == size &&
				    strncmp(known_options[k].name, word + 1, size) == 0);
	if (a->bad)
		return;
	if (strncmp(word, "-op", 3) == 0) {
		const char *value = word[3] == '=' ? word + 4 : NULL;
		if (word[3] == '\0' && *i + 1 < count)
			value = words[++*i];
		a->bad = a->bad || value == NULL;
		if (value != NULL)
			plain_option(a, 'O', value);
		return;
	}
	for (const char *p = word + 1; *p != '\0' && !a->bad; p++) {
		if (!plain_letter(*p, &argument)) {
			a->bad = true;
		} else if (argument == ARGUMENT_NONE) {
			plain_option(a, *p, NULL);
		} else {
			const char *value = p[1] != '\0' ? p + 1 : *i + 1 < count ? words[++*i] : NULL;
			/* A bundle that ends as -op does is refused. */
			const bool like_op = *p == 'o' && (strcmp(p, "op") == 0 || strncmp(p, "op=", 3) == 0);
			a->bad = value == NULL || like_op;
			if (!a->bad)
				plain_option(a, *p, value);
			return;
		}
	}
}

/* count words behind the program's name. ordered: the first file ends the options (POSIXLY_CORRECT). */
static void read_args_plainly(struct plain_args *a, const char *const *words, size_t count, bool ordered)
{
	bool files_only = false;
	a->bad = false;
	a->option_count = a->file_count = 0;
	for (size_t i = 0; i < count && !a->bad; i++) {
		if (!files_only && strcmp(words[i], "--") == 0) {
			files_only = true;
		} else if (files_only || words[i][0] != '-' || words[i][1] == '\0') {
			files_only = files_only || ordered;
			a->files[a->file_count++] = words[i];
		} else if (words[i][1] == '-') {
			plain_long(a, words, count, &i);
		} else {
			plain_letters(a, words, count, &i);
		}
	}
}

/* The last of an option's values, or NULL; *given: how often it was given. */
static const char *plain_last(const struct plain_args *a, char letter, size_t *given)
{
	const char *value = NULL;
	size_t count = 0;
	for (size_t i = 0; i < a->option_count; i++) {
		if (a->options[i].letter == letter) {
			value = a->options[i].value;
			count++;
		}
	}
	if (given != NULL)
		*given = count;
	return value;
}

static bool plain_given(const struct plain_args *a, char letter)
{
	size_t given;
	(void)plain_last(a, letter, &given);
	return given > 0;
}

/* Which of some letters came last, or '\0'. */
static char plain_last_of(const struct plain_args *a, const char *letters)
{
	char last = '\0';
	for (size_t i = 0; i < a->option_count; i++) {
		if (strchr(letters, a->options[i].letter) != NULL)
			last = a->options[i].letter;
	}
	return last;
}

/* --- Whether one option's value will do */

static bool same_text(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool is_one_of(const char *value, const char *const *words)
{
	while (*words != NULL && strcmp(value, *words) != 0)
		words++;
	return *words != NULL;
}

/* The next of a list's words, joined by commas; *list is NULL after the last. */
static const char *plain_next_word(const char **list, size_t *size)
{
	const char *word = *list;
	*size = strcspn(word, ",");
	*list = word[*size] == ',' ? word + *size + 1 : NULL;
	return word;
}

static size_t plain_count_words(const char *list)
{
	size_t count = 0, size;
	for (; list != NULL; count++)
		(void)plain_next_word(&list, &size);
	return count;
}

/* size digits alone, least .. greatest. */
static bool is_count_of(const char *value, size_t size, unsigned __int128 least, unsigned __int128 greatest)
{
	unsigned __int128 number = 0;
	for (size_t i = 0; i < size; i++) {
		if (value[i] < '0' || value[i] > '9')
			return false;
		number = number * 10 + (unsigned)(value[i] - '0');
		if (number > (unsigned __int128)1 << 64)
			number = (unsigned __int128)1 << 64;
	}
	return size > 0 && number >= least && number <= greatest;
}

static bool is_count(const char *value, unsigned __int128 least, unsigned __int128 greatest)
{
	return is_count_of(value, strlen(value), least, greatest);
}

/* One of -f's list: N, N-M, N-, -N or a name, perhaps in quotes. */
struct plain_field {
	const char *name; /* size bytes, or NULL; with doubled quotes as they stand there */
	size_t size;
	uint64_t first, last, from_end;
};

/* Whether lines name their fields. */
static bool plain_is_named(const struct plain_args *a)
{
	return plain_given(a, '8') || plain_given(a, '9');
}

/* Whether of a pointer, which begins with a slash, each ~ is before 0 or 1. */
static bool plain_is_path(const char *word, size_t size)
{
	bool is = true;
	for (size_t i = 0; i < size && word[0] == '/'; i++)
		is = is && (word[i] != '~' || (i + 1 < size && (word[i + 1] == '0' || word[i + 1] == '1')));
	return is;
}

/* The size of a word in quotes, which may have commas in it; 0: it is not such a word. */
static size_t plain_quoted(const char *word)
{
	size_t i = 1;
	if (*word != '"')
		return 0;
	while (word[i] != '\0' && (word[i] != '"' || word[i + 1] == '"'))
		i += word[i] == '"' ? 2 : 1;
	return word[i] == '"' && (word[i + 1] == '\0' || word[i + 1] == ',') ? i + 1 : 0;
}

/* The next of a list of fields (plain_next_word). */
static const char *plain_next_field(const struct plain_args *a, const char **list, size_t *size)
{
	const char *word = *list;
	const size_t quoted = plain_is_named(a) ? 0 : plain_quoted(word);
	*size = quoted > 0 ? quoted : strcspn(word, ",");
	*list = word[*size] == ',' ? word + *size + 1 : NULL;
	return word;
}

/* False: it is not one. */
static bool plain_field_of(const struct plain_args *a, const char *word, size_t size, struct plain_field *f)
{
	const unsigned __int128 most = (uint64_t)1 << 40;
	size_t digits = 0, plain = 0;
	*f = (struct plain_field){0};
	while (digits < size && word[digits] >= '0' && word[digits] <= '9')
		digits++;
	while (plain < size && (word[plain] == '-' || (word[plain] >= '0' && word[plain] <= '9')))
		plain++;
	const bool is_range = digits < size && word[digits] == '-';
	const char *last = word + digits + is_range;
	const size_t left = size - digits - is_range;
	if (plain_is_named(a) && size > 0) {
		f->name = word;
		f->size = size;
		return plain_given(a, '9') || plain_is_path(word, size);
	}
	if (size > 1 && !plain_is_named(a) && plain_quoted(word) == size) {
		f->name = word + 1;
		f->size = size - 2;
		return size > 2;
	}
	if (size > 1 && word[0] == '-' && is_count_of(word + 1, size - 1, 1, most)) {
		f->from_end = strtoull(word + 1, NULL, 10);
		return true;
	}
	if (size == 0 || word[0] == '-')
		return false;
	if (plain < size || memchr(last, '-', left) != NULL) {
		f->name = word;
		f->size = size;
		return true;
	}
	if (!is_count_of(word, digits, 1, most))
		return false;
	f->first = strtoull(word, NULL, 10);
	f->last = is_range ? UINT64_MAX : f->first;
	if (!is_range || left == 0)
		return true;
	if (!is_count_of(last, left, f->first, most))
		return false;
	f->last = strtoull(last, NULL, 10);
	return true;
}

static bool are_fields(const struct plain_args *a, const char *list)
{
	struct plain_field f;
	size_t size;
	bool are = true;
	while (list != NULL) {
		const char *word = plain_next_field(a, &list, &size);
		are = plain_field_of(a, word, size, &f) && are;
	}
	return are;
}

/* An operator's name, or that of the one that takes a factor with one above 0, at most 1. */
static bool is_operator(const char *word, size_t size)
{
	char *text = fuzz_copy(word, size + 1); /* a comma or the end follows */
	text[size] = '\0';
	bool is = false;
	for (size_t i = 0; i < OPERATOR_ID_COUNT; i++) {
		const struct scan_operator *op = &operator_table[i];
		const bool is_called_so = strcmp(text, op->name) == 0 || (size > 0 && strcmp(text, op->symbol) == 0);
		is = is || (is_called_so && op->about[0] != '\0' && op->parameter == PARAMETER_NONE);
	}
	if (strncmp(text, "ema:", 4) == 0) {
		char *end;
		const double factor = strtod(text + 4, &end);
		/* (No blanks, and no hexadecimal digits.) */
		is = *end == '\0' && text[4 + strspn(text + 4, "+-.0123456789eE")] == '\0' && factor > 0 && factor <= 1;
	}
	free(text);
	return is;
}

static bool are_operators(const char *list)
{
	size_t size;
	bool are = true;
	while (list != NULL) {
		const char *word = plain_next_word(&list, &size);
		are = is_operator(word, size) && are;
	}
	return are;
}

/* 0: not a size. */
static uint64_t plain_size(const char *value)
{
	char digits[64];
	const size_t size = strlen(value);
	const char last = size > 0 ? value[size - 1] : '\0';
	const unsigned shift = last == 'K' ? 10 : last == 'M' ? 20 : last == 'G' ? 30 : 0;
	const char *zeros = value;
	while (*zeros == '0' && zeros[1] != '\0')
		zeros++;
	const size_t digit_count = strlen(zeros) - (shift > 0);
	if (digit_count == 0 || digit_count >= sizeof digits)
		return 0;
	memcpy(digits, zeros, digit_count);
	digits[digit_count] = '\0';
	if (!is_count(digits, 1, (UINT64_C(1) << 36) >> shift))
		return 0;
	return strtoull(digits, NULL, 10) << shift;
}

static bool is_delimiter(const char *value)
{
	return strcmp(value, "\\t") == 0 || (strlen(value) == 1 && value[0] != '\n' && value[0] != '\r');
}

/* The fields of a gap, of which a date and its time of day are joined by a plus sign: the next one, or NULL. */
static const char *plain_next_gap_field(const char **at, size_t *size)
{
	const char *word = *at;
	if (word == NULL)
		return NULL;
	const char *colon = strrchr(word, ':');
	const char *plus = memchr(word, '+', (size_t)(colon - word));
	const bool is_two = plus != NULL && plus > word && plus + 1 < colon;
	*size = (size_t)((is_two ? plus : colon) - word);
	*at = is_two ? plus + 1 : NULL;
	return word;
}

/* The same, all that a first field is followed by. */
static const char *plain_rest_of_gap(const char **at, size_t *size)
{
	const char *word = *at;
	*size = word != NULL ? (size_t)(strrchr(word, ':') - word) : 0;
	*at = NULL;
	return word;
}

/* FIELD:N, N a decimal of at most 18 digits after the point, perhaps with a unit. (How large it may be others know.) */
static bool is_gap(const struct plain_args *a, const char *value)
{
	struct plain_field f;
	size_t size;
	const char *colon = strrchr(value, ':');
	if (colon == NULL || colon == value)
		return false;
	const char *rest = value;
	const char *first = plain_next_gap_field(&rest, &size);
	if (!plain_field_of(a, first, size, &f) || (f.name == NULL && f.first != f.last))
		return false;
	const char *second = plain_rest_of_gap(&rest, &size);
	if (second != NULL && (!plain_field_of(a, second, size, &f) || (f.name == NULL && f.first != f.last)))
		return false;
	const char *p = colon + 1;
	p += *p == '+';
	const size_t integer = strspn(p, "0123456789");
	p += integer;
	const size_t fraction = *p == '.' ? strspn(p + 1, "0123456789") : 0;
	p += *p == '.' ? 1 + fraction : 0;
	if (*p != '\0' && strchr("smhd", *p) != NULL)
		p++;
	return integer + fraction > 0 && *p == '\0';
}

/* False is sure; true is not for --reset-gap, -F, --missing, --nan and a factor, whose formats and numbers others
 * know. */
static bool plain_value_may_do(const struct plain_args *a, char letter, const char *value)
{
	static const char *const overflows[] = {"error", "wrap", NULL};
	static const char *const formats[] = {"auto", "text", "binary", "npy", NULL};
	static const char *const invalids[] = {"abort", "fail", "warn", "ignore", NULL};
	static const char *const algorithms[] = {"blelloch", "hillis-steele", "sequential", NULL};
	switch (letter) {
	case 'O':
		return are_operators(value);
	case 'Q':
		return is_operator(value, strlen(value));
	case 'W':
		return is_one_of(value, overflows);
	case 'B':
		return is_one_of(value, formats);
	case 'P':
		return is_one_of(value, formats + 1);
	case 'J':
		return is_one_of(value, invalids);
	case 'G':
		return is_one_of(value, algorithms);
	case 'f':
	case 'g':
	case '1':
		return are_fields(a, value);
	case '2':
	case '7':
		return is_count(value, 1, UINT64_MAX);
	case '4':
		return is_gap(a, value);
	case 'c':
		return is_count(value, 1, 65536);
	case 'd':
		return is_delimiter(value);
	case 'H':
		return value == NULL || is_count(value, 1, UINT64_C(1) << 32);
	case 'K':
		return value[0] != '\0' && strchr(value, '\n') == NULL && strlen(value) <= 1000;
	case 'z':
		return value == NULL || is_count(value, 1, 9);
	case 'w':
		return value == NULL || is_count(value, 1, 22);
	case 's':
		return value == NULL || strcmp(value, "json") == 0;
	case '0':
		return value == NULL || help_has(value);
	case 'Z':
		return plain_size(value) != 0;
	case 'T':
		return is_count(value, 0, 1024);
	case 'b':
		return is_count(value, 1, (unsigned __int128)1 << 32);
	case 'o':
	case 'E':
	case 'j':
	case 'k':
		return value[0] != '\0';
	case 'y':
		return value == NULL || value[0] != '\0';
	default:
		return true;
	}
}

/* --- What options mean together */

static bool plain_is_among(const char *text, char c)
{
	return text != NULL && strchr(text, c) != NULL;
}

/* Whether one of the fields is known by its name. */
static bool plain_names_field(const struct plain_args *a)
{
	struct plain_field f;
	size_t size;
	bool names = false;
	for (size_t i = 0; i < a->option_count; i++) {
		const char *list = strchr("fg1", a->options[i].letter) != NULL ? a->options[i].value : NULL;
		while (list != NULL) {
			const char *word = plain_next_field(a, &list, &size);
			names = (plain_field_of(a, word, size, &f) && f.name != NULL) || names;
		}
	}
	const char *gap = plain_last(a, '4', NULL);
	const char *first = plain_next_gap_field(&gap, &size);
	names = names || (first != NULL && plain_field_of(a, first, size, &f) && f.name != NULL);
	const char *second = plain_rest_of_gap(&gap, &size);
	return names || (second != NULL && plain_field_of(a, second, size, &f) && f.name != NULL);
}

static const char *plain_delimiter(const struct plain_args *a)
{
	const char *delimiter = plain_last(a, 'd', NULL);
	return plain_last_of(a, "dU") == 'U' || same_text(delimiter, "\\t") ? "\t" : delimiter;
}

/* Whether a word is no name, or that of a log's field. */
static bool plain_is_in_log(const struct plain_args *a, const char *word, size_t size)
{
	static const char *const names[] = {"host",   "ident", "user",    "time",  "request",
					    "status", "bytes", "referer", "agent", NULL};
	struct plain_field f;
	if (!plain_field_of(a, word, size, &f) || f.name == NULL)
		return true;
	char *name = fuzz_copy(f.name, f.size + 1); /* what separates it follows */
	name[f.size] = '\0';
	const bool is = is_one_of(name, names);
	free(name);
	return is;
}

/* Whether every name is one of a log's fields. */
static bool plain_names_log(const struct plain_args *a)
{
	const char *gap = plain_last(a, '4', NULL);
	size_t size;
	const char *first = plain_next_gap_field(&gap, &size);
	bool good = first == NULL || plain_is_in_log(a, first, size);
	const char *second = plain_rest_of_gap(&gap, &size);
	good = good && (second == NULL || plain_is_in_log(a, second, size));
	for (size_t i = 0; i < a->option_count; i++) {
		const char *list = strchr("fg1", a->options[i].letter) != NULL ? a->options[i].value : NULL;
		while (list != NULL) {
			const char *word = plain_next_field(a, &list, &size);
			good = plain_is_in_log(a, word, size) && good;
		}
	}
	return good;
}

/* Whether lines are counted: -op count alone, keys or resets by fields, and no field with numbers. */
static bool plain_counts_lines(const struct plain_args *a)
{
	bool counts = plain_given(a, 'O') && plain_last_of(a, "g14") != '\0' && plain_last_of(a, "fc") == '\0';
	for (size_t i = 0; i < a->option_count; i++) {
		const char *list = a->options[i].letter == 'O' ? a->options[i].value : NULL;
		while (list != NULL) {
			size_t size;
			const char *word = plain_next_word(&list, &size);
			counts = counts && size == 5 && memcmp(word, "count", 5) == 0;
		}
	}
	return counts;
}

/* Operators in all lists. */
static size_t plain_count_operators(const struct plain_args *a)
{
	size_t count = 0;
	for (size_t i = 0; i < a->option_count; i++)
		count += a->options[i].letter == 'O' ? plain_count_words(a->options[i].value) : 0;
	return count;
}

/* Whether lines have a format of their own, with no header. */
static bool plain_has_own_format(const struct plain_args *a)
{
	return plain_given(a, 'X') || plain_is_named(a);
}

/* Whether the first line says whether it is a header. */
static bool plain_finds_header(const struct plain_args *a)
{
	return !plain_has_own_format(a) && plain_last_of(a, "CU") != '\0' && plain_last_of(a, "Hn") == '\0' &&
	       !plain_names_field(a);
}

/* The lines of the header, that one included. */
static uint64_t plain_header_lines(const struct plain_args *a)
{
	const char *value = plain_last(a, 'H', NULL);
	if (plain_last_of(a, "Hn") == 'H')
		return value != NULL ? strtoull(value, NULL, 10) : 1;
	const bool is_looked_at = plain_given(a, 'C') && plain_last_of(a, "Hn") == 'n';
	return !plain_has_own_format(a) && (plain_names_field(a) || plain_finds_header(a) || is_looked_at);
}

static bool plain_fields_agree(const struct plain_args *a)
{
	const char *delimiter = plain_delimiter(a);
	const char *as = plain_last(a, 'N', NULL);
	const bool csv = plain_given(a, 'C');
	const bool log = plain_given(a, 'X');
	const bool lines = plain_given(a, 'a') || plain_given(a, 'R');
	const bool by_field = plain_given(a, 'f') || plain_given(a, 'c') || plain_counts_lines(a);
	if (plain_given(a, 'R') && (plain_given(a, 'a') || plain_counts_lines(a)))
		return false;
	const bool has_header = plain_last_of(a, "Hn") == 'H';
	const char *names_line = plain_last(a, 'b', NULL);
	if (log && (csv || delimiter != NULL || has_header || !plain_names_log(a)))
		return false;
	const bool named = plain_is_named(a);
	if (named && (csv || delimiter != NULL || has_header || plain_given(a, 'c')))
		return false;
	if (!log && !named && plain_last_of(a, "Hn") == 'n' && plain_names_field(a))
		return false;
	if (!log && !named && names_line != NULL &&
	    (strtoull(names_line, NULL, 10) > plain_header_lines(a) || plain_finds_header(a) ||
	     plain_last_of(a, "Hn") == 'n'))
		return false;
	if (log + plain_given(a, '8') + plain_given(a, '9') > 1)
		return false;
	if (csv && (plain_is_among(delimiter, '"') || plain_is_among(plain_last(a, 'K', NULL), '"')))
		return false;
	/* Which fields there are is told when the input is known. */
	if (!by_field && (csv || log || named || delimiter != NULL))
		return true;
	if (!by_field && plain_given(a, 'R'))
		return false;
	if (plain_given(a, 'R') && plain_count_operators(a) > 1)
		return false;
	if (lines && (plain_given(a, 'A') || plain_given(a, 'I') || same_text(plain_last(a, 'P', NULL), "binary")))
		return false;
	if (named)
		return as == NULL || (!plain_given(a, 'R') && (plain_given(a, '8') || plain_given(a, 'a')));
	/* What the names are is the plan's to judge: it knows how many there must be. */
	return as == NULL || (by_field && !log && plain_header_lines(a) > 0 && plain_last_of(a, "Hn") != 'n');
}

/* Whether options whose values will do go together. */
static bool plain_agree(const struct plain_args *a)
{
	const char *device = plain_last(a, 'D', NULL);
	if ((device != NULL && device[0] == '\0') || (plain_given(a, 'A') && plain_given(a, 'I')))
		return false;
	const bool by_key = plain_last_of(a, "g14") != '\0';
	if (by_key &&
	    ((!plain_given(a, 'f') && !plain_counts_lines(a)) || same_text(plain_last(a, 'B', NULL), "binary")))
		return false;
	if (plain_given(a, '7') && plain_given(a, 'S'))
		return false;
	if (plain_given(a, 'y') && plain_given(a, 'A'))
		return false;
	if (plain_last_of(a, "g1234") != '\0' && plain_given(a, 'I'))
		return false;
	const bool by_text =
		by_key || plain_last_of(a, "dCUX89HnbKaNRMJ6") != '\0' || (plain_given(a, 'f') && !plain_given(a, 'c'));
	if (same_text(plain_last(a, 'B', NULL), "binary") && by_text)
		return false;
	return plain_fields_agree(a);
}

/* Whether nobody but this file need be asked: no format, no number, no device that an algorithm does not have, no
 * names that the delimiter joins, no arrays, and no option that may be taken or not. */
static bool plain_is_sure(const struct plain_args *a)
{
	static const char *const words[] = {"fail", "skip", "keep", "hold", "zero", NULL};
	static const char *const nans[] = {"propagate", "fail", "skip", "keep", "hold", "zero", NULL};
	for (size_t i = 0; i < a->option_count; i++) {
		const char letter = a->options[i].letter;
		if (letter == 'F' || letter == 'G' || letter == ',' || letter == '4' || letter == 'x' ||
		    letter == '0' || letter == 'w' ||
		    ((letter == 'B' || letter == 'P') && strcmp(a->options[i].value, "npy") == 0) ||
		    (letter == 'O' && plain_is_among(a->options[i].value, ':')) ||
		    (letter == 'N' && plain_is_among(a->options[i].value, ',')) ||
		    (letter == 'M' && !is_one_of(a->options[i].value, words)) ||
		    (letter == '5' && !is_one_of(a->options[i].value, nans)))
			return false;
	}
	return a->option_count < sizeof a->options / sizeof a->options[0];
}

#endif
