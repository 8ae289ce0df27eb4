#include "cli/synonyms.h"

#include <stdio.h>
#include <string.h>

#include "base/word.h"

#define NO_SCAN "not a prefix scan: see datamash(1), Miller"

/* Words for operators. What is no operator here has an advice. */
static const struct {
	const char *word;
	enum operator_id id;
	const char *advice;
} operators[] = {
	{"add", OPERATOR_SUM, NULL},
	{"plus", OPERATOR_SUM, NULL},
	{"total", OPERATOR_SUM, NULL},
	{"cumsum", OPERATOR_SUM, NULL},
	{"cumulative", OPERATOR_SUM, NULL},
	{"running", OPERATOR_SUM, NULL},
	{"accumulate", OPERATOR_SUM, NULL},
	{"rsum", OPERATOR_SUM, NULL},
	{"product", OPERATOR_PROD, NULL},
	{"times", OPERATOR_PROD, NULL},
	{"mul", OPERATOR_PROD, NULL},
	{"mult", OPERATOR_PROD, NULL},
	{"multiply", OPERATOR_PROD, NULL},
	{"cumprod", OPERATOR_PROD, NULL},
	{"rprod", OPERATOR_PROD, NULL},
	{"maximum", OPERATOR_MAX, NULL},
	{"cummax", OPERATOR_MAX, NULL},
	{"highest", OPERATOR_MAX, NULL},
	{"largest", OPERATOR_MAX, NULL},
	{"greatest", OPERATOR_MAX, NULL},
	{"minimum", OPERATOR_MIN, NULL},
	{"cummin", OPERATOR_MIN, NULL},
	{"lowest", OPERATOR_MIN, NULL},
	{"smallest", OPERATOR_MIN, NULL},
	{"least", OPERATOR_MIN, NULL},
	{"all", OPERATOR_AND, NULL},
	{"any", OPERATOR_OR, NULL},
	{"avg", OPERATOR_MEAN, NULL},
	{"average", OPERATOR_MEAN, NULL},
	{"cummean", OPERATOR_MEAN, NULL},
	{"sma", OPERATOR_MEAN, NULL},
	{"variance", OPERATOR_VAR, NULL},
	{"svar", OPERATOR_VAR, NULL},
	{"sd", OPERATOR_STD, NULL},
	{"stdev", OPERATOR_STD, NULL},
	{"stddev", OPERATOR_STD, NULL},
	{"sstdev", OPERATOR_STD, NULL},
	{"diff", OPERATOR_DELTA, NULL},
	{"difference", OPERATOR_DELTA, NULL},
	{"change", OPERATOR_DELTA, NULL},
	{"previous", OPERATOR_LAG, NULL},
	{"prev", OPERATOR_LAG, NULL},
	{"shift", OPERATOR_LAG, NULL},
	{"shift_lag", OPERATOR_LAG, NULL},
	{"length", OPERATOR_COUNT, NULL},
	{"n", OPERATOR_COUNT, NULL},
	{"counter", OPERATOR_COUNT, NULL},
	{"size", OPERATOR_COUNT, NULL},
	{"row_number", OPERATOR_COUNT, NULL},
	{"rownum", OPERATOR_COUNT, NULL},
	{"cumcount", OPERATOR_COUNT, NULL},
	{"first_value", OPERATOR_FIRST, NULL},
	{"last_value", OPERATOR_LAST, NULL},
	{"idxmax", OPERATOR_ARGMAX, NULL},
	{"which.max", OPERATOR_ARGMAX, NULL},
	{"idxmin", OPERATOR_ARGMIN, NULL},
	{"which.min", OPERATOR_ARGMIN, NULL},
	{"ewm", OPERATOR_EMA, NULL},
	{"ewma", OPERATOR_EMA, NULL},
	{"median", OPERATOR_ID_COUNT, NO_SCAN},
	{"rank", OPERATOR_ID_COUNT, NO_SCAN},
	{"dense_rank", OPERATOR_ID_COUNT, NO_SCAN},
	{"percentile", OPERATOR_ID_COUNT, NO_SCAN},
	{"perc", OPERATOR_ID_COUNT, NO_SCAN},
	{"quantile", OPERATOR_ID_COUNT, NO_SCAN},
	{"quartile", OPERATOR_ID_COUNT, NO_SCAN},
	{"q1", OPERATOR_ID_COUNT, NO_SCAN},
	{"q3", OPERATOR_ID_COUNT, NO_SCAN},
	{"iqr", OPERATOR_ID_COUNT, NO_SCAN},
	{"p50", OPERATOR_ID_COUNT, NO_SCAN},
	{"p90", OPERATOR_ID_COUNT, NO_SCAN},
	{"p95", OPERATOR_ID_COUNT, NO_SCAN},
	{"p99", OPERATOR_ID_COUNT, NO_SCAN},
	{"ntile", OPERATOR_ID_COUNT, NO_SCAN},
	{"mode", OPERATOR_ID_COUNT, NO_SCAN},
	{"antimode", OPERATOR_ID_COUNT, NO_SCAN},
	{"mad", OPERATOR_ID_COUNT, NO_SCAN},
	{"skewness", OPERATOR_ID_COUNT, NO_SCAN},
	{"kurtosis", OPERATOR_ID_COUNT, NO_SCAN},
	{"unique", OPERATOR_ID_COUNT, NO_SCAN},
	{"sort", OPERATOR_ID_COUNT, "not a prefix scan: see sort(1)"},
	{"lead", OPERATOR_ID_COUNT, "not a prefix scan: see tac(1), -op lag"},
	{"ratio", OPERATOR_ID_COUNT, "not there yet: -op delta is the difference, Miller's step -a ratio the quotient"},
	{"pct_change", OPERATOR_ID_COUNT,
	 "not there yet: -op delta is the difference, Miller's step -a ratio the quotient"},
};
#define OPERATOR_WORDS (sizeof operators / sizeof operators[0])

