/* Three tables of words. A word may be in several of them, because operators are options elsewhere. */
#include "cli/synonyms.h"

#include <stdio.h>
#include <string.h>

#include "base/word.h"

#define NO_SCAN "not a prefix scan: see datamash(1), Miller"
#define NO_OPERATOR "not an operator: "

/* Words for operators, between blanks. Words without an operator here have an advice. */
static const struct {
	enum operator_id id;
	const char *advice, *words;
} operators[] = {
	{OPERATOR_SUM, NULL, "add plus total cumsum cumulative running accumulate rsum"},
	{OPERATOR_PROD, NULL, "product times mul mult multiply cumprod rprod"},
	{OPERATOR_MAX, NULL, "maximum cummax highest largest greatest"},
	{OPERATOR_MIN, NULL, "minimum cummin lowest smallest least"},
	{OPERATOR_AND, NULL, "all"},
	{OPERATOR_OR, NULL, "any"},
	{OPERATOR_MEAN, NULL, "avg average cummean sma"},
	{OPERATOR_VAR, NULL, "variance svar var_samp"},
	{OPERATOR_STD, NULL, "sd stdev stddev sstdev stddev_samp"},
	{OPERATOR_DELTA, NULL, "diff difference change"},
	{OPERATOR_LAG, NULL, "previous prev shift shift_lag"},
	{OPERATOR_COUNT, NULL, "length n cnt counter size row_number rownum cumcount"},
	{OPERATOR_DISTINCT, NULL, "unique uniq nunique n_distinct count_distinct"},
	{OPERATOR_FIRST, NULL, "first_value"},
	{OPERATOR_LAST, NULL, "last_value"},
	{OPERATOR_ARGMAX, NULL, "idxmax which.max"},
	{OPERATOR_ARGMIN, NULL, "idxmin which.min"},
	{OPERATOR_EMA, NULL, "ewm ewma"},
	{OPERATOR_ID_COUNT, NO_SCAN,
	 "median med rank dense_rank percentile perc quantile quartile q1 q3 iqr p50 p90 p95 p99 ntile mode antimode "
	 "mad skewness kurtosis"},
	{OPERATOR_ID_COUNT, "not a prefix scan: see sort(1)", "sort"},
	{OPERATOR_ID_COUNT, NO_OPERATOR "perhaps var (of a sample)", "var_pop pvar"},
	{OPERATOR_ID_COUNT, NO_OPERATOR "perhaps std (of a sample)", "stddev_pop pstdev"},
	{OPERATOR_ID_COUNT, NO_OPERATOR "see datamash(1), Miller",
	 "corr cor correlation pearson r2 cov covar covariance covar_pop covar_samp"},
	{OPERATOR_ID_COUNT, NO_OPERATOR "write -op last --missing=hold", "ffill locf fill_down fill-down"},
	{OPERATOR_ID_COUNT, NO_OPERATOR "write -r -op lag", "lead next"},
	{OPERATOR_ID_COUNT, NO_OPERATOR "write -op lag --emit='x / s'", "ratio"},
	{OPERATOR_ID_COUNT, NO_OPERATOR "write -op lag --emit='x / s - 1'", "pct_change"},
};
#define OPERATOR_ROWS (sizeof operators / sizeof operators[0])

/* Words for options, of one letter or more, between blanks. Operators' names are options elsewhere, too. */
static const struct {
	const char *advice, *words;
} options[] = {
	{"-g LIST", "k key keys group-by groupby group_by partition-by over"},
	{"-d C", "sep s fs ifs separator field-separator input-delimiter"},
	{"-f LIST", "fields select usecols"},
	{"--window=N", "w window-size rolling moving rows"},
	{"--min-count=N", "min-periods"},
	{"-T N", "j jobs parallel"},
	{"--total", "last-only final"},
	{"--total, or -op last", "last"},
	{"--seed=V", "start init initial"},
	{"--header=N, or --skip-bytes=N of raw binary", "skip"},
	{"--header=N", "skiprows skip-lines"},
	{"-H", "header-in headers"},
	{"-t TYPE", "dtype"},
	{"-F %.2f", "precision round decimals ofmt"},
	{"--missing=V", "fillna"},
	{"--missing=hold", "ffill"},
	{"--missing-marks=LIST", "na na-values"},
	{"--missing=skip", "narm dropna skipna"},
	{"--csv", "icsv"},
	{"--tsv", "itsv"},
	{"--json", "ijson ijsonl"},
	{"-a", "full"},
	{"-o FILE", "in-place inplace"},
	{"-op ema:A", "alpha ewm ewma"},
	{"-op var (of a sample)", "var_pop pvar"},
	{"-op std (of a sample)", "stddev_pop pstdev"},
	{"FILE without an option", "file input"},
	{"sort(1) before pscan", "sort order-by"},
	{"awk(1) before pscan", "filter where"},
};

/* Words for those of --accept. */
static const struct {
	const char *name, *words;
} accepts[] = {
	{"time", "time times date dates datetime datetimes timestamp timestamps iso iso8601"},
	{"money", "money currency currencies dollar dollars euro euros usd eur accounting $ \xe2\x82\xac"},
	{"percent", "percent percents percentage percentages pct %"},
	{"size", "size sizes bytes size-suffix si iec suffix suffixes unit units human"},
	{"duration", "duration durations timespan interval intervals elapsed hms"},
};

const char *synonym_of_accept(const char *word, size_t size)
{
	const char *found = NULL;
	size_t limit = word_near_limit(size);
	for (size_t i = 0; i < sizeof accepts / sizeof accepts[0]; i++) {
		if (word_is_near_listed(word, size, accepts[i].words, &limit))
			found = accepts[i].name;
	}
	return found;
}

const struct scan_operator *synonym_of_operator(const char *word, size_t size, const char **advice)
{
	*advice = NULL;
	for (size_t i = 0; i < OPERATOR_ROWS; i++) {
		if (!word_is_listed(word, size, operators[i].words))
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
	for (size_t i = 0; i < OPERATOR_ROWS; i++) {
		if (!word_is_near_listed(word, size, operators[i].words, limit))
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
		if (!word_is_listed(word, size, options[i].words))
			continue;
		(void)snprintf(advice, ADVICE_SIZE, "%s", options[i].advice);
		return true;
	}
	const struct scan_operator *op = size > 1 ? synonym_of_operator(word, size, &why) : NULL;
	for (int i = 0; i < OPERATOR_ID_COUNT && op == NULL && size > 1; i++) {
		if (operator_table[i].about[0] != '\0' && word_is_listed(word, size, operator_table[i].name))
			op = &operator_table[i];
	}
	if (op == NULL && (size < 2 || why == NULL))
		return false;
	if (op == NULL)
		(void)snprintf(advice, ADVICE_SIZE, "%s",
			       why + (strncmp(why, NO_OPERATOR, strlen(NO_OPERATOR)) == 0 ? strlen(NO_OPERATOR) : 0));
	else
		(void)snprintf(advice, ADVICE_SIZE, "-op %s%s", op->name,
			       op->parameter == PARAMETER_FACTOR ? ":A" : "");
	return true;
}
