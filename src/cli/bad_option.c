/* getopt_long gives only a code and optopt. The word of argv that was wrong is found from optind. */
#include "cli/args_parts.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/word.h"
#include "cli/synonyms.h"

/* Refuses an option of `size` bytes, of which the first ones are dashes. */
static enum status unknown(const char *word, size_t size, size_t dashes)
{
	char advice[ADVICE_SIZE];
	const char *quoted = message_quoted_part(word, size);
	if (synonym_of_option(word + dashes, size - dashes, advice))
		return args_usage("unknown option %s: perhaps %s", quoted, advice);
	return args_usage("unknown option %s", quoted);
}

enum status bad_word(const char *word)
{
	return unknown(word, strcspn(word, "="), 2);
}

/* Returns how many letters two names begin with that are the same. */
static size_t begin_alike(const char *one, const char *other)
{
	size_t count = 0;
	while (one[count] != '\0' && one[count] == other[count])
		count++;
	return count;
}

/* --NAME or --NAME=VALUE: several options begin so, or one is spelled almost so. */
static enum status bad_name(const char *word, const struct option *long_options)
{
	const char *name = word + 2;
	const size_t size = strcspn(name, "=");
	const struct option *nearest = NULL;
	char candidates[256] = "";
	size_t used = 0;
	size_t limit = word_near_limit(size);
	for (const struct option *l = long_options; l->name != NULL; l++) {
		const size_t letters = word_distance(name, size, l->name, strlen(l->name));
		/* (Who mistypes two letters has the first one right.) */
		const size_t distance = letters > 1 && begin_alike(name, l->name) == 0 ? SIZE_MAX : letters;
		const bool is_as_near = nearest != NULL && distance == limit;
		if (distance < limit || (is_as_near && begin_alike(name, l->name) > begin_alike(name, nearest->name))) {
			limit = distance;
			nearest = l;
		}
		if (strncmp(l->name, name, size) != 0 || used >= sizeof candidates)
			continue;
		used += (size_t)snprintf(candidates + used, sizeof candidates - used, "%s--%s", used > 0 ? ", " : "",
					 l->name);
	}
	const char *quoted = message_quoted_part(word, size + 2);
	if (used > 0)
		return args_usage("ambiguous option %s: %s", quoted, candidates);
	char advice[ADVICE_SIZE];
	if (nearest == NULL || synonym_of_option(name, size, advice))
		return bad_word(word);
	return args_usage("unknown option %s: perhaps --%s", quoted, nearest->name);
}

/* A digit after a letter whose long option may have a number. */
static enum status bad_digit(const char *digits, char letter)
{
	const size_t size = strspn(digits, "0123456789");
	if ((letter == 'z' || letter == 'H') && digits[size] == '\0' && size < MESSAGE_QUOTED_SIZE / 2)
		return args_usage("-%c takes no number: write --%s=%s", letter, letter == 'z' ? "gzip" : "header",
				  digits);
	return args_usage("unknown option \"-%c\"", digits[0]);
}

/* Letters after one dash that are not options: a word or a letter that other programs have. */
static enum status bad_letters(const char *word, char letter)
{
	char advice[ADVICE_SIZE];
	const size_t size = word[0] == '-' && word[1] != '-' ? strcspn(word + 1, "=") : 0;
	if (size > 1 && synonym_of_option(word + 1, size, advice))
		return unknown(word, size + 1, 1);
	return unknown((const char[]){'-', letter}, 2, 1);
}

enum status bad_option(int code, char *const *argv, const char *letters, const struct option *long_options)
{
	const char *word = argv[optind - 1];
	const bool by_letter = optopt != 0 && optopt < 256;
	const char letter[3] = {'-', (char)optopt, '\0'};
	const bool known = optopt >= 256 || (by_letter && optopt != ':' && strchr(letters, optopt) != NULL);
	if (code == ':') {
		const char *text = by_letter ? letter : word;
		char advice[ADVICE_SIZE];
		/* (--min is the beginning of an option's name, and another tool's word.) */
		if (!by_letter && synonym_of_option(word + 2, strlen(word + 2), advice))
			return unknown(word, strlen(word), 2);
		return args_usage("%s needs an argument", message_quoted(text));
	}
	if (known)
		return args_usage("%s takes no value", message_quoted_part(word, strcspn(word, "=")));
	if (!by_letter)
		return bad_name(word, long_options);
	/* The word is passed with its last letter only. */
	const char *last = word + strlen(word) - 1;
	const char *at = word[0] == '-' && word[1] != '-' && *last == (char)optopt ? last : NULL;
	if (at == NULL && argv[optind] != NULL)
		at = strchr(argv[optind], optopt);
	if (at != NULL && optopt >= '0' && optopt <= '9')
		return bad_digit(at, at[-1]);
	if (at != NULL && optopt == '=' && (at[-1] == 'H' || at[-1] == 'z'))
		return args_usage("-%c does not take a value this way: write --%s%s", at[-1],
				  at[-1] == 'z' ? "gzip" : "header", message_shown(at));
	return bad_letters(at != NULL && at != last ? argv[optind] : word, letter[1]);
}