/* Words for options, of one letter or more. Operators' names are options elsewhere, too. */
static const struct {
	const char *word, *advice;
} options[] = {
	{"k", "-g LIST"},
	{"key", "-g LIST"},
	{"keys", "-g LIST"},
	{"group-by", "-g LIST"},
	{"groupby", "-g LIST"},
	{"group_by", "-g LIST"},
	{"partition-by", "-g LIST"},
	{"over", "-g LIST"},
	{"sep", "-d C"},
	{"s", "-d C"},
	{"fs", "-d C"},
	{"ifs", "-d C"},
	{"separator", "-d C"},
	{"field-separator", "-d C"},
	{"input-delimiter", "-d C"},
	{"fields", "-f LIST"},
	{"select", "-f LIST"},
	{"usecols", "-f LIST"},
	{"w", "--window=N"},
	{"window-size", "--window=N"},
	{"min-periods", "--min-count=N"},
	{"rolling", "--window=N"},
	{"moving", "--window=N"},
	{"rows", "--window=N"},
	{"j", "-T N"},
	{"jobs", "-T N"},
	{"parallel", "-T N"},
	{"last-only", "--total"},
	{"final", "--total"},
	{"last", "--total, or -op last"},
	{"start", "--seed=V"},
	{"init", "--seed=V"},
	{"initial", "--seed=V"},
	{"skip", "--header=N, or --skip-bytes=N of raw binary"},
	{"skiprows", "--header=N"},
	{"skip-lines", "--header=N"},
	{"header-in", "-H"},
	{"headers", "-H"},
	{"dtype", "-t TYPE"},
	{"precision", "-F %.2f"},
	{"round", "-F %.2f"},
	{"decimals", "-F %.2f"},
	{"ofmt", "-F %.2f"},
	{"fillna", "--missing=V"},
	{"ffill", "--missing=hold"},
	{"na", "--missing-marks=LIST"},
	{"na-values", "--missing-marks=LIST"},
	{"narm", "--missing=skip"},
	{"dropna", "--missing=skip"},
	{"skipna", "--missing=skip"},
	{"icsv", "--csv"},
	{"itsv", "--tsv"},
	{"ijson", "--json"},
	{"ijsonl", "--json"},
	{"full", "-a"},
	{"in-place", "-o FILE"},
	{"inplace", "-o FILE"},
	{"alpha", "-op ema:A"},
	{"ewm", "-op ema:A"},
	{"ewma", "-op ema:A"},
	{"file", "FILE without an option"},
	{"input", "FILE without an option"},
	{"sort", "sort(1) before pscan"},
	{"order-by", "sort(1) before pscan"},
	{"filter", "awk(1) before pscan"},
	{"where", "awk(1) before pscan"},
};

static bool is_word(const char *word, size_t size, const char *known)
{
	return strlen(known) == size && word_distance(word, size, known, size) == 0;
}

const struct scan_operator *synonym_of_operator(const char *word, size_t size, const char **advice)
{
	*advice = NULL;
	for (size_t i = 0; i < OPERATOR_WORDS; i++) {
		if (!is_word(word, size, operators[i].word))
			continue;
		*advice = operators[i].advice;
		return operators[i].advice == NULL ? &operator_table[operators[i].id] : NULL;
	}
	return NULL;
}

const struct scan_operator *synonym_near_operator(const char *word, size_t size, size_t *limit, bool *found)
{
	const struct scan_operator *nearest = NULL;
	*found = false;
	for (size_t i = 0; i < OPERATOR_WORDS; i++) {
		if (!word_is_nearer(word, size, operators[i].word, strlen(operators[i].word), limit))
			continue;
		*found = true;
		nearest = operators[i].advice == NULL ? &operator_table[operators[i].id] : NULL;
	}
	return nearest;
}

bool synonym_of_option(const char *word, size_t size, char advice[ADVICE_SIZE])
{
	const char *why;
	for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
		if (!is_word(word, size, options[i].word))
			continue;
		(void)snprintf(advice, ADVICE_SIZE, "%s", options[i].advice);
		return true;
	}
	const struct scan_operator *op = size > 1 ? synonym_of_operator(word, size, &why) : NULL;
	for (int i = 0; i < OPERATOR_ID_COUNT && op == NULL && size > 1; i++) {
		if (operator_table[i].about[0] != '\0' && is_word(word, size, operator_table[i].name))
			op = &operator_table[i];
	}
	if (op == NULL && (size < 2 || why == NULL))
		return false;
	if (op == NULL)
		(void)snprintf(advice, ADVICE_SIZE, "%s", why);
	else
		(void)snprintf(advice, ADVICE_SIZE, "-op %s%s", op->name,
			       op->parameter == PARAMETER_FACTOR ? ":A" : "");
	return true;
}
